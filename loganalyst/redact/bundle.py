"""A small redacted archive of the evidence behind one finding, to attach to a ticket or hand to a vendor."""

from __future__ import annotations

import io
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import IO, Any

from loganalyst import __version__
from loganalyst.redact.context import Context, around
from loganalyst.redact.redactor import Redactor
from loganalyst.report.cells import json_text
from loganalyst.report.visible import visible

__all__ = ["members_of", "write_bundle"]

_FOLDER = "loganalyst-evidence"


def members_of(
    finding: dict[str, Any], events: Sequence[dict[str, Any]], redactor: Redactor, *, context: bool
) -> Iterator[tuple[str, str]]:
    """Yield the files of a bundle as (name, text).

    `finding` is a row of the view `findings`, its `evidence` a list of {source, line, ts, message}; `events`
    are the rows of `events` at those lines, their values as JSON has them. `context` adds the lines around
    each from the sources. All text is redacted.
    """
    evidence = list(finding.get("evidence") or [])
    wanted: dict[str, dict[int, str]] = defaultdict(dict)
    for one in evidence:
        if one["source"] is not None and one["line"] is not None:
            wanted[one["source"]][one["line"]] = one["message"] or ""
    contexts = [around(source, lines) for source, lines in sorted(wanted.items())] if context else []
    yield "README.txt", redactor.text(_readme(finding, evidence, contexts, redactor))
    yield "finding.json", json_text(_redacted(finding, redactor)) + "\n"
    yield "events.jsonl", "".join(json_text(_redacted(event, redactor)) + "\n" for event in events)
    for number, found in enumerate(contexts, 1):
        if found.lines:
            yield f"lines/{number:02}.log", _lines(found, wanted[found.source], redactor)


def write_bundle(members: Iterator[tuple[str, str]], out: IO[bytes]) -> None:
    """Write a bundle as .tar.gz: the same bytes for the same files, no name or time of this machine in it."""
    import gzip

    with (
        gzip.GzipFile(fileobj=out, mode="wb", mtime=0, filename="") as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name, text in members:
            data = text.encode("utf-8", "backslashreplace")
            entry = tarfile.TarInfo(f"{_FOLDER}/{name}")
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))


def _redacted(value: Any, redactor: Redactor) -> Any:
    """Redact all texts inside a JSON value; a text below a name is read together with the name."""
    paths: list[tuple[Any, Any]] = []
    copy = _copied(value, paths)
    texts = [f"{key}={holder[key]}" if isinstance(key, str) else holder[key] for holder, key in paths]
    for (holder, key), text in zip(paths, redactor.texts(texts), strict=True):
        holder[key] = str(text).removeprefix(f"{key}=") if isinstance(key, str) else text
    return copy


def _copied(value: Any, paths: list[tuple[Any, Any]]) -> Any:
    made: Any
    if isinstance(value, dict):
        made, items = {}, list(value.items())
    elif isinstance(value, list):
        made, items = [None] * len(value), list(enumerate(value))
    else:
        return value
    for key, inner in items:
        made[key] = _copied(inner, paths)
        if isinstance(inner, str):
            paths.append((made, key))
    return made


def _lines(found: Context, evidence: dict[int, str], redactor: Redactor) -> str:
    numbers = sorted(found.lines)
    texts = redactor.texts([found.lines[number] for number in numbers])
    shown = [f"# {visible(str(redactor.text(found.source)))} (> marks the evidence)"]
    before: int | None = None
    for number, text in zip(numbers, texts, strict=True):
        if before is not None and number != before + 1:
            shown.append("…")
        shown.append(f"{'>' if number in evidence else ' '}{number:>8}  {visible(str(text))}")
        before = number
    return "\n".join(shown) + "\n"


def _readme(
    finding: dict[str, Any],
    evidence: Sequence[dict[str, Any]],
    contexts: Sequence[Context],
    redactor: Redactor,
) -> str:
    rules = ", ".join(rule.name for rule in redactor.rules)
    files = [
        "finding.json   the finding with its evidence",
        "events.jsonl   what loganalyst read from these lines, one event a line",
    ]
    notes = []
    for number, found in enumerate(contexts, 1):
        if found.lines:
            files.append(f"lines/{number:02}.log   lines of {visible(found.source)} with those around them")
        else:
            notes.append(f"no lines of {visible(found.source)}: {visible(found.reason or '')}")
    parts = [
        f"{visible(str(finding.get('title') or finding.get('kind')))}",
        f"{visible(str(finding.get('detail') or ''))}",
        "",
        f"finding {finding.get('finding')} ({finding.get('kind')}, severity {finding.get('severity')},"
        f" confidence {finding.get('confidence')}), {len(evidence)} lines of evidence",
        "",
        *files,
        *(["", *notes] if notes else []),
        "",
        f"Made by loganalyst {__version__}. Secrets and personal data are replaced by <rule#hash>, the same",
        f"value by the same hash (rules: {rules}).",
        "Look it through before you hand it on: rules find what they know.",
        "",
    ]
    return "\n".join(parts)
