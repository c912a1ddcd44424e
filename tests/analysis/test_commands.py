"""The commands coordinator, simulate and check, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from loganalyst.cli.check import command as check
from loganalyst.cli.coordinator import command as coordinator
from loganalyst.cli.simulate import command as simulate
from tests.recorded import CORPORA

TOPIC = str(CORPORA / "rolling-4.1.0" / "dumps" / "topics-rolled-offsets-topic.txt")


def call(command: object, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)  # type: ignore[arg-type]


def test_coordinator_prints_one_row_a_group_in_the_order_asked() -> None:
    result = call(coordinator, "orders-service-v2", "orders-service", "--format", "csv")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "group_id,hash,offsets_partition,broker,shares_partition_with",
        "orders-service-v2,324874364,14,,[]",
        "orders-service,23943117,17,,[]",
    ]


def test_coordinator_takes_brokers_and_partitions_from_a_dump() -> None:
    result = call(
        coordinator, "orders-service", "returns", "fraud-detector", "--dumps", TOPIC, "--format", "json"
    )
    rows = json.loads(result.stdout)
    assert [row["broker"] for row in rows] == [1, 1, 1]
    assert rows[1]["shares_partition_with"] == ["fraud-detector"]
    assert "partition 43 is shared by returns, fraud-detector" in result.stderr


def test_coordinator_uses_the_number_of_partitions_given() -> None:
    result = call(coordinator, "orders-service", "--partitions", "7", "--format", "jsonl")
    assert json.loads(result.stdout)["offsets_partition"] == 23943117 % 7


def test_coordinator_says_what_is_no_dump_and_goes_on(tmp_path: Path) -> None:
    wrong = tmp_path / "notes.txt"
    wrong.write_text("nothing of Kafka's\n")
    result = call(coordinator, "g", "--dumps", str(wrong), "--format", "csv")
    assert result.exit_code == 3
    assert "g,103,3,," in result.stdout
    assert "notes.txt" in result.stderr


@pytest.mark.parametrize("members", [2, 6, 12])
def test_rollout_prints_every_step_of_every_deploy(members: int) -> None:
    arguments = ["rollout", "--members", str(members), "--from", "range", "--to", "cooperative-sticky"]
    one = json.loads(call(simulate, *arguments, "--format", "json").stdout)
    two = json.loads(call(simulate, *arguments, "--plan", "two-step", "--format", "json").stdout)
    assert [row["members"] for row in one] == [*range(members, 0, -1), members]
    assert [(row["deploy"], row["step"]) for row in two] == [
        (d, s) for d in (1, 2) for s in range(members + 1)
    ]
    flip = next(row for row in two if row["assignor"] == "cooperative-sticky")
    assert (flip["deploy"], flip["step"]) == (2, 1)


def test_rollout_takes_a_plan_of_its_own() -> None:
    result = call(
        simulate,
        *("rollout", "--members", "3", "--from", "range", "--to", "sticky", "--via", "range,sticky"),
        *("--format", "json"),
    )
    rows = json.loads(result.stdout)
    assert {row["refused"] for row in rows} == {0}
    assert rows[-1]["deploy"] == 2


def test_broker_loss_by_replication_factor() -> None:
    arguments = [
        "broker-loss",
        "--group",
        "orders-service",
        "--brokers",
        "3",
        "--lost",
        "2",
        "--format",
        "json",
    ]
    (moved,) = json.loads(call(simulate, *arguments, "--replication-factor", "3").stdout)
    (lost,) = json.loads(call(simulate, *arguments, "--replication-factor", "1").stdout)
    assert (moved["broker"], moved["new_broker"], moved["outcome"]) == (2, 0, "moves")
    assert (lost["new_broker"], lost["outcome"]) == (None, "unavailable")


def test_broker_loss_reads_groups_from_a_file_and_leaders_from_a_dump(tmp_path: Path) -> None:
    names = tmp_path / "groups.txt"
    names.write_text("orders-service\n\nreturns\n")
    result = call(
        simulate,
        *("broker-loss", "--groups-file", str(names), "--dumps", TOPIC, "--lost", "1", "--format", "json"),
    )
    assert [row["outcome"] for row in json.loads(result.stdout)] == ["moves", "moves"]


def test_check_of_dumps_answers_in_text_and_in_rows() -> None:
    dumps = str(CORPORA / "rf1-3.7.1" / "dumps")
    text = call(check, "--dumps", dumps)
    assert text.exit_code == 0
    assert "single replica" in text.stdout
    rows = json.loads(call(check, "--dumps", dumps, "--format", "json").stdout)
    assert list(rows[0]) == ["check", "group_id", "verdict", "answer", "evidence"]
    by_check = {row["check"]: row["verdict"] for row in rows}
    assert by_check["offsets_topic"] == "act"
    assert by_check["coordinator"] == "ok"
    assert rows[0]["evidence"][0]["source"].endswith("offsets-topic.txt")


def test_check_exits_1_when_asked_to() -> None:
    assert call(check, "--dumps", str(CORPORA / "rf1-3.7.1" / "dumps"), "--fail-on", "act").exit_code == 1
    assert call(check, "--dumps", str(CORPORA / "rolling-4.1.0" / "dumps"), "--fail-on", "act").exit_code == 0
