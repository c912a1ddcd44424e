"""Pods of every client, as a scene asks for them: Java, Streams, Connect, Spring Boot, librdkafka, Python,
Node, Go.

Settings given by keyword are Kafka's, with `_` for `.`: `max_poll_interval_ms=7000`. Pods are returned not
started.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab import cache, layouts
from lab.cluster import Cluster
from lab.jvm import java
from lab.pods import Pod
from lab.processes import Processes
from lab.truth import Truth

RANGE = "org.apache.kafka.clients.consumer.RangeAssignor"
ROUND_ROBIN = "org.apache.kafka.clients.consumer.RoundRobinAssignor"
STICKY = "org.apache.kafka.clients.consumer.StickyAssignor"
COOPERATIVE = "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
ZONE_RANGE, ZONE_COOPERATIVE, ZONE_SLOW = "Zone$Range", "Zone$Cooperative", "Zone$Slow"
ASSIGNORS = {
    "range": RANGE,
    "roundrobin": ROUND_ROBIN,
    "sticky": STICKY,
    "cooperative-sticky": COOPERATIVE,
    "zone-range": ZONE_RANGE,
    "zone-cooperative": ZONE_COOPERATIVE,
}
"""The assignors by the names that stand in logs, for options of scenes."""
_FAST: dict[str, Any] = {
    "session.timeout.ms": 10000,
    "heartbeat.interval.ms": 1000,
    "max.poll.interval.ms": 20000,
}


def _dotted(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("_", "."): value for key, value in settings.items()}


class Casting:
    """Makes pods for the cluster of a stage and remembers them."""

    version: str
    clients: str
    release: tuple[int, int]
    out: Path
    logs: Path
    run: Path
    layout: str
    processes: Processes
    truth: Truth
    pods: list[Pod]
    cluster: Cluster

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
        version: str = "",
        jvm: Sequence[str] = (),
        last_words: bool = True,
        **settings: Any,
    ) -> Pod:
        """Return a Java consumer (not started). `group_protocol="consumer"` makes it a KIP-848 member;
        `version` is that of its client, if it is not the brokers'; for `last_words` see
        `layouts.write_config`.
        """
        version = version or self.clients
        jars = cache.client_jars(version, logback=logback)
        new_protocol = settings.get("group_protocol") == "consumer"
        properties: dict[str, Any] = {
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
        properties |= _dotted(settings)
        option = layouts.write_config(
            self.run,
            name,
            version,
            self.layout or layout,
            level=level,
            loggers=loggers,
            logback=logback,
            last_words=last_words,
        )
        return self._pod(
            name,
            group,
            "java",
            java(jars, "Pod", [str(self._properties(name, properties))], options=[option, *jvm]),
            version=version,
            layout=self.layout or layout,
            protocol="consumer" if new_protocol else "classic",
        )

    def transfer(self, name: str, group: str, *, topic: str = "events", layout: str = "boot") -> Pod:
        """Return a transactional reader and writer (not started) that commits with an outdated generation."""
        return self._plain("Transfer", name, group, topic, layout, **_FAST)

    def share(self, name: str, group: str, *, topic: str = "events", layout: str = "boot") -> Pod:
        """Return a member of a share group (not started)."""
        return self._plain("Share", name, group, topic, layout)

    def streams(
        self, name: str, application: str, *, topic: str = "events", layout: str = "boot", **settings: Any
    ) -> Pod:
        """Return a stateful Streams instance (not started)."""
        properties: dict[str, Any] = {
            "bootstrap.servers": self.cluster.bootstrap,
            "application.id": application,
            "client.id": name,
            "state.dir": self.run / f"state-{name}",
            "commit.interval.ms": 2000,
            # A Streams group (KIP-1071) has its session timeout at the broker.
            **({} if settings.get("group_protocol") == "streams" else {"session.timeout.ms": 10000}),
            "replication.factor": 1,
            "num.stream.threads": 2,
            "lab.topic": topic,
            **_dotted(settings),
        }
        option = layouts.write_config(self.run, name, self.clients, self.layout or layout)
        jars = cache.streams_jars(self.clients)
        return self._pod(
            name,
            application,
            "streams",
            java(jars, "Words", [str(self._properties(name, properties))], heap_mb=192, options=[option]),
        )

    def connect_worker(self, name: str, cluster: str, index: int, **settings: Any) -> Pod:
        """Return a distributed Connect worker (not started); its REST port is `self.rest_port(index)`."""
        storage = {f"{what}.storage.topic": f"{cluster}-{what}" for what in ("offset", "config", "status")}
        properties: dict[str, Any] = {
            "bootstrap.servers": self.cluster.bootstrap,
            "group.id": cluster,
            "key.converter": "org.apache.kafka.connect.storage.StringConverter",
            "value.converter": "org.apache.kafka.connect.storage.StringConverter",
            **storage,
            **{
                f"{what}.storage.replication.factor": min(3, len(self.cluster.ids))
                for what in ("offset", "config", "status")
            },
            "listeners": f"http://127.0.0.1:{self.rest_port(index)}",
            "rest.advertised.host.name": "127.0.0.1",
            "rest.advertised.port": self.rest_port(index),
            "scheduled.rebalance.max.delay.ms": 10000,
            "session.timeout.ms": 10000,
            "heartbeat.interval.ms": 1000,
            **({"plugin.discovery": "service_load"} if cache.release(self.clients) >= (3, 6) else {}),
            **_dotted(settings),
        }
        option = layouts.write_config(
            self.run, name, self.clients, "connect", loggers={"org.reflections": "ERROR"}
        )
        argv = java(
            cache.connect_jars(self.clients),
            "org.apache.kafka.connect.cli.ConnectDistributed",
            [str(self._properties(name, properties))],
            heap_mb=256,
            options=[option],
        )
        return self._pod(name, cluster, "connect", argv)

    def rest_port(self, index: int) -> int:
        """Return the REST port of the Connect worker number `index`."""
        return self.cluster.base + 60 + index

    def spring(
        self,
        name: str,
        group: str,
        assignors: Sequence[str],
        *,
        topic: str = "events",
        json_format: str | None = None,
        env: Mapping[str, str] | None = None,
        boot: str = "",
        **settings: Any,
    ) -> Pod:
        """Return a listener of Spring Boot `boot` (not started): console layout, or `json_format` logstash,
        ecs or gelf (from 3.4 on).
        """
        consumer = {**_FAST, "partition.assignment.strategy": ",".join(assignors), **_dotted(settings)}
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
        jars = cache.spring_jars(boot or cache.SPRING_BOOT)
        argv = java(jars, "com.example.orders.Orders", [], heap_mb=160, options=options)
        return self._pod(name, group, "java", argv, env=env, layout=json_format or "spring")

    def rdkafka(self, name: str, groups: Sequence[str], *, topic: str = "events", **settings: Any) -> Pod:
        """Return a librdkafka process (not started) with one consumer a group; `debug="cgrp"` makes it
        talk.
        """
        given = {"client.id": name, **_dotted(settings)}
        argv = [
            str(cache.python_clients()),
            str(cache.SOURCES / "clients/rdkafka.py"),
            self.cluster.bootstrap,
            topic,
            *groups,
        ]
        return self._pod(
            name,
            groups[0],
            "librdkafka",
            argv,
            env={"RDKAFKA": json.dumps(given), "SLOW_FILE": str(self.run / f"slow-{name}")},
        )

    def kafka_python(
        self,
        name: str,
        group: str,
        *,
        topic: str = "events",
        max_poll_ms: int = 20000,
        assignor: str = "",
    ) -> Pod:
        """Return a kafka-python consumer (not started), by default with the assignors it offers itself."""
        env = {
            "MAX_POLL_MS": str(max_poll_ms),
            "SLOW_FILE": str(self.run / f"slow-{name}"),
            "ASSIGNOR": assignor,
        }
        return self._script(
            name,
            group,
            "kafka-python",
            topic,
            [str(cache.python_clients()), str(cache.SOURCES / "clients/kpy.py")],
            env=env,
        )

    def aiokafka(self, name: str, group: str, *, topic: str = "events") -> Pod:
        """Return an aiokafka consumer (not started)."""
        env = {"SLOW_FILE": str(self.run / f"slow-{name}")}
        return self._script(
            name,
            group,
            "aiokafka",
            topic,
            [str(cache.python_clients()), str(cache.SOURCES / "clients/aio.py")],
            env=env,
        )

    def kafkajs(self, name: str, group: str, *, topic: str = "events") -> Pod:
        """Return a kafkajs consumer (not started); it offers only its own RoundRobinAssigner."""
        return self._script(name, group, "kafkajs", topic, ["node", str(cache.node_clients() / "kjs.js")])

    def go(self, client: str, name: str, group: str, *extra: str, topic: str = "events") -> Pod:
        """Return a Go consumer (not started): `sarama`, `franz` or `segmentio`."""
        label = "franz-go" if client == "franz" else client
        return self._script(name, group, label, topic, [str(cache.go_client(client))], extra=extra)

    def _plain(self, main: str, name: str, group: str, topic: str, layout: str, **properties: Any) -> Pod:
        """Return a lab class that takes Kafka's settings and the topic, and no more."""
        common = {
            "bootstrap.servers": self.cluster.bootstrap,
            "group.id": group,
            "client.id": name,
            "lab.topic": topic,
        }
        layout = self.layout or layout
        option = layouts.write_config(self.run, name, self.clients, layout)
        path = self._properties(name, common | properties)
        argv = java(cache.client_jars(self.clients), main, [str(path)], options=[option])
        return self._pod(name, group, "java", argv, version=self.clients, layout=layout)

    def _script(
        self,
        name: str,
        group: str,
        client: str,
        topic: str,
        argv: Sequence[str],
        *,
        extra: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
    ) -> Pod:
        return self._pod(
            name, group, client, [*argv, self.cluster.bootstrap, topic, group, name, *extra], env=env
        )

    def _pod(
        self,
        name: str,
        group: str,
        client: str,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        **facts: object,
    ) -> Pod:
        self.truth("pod", pod=name, group=group, client=client, **facts)
        pod = Pod(
            name,
            argv,
            processes=self.processes,
            truth=self.truth,
            log=self.logs / f"{name}.log",
            run=self.run,
            env=env,
        )
        self.pods.append(pod)
        return pod

    def _properties(self, name: str, properties: Mapping[str, Any]) -> Path:
        path = self.run / f"{name}.properties"
        path.write_text("\n".join(f"{key}={value}" for key, value in properties.items()) + "\n")
        return path
