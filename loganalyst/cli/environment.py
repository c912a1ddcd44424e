"""`--version`: what a bug report needs to know about this installation."""

from __future__ import annotations

import platform
from importlib import metadata

from loganalyst import __version__

LIBRARIES = ("duckdb", "polars", "pyarrow", "deltalake", "click", "rich")
EXTRAS = ("great-expectations", "distributed", "harlequin", "prompt-toolkit")


def environment() -> str:
    """Return the versions of loganalyst, Python, the system and the libraries, without importing those."""
    lines = [
        f"loganalyst {__version__}",
        f"python {platform.python_version()} ({platform.python_implementation()})",
        f"system {platform.system()} {platform.release()} {platform.machine()}",
    ]
    lines += [f"{name} {_version(name) or 'missing'}" for name in LIBRARIES]
    lines += [f"{name} {version}" for name in EXTRAS if (version := _version(name))]
    return "\n".join(lines)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
