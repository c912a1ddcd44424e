"""`loganalyst explain`: which log statement a line matches, and what it means."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from loganalyst.cli import options
from loganalyst.cli.options import Output
from loganalyst.cli.talk import say

if TYPE_CHECKING:
    from loganalyst.catalogue import Catalogue
    from loganalyst.envelopes.record import Record

BATCH = 500


@click.command("explain")
@click.argument("line", required=False)
@options.parsers_option()
@options.output(text=True)
def command(line: str | None, parsers: tuple[Path, ...], output: Output) -> None:
    """Say which log statement LINE matches, with its event and fields, or why none does.

    Without LINE each line of stdin is answered, alone and in order, one answer a line. A line may stand as it
    is in the file, wrapped by kubectl or a log shipper, or be the bare message without a header.

    \b
    Examples:
      loganalyst explain "Stabilized group orders generation 7 (__consumer_offsets-17) with 6 members"
      grep -i rebalanc server.log | loganalyst explain --format jsonl
    """
    from loganalyst.catalogue import load
    from loganalyst.report.formats import write_rows, write_text

    catalogue = load(parsers)
    lines = [line] if line is not None else _stdin()
    answers = (explain(text, catalogue) for text in lines)
    if output.format is None:
        written = (text for answer in answers for text in _text(answer, full=line is not None))
        write_text(written, output.file)
    else:
        write_rows(
            _reader(answers), format=output.format, file=output.file, spreadsheet=bool(output.spreadsheet)
        )


def explain(line: str, catalogue: Catalogue) -> dict[str, Any]:
    """Answer for one line: `line`, and `event`, `statement`, `fields` if it is known, else `nearest`."""
    from loganalyst.ingest.event import SourceFacts, to_event

    answer: dict[str, Any] = {"line": line, "event": None, "statement": None, "fields": None, "nearest": None}
    records = list(_readings(line))
    for record in records:
        match = catalogue.match(record.message, logger=record.logger, level=record.level, keys=record.keys)
        if match is not None:
            fields = dict(to_event(record, match, SourceFacts(""))["fields"])
            return {
                **answer,
                "event": match.statement.event,
                "statement": match.statement.id,
                "fields": fields,
            }
    if line.strip():
        nearest = catalogue.nearest(records[0].message)
        answer["nearest"] = None if nearest is None else str(nearest)
    return answer


def _readings(line: str) -> Iterator[Record]:
    """Yield the line as its wrapper and header say, and as a bare message."""
    from loganalyst.envelopes.detect import detect
    from loganalyst.envelopes.reader import RecordReader
    from loganalyst.envelopes.reading import TimeHints
    from loganalyst.envelopes.record import Record

    data = (line + "\n").encode("utf-8", "surrogateescape")
    yield from RecordReader(detect(data, "", TimeHints())).feed(data, True)[:1]
    yield Record(line=1, lines=1, message=line)


def _stdin() -> Iterator[str]:
    if sys.stdin.isatty():
        say("paste lines, end with Ctrl-D")
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _reader(answers: Iterator[dict[str, Any]]) -> Any:
    import pyarrow as pa

    schema = pa.schema(
        [
            ("line", pa.string()),
            ("event", pa.string()),
            ("statement", pa.string()),
            ("fields", pa.map_(pa.string(), pa.string())),
            ("nearest", pa.string()),
        ]
    )

    def batches() -> Iterator[pa.RecordBatch]:
        while rows := list(islice(answers, BATCH)):
            columns = []
            for field in schema:
                values = [row[field.name] for row in rows]
                if field.name == "fields":
                    values = [None if value is None else list(value.items()) for value in values]
                columns.append(pa.array([_clean(value) for value in values], field.type))
            yield pa.record_batch(columns, schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def _clean(value: Any) -> Any:
    """Replace bytes that were no UTF-8, which Arrow cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [tuple(map(_clean, pair)) for pair in value] if isinstance(value, list) else value


def _text(answer: dict[str, Any], *, full: bool) -> Iterable[str]:
    from loganalyst.report.visible import visible

    if answer["event"] is None:
        yield visible(f"no statement; nearest: {answer['nearest']}" if answer["nearest"] else "no statement")
        return
    fields = answer["fields"].items()
    if full:
        yield f"{answer['event']}  ({answer['statement']})"
        yield from (visible(f"  {name} = {value}") for name, value in fields)
    else:
        values = " ".join(f"{name}={value}" for name, value in fields)
        yield visible(f"{answer['event']}  ({answer['statement']})  {values}".rstrip())
