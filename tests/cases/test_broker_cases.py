# ruff: noqa: E501 - a question to the views a line
"""What broker logs of the cases show, and what a careless reading would make of them."""

from __future__ import annotations

from collections.abc import Callable

from tests.cases.conftest import Case

Read = Callable[..., Case]

REBALANCES = """
    SELECT group_id, generation, round(epoch_ms(completed_at) - epoch_ms(started_at)), outcome, members, cause, coordinator
    FROM rebalances ORDER BY coalesce(started_at, completed_at), group_id
"""
TRIGGERS = "SELECT generation, trigger_member_id FROM rebalances ORDER BY generation"


def test_c03_one_shot_consumers_come_and_go_without_a_storm(case: Read) -> None:
    read = case("C03.log")
    rows = read.rows(
        "SELECT generation, outcome, members, cause, offsets_partition, coordinator FROM rebalances ORDER BY generation"
    )
    assert [row[0] for row in rows] == list(range(103, 117))
    assert {row[1:4] for row in rows[:-1]} == {
        ("emptied", 0, "member_left"),
        ("completed", 1, "member_joined"),
    }
    # The file ends before the last assignment comes.
    assert rows[-1][1:4] == ("open", 1, "member_joined")
    assert {row[4:] for row in rows} == {(36, 2)}
    assert "rebalance_storm" not in read.kinds()
    # "has left group" is printed behind "is now empty": the member left the generation before.
    assert read.rows("SELECT count(*), count(DISTINCT member_id), list(DISTINCT kind) FROM member_exits") == [
        (7, 7, ["left"])
    ]
    assert (
        read.rows(
            "SELECT generation FROM member_exits WHERE generation IS NOT NULL AND generation NOT IN (104, 106, 108, 110, 112, 114)"
        )
        == []
    )


def test_c05_two_brokers_in_one_file_stay_two_brokers(case: Read) -> None:
    read = case("C05.log")
    assert read.rows("SELECT pod, list(DISTINCT broker_id) FROM events GROUP BY pod ORDER BY pod") == [
        ("broker-1", [1]),
        ("broker-2", [2]),
    ]
    assert read.rows(REBALANCES.replace("epoch_ms(completed_at) - epoch_ms(started_at)", "0")) == [
        ("demo-group", 30, 0, "emptied", 0, "member_left", 2), ("stream-group", 221, 0, "emptied", 0, "member_left", 2),
    ]  # fmt: skip
    # The empty generations were never stored.
    assert read.rows("SELECT group_id, error FROM events WHERE event = 'coordinator_write_failed' ORDER BY group_id") == [
        ("demo-group", "NOT_COORDINATOR"), ("stream-group", "NOT_COORDINATOR"),
    ]  # fmt: skip
    assert read.rows("SELECT offsets_partition, strftime(ts::TIMESTAMP, '%H:%M:%S.%g') FROM events WHERE event = 'coordinator_resigned' ORDER BY ts") == [
        (15, "18:38:55.053"), (36, "18:38:55.172"),
    ]  # fmt: skip


def test_c08_a_live_migration_has_epochs_and_no_leader(case: Read) -> None:
    read = case("C08.log")
    assert read.rows("SELECT epoch, strftime(target_at::TIMESTAMP, '%H:%M:%S.%g'), round(epoch_ms(converged_at) - epoch_ms(target_at)) FROM group_epochs ORDER BY epoch") == [
        (4, "09:37:20.677", 5046), (5, "09:38:25.810", None), (6, "09:38:40.249", 5024),
    ]  # fmt: skip
    assert read.rows("FROM rebalances") == [] and read.rows("FROM leaders") == []
    assert read.rows("SELECT DISTINCT member_id FROM events WHERE event = 'member_assignment_changed' ORDER BY 1") == [
        ("6nc1qt8rSeyTwBh__vZELQ",), ("app-a-b8f7c567-6711-4cc6-8720-29ce8dee2034",), ("gjWzAEmmRlOfypB2_GB_9Q",),
    ]  # fmt: skip
    assert "protocol_migration" in read.kinds()


def test_c09_a_group_grows_and_its_first_member_stays_the_leader(case: Read) -> None:
    read = case("C09.log")
    assert read.rows("SELECT generation, members, round(epoch_ms(stabilized_at) - epoch_ms(started_at)), cause FROM rebalances ORDER BY generation") == [
        (1, 1, 3010, "member_joined"), (2, 2, 1767, "member_joined"), (3, 3, 2519, "member_joined"),
    ]  # fmt: skip
    assert read.rows("SELECT DISTINCT member_id FROM leaders") == [
        ("console-consumer-801d7cec-3bb7-4d98-a20e-bfc325394f6d",)
    ]
    assert [trigger.split("-")[2] for _, trigger in read.rows(TRIGGERS)] == [
        "801d7cec",
        "e4575ac0",
        "374a4f33",
    ]


