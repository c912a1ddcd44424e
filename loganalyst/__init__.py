"""loganalyst reads Kafka broker and client logs and tells what happened to your consumer groups.

The names below are the Python interface; each is imported on first use, so that `import loganalyst`
stays cheap. See `loganalyst.api` for their documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Dataset", "__version__", "ingest", "open"]

if TYPE_CHECKING:
    from loganalyst.api import Dataset, ingest, open


def __getattr__(name: str) -> Any:
    if name in ("Dataset", "ingest", "open"):
        from loganalyst import api

        return getattr(api, name)
    raise AttributeError(f"module 'loganalyst' has no attribute {name!r}")
