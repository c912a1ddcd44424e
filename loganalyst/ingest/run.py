"""Drives an ingest: finds the sources, plans, hands tasks to an executor, commits what comes back."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field, replace

from loganalyst.dataset.dataset import Dataset
from loganalyst.dataset.unit import Unit, discard
from loganalyst.errors import DatasetError
from loganalyst.ingest.pipeline import Options, RangeResult, Task, read_range
from loganalyst.ingest.plan import cut, is_pipe, plan, weight
from loganalyst.ingest.workers import Workers, main_left_alone, run_task
from loganalyst.redact.settings import Redaction, redactor_for
from loganalyst.sources import Source, SourceOptions, Unreadable, discover

__all__ = ["Progress", "Summary", "run_ingest"]

_IN_PROCESS = 6 << 20
"""Less text than this is read faster than a second process starts."""

_COMMIT_SECONDS = 2.0
_COMMIT_FILES = 200
_PUBLISH_SECONDS = 15.0
_ROUNDS = 1_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an ingest is. `total` is an estimate of the decompressed bytes, 0 where it is not known."""

    bytes: int
    total: int
    sources: int
    of: int
    events: int


@dataclass(slots=True)
class Summary:
    """What an ingest did. `problems` are (source, reason); what could be read of these sources is in."""

    sources: int = 0
    known: int = 0
    lines: int = 0
    events: int = 0
    bytes: int = 0
    seconds: float = 0.0
    problems: list[tuple[str, str]] = field(default_factory=list)


class _Run:
    """One ingest into one dataset."""

    def __init__(
        self,
        dataset: Dataset,
        options: Options,
        report: Callable[[Progress], None] | None,
        *,
        publish: bool,
    ) -> None:
        self.dataset = dataset
        self.options = options
        self.summary = Summary()
        self.again: list[Source] = []
        self._report = report
        self._of = 0
        self._total = 0
        self._live: Callable[[], int] | None = None
        self._local = 0
        self._done: list[tuple[Task, RangeResult]] = []
        self._committed = self._published = time.monotonic()
        self._publishes = publish

    def read(self, tasks: Sequence[Task], executor: Executor | None, jobs: int) -> None:
        """Run tasks and commit their results as they come."""
        own = [
            task for task in tasks if executor is None or any(is_pipe(part.source) for part in task.slices)
        ]
        others = [task for task in tasks if task not in own]
        for task in own:
            self._take(task, read_range(task, self._told))
        if executor is not None and others:
            for task, result in _spread(executor, others, jobs * 2, self._tick):
                self._take(task, result)
        self.commit()

    def expect(self, sources: int, total: int, live: Callable[[], int] | None) -> None:
        """Say how much there is, for the progress."""
        self._of, self._total, self._live = sources, total, live

    def commit(self) -> None:
        """Make what has been read visible; sources that another process was faster with are planned again."""
        if not self._done:
            return
        units = {}
        for task, result in self._done:
            if result.accounts:
                unit = Unit(result.files, result.accounts, task.planned, result.replaced)
                units[id(unit)] = (unit, task)
        refused = self.dataset.commit_units([unit for unit, _ in units.values()])
        for unit in refused:
            discard(self.dataset.place.below("events"), unit.files)
            self.again += [part.source for part in units[id(unit)][1].slices]
        for unit, _ in units.values():
            if unit not in refused:
                self._count(unit)
        self._done = []
        self._committed = time.monotonic()
        self.publish(after=_PUBLISH_SECONDS)

    def publish(self, *, after: float = 0.0) -> None:
        """Write the file of views, if the last time was at least `after` seconds ago."""
        if self._publishes and time.monotonic() - self._published >= after:
            self.dataset.publish()
            self._published = time.monotonic()

    def _take(self, task: Task, result: RangeResult) -> None:
        self.summary.problems += result.problems
        self.again += [part.source for part in task.slices if part.source.name in result.changed]
        self.summary.bytes += result.bytes
        self._done.append((task, result))
        files = sum(len(one.files) for _, one in self._done)
        if files >= _COMMIT_FILES or time.monotonic() - self._committed > _COMMIT_SECONDS:
            self.commit()
        self._tick()

    def _count(self, unit: Unit) -> None:
        self.summary.sources += len(unit.accounts)
        self.summary.lines += sum(account.lines for account in unit.accounts)
        self.summary.events += sum(account.events for account in unit.accounts)

    def _told(self, count: int) -> None:
        self._local += count
        self._tick()

    def _tick(self) -> None:
        if self._report is None:
            return
        read = self._local + (self._live() if self._live is not None else 0)
        waiting = [account for _, result in self._done for account in result.accounts]
        self._report(
            Progress(
                bytes=read,
                total=self._total,
                sources=self.summary.sources + len(waiting),
                of=self._of,
                events=self.summary.events + sum(account.events for account in waiting),
            )
        )


