"""Where a statement of the shell ends."""

from __future__ import annotations

import pytest

from loganalyst.shell.script import is_complete, statements


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SELECT 1;",
        "SELECT 1; -- done",
        "SELECT ';' ;",
        ".views",
        "\\timing",
        "exit",
        "SELECT 1 /* ; */ ;",
        "SELECT 1;\n\n",
    ],
)
def test_complete(text: str) -> None:
    assert is_complete(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1",
        "SELECT ';",
        "SELECT 1 -- ;",
        "SELECT /* ;",
        'SELECT "a;',
        "SELECT 'it''s ;",
        "SELECT 1; SELECT 2",
    ],
)
def test_not_yet(text: str) -> None:
    assert not is_complete(text)


def test_a_script_is_cut_into_statements_and_commands() -> None:
    script = [".timing\n", "SELECT 1,\n", "  2;\n", "SELECT\n", "';';\n", "SELECT 3"]
    assert list(statements(script)) == [".timing\n", "SELECT 1,\n  2;\n", "SELECT\n';';\n", "SELECT 3"]
