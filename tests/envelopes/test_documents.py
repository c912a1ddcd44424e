# ruff: noqa: E501 - log lines are as long as they are
"""JSON printed over many lines, whole, torn or not quite JSON, and values beside the message."""

from __future__ import annotations

import json

from tests.envelopes.reading_of import read

FRAGMENT = """\
    "@timestamp": "2024-12-01T01:00:00.770+01:00",
    "message": "[Consumer clientId=a-0, groupId=g] Finished assignment at generation 7: {a=[t-0]},",
    "logger_name": "org.apache.kafka.clients.Coordinator",
    "thread_name": "container-0-C-1"
  },
  {
    "@timestamp": "2024-12-01T01:00:00.776+01:00",
    "message": "[Consumer clientId=a-1, groupId=g] Successfully joined group with generation 7",
    "logger_name": "org.apache.kafka.clients.Coordinator",
    "thread_name": "container-0-C-2"
"""


def test_a_fragment_that_begins_and_ends_inside_an_object_is_read() -> None:
    _, records, counts = read(FRAGMENT)
    assert [r.line for r in records] == [2, 8]
    assert records[0].message.endswith("{a=[t-0]},")
    assert records[1].ts == 1_733_011_200_776_000
    assert (counts.records, counts.lines) == (2, 10)


def test_the_line_is_the_one_where_the_message_stands() -> None:
    events = [
        {"timestamp": "2024-12-01T00:00:00Z", "level": "INFO", "logger": "a.B", "message": f"m{n}"}
        for n in range(3)
    ]
    text = json.dumps(events, indent=2) + "\n"
    _, records, _ = read(text)
    lines = text.split("\n")
    assert [f'"message": "{r.message}"' in lines[r.line - 1] for r in records] == [True] * 3


def test_nodes_inspected_objects_are_read_on_one_line_and_on_many() -> None:
    text = (
        "{ severity: 7, fac: 'CGRPSTATE', message: '[thrd:main]: Group \"g\" changed state', name: 'a#consumer-1' }\n"
        "{ severity: 4, fac: 'MAXPOLL', message: '[thrd:main]: it\\'s late', name: 'a#consumer-1' }\n"
    )
    _, records, _ = read(text)
    assert [(r.logger, r.thread, r.level) for r in records] == [
        ("CGRPSTATE", "a#consumer-1", "DEBUG"), ("MAXPOLL", "a#consumer-1", "WARN"),
    ]  # fmt: skip
    spread = "{\n  message: '[thrd:main]: leaving group',\n  fac: 'MAXPOLL',\n  timestamp: 1733011200123,\n  name: 'a#consumer-1'\n}\n"
    _, (record,), _ = read(spread * 1)
    assert (record.message, record.logger, record.ts) == (
        "[thrd:main]: leaving group",
        "MAXPOLL",
        1_733_011_200_123_000,
    )


def test_values_beside_the_message_are_handed_on() -> None:
    text = (
        '{"level":"INFO","timestamp":"2024-12-01T00:00:00.123Z","logger":"kafkajs",'
        '"message":"[Consumer] Starting","groupId":"g","isLeader":true,"memberAssignment":{"t":[0,1]}}\n'
    )
    _, (record,), _ = read(text)
    assert record.keys == {"groupId": "g", "isLeader": "true", "memberAssignment": '{"t":[0,1]}'}
    assert (record.message, record.logger, record.level) == ("[Consumer] Starting", "kafkajs", "INFO")


def test_doubly_quoted_json_in_csv_is_read() -> None:
    text = (
        '"@timestamp","message"\n'
        '"Mar 29, 2022 @ 16:04:08.067","{""level"":""debug"",""ts"":""2022-03-29T16:04:08.067Z"",""msg"":""consumer.Logs"",'
        '""Message"":""[thrd:main]: Group \\""g\\"" heartbeat error"",""Tag"":""HEARTBEAT"",""Name"":""s#consumer-1""}"\n'
    )
    _, (record,), counts = read(text)
    assert record.message == '[thrd:main]: Group "g" heartbeat error'
    assert (record.logger, record.thread, record.line) == ("HEARTBEAT", "s#consumer-1", 2)
    assert (counts.foreign, counts.records) == (1, 1)


