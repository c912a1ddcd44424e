"""A source is known by its content, wherever it lies and however it has grown."""

from __future__ import annotations

import gzip
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from loganalyst.sources import Source, discover
from loganalyst.sources.fingerprint import (
    HASHED,
    Fingerprint,
    beginnings,
    fingerprint_of,
    identify,
    same_beginning,
)


def source_of(path: Path, data: bytes) -> Source:
    path.write_bytes(data)
    (source,) = discover([str(path)])
    assert isinstance(source, Source)
    return source


def test_a_renamed_or_gzipped_copy_is_the_same_source(tmp_path: Path) -> None:
    data = b"2024/12/01 00:00:00 line\n" * 10_000
    one = identify(source_of(tmp_path / "a.log", data))
    assert (
        one
        == identify(source_of(tmp_path / "b.log.1", data))
        == identify(source_of(tmp_path / "c", gzip.compress(data)))
    )
    assert one.hashed_bytes == HASHED


def test_a_small_file_that_grew_is_recognised(tmp_path: Path) -> None:
    small = source_of(tmp_path / "a.log", b"2024/12/01 00:00:00 first\n")
    known = identify(small)
    grown = source_of(tmp_path / "a.log", b"2024/12/01 00:00:00 first\n" * 9000)
    assert same_beginning(grown, known)
    other = source_of(tmp_path / "b.log", b"2024/12/01 00:00:00 other\n" * 9000)
    assert not same_beginning(other, known)
    shorter = source_of(tmp_path / "c.log", b"2024/12/01")
    assert not same_beginning(shorter, known)


@given(st.binary(max_size=2000), st.lists(st.integers(0, 3000), max_size=8))
def test_all_beginnings_are_found_in_one_pass(head: bytes, lengths: list[int]) -> None:
    found = beginnings(head, lengths)
    assert set(found) == {length for length in lengths if length <= len(head)}
    assert all(print_ == fingerprint_of(head[:length]) for length, print_ in found.items())


def test_the_text_form_is_read_back() -> None:
    known = fingerprint_of(b"abc")
    assert Fingerprint.parse(str(known)) == known
