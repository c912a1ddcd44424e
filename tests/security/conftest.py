"""A small dataset, and a secret beside it that no query may see."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

import loganalyst

LINES = """\
[2026-12-01 02:19:30,461] INFO [GroupCoordinator 3]: Stabilized group orders generation 2 (__consumer_offsets-29) \
with 2 members (kafka.coordinator.group.GroupCoordinator)
[2026-12-01 02:19:34,519] INFO [GroupCoordinator 3]: Stabilized group orders generation 3 (__consumer_offsets-29) \
with 3 members (kafka.coordinator.group.GroupCoordinator)
"""


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
    """A dataset of two events, in a folder with a quote in its name, with a secret beside it. Nothing may change it."""
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