def test_a_cell_with_line_feeds_is_one_record() -> None:
    text = '@timestamp,@message\n"2024-12-01 00:00:00.123","2024-12-01 00:00:00.123 ERROR [main] c.e.Foo - gone\n\tat a.B(C.java:1)\nCaused by: x"\n'
    _, (record,), counts = read(text)
    assert record.message == "gone\n\tat a.B(C.java:1)\nCaused by: x"
    assert (counts.records, counts.continuation, counts.foreign) == (1, 2, 1)


def test_a_json_log_in_cri_in_an_export_is_unwrapped_to_the_core() -> None:
    inner = json.dumps(
        {"@timestamp": "2024-12-01T00:00:00.5Z", "message": "hello", "logger_name": "a.B", "level": "WARN"}
    )
    cri = f"2024-12-01T00:00:00.600000000Z stdout F {inner}"
    doc = json.dumps(
        {
            "events": [
                {"timestamp": 1733011200700, "message": cri, "ingestionTime": 1, "logStreamName": "p-1"}
            ]
        },
        indent=2,
    )
    _, (record,), _ = read(doc + "\n")
    assert (record.message, record.level, record.logger) == ("hello", "WARN", "a.B")
    assert record.ts == 1_733_011_200_500_000
    assert record.wrapper is not None
    assert record.wrapper.pod == "p-1"


def test_newest_first_exports_are_read_as_they_stand() -> None:
    events = [
        {"timestamp": 1733011200000 - n, "message": f"2024/12/01 00:00:00 m{n}", "ingestionTime": 1}
        for n in range(3)
    ]
    _, records, _ = read(json.dumps({"events": events}, indent=1) + "\n")
    assert [r.message for r in records] == ["m0", "m1", "m2"]


def test_pairs_of_key_and_value_are_a_record_with_values_beside_its_message() -> None:
    text = (
        'time=2024-12-01T00:00:00.123Z level=INFO msg="joined, balancing group" group=orders instance_id=<nil>\n'
        'time="2024-12-01T00:00:01Z" level=warning msg="say \\"x\\"" group=orders\n'
    )
    reading, records, _ = read(text)
    assert reading.envelope == "logfmt"
    assert [(r.message, r.level, r.ts) for r in records] == [
        ("joined, balancing group", "INFO", 1_733_011_200_123_000),
        ('say "x"', "WARN", 1_733_011_201_000_000),
    ]
    assert records[0].keys == {"group": "orders", "instance_id": "<nil>"}


def test_the_path_of_a_log_tells_its_pod() -> None:
    line = "2024-12-01T00:00:00.000000000Z stdout F 2024/12/01 00:00:00 hello\n"
    uid = "0b0e7f1c-8d0e-4c7e-9f0a-5d3b2a1c9e77"
    for name in (
        f"/var/log/pods/shop_orders-0_{uid}/app/0.log",
        f"/var/log/containers/orders-0_shop_app-{'0a' * 32}.log",
    ):
        _, (record,), _ = read(line, name)
        assert record.wrapper is not None
        assert (record.wrapper.pod, record.wrapper.namespace, record.wrapper.container) == (
            "orders-0",
            "shop",
            "app",
        )


def test_lines_behind_a_file_mark_are_those_of_that_file() -> None:
    line = "[2024-12-01 00:00:00,123] INFO Done {} (kafka.server.KafkaServer)\n"
    text = f"==> logs/broker-1.log <==\n{line}\n==> logs/broker-2.log <==\n{line}"
    _, records, counts = read(text)
    assert [r.wrapper.pod if r.wrapper else None for r in records] == ["broker-1", "broker-2"]
    assert counts.foreign == 3
