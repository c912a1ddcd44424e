"""What runs the parsing: processes of this machine, or a Dask cluster."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

from loganalyst.errors import UsageError

__all__ = ["engine_of"]


@contextlib.contextmanager
def engine_of(
    engine: str, *, jobs: int | None = None, scheduler: str | None = None
) -> Iterator[Executor | None]:
    """Give the executor of an engine; None for `local`, which makes its own processes when they pay.

    `dask` uses the cluster at `scheduler`, or starts one of `jobs` processes here. Raises `UsageError` for
    another name, for a scheduler without `dask`, and where Dask is not installed or not reached.
    """
    if engine == "local":
        if scheduler is not None:
            raise UsageError("--scheduler goes with --engine dask")
        yield None
        return
    if engine != "dask":
        raise UsageError(f"no engine {engine!r}; there are: local, dask")
    try:
        # Dask has no types; what it gives is a standard executor.
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("--engine dask needs Dask: pip install 'loganalyst[cluster]'") from error
    with contextlib.ExitStack() as stack:
        if scheduler is None:
            cluster = distributed.LocalCluster(
                n_workers=jobs or os.cpu_count() or 1, threads_per_worker=1, dashboard_address=None
            )
            client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        else:
            try:
                client = stack.enter_context(distributed.Client(scheduler, timeout="10s"))
            except (OSError, ValueError) as error:
                raise UsageError(f"no Dask scheduler at {scheduler}: {error}") from error
        yield client.get_executor()
