"""What happens to brokers: restarts, losses, a coordinator that loads a fat partition."""

from __future__ import annotations

from lab.hashing import offsets_partition
from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, Stage


@scene("rolling-restart", limit_s=420, core=True)
def rolling_restart(stage: Stage, groups: int = 8, layout: str = "boot") -> None:
    """All brokers are restarted in order, then one is killed: coordinators move, clients find them again,
    nobody is hurt.
    """
    stage.brokers(topics={"events": 12, "metrics": 6})
    fleet = [stage.names.service() for _ in range(groups)]
    stage.rdkafka("fleet-rd", fleet[1:], topic="metrics", debug="cgrp").start()
    stage.deployment(stage.names.replica_set(fleet[0], 3), fleet[0], assignors=[RANGE], layout=layout)
    stage.wait(15)
    stage.snapshot("before", fleet[0])
    for broker in stage.cluster.ids:
        stage.cluster.restart_broker(broker, 3)
        stage.wait(9)
    stage.snapshot("rolled", fleet[0])
    stage.cluster.stop_broker(2, kill=True)
    stage.wait(18)
    stage.cluster.start_broker(2)
    stage.wait(8)
    stage.snapshot("after", fleet[0])
    stage.expect(
        brokers_restarted=stage.cluster.ids,
        broker_killed=[2],
        findings_must=["coordinator_moved"],
        findings_must_not=[
            "one_step_assignor_change",
            "incompatible_member",
            "crash",
            "rebalance_storm",
            "scale_down",
        ],
    )


@scene("broker-loss-rf1", limit_s=300)
def broker_loss_rf1(stage: Stage, groups: int = 6) -> None:
    """The offsets topic has one replica and its broker is lost for 25 s: its groups have no coordinator
    meanwhile.
    """
    stage.brokers(replication=1, topics={"events": 12, "metrics": 6})
    fleet = [stage.names.service() for _ in range(groups)]
    stage.rdkafka("fleet-rd", fleet[1:], topic="metrics", debug="cgrp").start()
    stage.deployment(stage.names.replica_set(fleet[0], 2), fleet[0], assignors=[COOPERATIVE], layout="kafka")
    stage.wait(12)
    stage.snapshot("before", fleet[0])
    lost = stage.coordinator(fleet[0])
    stage.cluster.stop_broker(lost, kill=True)
    stage.wait(25)
    stage.dump_offsets_topic("during")
    stage.cluster.start_broker(lost)
    stage.wait(15)
    stage.snapshot("after", fleet[0])
    stage.expect(
        lost_broker=lost,
        findings_must=["coordinator_unavailable", "offsets_topic_at_risk"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash"],
    )


@scene("frozen-broker", limit_s=300)
def frozen_broker(stage: Stage, layout: str = "quarkus") -> None:
    """A coordinator's process stops for 25 s (a long collection, a starved machine) and is deposed; when it
    wakes, it removes members that its successor knows to be well.
    """
    stage.brokers()
    group, _ = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.snapshot("before", group)
    stage.cluster.freeze_broker(stage.coordinator(group), 25)
    stage.wait(15)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["coordinator_moved"],
        findings_must_not=[
            "one_step_assignor_change",
            "incompatible_member",
            "crash",
            "session_timeout",
            "rebalance_storm",
        ],
    )


@scene("fat-partition", limit_s=420)
def fat_partition(stage: Stage, rounds: int = 1500) -> None:
    """An offsets partition is fat with commits, and its new coordinator loads it for a while; clients are
    told so.
    """
    stage.brokers(
        topics={"events": 12, "wide": 400},
        offsets_topic_segment_bytes=1073741824,
        offsets_load_buffer_size=20000,
    )
    group = stage.names.service()
    debug = {
        f"org.apache.kafka.clients.consumer.internals.{name}Coordinator": "DEBUG"
        for name in ("Abstract", "Consumer")
    }
    stage.deployment(
        stage.names.replica_set(group, 2), group, assignors=[RANGE], layout="boot", loggers=debug
    )
    stage.wait(8)
    stage.snapshot("before", group)
    wanted = offsets_partition(group)
    sibling = next(
        name for name in (f"bulk-{i}" for i in range(100_000)) if offsets_partition(name) == wanted
    )
    stage.cluster.feed("commits", sibling, "wide", 400, rounds)
    stage.truth("piled", group=sibling, partition=wanted)
    stage.cluster.restart_broker(stage.coordinator(group), 1)
    stage.wait(25)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["coordinator_loading", "coordinator_moved"],
        findings_must_not=["crash", "one_step_assignor_change"],
    )


@scene("broker-loss-rf3", limit_s=300)
def broker_loss_rf3(stage: Stage, groups: int = 6, layout: str = "boot") -> None:
    """A broker is killed and stays away for 20 s; the offsets topic has three replicas: others take its
    groups over.
    """
    stage.brokers(topics={"events": 12, "metrics": 6})
    fleet = [stage.names.service() for _ in range(groups)]
    stage.rdkafka("fleet-rd", fleet, topic="metrics", debug="cgrp").start()
    small = [stage.go("sarama", "geo-sarama-0", "geo"), stage.aiokafka("night-aio-0", "night")]
    for pod in small:
        pod.start()
    group, _ = stage.service(3, assignors=[RANGE], layout=layout)
    stage.snapshot("before", group)
    lost = stage.coordinator(group)
    stage.cluster.stop_broker(lost, kill=True)
    stage.wait(20)
    stage.dump_offsets_topic("during")
    stage.cluster.start_broker(lost)
    stage.wait(12)
    stage.snapshot("after", group)
    stage.expect(
        lost_broker=lost,
        findings_must=["coordinator_moved"],
        findings_must_not=[
            "one_step_assignor_change",
            "incompatible_member",
            "crash",
            "scale_down",
            "offsets_topic_at_risk",
        ],
    )


@scene("isr-lost", limit_s=300)
def isr_lost(stage: Stage, layout: str = "boot") -> None:
    """The offsets topic wants two replicas in sync and one broker of three is left for 25 s: commits and
    assignments cannot be stored.
    """
    stage.brokers(min_insync_replicas=2)
    group, pods = stage.service(3, assignors=[RANGE], layout=layout)
    kept = stage.coordinator(group)
    for broker in stage.cluster.ids:
        if broker != kept:
            stage.cluster.stop_broker(broker, kill=True)
    stage.wait(4)
    stage.incident("pod_leaves_meanwhile", group, pod=pods[2].name)
    pods[2].stop()
    stage.wait(21)
    for broker in stage.cluster.ids:
        if broker != kept:
            stage.cluster.start_broker(broker)
    stage.wait(15)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["coordinator_unavailable"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash"],
    )
