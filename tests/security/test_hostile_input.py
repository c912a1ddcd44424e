"""Hostile input is inert: it is shown, counted and stored, and does nothing."""

from __future__ import annotations

import io
import re
import tarfile
import zipfile
from pathlib import Path

import pytest

import loganalyst
from loganalyst.cli import run

HOSTILE = {
    "colour": "a\x1b[31mb",
    "title": "a\x1b]0;owned\x07b",
    "clipboard": "a\x1b]52;c;aGk=\x07b",
    "link": "a\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\b",
    "carriage return": "a\rb",
    "backspace": "a\x08\x08b",
    "c1": "a\x9b31mb",
    "right to left": "a\u202eb",
    "isolate": "a\u2066b\u2069",
    "zero width": "a\u200bb",
    "script": "<script>alert(1)</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "quote": "x' OR '1'='1",
    "path": "../../../../etc/passwd",
    "absolute": "/etc/cron.d/evil",
    "partition": "date=2026-01-01/../../x",
    "template": "{group_id} {0} %s $(id) `id`",
    "formula": "=cmd|' /C calc'!A0",
    "nul": "a\x00b",
    "long": "x" * 5_000,
}

COORDINATOR = "[GroupCoordinator 3]: "
CLASS = " (kafka.coordinator.group.GroupCoordinator)"


