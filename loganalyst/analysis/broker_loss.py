"""Which groups move, and which have no coordinator, when a broker is lost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loganalyst.analysis.placement import DEFAULT_PARTITIONS, offsets_partition
from loganalyst.errors import UsageError


@dataclass(frozen=True, slots=True)
class Replicas:
    """An offsets partition: its leader (None: offline), its replicas in preference order and those in
    sync."""

    leader: int | None
    replicas: tuple[int, ...]
    isr: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """What the loss does to one group.

    `broker` is its coordinator before and `new_broker` after, None where it has none. `outcome`:
    `unaffected`; `moves` to another replica that is in sync; `unavailable`: no replica in sync is left, so
    the group's requests are answered COORDINATOR_NOT_AVAILABLE until the broker is back.
    """

    group_id: str
    offsets_partition: int
    broker: int | None
    new_broker: int | None
    outcome: str


def spread(
    brokers: int, replication_factor: int, partitions: int = DEFAULT_PARTITIONS
) -> dict[int, Replicas]:
    """Lay an offsets topic out over brokers `0 .. brokers-1`.

    Partition `p` is led by broker `p % brokers`, its replicas are the brokers that follow, all in sync:
    the plainest of Kafka's layouts. A real cluster's leaders come from its `kafka-topics` dump.
    Raises `UsageError` when there cannot be such a topic.
    """
    if brokers < 1 or partitions < 1:
        raise UsageError("a cluster has at least one broker and an offsets topic at least one partition")
    if not 1 <= replication_factor <= brokers:
        raise UsageError(
            f"replication factor {replication_factor} needs as many brokers, and there are {brokers}"
        )
    layout = {}
    for partition in range(partitions):
        replicas = tuple((partition + ahead) % brokers for ahead in range(replication_factor))
        layout[partition] = Replicas(replicas[0], replicas, replicas)
    return layout


def lose(groups: Iterable[str], layout: Mapping[int, Replicas], lost: int) -> list[Loss]:
    """Take broker `lost` away and say what becomes of each group, in the order given.

    `layout` must hold every partition of the offsets topic; the new leader is the first replica in
    preference order that is in sync. Raises `UsageError` when no partition of the layout knows the broker.
    """
    known = {broker for replicas in layout.values() for broker in (*replicas.replicas, replicas.leader)}
    if lost not in known:
        brokers = ", ".join(str(broker) for broker in sorted(b for b in known if b is not None))
        raise UsageError(f"broker {lost} has no replica of the offsets topic; its brokers are {brokers}")
    return [_lose(group, layout, lost) for group in groups]


def _lose(group: str, layout: Mapping[int, Replicas], lost: int) -> Loss:
    number = offsets_partition(group, len(layout))
    partition = layout[number]
    if partition.leader is None:
        return Loss(group, number, None, None, "unavailable")
    if partition.leader != lost:
        return Loss(group, number, partition.leader, partition.leader, "unaffected")
    new = next((b for b in partition.replicas if b != lost and b in partition.isr), None)
    return Loss(group, number, lost, new, "unavailable" if new is None else "moves")
