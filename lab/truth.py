"""What was done, with its time: `truth.jsonl`, one JSON object a line, `t` in epoch milliseconds."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any


class Truth:
    """Appends to `truth.jsonl`; safe to call from the threads that watch pods."""

    def __init__(self, path: Path, *, quiet: bool = False) -> None:
        """Write to `path`; with `quiet` nothing is shown on the terminal."""
        self.path = path
        self.quiet = quiet
        self._lock = threading.Lock()

    def __call__(self, what: str, **facts: Any) -> None:
        """Write down that `what` happened now."""
        row = {"t": int(time.time() * 1000), "what": what, **facts}
        with self._lock, self.path.open("a") as sink:
            sink.write(json.dumps(row) + "\n")
        if not self.quiet:
            print(time.strftime("%H:%M:%S"), what, *(f"{k}={v}" for k, v in facts.items()), file=sys.stderr)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a truth file; an absent file has none."""
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines()]
