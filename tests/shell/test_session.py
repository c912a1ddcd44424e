"""What the shell answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import loganalyst
from loganalyst.dataset.dataset import Dataset as Stored
from loganalyst.errors import QueryError, UsageError
from loganalyst.shell.script import run_script
from loganalyst.shell.session import Leave, Session


class Shell:
    """A session over an empty dataset, and what it answered."""

    def __init__(self, dataset: loganalyst.Dataset) -> None:
        self.session = Session(dataset, self._take, lambda: 80)
        self.lines: list[str] = []

    def _take(self, lines: Iterator[str]) -> None:
        self.lines += lines

    def ask(self, text: str) -> list[str]:
        self.lines = []
        self.session.run(text)
        return self.lines


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[loganalyst.Dataset]:
    path: Path = tmp_path_factory.mktemp("shell") / "dataset"
    Stored.create_or_open(path)
    with loganalyst.open(path) as opened:
        yield opened


@pytest.fixture
def shell(dataset: loganalyst.Dataset) -> Shell:
    return Shell(dataset)


def test_rows_come_as_a_table(shell: Shell) -> None:
    assert shell.ask("SELECT 1 AS a, 'x' AS b;") == ["a  b", "─  ─", "1  x"]


def test_every_statement_is_answered(shell: Shell) -> None:
    assert shell.ask("CREATE TABLE t AS SELECT 7 AS n; SELECT n FROM t; DROP TABLE t;") == [
        "ok",
        "n",
        "─",
        "7",
        "ok",
    ]


def test_views_are_listed_with_what_a_row_is(shell: Shell) -> None:
    shown = "\n".join(shell.ask(".views"))
    assert "rebalances" in shown and "one rebalance of a classic group" in shown and "events" in shown


def test_a_view_is_documented(shell: Shell) -> None:
    assert shell.ask(".doc rebalances")[0] == "-- name: rebalances"
    assert any(row.startswith("column") for row in shell.ask(".columns rebalances"))
    assert any("offsets_partition" in row for row in shell.ask("\\d events"))


def test_formats_are_switched(shell: Shell) -> None:
    shell.ask(".format json")
    assert shell.ask("SELECT 1 AS a;") == ['[{"a": 1}]']
    with pytest.raises(UsageError, match="Did you mean 'jsonl'"):
        shell.ask(".format jsnl")


def test_timing_is_shown_on_request(shell: Shell) -> None:
    assert shell.ask("\\timing") == ["timing on"]
    assert shell.ask("SELECT 1 AS a;")[-1].endswith(" ms")
    assert shell.ask(".timing off") == ["timing off"]


def test_mistakes_are_answered_with_what_was_meant(shell: Shell) -> None:
    with pytest.raises(UsageError, match="Did you mean 'views'"):
        shell.ask(".view")
    with pytest.raises(QueryError, match="Did you mean 'rebalances'"):
        shell.ask("SELECT * FROM rebalancs;")
    with pytest.raises(QueryError, match="Candidate bindings"):
        shell.ask("SELECT leader FROM rebalances;")
    assert shell.ask("SELECT 1 AS a;")[-1] == "1"


def test_a_result_left_unread_does_not_block_the_next(dataset: loganalyst.Dataset) -> None:
    seen: list[str] = []
    session = Session(dataset, lambda lines: seen.append(next(lines)), lambda: 80)
    session.run("SELECT i FROM range(500000) t(i);")
    session.run("SELECT 1 AS a;")
    assert [line.strip() for line in seen] == ["i", "a"]


@pytest.mark.parametrize("word", [".quit", "\\q", "exit", "quit;"])
def test_leaving(shell: Shell, word: str) -> None:
    with pytest.raises(Leave):
        shell.ask(word)


def test_a_script_stops_at_its_first_error(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_script(shell.session, ["SELECT 1 AS a;\n", "SELECT nothing;\n", "SELECT 2 AS b;\n"]) == 2
    assert "1" in shell.lines and "2" not in shell.lines
    assert 'column "nothing"' in capsys.readouterr().err
