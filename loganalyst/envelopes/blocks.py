"""Reads exports that give each record some lines of `key: value` or `KEY=value`; see `[[block]]` in
`wrappers.toml`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from loganalyst.envelopes.declared import block_entries
from loganalyst.envelopes.json_shapes import JsonShape, inspected_text
from loganalyst.envelopes.streamed import Found

BLOCK = "block "
_LONGEST = 1 << 20
_FEWEST = 0.5


@dataclass(frozen=True)
class Block:
    """One declared form; see `wrappers.toml` for the meanings."""

    name: str
    begin: re.Pattern[str]
    fields: tuple[re.Pattern[str], ...]
    resets: re.Pattern[str] | None = None
    ends: re.Pattern[str] | None = None
    yaml: bool = False

    @property
    def shape(self) -> JsonShape:
        """What stands where in the objects that the reader makes."""
        return JsonShape(
            name=self.name,
            message=("message",),
            time=("time",),
            pod=("pod",),
            container=("container",),
            namespace=("namespace",),
            host=("host",),
        )


@cache
def blocks() -> tuple[Block, ...]:
    """The declared forms, in the order in which they are tried."""
    return tuple(
        Block(
            entry["name"],
            re.compile(entry["begin"]),
            tuple(re.compile(field) for field in entry["fields"]),
            re.compile(entry["resets"]) if "resets" in entry else None,
            re.compile(entry["ends"]) if "ends" in entry else None,
            bool(entry.get("yaml")),
        )
        for entry in block_entries()
    )


def block_of(lines: Sequence[str]) -> Block | None:
    """The form that a sample of lines has: records begin, and (nearly) each has a message and a time."""
    for block in blocks():
        begins = sum(block.begin.match(line) is not None for line in lines)
        if not begins:
            continue
        reader = BlockReader(block)
        found = [each for number, line in enumerate(lines, 1) for each in reader.feed(line, number)]
        found += reader.finish(len(lines))
        if len(found) >= _FEWEST * begins and all(each.item.get("time") for each in found[:-1]):
            return block
    return None


def block_named(name: str) -> Block:
    """The form of a name."""
    return next(block for block in blocks() if block.name == name)


class BlockReader:
    """Follows the lines of one form and gives each record when the next one begins."""

    def __init__(self, block: Block) -> None:
        """Begin before the first record."""
        self._block = block
        self._shape = block.shape
        self._context: dict[str, str] = {}
        self._item: dict[str, str] | None = None
        self._first = self._line = 0
        self._text: list[str] = []
        self._open = False
        self._size = 0

    def feed(self, line: str, number: int, ended: bool = True) -> list[Found]:
        """Take the next line and return the record that it ends."""
        del ended  # lines of these forms are never longer than a block
        block = self._block
        found: list[Found] = []
        begin = block.begin.match(line)
        if begin is not None or (block.resets is not None and block.resets.match(line)):
            found = self.finish(number - 1)
            if begin is None:
                self._context = {}
                return found
            self._item, self._first = dict(self._context), number
            self._item.update({key: value for key, value in begin.groupdict().items() if value})
            return found
        if self._open and self._continues(line):
            return found
        self._open = False
        for field in block.fields:
            values = field.match(line)
            if values is None:
                continue
            for key, value in values.groupdict().items():
                if key == "message" and value is not None and self._item is not None:
                    self._text, self._line, self._open, self._size = [value], number, True, 0
                elif value:
                    (self._context if self._item is None else self._item)[key] = _unquoted(value)
            break
        return found

    def _continues(self, line: str) -> bool:
        """Take a further line of the message, if it is one."""
        block = self._block
        if block.yaml:
            goes_on = line.startswith("  ") or not line
        else:
            goes_on = block.ends is not None and not block.ends.match(line)
        if goes_on and self._size < _LONGEST:
            self._text.append(line)
            self._size += len(line)
        return goes_on

    def finish(self, number: int) -> list[Found]:
        """Return the record that is open; its last line is `number`."""
        item, text, self._item, self._text, self._open = self._item, self._text, None, [], False
        if item is None or not text:
            return []
        item["message"] = scalar(text) if self._block.yaml else _closed("\n".join(text), self._block)
        return [Found(item, self._shape, self._line, self._first, number)]


def _closed(text: str, block: Block) -> str:
    """Take off what a form puts behind its message: the bracket of `Str(…)`."""
    return text.rstrip("\n").removesuffix(")") if block.ends is not None else text


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value


def scalar(lines: Sequence[str]) -> str:
    """A YAML scalar that begins behind its key: quoted, plain (folded over lines) or a block of lines."""
    first, rest = lines[0].strip(), list(lines[1:])
    if re.fullmatch(r"[|>][+-]?\d?", first):
        width = next((len(line) - len(line.lstrip(" ")) for line in rest if line.strip()), 0)
        body = [line[width:] for line in rest]
        return "\n".join(body).rstrip("\n") if first[0] == "|" else " ".join(body).strip()
    whole = " ".join([first, *(line.strip() for line in rest)]).strip()
    if whole[:1] == "'":
        return whole.strip("'").replace("''", "'")
    return inspected_text(whole) if whole[:1] == '"' else whole
