"""What an ingest promises: everything once, every line accounted for, the rest processed."""

from __future__ import annotations

import gzip
import io
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from loganalyst.dataset.dataset import Dataset
from loganalyst.errors import DatasetError
from loganalyst.ingest.run import Progress, run_ingest
from loganalyst.sources import SourceOptions
from tests.ingest.samples import broker_line, broker_log, ingest, other_line


def events(into: Path, columns: str = "generation") -> list[tuple[object, ...]]:
    return Dataset.open(into).connect().sql(f"SELECT {columns} FROM events ORDER BY ALL").fetchall()


def generations(into: Path) -> list[object]:
    return [generation for (generation,) in events(into)]


def sources(into: Path, columns: str = "*") -> list[tuple[object, ...]]:
    return Dataset.open(into).connect().sql(f"SELECT {columns} FROM sources ORDER BY ALL").fetchall()


@pytest.fixture
def into(tmp_path: Path) -> Path:
    return tmp_path / "dataset"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "logs" / "broker-1.log"
    path.parent.mkdir()
    path.write_text(broker_log(range(1, 6)))
    return path


def test_a_log_becomes_events_and_an_account(into: Path, log: Path) -> None:
    summary = ingest(into, log)
    assert (summary.sources, summary.lines, summary.events, summary.problems) == (1, 10, 5, [])
    assert generations(into) == [1, 2, 3, 4, 5]
    assert sources(into, "source, lines, records, events, foreign_lines") == [(str(log), 10, 10, 5, 0)]


def test_source_and_line_lead_back_to_the_text(into: Path, log: Path) -> None:
    ingest(into, log)
    for source, line, message in events(into, "source, line, message"):
        assert str(message) in Path(str(source)).read_text().splitlines()[int(str(line)) - 1]


def test_reading_again_adds_nothing(into: Path, log: Path) -> None:
    ingest(into, log)
    again = ingest(into, log)
    assert (again.sources, again.known, again.events) == (0, 1, 0)
    assert len(events(into)) == 5


def gzipped(path: Path) -> Path:
    copy = path.with_name(path.name + ".gz")
    copy.write_bytes(gzip.compress(path.read_bytes()))
    return copy


def zstd(path: Path) -> Path:
    copy = path.with_name(path.name + ".zst")
    copy.write_bytes(zstandard.compress(path.read_bytes()))
    return copy


def rotated(path: Path) -> Path:
    return path.rename(path.with_name(path.name + ".1"))


def moved(path: Path) -> Path:
    folder = path.parent.parent / "elsewhere"
    folder.mkdir()
    return path.rename(folder / "renamed.log")


@pytest.mark.parametrize("copy", [gzipped, zstd, rotated, moved])
@pytest.mark.parametrize("size", [5, 3_000])
def test_a_copy_under_another_name_adds_nothing(
    into: Path, log: Path, copy: Callable[[Path], Path], size: int
) -> None:
    log.write_text(broker_log(range(1, size + 1)))
    ingest(into, log)
    assert ingest(into, copy(log)).known == 1
    assert len(events(into)) == size
    assert len(sources(into)) == 1


def test_the_same_content_given_twice_at_once_counts_once(into: Path, log: Path) -> None:
    other = log.with_name("copy.log")
    shutil.copy(log, other)
    gzipped(log)
    summary = ingest(into, log.parent, log)
    assert (summary.sources, summary.known) == (1, 2)
    assert len(events(into)) == 5


@pytest.mark.parametrize("size", [5, 3_000])
def test_a_file_that_grew_adds_its_tail(into: Path, log: Path, size: int) -> None:
    log.write_text(broker_log(range(1, size + 1)))
    ingest(into, log)
    with log.open("a") as file:
        file.write(broker_log(range(size + 1, size + 4)))
    assert ingest(into, log).events == 3
    assert generations(into) == list(range(1, size + 4))
    assert sources(into, "lines, records, events") == [(2 * size + 6, 2 * size + 6, size + 3)]
    assert sources(into, "bytes") == [(log.stat().st_size,)]


def test_a_file_that_was_rotated_and_grew_adds_its_tail_and_the_new_file_is_new(
    into: Path, log: Path
) -> None:
    ingest(into, log)
    old = rotated(log)
    with old.open("a") as file:
        file.write(broker_log(range(6, 8)))
    log.write_text(broker_log(range(8, 10)))
    ingest(into, log.parent)
    assert generations(into) == list(range(1, 10))
    assert len(sources(into)) == 2


def test_a_file_that_was_truncated_and_written_anew_is_new_content(into: Path, log: Path) -> None:
    ingest(into, log)
    log.write_text(broker_log(range(6, 12)))
    ingest(into, log)
    assert generations(into) == list(range(1, 12))


