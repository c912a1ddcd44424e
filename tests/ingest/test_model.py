"""Any sequence of write, append, rotate, truncate, compress, copy, delete and ingest: every line counts once.

`LOGANALYST_SEQUENCES` sets how many random sequences are tried (the soak tries 5,000, the suite a few).
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from loganalyst.dataset.compact import compact
from loganalyst.dataset.dataset import Dataset
from tests.ingest.samples import broker_line, ingest, other_line

SEQUENCES = int(os.environ.get("LOGANALYST_SEQUENCES", "12"))

names = st.sampled_from(["broker-1.log", "broker-2.log"])
counts = st.integers(1, 4)


class Logs(RuleBasedStateMachine):
    """Files that change as log files do, and a dataset that is fed from them.

    Each line that becomes an event carries a number of its own, so the dataset must hold exactly the numbers
    that stood in whole lines of some file at the time of some ingest.
    """

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp(prefix="loganalyst-model-"))
        self.logs = self.root / "logs"
        self.logs.mkdir()
        self.into = self.root / "dataset"
        self.number = 0
        self.rest: dict[Path, tuple[str, int]] = {}
        self.whole: dict[Path, set[int]] = {}
        self.expected: set[int] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    def _lines(self, path: Path, count: int) -> str:
        text, half = self.rest.pop(path, ("", 0))
        if half:
            self.whole.setdefault(path, set()).add(half)
        for _ in range(count):
            self.number += 1
            text += broker_line(self.number, second=self.number % 3600) + other_line(self.number % 3600)
            self.whole.setdefault(path, set()).add(self.number)
        return text

    @rule(name=names, count=counts)
    def append(self, name: str, count: int) -> None:
        path = self.logs / name
        with path.open("a") as file:
            file.write(self._lines(path, count))

    @rule(name=names, cut=st.integers(1, 100))
    def write_half_a_line(self, name: str, cut: int) -> None:
        path = self.logs / name
        if path in self.rest:
            return
        line = self._lines(path, 1)
        self.whole[path].discard(self.number)
        with path.open("a") as file:
            file.write(line[:cut])
        self.rest[path] = (line[cut:], self.number)

    @rule(name=names)
    def rotate(self, name: str) -> None:
        path = self.logs / name
        if path.exists() and path not in self.rest:
            for number in (3, 2, 1):
                older = path.with_name(f"{name}.{number - 1}") if number > 1 else path
                if older.exists():
                    newer = path.with_name(f"{name}.{number}")
                    older.replace(newer)
                    self.whole[newer] = self.whole.pop(older, set())

    @rule(name=names, count=counts)
    def truncate_and_go_on(self, name: str, count: int) -> None:
        path = self.logs / name
        if path.exists():
            self.rest.pop(path, None)
            self.whole[path] = set()
            path.write_text(self._lines(path, count))

    @rule(name=names)
    def compress_the_rotated(self, name: str) -> None:
        path = self.logs / f"{name}.1"
        if path.exists():
            packed = path.with_name(f"{name}.{self.number}.gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
            self.whole[packed] = self.whole.pop(path, set())

    @rule(name=names)
    def copy(self, name: str) -> None:
        path = self.logs / name
        if path.exists() and path not in self.rest:
            copied = self.logs / f"copy-{name}"
            shutil.copyfile(path, copied)
            self.whole[copied] = set(self.whole.get(path, ()))

    @rule(name=names)
    def delete(self, name: str) -> None:
        path = self.logs / name
        path.unlink(missing_ok=True)
        self.rest.pop(path, None)
        self.whole.pop(path, None)

    @rule()
    def read(self) -> None:
        if not any(self.logs.iterdir()):
            return
        for numbers in self.whole.values():
            self.expected |= numbers
        ingest(self.into, self.logs)

    @precondition(lambda self: self.into.exists())
    @rule()
    def compact(self) -> None:
        compact(Dataset.open(self.into), target_rows=8)

    @precondition(lambda self: self.into.exists())
    @invariant()
    def every_line_counts_once(self) -> None:
        connection = Dataset.open(self.into).connect()
        found = [
            number for (number,) in connection.sql("SELECT generation FROM events ORDER BY 1").fetchall()
        ]
        assert found == sorted(self.expected)
        assert (
            connection.sql(
                "SELECT source FROM sources"
                " WHERE lines <> records + continuation_lines + foreign_lines + undated_lines OR lines < 0"
            ).fetchall()
            == []
        )
        assert connection.sql("SELECT coalesce(sum(events), 0) FROM sources").fetchall() == [(len(found),)]


def test_every_line_counts_once_whatever_happens_to_the_files() -> None:
    run_state_machine_as_test(
        Logs,
        settings=settings(
            max_examples=SEQUENCES,
            stateful_step_count=12,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