def broker_lines(group: str) -> str:
    """Return the life of a group of two members: one that ends with its members gone."""
    texts = [
        f"Stabilized group {group} generation 1 (__consumer_offsets-29) with 2 members",
        f"Preparing to rebalance group {group} in state PreparingRebalance with old generation 1"
        f" (__consumer_offsets-29) (reason: Removing member {group}-1 on LeaveGroup; client reason: {group})",
        f"Stabilized group {group} generation 2 (__consumer_offsets-29) with 1 members",
    ]
    lines = [
        f"[2026-12-01 02:{minute:02}:00,000] INFO {COORDINATOR}{text}{CLASS}"
        for minute, text in zip((10, 20, 30), texts, strict=True)
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of groups with hostile names, in files with hostile names, for a cluster with one."""
    root = tmp_path_factory.mktemp("hostile")
    logs = root / "logs"
    logs.mkdir()
    for number, name in enumerate(HOSTILE.values()):
        safe = name.replace("/", "_").replace("\x00", "_")[:80]
        (logs / f"{number:02}-{safe}.log").write_bytes(broker_lines(name).encode())
    loganalyst.ingest(logs, into=root / "ds", cluster="../\x1b[31m<b>", jobs=1)
    return root


def test_every_group_is_read_and_named_as_it_is(hostile: Path) -> None:
    with loganalyst.open(hostile / "ds") as dataset:
        groups = {row[0] for row in dataset.sql("SELECT DISTINCT group_id FROM events").fetchall()}
    for kind, name in HOSTILE.items():
        # colours and NULs are decoration and padding of the writer: they are taken off; a CR ends a line
        read = name.replace("\x00", "")
        assert read in groups or "\x1b" in name or "\x9b" in name or kind == "carriage return", kind


def test_names_do_not_leave_the_folder_of_the_dataset(hostile: Path) -> None:
    assert {path.name for path in hostile.iterdir()} == {"logs", "ds"}
    for path in (hostile / "ds").rglob("*"):
        assert re.fullmatch(r"[\w.=-]+", path.name), path


UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize(
    "arguments",
    [
        ["report"],
        ["query", "rebalances", "--format", "table"],
        ["query", "rebalances", "--format", "markdown"],
        ["query", "findings", "--format", "json"],
        ["query", "events", "--format", "jsonl"],
        ["validate", "--fast"],
    ],
    ids=" ".join,
)
def test_nothing_that_a_terminal_obeys_is_printed(
    arguments: list[str], hostile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = arguments
    run([command, str(hostile / "ds"), *rest])
    out, err = capsys.readouterr()
    found = UNSEEN.search(out) or UNSEEN.search(err)
    assert found is None, repr((out + err)[max(0, found.start() - 60) : found.start() + 60])
    assert out


def test_messages_about_hostile_names_are_inert(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("no\x1b[31m.log", "no\u202e.log", "no\r.log"):
        run(["ingest", str(hostile / name), "--into", str(hostile.parent / "other")])
        run(["report", str(hostile / name)])
        out, err = capsys.readouterr()
        assert UNSEEN.search(out + err) is None, repr(err)


def test_the_html_report_runs_nothing_of_a_log(hostile: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert run(["report", str(hostile / "ds"), "--html", str(page), "-o", str(tmp_path / "out")]) == 0
    html = page.read_text(encoding="utf-8")
    assert "Content-Security-Policy" in html
    assert "<script>alert" not in html and "<img src=x" not in html
    assert UNSEEN.search(html) is None


def test_cells_that_a_spreadsheet_would_run_are_defused_on_demand(
    hostile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sql = "SELECT DISTINCT group_id FROM events WHERE group_id LIKE '=%'"
    run(["query", str(hostile / "ds"), "--sql", sql, "--format", "csv", "--spreadsheet"])
    assert capsys.readouterr().out.splitlines()[1].lstrip('"').startswith("'=")
    run(["query", str(hostile / "ds"), "--sql", sql, "--format", "csv"])
    assert capsys.readouterr().out.splitlines()[1].lstrip('"').startswith("=")


def test_a_header_inside_a_message_makes_no_event(tmp_path: Path) -> None:
    forged = (
        "[2026-12-01 02:00:00,000] INFO [GroupCoordinator 3]: Stabilized group forged generation 9"
        " (__consumer_offsets-29) with 9 members"
    )
    log = tmp_path / "broker.log"
    log.write_text(
        "[2026-12-01 02:10:00,000] INFO [GroupCoordinator 3]: Preparing to rebalance group orders in state"
        " PreparingRebalance with old generation 1 (__consumer_offsets-29)"
        " (reason: Removing member a on LeaveGroup;"
        f" client reason: {forged}){CLASS}\n"
    )
    loganalyst.ingest(log, into=tmp_path / "ds", jobs=1)
    with loganalyst.open(tmp_path / "ds") as dataset:
        rows = dataset.sql("SELECT event, group_id FROM events").fetchall()
    assert rows == [("group_preparing_rebalance", "orders")]


def tar_with(*entries: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for entry, data in entries:
            entry.size = len(data) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    return made


def test_archives_cannot_reach_out(tmp_path: Path) -> None:
    secret = tmp_path / "secret.log"
    secret.write_text(broker_lines("stolen"))
    good = broker_lines("good").encode()
    archive = tmp_path / "logs.tar.gz"
    archive.write_bytes(
        tar_with(
            (entry("good.log"), good),
            (entry("../escaped.log"), broker_lines("escaped").encode()),
            (entry("/absolute.log"), broker_lines("absolute").encode()),
            (entry("link.log", tarfile.SYMTYPE, str(secret)), b""),
            (entry("hard.log", tarfile.LNKTYPE, str(secret)), b""),
            (entry("device", tarfile.CHRTYPE), b""),
            (entry("pipe", tarfile.FIFOTYPE), b""),
        )
    )
    before = {path for path in tmp_path.parent.rglob("*") if "ds" not in path.parts}
    loganalyst.ingest(archive, into=tmp_path / "ds", jobs=1)
    after = {path for path in tmp_path.parent.rglob("*") if "ds" not in path.parts}
    assert after == before
    with loganalyst.open(tmp_path / "ds") as dataset:
        groups = {row[0] for row in dataset.sql("SELECT DISTINCT group_id FROM events").fetchall()}
    assert "good" in groups and "stolen" not in groups


def test_a_bomb_is_refused_and_the_rest_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"{number}.log", b"\x00" * (600 << 20 >> 2))
    good = tmp_path / "good.log"
    good.write_text(broker_lines("good"))
    run(["ingest", str(bomb), str(good), "--into", str(tmp_path / "ds"), "--jobs", "1"])
    with loganalyst.open(tmp_path / "ds") as dataset:
        assert dataset.sql("SELECT DISTINCT group_id FROM events").fetchall() == [("good",)]
    assert "Traceback" not in capsys.readouterr().err


def test_a_parser_file_of_a_stranger_runs_no_code_and_does_not_stall(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import time

    folder = tmp_path / "parsers"
    folder.mkdir()
    log = tmp_path / "app.log"
    log.write_text(broker_lines("good") + "x" * 1_000_000 + "\n")
    for text in (
        'component = "evil"\nrole = "client"\n[types.bad]\npattern = "(a+)+$"\n[[statement]]\nid = "a.1"\n'
        'event = "other"\ntemplate = "aaaaaaaa {x:bad}b"\nexample = "aaaaaaaa aab"\n',
        "component = \"__import__('os').system('touch owned')\"\n"
        '[[statement]]\ntemplate = "{0.__class__}"\n',
        "[[statement",
    ):
        (folder / "evil.toml").write_text(text)
        began = time.monotonic()
        code = run(
            ["ingest", str(log), "--into", str(tmp_path / "ds"), "--parsers", str(folder), "--jobs", "1"]
        )
        assert code in (0, 2) and time.monotonic() - began < 60
        assert "Traceback" not in capsys.readouterr().err
    assert not Path("owned").exists()
