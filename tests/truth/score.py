"""What is counted: expected answers, answers given, right ones and wrong ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Score:
    """Of `expected` answers `right` were given, and `wrong` ones besides. `notes` name the differences."""

    expected: int = 0
    right: int = 0
    wrong: int = 0
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.right}/{self.expected}" + (f" +{self.wrong}!" if self.wrong else "")

    @property
    def perfect(self) -> bool:
        return self.right == self.expected and not self.wrong


def compare(expected: Iterable[Hashable], given: Iterable[Hashable]) -> Score:
    """Compare two bags of answers: an answer given twice and expected once is wrong once."""
    left = list(given)
    score = Score()
    for answer in expected:
        score.expected += 1
        if answer in left:
            left.remove(answer)
            score.right += 1
        else:
            score.notes.append(f"missing {answer}")
    score.wrong = len(left)
    score.notes.extend(f"wrong {answer}" for answer in left)
    return score
