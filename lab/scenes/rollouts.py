"""Assignor roll-outs and ordinary deploys."""

from __future__ import annotations

from functools import partial
from typing import Any

from lab.pods import Pod
from lab.scenes import scene
from lab.stage import ASSIGNORS, COOPERATIVE, RANGE, ZONE_COOPERATIVE, ZONE_RANGE, Stage

_NOT_A_ROLLOUT_OF_CRASHES = ["crash", "session_timeout", "poll_timeout", "rebalance_storm"]
_NOTHING_WRONG = [
    *_NOT_A_ROLLOUT_OF_CRASHES,
    "one_step_assignor_change",
    "incompatible_member",
    "scale_down",
]


def _expect_one_step(stage: Stage, *groups: str) -> None:
    stage.expect(
        findings_must=["one_step_assignor_change"],
        findings_must_not=_NOT_A_ROLLOUT_OF_CRASHES,
        shrinking=dict.fromkeys(groups, "one_step_assignor_change"),
    )


@scene("one-step", limit_s=400, core=True)
def one_step(
    stage: Stage,
    pods: int = 6,
    layout: str = "boot",
    gap: float = 6.0,
    logback: int = 0,
    before: str = "range",
    after: str = "cooperative-sticky",
) -> None:
    """A group on one assignor is rolled to another in one step: the new pods are refused until the last old
    one leaves.
    """
    stage.brokers(topics={"events": 2 * pods}, group_initial_rebalance_delay_ms=3000)
    group, old = stage.service(pods, assignors=[ASSIGNORS[before]], layout=layout, logback=bool(logback))
    stage.snapshot("before", group)
    stage.roll(old, group, gap_s=gap, assignors=[ASSIGNORS[after]], layout=layout, logback=bool(logback))
    stage.wait(22)
    stage.snapshot("after", group)
    _expect_one_step(stage, group)


@scene("one-step-restart", limit_s=400)
def one_step_restart(stage: Stage, pods: int = 4, layout: str = "quarkus") -> None:
    """The coordinator is restarted in the middle of a one-step assignor change: two stories in one."""
    stage.brokers(topics={"events": 2 * pods})
    group, old = stage.service(pods, assignors=[RANGE], layout=layout)
    first = stage.roll(old[:1], group, gap_s=4, assignors=[COOPERATIVE], layout=layout)
    stage.cluster.restart_broker(stage.coordinator(group), 2)
    stage.wait(6)
    stage.roll(old[1:], group, deploy=2, assignors=[COOPERATIVE], layout=layout)
    stage.settle(first)
    stage.wait(12)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["one_step_assignor_change", "coordinator_moved"],
        findings_must_not=_NOT_A_ROLLOUT_OF_CRASHES,
        shrinking={group: "one_step_assignor_change"},
    )


@scene("two-step", limit_s=400)
def two_step(stage: Stage, pods: int = 4, layout: str = "quarkus", custom: int = 0) -> None:
    """The same change in two deploys, the first offering both assignors: nobody is refused."""
    stage.brokers(topics={"events": 2 * pods})
    eager, cooperative = (ZONE_RANGE, ZONE_COOPERATIVE) if custom else (RANGE, COOPERATIVE)
    group, current = stage.service(pods, assignors=[eager], layout=layout)
    stage.snapshot("before", group)
    for deploy, assignors in enumerate(([cooperative, eager], [cooperative]), 1):
        current = stage.roll(current, group, deploy=deploy, gap_s=5, assignors=assignors, layout=layout)
        stage.wait(8)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["rolling_restart"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash"],
        one_step_episodes=0,
    )


@scene("custom-one-step", limit_s=400)
def custom_one_step(stage: Stage, pods: int = 4, layout: str = "level-first") -> None:
    """An assignor of the company's own is rolled out in one step."""
    stage.brokers(topics={"events": 2 * pods})
    group, old = stage.service(pods, assignors=[ZONE_RANGE], layout=layout)
    stage.roll(old, group, assignors=[ZONE_COOPERATIVE], layout=layout)
    stage.wait(20)
    stage.snapshot("after", group)
    _expect_one_step(stage, group)


@scene("healthy-deploy", limit_s=300)
def healthy_deploy(
    stage: Stage,
    pods: int = 4,
    layout: str = "boot2",
    surge: int = 0,
    last_words: int = 1,
    clients: str = "",
) -> None:
    """An ordinary rolling deploy, pod by pod, same assignor: it rebalances a lot and nothing is wrong. With
    `clients` it upgrades the client library to that version; without `last_words` (Kafka 4) the pods stop
    logging before they leave.
    """
    stage.brokers(topics={"events": 2 * pods})
    how: dict[str, Any] = {
        "assignors": [COOPERATIVE, RANGE],
        "layout": layout,
        "last_words": bool(last_words),
    }
    group, old = stage.service(pods, **how)
    stage.roll(old, group, surge=bool(surge), version=clients, **how)
    stage.wait(8)
    stage.snapshot("after", group)
    stage.expect(findings_must=["rolling_restart"], findings_must_not=_NOTHING_WRONG)


@scene("spring-one-step", limit_s=400)
def spring_one_step(stage: Stage, pods: int = 3, json: str = "ecs", boot: str = "") -> None:
    """The one-step roll-out of a Spring Boot service: refused listeners retry in a tight loop while their
    pods stay Ready. Structured logging (`json`) needs Spring Boot 3.4.
    """
    stage.brokers(topics={"events": 6})
    group = stage.names.service()

    def pod(name: str, number: int, assignor: str) -> Pod:
        json_format = json if number % 2 and json != "none" else None
        return stage.spring(name, group, [assignor], json_format=json_format, boot=boot)

    old = [pod(name, number, RANGE) for number, name in enumerate(stage.names.replica_set(group, pods))]
    stage.start(old, gap_s=3, assignors=[RANGE])
    stage.wait(12)
    numbers = iter(range(pods))
    stage.roll(
        old, group, gap_s=5, assignors=[COOPERATIVE], make=lambda name: pod(name, next(numbers), COOPERATIVE)
    )
    stage.wait(12)
    _expect_one_step(stage, group)


@scene("clients-one-step", limit_s=400)
def clients_one_step(stage: Stage, pods: int = 3) -> None:
    """One-step assignor changes of services in other languages, each to an assignor that the old pods do not
    know.
    """
    stage.brokers(topics={"events": 6})
    groups = {client: stage.names.service() for client in _CHANGES}

    def pod(client: str, name: str, assignor: str) -> Pod:
        group = groups[client]
        if client == "librdkafka":
            return stage.rdkafka(name, [group], debug="cgrp", partition_assignment_strategy=assignor)
        if client == "kafka-python":
            return stage.kafka_python(name, group, assignor=assignor)
        return stage.go(client, name, group, assignor)

    old: dict[str, list[Pod]] = {}
    for client, (before, _) in _CHANGES.items():
        names = stage.names.replica_set(groups[client], pods)
        old[client] = [pod(client, name, before) for name in names]
        stage.start(old[client], assignors=[before])
    stage.wait(12)
    for client, (_, after) in _CHANGES.items():
        make = partial(pod, client, assignor=after)
        stage.roll(old[client], groups[client], gap_s=4, assignors=[after], make=make)
    stage.wait(15)
    _expect_one_step(stage, *groups.values())


_CHANGES = {
    "sarama": ("range", "roundrobin"),
    "franz": ("range", "cooperative-sticky"),
    "librdkafka": ("range", "cooperative-sticky"),
    "kafka-python": ("range", "sticky"),
}
