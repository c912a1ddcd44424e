"""What a deploy that changes the assignor does to a classic group, pod by pod.

Three rules of the coordinator decide it (Kafka, `ClassicGroup`; before 3.7 `GroupMetadata`):

* the admission test, `supportsProtocols`: a newcomer is let in if one of its assignors is offered by every
  member in the group, or if the group is empty; otherwise its JoinGroup is answered
  INCONSISTENT_GROUP_PROTOCOL;
* the intersection, `candidateProtocols`: only assignors that all members offer can be chosen;
* the vote, `selectProtocol`: each member votes for the first of its own list that is a candidate, most
  votes win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from loganalyst.analysis.placement import java_hash
from loganalyst.errors import UsageError

REBALANCE_PROTOCOLS: Mapping[str, str] = {
    "range": "eager",
    "roundrobin": "eager",
    "sticky": "eager",
    "RoundRobinAssigner": "eager",
    "cooperative-sticky": "cooperative",
    "stream": "cooperative",
    "default": "eager",
    "compatible": "cooperative",
    "sessioned": "cooperative",
    "team-sticky": "cooperative",
}
"""Assignor → rebalance protocol: those of the Java client and librdkafka, kafkajs (`RoundRobinAssigner`),
Streams (`stream`), Connect workers (the next three) and `team-sticky`, the custom assignor of our
documentation's example."""

_CLASSES = {
    "RangeAssignor": "range",
    "RoundRobinAssignor": "roundrobin",
    "StickyAssignor": "sticky",
    "CooperativeStickyAssignor": "cooperative-sticky",
}

PLANS = ("one-step", "two-step")


@dataclass(frozen=True, slots=True)
class Step:
    """The group after `pods_rolled` pods of a deploy were restarted. `assignor` None: no member is in the
    group."""

    deploy: int
    step: int
    pods_rolled: int
    members: int
    refused: int
    assignor: str | None
    rebalance_protocol: str | None


@dataclass(frozen=True, slots=True)
class Assignors:
    """A preference list and what is said about the rebalance protocol of its custom assignors."""

    names: tuple[str, ...]
    protocols: Mapping[str, str]


def parse_assignors(text: str) -> Assignors:
    """Read a comma-separated preference list, as `partition.assignment.strategy` would hold it.

    Names or Java class names; a custom assignor may say what it is: `team-sticky:cooperative`, `mine:eager`.
    Raises `UsageError` on an empty list, a name given twice or an unknown rebalance protocol.
    """
    names: list[str] = []
    protocols: dict[str, str] = {}
    for entry in text.split(","):
        name, _, protocol = entry.strip().partition(":")
        name = _CLASSES.get(name.rsplit(".", 1)[-1], name)
        if protocol and protocol not in ("eager", "cooperative"):
            raise UsageError(f"{entry.strip()!r}: an assignor is eager or cooperative, not {protocol!r}")
        if not name:
            raise UsageError(
                f"{text!r} is not a list of assignors: give names such as range,cooperative-sticky"
            )
        if name in names:
            raise UsageError(f"{text!r} names the assignor {name} twice")
        names.append(name)
        if protocol:
            protocols[name] = protocol
    return Assignors(tuple(names), protocols)


def deploys(old: Sequence[str], new: Sequence[str], plan: str = "one-step") -> list[tuple[str, ...]]:
    """Return the preference list of each deploy, the one in force before the first deploy in front.

    `two-step` puts the safe list in between: the old assignors, still preferred, and the new ones behind
    them, so that the first deploy changes nothing and the second shuts nobody out.
    """
    if plan == "one-step":
        return [tuple(old), tuple(new)]
    if plan == "two-step":
        between = (*old, *(name for name in new if name not in old))
        return [tuple(old), between, tuple(new)]
    raise UsageError(f"unknown plan {plan!r}: use one of {', '.join(PLANS)}")


def candidates(lists: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the assignors that every member offers; none for a group without members."""
    return frozenset(lists[0]).intersection(*lists[1:]) if lists else frozenset()


def admits(members: Sequence[Sequence[str]], newcomer: Sequence[str]) -> bool:
    """Say whether a group of `members` lets `newcomer` join."""
    return not members or not candidates(members).isdisjoint(newcomer)


def select(members: Sequence[Sequence[str]]) -> str | None:
    """Return the assignor that the group's vote chooses, None for an empty group.

    A tie goes to the first in the iteration order of the coordinator's `HashMap`, as `ClassicGroup` (3.7
    and later) does it; the coordinator before it breaks ties in an order of its own.
    """
    possible = candidates(members)
    votes = Counter(next(name for name in offered if name in possible) for offered in members)
    if not votes:
        return None
    return min(votes, key=lambda name: (-votes[name], _bucket(name)))


def _bucket(text: str, capacity: int = 16) -> int:
    """Return where `java.util.HashMap` keeps `text`: its order of iteration."""
    value = java_hash(text) & 0xFFFFFFFF
    return (value ^ value >> 16) & (capacity - 1)


def simulate(
    members: int, lists: Sequence[Sequence[str]], protocols: Mapping[str, str] | None = None
) -> Iterator[Step]:
    """Play the deploys: `lists[0]` is in force, each further list is rolled out pod by pod.

    A pod that is turned away keeps asking, and is let in as soon as the group allows. `protocols` says of
    custom assignors whether they are `eager` or `cooperative`; of others it is NULL. One `Step` for each
    pod of each deploy and one, step 0, before it.
    """
    if members < 1:
        raise UsageError(f"a group has at least one member, not {members}")
    known = {**REBALANCE_PROTOCOLS, **(protocols or {})}
    inside: dict[int, Sequence[str]] = {pod: tuple(lists[0]) for pod in range(members)}
    waiting: dict[int, Sequence[str]] = {}
    for deploy, (_, new) in enumerate(pairwise(lists), start=1):
        for step in range(members + 1):
            if step:
                _restart(step - 1, tuple(new), inside, waiting)
            chosen = select(list(inside.values()))
            yield Step(deploy, step, step, len(inside), len(waiting), chosen, known.get(chosen or ""))


def _restart(
    pod: int, offered: Sequence[str], inside: dict[int, Sequence[str]], waiting: dict[int, Sequence[str]]
) -> None:
    inside.pop(pod, None)
    waiting.pop(pod, None)
    waiting[pod] = offered  # behind those that have been asking for longer
    for asking in list(waiting):
        if admits(list(inside.values()), waiting[asking]):
            inside[asking] = waiting.pop(asking)
