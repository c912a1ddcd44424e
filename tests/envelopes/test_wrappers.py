"""The same records come out of real lines, whatever is wrapped around them."""

from __future__ import annotations

from functools import cache

import pytest

from loganalyst.envelopes import RecordReader, detect
from loganalyst.envelopes.record import Record
from tests.envelopes.reading_of import HINTS, Literals, adds_up, corpus_lines, read, said
from tests.envelopes.wrapping import KNOW_POD, POD, WRAPPERS

SOURCES = {
    "broker": "one-step-4.1.0/logs/broker-1.log.gz",
    "spring with stack traces": "spring-4.1.0/logs/orders-74d5f-b2kls.log",
    "logback": "static-3.7.1/logs/ledger-0.log",
    "librdkafka": "mixed-4.1.0/logs/inventory-rd.log",
    "sarama": "mixed-4.1.0/logs/inventory-sarama.log",
    "logstash JSON": "spring-4.1.0/logs/orders-74d5f-f9rtz.log",
    "connect": "connect-3.7.1/logs/connect-0.log",
}


@cache
def bare(source: str) -> tuple[tuple[str, ...], tuple[int, ...], tuple[tuple[object, ...], ...]]:
    lines = corpus_lines(SOURCES[source], 150)
    _, records, _ = read("\n".join(lines) + "\n")
    stamps: dict[int, int] = {r.line + k: r.ts or 0 for r in records for k in range(r.lines)}
    times, latest = [], 1_796_085_000_000_000
    for number in range(1, len(lines) + 1):
        # The runtime sees a line one and a half milliseconds after the program printed it.
        latest = (stamps.get(number) or latest) + 1_500
        times.append(latest)
    return tuple(lines), tuple(times), tuple(said(records))


@pytest.mark.parametrize("name", WRAPPERS)
def test_real_lines_come_out_of_their_wrapper_as_they_went_in(name: str) -> None:
    for source in SOURCES:
        lines, times, expected = bare(source)
        reading, records, _ = read(WRAPPERS[name](lines, times), f"{source}.log")
        assert said(records) == list(expected), f"{source}: taken for {reading.envelope} / {reading.layout}"
        if name in KNOW_POD:
            assert {r.wrapper.pod if r.wrapper else None for r in records} == {POD}, source


@pytest.mark.parametrize("name", WRAPPERS)
def test_the_fast_path_finds_what_the_slow_path_finds(name: str) -> None:
    for source in ("broker", "spring with stack traces", "librdkafka"):
        lines, times, _ = bare(source)
        data = WRAPPERS[name](lines, times).encode()
        slow, fast = (RecordReader(detect(data[:65536], "x", HINTS), c) for c in (None, Literals()))
        every = [r for r in slow.feed(data, True) if _matters(r)]
        hit = [r for r in fast.feed(data, True) if _matters(r)]
        assert hit == every, source
        assert fast.counts == slow.counts, source
        adds_up(fast.counts)


def _matters(record: Record) -> bool:
    """Whether a literal stands in the message, stack frames left out."""
    text = "\n".join(line for line in record.message.split("\n") if not line.startswith("\tat "))
    return any(literal.decode() in text for literal in Literals.literals)


def test_line_numbers_lead_back_to_the_line_in_every_envelope() -> None:
    lines, times, _ = bare("broker")
    for name, wrap in WRAPPERS.items():
        if name in ("cri", "docker json-file"):
            # Their lines are split, words and all.
            continue
        text = wrap(lines, times)
        physical = text.split("\n")
        for record in read(text)[1]:
            words = max(record.message.split("\n")[0].split(), key=len)
            whole = physical[record.line - 1] + "".join(physical[record.line : record.line + 40])
            assert words[:12].strip("\"'\\") in whole.replace("\\", ""), name
