"""Against the recorded statements:

their examples are recognised with the right event, but for a few with a reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from loganalyst.catalogue import Catalogue
from tests.recorded import CATALOGUE, require

REASONS = {
    "connect.assignment_received_by_member.1": "clients.jsonl calls the same text partitions_assigned",
    "connect.assignment_received_by_member.2": "clients.jsonl calls the same text partitions_assigned",
    "connect.rebalance_phase.1": "clients.jsonl calls the same text partitions_revoked",
    "c269": "kafka.jsonl calls the same text task_migrated",
    "client-network.client_closed.1": "its example is a broker, which is no client that closes",
    "c036": "its example is a success, which has a statement of its own",
}
UNFILLED = "<log_prefix> "
"""Some composed examples name the prefix instead of printing it; these are what the three classes print."""

PREFIXES = {"KafkaStreams": "stream-client [a] ", "GlobalStreamThread": "global-stream-thread [a] "}

HEADERS = [
    r"\d{4}-\d\d-\d\d[T ]\S+ +[A-Z]+ +\d+ --- (?:\[[^\]]*\] )+\S+ +: ",
    r"\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+\] [A-Z]+ +",
    r"(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d[.,]\d+ (?:\[[^\]]*\] [A-Z]+ +|[A-Z]+ +\[[^\]]*\] )\S+ - ",
    r"%\d\|[\d.]+\|\w+\|[^|]*\| ",
    r"(?:\d{4}-\S+ )?\[(?:INFO|WARN|ERROR|DEBUG)\] ",
    r"\d{4}-\d\d-\d\d \S+ [A-Z]+ +\[[^\]]*\] \([^)]*\) ",
    r"\[sarama\] \d{4}/\S+ \S+ ",
    r"[A-Z]+ +\d{4}-\S+ \S+ (?=\[shard )",
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d+(?: [A-Z]+ +\S+ |,[\w.]+,[A-Z]+: )",
    r"(?:kafka reader: |\S+ )?\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)? ",
    r"time=\S+ level=\S+ ",
]
HEADER = re.compile("|".join(f"(?:{header})" for header in HEADERS))
LOGGER = re.compile(r"[ \n]{1,2}\((?:org|kafka|state)\.[\w.$]+(?::\d+)?\)\s*\Z")


def recorded() -> Iterator[dict[str, Any]]:
    for name in ("kafka.jsonl", "clients.jsonl"):
        for line in require(CATALOGUE / name).read_text().splitlines():
            statement = json.loads(line)
            if not (statement.get("too_broad") or statement.get("envelope") or statement.get("layout_only")):
                yield statement


def message_of(statement: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Take the header off an example: what the envelopes do, in short."""
    example: str = statement["example"]
    if example.startswith('{"'):
        keys = json.loads(example)
        return keys.pop("message"), {
            key: json.dumps(value) if isinstance(value, (dict, list)) else str(value)
            for key, value in keys.items()
        }
    if example.startswith("{\n  message: "):
        return example.split('"')[1], {}
    text = HEADER.sub("", example, count=1)
    prefix = PREFIXES.get(statement["logger"].rpartition(".")[2], "stream-thread [a] ")
    return LOGGER.sub("", text).replace(UNFILLED, prefix), {}


def test_at_least_99_in_100_examples_are_recognised(catalogue: Catalogue) -> None:
    total, lost, events = 0, [], []
    for statement in recorded():
        total += 1
        message, keys = message_of(statement)
        match = catalogue.match(message, logger=statement["logger"], keys=keys)
        if match is None:
            lost.append(statement["id"])
        elif match.statement.event != statement["event"] and statement["id"] not in REASONS:
            events.append((statement["id"], statement["event"], match.statement.id))
    assert total > 2250
    assert lost == []
    assert len(events) <= total // 100, events


def test_every_group_relevant_example_is_kept(catalogue: Catalogue) -> None:
    unkept = []
    for statement in recorded():
        if statement["event"] in (
            "other",
            "isr_changed",
            "partition_leader_start",
            "partition_leaderless",
            "topic_created",
            "partition_registered",
        ):
            continue
        message, keys = message_of(statement)
        match = catalogue.match(message, logger=statement["logger"], keys=keys)
        network = statement.get("component") == "client-network"
        if match is None or not (match.keep or network):
            unkept.append((statement["id"], message[:80]))
    assert unkept == []


@pytest.mark.parametrize("layout", ["c154", "c155", "c156", "c157"])
def test_structured_layouts_of_one_franz_go_line_say_the_same(catalogue: Catalogue, layout: str) -> None:
    keys = {
        "group": "orders",
        "member_id": "kgo-3c0b8a52-9d15-4f9e-8f63-a1d2f0c4b5e6",
        "generation": "7",
        "balance_protocol": "range",
        "leader": "true",
    }
    if layout in ("c154", "c155", "c157"):
        keys["instance_id"] = "<nil>"
    match = catalogue.match("joined, balancing group", keys=keys)
    assert match is not None
    assert match.statement.event == "leader_elected"
    assert (match.values["generation"], match.values["assignor"]) == ("7", "range")
