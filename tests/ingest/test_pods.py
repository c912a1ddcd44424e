"""The process of a source, from its name and the folders around it."""

from __future__ import annotations

import pytest

from loganalyst.ingest.pods import is_telling, pods_of, stem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("orders-7c9d8-abcde.log", "orders-7c9d8-abcde"),
        ("a/kafka-0.log.gz", "kafka-0"),
        ("server.log.2026-12-01-13", "server"),
        ("orders-0.log.1", "orders-0"),
        ("orders-0.log.12.gz", "orders-0"),
        ("app-2026-12-01.log", "app"),
        ("orders-20261201.log.zst", "orders"),
        ("app.2026-12-01.0.log", "app"),
        ("x/0.log", "0"),
        ("kafkaServer.out", "kafkaServer"),
        ("proj_app_1.log", "proj_app_1"),
        ("checkout_v2.txt", "checkout_v2"),
    ],
)
def test_log_suffixes_rotation_and_dates_are_no_part_of_the_name(name: str, expected: str) -> None:
    assert stem(name) == expected


@pytest.mark.parametrize(
    "name", ["app", "server", "Console", "stdout", "0", "kafka", "consumer", "2026-12-01", "logs", "app.1"]
)
def test_generic_names_tell_nothing(name: str) -> None:
    assert not is_telling(name)


def pod(name: str, *others: str) -> str:
    return pods_of([name, *others])[name][0]


def test_a_telling_file_name_is_the_pod() -> None:
    assert pod("logs/orders-0.log") == "orders-0"


def test_a_generic_file_name_gives_way_to_the_nearest_telling_folder() -> None:
    assert pod("incident/orders-0/logs/app.log") == "orders-0"
    assert pod("broker-1/logs/server.log.gz") == "broker-1"


def test_a_name_in_several_folders_gives_way_to_the_folder_that_tells_them_apart() -> None:
    assert pod("node-1/spool/web.log", "node-2/spool/web.log") == "node-1"


def test_rotated_files_beside_each_other_are_one_process() -> None:
    names = [
        "x/orders-0.log",
        "x/orders-0.log.1",
        "x/orders-0.log.2.gz",
        "x/orders-0.3.log",
        "x/orders-0-2026-12-01.log",
    ]
    assert {found for found, _ in pods_of(names).values()} == {"orders-0"}


def test_numbered_files_without_an_unnumbered_one_are_processes_of_their_own() -> None:
    assert pod("x/broker.1.log", "x/broker.2.log") == "broker.1"


def test_daily_folders_do_not_tell_processes_apart() -> None:
    assert pod("2026-12-01/orders-0.log", "2026-12-02/orders-0.log") == "orders-0"


def test_kubernetes_paths_name_their_pod() -> None:
    uid = "0b0e7f1c-8d0e-4c7e-9f0a-5d3b2a1c9e77"
    assert pod(f"/var/log/pods/kafka_kafka-2_{uid}/kafka/0.log") == "kafka-2"
    assert pod(f"/var/log/pods/kafka_kafka-2_{uid}/kafka/0.log.20261201-000000.gz") == "kafka-2"
    assert pod(f"/var/log/containers/kafka-2_kafka_kafka-{'a1' * 32}.log") == "kafka-2"


def test_docker_files_are_known_by_the_short_id_of_their_container() -> None:
    assert pod(f"/var/lib/docker/containers/{'ab' * 32}/{'ab' * 32}-json.log") == "ab" * 6


def test_archives_are_folders() -> None:
    assert pod("orders-0.tar.gz!app.log") == "orders-0"
    assert pod("support.zip!orders-1/app.log") == "orders-1"


def test_where_nothing_tells_the_file_name_is_all_there_is() -> None:
    assert pods_of(["logs/server.log"])["logs/server.log"] == ("server", False)


def test_names_that_were_read_before_count_too() -> None:
    assert pods_of(["b/web.log"], also=["a/web.log"])["b/web.log"][0] == "b"


def test_a_folder_that_holds_other_processes_names_none() -> None:
    assert pod("incident-42/server.log", "incident-42/orders-0.log") == "server"
    assert pod("kafka-3/server.log", "kafka-3/controller.log") == "kafka-3"
