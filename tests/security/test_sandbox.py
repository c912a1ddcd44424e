"""SQL reads the dataset and nothing else, and writes nothing, through whichever door it comes."""

from __future__ import annotations

import time
from pathlib import Path

import duckdb
import pytest

import loganalyst
from loganalyst.cli import run
from loganalyst.errors import LoganalystError, QueryError, UsageError
from tests.security.conftest import House

# {secret}: a file beside the dataset; {outside}: a folder; {inside}: a path in the dataset to write to
STATEMENTS = {
    "read a file": "SELECT * FROM read_text('{secret}')",
    "read a file as csv": "SELECT * FROM '{secret}'",
    "read a file by sniffing": "SELECT * FROM sniff_csv('{secret}')",
    "read a file through ..": "SELECT * FROM read_text('{dataset}/events/../../../secret.csv')",
    "read the account's key": "SELECT * FROM read_text('{dataset}/redaction.json')",
    "list a folder": "SELECT * FROM glob('{outside}/*')",
    "list the root": "SELECT * FROM glob('/etc/*')",
    "copy out": "COPY (SELECT 1) TO '{outside}/x.csv'",
    "copy the dataset out": "COPY events TO '{outside}/x.parquet' (FORMAT parquet)",
    "copy into the dataset": "COPY (SELECT 1) TO '{inside}'",
    "copy over a file of the dataset": "COPY (SELECT 1) TO '{stored}' (FORMAT parquet)",
    "copy in": "CREATE TABLE t (w VARCHAR); COPY t FROM '{secret}'",
    "attach a database": "ATTACH '{outside}/x.duckdb' AS x",
    "attach in the dataset": "ATTACH '{dataset}/events/x.duckdb' AS x",
    "attach memory": "ATTACH ':memory:' AS x",
    "install": "INSTALL httpfs",
    "load": "LOAD httpfs",
    "load a file": "LOAD '{outside}/x.duckdb_extension'",
    "set back": "SET enable_external_access = true",
    "set back by pragma": "PRAGMA enable_external_access = true",
    "reset": "RESET enable_external_access",
    "unlock": "SET lock_configuration = false",
    "allow more": "SET allowed_directories = ['/']",
    "log to a file": "SET log_query_path = '{outside}/log'",
    "profile to a file": "PRAGMA profiling_output = '{outside}/profile'",
    "profile by set": "SET profiling_output = '{outside}/profile'",
    "more memory": "SET memory_limit = '900GB'",
    "temporary files elsewhere": "SET temp_directory = '{outside}'",
    "symlink": "SELECT * FROM read_text('{dataset}/events/link')",
    "symlink to a folder": "SELECT * FROM read_text('{dataset}/events/folder/secret.csv')",
    "the network": "SELECT * FROM read_csv('https://example.com/x.csv')",
    "the network for parquet": "SELECT * FROM 's3://bucket/x.parquet'",
    "the environment": "SELECT getenv('HOME')",
    "export": "EXPORT DATABASE '{outside}/x'",
    "import": "IMPORT DATABASE '{outside}'",
    "explain analyze copy": "EXPLAIN ANALYZE COPY (SELECT 1) TO '{inside}'",
    "explain analyze, comment, copy": "EXPLAIN ANALYZE /* x */ COPY (SELECT 1) TO '{inside}'",
    "prepared copy": "PREPARE p AS COPY (SELECT 1) TO '{inside}'; EXECUTE p",
    "a persistent secret": "CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')",
    "a second statement": "SELECT 1; COPY (SELECT 1) TO '{inside}'",
    "a query in a query": "SELECT * FROM query('COPY (SELECT 1) TO ''{inside}''')",
    "call": "CALL pragma_version(); COPY (SELECT 1) TO '{inside}'",
    "vacuum": "VACUUM",
    "checkpoint": "CHECKPOINT",
}


def written(statement: str, house: House) -> str:
    """Fill paths into a statement; quotes in paths are doubled, as SQL wants it."""
    stored = next((house.dataset / "events").rglob("*.parquet"))
    paths = {
        "dataset": house.dataset,
        "secret": house.secret,
        "outside": house.outside,
        "inside": house.dataset / "events" / "written.csv",
        "stored": stored,
    }
    return statement.format(**{name: str(path).replace("'", "''") for name, path in paths.items()})


@pytest.fixture(scope="session")
def guarded(house: House) -> House:
    """The dataset with links in it that lead out."""
    (house.dataset / "events" / "link").symlink_to(house.secret)
    (house.dataset / "events" / "folder").symlink_to(house.secret.parent)
    (house.dataset / "redaction.json").write_text("hunter2")
    return house


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_query_refuses(statement: str, guarded: House, capsys: pytest.CaptureFixture[str]) -> None:
    before = guarded.snapshot()
    sql = written(statement, guarded)
    code = run(["query", str(guarded.dataset), "--sql", sql, "--format", "json"])
    out, err = capsys.readouterr()
    assert code == 2
    assert "hunter2" not in out + err and "Traceback" not in err and "internal error" not in err
    assert guarded.snapshot() == before


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS.keys())
def test_the_interface_refuses(statement: str, guarded: House) -> None:
    before = guarded.snapshot()
    with loganalyst.open(guarded.dataset) as dataset, pytest.raises(LoganalystError):
        rows = dataset.sql(written(statement, guarded))
        from loganalyst.report.rows import dicts

        dicts(rows)
    assert guarded.snapshot() == before


