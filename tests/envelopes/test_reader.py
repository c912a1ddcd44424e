# ruff: noqa: E501 - log lines are as long as they are
"""Blocks of any size give the same records; every line is accounted for; bad input harms only itself."""

from __future__ import annotations

import random
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loganalyst.envelopes import Record, RecordReader, detect
from loganalyst.envelopes.finish import MESSAGE_LIMIT
from tests.envelopes.reading_of import HINTS, Literals, adds_up, corpus_lines, messages, read, said

SOURCES = (
    "one-step-4.1.0/logs/broker-2.log.gz",
    "spring-4.1.0/logs/orders-9c6b8-m5nbv.log.gz",
    "spring-4.1.0/logs/orders-9c6b8-w2sdf.log.gz",
    "kip848-4.1.0/logs/fraud-0.log",
    "streams-4.1.0/logs/words-1.log.gz",
    "kafkago-4.1.0/logs/email-rd-1.log",
    "members-4.1.0/logs/shipping-0.log",
)


@cache
def _data(source: str) -> bytes:
    return ("\n".join(corpus_lines(source, 900)) + "\n").encode()


def _matters(record: Record) -> bool:
    text = "\n".join(line for line in record.message.split("\n") if not line.startswith("\tat "))
    return any(literal.decode() in text for literal in Literals.literals)


def _in_blocks(data: bytes, cuts: list[int], coarse: Literals | None) -> tuple[list[Record], RecordReader]:
    reader = RecordReader(detect(data[:65536], "x", HINTS), coarse)
    records: list[Record] = []
    at = 0
    for cut in sorted(cuts):
        records += reader.feed(data[at:cut])
        at = max(at, cut)
    records += reader.feed(data[at:], True)
    return records, reader


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SOURCES), st.lists(st.integers(0, 200_000), max_size=30), st.booleans())
def test_block_boundaries_and_the_fast_path_change_nothing(source: str, cuts: list[int], ended: bool) -> None:
    data = _data(source) if ended else _data(source).rstrip(b"\n")
    whole, slow = _in_blocks(data, [], None)
    parted, parts = _in_blocks(data, cuts, None)
    hit, fast = _in_blocks(data, cuts, Literals())
    assert parted == whole
    assert [r for r in hit if _matters(r)] == [r for r in whole if _matters(r)]
    assert slow.counts == parts.counts == fast.counts
    adds_up(fast.counts)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SOURCES), st.randoms(use_true_random=False))
def test_damaged_lines_harm_no_neighbour(source: str, chance: random.Random) -> None:
    lines = _data(source).split(b"\n")[:120]
    place = chance.randrange(len(lines))
    line = bytearray(lines[place])
    for _ in range(chance.randrange(1, 12)):
        position = chance.randrange(len(line) + 1)
        line[position : position + chance.randrange(3)] = bytes(
            chance.randrange(256) for _ in range(chance.randrange(4))
        )
    damaged = bytes(line).replace(b"\n", b" ")
    text = b"\n".join([*lines[:place], damaged, *lines[place + 1 :]]) + b"\n"
    _, before, _ = read(b"\n".join(lines) + b"\n")
    _, after, _ = read(text)
    untouched = [
        r for r in before if not r.line - 1 <= place <= r.line + r.lines and _whole(r, before, place)
    ]
    remaining = {r.line: r for r in after}
    assert all(
        said([remaining[r.line]]) == said([r])
        for r in untouched
        if r.line in remaining and abs(r.line - place) > 3
    )


def _whole(record: Record, records: list[Record], place: int) -> bool:
    """Whether damage at `place` cannot join lines to a record: another record begins in between."""
    return any(min(record.line, place) < other.line < max(record.line, place) for other in records)


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=3000))
def test_any_bytes_are_read_without_an_error(data: bytes) -> None:
    read(data)


def test_the_last_line_counts_without_its_line_feed() -> None:
    _, records, counts = read("2024/12/01 00:00:00 one\n2024/12/01 00:00:01 two")
    assert (len(records), counts.lines, counts.records) == (2, 2, 2)
    assert read(b"")[2].lines == 0


