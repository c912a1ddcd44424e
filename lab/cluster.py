"""A Kafka cluster on loopback: KRaft with one controller for 3.x and 4.x, ZooKeeper for 2.x."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from lab import cache, layouts
from lab.jvm import BROKER_HEAP_MB, java
from lab.processes import Processes
from lab.truth import Truth

CONTROLLER = 100
_CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qg"
_GROUPS_TOOL = (
    "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
    "kafka.admin.ConsumerGroupCommand",
)
_TOPICS_TOOL = ("org.apache.kafka.tools.TopicCommand", "kafka.admin.TopicCommand")


class ClusterError(Exception):
    """A broker did not start or a tool did not answer; the message says which and what it printed."""


def free_ports() -> int:
    """Return a base such that base+1…base+120 are free on 127.0.0.1 as far as a look can tell."""
    for base in range(19000, 30000, 200):
        if all(_is_free(base + offset) for offset in (1, 2, 3, 4, 5, 6, 60, 61, 62, 100, 110)):
            return base
    raise ClusterError("no free ports between 19000 and 30000 on 127.0.0.1")


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Cluster:
    """Brokers of one version with their logs in `logs` and their data in `run`."""

    def __init__(
        self,
        version: str,
        processes: Processes,
        truth: Truth,
        logs: Path,
        run: Path,
        *,
        brokers: int = 3,
        replication: int = 3,
        settings: Mapping[str, object] | None = None,
        level: str = "INFO",
        base: int | None = None,
    ) -> None:
        """Describe the cluster; `start` starts it. `replication` is that of the offsets topic."""
        self.version = version
        self.processes = processes
        self.truth = truth
        self.logs = logs
        self.run = run
        self.ids = list(range(1, brokers + 1))
        self.replication = min(replication, brokers)
        self.settings = dict(settings or {})
        self.level = level
        self.base = base or free_ports()
        self.jars = cache.broker_jars(version)
        self.zookeeper = cache.release(version) < (3, 0)
        self.bootstrap = ",".join(f"127.0.0.1:{self.base + i}" for i in self.ids)
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._others: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start the quorum, then all brokers; return when each takes connections."""
        self._start_zookeeper() if self.zookeeper else self._start_node(CONTROLLER)
        for broker in self.ids:
            self._start_node(broker)
        for broker in self.ids:
            self._wait_for(broker)
        self.truth("cluster_up", version=self.version, brokers=self.ids, rf=self.replication)

    def stop_broker(self, broker: int, *, kill: bool = False) -> None:
        """Stop a broker in order, or kill it."""
        self.truth("broker_kill9" if kill else "broker_sigterm", broker=broker)
        self.processes.end(self._running.pop(broker), kill=kill, grace_s=60)
        self.truth("broker_gone", broker=broker)

    def start_broker(self, broker: int) -> None:
        """Start a broker again and wait until it takes connections."""
        self._start_node(broker)
        self._wait_for(broker)
        self.truth("broker_back", broker=broker)

    def restart_broker(self, broker: int, down_s: float = 2) -> None:
        """A controlled restart."""
        self.stop_broker(broker)
        time.sleep(down_s)
        self.start_broker(broker)

    def freeze_broker(self, broker: int, seconds: float) -> None:
        """Stop a broker's clock for a while, as a long collection or a starved machine does."""
        self.truth("broker_frozen", broker=broker)
        self.processes.signal(self._running[broker], signal.SIGSTOP)
        time.sleep(seconds)
        self.processes.signal(self._running[broker], signal.SIGCONT)
        self.truth("broker_thawed", broker=broker)

    def wipe(self, broker: int, topic: str) -> None:
        """Lose the data that a stopped broker has of a topic."""
        for folder in (self.run / f"data-{broker}").glob(f"{topic}-*"):
            shutil.rmtree(folder)
        self.truth("data_lost", broker=broker, topic=topic)

    def groups_tool(self, *args: str) -> str:
        """Return what kafka-consumer-groups prints."""
        return self._tool(_GROUPS_TOOL, ["--bootstrap-server", self.bootstrap, *args])

    def topics_tool(self, *args: str) -> str:
        """Return what kafka-topics prints."""
        return self._tool(_TOPICS_TOOL, ["--bootstrap-server", self.bootstrap, *args])

    def feed(self, *args: object, background: bool = False) -> None:
        """Run the feeder: create topics, produce (in the background), pile up commits, delete records."""
        option = layouts.write_config(self.run, "feeder", "3.9.1", "kafka", file=self.run / "feeder.log")
        argv = java(cache.feeder_jars(), "Feeder", [self.bootstrap, *map(str, args)], options=[option])
        process = self.processes.spawn(argv, output=self.run / "feeder.out")
        if background:
            self._others.append(process)
            return
        if not self.processes.wait(process, 120) or process.returncode:
            self.processes.end(process, kill=True)
            raise ClusterError(f"feeder {args} failed: {(self.run / 'feeder.out').read_text()[-1000:]}")

    def stop(self) -> None:
        """Stop the feeders, the brokers and the quorum, in this order; nothing is recorded any more, so it
        is brief.
        """
        for process in self._others[::-1] if not self.zookeeper else self._others[:0:-1]:
            self.processes.end(process, kill=True)
        controller = self._running.pop(CONTROLLER, None)
        brokers = list(self._running.values())
        for process in brokers:
            self.processes.signal(process, signal.SIGTERM)
        for process in brokers:
            self.processes.end(process, grace_s=5)
        self._running.clear()
        if controller:
            self.processes.end(controller, kill=True)
        if self.zookeeper:
            self.processes.end(self._others[0], kill=True)
        self.truth("cluster_down")

    def _start_zookeeper(self) -> None:
        settings = self.run / "zookeeper.properties"
        settings.write_text(
            f"dataDir={self.run}/zookeeper\nclientPort={self.base + 110}\n"
            "clientPortAddress=127.0.0.1\nadmin.enableServer=false\n"
        )
        option = layouts.write_config(
            self.run, "zookeeper", self.version, "kafka", file=self.run / "zookeeper.log"
        )
        argv = java(
            self.jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain", [str(settings)], options=[option]
        )
        self._others.insert(0, self.processes.spawn(argv, output=self.run / "zookeeper.out"))
        time.sleep(4)

    def _start_node(self, node: int) -> None:
        role = "controller" if node == CONTROLLER else "broker"
        settings = self.run / f"node-{node}.properties"
        settings.write_text("\n".join(f"{key}={value}" for key, value in self._settings(node).items()) + "\n")
        if not self.zookeeper and not (self.run / f"data-{node}").exists():
            self._run_tool("kafka.tools.StorageTool", ["format", "-t", _CLUSTER_ID, "-c", str(settings)])
        option = layouts.write_config(
            self.run,
            f"node-{node}",
            self.version,
            "kafka",
            file=self.logs / f"{role}-{node}.log",
            level=self.level,
            loggers={"kafka.request.logger": "WARN"},
        )
        argv = java(self.jars, "kafka.Kafka", [str(settings)], heap_mb=BROKER_HEAP_MB, options=[option])
        self._running[node] = self.processes.spawn(argv, output=self.run / f"node-{node}.out")

    def _settings(self, node: int) -> dict[str, object]:
        """Return server.properties of one node; scenes override what they are about."""
        common = min(3, len(self.ids))
        settings: dict[str, object] = {
            "log.dirs": self.run / f"data-{node}",
            "offsets.topic.replication.factor": self.replication,
            "transaction.state.log.replication.factor": common,
            "transaction.state.log.min.isr": 1,
            "transaction.state.log.num.partitions": 3,
            "num.partitions": 6,
            "default.replication.factor": common,
            "auto.create.topics.enable": "true",
            "group.initial.rebalance.delay.ms": 1000,
            "group.min.session.timeout.ms": 3000,
            "num.network.threads": 2,
            "num.io.threads": 4,
            "log.cleaner.dedupe.buffer.size": 16777216,
        }
        if cache.release(self.version) >= (4, 0):
            settings["share.coordinator.state.topic.replication.factor"] = 1
            settings["share.coordinator.state.topic.min.isr"] = 1
        port = self.base + node
        if self.zookeeper:
            settings |= {
                "broker.id": node,
                "zookeeper.connect": f"127.0.0.1:{self.base + 110}",
                "listeners": f"PLAINTEXT://127.0.0.1:{port}",
            }
        else:
            controller = node == CONTROLLER
            settings |= {
                "process.roles": "controller" if controller else "broker",
                "node.id": node,
                "controller.quorum.voters": f"{CONTROLLER}@127.0.0.1:{self.base + CONTROLLER}",
                "listeners": f"{'CONTROLLER' if controller else 'PLAINTEXT'}://127.0.0.1:{port}",
                "controller.listener.names": "CONTROLLER",
                "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
            }
            if not controller:
                settings |= {
                    "inter.broker.listener.name": "PLAINTEXT",
                    "advertised.listeners": f"PLAINTEXT://127.0.0.1:{port}",
                }
        return settings | self.settings

    def _wait_for(self, broker: int, timeout_s: float = 90) -> None:
        end = time.monotonic() + timeout_s
        while time.monotonic() < end:
            process = self._running[broker]
            if self.processes.ended(process):
                said = (self.run / f"node-{broker}.out").read_text()[-1500:]
                raise ClusterError(
                    f"broker {broker} of Kafka {self.version} ended with {process.returncode}: {said}"
                )
            try:
                socket.create_connection(("127.0.0.1", self.base + broker), 1).close()
            except OSError:
                time.sleep(0.3)
                continue
            time.sleep(2)
            return
        raise ClusterError(f"broker {broker} of Kafka {self.version} took no connections for {timeout_s} s")

    def _tool(self, classes: tuple[str, ...], args: list[str]) -> str:
        main = next(name for name in classes if cache.has_class(self.jars, name))
        try:
            return self._run_tool(main, args)
        except ClusterError:
            # A tool that asks while coordinators move may give up: ask again, as an engineer would.
            time.sleep(3)
            return self._run_tool(main, args)

    def _run_tool(self, main: str, args: list[str]) -> str:
        option = layouts.write_config(self.run, "tool", self.version, "kafka", level="ERROR")
        output = self.run / "tool.out"
        output.unlink(missing_ok=True)
        process = self.processes.spawn(java(self.jars, main, args, options=[option]), output=output)
        if not self.processes.wait(process, 60):
            self.processes.end(process, kill=True)
            raise ClusterError(f"{main} did not answer in 60 s: {output.read_text()[-500:]}")
        if process.returncode:
            said = output.read_text()[-1000:]
            raise ClusterError(f"{main} {args} ended with {process.returncode}: {said}")
        return output.read_text()
