"""What happens to members: slow work, frozen and killed pods, scaling, storms, slow leaders, full groups."""

from __future__ import annotations

from typing import Any

from lab.scenes import scene
from lab.stage import COOPERATIVE, RANGE, STICKY, ZONE_SLOW, Stage


@scene("members", limit_s=360, core=True)
def members(stage: Stage, layout: str = "boot") -> None:
    """One pod works too long, one freezes, one is killed; another group is scaled down and up in order."""
    stage.brokers(topics={"events": 12, "metrics": 8})
    group, pods = stage.service(
        3, stateful=True, wait_s=0, assignors=[COOPERATIVE], layout=layout, max_poll_interval_ms=7000
    )
    other, calm = stage.service(5, topic="metrics", assignors=[RANGE, COOPERATIVE], layout="kafka", gap_s=0.5)
    stage.snapshot("before", group)
    stage.incident("max.poll.interval", group, pod=pods[1].name)
    pods[1].work_slowly(12000)
    stage.wait(20)
    stage.incident("session_timeout_freeze", group, pod=pods[2].name)
    pods[2].freeze()
    stage.wait(15)
    pods[2].thaw()
    stage.wait(8)
    stage.incident("crash", group, pod=pods[0].name)
    pods[0].crash()
    stage.wait(14)
    stage.incident("scale_down_graceful", other, to=2)
    for pod in calm[2:]:
        pod.stop()
        stage.wait(2)
    stage.wait(6)
    stage.incident("scale_up", other, to=3)
    calm[2].start()
    stage.wait(6)
    stage.snapshot("end", other)
    stage.expect(
        culprits={"poll_timeout": pods[1].name, "session_timeout": pods[2].name, "crash": pods[0].name},
        findings_must=["poll_timeout", "session_timeout", "crash", "scale_down"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "rebalance_storm"],
    )


@scene("killed-and-restarted", limit_s=240)
def killed_and_restarted(stage: Stage, layout: str = "logback-dated") -> None:
    """A pod is killed (out of memory, say) and its Deployment brings it back."""
    stage.brokers()
    group, pods = stage.service(3, assignors=[STICKY], layout=layout)
    stage.incident("crash", group, pod=pods[1].name)
    pods[1].crash(stay_down=False)
    stage.wait(25)
    stage.snapshot("after", group)
    stage.expect(
        culprits={"crash": pods[1].name},
        findings_must=["crash"],
        findings_must_not=["one_step_assignor_change", "poll_timeout", "rebalance_storm"],
    )


@scene("storm", limit_s=240)
def storm(stage: Stage, layout: str = "boot", spring: int = 0, pods: int = 3) -> None:
    """Every batch may take longer than max.poll.interval: the members throw each other out, again and
    again.
    """
    stage.brokers(topics={"events": 3 * pods})
    group = stage.names.service()
    names = stage.names.replica_set(group, pods)
    if spring:
        crew = [
            stage.spring(
                name, group, [RANGE], env={"LAB_WORK": "8000", "LAB_ODDS": "0.02"}, max_poll_interval_ms=6000
            )
            for name in names
        ]
    else:
        how: dict[str, Any] = {"max_poll_interval_ms": 6000, "lab_slow_odds": 0.08, "lab_slow_ms": 8000}
        crew = [stage.consumer(name, group, assignors=[RANGE], layout=layout, **how) for name in names]
    stage.start(crew, gap_s=2)
    stage.incident("storm", group, why="a batch takes 8 s at random, max.poll.interval is 6 s")
    stage.wait(85)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=["rebalance_storm", "poll_timeout"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash", "scale_down"],
    )


@scene("stuck-rebalance", limit_s=240)
def stuck_rebalance(stage: Stage, layout: str = "short-name") -> None:
    """A pod works for 17 s while another joins: everybody waits for it, and it comes back in time."""
    stage.brokers()
    how: dict[str, Any] = {"assignors": [RANGE], "layout": layout, "max_poll_interval_ms": 30000}
    group, pods = stage.service(3, **how)
    for restart in range(2):  # some ordinary rebalances, so that there is a median
        pods[restart].stop()
        stage.wait(3)
        pods[restart].start()
        stage.wait(5)
    stage.incident("stuck_preparing", group, pod=pods[2].name, why="its poll is blocked while a member joins")
    pods[2].work_slowly(17000)
    stage.wait(1)
    stage.deployment(stage.names.replica_set(group, 1), group, **how)
    stage.wait(24)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"stuck_rebalance": pods[2].name},
        findings_must=["stuck_rebalance"],
        findings_must_not=["poll_timeout", "crash", "session_timeout"],
    )


