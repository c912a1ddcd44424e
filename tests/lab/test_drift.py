"""Drift: statements of group loggers that the catalogue does not know, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import drift
from lab.cluster import ClusterError
from lab.drift import group_records, unknown_statements

COORDINATOR = "org.apache.kafka.coordinator.group.GroupMetadataManager"


def _line(message: str, logger: str = COORDINATOR) -> str:
    return f"[2026-12-01 00:00:00,000] INFO {message} ({logger})"


def test_only_group_loggers_are_looked_at() -> None:
    lines = [
        _line("hello"),
        _line("Loaded", "kafka.log.LogManager"),
        "\tsession.timeout.ms = 10000",
        _line("a (b) c"),
    ]
    assert list(group_records(lines)) == [("hello", COORDINATOR, "INFO"), ("a (b) c", COORDINATOR, "INFO")]


def test_lines_of_one_statement_are_one_row() -> None:
    records = [(f"Member m-{n} of group g fell asleep at epoch {n}", COORDINATOR, "INFO") for n in range(5)]
    records += [("Group g woke up", COORDINATOR, "WARN"), ("known", COORDINATOR, "INFO")]
    first, second = unknown_statements(records, lambda message, logger, level: message == "known")
    assert (first.count, first.example, first.level) == (
        5,
        "Member m-0 of group g fell asleep at epoch 0",
        "INFO",
    )
    assert (second.count, second.example, second.level) == (1, "Group g woke up", "WARN")


def test_a_catalogue_that_knows_everything_leaves_nothing() -> None:
    assert unknown_statements([("x", COORDINATOR, "INFO")], lambda *_: True) == []


def test_a_scene_that_fails_is_told_and_what_it_logged_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def falls_over(name: str, version: str, out: Path, *_: object, **__: object) -> Path:
        (out / "logs").mkdir(parents=True)
        (out / "logs" / "broker-1.log").write_text(_line("Nobody has heard of this statement") + "\n")
        raise ClusterError("broker 2 did not start")

    monkeypatch.setattr(drift, "play", falls_over)
    assert drift.report("4.4.0", ["quiet"], quiet=True) == 1
    said = capsys.readouterr()
    assert "Nobody has heard of this statement" in said.out
    assert "quiet was not played to its end: broker 2 did not start" in said.err
