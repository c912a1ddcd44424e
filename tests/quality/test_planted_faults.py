"""Every kind of corruption is caught by the rule that names it, in SQL and by Great Expectations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from loganalyst.quality.audits import audit
from loganalyst.quality.expectations import validate
from loganalyst.quality.outcome import gate_passes
from loganalyst.quality.rules import load_rules
from loganalyst.quality.thresholds import Threshold, load_thresholds
from tests.quality.conftest import Altered

ONE = "(source, line) = (SELECT (source, line) FROM events WHERE {} ORDER BY source, line LIMIT 1 OFFSET {})"


def one(where: str, nth: int = 0) -> str:
    """Condition that selects the nth row, in the order of lines, of those for which `where` holds."""
    return ONE.format(where, nth)


STABILIZED = "event = 'group_stabilized' AND role = 'broker'"
CLIENT = "role = 'client'"
LAST_LINE = f"(source, line) = (SELECT max((source, line)) FROM events WHERE {CLIENT})"
FIRST_SOURCE = "source = (SELECT min(source) FROM sources)"


@dataclass(frozen=True)
class Fault:
    """A corruption: what is done to the tables, the rule that names it, and rules that it breaks besides."""

    statement: str
    rule: str
    besides: tuple[str, ...] = ()


FAULTS = {
    "a column changed its type": Fault(
        "ALTER TABLE events ALTER members TYPE VARCHAR USING members::VARCHAR || ''", "columns_as_documented"
    ),
    "an event lost its kind": Fault(
        f"UPDATE events SET event = NULL WHERE {one('TRUE', 40)}", "origin_known"
    ),
    "an event of no known kind": Fault(
        f"UPDATE events SET event = 'group_stabilised' WHERE {one('TRUE', 40)}", "event_in_vocabulary"
    ),
    "a writer of no known role": Fault(
        f"UPDATE events SET role = 'Broker' WHERE {one(STABILIZED)}", "role_known"
    ),
    "a level in another spelling": Fault(
        f"UPDATE events SET level = 'Information' WHERE {one('TRUE', 40)}", "level_known"
    ),
    "a group of no known type": Fault(
        f"UPDATE events SET group_type = 'Classic' WHERE {one('group_id IS NOT NULL')}", "group_type_known"
    ),
    "an error in a client's own words": Fault(
        f"UPDATE events SET error = 'Group coordinator not available' WHERE {one('TRUE', 40)}",
        "error_in_protocol_spelling",
    ),
    "an empty text instead of NULL": Fault(
        f"UPDATE events SET client_id = '' WHERE {one('client_id IS NULL')}", "unknown_is_null"
    ),
    "a -1 instead of NULL": Fault(
        f"UPDATE events SET generation = -1 WHERE {one('generation IS NULL')}",
        "unknown_is_null",
        ("generation_in_range",),
    ),
    "a coordinator's line without its group": Fault(
        f"UPDATE events SET group_id = NULL WHERE {one(STABILIZED, 3)}",
        "required_columns_filled",
        ("generation_rises_by_one",),
    ),
    "a generation at an epoch group": Fault(
        f"UPDATE events SET group_type = 'consumer' WHERE {one('generation IS NOT NULL')}",
        "generation_and_epoch_apart",
    ),
    "a generation beyond 32 bits": Fault(
        f"UPDATE events SET generation = 4294967295 WHERE {one(f'generation IS NOT NULL AND {CLIENT}')}",
        "generation_in_range",
    ),
    "an epoch that no group sends": Fault(
        f"UPDATE events SET epoch = -3, group_id = NULL WHERE {one('epoch IS NOT NULL')}",
        "epoch_in_range",
        ("unknown_is_null",),
    ),
    "more members than any group has": Fault(
        f"UPDATE events SET members = 1000000 WHERE {one('event = $$assignment_received$$')}",
        "members_in_range",
    ),
    "more static members than members": Fault(
        f"UPDATE events SET static_members = members + 1 WHERE {one('static_members IS NOT NULL')}",
        "static_members_within_members",
    ),
    "a coordinator's node id as broker": Fault(
        f"UPDATE events SET broker_id = 2147483644 WHERE {one(f'broker_id IS NOT NULL AND {CLIENT}')}",
        "broker_id_in_range",
    ),
    "a partition that no offsets topic has": Fault(
        "UPDATE events SET offsets_partition = 100000"
        f" WHERE {one('offsets_partition IS NOT NULL AND group_id IS NULL')}",
        "offsets_partition_in_range",
    ),
    "a duration of a year": Fault(
        f"UPDATE events SET duration_ms = 3.2e10 WHERE {one('TRUE', 40)}", "duration_in_range"
    ),
    "a time before Kafka": Fault(
        f"UPDATE events SET ts = TIMESTAMPTZ '1970-01-01 00:00:00+00' WHERE {one(CLIENT, 5)}",
        "time_in_range",
        ("time_within_source", "time_in_order"),
    ),
    "a time outside its source": Fault(
        f"UPDATE events SET ts = ts + INTERVAL 1 HOUR WHERE {LAST_LINE}",
        "time_within_source",
    ),
    "a clock that jumps back": Fault(
        "UPDATE events SET ts = (SELECT min(first_ts) FROM sources s WHERE s.source = events.source)"
        f" WHERE {LAST_LINE}",
        "time_in_order",
    ),
    "a line beyond the end of its source": Fault(
        f"UPDATE events SET line = 10000000 WHERE {LAST_LINE}",
        "line_within_source",
    ),
    "a source without its account": Fault(
        "DELETE FROM sources WHERE source = (SELECT min(source) FROM sources WHERE events > 0)",
        "source_accounted",
    ),
    "a line that counts twice": Fault(
        f"INSERT INTO events FROM events WHERE {one(CLIENT, 5)}",
        "event_unique",
        ("events_counted",),
    ),
    "lines that are in no class": Fault(
        f"UPDATE sources SET records = records - 1 WHERE {FIRST_SOURCE}",
        "lines_add_up",
    ),
    "a negative count": Fault(
        f"UPDATE sources SET foreign_lines = -1, records = records + foreign_lines + 1 WHERE {FIRST_SOURCE}",
        "counts_not_negative",
    ),
    "rows that were lost": Fault(f"DELETE FROM events WHERE {one(CLIENT, 5)}", "events_counted"),
    "a source that counts twice": Fault(
        f"INSERT INTO sources SELECT * REPLACE (0 AS events) FROM sources WHERE {FIRST_SOURCE}",
        "source_unique",
    ),
    "a source that ends before it begins": Fault(
        "UPDATE sources SET first_ts = last_ts, last_ts = first_ts WHERE source ="
        " (SELECT min(source) FROM sources WHERE first_ts < last_ts)",
        "source_span_in_order",
        ("time_within_source",),
    ),
    "records without dates": Fault(
        "UPDATE sources SET undated_lines = undated_lines + records, records = 0 WHERE source ="
        " (SELECT min(source) FROM events WHERE role = 'client')",
        "dates_known",
    ),
    "a layout that was not understood": Fault(
        "UPDATE sources SET foreign_lines = lines - 1, records = 1, continuation_lines = 0, undated_lines = 0"
        " WHERE source = (SELECT min(source) FROM events WHERE role = 'client')",
        "lines_understood",
    ),
    "wordings that nobody knows": Fault(
        "UPDATE sources SET unknown_records = 10 * events + 100", "wordings_known"
    ),
    "a generation that was skipped": Fault(
        f"UPDATE events SET generation = generation + 1 WHERE {one(STABILIZED, 11)}",
        "generation_rises_by_one",
    ),
    "members that nobody saw join": Fault(
        f"UPDATE events SET members = members + 5 WHERE {one(STABILIZED, 2)}", "members_add_up"
    ),
    "members that nobody saw leave": Fault(
        f"UPDATE events SET members = 0 WHERE {one(STABILIZED, 2)}", "members_add_up"
    ),
}

THRESHOLDS = load_thresholds()


def test_a_clean_dataset_passes(altered: Altered) -> None:
    connection = altered()
    outcomes = audit(connection)
    assert gate_passes(outcomes)
    assert [outcome.rule for outcome in outcomes if outcome.broken] == []
    assert validate(connection, load_rules(), THRESHOLDS).broken == {}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_caught_by_the_rule_that_names_it(fault: Fault, altered: Altered) -> None:
    connection = altered(fault.statement)
    broken = {outcome.rule for outcome in audit(connection) if not outcome.passed}
    assert broken == {fault.rule, *fault.besides}
    named = [rule for rule in load_rules() if rule.name == fault.rule]
    assert fault.rule in validate(connection, named, THRESHOLDS).broken


def test_a_dataset_that_is_not_fresh_is_caught_when_freshness_is_asked_for(altered: Altered) -> None:
    connection = altered(
        "UPDATE sources SET last_ts = TIMESTAMPTZ '2026-01-01 00:00:00+00'", "DELETE FROM events"
    )
    asked = {**THRESHOLDS, "fresh": Threshold("fail", 0.0, {"max_quiet_ms": 3_600_000.0})}
    fresh = [rule for rule in load_rules() if rule.name == "fresh"]
    assert [outcome.passed for outcome in audit(connection, asked, rules=fresh)] == [False]
    assert "fresh" in validate(connection, fresh, asked).broken
    assert not any(outcome.rule == "fresh" for outcome in audit(connection))


def test_every_rule_has_a_fault_that_breaks_it() -> None:
    assert {rule.name for rule in load_rules()} == {fault.rule for fault in FAULTS.values()} | {"fresh"}
