"""What a dataset has read already: the accounts of its sources, found again by content."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loganalyst.dataset.account import RangeAccount

__all__ = ["Known", "Ledger"]


@dataclass(frozen=True, slots=True)
class Known:
    """A source whose bytes up to `end` are in the dataset; `last` is the account that reaches it."""

    stream: str
    end: int
    lines: int
    batch: int
    last: RangeAccount


class Ledger:
    """The known sources of a dataset at one commit (`batch`), indexed by the beginning of their content.

    The identity of an account holds `rungs`: hashes of the first 1, 2, 4, … bytes, as far as the content
    went. A content can only be a known source, or one that grew, if it has the same hash at that source's
    highest rung; the caller then compares the rest.
    """

    def __init__(self, accounts: Iterable[RangeAccount], batch: int) -> None:
        """`accounts` are those of all batches up to `batch`."""
        self.batch = batch
        self._known: dict[str, Known] = {}
        self._by_rung: dict[tuple[str, str], list[str]] = {}
        self._by_step: dict[tuple[str, str], dict[str, None]] = {}
        for account in sorted(accounts, key=lambda one: (one.batch, one.end)):
            self._take(account)

    def known(self, stream: str) -> Known | None:
        """Return the source with this identity, if the dataset has it."""
        return self._known.get(stream)

    def names(self) -> set[str]:
        """Return the names under which the sources were read."""
        return {known.last.source for known in self._known.values()}

    def candidates(self, rungs: Mapping[str, str]) -> list[Known]:
        """Return the known sources whose beginning may be the beginning of the content with `rungs`."""
        streams = dict.fromkeys(stream for rung in rungs.items() for stream in self._by_rung.get(rung, ()))
        return [self._known[stream] for stream in streams]

    def overlapping(self, rungs: Mapping[str, str]) -> list[Known]:
        """Return the known sources that agree with `rungs` as far as both go (either may be the longer)."""
        found = {known.stream: known for known in self.candidates(rungs)}
        if rungs:
            top = max(rungs, key=int)
            for stream in self._by_step.get((top, rungs[top]), ()):
                found[stream] = self._known[stream]
        return list(found.values())

    def _take(self, account: RangeAccount) -> None:
        before = self._known.get(account.stream)
        self._known[account.stream] = Known(
            stream=account.stream,
            end=max(account.end, before.end if before else 0),
            lines=account.lines + (before.lines if before else 0),
            batch=account.batch,
            last=account,
        )
        rungs = account.identity.get("rungs", {})
        if rungs:
            top = max(rungs, key=int)
            streams = self._by_rung.setdefault((top, rungs[top]), [])
            if account.stream not in streams:
                streams.append(account.stream)
        for step in rungs.items():
            self._by_step.setdefault(step, {})[account.stream] = None
