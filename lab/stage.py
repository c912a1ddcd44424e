"""The stage on which a scene plays: a cluster, pods of every client, and the words to say what happens and
what must be found.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lab import cache
from lab.casting import (
    ASSIGNORS,
    COOPERATIVE,
    RANGE,
    ROUND_ROBIN,
    STICKY,
    ZONE_COOPERATIVE,
    ZONE_RANGE,
    ZONE_SLOW,
    Casting,
)
from lab.cluster import Cluster, ClusterError
from lab.names import Names
from lab.pods import Pod
from lab.processes import Processes
from lab.truth import Truth, read_rows

__all__ = [
    "ASSIGNORS", "COOPERATIVE", "RANGE", "ROUND_ROBIN", "STICKY", "ZONE_COOPERATIVE", "ZONE_RANGE",
    "ZONE_SLOW", "Stage",
]  # fmt: skip


class Stage(Casting):
    """What a scene function gets. `out` fills with logs while it plays; the corpus is made from it
    afterwards.
    """

    def __init__(
        self,
        scene: str,
        version: str,
        out: Path,
        processes: Processes,
        *,
        seed: int = 0,
        quiet: bool = False,
        layout: str = "",
        clients: str = "",
    ) -> None:
        """Make empty folders for a run of `scene` on Kafka `version`, with Java clients of version `clients`
        (default: the brokers').
        """
        self.scene = scene
        self.version = version
        self.clients = clients or version
        self.release = cache.release(version)
        self.out = out
        self.logs = out / "logs"
        self.dumps = out / "dumps"
        self.run = cache.cache_folder() / "run" / f"{out.name}-{os.getpid()}"
        self.layout = layout
        for folder in (self.out, self.run):
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self.logs, self.dumps, self.run):
            folder.mkdir(parents=True)
        self.processes = processes
        self.truth = Truth(out / "truth.jsonl", quiet=quiet)
        self.names = Names(seed)
        self.pods: list[Pod] = []
        self.cluster: Cluster

    def brokers(
        self,
        count: int = 3,
        *,
        replication: int = 3,
        topics: Mapping[str, int] | None = None,
        every_ms: int = 50,
        level: str = "INFO",
        **settings: Any,
    ) -> Cluster:
        """Start the cluster, create `topics` (name → partitions; `events: 12` by default) and produce to
        them.
        """
        dotted = {key.replace("_", "."): value for key, value in settings.items()}
        self.cluster = Cluster(
            self.version,
            self.processes,
            self.truth,
            self.logs,
            self.run,
            brokers=count,
            replication=replication,
            settings=dotted,
            level=level,
        )
        self.cluster.start()
        wanted = topics or {"events": 12}
        self.cluster.feed(
            "create", *(f"{name}:{partitions}:{min(3, count)}" for name, partitions in wanted.items())
        )
        self.cluster.feed("produce", ",".join(wanted), every_ms, background=True)
        self.wait(1)
        return self.cluster

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def start(self, pods: Sequence[Pod], *, gap_s: float = 1, **facts: Any) -> None:
        """Start pods one after another, `gap_s` apart; `facts` go into the truth of each start."""
        for pod in pods:
            pod.start(**facts)
            self.wait(gap_s)

    def deployment(self, names: Sequence[str], group: str, *, gap_s: float = 1.0, **how: Any) -> list[Pod]:
        """Start one Java consumer after another and return them."""
        pods = []
        for name in names:
            pod = self.consumer(name, group, **how)
            pod.start(**({"assignors": list(how["assignors"])} if "assignors" in how else {}))
            pods.append(pod)
            self.wait(gap_s)
        return pods

    def service(
        self, count: int, *, stateful: bool = False, wait_s: float = 6, **how: Any
    ) -> tuple[str, list[Pod]]:
        """Start `count` Java consumers of a new group, wait until all were assigned and `wait_s` more; return
        the group, named after its service, and its pods.
        """
        group = self.names.service()
        draw = self.names.stateful_set if stateful else self.names.replica_set
        pods = self.deployment(draw(group, count), group, **how)
        self.settle(pods)
        self.wait(wait_s)
        return group, pods

    def roll(
        self,
        old: Sequence[Pod],
        group: str,
        *,
        deploy: int = 1,
        gap_s: float = 6,
        surge: bool = False,
        make: Callable[[str], Pod] | None = None,
        **how: Any,
    ) -> list[Pod]:
        """A rolling deploy of a new ReplicaSet: each old pod leaves and a new one takes its place, `gap_s`
        apart (with `surge` the new one starts first). `make` makes the new pods, by default Java consumers
        as `how` says.
        """
        make = make or (lambda name: self.consumer(name, group, **how))
        self.truth("deploy", n=deploy, group=group, assignors=list(how.get("assignors", (RANGE,))))
        new = []
        for before, name in zip(old, self.names.replica_set(group, len(old)), strict=True):
            pod = make(name)
            if not surge:
                before.stop()
            pod.start(deploy=deploy)
            new.append(pod)
            self.wait(gap_s)
            if surge:
                before.stop()
        self.truth("deploy_done", n=deploy, group=group)
        return new

    def settle(self, pods: Sequence[Pod], *, within_s: float = 45) -> None:
        """Wait until each of these Java consumers was assigned: on a busy machine no fixed time will do."""
        end = time.monotonic() + within_s
        for pod in pods:
            seen = self.out / f"{pod.name}.pod-truth.jsonl"
            while not any(row["what"] == "assigned" for row in read_rows(seen)):
                if time.monotonic() > end:
                    raise ClusterError(f"{pod.name} was not assigned anything in {within_s:g} s")
                time.sleep(0.3)

    def incident(self, kind: str, group: str, **facts: Any) -> None:
        """Say that an incident begins now."""
        self.truth("incident", kind=kind, group=group, **facts)

    def expect(self, **answers: Any) -> None:
        """Say what a right analysis finds (keys of answers.json: findings_must, culprits, static_restarts
        …).
        """
        self.truth("expect", **answers)

    def snapshot(self, name: str, group: str) -> None:
        """Keep what the tools print now, as an engineer would."""
        for kind, args in {
            "offsets": [],
            "members": ["--members", "--verbose"],
            "state": ["--state"],
        }.items():
            dump = self.cluster.groups_tool("--describe", "--group", group, *args)
            (self.dumps / f"groups-{name}-{kind}.txt").write_text(dump)
        self.dump_offsets_topic(name)
        self.truth("snapshot", name=name, group=group)

    def coordinator(self, group: str) -> int:
        """Return the broker that coordinates a group now, as kafka-consumer-groups prints it."""
        printed = self.cluster.groups_tool("--describe", "--group", group, "--state")
        found = re.search(r"127\.0\.0\.1:\d+ +\((\d+)\)", printed)
        if not found:
            raise ClusterError(f"no coordinator in: {printed[:500]}")
        return int(found[1])

    def dump_offsets_topic(self, name: str) -> None:
        """Keep what kafka-topics prints of the offsets topic."""
        dump = self.cluster.topics_tool("--describe", "--topic", "__consumer_offsets")
        (self.dumps / f"topics-{name}-offsets-topic.txt").write_text(dump)

    def close(self) -> None:
        """End the recording here, then stop pods and brokers: taking the stage down is no part of the
        incident.
        """
        self.truth("curtain")
        sizes = {path: path.stat().st_size for path in self.logs.iterdir()}
        for pod in self.pods:
            if pod.wanted:
                pod.stop(kill=True)
        self.cluster.stop()
        for path, size in sizes.items():
            _cut(path, size)


def _cut(path: Path, size: int) -> None:
    """Keep the first `size` bytes of a log, up to the last whole line."""
    kept = path.read_bytes()[:size]
    path.write_bytes(kept[: kept.rfind(b"\n") + 1])
