"""Tables fit the terminal, whatever stands in them."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from loganalyst.report.rows import rows_of
from loganalyst.report.table import table_lines, wrap


def table(rows: list[dict[str, object]], width: int = 80) -> list[str]:
    return list(table_lines(rows_of(rows), width))


def test_numbers_stand_right_text_left_and_null_is_shown() -> None:
    assert table([{"group_id": "orders", "members": 6}, {"group_id": None, "members": 12}]) == [
        "group_id  members",
        "────────  ───────",
        "orders          6",
        "NULL           12",
    ]


def test_times_break_between_day_and_hour() -> None:
    at = datetime(2026, 12, 1, 0, 29, 43, 97000, tzinfo=UTC)
    assert table([{"started_at": at, "n": 1}])[2] == "2026-12-01 00:29:43.097  1"
    narrow = table([{f"started_{n}": at for n in range(5)}], 70)
    assert narrow[2].split() == ["2026-12-01"] * 5 and narrow[3].split() == ["00:29:43.097"] * 5


def test_wide_characters_count_as_two_cells() -> None:
    assert table([{"g": "注文", "n": 1}, {"g": "ab", "n": 2}])[2:] == ["注文  1", "ab    2"]


def test_long_cells_are_wrapped_not_cut() -> None:
    lines = table([{"pod": "orders", "reason": "word " * 30}], 60)
    assert all(cell_len(line) <= 60 for line in lines)
    assert " ".join(lines).count("word") == 30


def test_many_columns_become_one_block_a_row() -> None:
    lines = table([{f"column_{n}": n for n in range(12)}])
    assert lines[0].startswith("── 1 ─")
    assert lines[1:3] == ["column_0   0", "column_1   1"]


def test_evidence_reads_as_file_and_line() -> None:
    evidence = [{"source": "broker.log", "line": 7, "ts": None, "message": "Preparing \x1b[2J"}]
    lines = table([{f"c{n}": "x" * 20 for n in range(6)} | {"evidence": evidence}])
    assert "evidence  broker.log:7 Preparing \\x1b[2J" in lines


@settings(max_examples=80, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6), st.integers(30, 100))
def test_no_line_is_wider_than_the_terminal(cells: list[str], width: int) -> None:
    cells = [cell.encode("utf-8", "replace").decode() for cell in cells]
    for line in table([{"a": cell, "b": cell} for cell in cells], width):
        assert cell_len(line) <= width
        assert "\x1b" not in line


def test_a_grapheme_is_never_broken() -> None:
    family = "👩\u200d🚀"
    assert all(part.replace(family, "") in ("", "ab") for part in wrap("ab" + family * 10, 5))
