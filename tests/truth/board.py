"""Playing incidents, and the level: the scoreboard as it was when it was last stored."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.recorded import answers
from tests.truth.compared import COMPARED
from tests.truth.incidents import ingested, opened
from tests.truth.score import Score

LEVEL = Path(__file__).with_name("level.toml")
Board = dict[str, dict[str, Score]]
Level = dict[str, dict[str, list[int]]]


def played(corpora: Iterable[str], logs: Iterable[str]) -> Iterator[tuple[str, dict[str, Score]]]:
    """Play incidents with each choice of logs; yield `corpus:logs` and its scores."""
    chosen = list(logs)
    for corpus in corpora:
        truth = answers(corpus)
        with ingested(corpus) as dataset:
            for part in chosen:
                with opened(dataset, part) as connection:
                    scores = {name: score(connection, truth, part) for name, score in COMPARED.items()}
                yield f"{corpus}:{part}", scores


def level() -> Level:
    """Read the stored level: for each `corpus:logs` and column `[right, wrong]`."""
    loaded: Level = tomllib.loads(LEVEL.read_text(encoding="utf-8"))
    return loaded


def store(board: Board) -> None:
    """Write the level; what was not played keeps its former one."""
    kept = level() if LEVEL.exists() else {}
    kept |= {
        key: {name: [it.right, it.wrong] for name, it in scores.items()} for key, scores in board.items()
    }
    lines = [
        "# Right and wrong answers of each recorded incident, written by `python -m tests.truth --store`."
    ]
    for key in sorted(kept):
        lines += ["", f'["{key}"]', *(f"{name} = {counts}" for name, counts in kept[key].items())]
    LEVEL.write_text("\n".join(lines) + "\n", encoding="utf-8")


def below(board: Board, stored: Level) -> list[str]:
    """Say where a score is worse than the stored level: fewer right answers, or more wrong ones."""
    lost = []
    for key, scores in board.items():
        for name, score in scores.items():
            right, wrong = stored.get(key, {}).get(name, [score.expected, 0])
            if score.right < right or score.wrong > wrong:
                lost.append(
                    f"{key} {name}: {score.right} right and {score.wrong} wrong, was {right} and {wrong}: "
                    + "; ".join(score.notes[:5])
                )
    return lost