def test_banners_blank_lines_and_the_words_of_tools_are_foreign() -> None:
    line = "[2024-12-01 00:00:00,123] INFO Done (kafka.server.KafkaServer)\n"
    text = f'broker-0\nDefaulted container "kafka" out of: kafka, exporter\n{line}\n--\n{line}==> b.log <==\n{line}'
    _, records, counts = read(text)
    assert (len(records), counts.foreign) == (3, 5)


def test_a_pasted_quote_or_bold_mark_hides_no_record() -> None:
    line = "[2024-12-01 00:00:00,123] INFO Done {} (kafka.server.KafkaServer)"
    text = (
        "\n".join([f">{line.format(1)}", line.format(2), f"**{line.format(3)}**", f"> > {line.format(4)}"])
        + "\n"
    )
    assert messages(text) == ["Done 1", "Done 2", "Done 3", "Done 4"]


def test_kibanas_lines_of_display_time_are_no_records() -> None:
    text = "".join(
        f"Jan 17, 2020 @ 15:54:24.87{n}\n[2020-01-17 10:24:24,87{n}] INFO Done {n} (kafka.server.KafkaServer)\n"
        for n in range(4)
    )
    _, records, counts = read(text)
    assert [r.message for r in records] == ["Done 0", "Done 1", "Done 2", "Done 3"]
    assert counts.foreign == 4


def test_an_app_that_logs_json_cannot_have_a_record_forged_into_it() -> None:
    forged = "harmless\\n[2024-12-01 00:00:00,123] INFO Stabilized group x (kafka.coordinator.group.GroupCoordinator)"
    text = (
        f'{{"@timestamp":"2024-12-01T00:00:00Z","message":"{forged}","logger_name":"a.B","level":"INFO"}}\n'
    )
    _, records, _ = read(text)
    assert len(records) == 1
    assert records[0].logger == "a.B"


def test_a_line_of_fifty_megabytes_is_one_line_cut_short() -> None:
    head, tail = b"2024/12/01 00:00:00 before\n2024/12/01 00:00:01 ", b"\n2024/12/01 00:00:02 after\n"
    for coarse in (None, Literals()):
        reader = RecordReader(detect(head + b"x" * 1000, "x", HINTS), coarse)
        began = time.process_time()
        records = reader.feed(head)
        for _ in range(50):
            records += reader.feed(b"partition " * 104_858)
        records += reader.feed(tail, True)
        assert time.process_time() - began < 10
        assert reader.counts.lines == 3
        assert max(len(r.message) for r in records) <= MESSAGE_LIMIT
        adds_up(reader.counts)


def test_a_record_of_many_megabytes_of_trace_is_read_in_flat_memory() -> None:
    head = b"[2024-12-01 00:00:00,123] ERROR group failed (kafka.server.KafkaServer)\n"
    frame = b"\tat org.apache.kafka.Group.rebalance(Group.java:1)\n" * 20_000
    reader = RecordReader(detect(head + frame[:5000], "x", HINTS), Literals())
    records = reader.feed(head)
    for _ in range(12):
        records += reader.feed(frame)
        assert len(reader._rest) < 6 << 20
    records += reader.feed(b"[2024-12-01 00:00:01,123] INFO group done (kafka.server.KafkaServer)\n", True)
    assert [r.message.split("\n")[0] for r in records] == ["group failed", "group done"]
    assert (reader.counts.lines, reader.counts.continuation) == (240_002, 240_000)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("2024/12/01 00:00:00 gruppe größe".encode("latin-1"), "gruppe größe"),
        ("2024/12/01 00:00:00 gruppe größe".encode(), "gruppe größe"),
        (b"2024/12/01 00:00:00 gr\0uppe", "gruppe"),
        (b"2024/12/01 00:00:00 gr\x1b[31muppe\x1b[0m", "gruppe"),
        (b"2024/12/01 00:00:00 gruppe\r", "gruppe"),
        (b"\xef\xbb\xbf2024/12/01 00:00:00 gruppe", "gruppe"),
    ],
)
def test_other_encodings_colours_and_stray_bytes_do_not_hide_the_text(raw: bytes, message: str) -> None:
    assert messages(raw + b"\n") == [message]
