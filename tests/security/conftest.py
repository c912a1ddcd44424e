"""A small dataset, and a secret beside it that no query may see."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import loganalyst

LINE = (
    "[2026-12-01 02:19:{:02},461] INFO [GroupCoordinator 3]: Stabilized group orders generation {}"
    " (__consumer_offsets-29) with {} members (kafka.coordinator.group.GroupCoordinator)\n"
)
LINES = LINE.format(30, 2, 2) + LINE.format(34, 3, 3)


@dataclass(frozen=True)
class House:
    """A dataset and its surroundings: `secret` lies beside it, `outside` is a folder to write to."""

    dataset: Path
    secret: Path
    outside: Path

    def snapshot(self) -> dict[str, bytes]:
        """All files below the dataset and outside, by path: nothing may appear or change."""
        files = [path for root in (self.dataset, self.outside) for path in root.rglob("*") if path.is_file()]
        return {str(path): path.read_bytes() for path in files}


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """A dataset of two events, in a folder with a quote in its name; a secret lies beside it."""
    root = tmp_path_factory.mktemp("house")
    log = root / "server.log"
    log.write_text(LINES)
    dataset = root / "data'set" / "incident"
    dataset.parent.mkdir()
    loganalyst.ingest(log, into=dataset, jobs=1)
    outside = root / "outside"
    outside.mkdir()
    secret = root / "secret.csv"
    secret.write_text("word\nhunter2\n")
    return House(dataset, secret, outside)
