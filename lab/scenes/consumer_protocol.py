"""Groups with epochs: the consumer protocol (KIP-848), share groups (KIP-932), Streams groups (KIP-1071)."""

from __future__ import annotations

from typing import Any

from lab.pods import Pod
from lab.scenes import scene
from lab.stage import COOPERATIVE, Stage

_SHORT: dict[str, Any] = {
    "group_consumer_session_timeout_ms": 10000,
    "group_consumer_min_session_timeout_ms": 5000,
    "group_consumer_heartbeat_interval_ms": 2000,
    "group_consumer_min_heartbeat_interval_ms": 1000,
    "group_consumer_migration_policy": "bidirectional",
}


def _member(stage: Stage, name: str, group: str, layout: str, **settings: Any) -> Pod:
    return stage.consumer(name, group, layout=layout, group_protocol="consumer", **settings)


@scene("kip848", limit_s=360, since=(4, 0), core=True)
def kip848(stage: Stage, layout: str = "boot") -> None:
    """Members of the new protocol: one is rolled, one killed, one works too long, one freezes."""
    stage.brokers(**_SHORT)
    group = stage.names.service()
    names = stage.names.replica_set(group, 4)
    pods = [_member(stage, name, group, layout) for name in names[:3]]
    stage.start(pods, gap_s=2)
    stage.wait(8)
    stage.snapshot("before", group)
    stage.incident("roll_one", group, pod=names[0])
    pods[0].stop()
    stage.wait(2)
    pods[0].start()
    stage.wait(8)
    stage.incident("crash", group, pod=names[1])
    pods[1].crash()
    stage.wait(15)
    stage.incident("poll_timeout", group, pod=names[3])
    slow = _member(stage, names[3], group, layout, max_poll_interval_ms=6000)
    slow.start()
    stage.wait(8)
    slow.work_slowly(11000)
    stage.wait(16)
    stage.incident("frozen", group, pod=names[2])
    pods[2].freeze()
    stage.wait(14)
    pods[2].thaw()
    stage.wait(6)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"poll_timeout": names[3], "session_timeout": names[2], "crash": names[1]},
        findings_must=["crash", "poll_timeout", "session_timeout"],
        findings_must_not=["one_step_assignor_change", "protocol_migration", "rebalance_storm"],
    )


@scene("migration", limit_s=360, since=(4, 0))
def migration(stage: Stage, layout: str = "logback-dated") -> None:
    """A classic group moves to the consumer protocol online, pod by pod, and back again."""
    stage.brokers(**_SHORT)
    group, current = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.incident("online_migration_classic_to_consumer", group)
    names = stage.names.replica_set(group, 3)
    for number, name in enumerate(names):
        current[number].stop()
        current[number] = _member(stage, name, group, layout)
        current[number].start()
        stage.wait(6)
    stage.snapshot("migrated", group)
    stage.incident("online_migration_consumer_to_classic", group)
    for number, name in enumerate(stage.names.replica_set(group, 3)):
        current[number].stop()
        current[number] = stage.consumer(name, group, assignors=[COOPERATIVE], layout=layout)
        current[number].start()
        stage.wait(6)
    stage.wait(4)
    stage.snapshot("back", group)
    stage.expect(
        findings_must=["protocol_migration"],
        findings_must_not=["one_step_assignor_change", "crash", "rebalance_storm", "session_timeout"],
    )


@scene("slow-revoke", limit_s=300, since=(4, 0))
def slow_revoke(stage: Stage, layout: str = "quarkus") -> None:
    """A new member must wait for partitions that a busy one does not give back for 15 s."""
    stage.brokers(**_SHORT)
    group = stage.names.service()
    names = stage.names.replica_set(group, 3)
    pods = [_member(stage, name, group, layout, max_poll_interval_ms=40000) for name in names]
    stage.start(pods[:2], gap_s=2)
    stage.wait(8)
    stage.incident("slow_revoke", group, pod=names[0])
    pods[0].work_slowly(15000)
    stage.wait(1)
    pods[2].start()
    stage.wait(24)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=["slow_convergence"],
        findings_must_not=["crash", "session_timeout", "poll_timeout", "protocol_migration"],
    )


