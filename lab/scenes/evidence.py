"""Logs that say little, or nothing, or the wrong time: quiet clusters, high levels, lost files, clocks."""

from __future__ import annotations

import time

from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, Stage

# Kinds that a first start may show with severity `normal` (refusals while coordinators load) are left out.
NOTHING = [
    "one_step_assignor_change", "incompatible_member", "poll_timeout", "session_timeout", "crash",
    "scale_down", "rolling_restart", "rebalance_storm", "slow_leader", "fenced_commit", "zombie",
    "duplicate_instance_id", "late_static_restart", "offsets_expired", "silent_skip",
    "offset_out_of_range", "offsets_topic_recreated", "group_full", "clock_skew", "log_gap",
    "protocol_migration", "assignor_mismatch",
]  # fmt: skip


@scene("quiet", limit_s=240, core=True)
def quiet(stage: Stage) -> None:
    """Nothing happens: groups start, work, and go on."""
    stage.brokers(topics={"events": 12, "metrics": 6})
    first, second = stage.names.service(), stage.names.service()
    stage.deployment(stage.names.replica_set(first, 3), first, assignors=[RANGE, COOPERATIVE], layout="boot")
    stage.deployment(
        stage.names.stateful_set(second, 2), second, topic="metrics", assignors=[COOPERATIVE], layout="kafka"
    )
    stage.rdkafka("collector-0", ["collector-a", "collector-b"], topic="metrics", debug="cgrp").start()
    stage.kafka_python("nightly-py", "nightly", topic="metrics").start()
    stage.wait(45)
    stage.snapshot("end", first)
    stage.expect(findings_must=[], findings_must_not=NOTHING)


@scene("hiccup", limit_s=240)
def hiccup(stage: Stage, layout: str = "boot") -> None:
    """A pod stands still for half its session timeout, and a batch takes long but not too long: nobody
    notices.
    """
    stage.brokers()
    group, pods = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.incident("short_freeze", group, pod=pods[0].name)
    pods[0].freeze()
    stage.wait(5)
    pods[0].thaw()
    stage.wait(6)
    stage.incident("slow_but_in_time", group, pod=pods[1].name)
    pods[1].work_slowly(12000)
    stage.wait(18)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=[],
        findings_must_not=[*NOTHING, "stuck_rebalance", "coordinator_moved", "lopsided_assignment"],
    )


@scene("warn-only", limit_s=300)
def warn_only(stage: Stage, layout: str = "boot") -> None:
    """The brokers log at WARN and above: what remains of the story stands in the pods' logs."""
    stage.brokers(level="WARN")
    group, pods = stage.service(3, assignors=[RANGE], layout=layout, max_poll_interval_ms=7000)
    stage.incident("max.poll.interval", group, pod=pods[2].name)
    pods[2].work_slowly(12000)
    stage.wait(20)
    stage.incident("scale_down_graceful", group, pod=pods[0].name)
    pods[0].stop()
    stage.wait(10)
    stage.expect(
        culprits={"poll_timeout": pods[2].name},
        findings_must=["poll_timeout"],
        findings_must_not=["crash", "one_step_assignor_change", "rebalance_storm"],
    )


@scene("lost-broker-log", limit_s=300)
def lost_broker_log(stage: Stage, layout: str = "kafka") -> None:
    """A pod is killed, and the log of the broker that coordinated its group is not among the files handed
    over.
    """
    stage.brokers()
    group, pods = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.incident("crash", group, pod=pods[1].name)
    pods[1].crash(stay_down=False)
    stage.wait(22)
    stage.snapshot("after", group)
    stage.truth("log_lost", file=f"broker-{stage.coordinator(group)}.log")
    stage.expect(
        findings_must=[], findings_must_not=["one_step_assignor_change", "rebalance_storm", "poll_timeout"]
    )


@scene("rotated-log", limit_s=300)
def rotated_log(stage: Stage, layout: str = "boot2") -> None:
    """A pod is killed early; of the coordinator's log, rotation kept only the part after that."""
    stage.brokers()
    group, pods = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.incident("crash", group, pod=pods[1].name)
    pods[1].crash(stay_down=False)
    stage.wait(16)
    rotated_at = int(time.time() * 1000)
    pods[0].stop()
    stage.wait(3)
    pods[0].start()
    stage.wait(8)
    stage.snapshot("after", group)
    stage.truth("log_lost", file=f"broker-{stage.coordinator(group)}.log", before=rotated_at)
    stage.expect(
        findings_must=[], findings_must_not=["one_step_assignor_change", "rebalance_storm", "poll_timeout"]
    )


@scene("clock", limit_s=240)
def clock(stage: Stage, ms: int = -3400, layout: str = "quarkus") -> None:
    """One pod's clock is off; one pod works too long."""
    stage.brokers()
    group, pods = stage.service(3, stateful=True, assignors=[RANGE], layout=layout, max_poll_interval_ms=7000)
    pods[0].stop()
    stage.wait(4)
    pods[0].start()
    stage.wait(8)
    stage.incident("max.poll.interval", group, pod=pods[2].name)
    pods[2].work_slowly(12000)
    stage.wait(20)
    stage.truth("clock_shift", pod=pods[1].name, ms=ms)
    stage.expect(
        culprits={"poll_timeout": pods[2].name},
        clock_offsets={pods[1].name: ms},
        findings_must=["clock_skew", "poll_timeout"],
        findings_must_not=["crash"],
    )
