"""What is tolerated can be set, rule by rule; what cannot be set says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from loganalyst.errors import UsageError
from loganalyst.quality.audits import audit
from loganalyst.quality.outcome import gate_passes
from loganalyst.quality.rules import load_rules
from loganalyst.quality.thresholds import load_thresholds
from tests.quality.conftest import Altered


def test_every_rule_has_a_threshold_and_every_threshold_a_rule() -> None:
    assert list(load_thresholds()) == [rule.name for rule in load_rules()]


def test_a_tolerated_share_passes_and_one_more_does_not(tmp_path: Path, altered: Altered) -> None:
    session = altered("UPDATE events SET level = 'Loud' WHERE line % 50 = 0")
    rules = [rule for rule in load_rules() if rule.name == "level_known"]
    strict = audit(session, rules=rules)[0]
    file = tmp_path / "tolerated.toml"
    for percent, passes in ((strict.percent + 0.01, True), (strict.percent - 0.01, False)):
        file.write_text(f"[level_known]\nmax_percent = {percent}\n")
        assert audit(session, load_thresholds(file), rules=rules)[0].passed is passes


def test_a_rule_can_be_a_warning_or_off(tmp_path: Path, altered: Altered) -> None:
    session = altered("UPDATE events SET level = 'Loud'")
    file = tmp_path / "tolerated.toml"
    file.write_text("[level_known]\nseverity = 'warn'\n")
    outcomes = audit(session, load_thresholds(file))
    assert [outcome.rule for outcome in outcomes if not outcome.passed] == ["level_known"]
    assert gate_passes(outcomes)
    file.write_text("[level_known]\nseverity = 'off'\n")
    assert "level_known" not in {outcome.rule for outcome in audit(session, load_thresholds(file))}


def test_a_rules_own_limit_can_be_set(tmp_path: Path, altered: Altered) -> None:
    session = altered(
        "UPDATE events SET members = 20000 WHERE members IS NOT NULL AND event = 'assignment_received'"
    )
    rules = [rule for rule in load_rules() if rule.name == "members_in_range"]
    assert not audit(session, rules=rules)[0].passed
    file = tmp_path / "tolerated.toml"
    file.write_text("[members_in_range]\nmax_members = 20000\n")
    assert audit(altered(), load_thresholds(file), rules=rules)[0].passed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[levels_known]\nmax_percent = 1", r"no rule is named 'levels_known'. Did you mean 'level_known'"),
        (
            "[level_known]\nmax_procent = 1",
            r"\[level_known\] max_procent: the rule has no such threshold. Did you mean",
        ),
        ("[level_known]\nmax_percent = 101", "at most 100"),
        ("[level_known]\nmax_percent = -1", "number from 0"),
        ("[level_known]\nmax_percent = nan", "number from 0"),
        ("[level_known]\nseverity = 'fatal'", "is one of fail, warn, off"),
        ("level_known = 3", "no rule is named"),
        ("[level_known", "is not TOML"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "tolerated.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=words):
        load_thresholds(file)
