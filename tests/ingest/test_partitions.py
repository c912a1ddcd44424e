"""Partition lists of every client become topic-partition names."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.ingest.partitions import partition_list

SHAPES = [
    ("[a-0, a-1]", ["a-0", "a-1"]),
    ("a-0, a-1", ["a-0", "a-1"]),
    ("my-topic.v2-10", ["my-topic.v2-10"]),
    ("", []),
    ("[]", []),
    ("set()", []),
    ("frozenset()", []),
    ("map[]", []),
    ("{TopicPartition(topic='a', partition=0), TopicPartition(topic='b.c', partition=4)}", ["a-0", "b.c-4"]),
    ("frozenset({TopicPartition(topic='orders', partition=3)})", ["orders-3"]),
    ("TopicPartition(topic='orders', partition=3)", ["orders-3"]),
    ("map[orders:[0 1] pay-x:[2]]", ["orders-0", "orders-1", "pay-x-2"]),
    ("orders[0 1], payments[2]", ["orders-0", "orders-1", "payments-2"]),
    ('{"a":[0,1],"b":[]}', ["a-0", "a-1"]),
    ("a [0], a((null))[1]@42(error)", ["a-0", "a-1"]),
    ("orders((null))[0]@1042(Broker: Unknown member), orders((null))[3]@8(x)", ["orders-0", "orders-3"]),
    ("orders(0,1), payments(3)", ["orders-0", "orders-1", "payments-3"]),
    ("orders:0,1;payments:3", ["orders-0", "orders-1", "payments-3"]),
    ("Assignment(partitions=[orders-0, orders-1])", ["orders-0", "orders-1"]),
    ("Assignment(partitions=[orders-0], userDataSize=4)", ["orders-0"]),
    ("Set(a-0, b-1)", ["a-0", "b-1"]),
    ("cVN9VaxJTVCcFMDIsLAaRA:orders-0, cVN9VaxJTVCcFMDIsLAaRA:orders-1", ["orders-0", "orders-1"]),
    ("a-0, a-1, ...", ["a-0", "a-1"]),
]


@pytest.mark.parametrize(("text", "names"), SHAPES)
def test_every_known_shape_is_read(text: str, names: list[str]) -> None:
    assert partition_list(text) == names


@pytest.mark.parametrize(
    "text", ["hello world", "[0_4, 0_2]", "12", "null", "[0 1]", "pod-a{payments[0]}", "a-0 and more"]
)
def test_what_is_no_list_of_partitions_is_none(text: str) -> None:
    assert partition_list(text) is None


topics = st.from_regex(r"[A-Za-z][A-Za-z0-9._-]{0,20}", fullmatch=True).filter(lambda t: not t.endswith("-"))


@given(st.lists(st.tuples(topics, st.integers(0, 999)), max_size=6))
def test_java_lists_are_read_back(partitions: list[tuple[str, int]]) -> None:
    names = [f"{topic}-{partition}" for topic, partition in partitions]
    assert partition_list("[" + ", ".join(names) + "]") == names
    assert partition_list(", ".join(names)) == names


@pytest.mark.parametrize(
    "text", ["a-1, " * 50_000 + "!", "(" * 100_000, "orders((null))[0]@1(x), " * 5_000 + "!", "a-" * 100_000]
)
def test_long_near_misses_take_linear_time(text: str) -> None:
    started = time.perf_counter()
    assert partition_list(text) is None
    assert time.perf_counter() - started < 2
