"""Assignor roll-outs and ordinary deploys."""

from __future__ import annotations

from typing import Any

from lab.pods import Pod
from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, ZONE_COOPERATIVE, ZONE_RANGE, Stage

_NOT_A_ROLLOUT_OF_CRASHES = ["crash", "session_timeout", "poll_timeout", "rebalance_storm"]


@scene("one-step", limit_s=400, core=True)
def one_step(stage: Stage, pods: int = 6, layout: str = "boot", gap: float = 6.0, logback: int = 0) -> None:
    """A group on range is rolled to cooperative-sticky in one step: the new pods are refused until the last
    old one leaves.
    """
    stage.brokers(topics={"events": 2 * pods}, group_initial_rebalance_delay_ms=3000)
    group = stage.names.service()
    how: dict[str, Any] = {"layout": layout, "logback": bool(logback)}
    old = stage.deployment(stage.names.replica_set(group, pods), group, assignors=[RANGE], **how)
    stage.settle(old)
    stage.wait(6)
    stage.snapshot("before", group)
    stage.roll(
        old, stage.names.replica_set(group, pods), group, deploy=1, gap_s=gap, assignors=[COOPERATIVE], **how
    )
    stage.wait(22)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["one_step_assignor_change"],
        findings_must_not=_NOT_A_ROLLOUT_OF_CRASHES,
        shrinking={group: "one_step_assignor_change"},
    )


@scene("two-step", limit_s=400)
def two_step(stage: Stage, pods: int = 4, layout: str = "quarkus", custom: int = 0) -> None:
    """The same change in two deploys, the first offering both assignors: nobody is refused."""
    stage.brokers(topics={"events": 2 * pods})
    group = stage.names.service()
    eager, cooperative = (ZONE_RANGE, ZONE_COOPERATIVE) if custom else (RANGE, COOPERATIVE)
    current = stage.deployment(stage.names.replica_set(group, pods), group, assignors=[eager], layout=layout)
    stage.settle(current)
    stage.wait(5)
    stage.snapshot("before", group)
    for deploy, assignors in enumerate(([cooperative, eager], [cooperative]), 1):
        names = stage.names.replica_set(group, pods)
        current = stage.roll(
            current, names, group, deploy=deploy, gap_s=5, assignors=assignors, layout=layout
        )
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
    group = stage.names.service()
    old = stage.deployment(stage.names.replica_set(group, pods), group, assignors=[ZONE_RANGE], layout=layout)
    stage.settle(old)
    stage.wait(5)
    stage.roll(
        old,
        stage.names.replica_set(group, pods),
        group,
        deploy=1,
        assignors=[ZONE_COOPERATIVE],
        layout=layout,
    )
    stage.wait(20)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["one_step_assignor_change"],
        findings_must_not=_NOT_A_ROLLOUT_OF_CRASHES,
        shrinking={group: "one_step_assignor_change"},
    )


@scene("healthy-deploy", limit_s=300)
def healthy_deploy(stage: Stage, pods: int = 4, layout: str = "boot2") -> None:
    """An ordinary rolling deploy, pod by pod, same assignor: it rebalances a lot and nothing is wrong."""
    stage.brokers(topics={"events": 2 * pods})
    group = stage.names.service()
    old = stage.deployment(
        stage.names.replica_set(group, pods), group, assignors=[COOPERATIVE, RANGE], layout=layout
    )
    stage.settle(old)
    stage.wait(5)
    stage.roll(
        old,
        stage.names.replica_set(group, pods),
        group,
        deploy=1,
        assignors=[COOPERATIVE, RANGE],
        layout=layout,
    )
    stage.wait(8)
    stage.snapshot("after", group)
    stage.expect(
        findings_must=["rolling_restart"],
        findings_must_not=[
            "one_step_assignor_change",
            "incompatible_member",
            "crash",
            "rebalance_storm",
            "session_timeout",
            "poll_timeout",
            "scale_down",
        ],
    )


@scene("spring-one-step", limit_s=400)
def spring_one_step(stage: Stage, pods: int = 3, json: str = "ecs") -> None:
    """The one-step roll-out of a Spring Boot service: refused listeners retry in a tight loop while their
    pods stay Ready.
    """
    stage.brokers(topics={"events": 6})
    group = stage.names.service()

    def pod(name: str, number: int, assignor: str) -> Pod:
        made = stage.spring(name, group, [assignor], json_format=json if number % 2 else None)
        made.start(assignors=[assignor])
        stage.wait(3)
        return made

    old = [pod(name, number, RANGE) for number, name in enumerate(stage.names.replica_set(group, pods))]
    stage.wait(12)
    stage.truth("deploy", n=1, group=group, assignors=[COOPERATIVE])
    for number, (before, name) in enumerate(zip(old, stage.names.replica_set(group, pods), strict=True)):
        before.stop()
        pod(name, number, COOPERATIVE)
        stage.wait(2)
    stage.truth("deploy_done", n=1, group=group)
    stage.wait(12)
    stage.expect(
        findings_must=["one_step_assignor_change"],
        findings_must_not=_NOT_A_ROLLOUT_OF_CRASHES,
        shrinking={group: "one_step_assignor_change"},
    )
