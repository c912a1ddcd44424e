"""What a lost broker takes with it."""

from __future__ import annotations

import pytest

from loganalyst.analysis.broker_loss import Replicas, lose, spread
from loganalyst.errors import UsageError

GROUPS = ["orders-service", "orders-service-v2", "orders-service-v3"]


def test_with_three_replicas_every_group_of_the_lost_broker_moves() -> None:
    rows = lose(GROUPS, spread(3, 3), lost=2)
    assert [(r.offsets_partition, r.broker, r.new_broker, r.outcome) for r in rows] == [
        (17, 2, 0, "moves"),
        (14, 2, 0, "moves"),
        (15, 0, 0, "unaffected"),
    ]


def test_with_one_replica_they_have_no_coordinator() -> None:
    rows = lose(GROUPS, spread(3, 1), lost=2)
    assert [(r.new_broker, r.outcome) for r in rows] == [
        (None, "unavailable"),
        (None, "unavailable"),
        (0, "unaffected"),
    ]


def test_about_one_group_in_three_is_hit_on_three_brokers() -> None:
    groups = [f"group-{n}" for n in range(300)]
    hit = sum(row.outcome == "unavailable" for row in lose(groups, spread(3, 1), lost=0))
    assert 80 <= hit <= 120


def test_a_replica_out_of_sync_does_not_take_over() -> None:
    layout = {0: Replicas(1, (1, 2, 3), (1, 3))}
    assert lose(["g"], layout, lost=1)[0].new_broker == 3
    assert lose(["g"], {0: Replicas(1, (1, 2, 3), (1,))}, lost=1)[0].outcome == "unavailable"


def test_a_partition_that_is_offline_already_stays_so() -> None:
    row = lose(["g"], {0: Replicas(None, (1,), (1,))}, lost=1)[0]
    assert (row.broker, row.new_broker, row.outcome) == (None, None, "unavailable")


@pytest.mark.parametrize(("brokers", "factor"), [(3, 4), (0, 1), (3, 0)])
def test_a_topic_that_cannot_be_is_refused(brokers: int, factor: int) -> None:
    with pytest.raises(UsageError):
        spread(brokers, factor)


def test_a_broker_without_replicas_is_refused_with_those_that_have_some() -> None:
    with pytest.raises(UsageError, match="0, 1, 2"):
        lose(GROUPS, spread(3, 3), lost=7)
