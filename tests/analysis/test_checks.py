"""The checks: from tool dumps, from logs, from both."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from loganalyst.analysis.checks import Check, run, worst
from loganalyst.analysis.dumped import Dumped, dumped
from loganalyst.analysis.logged import Logged
from loganalyst.dumps import DumpReader

LINE = {"source": "broker.log", "line": 7, "ts": None, "message": "said"}


def dump(**files: str) -> Dumped:
    events = []
    for name, text in files.items():
        reader = DumpReader(f"dumps/{name}.txt")
        events += [event for line in text.splitlines() if (event := reader.feed(line))]
    return dumped(events)


def state(coordinator: int, strategy: str = "range", members: int = 6) -> str:
    return (
        "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\n"
        f"orders-service h:9092 ({coordinator}) {strategy} Stable {members}\n"
    )


def topic(leader: str, replicas: str = "1,2,3", isr: str = "1,2,3") -> str:
    rows = [
        f"\tTopic: __consumer_offsets\tPartition: {p}\tLeader: {leader}\tReplicas: {replicas}\tIsr: {isr}"
        for p in range(50)
    ]
    return "\n".join(["Topic: __consumer_offsets\tPartitionCount: 50\tReplicationFactor: 3\tConfigs:", *rows])


def checked(dumps: Dumped | None = None, logs: Logged | None = None) -> dict[str, Check]:
    found = run(dumps or Dumped(), logs or Logged(), ["orders-service"])
    return {check.check: check for check in found}


def logs(**parts: Any) -> Logged:
    parts.setdefault("placement", {"orders-service": {"offsets_partition": 17, "broker": 2}})
    return Logged(**parts)


def test_state_and_leader_that_agree_are_fine_and_the_row_is_shown() -> None:
    check = checked(dump(state=state(1), topic=topic("1")))["coordinator"]
    assert check.verdict == "ok"
    assert check.answer.startswith("broker 1, which leads partition 17")
    assert {line["source"] for line in check.evidence} == {"dumps/state.txt", "dumps/topic.txt"}


def test_state_and_leader_that_disagree_are_looked_at() -> None:
    assert checked(dump(state=state(2), topic=topic("1")))["coordinator"].verdict == "look"


def test_a_partition_without_leader_is_acted_on() -> None:
    found = checked(dump(topic=topic("none")))
    assert found["coordinator"].verdict == "act"
    assert found["offsets_topic"].verdict == "act"


@pytest.mark.parametrize(
    ("replicas", "isr", "verdict"), [("1,2,3", "1,2,3", "ok"), ("1,2,3", "1,2", "look"), ("1", "1", "act")]
)
def test_the_offsets_topic_is_judged_by_replicas_in_sync(replicas: str, isr: str, verdict: str) -> None:
    assert checked(dump(topic=topic("1", replicas, isr)))["offsets_topic"].verdict == verdict


def test_dumps_are_taken_in_the_order_that_their_names_tell() -> None:
    found = checked(
        dump(
            **{
                "groups-after-state": state(1, "cooperative-sticky"),
                "groups-before-state": state(1, "range"),
            }
        )
    )
    assert found["protocol"].answer == "cooperative-sticky is in force; before: range"


def test_dumps_do_not_tell_who_leads() -> None:
    members = (
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\norders-service m-1 /h c 2\norders-service m-2 /h c 2\n"
    )
    check = checked(dump(members=members))["leader"]
    assert check.verdict == "unknown"
    assert "2 rows" in check.answer


def test_logs_tell_who_leads() -> None:
    row = {
        "generation": 9,
        "pod": "orders-0",
        "member_id": "m",
        "assign_ms": 6.2,
        "assigned_at": datetime(2026, 12, 1, tzinfo=UTC),
        "assignor": "range",
        "evidence": [LINE],
    }
    check = checked(logs=logs(leader={"orders-service": row}))["leader"]
    assert check.verdict == "ok"
    assert check.answer == "pod orders-0 leads generation 9; its assignment took 6 ms"
    assert check.evidence == [LINE]


def test_a_group_of_the_consumer_protocol_has_no_leader() -> None:
    epoch = {"epoch": 4, "group_type": "consumer", "assignor": "uniform", "since": None, "evidence": [LINE]}
    found = checked(logs=logs(epoch={"orders-service": epoch}))
    assert found["leader"].answer.startswith("none: the coordinator assigns")
    assert found["protocol"].answer == "uniform is in force"


def test_a_deploy_that_shrinks_the_group_is_acted_on() -> None:
    episode = {
        "recovered_at": None,
        "member_counts": [6, 5, 4],
        "kind": "one_step_assignor_change",
        "refused_pods": ["orders-1"],
        "explanation": "refused",
        "evidence": [LINE],
    }
    check = checked(logs=logs(episodes={"orders-service": [episode]}))["shrinking"]
    assert check.verdict == "act"
    assert "6, 5, 4" in check.answer
    assert "orders-1" in check.answer


def test_refused_pods_are_the_answer_to_the_question_of_the_protocol() -> None:
    refused = {"pod": "orders-1", "offered": "cooperative-sticky", "evidence": [LINE]}
    check = checked(dump(state=state(1)), logs(refused={"orders-service": [refused]}))["protocol"]
    assert check.verdict == "act"
    assert check.answer.startswith("range is in force; orders-1")


def test_a_log_that_names_another_broker_than_the_dump_is_looked_at() -> None:
    seen = {"broker": 3, "brokers": [3], "evidence": [LINE]}
    check = checked(dump(state=state(1), topic=topic("1")), logs(coordinator={"orders-service": seen}))[
        "coordinator"
    ]
    assert check.verdict == "look"
    assert "broker 3 by the last lines of the logs" in check.answer


def test_a_dump_from_before_a_move_that_the_log_shows_is_fine() -> None:
    seen = {"broker": 3, "brokers": [1, 3], "evidence": [LINE]}
    found = checked(dump(state=state(1), topic=topic("1")), logs(coordinator={"orders-service": seen}))
    assert found["coordinator"].verdict == "ok"
    assert "it was broker 3 at another time" in found["coordinator"].answer


def test_a_migrated_group_runs_what_its_epochs_say() -> None:
    epoch = {
        "epoch": 4,
        "group_type": "consumer",
        "assignor": "uniform",
        "since": datetime(2026, 12, 2, tzinfo=UTC),
        "evidence": [LINE],
    }
    classic = {"generation": 4, "assignor": "range", "evidence": [LINE]}
    known = logs(epoch={"orders-service": epoch}, assignor={"orders-service": classic})
    assert checked(dump(state=state(1, "uniform")), known)["protocol"].verdict == "ok"


def test_nothing_at_hand_is_said_to_be_unknown() -> None:
    found = checked()
    assert {check.verdict for check in found.values()} == {"unknown"}
    assert worst(found.values()) == "unknown"


def test_the_worst_verdict_counts() -> None:
    assert (
        worst([Check("a", None, "ok", ""), Check("b", None, "look", ""), Check("c", None, "unknown", "")])
        == "look"
    )


def test_a_group_that_is_gone_is_said_to_be() -> None:
    text = "Error: Consumer group 'orders-service' does not exist."
    assert checked(dump(gone=text))["shrinking"].answer == "the group does not exist any more"
