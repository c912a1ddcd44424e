"""Offsets that expire, positions out of range."""

from __future__ import annotations

from lab.scenes import scene
from lab.stage import RANGE, Stage


@scene("expiry", limit_s=300)
def expiry(stage: Stage, layout: str = "boot") -> None:
    """An empty group's offsets expire; it comes back with auto.offset.reset=latest and silently skips what
    came meanwhile.
    """
    stage.brokers(1, replication=1, offsets_retention_minutes=1, offsets_retention_check_interval_ms=5000)
    group, pods = stage.service(2, assignors=[RANGE], layout=layout)
    for pod in pods:
        pod.stop()
    stage.incident("group_empty", group)
    stage.wait(75)
    stage.incident("back_with_latest", group)
    pods[0].start()
    stage.wait(12)
    stage.expect(findings_must=["silent_skip"], findings_must_not=["crash", "one_step_assignor_change"])


@scene("out-of-range", limit_s=240)
def out_of_range(stage: Stage, layout: str = "quarkus", reset: str = "earliest") -> None:
    """A group rests while the records at its positions are deleted: back again, its offsets are out of
    range.
    """
    stage.brokers(topics={"events": 4}, every_ms=5)
    group, pods = stage.service(2, assignors=[RANGE], layout=layout, auto_offset_reset=reset)
    for pod in pods:
        pod.stop()
    stage.wait(6)
    stage.cluster.feed("trim", "events", 4, -1)
    stage.truth("records_deleted", topic="events")
    stage.incident("offset_out_of_range", group)
    for pod in pods:
        pod.start()
    stage.wait(12)
    stage.snapshot("end", group)
    stage.expect(
        findings_must=["offset_out_of_range"], findings_must_not=["crash", "one_step_assignor_change"]
    )
