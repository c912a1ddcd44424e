"""What stands on the command line becomes sources; what cannot be read is said and the rest goes on."""

from __future__ import annotations

import io
import pickle
from pathlib import Path

import pytest

from loganalyst.sources import Source, SourceOptions, Unreadable, discover
from loganalyst.sources.files import FileOpener

LINE = b"[2024-12-01 00:00:00,123] INFO Done (kafka.server.KafkaServer)\n"


def found(*paths: Path | str, options: SourceOptions | None = None) -> list[Source | Unreadable]:
    return list(discover([str(path) for path in paths], options))


def names(results: list[Source | Unreadable]) -> list[str]:
    return [each.name for each in results if isinstance(each, Source)]


def test_a_folder_is_walked_in_sorted_order_without_hidden_files(tmp_path: Path) -> None:
    for name in ("b.log", "a/z.log", "a/.secret.log", ".git/config", "c.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LINE)
    assert names(found(tmp_path)) == [f"{tmp_path}/{name}" for name in ("a/z.log", "b.log", "c.log")]
    assert names(found(f"{tmp_path}/")) == names(found(tmp_path))


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a.log").write_bytes(LINE)
    (tmp_path / "logs" / "again").symlink_to(tmp_path)
    assert len(names(found(tmp_path))) == 1


def test_linked_files_are_read_as_kubernetes_links_them(tmp_path: Path) -> None:
    (tmp_path / "pods").mkdir()
    (tmp_path / "pods" / "0.log").write_bytes(LINE)
    (tmp_path / "containers").mkdir()
    (tmp_path / "containers" / "web.log").symlink_to(tmp_path / "pods" / "0.log")
    assert names(found(tmp_path / "containers")) == [f"{tmp_path}/containers/web.log"]


def test_missing_and_broken_things_are_said_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(LINE)
    (tmp_path / "gone.log").symlink_to(tmp_path / "nowhere")
    results = found(tmp_path / "missing.log", tmp_path)
    assert names(results) == [f"{tmp_path}/a.log"]
    problems = [str(each) for each in results if isinstance(each, Unreadable)]
    assert problems == [
        f"{tmp_path}/missing.log: no such file or directory",
        f"{tmp_path}/gone.log: no such file or directory",
    ]


def test_a_file_without_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: FileOpener, offset: int = 0) -> io.BytesIO:
        raise PermissionError(13, "Permission denied", self.path)

    (tmp_path / "a.log").write_bytes(LINE)
    monkeypatch.setattr(FileOpener, "raw", refuse)
    (problem,) = found(tmp_path / "a.log")
    assert str(problem) == f"{tmp_path}/a.log: permission denied"


def test_a_folder_without_logs_and_a_binary_file_are_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (problem,) = found(tmp_path / "empty")
    assert "without any log" in str(problem)
    (tmp_path / "core").write_bytes(bytes(range(256)) * 40)
    (problem,) = found(tmp_path / "core")
    assert "binary" in str(problem)


def test_text_with_some_nul_bytes_or_a_hole_at_its_beginning_is_no_binary(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(LINE * 50 + b"\0\0\0" + LINE)
    (tmp_path / "copytruncated.log").write_bytes(b"\0" * 9000 + LINE)
    assert len(names(found(tmp_path))) == 2


def test_an_empty_file_is_a_source(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(b"")
    (source,) = found(tmp_path / "a.log")
    assert isinstance(source, Source)
    assert source.head(10) == b""


def test_standard_input_is_read_once_with_its_beginning_looked_at() -> None:
    options = SourceOptions(stdin=io.BytesIO(LINE * 1000))
    (source,) = found("-", options=options)
    assert isinstance(source, Source)
    assert (source.name, source.size, source.plain) == ("-", None, False)
    with source.open() as stream:
        parts = []
        while part := stream.read(1000):
            parts.append(part)
    assert b"".join(parts) == LINE * 1000


def test_a_scheme_may_have_an_opener_of_its_own() -> None:
    def opener(url: str, options: SourceOptions) -> list[Unreadable]:
        del options
        return [Unreadable(url, "seen")]

    (seen,) = found("s3://bucket/key", options=SourceOptions(schemes={"s3": opener}))  # type: ignore[dict-item]
    assert str(seen) == "s3://bucket/key: seen"


def test_sources_travel_to_other_processes(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(LINE)
    (source,) = found(tmp_path / "a.log")
    again = pickle.loads(pickle.dumps(source))
    assert again == source
    with again.open() as stream:
        assert stream.read(1000) == LINE


def test_a_plain_file_is_read_from_any_byte_on(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(LINE * 3)
    (source,) = found(tmp_path / "a.log")
    assert isinstance(source, Source)
    assert source.plain
    with source.open(len(LINE)) as stream:
        assert stream.read(1000) == LINE * 2
