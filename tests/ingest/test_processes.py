"""One unwrapped file: is it the log of one process, or of several put together?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.schema import EVENTS
from loganalyst.envelopes.record import Record
from loganalyst.ingest.processes import Processes
from tests.ingest.samples import broker_line, consumer_line, ingest

MINUTE = 60_000_000


Line = tuple[int, str, str] | tuple[int, str, str, str]


def several(*lines: Line, group: str = "g", client: str = "java") -> bool:
    """Decide over lines (minute, client id, event, thread if any)."""
    processes = Processes()
    for minute, client_id, event, *thread in lines:
        row: dict[str, Any] = dict.fromkeys(EVENTS.names)
        row.update(
            role="client", ts=minute * MINUTE, client_id=client_id, event=event, group_id=group, client=client
        )
        processes.take(row, Record(line=1, lines=1, message="", thread=thread[0] if thread else None))
    return processes.decide()


START, GOES_ON = "subscription_changed", "join_succeeded"


def test_one_client_is_one_process() -> None:
    assert not several((0, "c", START), (5, "c", GOES_ON), (9, "c", START))


def test_numbered_clients_that_start_and_restart_together_are_threads() -> None:
    assert not several(
        (0, "orders-0", START),
        (0, "orders-1", START),
        (3, "orders-0", GOES_ON),
        (3, "orders-1", GOES_ON),
        (9, "orders-0", START),
        (9, "orders-1", START),
        (12, "orders-0", GOES_ON),
        (12, "orders-1", GOES_ON),
    )


def test_numbered_clients_of_which_one_restarts_alone_are_processes() -> None:
    assert several(
        (0, "orders-0", START),
        (0, "orders-1", START),
        (3, "orders-1", GOES_ON),
        (5, "orders-0", START),
        (9, "orders-1", GOES_ON),
    )


def test_time_that_jumps_back_between_clients_shows_concatenated_logs() -> None:
    assert several(
        (0, "orders-0", START), (9, "orders-0", GOES_ON), (0, "orders-1", START), (9, "orders-1", GOES_ON)
    )


def test_stream_threads_are_one_process() -> None:
    ids = [f"app-5f0e-StreamThread-{n}-consumer" for n in (1, 2)]
    assert not several((0, ids[0], START), (0, ids[1], START), (4, ids[0], GOES_ON), (4, ids[1], GOES_ON))


def test_a_process_that_takes_a_new_id_at_every_start_is_one() -> None:
    assert not several(
        (0, "app-aaaa", START), (4, "app-aaaa", GOES_ON), (5, "app-bbbb", START), (9, "app-bbbb", GOES_ON)
    )


def test_different_ids_in_a_group_at_the_same_time_are_processes() -> None:
    assert several((0, "pod-x", START), (1, "pod-y", START), (4, "pod-x", GOES_ON), (5, "pod-y", GOES_ON))


def test_consumers_of_different_groups_may_share_a_process() -> None:
    processes = Processes()
    for minute, client_id, group in [
        (0, "consumer-a-1", "a"),
        (0, "consumer-b-2", "b"),
        (5, "consumer-a-1", "a"),
    ]:
        row: dict[str, Any] = dict.fromkeys(EVENTS.names)
        row.update(role="client", ts=minute * MINUTE, client_id=client_id, event=START, group_id=group)
        processes.take(row, Record(line=1, lines=1, message=""))
    assert not processes.decide()


def test_clients_that_only_carry_the_name_of_the_group_are_no_other_process() -> None:
    assert not several(
        (0, "worker", GOES_ON),
        (0, "offsets", "offset_reset"),
        (5, "worker", GOES_ON),
        (5, "offsets", "offset_reset"),
    )


def test_a_connect_worker_with_its_tasks_is_one_process() -> None:
    processes = Processes()
    for minute, client_id, client in [
        (0, "connect-1", "connect"),
        (1, "connector-consumer-sink-0", "java"),
        (2, "connector-consumer-sink-1", "java"),
        (5, "connect-1", "connect"),
        (6, "connector-consumer-sink-0", "java"),
    ]:
        row: dict[str, Any] = dict.fromkeys(EVENTS.names)
        row.update(
            role="client", ts=minute * MINUTE, client_id=client_id, client=client, event=GOES_ON, group_id="g"
        )
        processes.take(row, Record(line=1, lines=1, message=""))
    assert not processes.decide()


def test_consumers_with_threads_of_their_own_are_one_process() -> None:
    assert not several(
        (0, "listener", GOES_ON, "C-1"),
        (1, "retry", GOES_ON, "C-2"),
        (4, "listener", GOES_ON, "C-1"),
        (5, "retry", GOES_ON, "C-2"),
    )


def test_consumers_that_take_turns_in_one_thread_name_are_processes() -> None:
    assert several(
        (0, "x-0", GOES_ON, "C-1"),
        (0, "x-1", GOES_ON, "C-1"),
        (1, "x-0", GOES_ON, "C-1"),
        (1, "x-1", GOES_ON, "C-1"),
    )


def test_heartbeat_threads_named_after_the_group_tell_nothing() -> None:
    name = "heartbeat | g"
    assert not several(
        (0, "x-0", GOES_ON, name),
        (0, "x-1", GOES_ON, name),
        (1, "x-0", GOES_ON, name),
        (1, "x-1", GOES_ON, name),
    )


def test_two_first_librdkafka_clients_are_two_processes() -> None:
    assert several((0, "a", GOES_ON, "a#consumer-1"), (0, "b", GOES_ON, "b#consumer-1"))
    assert not several((0, "a", GOES_ON, "a#consumer-1"), (0, "a2", GOES_ON, "a2#producer-2"), group="other")


def pods(into: Path) -> set[tuple[object, object]]:
    return set(Dataset.open(into).connect().sql("SELECT client_id, pod FROM events").fetchall())


def test_threads_of_a_service_are_its_pod(tmp_path: Path) -> None:
    log = tmp_path / "orders-7c9d8-abcde.log"
    log.write_text(
        "".join(
            consumer_line(second, f"orders-{n}", "Subscribed to topic(s): orders", thread=f"C-{n}")
            for second in (1, 30)
            for n in (0, 1)
        )
    )
    ingest(tmp_path / "d", log)
    assert pods(tmp_path / "d") == {("orders-0", log.stem), ("orders-1", log.stem)}


def test_pods_in_one_file_are_told_apart_by_client_id(tmp_path: Path) -> None:
    log = tmp_path / "all.log"
    log.write_text(
        "".join(
            consumer_line(second, client, "Subscribed to topic(s): orders")
            for client in ("pod-x", "pod-y")
            for second in (1, 30)
        )
    )
    ingest(tmp_path / "d", log)
    assert pods(tmp_path / "d") == {("pod-x", "pod-x"), ("pod-y", "pod-y")}


def test_a_broker_is_its_file_if_that_tells_and_its_number_if_not(tmp_path: Path) -> None:
    for name in ("kafka-7.log", "server.log"):
        (tmp_path / name).write_text("".join(broker_line(n, group=name, broker=7) for n in range(1, 4)))
    ingest(tmp_path / "d", tmp_path / "kafka-7.log", tmp_path / "server.log")
    found = (
        Dataset.open(tmp_path / "d")
        .connect()
        .sql("SELECT DISTINCT group_id, pod FROM events ORDER BY 1")
        .fetchall()
    )
    assert found == [("kafka-7.log", "kafka-7"), ("server.log", "broker-7")]


def test_brokers_in_one_file_are_told_apart_by_number(tmp_path: Path) -> None:
    (tmp_path / "cluster.log").write_text("".join(broker_line(n, broker=n % 3 + 1) for n in range(1, 10)))
    ingest(tmp_path / "d", tmp_path / "cluster.log")
    found = (
        Dataset.open(tmp_path / "d").connect().sql("SELECT DISTINCT pod FROM events ORDER BY 1").fetchall()
    )
    assert found == [("broker-1",), ("broker-2",), ("broker-3",)]
