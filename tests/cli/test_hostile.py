"""Names, reasons and file names from strangers are shown in every output and obeyed in none."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import run

GROUP = "pay\u202egnp\u2066|<img src=x>=1+1"
REASON = "]52;c;cm0gLXJm\u009b2J\u2028[2026-12-01 00:00:00,000] ERROR forged"
LINES = [
    f"Preparing to rebalance group {GROUP} in state PreparingRebalance with old generation 3 "
    f"(__consumer_offsets-17) (reason: {REASON})",
    f"Stabilized group {GROUP} generation 4 (__consumer_offsets-17) with 2 members",
]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("hostile")
    log = folder / "broker\u202e\x07-1.log"
    header = "[2026-12-01 00:23:43,823] INFO [GroupCoordinator 1]: "
    log.write_text("".join(f"{header}{line} (kafka.coordinator.group.GroupCoordinator)\n" for line in LINES))
    done = run("ingest", str(log), "--into", str(folder / "dataset"))
    assert done.code == 0, done.err
    assert dangerous(done.err) == set()
    return str(folder / "dataset")


def dangerous(text: str) -> set[str]:
    """Return the characters in a text that a terminal obeys or hides."""
    return {
        c
        for c in text
        if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u2028\u2029\u202e\u2066")
    }


@pytest.mark.parametrize(
    "extra", [[], ["--detail"], *(["--format", f] for f in ("markdown", "json", "jsonl", "table"))]
)
def test_the_report_is_inert(dataset: str, extra: list[str]) -> None:
    done = run("report", dataset, *extra)
    assert done.code == 0 and dangerous(done.out) == set()
    assert not [line for line in done.out.splitlines() if line.startswith("[2026")]
    if "markdown" in extra:
        assert "<img" not in done.out


@pytest.mark.parametrize("format", ["table", "json", "jsonl", "markdown"])
def test_rows_are_inert(dataset: str, format: str) -> None:
    for name in ("rebalances", "events", "sources"):
        done = run("query", dataset, name, "--format", format)
        assert done.code == 0 and dangerous(done.out) == set()


def test_data_formats_hold_the_names_exactly(dataset: str) -> None:
    ask = ["query", dataset, "--sql", "SELECT DISTINCT group_id FROM rebalances"]
    assert [row["group_id"] for row in json.loads(run(*ask, "--format", "json").out)] == [GROUP]
    assert next(csv.DictReader(io.StringIO(run(*ask, "--format", "csv").out)))["group_id"] == GROUP


def test_errors_that_quote_strangers_are_inert(dataset: str) -> None:
    done = run("report", dataset, "--group", "\x1b[2Jpay\u202e")
    assert done.code == 2 and dangerous(done.err) == set()
    done = run("query", dataset, "--sql", "SELECT error('\x1b]0;x\x07' || group_id) FROM rebalances")
    assert done.code == 2 and dangerous(done.err) == set()


def test_the_shell_is_inert(dataset: str) -> None:
    done = run("shell", dataset, stdin="SELECT * FROM rebalances;\n.report\n")
    assert done.code == 0 and dangerous(done.out) == set()


def test_explain_is_inert() -> None:
    assert dangerous(run("explain", LINES[0]).out) == set()
    assert dangerous(run("explain", stdin="x\x1b[2J\u202e\n").out) == set()
