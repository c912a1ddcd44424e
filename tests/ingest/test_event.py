"""A matched record becomes a row: typed, unwrapped, in Kafka's own words for errors."""

from __future__ import annotations

from typing import Any

import pytest

from loganalyst.catalogue import Match, Statement, load
from loganalyst.envelopes.record import Record, Wrapper
from loganalyst.ingest.event import MESSAGE_LIMIT, SourceFacts, text_of, to_event

FACTS = SourceFacts("logs/x.log", cluster="east")


def statement(event: str, **more: Any) -> Statement:
    return Statement(
        **{"id": "x.1", "event": event, "component": "x", "role": "client", "template": "", **more}
    )


def row(
    event: str,
    values: dict[str, str],
    *,
    message: str = "m",
    record: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    made = Record(line=3, lines=1, message=message, ts=5, level="INFO", logger="l", **(record or {}))
    return to_event(made, Match(statement(event, **more), values), FACTS)


def read(message: str) -> dict[str, Any]:
    match = load().match(message)
    assert match is not None
    return to_event(Record(line=1, lines=1, message=message), match, FACTS)


def test_the_record_and_the_source_are_in_the_row() -> None:
    made = row("poll_timeout", {}, client="java")
    assert (made["cluster"], made["source"], made["line"], made["ts"]) == ("east", "logs/x.log", 3, 5)
    assert (made["event"], made["role"], made["client"], made["template"]) == (
        "poll_timeout",
        "client",
        "java",
        "x.1",
    )
    assert (made["level"], made["logger"], made["message"]) == ("INFO", "l", "m")


def test_every_named_value_is_in_fields_as_it_was_printed() -> None:
    made = row("group_empty", {"group_id": "Some(g)", "generation": "4"}, detail_event="finer")
    assert dict(made["fields"]) == {"group_id": "Some(g)", "generation": "4", "detail_event": "finer"}
    assert (made["group_id"], made["generation"]) == ("g", 4)


def test_unknown_is_null_whatever_it_is_printed_as() -> None:
    made = row(
        "join_failed",
        {"generation": "-1", "group_id": "null", "member_id": "", "instance_id": "Optional.empty"},
    )
    assert (made["generation"], made["group_id"], made["member_id"], made["instance_id"]) == (
        None,
        None,
        None,
        None,
    )


def test_the_id_of_a_coordinator_node_is_turned_into_its_broker_and_kept() -> None:
    made = row("coordinator_discovered", {"coordinator_node_id": "2147483646"})
    assert made["broker_id"] == 1
    assert dict(made["fields"])["coordinator_node_id"] == "2147483646"


def test_a_classic_group_has_generations_and_no_epoch() -> None:
    made = row(
        "heartbeat_failed", {"group_id": "g", "generation": "3", "epoch": "9"}, component="kafka-python"
    )
    assert (made["group_type"], made["generation"], made["epoch"]) == ("classic", 3, None)


def test_other_groups_have_epochs_even_if_the_client_says_generation() -> None:
    made = row("member_state_changed", {"group_id": "g", "generation": "3"}, component="librdkafka")
    assert (made["group_type"], made["generation"], made["epoch"]) == ("consumer", None, 3)


def test_the_leader_epoch_of_an_offsets_partition_is_an_epoch() -> None:
    made = row(
        "coordinator_elected",
        {"offsets_partition": "17", "epoch": "Some(12)"},
        component="broker-classic-coordinator",
        role="broker",
    )
    assert (made["offsets_partition"], made["epoch"], made["generation"]) == (17, 12, None)


@pytest.mark.parametrize(
    ("template", "kind"),
    [
        ("Loaded classic group {group_id} with {members} members.", "classic"),
        ("Loaded generic group {group_id} with {members} members.", "classic"),
        ("Loaded share group {group_id} with {members} members.", "share"),
        ("Loaded streams group {group_id} with {members} members.", "streams"),
        ("[GroupId {group_id}] Converted the classic group to a consumer group.", "consumer"),
    ],
)
def test_the_words_of_a_broker_say_the_group_type(template: str, kind: str) -> None:
    made = row(
        "group_loaded",
        {"group_id": "g"},
        template=template,
        component="broker-new-coordinator",
        role="broker",
    )
    assert made["group_type"] == kind


def test_an_error_is_named_as_the_protocol_does_and_its_words_are_kept() -> None:
    made = row("heartbeat_failed", {"error": "This is not the correct coordinator."})
    assert made["error"] == "NOT_COORDINATOR"
    assert dict(made["fields"])["error_text"] == "This is not the correct coordinator."


def test_words_that_are_no_kafka_error_give_none_and_are_kept() -> None:
    made = row("offset_commit_failed", {"error": "disk on fire"})
    assert made["error"] is None
    assert dict(made["fields"])["error_text"] == "disk on fire"


def test_topic_and_partition_of_a_line_are_its_partitions() -> None:
    assert row("offset_reset", {"topic": "a-b", "partition": "3"})["topic_partitions"] == ["a-b-3"]


def test_an_empty_list_of_partitions_is_not_unknown() -> None:
    assert row("partitions_assigned", {"topic_partitions": ""})["topic_partitions"] == []
    assert row("poll_timeout", {})["topic_partitions"] is None


def test_the_wrapper_names_pod_and_host_of_a_client() -> None:
    made = row("poll_timeout", {}, record={"wrapper": Wrapper(pod="orders-0", host="node-7")})
    assert (made["pod"], made["host"]) == ("orders-0", "node-7")


def test_the_host_of_a_broker_line_is_the_members() -> None:
    wrapper = {"wrapper": Wrapper(pod="kafka-0", host="node-7")}
    made = row("member_loaded", {"client_host": "/10.1.2.3"}, role="broker", record=wrapper)
    assert (made["pod"], made["host"]) == ("kafka-0", "10.1.2.3")


def test_stack_frames_are_cut_off_and_the_exception_stays() -> None:
    text = "JoinGroup failed\norg.x.GroupException: refused\n\tat a.B.c(D.java:1)\n\tat e.F.g(H.java:2)"
    assert text_of(text) == "JoinGroup failed\norg.x.GroupException: refused"


def test_lists_over_several_lines_stay_whole() -> None:
    text = "Updating assignment with\n\tAssigned partitions: [a-0]\n\tAdded partitions: []\n"
    assert text_of(text) == text


def test_a_huge_message_is_cut_and_says_so() -> None:
    cut = text_of("x" * (MESSAGE_LIMIT + 7))
    assert len(cut) < MESSAGE_LIMIT + 100
    assert cut.endswith("7 characters more")


def test_a_real_line_of_an_old_and_a_new_coordinator() -> None:
    old = read(
        "[GroupCoordinator 1]: Stabilized group orders generation 7 (__consumer_offsets-17) with 6 members"
    )
    prefix = "[GroupCoordinator id=1 topic=__consumer_offsets partition=17] "
    new = read(prefix + "Stabilized group orders generation 7 with 6 members.")
    for made in (old, new):
        values = (
            made["group_id"],
            made["generation"],
            made["offsets_partition"],
            made["members"],
            made["broker_id"],
        )
        assert values == ("orders", 7, 17, 6, 1)
        assert made["group_type"] == "classic"
