"""Many groups, many members, all clients."""

from __future__ import annotations

from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, Stage


@scene("crowd", limit_s=600)
def crowd(stage: Stage, groups: int = 200, java: int = 8, minutes: float = 2.0) -> None:
    """A few hundred groups with a few hundred members of all clients, one rolling restart and one crash
    among them.
    """
    stage.brokers(topics={"events": 12, "metrics": 12}, every_ms=100)
    for start in range(0, groups, 50):
        fleet = [f"fleet-{number:03d}" for number in range(start, min(start + 50, groups))]
        for copy in range(2):
            stage.rdkafka(f"fleet-{start:03d}-{'ab'[copy]}", fleet, topic="metrics", debug="cgrp").start()
            stage.wait(3)
    small = [
        stage.go("sarama", "geo-sarama-0", "geo"), stage.go("sarama", "geo-sarama-1", "geo"),
        stage.go("franz", "quote-franz-0", "quote"),
        stage.go("segmentio", "media-go-0", "media"), stage.kafkajs("web-js-0", "web"),
        stage.kafka_python("night-py-0", "night"),
        stage.aiokafka("night-aio-0", "night-aio"),
    ]  # fmt: skip
    for pod in small:
        pod.start()
    first, second = stage.names.service(), stage.names.service()
    pods = stage.deployment(
        stage.names.replica_set(first, java // 2), first, assignors=[RANGE], layout="boot"
    )
    stage.deployment(
        stage.names.replica_set(second, java - java // 2), second, assignors=[COOPERATIVE], layout="kafka"
    )
    stage.wait(15)
    stage.incident("crash", first, pod=pods[0].name)
    pods[0].crash()
    stage.wait(15)
    for broker in stage.cluster.ids:
        stage.cluster.restart_broker(broker, 2)
        stage.wait(8)
    stage.wait(60 * minutes - 60)
    stage.expect(
        culprits={"crash": pods[0].name},
        findings_must=["crash", "coordinator_moved"],
        findings_must_not=["one_step_assignor_change"],
    )
