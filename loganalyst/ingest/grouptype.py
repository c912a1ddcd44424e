"""Which kind of group a line is about: classic, consumer (KIP-848), share (KIP-932) or streams (KIP-1071)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from loganalyst.catalogue import Statement

__all__ = ["group_type"]

_TYPES = {
    "classic": "classic",
    "generic": "classic",  # what Kafka 3.5 to 3.7 called it
    "consumer": "consumer",
    "share": "share",
    "streams": "streams",
}
_NAMED = re.compile(r"\b(classic|generic|consumer|share|streams) group\b", re.IGNORECASE)

_BY_EVENT = {
    # Only classic groups have a join and a sync phase, and generations.
    **dict.fromkeys(
        (
            "group_preparing_rebalance",
            "group_stabilized",
            "assignment_received",
            "group_empty",
            "group_rebalance_failed",
            "group_leader_replaced",
            "members_removed_rebalance_timeout",
            "members_removed_sync_timeout",
            "member_expired",
            "pending_member_removed",
            "static_member_unchanged",
            "join_started",
            "join_succeeded",
            "join_failed",
            "leader_elected",
            "sync_succeeded",
            "sync_failed",
            "generation_reset",
        ),
        "classic",
    ),
    # Only the new protocols have epochs and targets; most groups with them are of type consumer.
    **dict.fromkeys(
        (
            "group_epoch_bumped",
            "target_assignment_computed",
            "member_assignment_changed",
            "member_fenced",
            "static_member_left",
            "member_state_changed",
            "target_assignment_received",
            "reconciliation_interrupted",
        ),
        "consumer",
    ),
}

_BY_COMPONENT = {
    "broker-classic-coordinator": "classic",
    "java-consumer-classic": "classic",
    "java-consumer-new": "consumer",
    "connect": "classic",
    "kafka-python": "classic",
    "aiokafka": "classic",
    "kafkajs": "classic",
    "sarama": "classic",
    "kafka-go": "classic",
    "redpanda": "classic",
}


def group_type(statement: Statement, values: Mapping[str, str]) -> str | None:
    """Return the group type that a statement (and its values) implies; None where it says nothing.

    For a conversion it is the type after it. Events that only one kind of group has decide before the
    component does; a value named `group_type` before all.
    """
    named = values.get("group_type")
    if named is not None and named.lower() in _TYPES:
        return _TYPES[named.lower()]
    return _implied(statement.template, statement.event, statement.component, statement.role)


@lru_cache(maxsize=8192)
def _implied(template: str, event: str, component: str, role: str) -> str | None:
    if role == "tool":
        return None
    words = _NAMED.findall(template)
    if words and (role == "broker" or words[-1].lower() in ("share", "streams")):
        return _TYPES[words[-1].lower()]
    return _BY_COMPONENT.get(component) or _BY_EVENT.get(event)
