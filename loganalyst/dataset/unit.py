"""What a commit makes visible together, and whether another process was first with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from loganalyst.dataset.account import RangeAccount
from loganalyst.dataset.files import DataFile, delete
from loganalyst.dataset.ledger import Ledger
from loganalyst.dataset.location import Location

__all__ = ["Unit", "discard", "overtaken"]


@dataclass(frozen=True, slots=True)
class Unit:
    """What becomes visible together: finished files and the accounts of the ranges that they hold.

    `planned` is the batch at which the ranges were found to be new. `replaced` names rows (stream, line) that
    the files bring in a longer version: the last line of a file that was read while it was being written.
    """

    files: Sequence[DataFile]
    accounts: Sequence[RangeAccount]
    planned: int = 0
    replaced: Sequence[tuple[str, int]] = field(default_factory=tuple)


def discard(place: Location, files: Sequence[DataFile]) -> None:
    """Delete files that no commit has named."""
    for file in files:
        delete(place, file.path)


def overtaken(unit: Unit, news: Ledger) -> bool:
    """Tell whether `news`, the accounts committed since, hold a source of `unit`."""
    for account in unit.accounts:
        known = news.known(account.stream)
        rivals = [known] if known else news.overlapping(account.identity.get("rungs", {}))
        if any(rival.batch > unit.planned for rival in rivals):
            return True
    return False
