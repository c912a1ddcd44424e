"""The fast path of the quality gate: every rule as SQL that must return no row. Needs DuckDB alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from loganalyst.dataset.views import Query, load_queries, provide
from loganalyst.quality.outcome import Example, Outcome
from loganalyst.quality.rules import Rule, load_rules
from loganalyst.quality.thresholds import Threshold, load_thresholds

if TYPE_CHECKING:
    import duckdb

__all__ = ["audit"]

COLUMNS_RULE = "columns_as_documented"
"""The first rule, which the others presume."""

EXAMPLES = 5
"""Broken rows that an outcome shows."""


def audit(
    connection: duckdb.DuckDBPyConnection,
    thresholds: Mapping[str, Threshold] | None = None,
    queries: Mapping[str, Query] | None = None,
    rules: Sequence[Rule] | None = None,
) -> list[Outcome]:
    """Check a dataset, open in `connection` (`Dataset.connect()`), and return the outcome of each rule.

    `rules` limits the check, for one after an ingest that has little time; rules that are `off` are left out.
    If a column is missing or of another type, that is the only outcome: all other rules build on the columns.
    Raises `QueryError` if the dataset cannot be read.
    """
    thresholds = load_thresholds() if thresholds is None else thresholds
    queries = load_queries() if queries is None else queries
    wanted = [
        rule for rule in (load_rules() if rules is None else rules) if thresholds[rule.name].severity != "off"
    ]
    if wanted and wanted[0].name == COLUMNS_RULE:
        provide(connection, [wanted[0].audit], queries)
        columns = _outcome(connection, wanted[0], thresholds[COLUMNS_RULE])
        if not columns.passed:
            return [columns]
    limits = {name: repr(value) for rule in wanted for name, value in thresholds[rule.name].limits.items()}
    provide(connection, [name for rule in wanted for name in (rule.frame, rule.audit)], queries, limits)
    return [_outcome(connection, rule, thresholds[rule.name]) for rule in wanted]


def _outcome(connection: duckdb.DuckDBPyConnection, rule: Rule, threshold: Threshold) -> Outcome:
    what = f'count("{rule.column}")' if rule.column else "count(*)"
    where = f" WHERE {rule.where}" if rule.where else ""
    checked = _number(connection, f'SELECT {what} FROM "{rule.frame}"{where}')
    broken = _number(connection, f'SELECT count(*) FROM "{rule.audit}"')
    examples = connection.execute(
        f'SELECT subject, detail, source, line FROM "{rule.audit}"'
        f" ORDER BY source, line, subject LIMIT {EXAMPLES}"
    ).fetchall()
    passed = broken == 0 or (checked > 0 and 100.0 * broken / checked <= threshold.max_percent)
    return Outcome(
        rule.name,
        rule.title,
        threshold.severity,
        passed,
        checked,
        broken,
        threshold.max_percent,
        tuple(Example(*row) for row in examples),
    )


def _number(connection: duckdb.DuckDBPyConnection, sql: str) -> int:
    return int(connection.execute(sql).fetchall()[0][0])
