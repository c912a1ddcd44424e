"""Archives are read to their members; nothing in them is trusted."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from loganalyst.sources import Source, SourceOptions, Unreadable, discover
from loganalyst.sources.archive import Limits
from loganalyst.sources.spool import Spool

LINE = b"[2024-12-01 00:00:00,123] INFO Done (kafka.server.KafkaServer)\n"


def tar(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path


def contents(path: Path, options: SourceOptions | None = None) -> tuple[dict[str, bytes], list[str]]:
    texts: dict[str, bytes] = {}
    problems: list[str] = []
    for each in discover([str(path)], options):
        if isinstance(each, Unreadable):
            problems.append(str(each).removeprefix(str(path)))
        else:
            with each.open() as stream:
                texts[each.name.removeprefix(str(path))] = b"".join(
                    iter(lambda s=stream: s.read(1 << 16), b"")
                )
    return texts, problems


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_members_are_named_behind_an_exclamation_mark(tmp_path: Path, mode: str) -> None:
    path = tar(tmp_path / "logs.tar", {"a/b.log": LINE, "c.log": gzip.compress(LINE * 2)}, mode)
    assert contents(path) == ({"!a/b.log": LINE, "!c.log": LINE * 2}, [])


def test_a_zip_is_read_and_so_is_an_archive_in_it(tmp_path: Path) -> None:
    inner = tar(tmp_path / "inner.tgz", {"x.log": LINE}, "w:gz").read_bytes()
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.log", LINE)
        archive.writestr("more/inner.tgz", inner)
    assert contents(path) == ({"!a.log": LINE, "!more/inner.tgz!x.log": LINE}, [])


@pytest.mark.parametrize(
    "name", ["../../etc/cron.d/x", "/etc/passwd", "a/../../b.log", "..\\b.log", "C:\\b.log"]
)
def test_paths_that_lead_out_are_refused(tmp_path: Path, name: str) -> None:
    texts, problems = contents(tar(tmp_path / "a.tar", {name: LINE, "ok.log": LINE}))
    assert texts == {"!ok.log": LINE}
    assert "leads out" in problems[0]


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with tarfile.open(path, "w") as archive:
        for name, kind in (
            ("link", tarfile.SYMTYPE),
            ("hard", tarfile.LNKTYPE),
            ("device", tarfile.CHRTYPE),
            ("pipe", tarfile.FIFOTYPE),
        ):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            archive.addfile(entry)
    texts, problems = contents(path)
    assert texts == {}
    assert len(problems) == 4
    assert all("refused" in problem for problem in problems)


def test_limits_on_members_bytes_and_depth_hold(tmp_path: Path) -> None:
    path = tar(tmp_path / "a.tar", {f"{n}.log": LINE for n in range(5)})
    texts, problems = contents(path, SourceOptions(limits=Limits(members=3)))
    assert (len(texts), len(problems)) == (3, 1)
    texts, problems = contents(path, SourceOptions(limits=Limits(total_bytes=2 * len(LINE))))
    assert (len(texts), len(problems)) == (2, 1)
    nested = LINE
    for level in range(4):
        nested = tar(tmp_path / f"{level}.tar", {"n": nested}).read_bytes()
    texts, problems = contents(tmp_path / "3.tar", SourceOptions(limits=Limits(depth=2)))
    assert texts == {}
    assert "deep" in problems[0]


def test_a_cut_archive_gives_what_stands_before_the_cut(tmp_path: Path) -> None:
    whole = tar(tmp_path / "a.tar", {"a.log": LINE * 100, "b.log": LINE * 10_000}).read_bytes()
    path = tmp_path / "cut.tgz"
    path.write_bytes(gzip.compress(whole[:200_000]))
    texts, problems = contents(path)
    assert texts["!a.log"] == LINE * 100
    assert problems


def test_what_was_unpacked_goes_with_the_spool(tmp_path: Path) -> None:
    path = tar(tmp_path / "a.tgz", {"a.log": LINE}, "w:gz")
    (tmp_path / "spool").mkdir()
    spool = Spool(str(tmp_path / "spool"))
    sources = [s for s in discover([str(path)], SourceOptions(spool=spool)) if isinstance(s, Source)]
    assert sources[0].open().read(100) == LINE
    assert list((tmp_path / "spool").iterdir())
    spool.close()
    assert not list((tmp_path / "spool").iterdir())


def test_an_archive_in_a_pipe_is_read(tmp_path: Path) -> None:
    data = tar(tmp_path / "a.tgz", {"a.log": LINE}, "w:gz").read_bytes()
    (source,) = discover(["-"], SourceOptions(stdin=io.BytesIO(data)))
    assert isinstance(source, Source)
    assert (source.name, source.open().read(100)) == ("-!a.log", LINE)
