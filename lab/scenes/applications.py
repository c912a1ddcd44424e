"""Kafka Streams and Kafka Connect."""

from __future__ import annotations

import json
import urllib.request

from lab.scenes import scene
from lab.stage import Stage


@scene("streams", limit_s=360)
def streams(stage: Stage, static: int = 0, standbys: int = 1, layout: str = "boot") -> None:
    """A stateful Streams app of two instances: one is killed and comes back, one is stopped in order."""
    stage.brokers(topics={"events": 6})
    application = stage.names.service()
    names = stage.names.stateful_set(application, 2)
    pods = [
        stage.streams(
            name,
            application,
            layout=layout,
            num_standby_replicas=standbys,
            **({"group_instance_id": name} if static else {}),
        )
        for name in names
    ]
    pods[0].start()
    stage.wait(10)
    pods[1].start()
    stage.wait(20)
    stage.snapshot("before", application)
    stage.incident("crash", application, pod=names[1])
    pods[1].crash()
    stage.wait(18)
    pods[1].start()
    stage.wait(22)
    stage.incident("graceful", application, pod=names[0])
    pods[0].stop()
    stage.wait(14)
    # A static member back after its session's end is late; Streams numbers the ids of its threads.
    late = [{"instance_id": f"{names[1]}-{thread}", "outcome": "late"} for thread in (1, 2)]
    stage.expect(
        culprits={"crash": names[1]},
        **({"static_restarts": late} if static else {}),
        findings_must=["crash", "late_static_restart"] if static else ["crash"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "rebalance_storm"],
    )


@scene("connect", limit_s=360)
def connect(stage: Stage, tasks: int = 2) -> None:
    """Two Connect workers and a sink; one worker is killed and comes back within the scheduled delay's
    aftermath.
    """
    stage.brokers(topics={"events": 6})
    cluster = f"connect-{stage.names.service()}"
    names = [f"{cluster}-worker-{i}" for i in range(2)]
    workers = [stage.connect_worker(name, cluster, index) for index, name in enumerate(names)]
    for worker in workers:
        worker.start()
    stage.wait(25)
    sink = {"connector.class": "com.example.warehouse.LabSink", "tasks.max": str(tasks), "topics": "events"}
    _create_connector(stage, "warehouse-sink", sink)
    stage.wait(14)
    stage.incident("crash", cluster, pod=names[1])
    workers[1].crash()
    stage.wait(28)
    workers[1].start()
    stage.wait(22)
    stage.expect(
        culprits={"crash": names[1]},
        findings_must=["crash"],
        findings_must_not=["one_step_assignor_change", "incompatible_member"],
    )


def _create_connector(stage: Stage, name: str, config: dict[str, str]) -> None:
    body = json.dumps({"name": name, "config": config}).encode()
    request = urllib.request.Request(
        f"http://127.0.0.1:{stage.rest_port(0)}/connectors", body, {"Content-Type": "application/json"}
    )
    for attempt in range(8):
        try:
            urllib.request.urlopen(request, timeout=15).close()
            break
        except OSError:
            if attempt == 7:
                raise
            stage.wait(4)
    stage.truth("connector_created", name=name)
