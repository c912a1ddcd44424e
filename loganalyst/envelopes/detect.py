"""Finds out what a source is: which wrappers, which header layouts, which time zone, and says why."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

from loganalyst.envelopes.blocks import BLOCK, Block, BlockReader, block_of
from loganalyst.envelopes.choose import choose, fits_all, has_key
from loganalyst.envelopes.classify import FILE_MARK
from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.csv_rows import CsvReader, header_of_csv, rows_of_csv
from loganalyst.envelopes.declared import Prefix, facts_of_path, prefixes
from loganalyst.envelopes.documents import records_in, strange_in
from loganalyst.envelopes.json_shapes import JsonShape, looks_like_object, parse, parse_all
from loganalyst.envelopes.layouts import Layout
from loganalyst.envelopes.learnt_prefix import learn_prefix_of
from loganalyst.envelopes.learnt_shape import learn_shape
from loganalyst.envelopes.reading import Reading, TimeHints
from loganalyst.envelopes.streamed import DocumentReader, Found
from loganalyst.envelopes.typography import is_typeset, plain
from loganalyst.envelopes.unwrap import (
    JSON,
    JSON_LINES,
    JSON_LOGFMT,
    JSON_NEWLINES,
    JSON_RECORDS,
    LEARNT,
    TYPOGRAPHY,
    Unwrapper,
    clean,
)
from loganalyst.envelopes.zoning import place_in_time

_SAMPLE = 250
_SOME = 10
_NESTED = 5
_MOST = 0.6
_HEADERS = 0.3
_OBJECTS = 0.5
_TRACE_LINE = re.compile(r"\t|\s{4,}\S|\s*at \S+\(")
_NANOSECONDS = re.compile(r"\S+\.\d{9}(?:Z|[+-]\d\d:?\d\d) [^ \t]")


class Detection:
    """What is found out about one source, layer by layer."""

    def __init__(self, lines: list[str]) -> None:
        """Take a sample of lines."""
        self.lines = lines
        self.steps: list[str] = []
        self.names: list[str] = []
        self.document: str | None = None
        self.shape: JsonShape | None = None
        self.bare = False

    def peel(self) -> None:
        """Find the wrappers from the outside in, until lines with headers of their own remain."""
        if not self._is_document():
            # Documents take many lines a record; elsewhere some hundred lines tell as much as a thousand.
            del self.lines[_SAMPLE:]
            if is_typeset(self.lines):
                self._add(TYPOGRAPHY, "typeset")
                self.lines = [plain(line) for line in self.lines]
            self._indent()
            for _ in range(_NESTED):
                if not self._peel_one():
                    break

    def _take_document(self, found: Sequence[Found], kind: str = "") -> None:
        """Take the records of a document, and peel what they hold as long as there is something to peel."""
        self._take_objects([(dict(each.item), each.shape) for each in found])
        self.names[-1] += kind
        while not self.bare and self._peel_one():
            pass

    def _peel_one(self) -> bool:
        objects = _objects(self.lines)
        if len(objects) >= _OBJECTS * len(self.lines) and objects:
            return self._peel_objects(objects)
        prefix = _prefix(self.lines)
        if prefix is not None and prefix.name in self.steps:
            return False
        if prefix is None:
            learnt = learn_prefix_of(self.lines)
            if learnt is None or LEARNT + learnt.pattern in self.steps:
                return False
            self._add(LEARNT + learnt.pattern, f"prefix {learnt.looks}")
        else:
            self._add(prefix.name, prefix.name)
        unwrapper = Unwrapper((self.steps[-1],), Clock())
        self.lines = [piece.text for line in self.lines for piece in unwrapper.unwrap(line)]
        return True

    def _peel_objects(self, objects: list[Any]) -> bool:
        records = [found for value in objects for found in records_in(value)]
        if len(records) * 2 < len(objects) and self.shape is None:
            # Some of the objects may be known (metrics, events of the platform): the lines are in the others.
            self.shape = learn_shape([each for value in objects for each in strange_in(value)])
            records = [found for value in objects for found in records_in(value, learnt=self.shape)]
        if not records or (self.steps and self.steps[-1].startswith(JSON)):
            return False
        self._take_objects([(dict(item), shape) for item, shape in records])
        return not self.bare

    def _take_objects(self, records: list[tuple[dict[str, Any], JsonShape]]) -> None:
        shape = Counter(shape for _, shape in records).most_common(1)[0][0]
        mode = JSON
        lines = self._inner(JSON_LINES, records)
        headed = _headed(lines)
        if shape.newline_ends and any((shape.text(item) or "").endswith("\n") for item, _ in records):
            mode = JSON_NEWLINES
        elif headed >= _HEADERS and not (
            shape.app and any(shape.first(item, shape.logger) for item, _ in records)
        ):
            mode = JSON_LINES
        elif (
            headed < _HEADERS
            and not shape.app
            and any(shape.first(item, shape.logger) for item, _ in records)
        ):
            mode = JSON_RECORDS
        if shape.app and all(line.lstrip()[:1] not in "{[" for line in self.lines) and self.document is None:
            mode = JSON_LOGFMT
        self._add(mode, "logfmt" if mode == JSON_LOGFMT else shape.name)
        self.lines = lines
        self.bare = (shape.app and mode == JSON) or mode == JSON_RECORDS

    def _inner(self, mode: str, records: list[tuple[dict[str, Any], JsonShape]]) -> list[str]:
        unwrapper = Unwrapper((mode,), Clock())
        pieces = [piece for item, shape in records for piece in unwrapper.unwrap_object(item, shape)]
        return [
            line
            for piece in pieces
            if piece.header is None
            for line in piece.text.split("\n")
            if line.strip()
        ]

    def _is_document(self) -> bool:
        """Whether the source is a JSON document over many lines, or a CSV export."""
        if self._is_one_line():
            return True
        block = block_of(self.lines)
        if block is not None:
            self._take_block(block)
            return True
        header = header_of_csv(self.lines[:2])
        reader: CsvReader | DocumentReader
        if header is None:
            header = self._learn_columns()
        if header is not None:
            self.document = "csv" + header[1]
            reader = CsvReader(None, header[1], self.shape)
        elif _looks_like_document(self.lines):
            self.document = "json"
            reader = DocumentReader()
        else:
            return False
        found = self._records(reader)
        if not found and isinstance(reader, DocumentReader) and reader.strange:
            self.shape = learn_shape(reader.strange)
            found = self._records(DocumentReader(self.shape))
        if not found:
            self.document = None
            return False
        self._take_document(found, " (csv)" if header is not None else " (document)")
        return True

    def _take_block(self, block: Block) -> None:
        self.document = BLOCK + block.name
        self._take_document(self._records(BlockReader(block)))

    def _records(self, reader: CsvReader | DocumentReader | BlockReader) -> list[Found]:
        found = [each for number, line in enumerate(self.lines, 1) for each in reader.feed(line, number)]
        return found + reader.finish(len(self.lines))

    def _learn_columns(self) -> tuple[list[str], str] | None:
        """The header of a CSV export whose columns have names that nobody declared."""
        table = rows_of_csv(self.lines)
        if table is None:
            return None
        self.shape = learn_shape(table[0], headed=True)
        return None if self.shape is None else (list(table[0][0]), table[1])

    def _is_one_line(self) -> bool:
        """A document without line feeds, longer than what was looked at."""
        if len(self.lines) != 1 or self.lines[0].lstrip()[:1] not in ("{", "[") or parse_all(self.lines[0]):
            return False
        reader = DocumentReader()
        found = reader.feed(self.lines[0], 1, ended=False)
        if not found and reader.strange:
            self.shape = learn_shape(reader.strange)
            found = DocumentReader(self.shape).feed(self.lines[0], 1, ended=False)
        if found:
            self.document = "json"
            self._take_document(found, " (document)")
        return bool(found)

    def _indent(self) -> None:
        """A paste in which all lines stand some blanks to the right."""
        widths = [len(line) - len(line.lstrip(" ")) for line in self.lines]
        common = min(widths, default=0)
        if common and any(has_key(line[common:]) for line in self.lines):
            self._add(f"indent {common}", "indented")
            self.lines = [line[common:] for line in self.lines]

    def _add(self, step: str, name: str) -> None:
        self.steps.append(step)
        self.names.append(name)


# The layouts of files read lately: the files of a folder mostly have them in common.
_RECENT: deque[tuple[Layout, ...]] = deque(maxlen=8)


def detect(head: bytes, name: str, hints: TimeHints) -> Reading:
    """Look at the first bytes of a source (64 KiB suffice) and say how it is to be read.

    `name` is the source's name: dates and pods may stand in it, and `hints.source_tz` is matched against it.
    Raises
    `UsageError` for a zone in `hints` that does not exist.
    """
    sample = _sample(head)
    found = Detection(sample)
    typeset = is_typeset(sample)
    known = None if typeset else next((each for each in _RECENT if fits_all(each, sample)), None)
    if known is not None:
        layouts = known
    else:
        found.peel()
        layouts = () if found.bare else choose(found.lines)
        if len(layouts) == 1 and not found.steps:
            _RECENT.appendleft(layouts)
    reading = Reading(
        envelope=" > ".join(found.names) or "none",
        layout=" + ".join(dict.fromkeys(layout.name for layout in layouts))
        or (found.names[-1] if found.names else "none"),
        wrappers=tuple(found.steps),
        layouts=layouts,
        name=name,
        document=found.document,
        facts=tuple(facts_of_path(name).items()),
        shape=found.shape,
        marked=found.document is None and any(FILE_MARK.fullmatch(line.strip()) for line in sample),
    )
    return place_in_time(reading, sample, hints)


def _sample(head: bytes) -> list[str]:
    lines = head.split(b"\n")
    if len(head) >= 4096 and len(lines) > 2:
        lines.pop()
    texts = (clean(line.decode("utf-8", "replace")) for line in lines[: _SAMPLE * 10])
    return [text for text in texts if text.strip()]


def _objects(lines: Sequence[str]) -> list[Any]:
    found = (parse(line) for line in lines if _object_like(line))
    return [value for value in found if value is not None]


def _object_like(line: str) -> bool:
    start = line.lstrip(" \t,")
    return start[:2] in _OBJECT_STARTS or (start[:1] != "[" and looks_like_object(line))


_OBJECT_STARTS = ("[{", '["', "[[")


def _looks_like_document(lines: Sequence[str]) -> bool:
    """Keys on lines of their own: JSON printed for people, or a fragment of it."""
    keyed = sum(_KEYED.match(line) is not None for line in lines)
    braces = sum(line.strip() in _BRACES for line in lines)
    return (keyed >= 2 and keyed + braces >= _MOST * len(lines)) or (
        braces >= 1 and keyed + braces == len(lines)
    )


_KEYED = re.compile(
    r"""(?!data: \{)\s*(?:"(?:[^"\\]|\\.)+"|[A-Za-z_]\w*)\s*(?::|=>)\s*"""
    r"""(?:["'{\[\d-]|true|false|null)(?:.*[,{\[}\]"'\w])?\s*$"""
    r"""|\s+"(?:[^"\\]|\\.)*",?$"""
)
_BRACES = frozenset(("{", "}", "[", "]", "},", "],", "[{", "}]", "},{", "}, {", "{}", "[]"))


