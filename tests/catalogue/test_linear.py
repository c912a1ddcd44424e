"""Matching takes time in proportion to the text, whatever the text is."""

from __future__ import annotations

import time

import pytest

from loganalyst.catalogue import Catalogue
from loganalyst.catalogue.ambiguity import SAMPLES
from loganalyst.catalogue.template import parse

NANOSECONDS_A_CHARACTER = 1000.0
"""Measured: 10 to 40 on an idle core. Quadratic time at this length would be a thousand times that."""


def near_miss(template: str, length: int) -> str:
    """Fill each free hole with endless beginnings of what must follow it, and break the end off."""
    pieces = parse(template)
    text = ""
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            text += piece
        elif piece.type in SAMPLES and piece.type not in ("member", "node"):
            text += SAMPLES[piece.type]
        else:
            following = "".join(
                later if isinstance(later, str) else SAMPLES.get(later.type, "Xx")
                for later in pieces[index + 1 :]
            )[:40]
            filler = following[:-1] or " x"
            text += (filler * (length // len(filler) + 1))[:length]
    return text + "\x00"


def seconds(match: object, text: str) -> float:
    assert callable(match)
    best = float("inf")
    for _ in range(2):
        before = time.process_time()
        match(text)
        best = min(best, time.process_time() - before)
    return best


def test_no_wording_is_slow_on_its_own_near_miss(catalogue: Catalogue) -> None:
    slow = []
    for number in range(len(catalogue.matcher.rows)):
        wording = catalogue.matcher.wording(number)
        text = near_miss(wording.template, 20_000)
        if (
            seconds(lambda text, wording=wording: wording.match(text, 0), text)
            > len(text) * NANOSECONDS_A_CHARACTER / 1e9
        ):
            slow.append(wording.template)
    assert slow == []


@pytest.mark.parametrize(
    "filler",
    [
        "a",
        " ",
        "(",
        "-1",
        "]",
        "\n",
        "\n\tat ",
        ": ",
        "[Consumer clientId=",
        "groupId=x] ",
        "Generation{generationId=",
        "in state Stable with old generation ",
        " (id: 1 rack: ",
        "0b1e6f70-2f0d-4b53-9d0a-8f3f4a5c6d7e",
    ],
)
def test_a_megabyte_of_anything_is_read_in_linear_time(catalogue: Catalogue, filler: str) -> None:
    start = "[GroupCoordinator 1]: Preparing to rebalance group "
    for text in (filler * (1_000_000 // len(filler)), start + filler * (1_000_000 // len(filler))):
        assert seconds(catalogue.match, text) < len(text) * NANOSECONDS_A_CHARACTER / 1e9
