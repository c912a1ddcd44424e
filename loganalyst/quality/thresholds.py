"""What the quality gate tolerates: `thresholds.toml` and a user's file of the same form."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from loganalyst.errors import UsageError
from loganalyst.suggest import did_you_mean

__all__ = ["SEVERITIES", "Threshold", "load_thresholds"]

SEVERITIES = ("fail", "warn", "off")
_SHIPPED = Path(__file__).with_name("thresholds.toml")


@dataclass(frozen=True, slots=True)
class Threshold:
    """What one rule tolerates: `max_percent` of what it looks at may break it; `limits` are its own."""

    severity: str
    max_percent: float
    limits: Mapping[str, float]


def load_thresholds(user: Path | None = None) -> dict[str, Threshold]:
    """Return the threshold of every rule: the shipped ones, replaced by what the file `user` names.

    Raises `UsageError`, naming file, rule and key, for a file that cannot be read, is no TOML, or names a
    rule, a key or a value that does not exist.
    """
    tables = tomllib.loads(_SHIPPED.read_text(encoding="utf-8"))
    if user is not None:
        for rule, table in _read(user).items():
            if rule not in tables or not isinstance(table, dict):
                raise UsageError(f"{user}: no rule is named '{rule}'. {did_you_mean(rule, tables)}".strip())
            for key, value in table.items():
                _check(user, rule, key, value, tables[rule])
                tables[rule][key] = value
    return {
        rule: Threshold(
            table["severity"],
            float(table["max_percent"]),
            {key: float(value) for key, value in table.items() if key not in {"severity", "max_percent"}},
        )
        for rule, table in tables.items()
    }


def _read(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: is not TOML: {error}") from error


def _check(path: Path, rule: str, key: str, value: object, shipped: Mapping[str, object]) -> None:
    where = f"{path}: [{rule}] {key}"
    if key not in shipped:
        raise UsageError(f"{where}: the rule has no such threshold. {did_you_mean(key, shipped)}".strip())
    if key == "severity":
        if value not in SEVERITIES:
            raise UsageError(f"{where} = {value!r}: is one of {', '.join(SEVERITIES)}")
    elif isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != value:
        raise UsageError(f"{where} = {value!r}: is a number from 0")
    elif key == "max_percent" and value > 100:
        raise UsageError(f"{where} = {value!r}: is a share in percent, at most 100")
