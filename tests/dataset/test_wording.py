"""The words of verdicts: templates whose holes the verdict's SQL fills, and files that are refused."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from loganalyst.dataset.views import load_queries
from loganalyst.dataset.wording import create_wording, read_wording
from loganalyst.errors import CatalogueError
from loganalyst.shipped import shipped

FINDINGS = shipped("queries") / "findings"
KINDS = sorted(path.stem for path in FINDINGS.glob("*.toml"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_hole_of_a_template_is_filled_by_its_verdict(kind: str) -> None:
    sql = load_queries()[f"finding_{kind}"].sql
    for _, variant, words in (row for row in read_wording(FINDINGS) if row[0] == kind):
        for hole in re.findall(r"\{(\w+)\}", " ".join(words)):
            assert f"'{hole}'" in sql, (
                f"[{variant}] of {kind} asks for {hole}, which finding_{kind} does not give"
            )


@pytest.mark.parametrize("kind", KINDS)
def test_every_variant_that_a_verdict_can_have_is_worded(kind: str) -> None:
    sql = load_queries()[f"finding_{kind}"].sql
    for variant in {variant for name, variant, _ in read_wording(FINDINGS) if name == kind}:
        assert f"'{variant}'" in sql, f"nothing gives the wording [{variant}] of {kind}"


def test_every_verdict_has_words() -> None:
    verdicts = {name.removeprefix("finding_") for name in load_queries() if name.startswith("finding_")}
    assert verdicts == set(KINDS)


def test_a_users_words_replace_the_shipped_ones(tmp_path: Path) -> None:
    (tmp_path / "crash.toml").write_text('[default]\ntitle = "{pod} is gone"\ndetail = "It"\nfix = "Look"\n')
    connection = duckdb.connect()
    create_wording(connection, [FINDINGS, tmp_path])
    rows = connection.sql("SELECT title FROM wording WHERE kind = 'crash' AND variant = 'default'").fetchall()
    assert rows == [("{pod} is gone",)]


@pytest.mark.parametrize("text", ["[default]\ntitle = 'only a title'", "title = 'no variant'", "[broken"])
def test_a_file_that_lacks_a_part_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "crash.toml").write_text(text)
    with pytest.raises(CatalogueError, match=r"crash\.toml"):
        list(read_wording(tmp_path))
