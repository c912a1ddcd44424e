"""A user's rule file: what it may say, and what is said when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from loganalyst.errors import UsageError
from loganalyst.redact.redactor import Redactor
from loganalyst.redact.rules import load_redactions, read_redactions


def test_own_rules_come_beside_the_shipped_ones(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("[[rule]]\nname = 'badge'\npattern = 'badge (?P<value>[0-9]+)'\nkeep = ['0']\n")
    redactor = Redactor(load_redactions(file), b"0123456789abcdef")
    assert redactor.text("badge 4711, badge 0, password=x1") == (
        f"badge {redactor.token('badge', '4711')}, badge 0, password={redactor.token('password', 'x1')}"
    )


def test_shipped_rules_can_be_switched_off() -> None:
    redactor = Redactor(read_redactions("off = ['email']"), b"0123456789abcdef")
    assert redactor.text("bob@example.com") == "bob@example.com"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rule = 3", "list of tables"),
        ("rules = []", "means nothing here"),
        ("off = ['emial']", "Did you mean 'email'?"),
        ("[[rule]]\npattern = 'x'", "needs a name"),
        ("[[rule]]\nname = 'a'", "needs one of 'pattern' and 'column'"),
        ("[[rule]]\nname = 'a'\npattern = '('", "rule a: pattern"),
        ("[[rule]]\nname = 'a'\npattern = 'x*'", "matches an empty text"),
        ("[[rule]]\nname = 'a'\npattern = '(?=x)'", "rule a: pattern"),
        ("[[rule]]\nname = 'a'\ncolumn = 'source'", "column is one of"),
        ("[[rule]]\nname = 'a'\npatern = 'x'", "Did you mean 'pattern'?"),
        ("[[rule]]\nname = 'a'\npattern = 'x'\nkeep = [1]", "keep is a list"),
        ("[[rule", "is not TOML"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words.replace("(", r"\(").replace("?", r"\?")):
        read_redactions(text, "own.toml")
