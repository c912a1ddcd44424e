"""Small facts the harness stands on: where a group lives, how a log is laid out, what a broker is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab import layouts
from lab.cache import release
from lab.cluster import Cluster
from lab.hashing import java_hash, offsets_partition
from lab.processes import Processes
from lab.truth import Truth


@pytest.mark.parametrize(
    ("group", "partition"), [("orders-service", 17), ("connect-cluster", 13), ("reports-nightly", 43)]
)
def test_a_group_lives_where_recorded_brokers_said(group: str, partition: int) -> None:
    assert offsets_partition(group) == partition


def test_hashes_are_those_of_java() -> None:
    assert java_hash("hello") == 99162322
    assert java_hash("polygenelubricants") == -(1 << 31)
    assert offsets_partition("polygenelubricants") == 0


@pytest.mark.parametrize("layout", [name for name in layouts.names() if name not in ("json", "epoch")])
def test_every_layout_can_be_written_for_every_logging_backend(layout: str, tmp_path: Path) -> None:
    for version, logback in (("2.4.1", False), ("3.9.2", False), ("4.1.0", False), ("4.1.0", True)):
        option = layouts.write_config(tmp_path, "pod", version, layout, logback=logback)
        written = Path(option.split("=", 1)[1].removeprefix("file:")).read_text()
        assert "%m" in written
        assert ("%n" in written) is True


def test_log4j_1_has_no_json_pattern(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no pattern for the layout 'json'"):
        layouts.write_config(tmp_path, "pod", "3.9.2", "json")


def test_versions_are_compared_as_numbers() -> None:
    assert release("3.10.1") > release("3.9.2")


@pytest.mark.parametrize("version", ["2.8.2", "3.9.2", "4.1.0"])
def test_brokers_are_bound_to_loopback(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.cache.broker_jars", lambda version: tmp_path)
    processes = Processes()
    try:
        cluster = Cluster(
            version,
            processes,
            Truth(tmp_path / "t", quiet=True),
            tmp_path,
            tmp_path,
            settings={"group.max.size": 2},
        )
        for node in (1, 100) if not cluster.zookeeper else (1,):
            settings = cluster._settings(node)
            assert "127.0.0.1" in str(settings["listeners"])
            assert settings["group.max.size"] == 2
            assert ("zookeeper.connect" in settings) is (version == "2.8.2")
    finally:
        processes.close()


def test_log4j_2_logs_to_the_end_unless_an_app_is_to_lose_its_last_words(tmp_path: Path) -> None:
    for last_words in (True, False):
        option = layouts.write_config(tmp_path, "pod", "4.1.0", "boot", last_words=last_words)
        written = Path(option.split("=", 1)[1]).read_text()
        assert ('shutdownHook="disable"' in written) is last_words
