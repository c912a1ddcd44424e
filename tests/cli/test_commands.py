"""The commands over the sample incident, as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import SAMPLE, run

REBALANCES = 10


def test_analyze_says_the_cause_first() -> None:
    done = run("analyze", str(SAMPLE))
    assert done.code == 0, done.err
    first = " ".join(done.out.splitlines()[:3])
    assert (
        "orders-service" in first and "6, 5, 4, 3, 2, 1" in first and "one step" in " ".join(done.out.split())
    )
    screen = " ".join(done.out.split())
    for pod in ("p2c4d", "qz9wx", "rt6yh", "sv3kd", "tn8mm"):
        assert f"orders-5f6b7-{pod}" in screen
    assert "orders-7c9d8-fh7vn" in screen and "12 partitions" in screen
    assert "two deploys" in screen


def test_analyze_fails_a_build_on_request() -> None:
    assert run("analyze", str(SAMPLE), "--fail-on", "act", "--quiet").code == 1


def test_a_build_fails_for_what_is_not_shown_too(dataset: str) -> None:
    assert (
        run("query", dataset, "--sql", "SELECT severity FROM findings WHERE severity = 'act'").out.count(
            "act"
        )
        >= 1
    )
    assert run("report", dataset, "--fail-on", "look", "--severity", "act").code == 1
    assert run("report", dataset, "--until", "2026-01-01", "--fail-on", "look").code == 0


def test_analyze_reads_stdin() -> None:
    done = run("analyze", "-", stdin="[2026-12-01 00:00:00,000] INFO nothing of interest (kafka.Kafka)\n")
    assert done.code == 0
    assert done.out.startswith("No consumer group is named in these logs")


def test_report_speaks_of_one_group(dataset: str) -> None:
    assert run("report", dataset, "--group", "orders-service").code == 0
    done = run("report", dataset, "--group", "order-service")
    assert done.code == 2 and "no group 'order-service'. Did you mean 'orders-service'?" in done.err


def test_report_as_document_and_as_rows(dataset: str) -> None:
    document = json.loads(run("report", dataset, "--format", "json").out)
    assert document["schema"] == "loganalyst.report/1"
    rows = [json.loads(line) for line in run("report", dataset, "--format", "jsonl").out.splitlines()]
    assert [row["finding"] for row in rows] == [finding["finding"] for finding in document["findings"]]
    assert run("report", dataset, "--format", "markdown").out.startswith("# Consumer groups: orders-service")


def test_query_in_every_format(dataset: str, tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("query", dataset, "rebalances").out)))
    assert len(rows) == REBALANCES
    documents = json.loads(run("query", dataset, "rebalances", "--format", "json").out)
    assert [int(row["generation"]) for row in rows] == [row["generation"] for row in documents]
    assert documents[1]["started_at"] == "2026-12-01T00:23:43.823000Z"
    assert isinstance(documents[1]["evidence"], list) and documents[1]["evidence"][0]["line"] > 0
    lines = run("query", dataset, "rebalances", "--format", "jsonl").out.splitlines()
    assert [list(json.loads(line)) for line in lines] == [list(row) for row in documents]
    assert run("query", dataset, "rebalances", "--format", "markdown").out.count("\n") == REBALANCES + 2
    assert run("query", dataset, "rebalances", "--format", "table").out.count("── ") == REBALANCES
    file = tmp_path / "rebalances.parquet"
    assert run("query", dataset, "rebalances", "--format", "parquet", "-o", str(file)).code == 0
    assert pq.read_table(file).num_rows == REBALANCES


def test_a_file_holds_the_bytes_of_a_pipe(dataset: str, tmp_path: Path) -> None:
    for format in ("csv", "json", "markdown", "table"):
        file = tmp_path / format
        run("query", dataset, "sources", "--format", format, "-o", str(file))
        assert file.read_text() == run("query", dataset, "sources", "--format", format).out


def test_sql_over_the_views(dataset: str) -> None:
    done = run("query", dataset, "--sql", "SELECT count(*) AS n FROM rebalances WHERE outcome = 'emptied'")
    assert (done.code, done.out) == (0, "n\n2\n")
    assert run("query", dataset, "--sql", "-", stdin="SELECT 1 AS a").out == "a\n1\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rebalances", "--sql", "SELECT 1"], "NAME of a query or --sql"),
        ([], "NAME of a query or --sql"),
        (["rebalanses"], "no query 'rebalanses'. Did you mean 'rebalances'"),
        (["--sql", "SELECT leader FROM rebalances"], 'Referenced column "leader" not found'),
        (["--sql", "SELECT * FROM rebalance"], "Did you mean 'rebalances'"),
        (["--sql", "SELEC 1"], 'syntax error at or near "SELEC"'),
        (["--sql", "COPY events TO '/dev/null'"], "not allowed"),
        (["--sql", "SELECT * FROM read_text('/etc/passwd')"], "/etc/passwd"),
        (["rebalances", "-p", "top"], "'top' is not K=V"),
        (["rebalances", "-p", "top=1"], "no parameter is named top"),
    ],
)
def test_wrong_questions_are_refused_in_one_message(dataset: str, arguments: list[str], said: str) -> None:
    done = run("query", dataset, *arguments)
    assert (done.code, done.out) == (2, "")
    assert said in done.err and "Traceback" not in done.err


@pytest.mark.parametrize("command", ["report", "query", "shell"])
def test_a_path_that_is_no_dataset(command: str, tmp_path: Path) -> None:
    extra = ["rebalances"] if command == "query" else []
    for path in (tmp_path, tmp_path / "nowhere", SAMPLE / "controller-100.log"):
        done = run(command, str(path), *extra)
        assert done.code == 3 and str(path) in done.err and "Traceback" not in done.err


def test_a_source_that_is_not_there_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    done = run("analyze", str(SAMPLE), str(tmp_path / "nowhere.log"))
    assert done.code == 3
    assert "nowhere.log" in done.err and "could not read" in done.out and "orders-service" in done.out


def test_wrong_values_of_options() -> None:
    for arguments, said in (
        (["--tz", "Europe/Berln"], "Did you mean 'Europe/Berlin'"),
        (["--source-tz", "Europe/Berlin"], "is not GLOB=ZONE"),
        (["--date", "1.12.2026"], "is not a date such as 2026-12-01"),
        (["--since", "yesterday"], "is not a time such as"),
        (["--format", "xml"], "'xml' is not one of"),
        (["--queries", "/nowhere"], "/nowhere"),
    ):
        done = run("analyze", str(SAMPLE), *arguments)
        assert done.code == 2 and said in done.err, (arguments, done.err)


def test_quiet_says_nothing_but_errors(dataset: str) -> None:
    assert run("analyze", str(SAMPLE), "--quiet").err == ""
    assert run("query", dataset, "nosuch", "--quiet").err != ""


def test_queries_are_listed_and_printed() -> None:
    names = [row["name"] for row in csv.DictReader(io.StringIO(run("queries").out))]
    assert {"rebalances", "findings", "refused_joins"} <= set(names) and names == sorted(names)
    assert run("queries", "rebalances").out.startswith("-- name: rebalances\n")
    columns = json.loads(run("queries", "rebalances", "--format", "json").out)
    assert {"column": "outcome"}.items() <= next(c for c in columns if c["column"] == "outcome").items()
    assert run("queries", "rebalance").code == 2


def test_own_queries_are_asked_like_shipped_ones(dataset: str, tmp_path: Path) -> None:
    (tmp_path / "busiest.sql").write_text(
        "-- name: busiest\n-- row: one group\n-- grain: group_id\n-- uses: rebalances\n"
        "-- column: group_id VARCHAR - group\n-- column: n BIGINT - rebalances\n"
        "-- param: least BIGINT = 1 - fewest rebalances\n"
        "SELECT group_id, count(*) AS n FROM rebalances GROUP BY ALL\n"
        "HAVING count(*) >= getvariable('least')\n"
    )
    asked = ["query", dataset, "busiest", "--queries", str(tmp_path)]
    assert run(*asked).out == f"group_id,n\norders-service,{REBALANCES}\n"
    assert run(*asked, "-p", "least=100").out == "group_id,n\n"
    assert "busiest" in run("queries", "--queries", str(tmp_path)).out


def test_parsers_are_listed_by_component_client_and_event() -> None:
    rows = list(csv.DictReader(io.StringIO(run("parsers").out)))
    assert {"librdkafka", "kafkajs"} <= {row["client"] for row in rows}
    statements = json.loads(run("parsers", "group_stabilized", "--format", "json").out)
    assert {row["event"] for row in statements} == {"group_stabilized"}
    assert "Did you mean" in run("parsers", "group_stabilised").err


def test_the_shell_runs_a_script(dataset: str) -> None:
    done = run(
        "shell", dataset, stdin="SELECT max(generation) AS g\nFROM rebalances;\n.format csv\nSELECT 1 AS a;\n"
    )
    assert done.code == 0 and done.out == " g\n──\n10\nformat csv\na\n1\n"
    assert run("shell", dataset, stdin="SELECT nothing;").code == 2
