"""Static membership (KIP-345)."""

from __future__ import annotations

from lab.pods import Pod
from lab.scenes import scene
from lab.stage import COOPERATIVE, Stage


@scene("static", limit_s=300)
def static(stage: Stage, layout: str = "iso") -> None:
    """Static members: one restarts in time and nobody notices, one comes back too late, one's id is taken
    by a second pod.
    """
    stage.brokers()
    group = stage.names.service()
    names = stage.names.stateful_set(group, 4)

    def member(name: str, instance: str) -> Pod:
        return stage.consumer(name, group, assignors=[COOPERATIVE], layout=layout, group_instance_id=instance)

    pods = [member(name, name) for name in names]
    stage.start(pods)
    stage.wait(9)
    stage.snapshot("before", group)
    stage.incident("static_quiet_restart", group, pod=names[1])
    pods[1].stop()
    stage.wait(2)
    pods[1].start()
    stage.wait(9)
    stage.incident("static_late_restart", group, pod=names[2])
    pods[2].stop()
    stage.wait(16)
    pods[2].start()
    stage.wait(9)
    double = f"{group}-canary-0"
    stage.incident("duplicate_instance_id", group, pod=double)
    member(double, names[0]).start()
    stage.wait(10)
    stage.snapshot("end", group)
    stage.expect(
        static_restarts=[
            {"instance_id": names[1], "outcome": "quiet"},
            {"instance_id": names[2], "outcome": "late"},
            {"instance_id": names[0], "outcome": "fenced"},
        ],
        findings_must=["duplicate_instance_id", "late_static_restart"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "rebalance_storm"],
    )


@scene("static-surge", limit_s=300)
def static_surge(stage: Stage, layout: str = "boot") -> None:
    """Two Deployments share their group.instance.ids for a while (blue beside green): the newer pods fence
    the older ones, which are restarted and fence the newer ones.
    """
    stage.brokers()
    group = stage.names.service()

    def crew() -> list[Pod]:
        names = stage.names.replica_set(group, 2)
        return [
            stage.consumer(
                name, group, assignors=[COOPERATIVE], layout=layout, group_instance_id=f"{group}-{number}"
            )
            for number, name in enumerate(names)
        ]

    blue, green = crew(), crew()
    stage.start(blue)
    stage.settle(blue)
    stage.wait(6)
    stage.incident("duplicate_instance_id", group)
    stage.start(green)
    stage.wait(15)
    for pod in blue:
        pod.stop()
    stage.wait(12)
    stage.snapshot("end", group)
    stage.expect(
        static_restarts=[{"instance_id": f"{group}-{n}", "outcome": "fenced"} for n in range(2)],
        findings_must=["duplicate_instance_id"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash", "rebalance_storm"],
    )
