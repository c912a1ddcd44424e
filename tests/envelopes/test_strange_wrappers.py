"""Wrappers that nobody declared, or only by their kind: the records come out, with their pod if told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loganalyst.envelopes import RecordReader, detect
from tests.envelopes.reading_of import HINTS, Literals, adds_up, read, said
from tests.envelopes.strange_wrapping import STRANGE
from tests.envelopes.test_wrappers import bare
from tests.envelopes.wrapping import POD

SOURCES = ("broker", "spring with stack traces", "librdkafka")
LINES = 110
# Their words tell no pod from a host or a label in a text.
SILENT = frozenset(("tsv", "promtail json", "rg vimgrep"))
TELL_POD = frozenset(name for name, wrap in STRANGE.items() if POD in wrap(["x"], [0])) - SILENT
# `[orders] [time] …` may as well be a thread before the time, as long as no line goes on behind `[orders]`.
LIKE_THREADS = frozenset(("skaffold", "podman-compose", "concurrently", "podman --names"))


@pytest.mark.parametrize("name", STRANGE)
def test_real_lines_come_out_of_a_strange_wrapper(name: str) -> None:
    for source in SOURCES:
        lines, times, _ = bare(source)
        lines, times = lines[:LINES], times[:LINES]
        expected = said(read("\n".join(lines) + "\n")[1])
        reading, records, _ = read(STRANGE[name](lines, times), f"{source}.log")
        if name in LIKE_THREADS:
            records, expected = (
                [replace(r, thread=None) for r in records],
                [(*each[:4], None) for each in expected],
            )
        assert said(records) == expected, f"{source}: taken for {reading.envelope} / {reading.layout}"
        if name in TELL_POD:
            told = {(r.wrapper.pod or r.wrapper.container) if r.wrapper else None for r in records}
            assert told == {POD}, f"{source}: taken for {reading.envelope}"


@pytest.mark.parametrize("name", STRANGE)
def test_the_fast_path_agrees_behind_a_strange_wrapper(name: str) -> None:
    lines, times, _ = bare("broker")
    data = STRANGE[name](lines, times).encode()
    slow, fast = (RecordReader(detect(data[:65536], "x", HINTS), c) for c in (None, Literals()))
    every = [
        r
        for r in slow.feed(data, True)
        if any(literal.decode() in r.message for literal in Literals.literals)
    ]
    assert [
        r
        for r in fast.feed(data, True)
        if any(literal.decode() in r.message for literal in Literals.literals)
    ] == every
    assert fast.counts == slow.counts
    adds_up(fast.counts)
