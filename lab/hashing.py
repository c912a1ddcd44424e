"""Where a group's offsets are: `abs(group.hashCode()) % partitions`, Java's String.hashCode
(GroupMetadataManager.partitionFor).
"""

from __future__ import annotations


def java_hash(text: str) -> int:
    """Return Java's String.hashCode of `text` (UTF-16 code units, signed 32 bits)."""
    value = 0
    units = text.encode("utf-16-be")
    for i in range(0, len(units), 2):
        value = (31 * value + int.from_bytes(units[i : i + 2], "big")) & 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def offsets_partition(group: str, partitions: int = 50) -> int:
    """Return the partition of `__consumer_offsets` that holds a group (Kafka's Utils.abs: the least int
    becomes 0).
    """
    value = java_hash(group)
    return (0 if value == -(1 << 31) else abs(value)) % partitions
