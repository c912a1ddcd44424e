"""The account of one byte range of a source: what was read, and where a later ingest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from loganalyst.dataset.schema import ACCOUNTS

__all__ = ["RangeAccount", "accounts_of", "accounts_table"]


@dataclass(frozen=True, slots=True)
class RangeAccount:
    """What one range of a source added to the dataset.

    `start` and `end` are decompressed byte offsets; the line counts are those of the range alone, and
    `lines == records + continuation_lines + foreign_lines + undated_lines`. A tail that changes how the last
    line of the range before was to be read corrects it, so single counts may be negative; sums never are.
    `first_ts` and `last_ts` are epoch microseconds UTC, `ingested_at` too.
    """

    stream: str
    source: str
    fingerprint: str
    start: int
    end: int
    lines: int = 0
    records: int = 0
    events: int = 0
    continuation_lines: int = 0
    foreign_lines: int = 0
    undated_lines: int = 0
    first_ts: int | None = None
    last_ts: int | None = None
    envelope: str | None = None
    layout: str | None = None
    timezone: str | None = None
    ingested_at: int | None = None
    unknown_records: int = 0
    batch: int = 0
    identity: Mapping[str, Any] = field(default_factory=dict)
    state: Mapping[str, Any] = field(default_factory=dict)

    @property
    def bytes(self) -> int:
        """Decompressed bytes of the range."""
        return self.end - self.start

    def in_batch(self, batch: int) -> RangeAccount:
        """Return the same account as a part of commit `batch`."""
        return replace(self, batch=batch)


def accounts_table(accounts: Iterable[RangeAccount]) -> pa.Table:
    """Make the Arrow table of `ACCOUNTS` that is stored."""
    rows = []
    for account in accounts:
        row = {name: getattr(account, name) for name in ACCOUNTS.names}
        row["identity"] = json.dumps(account.identity, sort_keys=True, separators=(",", ":"))
        row["state"] = json.dumps(account.state, sort_keys=True, separators=(",", ":"))
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=ACCOUNTS)


def accounts_of(table: pa.Table) -> list[RangeAccount]:
    """Read stored accounts back."""
    numbers = table.set_column(
        table.schema.get_field_index("first_ts"), "first_ts", table["first_ts"].cast(pa.int64())
    )
    for name in ("last_ts", "ingested_at"):
        numbers = numbers.set_column(
            numbers.schema.get_field_index(name), name, numbers[name].cast(pa.int64())
        )
    accounts = []
    for row in numbers.to_pylist():
        row.pop("bytes", None)
        row["identity"] = json.loads(row["identity"] or "{}")
        row["state"] = json.loads(row["state"] or "{}")
        accounts.append(RangeAccount(**row))
    return accounts
