"""What is redacted: the shipped rules and a user's own, as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loganalyst.errors import UsageError
from loganalyst.suggest import did_you_mean

__all__ = ["COLUMNS", "RedactionRule", "load_redactions", "read_redactions", "rule_text"]

COLUMNS = (
    "group_id",
    "member_id",
    "instance_id",
    "client_id",
    "pod",
    "host",
    "state",
    "reason",
    "error",
    "assignor",
    "message",
)
"""Text columns of `events` that can hold a secret; `fields` and `topic_partitions` are looked at too."""

_SHIPPED = Path(__file__).with_name("rules.toml")
_KEYS = {"name", "about", "pattern", "column", "keep"}
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class RedactionRule:
    """Replace what `pattern` (its group `value`) matches, or a `column`, except the values in `keep`."""

    name: str
    pattern: str | None
    column: str | None
    keep: frozenset[str]


def load_redactions(user: Path | None = None) -> tuple[RedactionRule, ...]:
    """Return the shipped rules, less those that the file `user` switches off, and its own.

    Raises `UsageError`, naming the file and the rule, for a file that is not right.
    """
    return read_redactions(None if user is None else rule_text(user), str(user))


def rule_text(file: Path) -> str:
    """Return the text of a rule file. Raises `UsageError` for one that cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: cannot be read: {error}") from error


def read_redactions(text: str | None, name: str = "redaction rules") -> tuple[RedactionRule, ...]:
    """Do the same with the text of a user's file; `name` is what errors call it."""
    shipped = [_rule(entry, "rules.toml", 1) for entry in tomllib.loads(_SHIPPED.read_text("utf-8"))["rule"]]
    if text is None:
        return tuple(shipped)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{name}: is not TOML: {error}") from error
    for key in tables:
        if key not in ("rule", "off"):
            raise UsageError(
                f"{name}: '{key}' means nothing here: a file has [[rule]] entries and a list 'off'"
            )
    off, entries = tables.get("off", []), tables.get("rule", [])
    if not isinstance(off, list) or not isinstance(entries, list):
        raise UsageError(f"{name}: 'off' is a list of names, 'rule' a list of tables ([[rule]])")
    names = [rule.name for rule in shipped]
    for one in off:
        if one not in names:
            raise UsageError(
                f"{name}: off: no shipped rule is named '{one}'. {did_you_mean(str(one), names)}".strip()
            )
    own = [_rule(entry, name, at) for at, entry in enumerate(entries, 1)]
    return (*(rule for rule in shipped if rule.name not in off), *own)


def _rule(entry: Any, file: str, number: int) -> RedactionRule:
    where = f"{file}: rule {number}"
    if not isinstance(entry, Mapping):
        raise UsageError(f"{where}: is not a table")
    label = entry.get("name")
    if not isinstance(label, str) or not label.replace("-", "").replace("_", "").isalnum() or len(label) > 40:
        raise UsageError(f"{where}: needs a name of letters, digits and dashes")
    where = f"{file}: rule {label}"
    if strange := set(entry) - _KEYS:
        raise UsageError(
            f"{where}: '{min(strange)}' means nothing here. {did_you_mean(min(strange), _KEYS)}".strip()
        )
    pattern, column, keep = entry.get("pattern"), entry.get("column"), entry.get("keep", [])
    if (pattern is None) == (column is None):
        raise UsageError(f"{where}: needs one of 'pattern' and 'column'")
    if column is not None and column not in COLUMNS:
        raise UsageError(f"{where}: column is one of {', '.join(COLUMNS)}")
    if pattern is not None and (not isinstance(pattern, str) or not pattern or len(pattern) > _LONGEST):
        raise UsageError(f"{where}: pattern is a regular expression of at most {_LONGEST} characters")
    if not isinstance(keep, list) or not all(isinstance(value, str) for value in keep):
        raise UsageError(f"{where}: keep is a list of values")
    if pattern is not None:
        _compiles(pattern, where)
    return RedactionRule(label, pattern, column, frozenset(keep))


def _compiles(pattern: str, where: str) -> None:
    import polars as pl

    try:
        empty = pl.Series([""], dtype=pl.String).str.contains(pattern)[0]
    except pl.exceptions.PolarsError as error:
        raise UsageError(f"{where}: pattern: {error}") from error
    if empty:
        raise UsageError(f"{where}: pattern: matches an empty text, so it would match everywhere")
