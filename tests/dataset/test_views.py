"""The loader of the analyses: what a query file must say, in which order views are made, what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from loganalyst.dataset.queryfile import parse_query
from loganalyst.dataset.views import BASE, load_queries, mentioned, provide
from loganalyst.errors import CatalogueError, QueryError, UsageError

QUERIES = load_queries()


def write(folder: Path, name: str, uses: str = "", sql: str = "SELECT 1 AS n", extra: str = "") -> Path:
    header = [
        f"-- name: {name}",
        "-- row: one row",
        "-- grain: n",
        "-- column: n BIGINT - a number",
        *([f"-- uses: {uses}"] if uses else []),
        *([extra] if extra else []),
    ]
    path = folder / f"{name}.sql"
    path.write_text("\n".join(header) + f"\n\n{sql}\n")
    return path


@pytest.fixture
def session() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE events (event VARCHAR); INSERT INTO events VALUES ('group_empty')")
    connection.execute("CREATE TABLE sources (source VARCHAR)")
    return connection


def test_every_shipped_query_is_documented_and_says_what_it_uses() -> None:
    for query in QUERIES.values():
        assert query.columns, query.name
        read = set(re.findall(r"\b(?:FROM|JOIN)\s+(\w+)", query.sql)) & (set(QUERIES) | BASE)
        read -= set(re.findall(r"(\w+) AS (?:MATERIALIZED )?\(", query.sql))
        assert read <= set(query.uses), f"{query.name} reads {read - set(query.uses)} without saying so"
        unread = set(query.uses) - set(mentioned(query.sql, QUERIES)) - BASE
        assert not unread, f"{query.name} says it uses {unread} and does not"


def test_views_begin_with_their_cluster_and_end_with_their_evidence() -> None:
    contract = [
        "rebalances",
        "group_states",
        "leaders",
        "shrinking_episodes",
        "refused_joins",
        "member_exits",
    ]
    contract += ["assignments", "partition_moves", "static_restarts", "stuck_rebalances", "storms"]
    contract += ["group_placement", "findings"]
    for name in contract:
        columns = [column.name for column in QUERIES[name].columns]
        assert columns[:2] == ["cluster", "group_id"], name
        assert columns[-1] == "evidence", name


def test_a_header_gives_units_parameters_and_text_over_several_lines(tmp_path: Path) -> None:
    path = tmp_path / "waits.sql"
    path.write_text(
        "-- name: waits\n-- row: one wait\n-- grain: n\n-- about: Waits are\n--   long.\n"
        "-- column: wait_ms DOUBLE in ms - how long\n-- param: top BIGINT = 3 - how many\n"
        "-- needs: group_empty\n-- uses: events\n\n-- a remark\nSELECT 1.0 AS wait_ms\n"
    )
    query = parse_query(path)
    assert query.doc == "Waits are long."
    assert (query.columns[0].unit, query.columns[0].meaning) == ("ms", "how long")
    assert (query.params[0].name, query.params[0].default) == ("top", "3")
    assert query.needs == ("group_empty",)
    assert query.sql.startswith("-- a remark")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("SELECT 1", "no '-- name:' line"),
        ("-- name: a\n-- row: r\n-- grain: n\n\nSELECT 1", "documents its columns"),
        ("-- name: other\n-- row: r\n-- grain: n\n-- column: n BIGINT - x\n\nSELECT 1", "must be the same"),
        ("-- name: a\n-- row: r\n-- grain: n\n-- column: n BIGINT - x\n", "needs one SELECT"),
        ("-- name: a\n-- row: r\n-- grain: n\n-- column: n BIGINT\n\nSELECT 1", "is not 'name TYPE"),
        (
            "-- name: a\n-- row: r\n-- grain: n\n-- column: n BIGINT - x\n-- param: p\n\nSELECT 1",
            "is not 'name TYPE",
        ),
    ],
)
def test_a_wrong_header_is_refused_with_the_file_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "a.sql"
    path.write_text(text)
    with pytest.raises(CatalogueError, match=complaint) as caught:
        parse_query(path)
    assert str(path) in str(caught.value)


def test_a_circle_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "hen", uses="egg")
    write(tmp_path, "egg", uses="hen")
    with pytest.raises(CatalogueError, match=r"hen -> egg -> hen|egg -> hen -> egg"):
        load_queries([tmp_path])


def test_an_unknown_view_and_a_reserved_name_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "lost", uses="nowhere")
    with pytest.raises(CatalogueError, match="uses nowhere"):
        load_queries([tmp_path])
    (tmp_path / "lost.sql").unlink()
    write(tmp_path, "events")
    with pytest.raises(CatalogueError, match="every dataset"):
        load_queries([tmp_path])


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no such folder"):
        load_queries([tmp_path / "nothing"])


def test_a_users_query_builds_on_shipped_ones_and_may_replace_them(tmp_path: Path) -> None:
    write(tmp_path, "mine", uses="leaders", sql="SELECT count(*) AS n FROM leaders")
    write(tmp_path, "leaders", sql="SELECT 1 AS n")
    queries = load_queries([tmp_path])
    assert queries["leaders"].path == tmp_path / "leaders.sql"
    assert list(queries).index("leaders") < list(queries).index("mine")


def test_each_view_is_made_once_in_a_session(tmp_path: Path, session: duckdb.DuckDBPyConnection) -> None:
    write(tmp_path, "base", sql="SELECT random() AS n")
    write(tmp_path, "left_side", uses="base", sql="SELECT n FROM base")
    write(tmp_path, "right_side", uses="base", sql="SELECT n FROM base")
    queries = load_queries([tmp_path])
    provide(session, ["left_side"], queries)
    provide(session, ["right_side"], queries)
    assert session.sql("SELECT l.n = r.n FROM left_side l, right_side r").fetchall() == [(True,)]


def test_parameters_are_cast_default_and_change_what_builds_on_them(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    param = "-- param: top BIGINT = 3 - how many"
    write(tmp_path, "few", sql="SELECT getvariable('top') AS n", extra=param)
    write(tmp_path, "more", uses="few", sql="SELECT n + 1 AS n FROM few")
    queries = load_queries([tmp_path])
    provide(session, ["more"], queries)
    assert session.sql("FROM more").fetchall() == [(4,)]
    provide(session, ["more"], queries, {"top": "7"})
    assert session.sql("FROM more").fetchall() == [(8,)]
    with pytest.raises(UsageError, match="no parameter is named bottom; this query takes: top"):
        provide(session, ["more"], queries, {"bottom": "1"})
    with pytest.raises(UsageError, match="'many' is not of type BIGINT"):
        provide(session, ["more"], queries, {"top": "many"})


def test_what_needs_absent_events_is_empty_and_not_run(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    write(tmp_path, "dead", sql="SELECT nonsense", extra="-- needs: group_dead")
    write(tmp_path, "emptied", sql="SELECT 5 AS n", extra="-- needs: group_empty")
    write(tmp_path, "later", uses="dead", sql="SELECT nonsense FROM dead", extra="-- needs: dead")
    queries = load_queries([tmp_path])
    provide(session, ["dead", "emptied", "later"], queries)
    assert session.sql("FROM dead").fetchall() == session.sql("FROM later").fetchall() == []
    assert session.sql("FROM emptied").fetchall() == [(5,)]


def test_what_needs_rows_that_are_not_there_is_empty_and_not_run(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    write(tmp_path, "none", sql="SELECT nonsense", extra="-- needs: FROM events WHERE false")
    write(
        tmp_path, "few", sql="SELECT 5 AS n", extra="-- needs: group_dead\n-- needs: FROM events WHERE true"
    )
    queries = load_queries([tmp_path])
    provide(session, ["none", "few"], queries)
    assert session.sql("FROM none").fetchall() == []
    assert session.sql("FROM few").fetchall() == [(5,)]


def test_a_clause_that_holds_more_than_one_statement_is_refused(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    write(tmp_path, "two", sql="SELECT 5 AS n", extra="-- needs: FROM events; DROP VIEW events; SELECT 1")
    with pytest.raises(QueryError, match="holds more than one SELECT"):
        provide(session, ["two"], load_queries([tmp_path]))


def test_errors_of_sql_and_unknown_names_are_said_in_words(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    write(tmp_path, "broken", sql="SELECT nonsense FROM events")
    queries = load_queries([tmp_path])
    with pytest.raises(QueryError, match=r"broken\.sql: .*nonsense"):
        provide(session, ["broken"], queries)
    with pytest.raises(UsageError, match="no query is named nothing"):
        provide(session, ["nothing"], queries)


def test_a_union_gathers_every_query_of_its_prefix(
    tmp_path: Path, session: duckdb.DuckDBPyConnection
) -> None:
    for number, name in enumerate(["odd_one", "odd_three"], 1):
        write(tmp_path, name, sql=f"SELECT {number} AS n")
    (tmp_path / "odds.sql").write_text(
        "-- name: odds\n-- row: r\n-- grain: n\n-- column: n BIGINT - x\n-- union: odd_*\n"
    )
    provide(session, ["odds"], load_queries([tmp_path]))
    assert sorted(session.sql("FROM odds").fetchall()) == [(1,), (2,)]


def test_names_are_found_in_sql_but_not_in_its_strings_and_comments() -> None:
    sql = "SELECT 'storms' FROM leaders -- findings\n/* zombies */ JOIN rebalances USING (group_id)"
    assert set(mentioned(sql, QUERIES)) == {"leaders", "rebalances"}
