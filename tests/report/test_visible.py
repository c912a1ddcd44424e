"""Nothing from a log can move a cursor, hide, reorder or forge text on a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loganalyst.report.visible import visible


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\x1b]8;;http://evil\x1b\\link", "\\x1b]8;;http://evil\\x1b\\link"),
        ("\x1b]52;c;cm0gLXJm\x07", "\\x1b]52;c;cm0gLXJm\\x07"),
        ("orders\rOK", "orders\\rOK"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\u2066x\u2069", "\\u2066x\\u2069"),
        ("\x9b2J", "\\x9b2J"),
        ("\x7f", "\\x7f"),
        ("a\u2028b", "a\\u2028b"),
        ("or\u200bders", "or\\u200bders"),
        ("orders\u200d", "orders\\u200d"),
        ("\ufefforders", "\\ufefforders"),
        ("tag\U000e0041", "tag\\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_written_out(hostile: str, shown: str) -> None:
    assert visible(hostile) == shown


@pytest.mark.parametrize("text", ["orders-service", "größe", "注文サービス", "👩‍🚀", "☁️", "می‌خواهم", "🏳️‍🌈"])
def test_ordinary_words_of_any_script_stay_as_they_are(text: str) -> None:
    assert visible(text) == text


def test_wanted_line_breaks_are_kept() -> None:
    assert visible("a\nb\x1b", keep="\n") == "a\nb\\x1b"


@given(st.text())
def test_no_control_character_survives(text: str) -> None:
    shown = visible(text)
    assert not [c for c in shown if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")]
    assert not [
        c
        for c in shown
        if unicodedata.bidirectional(c) in ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
    ]
    assert visible(shown) == shown
