"""Values as the languages of the clients print them, taken out of their wrapping."""

from __future__ import annotations

import re

__all__ = ["broker_of_node", "duration_ms", "host_name", "number", "unwrap"]

_WRAPPED = re.compile(r"(?:Some\((.*)\)|Optional(?:Int|Long|Double)?\[(.*)\])", re.DOTALL)
_NOTHING = frozenset(
    {
        "",
        "None",
        "null",
        "NULL",
        "nil",
        "<nil>",
        "(null)",
        "undefined",
        "Optional.empty",
        "OptionalInt.empty",
        "OptionalLong.empty",
        "OptionalDouble.empty",
    }
)
_NUMBER = re.compile(r"[+-]?\d+")
_INT64 = 2**63
_COORDINATOR_NODES = 2**31 - 1
_LARGEST_BROKER_ID = 1_000_000_000
_NODE_ID = re.compile(r"\bid: (-?\d+)|(?<=/)(-?\d+)$")
_UNITS = {"ns": 1e-6, "us": 1e-3, "µs": 1e-3, "μs": 1e-3, "ms": 1.0, "s": 1e3, "m": 60e3, "h": 3600e3}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s|m|h)?")


def unwrap(text: str) -> str | None:
    """Return the value inside `Some(x)`, `Optional[x]` and the like; None for `None`, `null`, `<nil>`.

    The wrapping belongs to the language (Scala, Java, Go), not to the value; it may be doubled.
    """
    text = text.strip()
    while match := _WRAPPED.fullmatch(text):
        text = (match[1] if match[1] is not None else match[2]).strip()
    return None if text in _NOTHING else text


def number(text: str) -> int | None:
    """Return a count or an id; None for no number and for negative ones, which Kafka uses for "unknown"."""
    value = unwrap(text)
    if value is None or not _NUMBER.fullmatch(value):
        return None
    read = int(value)
    return read if 0 <= read < _INT64 else None


def broker_of_node(text: str) -> int | None:
    """Return the broker id of a node id or a printed node.

    A node is printed as `host:9092 (id: 2147483646 rack: null)` (Java) or `host:9092/2` (librdkafka).

    Clients connect to a coordinator under the id 2147483647 - broker id, to keep that connection apart from
    the one for fetches (`AbstractCoordinator`, all versions); a KIP-848 client prints the real id.
    """
    printed = _NODE_ID.search(text)
    node = number(printed[1] or printed[2] if printed else text)
    if node is None:
        return None
    return _COORDINATOR_NODES - node if _LARGEST_BROKER_ID < node <= _COORDINATOR_NODES else node


def duration_ms(text: str) -> float | None:
    """Return milliseconds: a bare number is milliseconds, `1.5s`, `85ms`, `1m2.5s` (Go) carry their units."""
    value = unwrap(text)
    if value is None:
        return None
    total, at, seen = 0.0, 0, False
    while match := _DURATION.match(value, at):
        total += float(match[1]) * _UNITS[match[2] or "ms"]
        at, seen = match.end(), True
    return total if seen and at == len(value) else None


def host_name(text: str) -> str | None:
    """Return a host without what Java's `InetAddress` prints before it (`/10.1.2.3`, `name/10.1.2.3`)."""
    value = unwrap(text)
    return None if value is None else (value.rpartition("/")[2] or None)
