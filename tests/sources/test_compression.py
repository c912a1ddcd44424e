"""Compressed sources are known by their first bytes; what is good of a damaged one is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
import zstandard

from loganalyst.errors import SourceError
from loganalyst.sources import Source, Unreadable, compression, discover
from loganalyst.sources.fingerprint import identify
from tests.envelopes.reading_of import corpus_lines

TEXT = ("\n".join(corpus_lines("one-step-4.1.0/logs/broker-1.log.gz", 1400)) + "\n").encode()


def lz4(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "lz4") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress, "lz4": lz4,
}  # fmt: skip


def source_of(path: Path, data: bytes) -> Source:
    path.write_bytes(data)
    (source,) = discover([str(path)])
    assert isinstance(source, Source), str(source)
    return source


def read(source: Source, size: int = 50_000) -> tuple[bytes, str | None]:
    parts: list[bytes] = []
    with source.open() as stream:
        try:
            while part := stream.read(size):
                parts.append(part)
        except SourceError as problem:
            return b"".join(parts), str(problem)
    return b"".join(parts), None


@pytest.mark.parametrize("name", PACKERS)
def test_all_compressions_give_the_same_bytes_and_the_same_identity(tmp_path: Path, name: str) -> None:
    plain = source_of(tmp_path / "a.log", TEXT)
    packed = source_of(tmp_path / "without-a-telling-name", PACKERS[name](TEXT))
    assert packed.codecs == (name,)
    assert read(packed) == (TEXT, None)
    assert identify(packed) == identify(plain)


@pytest.mark.parametrize("name", ["gz", "bz2", "xz", "zst"])
def test_members_that_follow_each_other_are_one_text(tmp_path: Path, name: str) -> None:
    pack = PACKERS[name]
    assert read(source_of(tmp_path / "a", pack(TEXT[:5000]) + pack(TEXT[5000:])))[0] == TEXT


@pytest.mark.parametrize("name", PACKERS)
@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_the_good_part_of_a_cut_file_is_read_before_the_cut_is_said(
    tmp_path: Path, name: str, share: float
) -> None:
    packed = PACKERS[name](TEXT)
    path = tmp_path / "cut"
    path.write_bytes(packed[: int(len(packed) * share)])
    (found,) = discover([str(path)])
    if isinstance(found, Unreadable):
        assert "cut or damaged" in found.reason
        return
    good, problem = read(found)
    assert problem is not None
    assert "cut or damaged" in problem
    assert TEXT.startswith(good)
    if name == "gz":
        assert len(good) > len(TEXT) * share * 0.5


def test_a_cut_gzip_says_where(tmp_path: Path) -> None:
    packed = gzip.compress(TEXT)
    good, problem = read(source_of(tmp_path / "cut.gz", packed[:-200]))
    assert f"{len(packed) - 200:,} bytes" in (problem or "")
    assert f"{len(good):,} bytes before" in (problem or "")


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "BOMB_BYTES", 1 << 20)
    for pack in (zstandard.compress, bz2.compress):
        source = source_of(tmp_path / "bomb", pack(b"a line of text\n" * (1 << 21)))
        good, problem = read(source, 1 << 16)
        assert "refused" in (problem or "")
        assert len(good) < 24 << 20


def test_gzip_in_gzip_is_opened_but_not_without_end(tmp_path: Path) -> None:
    assert read(source_of(tmp_path / "a", gzip.compress(gzip.compress(TEXT))))[0] == TEXT
    deep = TEXT
    for _ in range(6):
        deep = gzip.compress(deep)
    (tmp_path / "deep").write_bytes(deep)
    (found,) = discover([str(tmp_path / "deep")])
    assert "refused" in str(found)


def test_compressions_that_are_not_read_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(100))
    (found,) = discover([str(tmp_path / "a.7z")])
    assert "7-Zip" in str(found)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_a_byte_order_mark_decides_the_encoding(tmp_path: Path, encoding: str) -> None:
    text = "größe\r\n" * 40_000
    mark = "" if encoding in ("utf-16", "utf-8-sig") else "\ufeff"
    source = source_of(tmp_path / "a.txt", (mark + text).encode(encoding))
    assert read(source, 1000)[0].decode() == text
    assert not source.plain


def test_reading_in_any_steps_gives_the_same(tmp_path: Path) -> None:
    source = source_of(tmp_path / "a.zst", zstandard.compress(TEXT))
    buffer = bytearray(777)
    out = io.BytesIO()
    with source.open() as stream:
        while count := stream.readinto(buffer):  # type: ignore[attr-defined]
            out.write(buffer[:count])
    assert out.getvalue() == TEXT
