"""`python -m tests.truth [CORPUS…]`: print the scoreboard, and fail if it is below the stored level."""

from __future__ import annotations

import argparse
import sys

from tests.recorded import CORPORA, require
from tests.truth.board import below, level, played, store


def main() -> int:
    """Play the incidents, print a line for each with the differences below it."""
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description=__doc__)
    parser.add_argument("corpora", nargs="*", help="incidents to play (default: all)")
    parser.add_argument("--logs", choices=("all", "clients", "brokers"), action="append")
    parser.add_argument("--verbose", action="store_true", help="name every difference")
    parser.add_argument("--store", action="store_true", help="make this the level that must not be lost")
    options = parser.parse_args()
    corpora = options.corpora or sorted(path.name for path in require(CORPORA).iterdir() if path.is_dir())
    board = {}
    for key, scores in played(corpora, options.logs or ["all", "clients", "brokers"]):
        board[key] = scores
        print(f"{key:28}", *(f"{name} {score}" for name, score in scores.items()), sep="  ", flush=True)
        if options.verbose:
            for name, score in scores.items():
                for note in score.notes:
                    print(f"    {name}: {note}")
    if options.store:
        store(board)
        return 0
    lost = below(board, level())
    for line in lost:
        print(line, file=sys.stderr)
    return 1 if lost else 0


sys.exit(main())
