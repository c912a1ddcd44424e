"""Large reports stay small enough to send and quick enough to read, and say what they left out."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.browser.conftest import Open, write_page
from tests.report.crowd import many_groups

GROUPS, PODS = 500, 40


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    return write_page(many_groups(GROUPS, rebalances=40), folder / "large.html")


def test_five_hundred_groups_stay_below_three_megabytes(large: Path) -> None:
    assert 1_500_000 < large.stat().st_size < 3_000_000


def test_five_hundred_groups_stay_usable(large: Path, open_page: Open) -> None:
    started = time.monotonic()
    opened = open_page(large)
    opened.page.locator(".chart").first.scroll_into_view_if_needed()
    opened.page.locator(".chart[data-drawn]").first.wait_for(timeout=20_000)
    assert time.monotonic() - started < 15
    assert opened.page.locator("#groups-table tbody tr").count() == GROUPS
    opened.page.get_by_label("Show rows that contain").first.fill("group-123")
    assert opened.page.locator("#groups-table tbody tr:visible").count() == 1
    assert opened.complaints() == []


def test_what_was_left_out_is_said(large: Path, open_page: Open) -> None:
    told = open_page(large).page.locator("main").inner_text()
    assert "440 groups not drawn" in told
    assert "longest of 20,000" in told
    assert "of 20,000" in told


def test_above_twenty_thousand_marks_the_picture_is_sampled(tmp_path: Path, open_page: Open) -> None:
    scene = many_groups(3, rebalances=200, pods=PODS)
    file = write_page(scene, tmp_path / "marks.html")
    assert file.stat().st_size < 3_000_000
    opened = open_page(file, height=1200)
    opened.page.locator(".chart[data-drawn]").first.wait_for(timeout=60_000)
    told = opened.page.locator("main").inner_text()
    assert "marks of this group are left out" in told and "20,000" in told
    drawn = opened.page.evaluate(
        "[...document.querySelectorAll('script[type=\"application/json\"]')]"
        ".map((part) => JSON.parse(part.textContent))"
        ".reduce((all, picture) => all + picture.marks.length + picture.owners.length, 0)"
    )
    assert 10_000 < drawn <= 20_200