@scene("mixed-protocols", limit_s=300, since=(4, 0))
def mixed_protocols(stage: Stage, layout: str = "boot") -> None:
    """A group stays half migrated: classic and new members side by side; then one is killed."""
    stage.brokers(**_SHORT)
    group, classic = stage.service(2, assignors=[COOPERATIVE], layout=layout)
    stage.incident("half_migrated", group)
    names = stage.names.replica_set(group, 2)
    for name in names:
        _member(stage, name, group, layout).start()
        stage.wait(4)
    stage.wait(8)
    stage.snapshot("mixed", group)
    stage.incident("crash", group, pod=classic[0].name)
    classic[0].crash()
    stage.wait(18)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"crash": classic[0].name},
        findings_must=["crash", "protocol_migration"],
        findings_must_not=["one_step_assignor_change", "rebalance_storm"],
    )


@scene("share-group", limit_s=300, since=(4, 2))
def share_group(stage: Stage, layout: str = "boot") -> None:
    """A share group: three members, one is killed, one leaves in order."""
    stage.brokers(group_share_session_timeout_ms=10000, group_share_min_session_timeout_ms=5000)
    group = stage.names.service()
    pods = [stage.share(name, group, layout=layout) for name in stage.names.replica_set(group, 3)]
    stage.start(pods, gap_s=2)
    stage.wait(10)
    stage.incident("crash", group, pod=pods[1].name)
    pods[1].crash()
    stage.wait(16)
    stage.incident("graceful", group, pod=pods[0].name)
    pods[0].stop()
    stage.wait(8)
    stage.expect(
        culprits={"crash": pods[1].name},
        findings_must=["crash"],
        findings_must_not=["one_step_assignor_change"],
    )


@scene("streams-protocol", limit_s=360, since=(4, 2))
def streams_protocol(stage: Stage, layout: str = "boot") -> None:
    """A stateful Streams app on its own protocol: an instance joins, one is killed and comes back."""
    stage.brokers(
        topics={"events": 6},
        group_streams_session_timeout_ms=10000,
        group_streams_min_session_timeout_ms=5000,
    )
    application = stage.names.service()
    pods = [
        stage.streams(name, application, layout=layout, group_protocol="streams")
        for name in stage.names.stateful_set(application, 2)
    ]
    stage.start(pods, gap_s=12)
    stage.incident("crash", application, pod=pods[1].name)
    pods[1].crash()
    stage.wait(18)
    pods[1].start()
    stage.wait(18)
    stage.expect(
        culprits={"crash": pods[1].name},
        findings_must=["crash"],
        findings_must_not=["one_step_assignor_change"],
    )


@scene("kip848-librdkafka", limit_s=300, since=(4, 0))
def kip848_librdkafka(stage: Stage, debug: str = "cgrp") -> None:
    """A group of the new protocol with members of librdkafka and Java: one of librdkafka's works too long,
    another is killed.
    """
    stage.brokers(**_SHORT)
    group = stage.names.service()
    names = stage.names.replica_set(group, 4)
    how: dict[str, Any] = {"group_protocol": "consumer", "max_poll_interval_ms": 8000}
    pods = [stage.rdkafka(name, [group], **how, **({"debug": debug} if debug else {})) for name in names[:3]]
    pods.append(_member(stage, names[3], group, "boot"))
    stage.start(pods, gap_s=2)
    stage.wait(10)
    stage.incident("poll_timeout", group, pod=names[0])
    pods[0].work_slowly(13000)
    stage.wait(20)
    stage.incident("crash", group, pod=names[1])
    pods[1].crash()
    stage.wait(18)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"poll_timeout": names[0], "crash": names[1]},
        findings_must=["poll_timeout", "crash"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "protocol_migration"],
    )


@scene("kip848-deploy", limit_s=300, since=(4, 0))
def kip848_deploy(stage: Stage, layout: str = "boot", pods: int = 4, surge: int = 0) -> None:
    """An ordinary rolling deploy of a service that speaks the new protocol: epochs come and go, and nothing
    is wrong.
    """
    stage.brokers(topics={"events": 2 * pods}, **_SHORT)
    how: dict[str, Any] = {"layout": layout, "group_protocol": "consumer"}
    group, old = stage.service(pods, **how)
    stage.roll(old, group, gap_s=5, surge=bool(surge), **how)
    stage.wait(8)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=[],
        findings_must_not=[
            "crash",
            "session_timeout",
            "poll_timeout",
            "one_step_assignor_change",
            "protocol_migration",
            "slow_convergence",
            "rebalance_storm",
        ],
    )
