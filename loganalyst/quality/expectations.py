"""The quality gate by Great Expectations: suites made from the rules, run over the frames, telemetry off.

Imported only when it is wanted: the package is an extra (`loganalyst[quality]`), brings pandas and takes
seconds to load. Its results are what `validate --format json` prints.
"""

from __future__ import annotations

import contextlib
import logging
import os
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from loganalyst.errors import UsageError
from loganalyst.quality.frames import PLACE, frame_key, project
from loganalyst.quality.outcome import Outcome
from loganalyst.quality.rules import Expectation, Rule
from loganalyst.quality.thresholds import Threshold

if TYPE_CHECKING:
    import duckdb

__all__ = ["MISSING", "Validation", "agree", "validate"]

MISSING = (
    "Great Expectations is not installed: install it with `pip install 'loganalyst[quality]'`,"
    " or run `loganalyst validate --fast`, which checks the same rules with SQL alone"
)
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Validation:
    """What Great Expectations says: a result a frame (JSON), the rules it finds broken, its version."""

    results: tuple[dict[str, Any], ...]
    broken: Mapping[str, str]
    version: str


def validate(
    connection: duckdb.DuckDBPyConnection,
    rules: Sequence[Rule],
    thresholds: Mapping[str, Threshold],
    site: Path | None = None,
) -> Validation:
    """Run the rules, but those that are `off`, as expectations over a session in which `audit` has run.

    `site`: a folder for Data Docs, the site that Great Expectations makes (it loads scripts from the network
    when it is opened). Raises `UsageError` if Great Expectations is not installed.
    """
    with _quiet():
        gx = _great_expectations()
        context = gx.get_context(mode="ephemeral")
        context.variables.progress_bars = {"globally": False, "metric_calculations": False}
        if site is not None:
            _add_site(context, site)
        pandas = context.data_sources.add_pandas("loganalyst")
        framed: dict[str, list[Rule]] = defaultdict(list)
        for rule in rules:
            if thresholds[rule.name].severity != "off":
                framed[frame_key(rule)].append(rule)
        results, broken = [], {}
        for key, group in framed.items():
            frame = project(connection, group)
            definition = pandas.add_dataframe_asset(key).add_batch_definition_whole_dataframe("all")
            suite = context.suites.add(gx.ExpectationSuite(name=key))
            for rule in group:
                for expectation in rule.expectations:
                    if _pointless(expectation, frame):
                        continue
                    suite.add_expectation(_made(gx, connection, rule, expectation, thresholds[rule.name]))
            result = _run(gx, context, definition, suite, frame, site)
            results.append(result.to_json_dict())
            broken.update(_broken(results[-1]))
        if site is not None:
            context.build_data_docs()
    return Validation(tuple(results), broken, gx.__version__)


def agree(outcomes: Sequence[Outcome], validation: Validation) -> list[Outcome]:
    """Join what audits and Great Expectations say: a rule passes if both do; where they differ it is said."""
    joined = []
    for outcome in outcomes:
        words = validation.broken.get(outcome.rule)
        if outcome.passed and words is not None:
            joined.append(replace(outcome, passed=False, disagreement=words))
        elif not outcome.passed and words is None:
            joined.append(replace(outcome, disagreement="Great Expectations finds nothing wrong"))
        else:
            joined.append(outcome)
    return joined


def _great_expectations() -> Any:
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    try:
        import great_expectations
    except ImportError as error:
        raise UsageError(MISSING) from error
    return great_expectations


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the package's log lines and warnings off stderr, where only this program talks."""
    before = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _made(gx: Any, connection: Any, rule: Rule, expectation: Expectation, threshold: Threshold) -> Any:
    """Make one expectation, thresholds and value sets filled in, with the rule's name in its `meta`."""
    name = "".join(part.capitalize() for part in expectation.type.split("_"))
    arguments = {key: _resolved(connection, value, threshold) for key, value in expectation.arguments.items()}
    kind = getattr(gx.expectations, name)
    if "mostly" in kind.__fields__:
        arguments["mostly"] = 1 - threshold.max_percent / 100
    severity = "critical" if threshold.severity == "fail" else "warning"
    return kind(**arguments, meta={"rule": rule.name}, description=rule.title, severity=severity)


def _pointless(expectation: Expectation, frame: Any) -> bool:
    """Tell whether an expectation of a highest or lowest value looks at no value, which would break it."""
    looks_at_one = expectation.type in ("expect_column_max_to_be_between", "expect_column_min_to_be_between")
    return looks_at_one and bool(frame[expectation.columns[0]].isna().all())


def _resolved(connection: Any, value: Any, threshold: Threshold) -> Any:
    if isinstance(value, str) and value.startswith("$"):
        return threshold.limits[value[1:]]
    if isinstance(value, str) and value.startswith("@"):
        return [row[0] for row in connection.execute(f'FROM "{value[1:]}"').fetchall()]
    if isinstance(value, str) and value[:4].isdigit():
        import pandas as pd

        return pd.Timestamp(value)
    return value


def _run(gx: Any, context: Any, definition: Any, suite: Any, frame: Any, site: Path | None) -> Any:
    place = [name for name in PLACE if name in frame.columns]
    shape = {
        "result_format": "SUMMARY",
        "partial_unexpected_count": _SHOWN,
        **({"unexpected_index_column_names": place} if place else {}),
    }
    if site is None:
        return definition.get_batch({"dataframe": frame}).validate(suite, result_format=shape)
    named = context.validation_definitions.add(
        gx.ValidationDefinition(name=suite.name, data=definition, suite=suite)
    )
    checkpoint = context.checkpoints.add(
        gx.Checkpoint(name=suite.name, validation_definitions=[named], result_format=shape)
    )
    outcome = checkpoint.run(batch_parameters={"dataframe": frame})
    return next(iter(outcome.run_results.values()))


def _add_site(context: Any, site: Path) -> None:
    context.add_data_docs_site(
        site_name="loganalyst",
        site_config={
            "class_name": "SiteBuilder",
            "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
            "store_backend": {
                "class_name": "TupleFilesystemStoreBackend",
                "base_directory": str(site.resolve()),
            },
        },
    )


def _broken(result: Mapping[str, Any]) -> dict[str, str]:
    """Name the rules that a validation result finds broken, with the words for it."""
    found = {}
    for one in result["results"]:
        if one["success"]:
            continue
        rule = one["expectation_config"]["meta"]["rule"]
        trouble = one["exception_info"]
        count = one["result"].get("unexpected_count")
        words = (
            f"{count} unexpected" if count is not None else f"observed {one['result'].get('observed_value')}"
        )
        if trouble.get("raised_exception"):
            words = f"could not be checked: {trouble.get('exception_message')}"
        found[rule] = f"Great Expectations: {one['expectation_config']['type']}: {words}"
    return found
