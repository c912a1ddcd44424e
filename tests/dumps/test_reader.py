"""What Kafka's tools print becomes events of role `tool`, whatever the release."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.dataset.schema import EVENTS
from loganalyst.dumps import DumpReader, recognise
from tests.recorded import CASES, CORPORA


def read(text: str) -> tuple[list[dict[str, Any]], DumpReader]:
    reader = DumpReader("dump.txt")
    return [event for line in text.splitlines() if (event := reader.feed(line))], reader


def table(header: str, *rows: str) -> list[dict[str, Any]]:
    return read("\n".join(["", header, *rows]))[0]


def test_offsets_of_0_11_have_no_group_column() -> None:
    (row,) = table(
        "TOPIC                          PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG        CONSUMER-ID"
        "                                       HOST                           CLIENT-ID",
        "orders                         3          41              42              1          app-1-2f9b0b6e-"
        "3a3c-4e0c-9f60-0a1b2c3d4e5f              /10.1.2.3                      app-1",
    )
    assert row["group_id"] is None
    assert row["topic_partitions"] == ["orders-3"]
    assert row["member_id"] == "app-1-2f9b0b6e-3a3c-4e0c-9f60-0a1b2c3d4e5f"
    assert row["host"] == "10.1.2.3"
    assert row["fields"]["lag"] == "1"
    assert row["fields"]["detail_event"] == "dump_group_offset"


def test_a_group_without_members_shows_dashes_and_they_are_unknown() -> None:
    (row,) = table(
        "GROUP    TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID",
        "reports  orders  0          -               12              -    -            -     -",
    )
    assert (row["member_id"], row["host"], row["client_id"]) == (None, None, None)
    assert "current_offset" not in row["fields"]
    assert row["fields"]["log_end_offset"] == "12"


def test_offsets_of_4_0_verbose_have_the_leader_epoch() -> None:
    (row,) = table(
        "GROUP TOPIC  PARTITION LEADER-EPOCH CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        "g     orders 7         2            10             10             0   c-1         /h   c",
    )
    assert row["fields"]["leader_epoch"] == "2"
    assert row["fields"]["current_offset"] == "10"


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT", "m-1 /h c 3 orders(0,1), payments(3)"),
        ("GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT", "g m-1 /h c 3 orders(0,1), payments(3)"),
        (
            "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT TARGET-EPOCH"
            " TARGET-ASSIGNMENT",
            "g m-1 /h c 3 - orders:0,1;payments:3 - -",
        ),
    ],
)
def test_assignments_are_read_in_both_of_their_forms(header: str, row: str) -> None:
    (event,) = table(header, row)
    assert event["topic_partitions"] == ["orders-0", "orders-1", "payments-3"]
    assert event["member_id"] == "m-1"


def test_instance_ids_and_epochs_of_a_mixed_group() -> None:
    (row,) = table(
        "GROUP CONSUMER-ID GROUP-INSTANCE-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT"
        " TARGET-EPOCH TARGET-ASSIGNMENT UPGRADED",
        "g Qo37aSUDQVSPZ08vJusHlQ i-0 /h c 2 11 orders:8,9 12 orders:8 false",
    )
    assert (row["instance_id"], row["epoch"], row["group_type"]) == ("i-0", 11, "consumer")
    assert row["fields"]["target_epoch"] == "12"
    assert row["fields"]["upgraded"] == "false"


def test_member_ids_may_hold_blanks_and_brackets() -> None:
    member = "app@host (github.com/segmentio/kafka-go)-acd31519-5c10-4872-9beb-721b2c0f2628"
    header = f"{'GROUP':15} {'CONSUMER-ID':{len(member)}} {'HOST':15} {'CLIENT-ID':45} #PARTITIONS"
    client = "app@host (github.com/segmentio/kafka-go)"
    (row,) = table(header, f"{'my group':15} {member} {'/10.0.0.1':15} {client:45} 4")
    assert row["group_id"] == "my group"
    assert row["member_id"] == member
    assert row["client_id"] == client


@pytest.mark.parametrize(
    ("header", "row", "assignor"),
    [
        (
            "COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE  #MEMBERS",
            "h:9092 (1) range Stable 6",
            "range",
        ),
        (
            "GROUP  COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS",
            "g      h:9092 (1)                                     Stable          6",
            None,
        ),
        (
            "GROUP  COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE                #MEMBERS",
            "g      h:9092  (1)               -                    Stable               6",
            None,
        ),
        (
            "GROUP  COORDINATOR (ID)          ASSIGNMENT-STRATEGY  STATE           #MEMBERS",
            "g      a-rather-long-host.example.org:9092 (1) a-custom-assignor-of-ours Stable 6",
            "a-custom-assignor-of-ours",
        ),
    ],
)
def test_the_state_names_the_real_broker_id(header: str, row: str, assignor: str | None) -> None:
    (event,) = table(header, row)
    assert (event["broker_id"], event["state"], event["members"]) == (1, "Stable", 6)
    assert event["assignor"] == assignor


def test_the_verbose_state_of_4_0_has_both_epochs() -> None:
    (row,) = table(
        "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE GROUP-EPOCH TARGET-ASSIGNMENT-EPOCH #MEMBERS",
        "g h:9092 (3) uniform Reconciling 12 11 4",
    )
    assert (row["epoch"], row["fields"]["target_assignment_epoch"], row["broker_id"]) == (12, "11", 3)


def test_groups_are_listed_with_their_types() -> None:
    rows = table(
        "GROUP                TYPE                 PROTOCOL            ",
        "orders               Classic              consumer            ",
        "audit                Consumer             consumer            ",
        "simple               Classic                                  ",
    )
    assert [(r["group_id"], r["group_type"]) for r in rows] == [
        ("orders", "classic"),
        ("audit", "consumer"),
        ("simple", "classic"),
    ]


def test_share_and_streams_groups_have_tables_of_their_own() -> None:
    (share,) = table("GROUP TOPIC PARTITION START-OFFSET LAG", "s orders 0 12 3")
    (streams,) = table("GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS", "w m-1 p-1 c-1 ACTIVE: 0:[0,1]; 1:[2];")
    assert (share["group_type"], share["fields"]["start_offset"]) == ("share", "12")
    assert (streams["group_type"], streams["member_id"]) == ("streams", "m-1")


def test_partitions_of_the_offsets_topic_become_rows_and_others_do_not() -> None:
    text = (
        "Topic: __consumer_offsets\tTopicId: abc\tPartitionCount: 50\tReplicationFactor: 1\tConfigs: a=b,c=d"
        "\n"
        "\tTopic: __consumer_offsets\tPartition: 2\tLeader: none\tReplicas: 1\tIsr: 1\n"
        "\tTopic: __consumer_offsets\tPartition: 3\tLeader: 2\tReplicas: 2,1\tIsr: 2\t"
        "Adding Replicas: 1\tRemoving Replicas: \tElr: \tLastKnownElr: \n"
        "\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n"
    )
    topic, offline, led = read(text)[0]
    assert topic["fields"]["replication_factor"] == "1"
    assert topic["fields"]["configs"] == "a=b,c=d"
    assert (offline["offsets_partition"], offline["broker_id"]) == (2, None)
    assert (led["broker_id"], led["fields"]["replicas"], led["fields"]["isr"]) == (2, "2,1", "2")
    assert led["fields"]["adding_replicas"] == "1"
    assert recognise(text.encode()) == "kafka-topics"


def test_the_oldest_topics_tool_writes_no_blank_after_its_colon() -> None:
    (row,) = read("Topic:__consumer_offsets\tPartitionCount:50\tReplicationFactor:3\tConfigs:a=b")[0]
    assert row["fields"]["partition_count"] == "50"


def test_a_missing_group_is_said_with_its_error_and_its_stack_trace_belongs_to_it() -> None:
    text = (
        "\nError: Executing consumer group command failed due to "
        "org.apache.kafka.common.errors.GroupIdNotFoundException: Group reports not found.\n"
        "java.util.concurrent.ExecutionException: org.example.X: Group reports not found.\n"
        "\tat java.base/java.util.concurrent.CompletableFuture.get(CompletableFuture.java:2073)\n"
        "Caused by: org.apache.kafka.common.errors.X: Group reports not found.\n"
    )
    (event,), reader = read(text)
    assert (event["group_id"], event["error"]) == ("reports", "GROUP_ID_NOT_FOUND")
    assert (reader.counts.continuation, reader.counts.foreign) == (3, 1)
    assert recognise(text.encode()) == "kafka-consumer-groups"


def test_every_event_has_the_columns_of_the_dataset_and_leads_back_to_its_line() -> None:
    (row,) = table("GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS", "g h:1 (1) range Stable 2")
    assert list(row) == EVENTS.names
    assert (row["role"], row["event"], row["ts"], row["line"], row["source"]) == (
        "tool",
        "other",
        None,
        3,
        "dump.txt",
    )


def test_every_recorded_dump_is_recognised_and_every_line_of_it_accounted_for() -> None:
    dumps = sorted(CORPORA.glob("*/dumps/*.txt"))
    assert dumps
    for path in dumps:
        text = path.read_text()
        assert recognise(text.encode()), path
        events, reader = read(text)
        assert events, path
        counts = reader.counts
        assert counts.lines == counts.undated + counts.continuation + counts.foreign == text.count("\n")


def test_no_recorded_log_is_taken_for_a_dump() -> None:
    logs = [*CORPORA.glob("*/logs/*.log"), *CASES.glob("C*")]
    assert logs
    for path in logs:
        with path.open("rb") as log:
            assert recognise(log.read(16384)) is None, path


@given(st.lists(st.text(st.characters(exclude_characters="\r\n"), max_size=80), max_size=20))
def test_whatever_stands_in_a_dump_the_account_adds_up(lines: list[str]) -> None:
    reader = DumpReader("x")
    for line in ["GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS", *lines]:
        reader.feed(line)
    counts = reader.counts
    assert counts.lines == len(lines) + 1
    assert counts.lines == counts.undated + counts.continuation + counts.foreign
