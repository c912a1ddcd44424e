"""`python -m tests.truth [CORPUS…]`: print the scoreboard, and fail if it is below the stored level."""

from __future__ import annotations

import argparse
import sys

from tests.recorded import CORPORA, require
from tests.truth.board import below, level, played, store
from tests.truth.incidents import LOGS


def say(line: str) -> None:
    """Print a line at once: an incident takes some seconds."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Play the incidents, print a line for each with the differences below it."""
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=__doc__)
    parser.add_argument("corpora", nargs="*", help="incidents to play (default: all)")
    parser.add_argument("--logs", choices=tuple(LOGS), action="append")
    parser.add_argument("--verbose", action="store_true", help="name every difference")
    parser.add_argument("--store", action="store_true", help="make this the level that must not be lost")
    options = parser.parse_args()
    corpora = options.corpora or sorted(path.name for path in require(CORPORA).iterdir() if path.is_dir())
    board = {}
    for key, scores in played(corpora, options.logs or list(LOGS)):
        board[key] = scores
        if options.store:
            store({key: scores})
        say("  ".join([f"{key:28}", *(f"{name} {score}" for name, score in scores.items())]))
        if options.verbose:
            for name, score in scores.items():
                for note in score.notes:
                    say(f"    {name}: {note}")
    if options.store:
        return 0
    lost = below(board, level())
    for line in lost:
        say(line)
    return 1 if lost else 0


sys.exit(main())
