"""An error is known by its protocol name, however a client words it."""

from __future__ import annotations

import re

import pytest

from loganalyst.catalogue.errors import protocol_name
from tests.recorded import CATALOGUE, require

WORDS = {
    "REBALANCE_IN_PROGRESS": [
        "The group is rebalancing, so a rejoin is needed.",
        "Broker: Group rebalance in progress",
        "[27] Rebalance In Progress: the coordinator has begun rebalancing the group",
        "kafka server: A rebalance for the group is in progress. Please re-join the group",
        "[Error 27] RebalanceInProgressError",
        "Kafka::RebalanceInProgress",
        ":rebalance_in_progress",
        "org.apache.kafka.common.errors.RebalanceInProgressException: x",
        "encountered REBALANCE_IN_PROGRESS from JOIN_GROUP response",
    ],
    "NOT_COORDINATOR": [
        "This is not the correct coordinator.",
        "Broker: Not coordinator",
        "[16] Not Coordinator For Group: the broker is not the coordinator",
        "[Error 16] NotCoordinatorForGroupError",
        "NOT_COORDINATOR_FOR_GROUP",
        "error response NOT_COORDINATOR",
    ],
    "INCONSISTENT_GROUP_PROTOCOL": [
        "The group member's supported protocols are incompatible with those of existing members or first "
        "group member tried to join with empty protocol type or empty protocol list.",
        "Broker: Inconsistent group protocol",
        "[Error 23] InconsistentGroupProtocolError",
        "Kafka::InconsistentGroupProtocol",
    ],
    "FENCED_INSTANCE_ID": [
        "The broker rejected this static consumer since another consumer with the same group.instance.id has "
        "registered with a different member.id.",
        "Broker: Static consumer fenced by other consumer with same group.instance.id",
        "FencedInstanceIdException",
    ],
    "GROUP_MAX_SIZE_REACHED": [
        "The consumer group has reached its max size.",
        "Broker: Consumer group has reached maximum size",
        "[Error 81] GroupMaxSizeReachedError",
    ],
    "UNKNOWN_MEMBER_ID": ["25", "Broker: Unknown member: orders[0]", "unknown_member_id"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WORDS.items() for text in texts])
def test_any_clients_words_give_the_protocol_name(name: str, text: str) -> None:
    assert protocol_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "null",
        "None",
        "0",
        "Success",
        "(no error)",
        "context canceled",
        "Local: Waiting for coordinator",
        "CommitFailedError: cannot",
        "coordinator unavailable",
        "[999] Something",
    ],
)
def test_other_text_names_no_error(text: str | None) -> None:
    assert protocol_name(text) is None


def test_the_first_name_in_a_sentence_wins() -> None:
    assert protocol_name("STALE_MEMBER_EPOCH after FENCED_MEMBER_EPOCH") == "STALE_MEMBER_EPOCH"


def test_longer_words_win_over_shorter_ones() -> None:
    assert protocol_name("The group coordinator is not available") == "COORDINATOR_NOT_AVAILABLE"


def test_the_recorded_table_of_client_words_is_understood() -> None:
    """`clients.md`, section D: one row an error, one column a client."""
    text = require(CATALOGUE / "clients.md").read_text()
    table = text.split("## D.")[1].split("## E.")[0]
    checked = 0
    for row in re.findall(r"^\| ([A-Z_]+) (\d+) \|(.*)\|$", table, re.MULTILINE):
        name = {"GROUP_MAX_SIZE": "GROUP_MAX_SIZE_REACHED"}.get(row[0], row[0])
        for words in row[2].split("|"):
            if not re.search(r"[a-z]", words) or words.strip().startswith("(own"):
                continue
            assert protocol_name(words.strip()) == name, words
            checked += 1
    assert checked > 50
