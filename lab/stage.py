"""The stage on which a scene plays: a cluster, pods of every client, and the words to say what happens and what must be found."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab import cache, layouts
from lab.cluster import Cluster, ClusterFailed
from lab.jvm import java
from lab.names import Names
from lab.pods import Pod
from lab.processes import Processes
from lab.truth import Truth

RANGE = "org.apache.kafka.clients.consumer.RangeAssignor"
ROUND_ROBIN = "org.apache.kafka.clients.consumer.RoundRobinAssignor"
STICKY = "org.apache.kafka.clients.consumer.StickyAssignor"
COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
ZONE_RANGE, ZONE_COOPERATIVE, ZONE_SLOW = "Zone$Range", "Zone$Cooperative", "Zone$Slow"
_FAST: dict[str, object] = {"session.timeout.ms": 10000, "heartbeat.interval.ms": 1000, "max.poll.interval.ms": 20000}


class Stage:
    """What a scene function gets. `out` fills with logs while it plays; the corpus is made from it afterwards."""

    def __init__(self, scene: str, version: str, out: Path, processes: Processes, *, seed: int = 0, quiet: bool = False) -> None:
        """Make empty folders for a run of `scene` on Kafka `version`."""
        self.scene = scene
        self.version = version
        self.release = cache.release(version)
        self.out = out
        self.logs = out / "logs"
        self.dumps = out / "dumps"
        self.run = cache.cache_folder() / "run" / out.name
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
        self, count: int = 3, *, replication: int = 3, topics: Mapping[str, int] | None = None, every_ms: int = 50, level: str = "INFO", **settings: object
    ) -> Cluster:
        """Start the cluster, create `topics` (name → partitions; `events: 12` by default) and produce to them."""
        dotted = {key.replace("_", "."): value for key, value in settings.items()}
        self.cluster = Cluster(
            self.version, self.processes, self.truth, self.logs, self.run, brokers=count, replication=replication, settings=dotted, level=level
        )
        self.cluster.start()
        wanted = topics or {"events": 12}
        self.cluster.feed("create", *(f"{name}:{partitions}:{min(3, count)}" for name, partitions in wanted.items()))
        self.cluster.feed("produce", ",".join(wanted), every_ms, background=True)
        self.wait(1)
        return self.cluster

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)

    def consumer(
        self,
        name: str,
        group: str,
        *,
        topic: str = "events",
        assignors: Sequence[str] = (RANGE,),
        layout: str = "boot",
        logback: bool = False,
        level: str = "INFO",
        loggers: Mapping[str, str] | None = None,
        version: str | None = None,
        jvm: Sequence[str] = (),
        **settings: object,
    ) -> Pod:
        """Return a Java consumer (not started). `group_protocol="consumer"` makes it a KIP-848 member."""
        version = version or self.version
        jars = cache.client_jars(version, logback=logback)
        new_protocol = settings.get("group_protocol") == "consumer"
        properties: dict[str, object] = {
            "bootstrap.servers": self.cluster.bootstrap,
            "group.id": group,
            "client.id": name,
            "enable.auto.commit": "false",
            "auto.offset.reset": "latest",
            "lab.topic": topic,
            "lab.truth": self.out / f"{name}.pod-truth.jsonl",
            "lab.slow.file": self.run / f"slow-{name}",
            **_FAST,
        }
        if new_protocol:
            del properties["session.timeout.ms"], properties["heartbeat.interval.ms"]
        else:
            properties["partition.assignment.strategy"] = ",".join(assignors)
        properties |= {key.replace("_", "."): value for key, value in settings.items()}
        option = layouts.write_config(self.run, name, version, layout, level=level, loggers=loggers, logback=logback)
        return self._pod(name, group, "java", java(jars, "Pod", [str(self._properties(name, properties))], options=[option, *jvm]), version=version, layout=layout)

    def deployment(self, names: Sequence[str], group: str, *, gap_s: float = 1.0, **how: Any) -> list[Pod]:
        """Start one Java consumer after another and return them."""
        pods = []
        for name in names:
            pod = self.consumer(name, group, **how)
            pod.start(**({"assignors": list(how["assignors"])} if "assignors" in how else {}))
            pods.append(pod)
            self.wait(gap_s)
        return pods

    def roll(self, old: Sequence[Pod], names: Sequence[str], group: str, *, deploy: int, gap_s: float = 6, **how: Any) -> list[Pod]:
        """A rolling deploy: each old pod leaves and a new one takes its place, `gap_s` apart."""
        self.truth("deploy", n=deploy, group=group, assignors=list(how.get("assignors", (RANGE,))))
        new = []
        for before, name in zip(old, names, strict=True):
            before.stop()
            pod = self.consumer(name, group, **how)
            pod.start(deploy=deploy)
            new.append(pod)
            self.wait(gap_s)
        self.truth("deploy_done", n=deploy, group=group)
        return new

    def streams(self, name: str, application: str, *, topic: str = "events", layout: str = "boot", **settings: object) -> Pod:
        """Return a stateful Streams instance (not started)."""
        properties: dict[str, object] = {
            "bootstrap.servers": self.cluster.bootstrap,
            "application.id": application,
            "client.id": name,
            "state.dir": self.run / f"state-{name}",
            "commit.interval.ms": 2000,
            "session.timeout.ms": 10000,
            "replication.factor": 1,
            "num.stream.threads": 2,
            "lab.topic": topic,
            **{key.replace("_", "."): value for key, value in settings.items()},
        }
        option = layouts.write_config(self.run, name, self.version, layout)
        jars = cache.streams_jars(self.version)
        return self._pod(name, application, "streams", java(jars, "Words", [str(self._properties(name, properties))], heap_mb=192, options=[option]))

    def connect_worker(self, name: str, cluster: str, index: int, **settings: object) -> Pod:
        """Return a distributed Connect worker (not started); its REST port is `self.rest_port(index)`."""
        storage = {f"{what}.storage.topic": f"{cluster}-{what}" for what in ("offset", "config", "status")}
        properties: dict[str, object] = {
            "bootstrap.servers": self.cluster.bootstrap,
            "group.id": cluster,
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "org.apache.kafka.connect.storage.StringConverter",
            **storage,
            **{f"{what}.storage.replication.factor": min(3, len(self.cluster.ids)) for what in ("offset", "config", "status")},
            "listeners": f"http://127.0.0.1:{self.rest_port(index)}",
            "rest.advertised.host.name": "127.0.0.1",
            "rest.advertised.port": self.rest_port(index),
            "scheduled.rebalance.max.delay.ms": 10000,
            "session.timeout.ms": 10000,
            "heartbeat.interval.ms": 1000,
            **({"plugin.discovery": "service_load"} if self.release >= (3, 6) else {}),
            **{key.replace("_", "."): value for key, value in settings.items()},
        }
        # The pattern of Connect's own configuration: its context in front of the message (KIP-449).
        layouts.LAYOUTS["connect"] = "[%d] %p %X{connector.context}%m (%c:%L)%n"
        option = layouts.write_config(self.run, name, self.version, "connect", loggers={"org.reflections": "ERROR"})
        argv = java(cache.connect_jars(self.version), "org.apache.kafka.connect.cli.ConnectDistributed", [str(self._properties(name, properties))], heap_mb=256, options=[option])
        return self._pod(name, cluster, "connect", argv)

    def rest_port(self, index: int) -> int:
        """Return the REST port of the Connect worker number `index`."""
        return self.cluster.base + 60 + index

    def spring(self, name: str, group: str, assignors: Sequence[str], *, topic: str = "events", json_format: str | None = None, env: Mapping[str, str] | None = None, **settings: object) -> Pod:
        """Return a Spring Boot listener (not started): console layout, or `json_format` logstash, ecs or gelf."""
        consumer = {**_FAST, "partition.assignment.strategy": ",".join(assignors), **{k.replace("_", "."): v for k, v in settings.items()}}
        properties = {
            "lab.topic": topic,
            "spring.kafka.bootstrap-servers": self.cluster.bootstrap,
            "spring.kafka.consumer.group-id": group,
            "spring.kafka.client-id": name,
            "spring.kafka.consumer.auto-offset-reset": "latest",
            "spring.main.keep-alive": "true",
            "spring.main.banner-mode": "off",
            "spring.application.name": name.rsplit("-", 2)[0],
            **{f"spring.kafka.consumer.properties.{key}": value for key, value in consumer.items()},
            **({"logging.structured.format.console": json_format} if json_format else {}),
        }
        options = [f"-D{key}={value}" for key, value in properties.items()]
        argv = java(cache.spring_jars(), "com.example.orders.Orders", [], heap_mb=160, options=options)
        return self._pod(name, group, "java", argv, env=env, layout=json_format or "spring")

    def rdkafka(self, name: str, groups: Sequence[str], *, topic: str = "events", **settings: object) -> Pod:
        """Return a librdkafka process (not started) with one consumer a group; `debug="cgrp"` makes it talk."""
        given = {"client.id": name, **{key.replace("_", "."): value for key, value in settings.items()}}
        argv = [str(cache.python_clients()), str(cache.SOURCES / "clients/rdkafka.py"), self.cluster.bootstrap, topic, *groups]
        return self._pod(name, groups[0], "librdkafka", argv, env={"RDKAFKA": json.dumps(given), "SLOW_FILE": str(self.run / f"slow-{name}")})

    def kafka_python(self, name: str, group: str, *, topic: str = "events", max_poll_ms: int = 20000) -> Pod:
        """Return a kafka-python consumer (not started)."""
        env = {"MAX_POLL_MS": str(max_poll_ms), "SLOW_FILE": str(self.run / f"slow-{name}")}
        return self._script(name, group, "kafka-python", topic, [str(cache.python_clients()), str(cache.SOURCES / "clients/kpy.py")], env=env)

    def aiokafka(self, name: str, group: str, *, topic: str = "events") -> Pod:
        """Return an aiokafka consumer (not started)."""
        return self._script(name, group, "aiokafka", topic, [str(cache.python_clients()), str(cache.SOURCES / "clients/aio.py")])

    def kafkajs(self, name: str, group: str, *, topic: str = "events") -> Pod:
        """Return a kafkajs consumer (not started); it offers only its own RoundRobinAssigner."""
        return self._script(name, group, "kafkajs", topic, ["node", str(cache.node_clients() / "kjs.js")])

    def go(self, client: str, name: str, group: str, *extra: str, topic: str = "events") -> Pod:
        """Return a Go consumer (not started): `sarama`, `franz` or `segmentio`."""
        label = "franz-go" if client == "franz" else client
        return self._script(name, group, label, topic, [str(cache.go_client(client))], extra=extra)

    def incident(self, kind: str, group: str, **facts: Any) -> None:
        """Say that an incident begins now."""
        self.truth("incident", kind=kind, group=group, **facts)

    def expect(self, **answers: Any) -> None:
        """Say what a right analysis finds (keys of answers.json: findings_must, culprits, static_restarts …)."""
        self.truth("expect", **answers)

    def snapshot(self, name: str, group: str) -> None:
        """Keep what the tools print now, as an engineer would."""
        for kind, args in {"offsets": [], "members": ["--members", "--verbose"], "state": ["--state"]}.items():
            dump = self.cluster.groups_tool("--describe", "--group", group, *args)
            (self.dumps / f"groups-{name}-{kind}.txt").write_text(dump)
        self.dump_offsets_topic(name)
        self.truth("snapshot", name=name, group=group)

    def coordinator(self, group: str) -> int:
        """Return the broker that coordinates a group now, as kafka-consumer-groups prints it."""
        printed = self.cluster.groups_tool("--describe", "--group", group, "--state")
        found = re.search(r"127\.0\.0\.1:\d+ +\((\d+)\)", printed)
        if not found:
            raise ClusterFailed(f"no coordinator in: {printed[:500]}")
        return int(found[1])

    def dump_offsets_topic(self, name: str) -> None:
        """Keep what kafka-topics prints of the offsets topic."""
        dump = self.cluster.topics_tool("--describe", "--topic", "__consumer_offsets")
        (self.dumps / f"topics-{name}-offsets-topic.txt").write_text(dump)

    def close(self) -> None:
        """End the recording here, then stop pods and brokers: taking the stage down is no part of the incident."""
        self.truth("curtain")
        sizes = {path: path.stat().st_size for path in self.logs.iterdir()}
        for pod in self.pods:
            if pod.wanted:
                pod.stop(kill=True)
        self.cluster.stop()
        for path, size in sizes.items():
            _cut(path, size)

    def _script(
        self, name: str, group: str, client: str, topic: str, argv: Sequence[str], *, extra: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> Pod:
        return self._pod(name, group, client, [*argv, self.cluster.bootstrap, topic, group, name, *extra], env=env)

    def _pod(self, name: str, group: str, client: str, argv: Sequence[str], *, env: Mapping[str, str] | None = None, **facts: object) -> Pod:
        self.truth("pod", pod=name, group=group, client=client, **facts)
        pod = Pod(name, argv, processes=self.processes, truth=self.truth, log=self.logs / f"{name}.log", run=self.run, env=env)
        self.pods.append(pod)
        return pod

    def _properties(self, name: str, properties: Mapping[str, object]) -> Path:
        path = self.run / f"{name}.properties"
        path.write_text("\n".join(f"{key}={value}" for key, value in properties.items()) + "\n")
        return path


def _cut(path: Path, size: int) -> None:
    """Keep the first `size` bytes of a log, up to the last whole line."""
    kept = path.read_bytes()[:size]
    path.write_bytes(kept[: kept.rfind(b"\n") + 1])
