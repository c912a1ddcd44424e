# ruff: noqa: E501 - a question to the views a line
"""What client logs of the cases show, and what a careless reading would make of them."""

from __future__ import annotations

from collections.abc import Callable

from tests.cases.conftest import Case

Read = Callable[..., Case]

EVENTS = "SELECT event, group_id, generation, error, broker_id FROM events ORDER BY line"


def test_c02_rediscoveries_are_neither_moves_nor_rebalances(case: Read) -> None:
    read = case("C02.log", "C02-broker.log")
    assert read.rows("FROM rebalances") == [] and read.rows("FROM coordinator_moves") == []
    # Node 2147483647 is broker 0.
    assert read.rows("SELECT DISTINCT group_id, broker_id FROM events WHERE client = 'java'") == [
        ("connect-file-sink", 0)
    ]
    assert read.rows("SELECT event, broker_id FROM events WHERE role = 'broker'") == [("broker_stopping", 2)]
    assert "rebalance_storm" not in read.kinds()
    assert "coordinator_unavailable" in read.kinds()


def test_c19_the_epoch_counts_and_not_the_local_time_before_it(case: Read) -> None:
    read = case("C19.log")
    assert read.rows("SELECT event, group_id, generation, members, error, strftime(ts::TIMESTAMP, '%Y-%m-%d %H:%M:%S.%g') FROM events ORDER BY line") == [
        (event, "sched_group", None, None, "NOT_COORDINATOR", "2021-05-17 16:34:51.603") for event in ("join_failed", "rejoin_requested")
    ]  # fmt: skip
    assert read.rows("SELECT DISTINCT client_id FROM events") == [("4a3fdbe0-dc6d-43e8-95d8-86de4aaccfe7",)]
    assert read.rows("FROM rebalances WHERE outcome = 'completed'") == []


def test_c23_a_coordinator_that_flaps_is_broker_0(case: Read) -> None:
    read = case("C23.log")
    assert read.rows("SELECT DISTINCT group_id, broker_id FROM events") == [("default", 0)]
    assert read.rows("SELECT event FROM events ORDER BY line") == [
        ("coordinator_discovered",), ("coordinator_unavailable",), ("coordinator_discovered",), ("connection_lost",),
    ]  # fmt: skip
    assert read.rows("FROM rebalances") == []


def test_c24_three_uuids_in_one_line_stay_apart(case: Read) -> None:
    read = case("C24.log")
    group = "8dac1751-9c4e-4dc1-bc6f-c356c1a31c37"
    member = f"consumer-{group}-3-69d2dbd1-01a9-4c48-b5d5-86c540ee0a27"
    assert read.rows("SELECT group_id, generation, member_id, error FROM fenced_requests") == [
        (group, 3, member, "UNKNOWN_MEMBER_ID")
    ]
    assert read.rows("SELECT group_id, generation, outcome FROM rebalances ORDER BY group_id") == [
        (group, 3, "completed"), ("e17e5be0-2503-4c3b-890a-d41a3de0e7d1", 3, "completed"),
    ]  # fmt: skip
    assert read.rows("SELECT broker_id FROM events WHERE event = 'session_timeout'") == [(1001,)]
    assert read.rows("SELECT group_id, member_id, kind FROM member_exits") == [
        (group, member, "session_timeout")
    ]


def test_c27_a_poll_timeout_is_no_session_timeout(case: Read) -> None:
    read = case("C27.log")
    assert read.rows(
        "SELECT group_id, kind, strftime(ts::TIMESTAMP, '%Y-%m-%d %H:%M:%S.%g') FROM member_exits"
    ) == [("app_group", "poll_timeout", "2021-01-14 14:20:34.520")]
    assert read.kinds() == {"poll_timeout"}
    assert read.rows("SELECT level FROM events WHERE event = 'poll_timeout'") == [("WARN",)]


def test_c28_a_session_timeout_inside_the_client(case: Read) -> None:
    read = case("C28.log")
    assert read.rows("SELECT event, error, broker_id FROM events") == [
        ("session_timeout", "REBALANCE_IN_PROGRESS", 10004)
    ]
    assert read.kinds() == {"session_timeout"}


def test_c31_json_lines_without_any_time_are_events(case: Read) -> None:
    read = case("C31.json")
    assert read.sources("lines, undated_lines") == [(2, 2)]
    assert ("heartbeat_failed", "group-y", "NOT_COORDINATOR", None) in read.rows(
        "SELECT event, group_id, error, ts FROM events ORDER BY line"
    )


def test_c32_a_reset_to_the_end_is_not_called_a_loss(case: Read) -> None:
    read = case("C32.log")
    assert read.rows("SELECT topic, partition, strategy, skipped FROM offset_resets ORDER BY ts") == [
        ("topic_a", partition, "latest", "undecidable") for partition in (21, 20, 23, 22)
    ]
    assert read.rows("SELECT map_extract(fields, 'from_pos')[1] FROM events ORDER BY line LIMIT 1") == [
        ("offset 516326517",)
    ]
    assert read.rows("FROM rebalances") == []


def test_c33_json_inside_csv_is_unquoted_twice(case: Read) -> None:
    read = case("C33.csv")
    assert read.rows("SELECT event, group_id, error, strftime(ts::TIMESTAMP, '%H:%M:%S.%g') FROM events") == [
        ("rebalance_noticed", "consumer-group-my-service", "REBALANCE_IN_PROGRESS", "16:04:08.067")
    ]


def test_c35_a_torn_json_export_names_the_leader(case: Read) -> None:
    read = case("C35.json")
    assert read.rows(
        "SELECT generation, client_id, strftime(assigned_at::TIMESTAMP, '%H:%M:%S.%g') FROM leaders"
    ) == [(692, "client-0", "06:51:37.770")]
    assert read.rows("SELECT generation, member_id[:8], len(topic_partitions) FROM assignments ORDER BY member_id") == [
        (692, "client-0", 10), (692, "client-1", 10),
    ]  # fmt: skip
    assert read.rows("SELECT group_id, generation, members FROM rebalances") == [("my-group", 692, 2)]


def test_c38_four_lines_are_one_fenced_instance(case: Read) -> None:
    read = case("C38.json")
    assert read.rows(
        "SELECT error, operation, strftime(ts::TIMESTAMP, '%Y-%m-%d %H:%M:%S.%f') FROM fenced_requests"
    ) == [("FENCED_INSTANCE_ID", "join", "2025-03-12 20:51:51.191610")]
    assert read.kinds() == {"duplicate_instance_id"}


def test_c41_a_member_with_another_protocol_is_refused(case: Read) -> None:
    read = case("C41.log")
    assert read.rows("SELECT group_id, error, attempts FROM refused_joins") == [
        ("app-consumer", "INCONSISTENT_GROUP_PROTOCOL", 1)
    ]
    assert read.rows("SELECT strftime(min(ts)::TIMESTAMP, '%H:%M:%S.%f') FROM events") == [
        ("18:38:47.791862",)
    ]
    assert read.kinds() == {"incompatible_member"}


def test_c53_a_commit_that_is_retried_is_no_loss(case: Read) -> None:
    read = case("C53.log")
    assert read.rows("SELECT group_id, error, count(*) FROM events GROUP BY ALL") == [
        ("app-group", "COORDINATOR_LOAD_IN_PROGRESS", 3)
    ]
    assert read.rows("SELECT severity FROM findings WHERE kind = 'coordinator_loading'") == [("normal",)]
    assert read.rows("FROM rebalances") == []