def test_c10_a_static_member_comes_back_without_a_rebalance(case: Read) -> None:
    read = case("C10.log")
    assert read.rows("SELECT group_id, generation, round(epoch_ms(stabilized_at) - epoch_ms(started_at)), members FROM rebalances ORDER BY generation") == [
        ("group-01", 11, 2598, 3), ("group-01", 12, 1629, 2),
    ]  # fmt: skip
    assert read.rows("SELECT group_id, instance_id, outcome FROM static_restarts") == [
        ("group-01-static", "3", "quiet")
    ]
    assert read.rows("SELECT DISTINCT member_id FROM leaders") == [
        ("consumer-group-01-1-cfe2a223-cbaf-4748-b1cd-136595050b93",)
    ]
    assert read.rows("SELECT member_id[:27], kind FROM member_exits") == [
        ("consumer-group-01-1-9034960", "left")
    ]


def test_c13_pasted_bold_and_quoted_lines_are_read(case: Read) -> None:
    read = case("C13.log")
    assert read.rows("SELECT generation, round(epoch_ms(stabilized_at) - epoch_ms(started_at)), cause FROM rebalances ORDER BY generation") == [
        (13, 3, "member_joined"), (14, 9796, "session_timeout"),
    ]  # fmt: skip
    assert read.rows("SELECT member_id[:15], kind FROM member_exits") == [
        ("source-2cb8abb3", "session_timeout")
    ]


def test_c14_kibanas_display_time_is_no_event_time(case: Read) -> None:
    read = case("C14.log")
    assert read.rows("SELECT count(*), min(strftime(ts::TIMESTAMP, '%H:%M:%S.%g')) FROM events") == [
        (3, "10:24:24.876")
    ]
    assert read.rows("SELECT group_id, generation, outcome, members FROM rebalances") == [
        ("svc-group-256297f8-4159-4d2b-b2cb-487028b3fa5b", 2, "emptied", 0)
    ]
    assert read.rows("SELECT member_id, kind FROM member_exits") == [
        ("svc-c5d594c6-18fe-48af-9eef-24c3fe88e0a0", "session_timeout")
    ]


def test_c15_an_erlang_member_id_is_read_whole(case: Read) -> None:
    read = case("C15.log")
    leader = "'svc-default@127.0.0.1'/<0.545471.0>-df3071c8-23e1-4384-ad69-7770362dd7f0"
    assert read.rows(
        "SELECT generation, members, leader_member_id, coordinator, offsets_partition FROM rebalances"
    ) == [(11067, 1, leader, 1037, 31)]


def test_c16_a_client_sticks_to_the_old_coordinator(case: Read) -> None:
    read = case("C16-broker.log", "C16-client.log")
    member = "rdkafka-f1ae5a77-5639-413d-a06e-6c2a1ed9ec85"
    # grep has printed each line twice.
    assert read.rows("SELECT generation, cause, trigger_member_id FROM rebalances") == [
        (57, "session_timeout", member)
    ]
    assert read.rows("SELECT member_id, strftime(ts::TIMESTAMP, '%H:%M:%S.%g') FROM member_exits") == [
        (member, "19:49:14.212")
    ]
    assert read.rows(
        "SELECT min(strftime(ts::TIMESTAMP, '%H:%M:%S.%g')) FROM events WHERE client = 'librdkafka' AND error = 'NOT_COORDINATOR'"
    ) == [("19:48:43.747",)]
    assert "stuck_on_old_coordinator" in read.kinds()


def test_c18_members_join_one_after_another(case: Read) -> None:
    read = case("C18.log")
    assert read.rows("SELECT generation, round(epoch_ms(stabilized_at) - epoch_ms(started_at)), outcome FROM rebalances ORDER BY generation") == [
        (5019, None, "completed"), (5020, 1112, "completed"), (5021, None, "open"),
    ]  # fmt: skip
    assert read.rows(TRIGGERS)[1:] == [
        (5020, "29e24eeb-dd6c-43ed-90e2-9264326e4072-79cc225b-0b3c-446b-90cb-47761c53ded6"),
        (5021, "4e3a85e6-0f55-4094-b196-481c408a11ce-0ac581d0-3671-4534-82f9-a205851ca2ed"),
    ]


def test_c21_a_leader_that_rejoins_is_no_storm(case: Read) -> None:
    read = case("C21.log")
    assert read.rows("SELECT generation, members, cause FROM rebalances ORDER BY generation") == [
        (138896, 1, "unknown"), (138897, 1, "leader_rejoined"),
    ]  # fmt: skip
    assert read.rows("SELECT DISTINCT member_id FROM leaders") == [
        ("ClickHouse-host1-db1-queue1-cab0c981-71b2-4970-b4b2-9538f11b763d",)
    ]
    assert "rebalance_storm" not in read.kinds()


def test_c46_a_coordinator_of_0_10_goes_silent(case: Read) -> None:
    read = case("C46-broker0.log", "C46-broker1.log", "C46-broker2.log")
    assert read.rows("SELECT group_id, generation, outcome, coordinator FROM rebalances ORDER BY group_id") == [
        ("logstash", 5700, "emptied", 0), ("metrics-group", 148, "emptied", 0),
    ]  # fmt: skip
    assert read.rows("SELECT group_id, error FROM events WHERE event = 'coordinator_write_failed'") == [
        ("metrics-group", "REBALANCE_IN_PROGRESS")
    ]
    # Stack traces are part of their records.
    assert read.sources("records, continuation_lines") == [(4, 0), (2, 4), (2, 2)]
