"""Keeps the compiled catalogue in the user's cache folder: reading TOML takes a third of a second, JSON a few
ms.

The cached form is plain JSON named after a hash of all files it was made from, so it can neither be stale nor
run anything. Where no cache folder can be written, the files are read each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from loganalyst.catalogue.compiled import Compiled

FORMAT = 5
"""Counted up when the compiled form changes."""

_KEEP = 4


def load_compiled(paths: Sequence[Path]) -> Compiled:
    """Return the compiled form of catalogue files, from the cache if these very files were compiled before.

    Raises `CatalogueError` where a file is not right.
    """
    folder = cache_folder()
    cached = None if folder is None else folder / f"catalogue-{_fingerprint(paths)}.json"
    if cached is not None:
        with contextlib.suppress(OSError, ValueError):
            compiled: Compiled = json.loads(cached.read_bytes())
            return compiled
    # Imported here: a warm start needs no TOML reader and no compiler.
    from loganalyst.catalogue.compiled import compile_files
    from loganalyst.catalogue.files import read_files

    compiled = compile_files(read_files(paths))
    if cached is not None:
        _write(cached, compiled)
    return compiled


def cache_folder() -> Path | None:
    """Where the user's programs keep what they can make again, or `None` if there is no home."""
    named = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if os.name == "nt" else None)
    if named:
        return Path(named) / "loganalyst"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "loganalyst"


def _fingerprint(paths: Sequence[Path]) -> str:
    digest = hashlib.blake2b(str(FORMAT).encode(), digest_size=16)
    for path in paths:
        with contextlib.suppress(OSError):  # whoever reads the files says what is wrong with it
            content = path.read_bytes()
            digest.update(f"\0{path}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def _write(cached: Path, compiled: Compiled) -> None:
    """Write through a temporary file, so that no reader sees half of it; failing to cache is no failure."""
    with contextlib.suppress(OSError):
        cached.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = cached.with_suffix(f".{os.getpid()}.tmp")
        beside.write_text(json.dumps(compiled, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
        beside.replace(cached)
        older = sorted(cached.parent.glob("catalogue-*.json"), key=lambda path: path.stat().st_mtime)
        for path in older[:-_KEEP]:
            path.unlink(missing_ok=True)
