"""Takes the wrappers off a line: what remains is the line that the program printed, with what its wrappers
knew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from loganalyst.envelopes.clock import Clock
from loganalyst.envelopes.declared import Prefix, facts_of_path, prefixes
from loganalyst.envelopes.documents import records_in
from loganalyst.envelopes.json_shapes import Json, JsonShape, looks_like_object, parse, parse_all
from loganalyst.envelopes.layouts import level_name
from loganalyst.envelopes.record import Wrapper
from loganalyst.envelopes.typography import plain

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
JSON = "json"
JSON_RECORDS = "json: records"
JSON_LINES = "json: lines"
JSON_LOGFMT = "json: logfmt"
JSON_NEWLINES = "json: lines with line feeds"
LEARNT = "learnt: "
TYPOGRAPHY = "typography"
_RECORDS = frozenset((JSON_RECORDS, JSON_LOGFMT))
_PREFIX_LIMIT = 4096
# Docker and CRI split lines at 16 KiB; a line longer than this is cut.
_WHOLE_LIMIT = 1 << 20
_QUOTES = re.compile(r'\\(["\\/])|""')
_OCTAL = re.compile(r"#(0[0-3][0-7])")
_LABEL = re.compile(r'([A-Za-z_][\w.]*)\s*=\s*"((?:[^"\\]|\\.)*)"')
_LABELS = {
    "pod": "pod", "pod_name": "pod", "k8s_pod_name": "pod", "kubernetes_pod_name": "pod", "instance": "pod",
    "container": "container", "container_name": "container", "k8s_container_name": "container",
    "namespace": "namespace", "k8s_namespace_name": "namespace",
    "host": "host", "hostname": "host", "node": "host", "node_name": "host",
}  # fmt: skip


@dataclass(slots=True, frozen=True)
class Spoken:
    """The header of a record in JSON; `time` is the stamp as printed."""

    time: str | None
    level: str | None
    logger: str | None
    thread: str | None
    keys: dict[str, str] | None


@dataclass(slots=True)
class Piece:
    """A line without its wrappers. `line` is the number of its (first) physical line; `stream` tells stdout
    from stderr.

    `header` is what a program that logs JSON itself said about its record; `loose`: it named no logger, so
    that its
    text may be a line with a header of its own.
    """

    text: str
    wrapper: Wrapper | None = None
    line: int = 0
    stream: str = ""
    header: Spoken | None = None
    loose: bool = False

    @property
    def stream_key(self) -> str:
        """What tells the streams apart whose lines a wrapper mixes: pod, container, host, stdout or
        stderr."""
        of = self.wrapper
        if of is None or not (of.pod or of.container or of.host):
            return self.stream
        return f"{of.pod}/{of.container}/{of.host}/{self.stream}"


def clean(text: str) -> str:
    """Take off what terminals and editors put into a line: colours, a carriage return, NUL bytes, a byte
    order mark, the separator of JSON sequences."""
    if text.endswith("\r"):
        text = text.rstrip("\r")
    if "\x1b" in text:
        text = ANSI.sub("", text).lstrip("\r")
    if "\0" in text:
        text = text.replace("\0", "")
    return text.lstrip("\ufeff\x1e") if text[:1] in ("\ufeff", "\x1e") else text


def _is_text(text: str) -> bool:
    """Whether what was read as an object or a list may as well be a line: it does not end with a brace."""
    return not text.lstrip().startswith("{") or not text.rstrip().endswith("}")


@dataclass(slots=True)
class _Part:
    """The beginning of a line that a runtime has split."""

    text: str
    line: int
    facts: dict[str, str]


class Unwrapper:
    """Takes the wrappers `names` (outermost first) off the lines of one source; a line may lack any of them.

    `facts` hold for all lines (the source's own name told them).
    """

    def __init__(
        self,
        names: tuple[str, ...],
        clock: Clock,
        facts: dict[str, str] | None = None,
        shape: JsonShape | None = None,
    ) -> None:
        """Prepare the steps; `clock` reads the wrappers' stamps, `shape` is that of objects that no declared
        one fits."""
        self._shape = shape
        declared = {prefix.name: prefix for prefix in prefixes()}
        self._steps: list[str | Prefix | int] = []
        for name in names:
            if name.startswith(JSON):
                self._steps.append(name)
            elif name.startswith("indent "):
                self._steps.append(int(name.removeprefix("indent ")))
            elif name == TYPOGRAPHY:
                self._steps.append(name)
            elif name.startswith(LEARNT):
                self._steps.append(Prefix(name, re.compile(name.removeprefix(LEARNT))))
            else:
                self._steps.append(declared[name])
        self._clock = clock
        self._facts = facts or {}
        self._cached: tuple[tuple[tuple[str, str], ...], Wrapper] | None = None
        self._parts: dict[tuple[int, str], _Part] = {}

    def unwrap(self, text: str, line: int = 0) -> list[Piece]:
        """Return what is inside line number `line`: mostly one piece; several where a wrapper holds several
        lines.

        None, where a runtime has split a line and its end is still to come.
        """
        if not self._steps:
            return [Piece(text, self._wrapper(self._facts) if self._facts else None, line)]
        return list(self._strip(text, 0, {}, Piece("", None, line)))

    def unwrap_object(self, item: Json, shape: JsonShape, line: int = 0) -> list[Piece]:
        """Return what is inside an object of a document; its message stands on line number `line`."""
        objects = (
            each for each in enumerate(self._steps) if isinstance(each[1], str) and each[1] != TYPOGRAPHY
        )
        position, mode = next(objects, (len(self._steps) - 1, JSON))
        return list(self._record(str(mode), item, shape, position, {}, Piece("", None, line)))

    def enter(self, path: str) -> None:
        """From here on the lines are those of the file at `path`."""
        stem = path.replace("\\", "/").rsplit("/", 1)[-1]
        self._facts = facts_of_path(path) or {
            "pod": stem.split(".log")[0].removesuffix(".txt").removesuffix(".out")
        }

    def flush(self) -> list[Piece]:
        """Return the lines whose end never came."""
        parts, self._parts = self._parts, {}
        pieces: list[Piece] = []
        for (step, _), part in parts.items():
            pieces.extend(self._strip(part.text, step + 1, part.facts, Piece("", None, part.line)))
        return pieces

    def _whole(self, text: str, step: int, facts: dict[str, str], about: Piece, goes_on: bool) -> str | None:
        """Put a line together that was split by wrapper number `step`; `None` while parts are missing.

        The parts of one stream may stand among the lines of others.
        """
        key = step, f"{facts.get('pod')}/{facts.get('container')}/{about.stream}"
        begun = self._parts.pop(key, None) if self._parts else None
        if begun is None:
            if goes_on:
                self._parts[key] = _Part(text, about.line, dict(facts))
                return None
            return text
        if len(begun.text) < _WHOLE_LIMIT:
            begun.text += text
        if goes_on:
            self._parts[key] = begun
            return None
        about.line = begun.line
        return begun.text

    def _strip(self, text: str, step: int, facts: dict[str, str], about: Piece) -> Iterator[Piece]:
        for position in range(step, len(self._steps)):
            wrapper = self._steps[position]
            if isinstance(wrapper, int):
                text = text[wrapper:] if not text[:wrapper].strip() else text.lstrip()
            elif isinstance(wrapper, Prefix):
                text, goes_on = self._cut(wrapper, text, facts, about)
                if goes_on or self._parts:
                    whole = self._whole(text, position, facts, about, goes_on)
                    if whole is None:
                        return
                    text = whole
            elif wrapper == TYPOGRAPHY:
                text = plain(text)
            elif looks_like_object(text):
                values = parse_all(text) or [parse(text)]
                records = [found for value in values for found in records_in(value, learnt=self._shape)]
                for item, shape in records:
                    yield from self._record(wrapper, item, shape, position, facts, about)
                if records:
                    return
                if values[0] is not None and not _is_text(text):
                    text = (
                        ""  # an object of the transport's own: an action of a bulk request, a control message
                    )
        about.text = text
        known = {**self._facts, **facts} if self._facts else facts
        if known:
            about.wrapper = self._wrapper(known)
        yield about

    def _cut(self, prefix: Prefix, text: str, facts: dict[str, str], about: Piece) -> tuple[str, bool]:
        """Take a wrapper off `text` if it is there; say whether the line goes on in the next one."""
        found = prefix.regex.match(text, 0, _PREFIX_LIMIT)
        if found is None:
            return text, False
        goes_on = False
        for key, value in found.groupdict().items():
            if not value:
                continue
            if key == "part":
                goes_on = value == "P"
            elif key == "stream":
                about.stream = value
            elif key == "path":
                self._learn_path(facts, value)
            elif key == "labels":
                for label, content in _LABEL.findall(value):
                    if label in _LABELS:
                        facts.setdefault(_LABELS[label], content)
            else:
                facts.setdefault(key, value)
        text = text[found.end() :]
        if prefix.closes is not None:
            text = prefix.closes.sub("", text)
        if prefix.quotes and ("\\" in text or '""' in text):
            text = _QUOTES.sub(lambda escape: escape[1] or '"', text)
        if prefix.octal and "#0" in text:
            text = _OCTAL.sub(lambda escape: chr(int(escape[1], 8)), text)
        return text, goes_on

    def _record(
        self, mode: str, item: Json, shape: JsonShape, position: int, facts: dict[str, str], about: Piece
    ) -> Iterator[Piece]:
        """The pieces in one object: its message, or the lines inside it, which may be wrapped again."""
        text = shape.text(item) or ""
        inner = dict(facts)
        self._learn(inner, item, shape)
        piece = Piece("", None, about.line, shape.first(item, shape.stream) or about.stream)
        goes_on = shape.is_part(item) or (
            mode == JSON_NEWLINES and shape.newline_ends and not text.endswith("\n")
        )
        if goes_on or self._parts:
            whole = self._whole(text, position, inner, piece, goes_on)
            if whole is None:
                return
            text = whole
        nested = text.lstrip()[:1] == "{" and parse(text)
        if nested and any(True for _ in records_in(nested, learnt=self._shape)):
            stamp = shape.first(item, shape.time)
            if stamp and not shape.app:
                inner.setdefault("time", stamp)
            for each, its_shape in records_in(nested, learnt=self._shape):
                yield from self._record(mode, each, its_shape, position, inner, piece)
            return
        logger = shape.first(item, shape.logger)
        if mode in _RECORDS or (shape.app and (mode == JSON or logger)):
            yield self._spoken(piece, text, item, shape, inner)
            return
        stamp = shape.first(item, shape.time)
        if stamp:
            inner.setdefault("time", stamp)
        for line in text.rstrip("\n").split("\n"):
            yield from self._strip(
                clean(line), position + 1, dict(inner), Piece("", None, piece.line, piece.stream)
            )

    def _spoken(self, piece: Piece, text: str, item: Json, shape: JsonShape, facts: dict[str, str]) -> Piece:
        trace = shape.first(item, shape.trace)
        piece.text = f"{text}\n{trace}" if trace and trace not in text else text
        logger = shape.first(item, shape.logger)
        piece.header = Spoken(
            shape.first(item, shape.time),
            level_name(shape.first(item, shape.level)),
            logger,
            shape.first(item, shape.thread),
            shape.beside(item) if shape.keys else None,
        )
        piece.loose = shape.app and not logger
        whole = {**self._facts, **facts} if self._facts else facts
        if whole:
            piece.wrapper = self._wrapper(whole)
        return piece

    def _learn(self, facts: dict[str, str], item: Json, shape: JsonShape) -> None:
        listed = shape.listed(item) if shape.lists else None
        for key in ("pod", "container", "namespace", "host"):
            paths: tuple[str, ...] = getattr(shape, key)
            if not paths or key in facts:
                continue
            value = (shape.first(listed, paths) if listed else None) or shape.first(item, paths)
            if value and value[:1] != "{":
                facts[key] = value
        path = shape.first(item, shape.path)
        if path:
            self._learn_path(facts, path)

    def _learn_path(self, facts: dict[str, str], path: str) -> None:
        for key, value in facts_of_path(path).items():
            facts.setdefault(key, value)

    def _wrapper(self, facts: dict[str, str]) -> Wrapper:
        # The same pod prints many lines in a row, often within the same instant.
        key = tuple(facts.items())
        if self._cached is not None and self._cached[0] == key:
            return self._cached[1]
        stamp = facts.get("time")
        wrapper = Wrapper(
            facts.get("pod"),
            facts.get("container"),
            facts.get("namespace"),
            facts.get("host"),
            self._clock.read(stamp) if stamp else None,
        )
        self._cached = key, wrapper
        return wrapper
