"""The scrubber: nothing of the recording machine stays in a corpus."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from lab.scrub import LocalNamesError, Scrubber, require_clean

PLACES = {"/srv/lab/run/one-step-77": "/var/lib/kafka", "/srv/lab": "/opt/kafka", "/home/ada": "/home/app"}


@pytest.fixture
def scrubber() -> Scrubber:
    return Scrubber(PLACES, ["ada-laptop", "ada", "root"])


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (b"log.dirs = /srv/lab/run/one-step-77/data-1", b"log.dirs = /var/lib/kafka/data-1"),
        (
            b"java.class.path=/srv/lab/broker-3.9/x.jar:/srv/lab/y.jar",
            b"java.class.path=/opt/kafka/broker-3.9/x.jar:/opt/kafka/y.jar",
        ),
        (b"host.name=ada-laptop (org.apache.zookeeper)", b"host.name=app-host (org.apache.zookeeper)"),
        (
            b"Starting Orders using Java 17 with PID 9 (/app/x.jar started by ada in /home/ada/work)",
            b"Starting Orders using Java 17 with PID 9 (started by app in /app)",
        ),
        (b"group ada-bidder, member radar-1", b"group ada-bidder, member radar-1"),
        (b"started by the root logger", b"started by the root logger"),
    ],
)
def test_a_line_loses_paths_and_names_and_nothing_else(scrubber: Scrubber, said: bytes, kept: bytes) -> None:
    assert scrubber.line(said) == kept


def test_a_scrubbed_file_is_clean(scrubber: Scrubber, tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    log.write_bytes(b"a /srv/lab/run/one-step-77/x\nb ada-laptop\nlast line without an end /home/ada")
    scrubber.file(log)
    require_clean(scrubber, [log])
    assert log.read_bytes() == b"a /var/lib/kafka/x\nb app-host\nlast line without an end /home/app"


def test_a_leftover_is_named_with_its_file_and_line(scrubber: Scrubber, tmp_path: Path) -> None:
    log = tmp_path / "pod.log"
    log.write_bytes(b"fine\nstate dir /srv/lab/run\n")
    with pytest.raises(LocalNamesError, match=r"pod\.log line 2 .*state dir"):
        require_clean(scrubber, [log])


def test_this_machine_is_known_by_checkout_home_and_run(tmp_path: Path) -> None:
    scrubber = Scrubber.of_this_machine(tmp_path / "run", tmp_path / "out", tmp_path / "cache")
    checkout = str(Path(__file__).resolve().parents[2]).encode()
    line = (
        b"in "
        + checkout
        + b"/lab, "
        + str(tmp_path / "run" / "data").encode()
        + b" and "
        + str(Path.home()).encode()
    )
    assert scrubber.line(line) == b"in /opt/app/lab, /var/lib/kafka/data and /home/app"
    kernel = b"os.version=" + platform.release().encode() + b" (org.apache.zookeeper.ZooKeeper)"
    assert scrubber.line(kernel) == b"os.version=5.15.0 (org.apache.zookeeper.ZooKeeper)"
