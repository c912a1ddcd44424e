"""A parser file that is not right is refused with the file, the entry and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from loganalyst.catalogue import load
from loganalyst.errors import CatalogueError

HEADER = 'component = "mine"\ntitle = "Mine"\nrole = "client"\nnear_misses = ["nothing"]\n'


def write(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def statement(template: str, *more: str) -> str:
    lines = ["[[statement]]", 'id = "one"', 'event = "join_started"', f"template = '{template}'", *more]
    return "\n".join([*lines, f"example = '{template}'", ""])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("component = ", "not valid TOML"),
        ('title = "x"\n', "the header lacks 'component'"),
        (HEADER + 'tittle = "x"\n', "unknown key 'tittle'; did you mean 'title'"),
        (HEADER + '[[statement]]\nid = "a"\nevent = "other"\n', "'a'|a: lacks 'template'"),
        (HEADER + statement("Hello {who:inn}"), "unknown hole type 'inn'"),
        (HEADER + statement("Hello {who}{what}"), "two free holes touch"),
        (
            HEADER + statement("Hello {who}").replace("join_started", "join_start"),
            "unknown event 'join_start'",
        ),
        (HEADER + statement("Hello {who}", 'prefix = ["nobody"]'), "prefix 'nobody' is not in"),
        (HEADER + statement("Hello {who}", 'after = ["mine.two"]'), "after names no statement: 'mine.two'"),
        (HEADER + statement("Hello {who}", "kep = true"), "unknown key 'kep'; did you mean 'keep'"),
        (HEADER + statement("Hello {who}") * 2, "mine.one is already a statement"),
        (HEADER + "[types.x]\npattern = '('\n" + statement("Hi"), "pattern is not a regular expression"),
        (HEADER + statement('"{a}"'), "has no text to search for"),
    ],
)
def test_a_wrong_file_is_refused_with_its_reason(tmp_path: Path, text: str, complaint: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(CatalogueError, match=complaint):
        load([file])


def test_two_statements_of_one_text_are_refused_unless_ordered(tmp_path: Path) -> None:
    second = statement("Hello {whom}").replace('"one"', '"two"')
    with pytest.raises(CatalogueError, match="match the same text"):
        load([write(tmp_path, HEADER + statement("Hello {who}") + second)])
    ordered = second.replace("template", 'after = ["mine.one"]\ntemplate', 1)
    catalogue = load([write(tmp_path, HEADER + statement("Hello {who}") + ordered)])
    match = catalogue.match("Hello world")
    assert match is not None
    assert (match.statement.id, match.values) == ("mine.one", {"who": "world"})


def test_statements_that_name_each_other_are_refused(tmp_path: Path) -> None:
    first = statement("Hello {who}", 'after = ["mine.two"]')
    second = statement("Hello {whom}", 'after = ["mine.one"]').replace('"one"', '"two"', 1)
    with pytest.raises(CatalogueError, match="circle"):
        load([write(tmp_path, HEADER + first + second)])


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match="no such folder or file"):
        load([tmp_path / "nowhere"])


def test_own_statements_join_the_shipped_ones(tmp_path: Path) -> None:
    catalogue = load([write(tmp_path, HEADER + statement("Shop worker {who} joins its team {group_id}"))])
    match = catalogue.match("Shop worker 7 joins its team orders")
    assert match is not None
    assert match.statement.id == "mine.one"
    assert match.statement.keep
    assert match.values == {"who": "7", "group_id": "orders"}
    assert catalogue.coarse.hits("Shop worker 7 joins its team orders")
    assert catalogue.match("(Re-)joining group") is not None
