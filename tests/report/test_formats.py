"""Rows come out of every format with the same values, and safe for where they go."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loganalyst.errors import QueryError, UsageError
from loganalyst.report.formats import write_rows

ALL_TYPES = """
SELECT 7::BIGINT AS number, sum(x) AS huge, 1.50::DECIMAL(9,2) AS exact, 0.1::DOUBLE AS float,
       TIMESTAMPTZ '2026-12-01 00:40:00.123456+00' AS at, [1, NULL, 3] AS list,
       {'pod': 'a', 'at': TIMESTAMPTZ '2026-12-01 00:40:00+00'} AS struct, MAP {'k': 'v'} AS map,
       NULL::VARCHAR AS nothing, '' AS empty, true AS flag, 'nan'::DOUBLE AS nan, DATE '2026-12-01' AS day,
       [{'source': 'a.log', 'line': 3, 'ts': TIMESTAMPTZ '2026-12-01 00:40:00+00', 'message': 'm'}]
       AS evidence
FROM (VALUES (9223372036854775807::BIGINT), (1)) t(x)
"""


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    return connection


def written(data: Any, tmp_path: Path, **options: Any) -> str:
    file = tmp_path / "out"
    write_rows(data, file=file, **options)
    return file.read_bytes().decode()


def test_json_keeps_types_and_column_order(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    (row,) = json.loads(written(connection.sql(ALL_TYPES), tmp_path, format="json"))
    assert list(row) == connection.sql(ALL_TYPES).columns
    assert row["number"] == 7 and row["huge"] == 9223372036854775808 and isinstance(row["huge"], int)
    assert row["exact"] == 1.5 and row["float"] == 0.1 and row["flag"] is True
    assert row["at"] == "2026-12-01T00:40:00.123456Z" and row["day"] == "2026-12-01"
    assert row["list"] == [1, None, 3] and row["map"] == {"k": "v"}
    assert row["struct"] == {"pod": "a", "at": "2026-12-01T00:40:00.000000Z"}
    assert row["nothing"] is None and row["empty"] == "" and row["nan"] is None
    assert row["evidence"] == [
        {"source": "a.log", "line": 3, "ts": "2026-12-01T00:40:00.000000Z", "message": "m"}
    ]


def test_json_of_no_rows_is_an_empty_array(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    assert written(connection.sql("SELECT 1 AS a WHERE false"), tmp_path, format="json") == "[]\n"
    assert written([], tmp_path, format="json", columns=("a",)) == "[]\n"


def test_jsonl_is_one_object_a_line(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = written(connection.sql("SELECT i FROM range(3) t(i)"), tmp_path, format="jsonl")
    assert [json.loads(line) for line in text.splitlines()] == [{"i": 0}, {"i": 1}, {"i": 2}]


def test_csv_tells_null_from_an_empty_string(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = written(
        connection.sql("SELECT 1 AS a, NULL AS b, '' AS c, 'x,\"y\"\nz' AS d"), tmp_path, format="csv"
    )
    assert text == 'a,b,c,d\n1,,"","x,""y""\nz"\n'


def test_csv_is_read_back_by_duckdb_as_it_was(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    query = (
        "SELECT 'a''b' AS a, NULL::VARCHAR AS b, TIMESTAMPTZ '2026-12-01 00:40:00.000001+00' AS t, 1e300 AS f"
    )
    write_rows(connection.sql(query), format="csv", file=file)
    back = (
        connection.sql(f"SELECT a, b, t::TIMESTAMPTZ, f FROM read_csv('{file}')").to_arrow_table().to_pylist()
    )
    assert [list(row.values()) for row in back] == [
        list(row.values()) for row in connection.sql(query).to_arrow_table().to_pylist()
    ]


def test_a_lone_null_is_still_a_row_of_csv(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = written(connection.sql("SELECT NULL AS a"), tmp_path, format="csv")
    assert list(csv.reader(io.StringIO(text))) == [["a"], [""]]


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.tuples(st.text(), st.none() | st.text(min_size=1)), min_size=1, max_size=5))
def test_csv_and_json_hold_any_text_exactly(rows: list[tuple[str, str | None]]) -> None:
    import tempfile

    rows = [
        (a.encode("utf-8", "replace").decode(), b and b.encode("utf-8", "replace").decode()) for a, b in rows
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "out"
        dicts = [{"a": a, "b": b} for a, b in rows]
        write_rows(dicts, format="csv", file=file)
        read = list(csv.DictReader(io.StringIO(file.read_bytes().decode(), newline="")))
        assert [(row["a"], row["b"] or None) for row in read] == [(a, b) for a, b in rows]
        write_rows(dicts, format="json", file=file)
        assert json.loads(file.read_bytes()) == dicts


def test_parquet_keeps_the_types(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    file = tmp_path / "rows.parquet"
    write_rows(connection.sql(ALL_TYPES), format="parquet", file=file)
    table = pq.read_table(file)
    assert table.num_rows == 1
    assert str(table.schema.field("at").type) == "timestamp[us, tz=UTC]"
    assert table.column("list").to_pylist() == [[1, None, 3]]


def test_columns_of_one_name_both_come_out(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    text = written(connection.sql("SELECT 1 AS a, 2 AS a"), tmp_path, format="json")
    assert json.loads(text) == [{"a": 1, "a_1": 2}]


def test_markdown_obeys_nothing_that_stands_in_a_log(tmp_path: Path) -> None:
    rows = [{"reason": "a|b <img src=x onerror=alert(1)> ![x](http://evil) `c` *d* __e__ snake_case\nf"}]
    body = written(rows, tmp_path, format="markdown").splitlines()[-1]
    assert body == (
        "| a\\|b &lt;img src=x onerror=alert(1)&gt; !\\[x\\](http://evil) \\`c\\` \\*d\\* "
        "\\_\\_e\\_\\_ snake_case\\\\nf |"
    )


@pytest.mark.parametrize(
    "cell", ["=1+1", "+1+cmd", "-x", "@SUM(A1)", "\t=1", "\r=1", " =1", "\u00a0=1", "ok\n=1", "ok\r\n@x"]
)
def test_cells_a_spreadsheet_would_run_are_quoted_when_asked_for(cell: str, tmp_path: Path) -> None:
    exact = list(csv.reader(io.StringIO(written([{"a": cell}], tmp_path, format="csv"), newline="")))
    assert exact[1] == [cell]
    guarded = list(
        csv.reader(io.StringIO(written([{"a": cell}], tmp_path, format="csv", spreadsheet=True), newline=""))
    )
    assert guarded[1] == ["'" + cell]


def test_negative_numbers_stay_numbers_in_a_spreadsheet(tmp_path: Path) -> None:
    assert written([{"a": -5, "b": -0.5}], tmp_path, format="csv", spreadsheet=True) == "a,b\n-5,-0.5\n"


def test_a_result_that_fails_half_way_leaves_no_file(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rows = connection.sql(
        "SELECT CASE WHEN i > 300000 THEN error('bad') ELSE i::VARCHAR END AS a FROM range(400000) t(i)"
    )
    with pytest.raises(QueryError, match="bad"):
        write_rows(rows, format="csv", file=tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot write .*nowhere/out\.csv: No such file"):
        write_rows([{"a": 1}], format="csv", file=tmp_path / "nowhere" / "out.csv")
