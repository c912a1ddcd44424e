"""A message finds its statement behind any prefix or none, and it is known whether it is an event."""

from __future__ import annotations

import pytest

from loganalyst.catalogue import Catalogue, Match

JOINED = (
    "Successfully joined group with generation "
    "Generation{generationId=7, memberId='connect-1-0b1e6f70-2f0d-4b53-9d0a-8f3f4a5c6d7e', "
    "protocol='sessioned'}"
)


def found(catalogue: Catalogue, message: str, **more: object) -> Match:
    match = catalogue.match(message, **more)  # type: ignore[arg-type]
    assert match is not None, message
    return match


def test_values_of_the_prefix_are_values(catalogue: Catalogue) -> None:
    match = found(catalogue, "[Consumer instanceId=i-0, clientId=c-0, groupId=my group] (Re-)joining group")
    assert match.statement.event == "join_started"
    assert match.values | {"instance_id": "i-0", "client_id": "c-0", "group_id": "my group"} == match.values


def test_a_message_is_recognised_without_its_prefix(catalogue: Catalogue) -> None:
    match = found(catalogue, "Stabilized group orders generation 7 (__consumer_offsets-17) with 6 members")
    assert match.statement.event == "group_stabilized"
    assert match.values["members"] == "6"


def test_old_and_new_coordinator_are_told_apart_by_prefix_and_full_stop(catalogue: Catalogue) -> None:
    old = found(
        catalogue,
        "[GroupCoordinator 1]: Assignment received from leader a for group g for generation 2. "
        "The group has 3 members, 0 of which are static.",
    )
    new = found(
        catalogue,
        "[GroupCoordinator id=1 topic=__consumer_offsets partition=4] Assignment received from "
        "leader a for group g for generation 2. The group has 3 members, 0 of which are static.",
    )
    assert old.statement.component == "broker-classic-coordinator"
    assert new.statement.component == "broker-new-coordinator"
    assert new.values["offsets_partition"] == "4"


def test_a_worker_prints_the_consumers_lines_as_connect(catalogue: Catalogue) -> None:
    plain = found(catalogue, f"[Consumer clientId=a, groupId=b] {JOINED}")
    worker = found(catalogue, f"[my sink|task-0] [Worker clientId=connect-1, groupId=connect] {JOINED}")
    assert (plain.statement.id, plain.statement.client) == (worker.statement.id, "java")
    assert worker.statement.client == "connect"
    assert (worker.values["group_id"], worker.values["connector"]) == ("connect", "my sink")


def test_network_lines_of_other_clients_are_no_events(catalogue: Catalogue) -> None:
    text = "Node 1 disconnected."
    assert found(catalogue, f"[Consumer clientId=a, groupId=b] {text}").keep
    assert not found(catalogue, f"[Producer clientId=p-1] {text}").keep
    fetcher = found(catalogue, f"[ReplicaFetcher replicaId=2, leaderId=1, fetcherId=0] {text}")
    assert (fetcher.keep, fetcher.statement.role) == (False, "broker")


@pytest.mark.parametrize(
    ("message", "keep"),
    [
        ("[Partition __consumer_offsets-7 broker=1] Shrinking ISR from 1,2 to 1", True),
        ("[Partition orders-7 broker=1] Shrinking ISR from 1,2 to 1", False),
        ("[Partition my__consumer_offsets-7 broker=1] Shrinking ISR from 1,2 to 1", False),
        (
            "[QuorumController id=100] Replayed TopicRecord for topic __consumer_offsets with topic ID Xy.",
            True,
        ),
        ("[QuorumController id=100] Replayed TopicRecord for topic orders with topic ID Xy.", False),
    ],
)
def test_partition_records_matter_for_the_offsets_topic_only(
    catalogue: Catalogue, message: str, keep: bool
) -> None:
    assert found(catalogue, message).keep is keep


def test_brokers_starts_need_the_brokers_prefix(catalogue: Catalogue) -> None:
    assert found(catalogue, "[KafkaServer id=3] started").statement.event == "broker_started"
    assert found(catalogue, "[Kafka Server 3], started").values["broker_id"] == "3"
    assert catalogue.match("started") is None
    assert found(catalogue, "started", logger="kafka.server.KafkaServer").statement.event == "broker_started"


def test_the_more_specific_statement_wins(catalogue: Catalogue) -> None:
    prefix = "[Consumer clientId=a, groupId=b] Request joining group due to: "
    events = {
        reason: found(catalogue, prefix + reason).statement.event
        for reason in (
            "group is already rebalancing",
            "need to re-join with the given member-id: a-1",
            "cached metadata has changed from {} at the beginning of the rebalance to {orders=12}",
        )
    }
    assert list(events.values()) == ["rebalance_noticed", "member_id_assigned", "rejoin_requested"]


def test_the_logger_decides_between_clients_of_the_same_words(catalogue: Catalogue) -> None:
    text = "(Re-)joining group orders"
    clients = {
        logger: found(catalogue, text, logger=logger).statement.client
        for logger in (
            "aiokafka.consumer.group_coordinator",
            "kafka.coordinator.consumer",
            "o.a.k.c.c.internals.AbstractCoordinator",
        )
    }
    assert list(clients.values()) == ["aiokafka", "kafka-python", "java"]


