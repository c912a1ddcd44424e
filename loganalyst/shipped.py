"""Where the shipped `parsers/` and `queries/` are: inside the wheel, or at the top of a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """Return the directory of shipped data `folder` (`parsers` or `queries`).

    An installed wheel carries the folder inside the package; a checkout has it beside the package.
    """
    inside = _PACKAGE / folder
    return inside if inside.is_dir() else _PACKAGE.parent / folder