@scene("slow-leader", limit_s=240)
def slow_leader(stage: Stage, layout: str = "boot2") -> None:
    """The leader's own assignor needs 6 s, and everybody waits in CompletingRebalance."""
    stage.brokers()
    how: dict[str, Any] = {"assignors": [ZONE_SLOW], "layout": layout, "jvm": ["-Dlab.assign.ms=6000"]}
    group, pods = stage.service(3, gap_s=0.5, **how)
    stage.incident("slow_assignment", group, pod=pods[0].name)
    stage.deployment(stage.names.replica_set(group, 1), group, **how)
    stage.wait(16)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=["slow_leader"],
        findings_must_not=["crash", "session_timeout", "poll_timeout", "one_step_assignor_change"],
    )


@scene("group-full", limit_s=200)
def group_full(stage: Stage, layout: str = "boot") -> None:
    """group.max.size 2: the third member is turned away."""
    stage.brokers(group_max_size=2)
    group, _ = stage.service(2, layout=layout)
    (third,) = stage.names.replica_set(group, 1)
    stage.incident("group_full", group, pod=third)
    stage.deployment([third], group, layout=layout)
    stage.wait(14)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"group_full": third},
        findings_must=["group_full"],
        findings_must_not=["one_step_assignor_change", "incompatible_member"],
    )


@scene("frozen-committer", limit_s=240)
def frozen_committer(stage: Stage, layout: str = "iso") -> None:
    """A pod freezes in the middle of its work, loses its partitions, and commits when it wakes: a zombie,
    fenced by the broker.
    """
    stage.brokers()
    group, pods = stage.service(3, assignors=[RANGE], layout=layout, lab_work_ms=900)
    stage.incident("zombie", group, pod=pods[1].name)
    pods[1].freeze()
    stage.wait(16)
    pods[1].thaw()
    stage.wait(12)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"session_timeout": pods[1].name, "zombie": pods[1].name},
        findings_must=["session_timeout", "zombie"],
        findings_must_not=["crash", "one_step_assignor_change"],
    )


@scene("stale-generation", limit_s=240, since=(2, 5))
def stale_generation(stage: Stage, layout: str = "boot") -> None:
    """Two pods commit in transactions with the group's metadata of their start: after a third has joined, the
    broker fences every commit with ILLEGAL_GENERATION.
    """
    stage.brokers(topics={"events": 6, "events-booked": 3}, every_ms=200)
    group = stage.names.service()
    names = stage.names.replica_set(group, 3)
    pods = [stage.transfer(name, group, layout=layout) for name in names]
    for pod in pods[:2]:
        pod.start()
    stage.wait(15)
    stage.incident("stale_commits", group, pods=names[:2])
    pods[2].start()
    stage.wait(20)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=["fenced_commit"],
        findings_must_not=["crash", "one_step_assignor_change", "session_timeout", "poll_timeout"],
    )


@scene("crash-loop", limit_s=240)
def crash_loop(stage: Stage, layout: str = "boot") -> None:
    """A pod is killed again and again (its memory limit is too low) and restarted by its Deployment."""
    stage.brokers()
    group, pods = stage.service(3, assignors=[COOPERATIVE], layout=layout)
    stage.incident("crash", group, pod=pods[2].name)
    for _ in range(3):
        pods[2].crash(stay_down=False)
        stage.wait(17)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"crash": pods[2].name},
        findings_must=["crash"],
        findings_must_not=["one_step_assignor_change", "poll_timeout", "scale_down", "rolling_restart"],
    )


@scene("poison", limit_s=240)
def poison(stage: Stage, layout: str = "boot") -> None:
    """A pod dies of a record it cannot process, leaves in order, is restarted, and dies of it again."""
    stage.brokers()
    group, pods = stage.service(3, assignors=[RANGE], layout=layout)
    stage.incident("poison", group, pod=pods[1].name)
    for _ in range(3):
        pods[1].fail()
        stage.wait(11)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=[],
        findings_must_not=[
            "crash", "session_timeout", "poll_timeout", "rebalance_storm", "one_step_assignor_change",
            "scale_down",
            "rolling_restart",
        ],
    )  # fmt: skip