def test_a_stack_trace_does_not_hide_the_message(catalogue: Catalogue) -> None:
    text = "[Consumer clientId=a, groupId=b] JoinGroup failed due to fatal error: No such protocol."
    trace = "\norg.apache.kafka.common.KafkaException: x\n\tat a.b.C(D.java:1)\n\t... 3 more"
    assert found(catalogue, text + trace).values["error"] == "No such protocol."


def test_reasons_may_run_over_several_lines(catalogue: Catalogue) -> None:
    text = (
        "[GroupCoordinator 1]: Preparing to rebalance group g in state PreparingRebalance with old "
        "generation 3 (__consumer_offsets-1) (reason: Removing member a on LeaveGroup; "
        "client reason: bye\n(for now))"
    )
    assert found(catalogue, text).values["reason"].endswith("bye\n(for now)")


def test_a_logger_left_behind_the_message_is_ignored(catalogue: Catalogue) -> None:
    text = "Group orders with generation 4 is now empty (__consumer_offsets-3)"
    match = found(catalogue, f"[GroupCoordinator 1]: {text} (kafka.coordinator.group.GroupCoordinator)")
    assert match.values["offsets_partition"] == "3"


def test_blanks_that_a_wrapper_trimmed_are_no_difference(catalogue: Catalogue) -> None:
    for message in ("Adding newly assigned partitions: ", "Adding newly assigned partitions:"):
        match = found(catalogue, f"[Consumer clientId=a, groupId=b] {message}")
        assert match.values["topic_partitions"] == ""


def test_json_keys_fill_values(catalogue: Catalogue) -> None:
    keys = {"groupId": "web", "memberId": "js-1", "leaderId": "js-1", "groupProtocol": "RoundRobinAssigner"}
    match = found(catalogue, "[ConsumerGroup] Consumer has joined the group", keys=keys)
    assert match.values["group_id"] == "web"
    assert match.values["assignor"] == "RoundRobinAssigner"


def test_keys_of_a_structured_logger_stand_for_the_tail_of_the_message(catalogue: Catalogue) -> None:
    keys = {
        "group": "orders",
        "err": "REBALANCE_IN_PROGRESS: The group is rebalancing, so a rejoin is needed.",
    }
    plain = found(catalogue, f"heartbeat errored; group: {keys['group']}, err: {keys['err']}")
    structured = found(catalogue, "heartbeat errored", keys=keys)
    assert structured.statement.id == plain.statement.id
    assert structured.statement.event == "rebalance_noticed"
    assert structured.values == plain.values


def test_wording_implies_values(catalogue: Catalogue) -> None:
    match = found(
        catalogue, "[Consumer clientId=a, groupId=b] Attempt to join group failed due to unknown member id."
    )
    assert match.values["error"] == "UNKNOWN_MEMBER_ID"


@pytest.mark.parametrize(
    "message", ["", " ", "\n", "hello", "[", "[Consumer clientId=", "\x00" * 50, "{}" * 50]
)
def test_other_text_matches_nothing(catalogue: Catalogue, message: str) -> None:
    assert catalogue.match(message) is None


def test_a_last_word_in_brackets_stays_in_the_value(catalogue: Catalogue) -> None:
    prefix = "[Consumer clientId=a, groupId=b] Request joining group due to: "
    reason = "rebalance failed due to 'No.' (NotCoordinatorException)"
    logger = " (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)"
    for message in (prefix + reason, prefix + reason + logger):
        assert found(catalogue, message).values["reason"] == reason


def test_the_rest_of_an_unknown_header_is_no_hindrance(catalogue: Catalogue) -> None:
    header = "10:15:30.123|INFO|req=7f3a|"
    match = found(catalogue, header + "[Consumer clientId=a, groupId=b] (Re-)joining group")
    assert (match.statement.event, match.values["group_id"]) == ("join_started", "b")
    assert catalogue.match(header + "[Consumer clientId=a, groupId=b] something else") is None


def test_an_answer_given_twice_is_two_answers(catalogue: Catalogue) -> None:
    message = "[Consumer clientId=a, groupId=b] (Re-)joining group"
    first = found(catalogue, message)
    first.values["group_id"] = "changed"
    assert found(catalogue, message).values["group_id"] == "b"


@pytest.mark.parametrize(
    ("message", "event"),
    [
        ("[Consumer clientId=a, groupId=b] Updating assignment with", "assignment_diff"),
        ("Final assignment of partitions to consumers: ", "assignment_computed"),
        ("stream-thread [a] Handle new assignment with:", "streams_assignment_handled"),
    ],
)
def test_a_first_line_alone_is_known(catalogue: Catalogue, message: str, event: str) -> None:
    assert found(catalogue, message).statement.event == event


def test_a_short_first_line_needs_its_prefix(catalogue: Catalogue) -> None:
    assert catalogue.match("failed to join group") is None
