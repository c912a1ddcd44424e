"""What a corpus goes through after the play: shifted clocks, lost logs, a cut at the curtain."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from lab import corpus
from lab.play import play
from lab.processes import Processes
from lab.scenes import UnknownSceneError
from lab.stage import Stage


@pytest.mark.parametrize(
    ("line", "ms", "shifted"),
    [
        (b"[2026-12-01 00:00:59,900] INFO x\n", 2350, b"[2026-12-01 00:01:02,250] INFO x\n"),
        (b"2026-12-01 00:00:00,100 INFO x\n", -3400, b"2026-11-30 23:59:56,700 INFO x\n"),
        (b"2026-12-01T00:00:00.100Z  INFO x\n", 1, b"2026-12-01T00:00:00.101Z  INFO x\n"),
        (
            b"\tat com.example.X 2026-12-01 00:00:00,100\n",
            99,
            b"\tat com.example.X 2026-12-01 00:00:00,100\n",
        ),
    ],
)
def test_a_shifted_clock_moves_the_time_a_line_begins_with(
    line: bytes, ms: int, shifted: bytes, tmp_path: Path
) -> None:
    log = tmp_path / "pod.log"
    log.write_bytes(line)
    corpus.shift_clock(log, ms)
    assert log.read_bytes() == shifted


def test_rotation_loses_the_first_lines_and_loss_the_whole_file(tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    lines = [f"[1970-01-01 00:00:{second:02},500] INFO x (y)\n" for second in range(4)]
    log.write_text("".join([*lines[:2], "\tat com.example.X\n", *lines[2:]]))
    corpus.lose(log, 1600)
    assert log.read_text() == "".join(lines[2:])
    corpus.lose(log, None)
    assert not log.exists()


def test_a_folder_with_something_else_in_it_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    with pytest.raises(UnknownSceneError, match="is no corpus"):
        play("quiet", "4.1.0", tmp_path, {})
    assert (tmp_path / "thesis.txt").read_text() == "precious"


class _NoBrokers:
    """A cluster that is already down."""

    def stop(self) -> None:
        """Have nothing to stop."""


def test_a_closed_stage_becomes_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_CACHE", str(tmp_path / "cache"))
    processes = Processes()
    stage = Stage("quiet", "4.1.0", tmp_path / "quiet-4.1.0", processes, quiet=True)
    stage.cluster = _NoBrokers()  # type: ignore[assignment]
    (stage.logs / "broker-1.log").write_text(f"data in {stage.run}/data-1\nhalf a li")
    (stage.logs / "pod-0.log").write_text("x" * 99 + "\n")
    (stage.logs / "big-0.log").write_text(("y" * 99 + "\n") * 2000)
    (stage.logs / "empty.log").write_text("")
    (stage.out / "pod-0.pod-truth.jsonl").write_text('{"t": 7, "what": "start", "detail": ""}\n')
    stage.expect(findings_must=["crash"])
    stage.close()
    out = corpus.finish(stage, "Nothing happens.")
    processes.close()
    assert (out / "logs" / "broker-1.log").read_text() == "data in /var/lib/kafka/data-1\n"
    assert gzip.decompress((out / "logs" / "big-0.log.gz").read_bytes()).count(b"\n") == 2000
    assert sorted(path.name for path in (out / "logs").iterdir()) == [
        "big-0.log.gz",
        "broker-1.log",
        "pod-0.log",
    ]
    assert json.loads((out / "answers.json").read_text())["findings_must"] == ["crash"]
    assert json.loads((out / "pods.truth.jsonl").read_text())["pod"] == "pod-0"
    assert not stage.run.exists()
