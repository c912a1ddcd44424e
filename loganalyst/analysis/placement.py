"""Which broker coordinates a group: the hash of its name, and nothing else.

The rule is `Utils.abs(groupId.hashCode()) % offsets.topic.num.partitions` (Kafka,
`GroupCoordinatorService.partitionFor`, unchanged since 0.9); the coordinator is the leader of that
partition of `__consumer_offsets`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from loganalyst.errors import UsageError

DEFAULT_PARTITIONS = 50
"""Kafka's default of `offsets.topic.num.partitions`; it cannot change after the topic exists."""

_INT_MIN = -(2**31)


def java_hash(text: str) -> int:
    """Return Java's `String.hashCode()` of `text` as a signed 32-bit number.

    Java hashes UTF-16 code units, so a character outside the basic plane counts as its two surrogates.
    """
    value = 0
    units = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + (high << 8 | low)) & 0xFFFFFFFF
    return value - 2**32 if value >= 2**31 else value


def offsets_partition(group_id: str, partitions: int = DEFAULT_PARTITIONS) -> int:
    """Return the partition of `__consumer_offsets` that holds `group_id`.

    Kafka's `Utils.abs` is not `Math.abs`: `Integer.MIN_VALUE` becomes 0, never a negative partition.
    Raises `UsageError` when `partitions` is not positive.
    """
    if partitions < 1:
        raise UsageError(f"an offsets topic has at least one partition, not {partitions}")
    value = java_hash(group_id)
    return (0 if value == _INT_MIN else abs(value)) % partitions


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one group lives. `broker` is None where no leader of its partition is known."""

    group_id: str
    hash: int
    offsets_partition: int
    broker: int | None
    shares_partition_with: tuple[str, ...]


def place(
    groups: Iterable[str],
    partitions: int = DEFAULT_PARTITIONS,
    leaders: Mapping[int, int | None] | None = None,
) -> list[Placement]:
    """Place every group, in the order given.

    `leaders` maps offsets partitions to their leading brokers, as far as a `kafka-topics` dump or a log
    shows them. `shares_partition_with` names the other groups of the call on the same partition: they
    share a coordinator for as long as they keep their names.
    """
    names = list(groups)
    where = {name: offsets_partition(name, partitions) for name in names}
    together: defaultdict[int, list[str]] = defaultdict(list)
    for name, partition in where.items():
        together[partition].append(name)
    return [
        Placement(
            name,
            java_hash(name),
            where[name],
            (leaders or {}).get(where[name]),
            tuple(other for other in together[where[name]] if other != name),
        )
        for name in names
    ]


@dataclass(frozen=True, slots=True)
class Skew:
    """How unevenly groups fall: groups a broker (most first), groups without a known broker, shared
    partitions."""

    by_broker: tuple[tuple[int, int], ...]
    unknown: int
    collisions: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def busiest(self) -> int | None:
        """The broker with the most groups, None when no leader is known."""
        return self.by_broker[0][0] if self.by_broker else None


def skew(placements: Sequence[Placement], brokers: Iterable[int] = ()) -> Skew:
    """Count groups by coordinator; `brokers` adds those that coordinate none of them."""
    seen = {p.group_id: p for p in placements}.values()
    counts = Counter(dict.fromkeys(brokers, 0))
    counts.update(p.broker for p in seen if p.broker is not None)
    shared: defaultdict[int, list[str]] = defaultdict(list)
    for p in seen:
        shared[p.offsets_partition].append(p.group_id)
    return Skew(
        tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
        sum(p.broker is None for p in seen),
        tuple((number, tuple(names)) for number, names in sorted(shared.items()) if len(names) > 1),
    )