def run_ingest(
    paths: Sequence[str],
    into: str | os.PathLike[str],
    options: Options | None = None,
    *,
    jobs: int | None = None,
    executor: Executor | None = None,
    source_options: SourceOptions | None = None,
    progress: Callable[[Progress], None] | None = None,
    publish: bool = True,
    redaction: Redaction | None = None,
) -> Summary:
    """Read the sources behind `paths` into the dataset `into`, adding only what is new.

    Runs on `executor` (any `concurrent.futures.Executor` whose workers reach sources and dataset), by
    default on `jobs` processes of this machine (all cores), or in this process where there is little to
    read. Sources that cannot be read are in `Summary.problems`; the rest is processed. On
    `KeyboardInterrupt` what was committed stays. `publish` False leaves out `loganalyst.duckdb`, for a
    dataset that nobody else will open. Raises `DatasetError` when the dataset cannot be written.
    """
    started = time.monotonic()
    options = options or Options()
    dataset = Dataset.create_or_open(into)
    redactor = redactor_for(dataset.place.folder, redaction, has_rows=dataset.store.batch > 0)
    options = replace(options, redactor=redactor)
    run = _Run(dataset, options, progress, publish=publish)
    sources, run.summary.problems = _found(discover(list(paths), source_options or SourceOptions()))
    names = [source.name for source in sources]
    count = jobs or os.cpu_count() or 1
    workers: Workers | None = None
    kill = True
    try:
        for _ in range(_ROUNDS):
            if not sources:
                break
            ledger = dataset.ledger()
            planned = plan(sources, ledger, names)
            run.summary.problems += planned.problems
            run.summary.known += len(planned.known)
            tasks = cut(planned.read, options, dataset.place.below("events"), ledger.batch, count)
            total = sum(map(weight, planned.read))
            if executor is None and workers is None and count > 1 and total > _IN_PROCESS and len(tasks) > 1:
                workers = Workers(min(count, len(tasks)))
            run.expect(len(names), total, workers.bytes_read if workers else None)
            pool = executor or (workers.executor if workers else None)
            with main_left_alone():
                run.read(tasks, pool, count)
            sources, run.again = [*planned.later, *run.again], []
        kill = False
    except OSError as error:
        raise DatasetError(f"{dataset.place.uri}: cannot be written: {error.strerror or error}") from error
    finally:
        if workers is not None:
            workers.close(kill=kill)
    if publish:
        dataset.publish_if_outdated()
    return replace(run.summary, seconds=time.monotonic() - started)


def _found(found: Iterable[Source | Unreadable]) -> tuple[list[Source], list[tuple[str, str]]]:
    """Sort what `discover` yields: the sources, each once, and the problems."""
    sources: dict[str, Source] = {}
    problems = []
    for one in found:
        if isinstance(one, Unreadable):
            problems.append((one.name, one.reason))
        else:
            sources.setdefault(one.name, one)
    return list(sources.values()), problems


def _spread(
    executor: Executor, tasks: Sequence[Task], ahead: int, tick: Callable[[], None]
) -> Iterator[tuple[Task, RangeResult]]:
    """Keep `ahead` tasks submitted and yield results as they come."""
    waiting = iter(tasks)
    running: dict[Future[RangeResult], Task] = {}
    try:
        while True:
            while len(running) < ahead and (task := next(waiting, None)) is not None:
                running[executor.submit(run_task, task)] = task
            if not running:
                return
            finished, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
            tick()
            for future in finished:
                yield running.pop(future), future.result()
    finally:
        for future in running:
            future.cancel()
