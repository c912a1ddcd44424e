"""`kill -9` at any moment: no reader sees half a commit, and a plain re-run makes up for it.

`LOGANALYST_KILLS` sets how often a process is killed (the soak kills 200 times, the suite a few).
"""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from loganalyst.dataset.dataset import Dataset
from loganalyst.errors import DatasetError
from tests.ingest.samples import broker_log, other_line

KILLS = int(os.environ.get("LOGANALYST_KILLS", "3"))

pytestmark = pytest.mark.xdist_group("kill")

ROWS = "SELECT * EXCLUDE (fields), fields::VARCHAR FROM events ORDER BY ALL"
ACCOUNTS = "SELECT * EXCLUDE (ingested_at) FROM sources ORDER BY ALL"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kill") / "logs"
    folder.mkdir()
    noise = "".join(other_line(number) for number in range(600))
    for number in range(8):
        text = noise + broker_log(range(1, 300), group=f"g{number}")
        # Stored, not compressed: it weighs enough for processes of its own, and is read fast.
        packed = gzip.compress(text.replace("payments", f"payments{number}").encode(), compresslevel=0)
        (folder / f"broker-{number}.log.gz").write_bytes(packed)
    return folder


def start(logs: Path, into: Path) -> subprocess.Popen[bytes]:
    command = [
        sys.executable,
        "-m",
        "loganalyst",
        "ingest",
        str(logs),
        "--into",
        str(into),
        "--jobs",
        "2",
        "--quiet",
    ]
    return subprocess.Popen(command, start_new_session=True)


def look(into: Path, question: str) -> list[tuple[object, ...]]:
    return Dataset.open(into).connect().sql(question).fetchall()


def check_readable(into: Path) -> None:
    """Whatever is visible is whole: every source that counts has all its rows."""
    try:
        dataset = Dataset.open(into)
    except DatasetError:
        return  # killed before there was a dataset
    torn = dataset.connect().sql(
        """
        WITH found AS (SELECT source, count(*) AS n FROM events GROUP BY source)
        SELECT source FROM sources LEFT JOIN found USING (source) WHERE events <> coalesce(n, 0)
        UNION ALL SELECT source FROM found ANTI JOIN sources USING (source)
        """
    )
    assert torn.fetchall() == []


@pytest.fixture(scope="module")
def undisturbed(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("undisturbed") / "d"
    assert start(logs, into).wait(timeout=300) == 0
    return into


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_ingest_leaves_nothing_half_and_a_rerun_completes_it(
    seed: int, logs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    into = tmp_path / "d"
    chance = random.Random(seed)
    for _ in range(2):
        process = start(logs, into)
        time.sleep(chance.uniform(0.2, 4.0))
        if chance.random() < 0.7:
            process.kill()  # the parent alone: its workers must notice
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        check_readable(into)
    assert start(logs, into).wait(timeout=300) == 0
    assert look(into, ROWS) == look(undisturbed, ROWS)
    assert look(into, ACCOUNTS) == look(undisturbed, ACCOUNTS)


def test_two_ingests_of_the_same_sources_at_once_count_them_once(
    logs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    into = tmp_path / "d"
    both = [start(logs, into), start(logs, into)]
    assert [process.wait(timeout=300) for process in both] == [0, 0]
    assert look(into, ROWS) == look(undisturbed, ROWS)
    assert look(into, ACCOUNTS) == look(undisturbed, ACCOUNTS)


def test_ctrl_c_stops_cleanly_and_keeps_what_was_committed(
    logs: Path, undisturbed: Path, tmp_path: Path
) -> None:
    into = tmp_path / "d"
    process = start(logs, into)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    assert process.returncode in (0, 130)
    check_readable(into)
    assert start(logs, into).wait(timeout=300) == 0
    assert look(into, ROWS) == look(undisturbed, ROWS)
