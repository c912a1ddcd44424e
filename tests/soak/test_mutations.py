"""No damaged line breaks the reading, none is lost from the account, and its neighbours are unharmed.

`LOGANALYST_MUTATIONS` and `LOGANALYST_CUTS` set how many lines are mutated and how many ways to cut a text
into chunks are tried, `LOGANALYST_SEED` where to begin (the soak: 100,000 and 1,000).
"""

from __future__ import annotations

import os
import random
import re
import time

from tests.soak.mutations import adds_up, blocks, mutated, read, stretch

MUTATIONS = int(os.environ.get("LOGANALYST_MUTATIONS", "600"))
CUTS = int(os.environ.get("LOGANALYST_CUTS", "12"))
DECORATION = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\x00")  # colours and NULs, which the reader takes off
SEED = int(os.environ.get("LOGANALYST_SEED", "0"))


def test_damaged_lines_harm_nobody_but_themselves() -> None:
    done, seed, slowest = 0, SEED, 0.0
    while done < MUTATIONS:
        chance = random.Random(seed)
        name, lines = stretch(chance)
        damaged = {at for at in range(1, len(lines) - 1) if chance.random() < 0.34}
        text = [mutated(line, chance) if at in damaged else line for at, line in enumerate(lines)]
        head = b"\n".join(lines)
        whole = read(name, [head + b"\n"], head)
        began = time.perf_counter()
        after = read(name, [b"\n".join(text) + b"\n"], head)
        slowest = max(slowest, time.perf_counter() - began)
        assert adds_up(after.counts), f"seed {seed} of {name}"
        assert after.counts.lines == len(lines), f"seed {seed} of {name}"
        # A damaged line may end up in the record above it: only events far from damage must be the same.
        far = {at + 1 for at in range(len(lines)) if not {at, at + 1} & damaged}
        expected = [event for event in whole.events if event[0] in far and "\n" not in event[2]]
        found = [event for event in after.events if event[0] in far]
        missing = [event for event in expected if event not in found]
        assert not missing, f"seed {seed} of {name}: {missing[:2]}"
        done += len(damaged)
        seed += 1
    assert slowest < 20


def test_where_a_text_is_cut_into_chunks_changes_nothing() -> None:
    for seed in range(SEED, SEED + CUTS):
        chance = random.Random(seed)
        name, lines = stretch(chance)
        data = b"\n".join(lines) + chance.choice([b"\n", b""])
        cuts = [chance.randrange(len(data) + 1) for _ in range(chance.randint(1, 40))]
        one = read(name, [data], data)
        many = read(name, list(blocks(data, cuts)), data)
        assert many.events == one.events, f"seed {seed} of {name}"
        assert many.counts == one.counts, f"seed {seed} of {name}"
        assert read(name, [data], data, coarse=False).events == one.events, f"seed {seed} of {name}"


def test_every_event_holds_the_text_of_its_line() -> None:
    for seed in range(SEED, SEED + max(CUTS // 3, 1)):
        chance = random.Random(seed)
        name, lines = stretch(chance)
        text = [mutated(line, chance) if chance.random() < 0.2 else line for line in lines]
        for line, _, message in read(name, [b"\n".join(text)], b"\n".join(lines)).events:
            first = message.split("\n", 1)[0].strip()
            words = max(
                re.split(r'[^ -~]|["\\]', first), key=len
            )  # bytes that are no UTF-8 may be read as Latin-1
            stands = DECORATION.sub("", text[line - 1].decode("utf-8", "replace"))
            assert words in stands, f"seed {seed} of {name}, line {line}: {words!r} is not in {stands!r}"
