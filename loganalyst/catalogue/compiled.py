"""Turns what the files say into the form that is matched: plain JSON values, kept and read fast.

The compiled form is one dict: `statements` (see `Statement.to_json`), `wordings` (rows for `Wording`, one a
template), `starts` (the first characters of a template → wordings, best first), `anchors` (a literal of those
that begin with a hole → wordings), `prefixes` (every prefix and context template with the component whose
types it uses), `own_prefixes` (the sets of prefix templates that wordings refer to), `pairs` (a structured
logger's message → its keys in order), `types`, `components` and `coarse`.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from loganalyst.catalogue.coarse import derive
from loganalyst.catalogue.files import Files
from loganalyst.catalogue.statement import Statement
from loganalyst.catalogue.template import HOLE, Hole, literals, parse
from loganalyst.catalogue.wording import literal_length, start_and_anchor
from loganalyst.errors import CatalogueError

START_LENGTHS = (32, 20, 12, 8, 5, 3, 2)
"""How many first characters of a template are looked up; a template is filed under the most it has."""

_PAIR = re.compile(r"(?:; |, )([\w .-]{1,60}): \{[a-z0-9_]+(?::[a-z0-9_]+)?\}")

_TELLING = 24
"""Literal characters that a first line needs to be recognised without its prefix."""

_YIELDS = 100
"""Puts a first line behind a whole template of the same text."""

_LONGEST_CHAIN = 20
"""Statements that stand one after another by `after`, at most."""

Compiled = dict[str, Any]


def compile_files(files: Files) -> Compiled:
    """Compile a catalogue. Raises `CatalogueError` where a kept statement has no text to search for."""
    coarse = derive(files.statements, files.coarse)
    own: list[list[str]] = []
    rows: list[list[Any]] = []
    starts: list[str] = []
    heads: set[tuple[str, int]] = set()
    for number, statement in enumerate(files.statements):
        prefixes = sorted({prefix.template for prefix in statement.prefixes})
        if prefixes not in own:
            own.append(prefixes)
        whole = [(template, statement.bare) for template in statement.templates]
        first_lines = _first_lines(statement, own.index(prefixes), heads)
        for template, bare in whole + first_lines:
            start, anchor = start_and_anchor(template)
            holes = [piece for piece in parse(template) if isinstance(piece, Hole)]
            minor = sum(1.0 if hole.type else -0.25 for hole in holes)
            minor -= _YIELDS * ((template, bare) in first_lines)
            searched = any(coarse.hits(piece) for piece in literals(template))
            length = literal_length(template)
            rows.append([number, template, anchor, length, minor, bare, searched, own.index(prefixes)])
            starts.append(start)
    _refuse_twins(files.statements)
    _order(files.statements, rows)
    by_start, by_anchor = _index(rows, starts)
    return {
        "statements": [statement.to_json() for statement in files.statements],
        "wordings": rows,
        "starts": by_start,
        "anchors": by_anchor,
        "prefixes": _prefixes(files),
        "own_prefixes": own,
        "pairs": _pairs(files.statements),
        "types": {
            component: {name: [one.pattern, one.prefer] for name, one in types.items()}
            for component, types in files.types.items()
        },
        "components": [asdict(component) for component in files.components],
        "coarse": [literal.decode("ascii") for literal in coarse.literals],
    }


def _first_lines(statement: Statement, prefixes: int, heads: set[tuple[str, int]]) -> list[tuple[str, bool]]:
    """The first lines of templates that have several, each with whether it may stand without its prefix.

    `grep` and search exports leave only the first line of a record. Where statements share it, the first of
    them has it.
    """
    found = []
    for template in statement.templates:
        head, newline, _ = template.partition("\n")
        if newline and head.strip() and (head, prefixes) not in heads:
            heads.add((head, prefixes))
            found.append((head, statement.bare and literal_length(head) >= _TELLING))
    return found


def _refuse_twins(statements: list[Statement]) -> None:
    """Refuse two statements of one text behind one prefix, unless one is put after the other on purpose."""
    seen: dict[tuple[str, str], Statement] = {}
    for statement in statements:
        for template in statement.templates:
            text = HOLE.sub("{}", template).rstrip()
            for prefix in statement.prefixes or (None,):
                key = (text, prefix.template if prefix else "")
                other = seen.setdefault(key, statement)
                ordered = other.id in statement.after or statement.id in other.after
                if other is not statement and not ordered:
                    raise CatalogueError(
                        f"{statement.id} and {other.id} match the same text {text!r}: "
                        "merge them, or name one of them in the other's `after`"
                    )


def _order(statements: list[Statement], rows: list[list[Any]]) -> None:
    """Rank the wordings of a statement below those of the statements that it names in `after`."""
    by_id: dict[str, list[list[Any]]] = {}
    for row in rows:
        by_id.setdefault(statements[row[0]].id, []).append(row)
    for _ in range(_LONGEST_CHAIN):
        changed = False
        for row in rows:
            for earlier in statements[row[0]].after:
                for other in by_id[earlier]:
                    if (row[3], row[4]) >= (other[3], other[4]):
                        row[3], row[4] = other[3], other[4] - 1
                        changed = True
        if not changed:
            return
    raise CatalogueError("statements name each other in `after` in a circle")


def _index(rows: list[list[Any]], starts: list[str]) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    by_start: dict[str, list[int]] = {}
    by_anchor: dict[str, list[int]] = {}
    for number, (row, start) in enumerate(zip(rows, starts, strict=True)):
        length = next((length for length in START_LENGTHS if len(start) >= length), None)
        if length is None:
            by_anchor.setdefault(row[2], []).append(number)
        else:
            by_start.setdefault(start[:length], []).append(number)
    for several in (*by_start.values(), *by_anchor.values()):
        several.sort(key=lambda number: (-rows[number][3], -rows[number][4]))
    return by_start, by_anchor


def _prefixes(files: Files) -> list[list[Any]]:
    """Every prefix and context once, longest first: `[template, component, [client, role, keep] or None]`."""
    found: dict[str, list[Any]] = {}
    for component in files.components:
        for context in component.contexts:
            found.setdefault(context, [context, component.name, None])
    for statement in files.statements:
        for prefix in statement.prefixes:
            told = [prefix.client, prefix.role, prefix.keep]
            found.setdefault(prefix.template, [prefix.template, statement.component, told])
    return sorted(found.values(), key=lambda row: -literal_length(row[0]))


def _pairs(statements: list[Statement]) -> dict[str, list[str]]:
    """For `message; key: {hole}, ..`: the keys that a structured logger prints beside the message."""
    pairs: dict[str, list[str]] = {}
    for statement in statements:
        if statement.pairs:
            for template in statement.templates:
                head, sign, tail = template.partition("; ")
                known = pairs.setdefault(head, [])
                known += [key for key in _PAIR.findall(sign + tail) if key not in known]
    return pairs
