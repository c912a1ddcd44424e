"""Pods live under a Deployment's restart policy; the lab's processes end with the lab."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lab.pods import Pod
from lab.processes import LabInterrupted, Processes
from lab.truth import Truth, read_rows

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(60)"]
CRASHER = [sys.executable, "-c", "import sys; print('up', flush=True); sys.exit(3)"]
_DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)"
STUBBORN = [sys.executable, "-c", f"{_DEAF}; print('up', flush=True); time.sleep(60)"]


@pytest.fixture
def processes() -> Iterator[Processes]:
    running = Processes()
    yield running
    running.close()


@pytest.fixture
def pod(processes: Processes, tmp_path: Path) -> Callable[[list[str]], Pod]:
    truth = Truth(tmp_path / "truth.jsonl", quiet=True)

    def make(argv: list[str]) -> Pod:
        return Pod(
            "p-0",
            argv,
            processes=processes,
            truth=truth,
            log=tmp_path / "p-0.log",
            run=tmp_path,
            first_backoff_s=0.05,
        )

    return make


def _until(reached: Callable[[], bool], within_s: float = 15) -> None:
    end = time.monotonic() + within_s
    while not reached():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.02)


def _rows(tmp_path: Path) -> list[dict[str, Any]]:
    return read_rows(tmp_path / "truth.jsonl")


def test_a_pod_that_dies_is_started_again_with_a_growing_back_off(
    pod: Callable[[list[str]], Pod], tmp_path: Path
) -> None:
    crasher = pod(CRASHER)
    crasher.start()
    _until(lambda: crasher.restarts >= 3)
    crasher.stop()
    crashes = [row for row in _rows(tmp_path) if row["what"] == "pod_crashed"]
    assert [row["restart_in_s"] for row in crashes[:3]] == [0.05, 0.1, 0.2]
    assert {row["rc"] for row in crashes} == {3}
    assert (tmp_path / "p-0.log").read_text().count("up") >= 3


def test_a_stopped_pod_stays_away(pod: Callable[[list[str]], Pod], tmp_path: Path) -> None:
    sleeper = pod(SLEEPER)
    sleeper.start(deploy=1)
    _until(lambda: (tmp_path / "p-0.log").exists() and sleeper.alive)
    sleeper.stop()
    assert not sleeper.alive
    assert sleeper.restarts == 0
    assert [row["what"] for row in _rows(tmp_path)] == ["pod_start", "pod_sigterm", "pod_gone"]


def test_a_killed_process_comes_back_unless_it_should_stay_down(pod: Callable[[list[str]], Pod]) -> None:
    sleeper = pod(SLEEPER)
    sleeper.start()
    sleeper.crash(stay_down=False)
    _until(lambda: sleeper.restarts == 1 and sleeper.alive)
    sleeper.crash()
    time.sleep(0.3)
    assert not sleeper.alive


def test_a_frozen_pod_is_silent_and_goes_on_when_thawed(
    pod: Callable[[list[str]], Pod], tmp_path: Path
) -> None:
    ticker = pod(
        [sys.executable, "-c", "import time\nwhile True: print('tick', flush=True); time.sleep(0.02)"]
    )
    log = tmp_path / "p-0.log"
    ticker.start()
    _until(lambda: log.exists() and log.stat().st_size > 0)
    ticker.freeze()
    time.sleep(0.1)
    size = log.stat().st_size
    time.sleep(0.2)
    assert log.stat().st_size == size
    ticker.thaw()
    _until(lambda: log.stat().st_size > size)
    ticker.stop()


def test_a_process_that_ignores_sigterm_is_killed_after_its_grace(
    processes: Processes, tmp_path: Path
) -> None:
    output = tmp_path / "out"
    process = processes.spawn(STUBBORN, output=output)
    _until(lambda: output.read_text() == "up\n")
    processes.end(process, grace_s=0.2)
    assert process.returncode == -signal.SIGKILL


def test_the_number_of_an_ended_process_is_left_alone(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = processes.spawn([sys.executable, "-c", ""], output=None)
    assert processes.wait(process, 15)
    sent: list[int] = []
    monkeypatch.setattr(os, "killpg", lambda pid, signum: sent.append(pid))
    processes.signal(process, signal.SIGTERM)
    processes.end(process, kill=True)
    assert sent == []


def test_what_an_ended_process_left_running_ends_with_it(processes: Processes, tmp_path: Path) -> None:
    script = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
    )
    process = processes.spawn([sys.executable, "-c", script], output=tmp_path / "out")
    assert processes.wait(process, 15)
    child = int((tmp_path / "out").read_text())
    _until(lambda: not _runs(child))


def test_nothing_starts_once_the_lab_closes(processes: Processes) -> None:
    process = processes.spawn(SLEEPER, output=None)
    processes.close()
    assert process.returncode == -signal.SIGKILL
    with pytest.raises(LabInterrupted):
        processes.spawn(SLEEPER, output=None)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_with_the_lab_however_it_ends(how: signal.Signals, tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom lab.processes import Processes\n"
        "p = Processes(); p.catch_signals(60)\n"
        "child = p.spawn([sys.executable, '-c', 'import time; time.sleep(60)'], output=None)\n"
        "Path(sys.argv[1]).write_text(str(child.pid)); time.sleep(60)\n"
    )
    told = tmp_path / "pid"
    checkout = Path(__file__).resolve().parents[2]
    lab = subprocess.Popen([sys.executable, "-c", script, str(told)], cwd=checkout, stderr=subprocess.DEVNULL)
    _until(lambda: told.exists() and told.read_text() != "")
    child = int(told.read_text())
    lab.send_signal(how)
    lab.wait(15)
    _until(lambda: not _runs(child))


def _runs(pid: int) -> bool:
    """Say whether a process runs (one that only waits to be reaped does not)."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
