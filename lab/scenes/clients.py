"""Clients in other languages, alone and mixed with Java ones."""

from __future__ import annotations

from collections.abc import Callable

from lab.pods import Pod
from lab.scenes import scene
from lab.stage import RANGE, Stage


@scene("mixed-clients", limit_s=360)
def mixed_clients(stage: Stage) -> None:
    """Every client that can shares a group on range; kafkajs and franz-go offer nothing the others know and
    are refused.
    """
    stage.brokers()
    group = stage.names.service()
    java = stage.deployment(
        [f"{group}-java-{i}" for i in range(2)], group, assignors=[RANGE], layout="logback-dated"
    )
    stage.wait(4)
    others = [
        stage.rdkafka(f"{group}-rd", [group], debug="cgrp", max_poll_interval_ms=10000),
        stage.kafka_python(f"{group}-py", group),
        stage.go("sarama", f"{group}-sarama", group),
    ]
    stage.start(others, gap_s=5)
    for pod, why in (
        (stage.kafkajs(f"{group}-js", group), "offers only RoundRobinAssigner"),
        (stage.go("franz", f"{group}-franz", group), "offers only cooperative-sticky"),
    ):
        stage.incident("refused", group, pod=pod.name, why=why)
        pod.start()
        stage.wait(10)
        pod.stop()
    stage.incident("leader_leaves", group, pod=java[0].name)
    java[0].stop()
    stage.wait(8)
    stage.incident("max.poll.interval", group, pod=others[0].name)
    others[0].work_slowly(15000)
    stage.wait(22)
    stage.snapshot("end", group)
    stage.expect(
        culprits={"poll_timeout": others[0].name},
        findings_must=["incompatible_member", "poll_timeout"],
        findings_must_not=["one_step_assignor_change", "crash", "rebalance_storm"],
    )


def _pairs(stage: Stage) -> dict[str, list[Pod]]:
    """Start a group of two pods of each client that is not Java; librdkafka's, which is silent by default,
    comes last.
    """
    makers: dict[str, Callable[[str, str], Pod]] = {
        "sarama": lambda name, group: stage.go("sarama", name, group),
        "franz": lambda name, group: stage.go("franz", name, group),
        "segmentio": lambda name, group: stage.go("segmentio", name, group),
        "kafkajs": stage.kafkajs,
        "kafka-python": stage.kafka_python,
        "aiokafka": stage.aiokafka,
        "librdkafka": lambda name, group: stage.rdkafka(name, [group]),
    }
    pairs = {}
    for maker in makers.values():
        group = stage.names.service()
        pairs[group] = [maker(name, group) for name in stage.names.replica_set(group, 2)]
        stage.start(pairs[group], gap_s=1.5)
    return pairs


@scene("client-freezes", limit_s=300)
def client_freezes(stage: Stage) -> None:
    """A group of each client; in each one pod freezes for 16 s, loses its partitions, and comes back."""
    stage.brokers(topics={"events": 6})
    pairs = _pairs(stage)
    stage.wait(12)
    frozen = [pods[0] for pods in pairs.values()]
    for group, pod in zip(pairs, frozen, strict=True):
        stage.incident("session_timeout_freeze", group, pod=pod.name)
        pod.freeze()
    stage.wait(16)
    for pod in frozen:
        pod.thaw()
    stage.wait(16)
    stage.expect(
        culprits_more={"session_timeout": [pod.name for pod in frozen]},
        findings_must=["session_timeout"],
        findings_must_not=["one_step_assignor_change", "incompatible_member", "crash", "rebalance_storm"],
    )


@scene("client-crashes", limit_s=360)
def client_crashes(stage: Stage) -> None:
    """A group of each client; in each one pod is killed. Then a broker restarts."""
    stage.brokers(topics={"events": 6})
    victims = [(group, pods[1]) for group, pods in _pairs(stage).items()]
    stage.wait(12)
    for group, pod in victims:
        stage.incident("crash", group, pod=pod.name)
        pod.crash()
        stage.wait(0.5)
    stage.wait(18)
    stage.cluster.restart_broker(1, 3)
    stage.wait(12)
    # A quiet librdkafka leaves no log, so nothing tells its crash from a freeze.
    silent = victims.pop()[1].name
    stage.expect(
        culprits_more={"crash": [pod.name for _, pod in victims], "session_timeout": [silent]},
        findings_must=["crash", "session_timeout", "coordinator_moved"],
        findings_must_not=["one_step_assignor_change", "incompatible_member"],
    )


@scene("rdkafka-quiet", limit_s=300)
def rdkafka_quiet(stage: Stage) -> None:
    """librdkafka at its default log level: a poll timeout, a freeze, a crash (of which no log speaks, so it
    cannot be told from a freeze), and a member that offers another assignor.
    """
    stage.brokers()
    group = stage.names.service()
    names = stage.names.replica_set(group, 4)
    pods = [stage.rdkafka(name, [group], max_poll_interval_ms=10000) for name in names]
    stage.start(pods)
    stage.wait(8)
    stage.incident("max.poll.interval", group, pod=names[1])
    pods[1].work_slowly(15000)
    stage.wait(20)
    stage.incident("session_timeout_freeze", group, pod=names[2])
    pods[2].freeze()
    stage.wait(15)
    pods[2].thaw()
    stage.wait(8)
    stage.incident("crash", group, pod=names[3])
    pods[3].crash()
    stage.wait(14)
    odd = stage.rdkafka(f"{group}-canary", [group], partition_assignment_strategy="cooperative-sticky")
    stage.incident("refused", group, pod=odd.name, why="offers only cooperative-sticky")
    odd.start()
    stage.wait(8)
    stage.snapshot("end", group)
    stage.expect(
        culprits={
            "poll_timeout": names[1],
            "session_timeout": names[2],
            "incompatible_member": odd.name,
        },
        culprits_more={"session_timeout": [names[3]]},
        findings_must=["poll_timeout", "session_timeout", "incompatible_member"],
        findings_must_not=["one_step_assignor_change", "rebalance_storm"],
    )


@scene("go-refused", limit_s=300)
def go_refused(stage: Stage) -> None:
    """Groups of Go and Node clients, each with one Java pod that offers an assignor they do not know."""
    stage.brokers(topics={"events": 6})
    refused = []
    for client in ("sarama", "franz", "kafkajs"):
        group = stage.names.service()
        for name in stage.names.replica_set(group, 2):
            pod = (
                stage.kafkajs(name, group)
                if client == "kafkajs"
                else stage.go(client, name, group, *(["roundrobin"] if client == "sarama" else []))
            )
            pod.start()
            stage.wait(2)
        stage.wait(5)
        odd = f"{group}-migrated-0"
        stage.incident("refused", group, pod=odd, why=f"a Java consumer on range in a group of {client}")
        stage.deployment([odd], group, assignors=[RANGE], layout="boot")
        stage.wait(10)
        refused.append(odd)
    stage.expect(
        culprits_more={"incompatible_member": refused},
        findings_must=["incompatible_member"],
        findings_must_not=["one_step_assignor_change", "crash"],
    )
