"""`loganalyst validate`: exit codes, formats, a page that loads nothing, and no network."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from loganalyst.cli import run
from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.schema import EVENTS, STREAM
from loganalyst.quality.rules import load_rules


def row(**values: object) -> dict[str, object]:
    blank: dict[str, object] = dict.fromkeys([*EVENTS.names, "stream"])
    return {**blank, "event": "join_started", "role": "client", "template": "a.b", "stream": "s", **values}


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A dataset whose only event stands at line 9 of 3 and has a name that wants to be markup."""
    import pyarrow as pa

    path = tmp_path / "broken"
    dataset = Dataset.create_or_open(path)
    name = "<script>alert(1)</script>\x1b[31m.log"
    rows = pa.Table.from_pylist([row(source=name, line=9)], schema=EVENTS.append(STREAM))
    dataset.commit(rows, [RangeAccount("s", name, "f", 0, 30, lines=3, records=3, events=1, ingested_at=1)])
    return path


def test_a_clean_dataset_exits_with_0_and_says_so(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(clean)]) == 0
    out, err = capsys.readouterr()
    assert "passes the quality gate" in out and err == ""


@pytest.mark.parametrize("fast", [[], ["--fast"]], ids=["great expectations", "fast"])
def test_a_broken_dataset_exits_with_4_and_names_rule_and_line(
    fast: list[str], broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(broken), *fast]) == 4
    out, err = capsys.readouterr()
    assert "FAIL  Lines are lines of their source (line_within_source)" in out
    assert "\\x1b[31m.log:9" in out and "\x1b" not in out
    assert "fails the quality gate: line_within_source" in err


def test_json_is_the_validation_results_of_great_expectations(
    clean: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", str(clean), "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert all(result["success"] and result["meta"]["great_expectations_version"] for result in results)
    named = {one["expectation_config"]["meta"]["rule"] for result in results for one in result["results"]}
    assert named == {rule.name for rule in load_rules()} - {"fresh"}


def test_rows_of_rules_in_the_other_formats(clean: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(clean), "--fast", "--format", "jsonl"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {row["rule"] for row in rows} == {rule.name for rule in load_rules()} - {"fresh"}
    assert all(row["passed"] and row["broken"] == 0 for row in rows)


def test_the_page_loads_nothing_runs_nothing_and_escapes_what_logs_say(broken: Path, tmp_path: Path) -> None:
    page = tmp_path / "quality.html"
    assert run(["validate", str(broken), "--fast", "--html", str(page), "-o", str(tmp_path / "out")]) == 4
    html = page.read_text()
    assert not re.search(r"https?://|<script|<link|<img|url\(|@import", html)
    assert "default-src 'none'" in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x1b[31m.log:9" in html


def test_the_site_of_great_expectations_is_an_option(clean: Path, tmp_path: Path) -> None:
    assert run(["validate", str(clean), "--site", str(tmp_path / "site"), "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "site" / "index.html").exists()


def test_without_great_expectations_it_says_how_to_get_it(
    clean: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "great_expectations", None)
    assert run(["validate", str(clean)]) == 2
    err = capsys.readouterr().err
    assert "pip install 'loganalyst[quality]'" in err and "--fast" in err
    assert run(["validate", str(clean), "--fast", "-o", "/dev/null"]) == 0


def test_what_is_no_dataset_exits_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", str(tmp_path / "nothing")]) == 3
    assert "does not exist" in capsys.readouterr().err


def test_an_empty_dataset_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Dataset.create_or_open(tmp_path / "empty")
    assert run(["validate", str(tmp_path / "empty")]) == 0


def test_a_dataset_that_moved_is_checked_where_it_is(clean: Path, tmp_path: Path) -> None:
    shutil.copytree(clean, tmp_path / "moved")
    assert run(["validate", str(tmp_path / "moved"), "--fast", "-o", str(tmp_path / "out")]) == 0