@pytest.mark.parametrize(
    "statement", [sql for sql in STATEMENTS.values() if sql.startswith(("COPY", "SELECT"))]
)
@pytest.mark.parametrize("form", ["SELECT 1 AS x; {}", "SELECT * FROM ({})", "{}"])
def test_a_query_file_of_a_stranger_can_do_no_more(
    statement: str, form: str, guarded: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "queries"
    folder.mkdir()
    (folder / "evil.sql").write_text(
        "-- name: evil\n-- row: a row\n-- grain: x\n-- column: x BIGINT - x\n-- uses: events\n"
        + form.format(written(statement, guarded))
    )
    before = guarded.snapshot()
    assert run(["query", str(guarded.dataset), "evil", "--queries", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert "hunter2" not in out + err and "internal error" not in err
    assert guarded.snapshot() == before


def test_macros_of_a_stranger_can_only_be_macros(
    guarded: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "queries"
    (folder / "macros").mkdir(parents=True)
    (folder / "mine.sql").write_text(
        "-- name: mine\n-- row: a row\n-- grain: x\n-- column: x BIGINT - x\n-- uses: events\n"
        "SELECT twice(1) AS x"
    )
    macro = folder / "macros" / "mine.sql"
    macro.write_text("CREATE OR REPLACE TEMP MACRO twice(x) AS 2 * x;")
    assert run(["query", str(guarded.dataset), "mine", "--queries", str(folder), "--format", "csv"]) == 0
    assert capsys.readouterr().out == "x\n2\n"
    before = guarded.snapshot()
    macro.write_text(macro.read_text() + written("COPY (SELECT 1) TO '{inside}';", guarded))
    assert run(["query", str(guarded.dataset), "mine", "--queries", str(folder)]) == 2
    assert guarded.snapshot() == before


def test_what_the_sandbox_is_for_still_works(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    sql = (
        "CREATE TEMP TABLE mine AS SELECT generation FROM events; INSERT INTO mine VALUES (99);"
        " SELECT list(generation ORDER BY generation) AS g FROM mine"
    )
    assert run(["query", str(house.dataset), "--sql", sql, "--format", "json"]) == 0
    assert capsys.readouterr().out == '[{"g": [2, 3, 99]}]\n'


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        ("SELECT word FROM '{secret}'", "hunter2"),
        ("COPY (SELECT 1) TO '{outside}/x.csv'; SELECT 5 AS five", "5"),
    ],
)
def test_unsafe_opens_the_session_knowingly(
    statement: str, answer: str, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    sql = written(statement, house)
    assert run(["query", str(house.dataset), "--unsafe", "--sql", sql, "--format", "csv"]) == 0
    assert answer in capsys.readouterr().out


def test_memory_is_limited(house: House) -> None:
    with (
        loganalyst.open(house.dataset, memory="64MB") as dataset,
        pytest.raises(duckdb.Error, match=r"(?i)memory|temp"),
    ):
        dataset.sql("SELECT list(r) AS everything FROM range(200000000) t(r)").fetchall()
    with pytest.raises(UsageError, match="memory"):
        loganalyst.open(house.dataset, memory="plenty")


def test_time_is_limited(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    endless = "SELECT count(*) FROM range(10000000000) a, range(10000000000) b"
    began = time.monotonic()
    assert run(["query", str(house.dataset), "--sql", endless, "--timeout", "1"]) == 2
    assert time.monotonic() - began < 20
    assert "--timeout" in capsys.readouterr().err


def test_extensions_are_neither_installed_nor_loaded_by_themselves(house: House) -> None:
    with loganalyst.open(house.dataset) as dataset:
        rows = dataset.sql(
            "SELECT name, value FROM duckdb_settings() WHERE name IN ('autoinstall_known_extensions',"
            " 'autoload_known_extensions', 'allow_community_extensions', 'enable_external_access',"
            " 'lock_configuration')"
        ).fetchall()
    assert dict(rows) == {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "enable_external_access": "false",
        "lock_configuration": "true",
    }


def test_a_shell_script_is_guarded_alike(
    guarded: House, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    before = guarded.snapshot()
    for statement in (
        "COPY (SELECT 1) TO '{inside}';",
        "SELECT * FROM read_text('{secret}');",
        "LOAD httpfs;",
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO(written(statement, guarded)))
        run(["shell", str(guarded.dataset)])
        out, err = capsys.readouterr()
        assert "hunter2" not in out + err
    assert guarded.snapshot() == before


def test_errors_name_what_to_do(house: House) -> None:
    with loganalyst.open(house.dataset) as dataset, pytest.raises(QueryError, match="--unsafe"):
        dataset.sql(written("COPY (SELECT 1) TO '{inside}'", house))
