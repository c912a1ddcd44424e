"""The hash in SQL is the hash in Python, and both are Kafka's."""

from __future__ import annotations

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from loganalyst.analysis.placement import java_hash, offsets_partition
from loganalyst.shipped import shipped
from tests.queries.session import Log

CONNECTION = duckdb.connect()
CONNECTION.execute((shipped("queries") / "macros" / "placement.sql").read_text())


@settings(max_examples=60)
@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
    st.integers(1, 200),
)
def test_sql_and_python_agree(group: str, partitions: int) -> None:
    row = CONNECTION.execute(
        "SELECT java_hash_code($1), offsets_partition_of($1, $2)", [group, partitions]
    ).fetchone()
    assert row == (java_hash(group), offsets_partition(group, partitions))


def test_a_group_that_no_broker_names_is_placed_by_its_hash() -> None:
    log = Log()
    log.client("orders-0", 0, "join_started", group_id="orders-service")
    (row,) = log.rows("group_partitions")
    assert (row["offsets_partition"], row["hashed"]) == (17, True)
