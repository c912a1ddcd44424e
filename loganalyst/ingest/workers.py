"""Processes of this machine that run tasks: started clean, renewed at times, gone with their parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import types
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing.connection import wait
from typing import Any

import pyarrow as pa

from loganalyst.ingest.pipeline import RangeResult, Task, read_range

__all__ = ["Workers", "run_task"]

_TASKS_PER_PROCESS = 64
"""After so many tasks a process is replaced, which returns the memory that allocators keep."""

_counter: Any = None


class Workers:
    """A pool of `jobs` processes; `bytes_read` is what all of them have read so far."""

    def __init__(self, jobs: int) -> None:
        """Start nothing yet: processes come with the first tasks."""
        context = multiprocessing.get_context("spawn")
        self._counter = context.Value("Q", 0)
        self._pool = ProcessPoolExecutor(
            jobs,
            mp_context=context,
            initializer=_start,
            initargs=(self._counter,),
            max_tasks_per_child=_TASKS_PER_PROCESS,
        )

    @property
    def executor(self) -> Executor:
        """The standard executor to submit to."""
        return self._pool

    def bytes_read(self) -> int:
        """Return how many bytes the processes have read."""
        return int(self._counter.value)

    def close(self, *, kill: bool = False) -> None:
        """Stop the processes: after the tasks that run, or at once."""
        processes = list((getattr(self._pool, "_processes", None) or {}).values()) if kill else []
        self._pool.shutdown(wait=not kill, cancel_futures=True)
        for process in processes:
            process.kill()
        for process in processes:
            process.join(5)


@contextlib.contextmanager
def main_left_alone() -> Iterator[None]:
    """Keep new processes from running the user's main script again.

    `spawn` imports the main module in the child; a script that calls `ingest` without a `__main__` guard
    would start all over there. Tasks need nothing of it.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def run_task(task: Task) -> RangeResult:
    """Run one task in a worker process."""
    return read_range(task, _count)


def _start(counter: Any) -> None:
    global _counter  # one per process, set once
    _counter = counter
    pa.set_memory_pool(pa.system_memory_pool())  # the default pool keeps 50 MB more
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which tells us
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End this process when its parent is gone, killed or not: an orphan must not go on writing."""
    wait([sentinel])
    os._exit(1)


def _count(read: int) -> None:
    if _counter is not None:
        with _counter.get_lock():
            _counter.value += read
