"""Where the recorded truth lies: real incidents, small cases and the catalogue of known statements.

The collections are laid beside the checkout (`../shared`). A test that needs them must not pass without them,
so `require()` fails with a sentence instead of skipping.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

SHARED = Path(os.environ.get("LOGANALYST_SHARED", Path(__file__).resolve().parents[2] / "shared"))
CORPORA = SHARED / "corpora"
CASES = SHARED / "cases"
CATALOGUE = SHARED / "catalogue"


def require(path: Path) -> Path:
    """Return `path`, or fail and say how to provide the recorded truth."""
    assert path.exists(), (
        f"{path} is missing: lay the recorded truth beside the checkout or set LOGANALYST_SHARED"
    )
    return path


def answers(corpus: str) -> dict[str, Any]:
    """Return the right answers of one recorded incident."""
    loaded: dict[str, Any] = json.loads(require(CORPORA / corpus / "answers.json").read_text())
    return loaded
