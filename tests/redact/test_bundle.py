"""The bundle of a finding: small, redacted, with the lines behind it, and nothing else of the machine."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

import loganalyst
from loganalyst.cli import run
from loganalyst.redact.context import around

STAMP = "[2026-12-01 02:{:02}:{:02},000] INFO "
TAIL = " (kafka.coordinator.group.GroupCoordinator)"
MEMBER = "orders-0-94be65cf-6238-465f-88fa-3d01235f0374"
COORDINATOR = "[GroupCoordinator 3]: "

ASSIGNED = (
    f"Assignment received from leader {MEMBER} for group orders for generation {{}}."
    " The group has {} members, 0 of which are static."
)


def line(minute: int, second: int, text: str) -> str:
    return STAMP.format(minute, second) + COORDINATOR + text + TAIL


LEFT = f"(reason: Removing member {MEMBER} on LeaveGroup; client reason: password=hunter2)"
LOG = [
    line(19, 28, "Stabilized group orders generation 1 (__consumer_offsets-29) with 2 members"),
    line(19, 29, ASSIGNED.format(1, 2)),
    '[2026-12-01 02:19:30,000] INFO sasl.jaas.config = required password="hunter2"; (kafka.server.Config)',
    line(
        20,
        0,
        "Preparing to rebalance group orders in state PreparingRebalance with old generation 1"
        f" (__consumer_offsets-29) {LEFT}",
    ),
    line(24, 0, "Stabilized group orders generation 2 (__consumer_offsets-29) with 1 members"),
    line(24, 1, ASSIGNED.format(2, 1)),
]


@pytest.fixture(params=[False, True], ids=["plain dataset", "redacted dataset"])
def incident(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    """A rebalance of four minutes, and its finding."""
    log = tmp_path / "broker-3.log"
    log.write_text("\n".join(LOG) + "\n")
    loganalyst.ingest(log, into=tmp_path / "ds", jobs=1, redact=request.param)
    with loganalyst.open(tmp_path / "ds") as dataset:
        found = dataset.sql("SELECT finding FROM findings").fetchall()
    assert found, "the scene has no finding any more: give it another"
    return tmp_path / "ds", found[0][0]


def files(path: Path) -> dict[str, str]:
    found = {}
    with tarfile.open(path) as archive:
        for entry in archive.getmembers():
            content = archive.extractfile(entry)
            assert content is not None
            found[entry.name.partition("/")[2]] = content.read().decode()
    return found


def test_it_holds_the_finding_its_events_and_its_lines(incident: tuple[Path, str], tmp_path: Path) -> None:
    dataset, finding = incident
    assert run(["bundle", finding, str(dataset), "-o", str(tmp_path / "b.tar.gz")]) == 0
    found = files(tmp_path / "b.tar.gz")
    assert set(found) == {"README.txt", "finding.json", "events.jsonl", "lines/01.log"}
    assert json.loads(found["finding.json"])["finding"] == finding
    assert len(found["events.jsonl"].splitlines()) >= 1
    assert ">       4  [2026-12-01 02:20:00,000]" in found["lines/01.log"]
    assert "        3  [2026-12-01 02:19:30,000] INFO sasl.jaas.config" in found["lines/01.log"]


def test_no_secret_is_in_it(incident: tuple[Path, str], tmp_path: Path) -> None:
    dataset, finding = incident
    run(["bundle", finding, str(dataset), "-o", str(tmp_path / "b.tar.gz")])
    assert "hunter2" not in str(files(tmp_path / "b.tar.gz"))


def test_it_names_nobody_and_is_the_same_each_time(incident: tuple[Path, str], tmp_path: Path) -> None:
    dataset, finding = incident
    for name in ("one", "two"):
        run(["bundle", finding, str(dataset), "-o", str(tmp_path / name), "--no-context"])
    with tarfile.open(tmp_path / "one") as archive:
        assert all((entry.uid, entry.uname, entry.mtime) == (0, "", 0) for entry in archive.getmembers())
    assert set(files(tmp_path / "one")) == {"README.txt", "finding.json", "events.jsonl"}


def test_a_finding_that_is_not_there_is_said(
    incident: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bundle", "nothing", str(incident[0]), "-o", str(tmp_path / "b.tar.gz")]) == 2
    assert "no finding 'nothing'" in capsys.readouterr().err
    assert not (tmp_path / "b.tar.gz").exists()


def test_a_file_that_does_not_hold_the_line_gives_no_lines(tmp_path: Path) -> None:
    private = tmp_path / "private.txt"
    private.write_text("root:x:0:0\nhunter2\n")
    found = around(str(private), {1: "Stabilized group orders generation 1"})
    assert found.lines == {} and found.reason == "the source does not hold the lines any more"
    assert around(str(private), {1: ""}).lines == {}
    assert around(str(tmp_path / "gone.log"), {1: "x"}).reason == "the source is not at hand"