def test_an_older_and_shorter_copy_adds_nothing(into: Path, log: Path) -> None:
    text = log.read_bytes()
    ingest(into, log)
    log.with_name("older.log").write_bytes(text[: len(text) // 2])
    ingest(into, log.parent)
    assert len(events(into)) == 5


@pytest.mark.parametrize("cut", [1, 20, 60, 100, 150, 180])
def test_a_last_line_that_was_not_written_to_its_end_is_read_whole_later(
    into: Path, log: Path, cut: int
) -> None:
    text = log.read_bytes() + broker_line(12).encode()
    log.write_bytes(text[:-cut])
    ingest(into, log)
    log.write_bytes(text + broker_line(13).encode())
    ingest(into, log)
    assert generations(into) == [1, 2, 3, 4, 5, 12, 13]
    assert sources(into, "lines, records, events, foreign_lines, continuation_lines") == [(12, 12, 7, 0, 0)]


def test_a_number_that_was_cut_off_is_corrected(into: Path, log: Path) -> None:
    whole = (
        "[2026-12-01 00:01:00,000] INFO [GroupCoordinator 1]:"
        " Group orders with generation 12 is now empty (__consumer_offsets-17)"
    )
    log.write_text(whole[:-2])
    ingest(into, log)
    before = events(into, "generation, offsets_partition")
    log.write_text(whole + " (kafka.coordinator.group.GroupCoordinator)\n" + broker_line(13))
    ingest(into, log)
    assert before in ([], [(12, 1)])
    assert events(into, "generation, offsets_partition") == [(12, 17), (13, 17)]


def test_a_known_beginning_with_another_end_is_another_source(into: Path, log: Path) -> None:
    text = broker_log(range(1, 1_000))
    log.write_text(text + broker_line(2_000))
    other = log.with_name("broker-2.log")
    other.write_text(text + broker_line(2_001, group="billing"))
    ingest(into, log)
    ingest(into, other)
    assert len(sources(into)) == 2
    assert ingest(into, log.parent).known == 2


def test_line_classes_add_up_whatever_comes(into: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.log"
    hostile.write_bytes(
        b"banner\n\n" + broker_line(1).encode() + b"\tat java.lang.Thread.run(Thread.java:1)\n" + b"caf\xe9\n"
        b"\x00\x00\x00\n"
        + broker_line(2).encode().replace(b"orders", b"ord\xe9rs")
        + b"x" * 3_000_000
        + b"\n"
        + b"[2026-12-01 00:00:09,000] INFO cut"
    )
    ingest(into, hostile)
    columns = "lines, records + continuation_lines + foreign_lines + undated_lines, events"
    assert sources(into, columns) == [(9, 9, 2)]


def test_what_cannot_be_read_is_told_and_the_rest_is_processed(into: Path, log: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.log.gz"
    cut.write_bytes(gzip.compress(broker_log(range(50, 3_000)).encode())[:-4_000])
    binary = tmp_path / "binary.log"
    binary.write_bytes(bytes(range(32)) * 1_000)
    empty = tmp_path / "empty"
    empty.mkdir()
    summary = ingest(into, tmp_path / "missing.log", cut, binary, empty, log)
    assert sorted(Path(source).name for source, _ in summary.problems) == [
        "binary.log",
        "cut.log.gz",
        "empty",
        "missing.log",
    ]
    assert {1, 2, 3, 4, 5, 50} <= set(generations(into))


def test_a_dataset_that_cannot_be_written_is_said_so(tmp_path: Path, log: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(DatasetError, match="file"):
        ingest(file, log)


def test_stdin_is_known_by_content_too(into: Path, log: Path) -> None:
    for expected in (1, 0):
        stdin = SourceOptions(stdin=io.BytesIO(log.read_bytes()))
        assert run_ingest(["-"], into, source_options=stdin).sources == expected
    log.write_text(log.read_text() + broker_line(6))
    grown = SourceOptions(stdin=io.BytesIO(log.read_bytes()))
    assert run_ingest(["-"], into, source_options=grown).events == 1
    assert generations(into) == [1, 2, 3, 4, 5, 6]


def test_processes_give_the_same_rows_as_one(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    noise = "".join(other_line(number % 3_000) for number in range(30_000))
    for number in range(4):
        (logs / f"broker-{number}.log").write_text(noise + broker_log(range(1, 20), group=f"g{number}"))
    everything = "* EXCLUDE (fields), fields::VARCHAR"
    ingest(tmp_path / "one", logs)
    ingest(tmp_path / "two", logs, jobs=2)
    assert events(tmp_path / "one", everything) == events(tmp_path / "two", everything)
    accounts = "* EXCLUDE (ingested_at)"
    assert sources(tmp_path / "one", accounts) == sources(tmp_path / "two", accounts)


def test_progress_counts_up_to_what_there_was(into: Path, log: Path) -> None:
    seen: list[Progress] = []
    run_ingest([str(log)], into, progress=seen.append)
    assert seen[-1].bytes == log.stat().st_size
    assert (seen[-1].sources, seen[-1].of, seen[-1].events) == (1, 1, 5)


def test_the_times_of_a_source_are_those_of_all_its_records(into: Path, log: Path) -> None:
    log.write_text(other_line(1) + broker_line(5) + other_line(3_000))
    ingest(into, log)
    times = sources(into, "first_ts::VARCHAR, last_ts::VARCHAR")
    assert times == [("2026-12-01 00:00:01.5+00", "2026-12-01 00:50:00.5+00")]
