"""What people do to groups and topics: members removed, groups deleted, topics widened, offsets lost."""

from __future__ import annotations

from typing import Any

from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, Stage

_NO_ACCIDENT = ["crash", "session_timeout", "poll_timeout", "one_step_assignor_change", "incompatible_member"]


@scene("admin-removal", limit_s=240)
def admin_removal(stage: Stage, layout: str = "boot", static: int = 1) -> None:
    """An administrator removes all members of a group (AdminClient.removeMembersFromConsumerGroup); they come
    back by themselves.
    """
    stage.brokers()
    group = stage.names.service()
    names = stage.names.stateful_set(group, 3)
    pods = []
    for name in names:
        instance: dict[str, Any] = {"group_instance_id": name} if static else {}
        pods.append(stage.consumer(name, group, assignors=[RANGE], layout=layout, **instance))
    stage.start(pods)
    stage.settle(pods)
    stage.wait(6)
    stage.incident("admin_removal", group)
    stage.cluster.feed("evict", group)
    stage.wait(14)
    stage.snapshot("after", group)
    stage.expect(findings_must=[], findings_must_not=[*_NO_ACCIDENT, "rebalance_storm", "scale_down"])


@scene("group-reborn", limit_s=300)
def group_reborn(stage: Stage, layout: str = "boot") -> None:
    """A stopped group is deleted with its offsets (kafka-consumer-groups --delete) and comes to life again:
    generations begin at 1 again, and positions are gone.
    """
    stage.brokers()
    group, pods = stage.service(3, assignors=[RANGE], layout=layout)
    for pod in pods:
        pod.stop()
    stage.wait(3)
    stage.incident("group_deleted", group)
    stage.truth("deleted", printed=stage.cluster.groups_tool("--delete", "--group", group).strip())
    stage.wait(4)
    stage.start(pods)
    stage.wait(14)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["silent_skip"],
        findings_must_not=[*_NO_ACCIDENT, "offsets_topic_recreated", "offsets_expired", "rebalance_storm"],
    )


@scene("metadata-change", limit_s=240)
def metadata_change(stage: Stage, layout: str = "quarkus") -> None:
    """A topic gets more partitions, and a group that subscribes by pattern finds a new topic: rebalances that
    nobody need look at.
    """
    stage.brokers(topics={"events": 6, "orders-eu": 4})
    how: dict[str, Any] = {
        "assignors": [COOPERATIVE, RANGE],
        "layout": layout,
        "metadata_max_age_ms": 3000,
    }
    group, _ = stage.service(3, **how)
    other, _ = stage.service(2, topic="^orders-.*", **how)
    stage.incident("partitions_added", group)
    stage.cluster.feed("widen", "events", 9)
    stage.wait(10)
    stage.incident("topic_appears", other)
    stage.cluster.feed("create", "orders-us:4:3")
    stage.wait(12)
    stage.snapshot("after", group)
    stage.expect(
        causes={group: "metadata_changed", other: "subscription_changed"},
        findings_must=[],
        findings_must_not=[*_NO_ACCIDENT, "rebalance_storm", "rolling_restart", "scale_down", "silent_skip"],
    )


@scene("offsets-lost", limit_s=360)
def offsets_lost(stage: Stage, layout: str = "boot", groups: int = 4) -> None:
    """The offsets topic has one replica, and the disk under it is lost: its groups begin at generation 1
    again, without positions.
    """
    stage.brokers(replication=1, topics={"events": 12, "metrics": 6})
    fleet = [stage.names.service() for _ in range(groups)]
    stage.rdkafka("fleet-rd", fleet, topic="metrics", debug="cgrp").start()
    group, _ = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.snapshot("before", group)
    lost = stage.coordinator(group)
    stage.incident("offsets_topic_recreated", group, broker=lost)
    stage.cluster.stop_broker(lost, kill=True)
    stage.cluster.wipe(lost, "__consumer_offsets")
    stage.wait(6)
    stage.cluster.start_broker(lost)
    stage.wait(20)
    stage.snapshot("after", group)
    stage.expect(
        lost_broker=lost,
        findings_must=["coordinator_unavailable", "offsets_topic_at_risk"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash"],
    )
