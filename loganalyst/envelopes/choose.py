"""Chooses the header layouts of a source from a sample of its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from loganalyst.envelopes.classify import is_exception, is_tool_line
from loganalyst.envelopes.finish import is_trace
from loganalyst.envelopes.induce import LEARNT, cohort, induce
from loganalyst.envelopes.layouts import Layout, known, shape_of

_AGREED = 0.97
# An ending such as ` (logger)` need not be found in every record: lines are cut, notes stand between.
_ENDED = 0.4
_CERTAINLY_ENDED = 0.8
_HEADER_LIMIT = 2000
_MOST_LAYOUTS = 8
_LOGGER_WIDTH = 40.0
_SOME = 8
_LOOKED_AT = 60
_FEW = 4
_ENDINGS = (" ({logger}) [{thread}]", " ({logger})", " [{dotted}]")


@dataclass(frozen=True, slots=True)
class Sample:
    """A record of the sample: the line with its header, and the lines below up to its stack trace.

    `cut`: the sample ends in it, so that its last line was perhaps not seen.
    """

    line: str
    more: tuple[str, ...] = ()
    cut: bool = False


def choose(lines: Sequence[str]) -> tuple[Layout, ...]:
    """Return the layouts that the sample's lines have, the most frequent first, each bound to its shape of
    time.

    Lines are first sorted by the row of tokens up to their level. A row's lines then share one layout: a
    declared one if it
    fits (nearly) all of them, else the one learnt from them, else the few declared ones that fit them
    together.
    """
    groups: dict[str, list[Sample]] = {}
    for key, sample in _samples(lines):
        groups.setdefault(key, []).append(sample)
    counts: Counter[Layout] = Counter()
    for group in groups.values():
        for layout, count in _of_group(group):
            counts[layout] += count
    return tuple(layout for layout, _ in counts.most_common(_MOST_LAYOUTS))


def _samples(lines: Sequence[str]) -> Iterable[tuple[str, Sample]]:
    position = 0
    while position < len(lines):
        line = lines[position]
        position += 1
        key = _key(line)
        if key is None:
            continue
        more: list[str] = []
        while position < len(lines) and (len(more) < key[1] or _key(lines[position]) is None):
            more.append(lines[position])
            position += 1
        trace = next((i for i, text in enumerate(more) if is_trace(text)), len(more))
        yield key[0], Sample(line, tuple(more[:trace]), bool(more) and position == len(lines))


def _key(line: str) -> tuple[str, int] | None:
    """What groups a line with its like, and how many further lines its header has."""
    if line[:1] in (" ", "\t") or is_tool_line(line):
        return None
    for layout in known():
        if (
            not layout.fickle
            and (layout.two_lines or not layout.multiline)
            and layout.starts.match(line, 0, _HEADER_LIMIT)
        ):
            return f"{layout.name} {layout.pattern}", int(layout.two_lines)
    row = cohort(line)
    if row is not None:
        return row, 0
    fits = next((each for each in known() if each.starts.match(line, 0, _HEADER_LIMIT)), None)
    return None if fits is None else (f"{fits.name} {fits.pattern}", 0)


def fits_all(layouts: tuple[Layout, ...], lines: Sequence[str]) -> bool:
    """Whether the usual one of `layouts`, chosen for another file, fits all lines that are not indented."""
    upright = [line for line in lines if line[:1] not in (" ", "\t", "") and not is_exception(line)]
    del upright[_LOOKED_AT:]
    main = layouts[0]
    declared = any(main.pattern == each.pattern for each in known())
    # A learnt layout may be the beginning of a longer one; so may one that says little.
    if len(upright) < _FEW or not declared or (main.fickle and main.ending is None):
        return False
    if not all(main.starts.match(line, 0, _HEADER_LIMIT) for line in upright):
        return False
    return main.ending is None or sum(main.find_ending(line) is not None for line in upright) * 2 > len(
        upright
    )


def has_key(line: str, timed: bool = False) -> bool:
    """Whether a line begins with a header of its own; with `timed`, one that has a time."""
    key = _key(line)
    if key is None:
        return False
    return not timed or "time" in key[0] or bool({"t", "bt"} & set(key[0].split()))


def _of_group(group: list[Sample]) -> list[tuple[Layout, int]]:
    telling = _fitting(group, [layout for layout in known() if not layout.fickle])
    if telling is not None:
        return _bound(telling, group)
    learnt = induce([sample.line for sample in group])
    if learnt is not None and _share(learnt, group) < _AGREED:
        learnt = None
    if learnt is not None:
        learnt = _with_ending(learnt, group)
    fickle = _fitting(group, [layout for layout in known() if layout.fickle])
    best = max(
        (each for each in (fickle, learnt) if each is not None),
        key=lambda each: _reach([each], group),
        default=None,
    )
    together = _together(group)
    if together and (
        best is None or _reach([layout for layout, _ in together], group) > _reach([best], group)
    ):
        return together
    return _bound(best, group) if best is not None else []


def _starts(layout: Layout, sample: Sample) -> int:
    """Where the message begins under a layout; 0 if the line has another."""
    found = layout.starts.match(sample.line, 0, _HEADER_LIMIT)
    return found.end() if found is not None else 0


def _share(layout: Layout, group: Sequence[Sample]) -> float:
    # Most layouts fit hardly any line; a few lines from all over the group show it.
    some = group[:: max(1, len(group) // _SOME)]
    if sum(_starts(layout, sample) == 0 for sample in some) * 3 > len(some):
        return 0.0
    return sum(_starts(layout, sample) > 0 for sample in group) / len(group)


def _reach(layouts: Sequence[Layout], group: Sequence[Sample]) -> float:
    """How far headers reach into the lines on the average; the declared wins where it and the learnt are
    even.

    A logger found behind the messages counts like one before them.
    """
    ends = [max(_starts(layout, sample) for layout in layouts) for sample in group]
    first = layouts[0]
    behind = _LOGGER_WIDTH if first.ending is not None and _ends(first, group, _CERTAINLY_ENDED) else 0.0
    return sum(ends) / len(ends) + behind + (0.0 if first.name == LEARNT else 0.01)


def _fitting(group: list[Sample], layouts: Sequence[Layout]) -> Layout | None:
    """The layout among `layouts` that fits nearly all lines, reaches furthest, and whose ending is there if
    it has one."""
    fits = [layout for layout in layouts if _agrees(layout, group) and _ends(layout, group, _ENDED)]
    return max(fits, key=lambda layout: _reach([layout], group), default=None)


def _agrees(layout: Layout, group: Sequence[Sample]) -> bool:
    """Whether a layout fits nearly all lines. One damaged line among few must not unseat a telling one."""
    share = _share(layout, group)
    spared = not layout.fickle and len(group) >= _FEW
    return share >= _AGREED or (spared and round(share * len(group)) >= len(group) - 1)


def _ends(layout: Layout, group: Sequence[Sample], share: float) -> bool:
    whole = [sample for sample in group if not sample.cut]
    if layout.ending is None or (not whole and layout.name != LEARNT):
        return True
    ended = 0
    for sample in whole:
        ended += any(layout.find_ending(text) for text in (sample.line, *sample.more))
    return bool(whole) and ended >= share * len(whole)


def _with_ending(layout: Layout, group: list[Sample]) -> Layout:
    """Add the `(logger)` that stands behind the message where a learnt header has no logger."""
    if layout.names_logger:
        return layout
    for ending in _ENDINGS:
        if "{thread}" in ending and "thread" in layout.pattern:
            continue
        longer = replace(layout, pattern=layout.pattern + ending)
        if _ends(longer, group, _ENDED):
            return longer
    return layout


def _together(group: list[Sample]) -> list[tuple[Layout, int]]:
    """The telling declared layouts that only together fit nearly all lines: two loggers with different
    patterns."""
    left = list(group)
    found: list[tuple[Layout, int]] = []
    for layout in known():
        mine = [] if layout.fickle else [sample for sample in left if _starts(layout, sample)]
        if mine:
            found += _bound(layout, mine)
            left = [sample for sample in left if not _starts(layout, sample)]
    return found if len(left) <= (1 - _AGREED) * len(group) else []


def _bound(layout: Layout, group: list[Sample]) -> list[tuple[Layout, int]]:
    """The layout once for each shape of time that it has in the group."""
    shapes: Counter[str | None] = Counter()
    for sample in group:
        found = layout.starts.match(sample.line, 0, _HEADER_LIMIT)
        if found is not None:
            shape = shape_of(found["time"]) if found["time"] else None
            shapes[shape.name if shape else None] += 1
    name = layout.name if layout.name != LEARNT else described(layout)
    return [(replace(layout, name=name, shape=shape), count) for shape, count in shapes.most_common()]


_PLAIN_WORDS = {
    "any-level": "level",
    "any-time": "time",
    "dotted": "logger",
    "round-thread": "thread",
    "inside": "…",
    "round-inside": "…",
    "token": "word",
    "gap": " ",
}


def described(layout: Layout) -> str:
    """A learnt layout is called by its pattern, in plain words."""
    text = layout.pattern
    for piece, word in _PLAIN_WORDS.items():
        text = text.replace("{" + piece + "}", word)
    text = text.replace("{", "").replace("}", "").replace("[ ", "[").replace(" ]", "]")
    return " ".join(text.split())
