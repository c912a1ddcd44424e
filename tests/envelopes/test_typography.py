"""Strange quotes and blanks are undone where a paste put them everywhere, and kept where a name has them."""

from __future__ import annotations

import pytest

from loganalyst.envelopes.typography import is_typeset, plain
from tests.envelopes.reading_of import messages

HEADER = "[2026-12-01 00:00:0{},123] INFO "
LOGGER = " (kafka.coordinator.group.GroupCoordinator)"


def lines(message: str) -> list[str]:
    return [HEADER.format(second) + message + LOGGER for second in range(6)]


@pytest.mark.parametrize("name", ["a\u00a0b", "a\u200bb", "o\u2019brien", "caf\u00e9\u202fnoir"])
def test_a_name_with_a_strange_character_keeps_it_though_it_stands_in_every_line(name: str) -> None:
    message = f"[GroupCoordinator 2]: Group {name} with generation 7 is now empty (__consumer_offsets-3)"
    assert not is_typeset(lines(message))
    assert messages("\n".join(lines(message))) == [message] * 6


@pytest.mark.parametrize(
    ("pasted", "written"),
    [
        ("[2026-12-01\u00a000:00:00,123]\u00a0INFO\u00a0x", "[2026-12-01 00:00:00,123] INFO x"),
        ("00:00:00 INFO \u00a0[main] x", "00:00:00 INFO  [main] x"),
        ("00:00:00 INFO id \u2018a\u2019 and \u201cb\u201d", "00:00:00 INFO id 'a' and \"b\""),
        ("00:00:00 INFO a -&gt; b", "00:00:00 INFO a -> b"),
    ],
)
def test_what_a_paste_did_to_all_lines_is_undone(pasted: str, written: str) -> None:
    assert is_typeset([pasted] * 4)
    assert plain(pasted) == written
