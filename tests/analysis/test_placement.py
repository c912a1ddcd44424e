"""Where a group lives follows from its name alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.analysis.placement import java_hash, offsets_partition, place, skew
from loganalyst.errors import UsageError

GROUPS = [
    "orders-service",
    "payments-service",
    "inventory-sync",
    "shipping",
    "billing",
    "fraud-detector",
    "email-notifier",
    "audit-log",
    "search-indexer",
    "recommendations",
    "clickstream",
    "catalog-cache",
    "returns",
    "loyalty",
    "pricing",
    "tax-service",
    "geo-lookup",
    "ledger",
    "reports-nightly",
    "sessionizer",
    "webhooks",
    "refunds",
    "media-encoder",
    "support-tickets",
]


@pytest.mark.parametrize(
    ("group", "value", "partition"),
    [
        ("orders-service", 23943117, 17),
        ("orders-service-v2", 324874364, 14),
        ("orders-service-v3", 324874365, 15),
        ("", 0, 0),
    ],
)
def test_a_group_is_placed_as_kafka_places_it(group: str, value: int, partition: int) -> None:
    assert java_hash(group) == value
    assert offsets_partition(group) == partition


def test_the_hash_is_taken_over_utf_16_units() -> None:
    assert java_hash("😀") == 31 * 0xD83D + 0xDE00
    assert java_hash("é") == 0xE9


def test_the_smallest_integer_falls_on_partition_zero_and_not_on_a_negative_one() -> None:
    # The name is one whose hash is Integer.MIN_VALUE.
    name = "polygenelubricants"
    assert java_hash(name) == -(2**31)
    assert offsets_partition(name) == 0


@given(st.text(), st.integers(1, 10_000))
def test_every_group_has_a_partition_of_the_topic(group: str, partitions: int) -> None:
    assert -(2**31) <= java_hash(group) < 2**31
    assert 0 <= offsets_partition(group, partitions) < partitions


@given(st.text(max_size=30), st.text(max_size=30))
def test_the_hash_of_a_name_goes_on_from_the_hash_of_its_beginning(head: str, tail: str) -> None:
    units = len(tail.encode("utf-16-be", "surrogatepass")) // 2
    together = java_hash(head) * 31**units + java_hash(tail)
    assert java_hash(head + tail) == (together + 2**31) % 2**32 - 2**31


def test_groups_on_one_partition_are_named_for_each_other() -> None:
    rows = place(["orders-service", "Aa", "BB", "orders-service-v3"], leaders={17: 2, 15: 0})
    assert [row.group_id for row in rows] == ["orders-service", "Aa", "BB", "orders-service-v3"]
    assert [row.broker for row in rows] == [2, None, None, 0]
    assert rows[1].shares_partition_with == ("BB",)
    assert rows[2].shares_partition_with == ("Aa",)
    assert rows[0].shares_partition_with == ()


def test_skew_counts_groups_a_broker_and_names_collisions() -> None:
    rows = place(["Aa", "BB", "orders-service"], leaders={offsets_partition("Aa"): 1})
    found = skew(rows, brokers=[1, 2])
    assert found.by_broker == ((1, 2), (2, 0))
    assert found.busiest == 1
    assert found.unknown == 1
    assert found.collisions == ((offsets_partition("Aa"), ("Aa", "BB")),)


def test_adding_brokers_does_not_spread_groups() -> None:
    """The lesson of the hash: 24 groups over 9 brokers still leave a broker idle and others with several."""
    spread = {n: skew(place(GROUPS, leaders={p: p % n for p in range(50)}), range(n)) for n in (3, 9)}
    busiest = {n: found.by_broker[0][1] for n, found in spread.items()}
    idlest = {n: found.by_broker[-1][1] for n, found in spread.items()}
    assert busiest[3] > 24 / 3
    assert busiest[9] >= 2 * 24 / 9 - 1
    assert idlest[9] <= 1


def test_a_topic_without_partitions_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one partition"):
        offsets_partition("g", 0)
