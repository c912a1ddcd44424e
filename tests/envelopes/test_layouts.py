# ruff: noqa: E501 - log lines are as long as they are
"""Headers are cut off exactly, whoever printed them; the message begins where the message begins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loganalyst.envelopes.layouts import known, level_name
from loganalyst.envelopes.times import SHAPES
from tests.envelopes.reading_of import messages, read

KAFKA = "[Consumer clientId=orders-0, groupId=orders] (Re-)joining group"
OTHER = "Kafka version: 3.9.0"
GROUP = "[GroupCoordinator 2]: Stabilized group orders generation 7 (__consumer_offsets-3) with 3 members"

# Two messages under one header; `{}` is where the message stands.
HEADERS = {
    "[2024-12-01 00:00:00,123] INFO {} (kafka.coordinator.group.GroupCoordinator)": "log4j",
    "[2024-12-01 00:00:00,123] INFO [my-sink|task-0] {} (org.apache.kafka.clients.Consumer:604)": "log4j",
    "2024-12-01 00:00:00,123 INFO {} (kafka.coordinator.group.GroupCoordinator) [data-plane-1]": "strimzi",
    "2024-12-01 00:00:00 INFO  [group-metadata-manager-0] GroupCoordinator:123 - {}": "logback",
    "2024-12-01 00:00:00,123 INFO   ||  {}   [org.apache.kafka.clients.Consumer]": "debezium",
    "2024-12-01 00:00:00.123  INFO 4711 --- [ntainer#0-0-C-1] o.a.k.c.c.internals.ConsumerCoordinator  : {}": "spring-boot",
    "2024-12-01T00:00:00.123+01:00  INFO 1 --- [orders] [ntainer#0-0-C-1] o.a.k.c.Coordinator : {}": "spring-boot",
    "2024-12-01T00:00:00.123Z  INFO 1 --- [orders] [main] [4bf92f3577b34da6-00f067aa0ba902b7] c.e.Foo : {}": "spring-boot",
    "2024-12-01 00:00:00,123 INFO  [org.apa.kaf.cli.con.int.ConsumerCoordinator] (vert.x-kafka-thread-0) {}": "quarkus",
    "00:00:00.123 [main] INFO  o.a.k.c.c.internals.ConsumerCoordinator - {}": "logback",
    "00:00:00.123 [main] INFO  o.a.k.c.c.internals.ConsumerCoordinator -- {}": None,
    "[main] INFO org.apache.kafka.clients.consumer.internals.ConsumerCoordinator - {}": "slf4j-simple",
    "2024-12-01 00:00:00,123 INFO  org.apache.kafka.clients.consumer.internals.ConsumerCoordinator [] - {}": "flink",
    "24/12/01 00:00:00 INFO ConsumerCoordinator: {}": None,
    "INFO  2024-12-01 00:00:00,123 [shard 0:main] kafka - {}": "redpanda",
    "%7|1733011200.123|CGRPSTATE|rdkafka#consumer-1| {}": "librdkafka",
    "[2024-12-01T00:00:00Z][orders-svc#consumer-1][JOINGROUP][7]{}": "confluent-kafka-go LogEvent",
    "4|2024-12-01 00:00:00.123|rdkafka#consumer-1|SESSTMOUT| {}": "confluent-kafka-dotnet",
    "[2024-12-01T00:00:00Z WARN  librdkafka] librdkafka: MAXPOLL {}": "rust-rdkafka under env_logger",
    "2024-12-01 00:00:00,123 WARNING kafka_consumer: MAXPOLL [rdkafka#consumer-1] {}": "librdkafka under Python logging",
    "2024/12/01 00:00:00 {}": "go-log",
    "[sarama] 2024/12/01 00:00:00.123456 {}": "go-log",
    "kafka reader: 2024/12/01 00:00:00.123456 {}": "go-log",
    "2024-12-01 00:00:00,123 INFO [kafka.coordinator] {}": "python-logging",
    "2024-12-01 00:00:00,123,aiokafka.consumer.group_coordinator,INFO: {}": "python-logging",
    "2024-12-01 00:00:00,123 - kafka.coordinator - INFO - {}": "python-logging",
    "2024-12-01 00:00:00,123 INFO kafka.coordinator {}": None,
    "INFO:kafka.coordinator:{}": "python-basic",
    "2024-12-01T00:00:00.123Z [INFO] {}": "franz-go",
    "I, [2024-12-01T00:00:00.791862 #8]  INFO -- : {}": "ruby-logger",
    "2024-12-01T00:00:00.123456Z  INFO rdkafka::client: {}": None,
    "[00:00:00 INF] {}": "serilog",
    # Nobody declared these.
    "2024-12-01 00:00:00,123 | INFO  | kafka-thread | o.a.k.c.c.i.ConsumerCoordinator | {}": None,
    "INFO  [2024-12-01 00:00:00,123] org.apache.kafka.clients.Consumer: {}": None,
    "2024-12-01T00:00:00.123+01:00 [INFO ] [main] [c.e.Foo] [] [traceId=] - {}": None,
    "2024-12-01 00:00:00.123 INFO 1234 [main] c.e.Foo.bar(12) - {}": None,
    "2024-12-01 00:00:00.123 UTC [INFO] [pool-1-thread-1] com.foo.Bar {}": None,
    "[2024-12-01T00:00:00,123][INFO ][o.a.k.c.Coordinator      ] {}": None,
    "2024-12-01 00:00:00.123 INFO  [,,] 1 --- [main] c.e.Foo : {}": None,
    "01-Dec-2024 00:00:00.123 INFO [main] org.apache.kafka.clients.Consumer {}": None,
}  # fmt: skip


@pytest.mark.parametrize("header", HEADERS)
def test_the_header_is_cut_off_exactly(header: str) -> None:
    name = HEADERS[header]
    text = "\n".join(header.replace("{}", message) for message in (OTHER, KAFKA, GROUP, KAFKA)) + "\n"
    reading, records, _ = read(text)
    assert [r.message for r in records] == [OTHER, KAFKA, GROUP, KAFKA], reading.layout
    if name is not None:
        assert reading.layout == name


@pytest.mark.parametrize("header", HEADERS)
def test_level_logger_and_time_are_read(header: str) -> None:
    _, records, _ = read("\n".join(header.replace("{}", m) for m in (OTHER, KAFKA, GROUP)) + "\n")
    words = set(header.replace("[", " ").replace("]", " ").replace("|", " ").replace(":", " ").split())
    if words & {"INFO", "INF"}:
        assert {r.level for r in records} == {"INFO"}
    if "WARN" in header:
        assert {r.level for r in records} == {"WARN"}
    if "onsumerCoordinator" in header:
        assert all(r.logger and r.logger.endswith("ConsumerCoordinator") for r in records)
    dated = any(stamp in header for stamp in ("2024", "1733011200", "24/12/01"))
    assert all((r.ts is not None) == dated for r in records)
    if dated and "+01:00" not in header:
        assert all(r.ts is not None and r.ts // 1_000_000 == 1_733_011_200 for r in records)


def test_librdkafkas_facility_and_client_are_logger_and_thread() -> None:
    _, (record,), _ = read("%4|1733011200.123|MAXPOLL|orders#consumer-1| [thrd:main]: leaving group\n")
    assert (record.level, record.logger, record.thread) == ("WARN", "MAXPOLL", "orders#consumer-1")
    assert record.message == "[thrd:main]: leaving group"
    assert record.ts == 1_733_011_200_123_000


def test_a_static_member_fenced_at_level_zero_is_read() -> None:
    _, (record,), _ = read("%0|1733011200.123|FATAL|orders#consumer-1| [thrd:main]: Fatal error\n")
    assert record.level == "FATAL"


def test_the_logger_stands_behind_a_message_of_many_lines_and_before_its_stack_trace() -> None:
    text = (
        "[2024-12-01 00:00:00,123] INFO ConsumerConfig values: \n\tauto.offset.reset = latest\n"
        " (org.apache.kafka.clients.consumer.ConsumerConfig)\n"
        "[2024-12-01 00:00:01,123] WARN Error in fetch (kafka.server.ReplicaFetcherThread)\n"
        "java.io.IOException: gone\n\tat kafka.utils.Blocking.send(Blocking.scala:114)\n"
        "[2024-12-01 00:00:02,123] INFO Done (kafka.server.KafkaServer)\n"
    )
    _, records, counts = read(text)
    assert [r.logger for r in records] == [
        "org.apache.kafka.clients.consumer.ConsumerConfig", "kafka.server.ReplicaFetcherThread", "kafka.server.KafkaServer",
    ]  # fmt: skip
    assert records[1].message.startswith("Error in fetch\njava.io.IOException: gone\n\tat ")
    assert [r.lines for r in records] == [3, 3, 1]
    assert counts.continuation == 4


def test_blanks_that_kafka_printed_for_an_empty_list_are_kept() -> None:
    assert messages("[2024-12-01 00:00:00,123] INFO Partitions for election:  (kafka.Controller)\n") == [
        "Partitions for election: "
    ]


def test_java_util_loggings_header_takes_two_lines() -> None:
    text = (
        "Dec 01, 2024 12:00:00 AM org.apache.kafka.clients.Consumer join\n"
        f"INFO: {KAFKA}\n"
        "Dec 01, 2024 1:00:01 PM org.apache.kafka.clients.Consumer join\n"
        f"WARNING: {OTHER}\n"
    )
    _, records, counts = read(text)
    assert [(r.message, r.level) for r in records] == [(KAFKA, "INFO"), (OTHER, "WARN")]
    assert records[1].ts == (1_733_011_200 + 13 * 3600 + 1) * 1_000_000
    assert (counts.records, counts.continuation) == (2, 2)


def test_microsofts_console_header_takes_two_lines() -> None:
    text = "info: Orders.Consumer[0]\n      Assigned partitions\nwarn: Orders.Consumer[0]\n      Lost partitions\n"
    _, records, _ = read(text)
    assert [(r.message, r.level, r.logger) for r in records] == [
        ("Assigned partitions", "INFO", "Orders.Consumer"), ("Lost partitions", "WARN", "Orders.Consumer"),
    ]  # fmt: skip


def test_a_file_without_any_header_gives_a_record_a_line() -> None:
    text = "entering loop for consumer group, search\njoined group search as member m in generation 3\n\tdetail\n"
    reading, records, counts = read(text)
    assert [r.message for r in records] == [
        "entering loop for consumer group, search",
        "joined group search as member m in generation 3\n\tdetail",
    ]
    assert (counts.undated, counts.foreign + counts.continuation) == (2, 1)
    assert reading.layout == "none"


def test_two_services_in_one_file_are_each_read_by_their_own_layout() -> None:
    text = (
        f"[2024-12-01 00:00:00,123] INFO {GROUP} (kafka.coordinator.group.GroupCoordinator)\n"
        f"2024-12-01T00:00:01.123Z  INFO 1 --- [           main] o.a.k.c.Coordinator : {KAFKA}\n"
        f"%7|1733011202.123|JOIN|a#consumer-1| [thrd:main]: joining\n"
    ) * 3
    _, records, _ = read(text)
    assert [r.message for r in records] == [GROUP, KAFKA, "[thrd:main]: joining"] * 3


def test_an_untimed_line_of_the_program_between_librdkafkas_is_a_record_of_its_own() -> None:
    text = "%4|1733011200.123|MAXPOLL|a#consumer-1| [thrd:main]: leaving group\nconsumer error: refused\n"
    assert messages(text) == ["[thrd:main]: leaving group", "consumer error: refused"]


@pytest.mark.parametrize(
    ("word", "level"), [("warning", "WARN"), ("SEVERE", "ERROR"), ("7", "DEBUG"), ("W", "WARN")]
)
def test_levels_have_one_spelling(word: str, level: str) -> None:
    assert level_name(word) == level


def test_every_declared_layout_compiles_and_is_named() -> None:
    for layout in known():
        assert layout.name
        assert all(replace(layout, shape=shape).starts.groups >= 4 for shape in SHAPES)
        assert layout.ending is None or "{message}" in layout.pattern


@pytest.mark.parametrize("header", HEADERS)
def test_a_layout_whose_time_may_have_any_shape_begins_where_the_one_of_that_shape_does(header: str) -> None:
    line = header.format(KAFKA).partition("\n")[0]
    for layout in known():
        if layout.timed:
            bound = [replace(layout, shape=shape).starts.match(line) for shape in SHAPES]
            ends = [found.end() for found in bound if found is not None]
            free = layout.starts.match(line)
            assert (free.end() if free else None) == (ends[0] if ends else None)