def _prefix(lines: Sequence[str]) -> Prefix | None:
    """The declared wrapper that most lines have, if what is inside bears it out."""
    upright = [line for line in lines if line[:1] not in (" ", "\t")] or lines
    some = upright[:: max(1, len(upright) // _SOME)]
    for prefix in prefixes():
        if sum(prefix.regex.match(line, 0, 4096) is not None for line in some) * 3 < len(some):
            continue
        inner = [line[found.end() :] for line in lines if (found := prefix.regex.match(line, 0, 4096))]
        # A store that keeps several lines in one entry stamps the first of them only.
        bare = sum(line[:1] in (" ", "\t") and prefix.regex.match(line, 0, 4096) is None for line in lines)
        if len(inner) < _MOST * (len(lines) - bare) or not inner:
            continue
        if prefix.inner == "timed":
            if _own_time(inner, lines):
                return prefix
        elif not prefix.inner or _headed(inner) >= _HEADERS:
            return prefix
    return None


def _headed(lines: Sequence[str]) -> float:
    """The share of lines that begin with a header of their own; indented ones do not count."""
    upright = [line for line in lines if line[:1] not in (" ", "\t", "")]
    return sum(has_key(line) or line[:1] == "{" for line in upright) / len(upright) if upright else 0.0


def _own_time(inner: Sequence[str], lines: Sequence[str]) -> bool:
    """Whether a time before the line was put there by a runtime: the line has one of its own, or none but a
    trace's lines do."""
    upright = [line for line in inner if line[:1] not in (" ", "\t", "")]
    if upright and sum(has_key(line, timed=True) or line[:1] == "{" for line in upright) >= _HEADERS * len(
        upright
    ):
        return True
    if any(_TRACE_LINE.match(line) for line in inner):
        return True
    nanoseconds = sum(_NANOSECONDS.match(line) is not None for line in lines)
    return nanoseconds >= _MOST * len(lines) and not any(has_key(line) for line in upright)
