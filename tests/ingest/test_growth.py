"""A log read in pieces as it grows gives the rows and the account of the whole log."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from loganalyst.dataset.dataset import Dataset
from loganalyst.ingest.plan import cut
from tests.ingest.samples import broker_line, consumer_line, ingest, other_line
from tests.recorded import CORPORA, require

# What flows backwards from later lines (carry.py) cannot reach rows read before; the rest must be equal.
ROWS = (
    "SELECT line, ts, event, level, logger, role, client, generation, epoch, message FROM events ORDER BY ALL"
)
ACCOUNT = "SELECT * EXCLUDE (ingested_at, fingerprint) FROM sources"

REAL = [
    "members-4.1.0/logs/billing-1.log",
    "spring-4.1.0/logs/orders-74d5f-c8xwq.log",
    "mixed-4.1.0/logs/inventory-rd.log",
    "mixed-4.1.0/logs/web-js-0.log",
    "kafkago-4.1.0/logs/catalog-go-0.log",
    "connect-3.7.1/logs/connect-0.log",
]


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("seed", range(2))
def test_real_logs_in_pieces(tmp_path: Path, name: str, seed: int) -> None:
    content = require(CORPORA / name).read_bytes()
    log = tmp_path / Path(name).name
    chance = random.Random(f"{name} {seed}")
    places = sorted(chance.randrange(len(content)) for _ in range(3))
    for place in (*places, len(content)):
        log.write_bytes(content[:place])
        ingest(tmp_path / "pieces", log)
    ingest(tmp_path / "whole", log)
    pieces, whole = (Dataset.open(tmp_path / into).connect() for into in ("pieces", "whole"))
    assert pieces.sql(ROWS).fetchall() == whole.sql(ROWS).fetchall()
    assert pieces.sql(ACCOUNT).fetchall() == whole.sql(ACCOUNT).fetchall()


def test_only_the_tail_is_read(tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    log.write_text("".join(other_line(n % 3_000) for n in range(5_000)))
    ingest(tmp_path / "d", log)
    with log.open("a") as file:
        file.write(broker_line(7))
    assert ingest(tmp_path / "d", log).bytes < 1_000


def test_the_lines_of_a_tail_are_numbered_on(tmp_path: Path) -> None:
    log = tmp_path / "broker-1.log"
    log.write_text("".join(other_line(n % 3_000) for n in range(5_000)))
    ingest(tmp_path / "d", log)
    with log.open("a") as file:
        file.write(broker_line(7) + other_line(1) + broker_line(8))
    ingest(tmp_path / "d", log)
    found = Dataset.open(tmp_path / "d").connect().sql("SELECT line FROM events ORDER BY 1").fetchall()
    assert found == [(5_001,), (5_003,)]


def test_a_tail_knows_the_clients_of_the_lines_before(tmp_path: Path) -> None:
    log = tmp_path / "orders-0.log"
    plain = (
        "2026-12-01T00:00:09.123Z  INFO 1 --- [orders] [           main] o.a.k.c.c.internals.ConsumerUtils  :"
        " Setting offset for partition orders-0 to the committed offset FetchPosition{offset=99,"
        " offsetEpoch=Optional[8], currentLeader=LeaderAndEpoch{leader=Optional[k:9092 (id: 1 rack: null)]"
        ", epoch=8}}\n"
    )
    log.write_text(
        consumer_line(1, "c-1", "(Re-)joining group") + consumer_line(2, "c-1", "(Re-)joining group")
    )
    ingest(tmp_path / "d", log)
    with log.open("a") as file:
        file.write(plain)
    ingest(tmp_path / "d", log)
    found = (
        Dataset.open(tmp_path / "d").connect().sql("SELECT client_id, group_id FROM events WHERE line = 3")
    )
    assert found.fetchall() == [("c-1", "orders")]


def test_a_file_that_was_exchanged_since_it_was_planned_is_planned_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "broker-1.log"
    log.write_text("".join(broker_line(n) for n in range(1, 4)))
    ingest(tmp_path / "d", log)
    with log.open("a") as file:
        file.write(broker_line(4))

    def exchanged(*arguments: Any) -> Any:
        monkeypatch.setattr("loganalyst.ingest.run.cut", cut)
        log.write_text("".join(broker_line(n) for n in range(11, 14)))
        return cut(*arguments)

    monkeypatch.setattr("loganalyst.ingest.run.cut", exchanged)
    ingest(tmp_path / "d", log)
    found = Dataset.open(tmp_path / "d").connect().sql("SELECT generation FROM events ORDER BY 1").fetchall()
    assert [generation for (generation,) in found] == [1, 2, 3, 11, 12, 13]
