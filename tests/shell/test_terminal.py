"""The shell on a terminal: a pseudo-terminal types into it and reads the screen."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

import loganalyst

SAMPLE = Path(__file__).resolve().parents[2] / "sample_logs" / "one-step-4.1.0" / "logs"
TAB, END, CTRL_C = "\t", "\r", "\x03"
PROMPT = "loganalyst>"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("terminal") / "incident"
    loganalyst.ingest([SAMPLE], into=into, publish=False)
    return into


class Terminal:
    """A shell on a pseudo-terminal of 30 lines by 100 columns."""

    def __init__(self, dataset: Path, home: Path, *options: str) -> None:
        environment = {
            **os.environ,
            "TERM": "xterm",
            "XDG_STATE_HOME": str(home),
            "PAGER": "cat",
            "NO_COLOR": "1",
        }
        self.process = pexpect.spawn(
            sys.executable,
            ["-m", "loganalyst", "shell", str(dataset), *options],
            env=environment,
            dimensions=(30, 100),
            encoding="utf-8",
            timeout=20,
        )
        self.process.expect_exact(PROMPT)

    def ask(self, text: str, expected: str) -> str:
        """Type a line; return what stands between it and `expected`, without escape sequences."""
        self.process.send(text + END)
        self.process.expect(expected)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.process.before + self.process.after)


@pytest.fixture
def terminal(dataset: Path, tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(dataset, tmp_path)
    yield opened
    opened.process.close(force=True)


def test_views_are_listed_and_documented(terminal: Terminal) -> None:
    assert "one rebalance of a classic group" in terminal.ask(".views", "zombies.*")
    assert "-- name: leaders" in terminal.ask(".doc leaders", r"FROM [^\r]*\r")


def test_a_statement_over_several_lines_is_answered_and_timed(terminal: Terminal) -> None:
    terminal.ask("\\timing", "timing on")
    terminal.process.send("SELECT count(*) AS n" + END)
    terminal.process.expect_exact("...>")
    assert re.search(r"\b10\b", terminal.ask("FROM rebalances;", r"[\d,]+ ms\r"))


def test_a_mistake_is_answered_and_the_shell_goes_on(terminal: Terminal) -> None:
    terminal.ask("SELECT * FROM rebalancs;", "Did you mean 'rebalances'")
    terminal.ask("SELECT 40 + 2 AS answer;", r"\b42\b")


def test_tab_completes_views_and_columns(terminal: Terminal) -> None:
    terminal.process.send("SELECT count(*) FROM shrinking_e" + TAB)
    terminal.process.expect_exact("pisodes")
    terminal.ask(";", r"\b1\b")
    terminal.process.send("SELECT max(waited_on_l" + TAB)
    terminal.process.expect_exact("eader")
    terminal.process.send(CTRL_C)
    terminal.process.expect_exact(PROMPT)


def test_history_outlives_the_session(dataset: Path, terminal: Terminal, tmp_path: Path) -> None:
    terminal.ask("SELECT 'remembered' AS word;", "remembered\\s*\r")
    terminal.process.send("\x04")
    terminal.process.expect(pexpect.EOF)
    again = Terminal(dataset, tmp_path)
    again.process.send("\x1b[A")
    again.process.expect_exact("SELECT 'remembered' AS word;")
    again.process.close(force=True)


def test_own_queries_stand_beside_the_shipped_ones(dataset: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "long_rebalances.sql").write_text(
        "-- name: long_rebalances\n-- row: one rebalance that took long\n-- grain: group_id, generation\n"
        "-- column: group_id VARCHAR - group\n-- column: generation BIGINT - generation\n"
        "-- param: least_ms DOUBLE = 1000 - how long is long, in ms\n-- uses: rebalances\n\n"
        "SELECT group_id, generation FROM rebalances WHERE duration_ms >= getvariable('least_ms')\n"
    )
    terminal = Terminal(dataset, tmp_path, "--queries", str(folder))
    assert "one rebalance that took long" in terminal.ask(".views", "zombies.*")
    assert "orders-service" in terminal.ask(".run long_rebalances least_ms=10000", r"\b8\b.*")
    terminal.process.close(force=True)
