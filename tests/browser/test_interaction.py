"""What a reader does with the page: hover, click, zoom, filter, sort, with a mouse and without one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.conftest import Open, Opened

Sample = Callable[[str], Path]

FOCUSED = """
(() => {
  const at = document.activeElement;
  const part = at.closest("nav, .zoom, .chart, th, .filter, summary, .scroll");
  return [(part || at).tagName + "." + at.className, getComputedStyle(at).outlineStyle];
})()
"""


@pytest.fixture
def report(sample: Sample, open_page: Open) -> Opened:
    opened = open_page(sample("one-step-4.1.0"))
    opened.draw()
    return opened


def refused(report: Opened) -> Locator:
    return report.page.locator(".chart [aria-label*='kind: refused'][aria-label*='orders-5f6b7-p2c4d']").last


def shown(report: Opened) -> tuple[int, int]:
    """Return the time that the picture shows, in epoch ms."""
    place = report.page.locator(".chart").first
    return int(place.get_attribute("data-from") or 0), int(place.get_attribute("data-to") or 0)


def test_hovering_over_a_mark_tells_what_it_is(report: Opened) -> None:
    refused(report).hover()
    tooltip = report.page.locator("#vg-tooltip-element")
    tooltip.wait_for(state="visible")
    told = tooltip.inner_text()
    assert "orders-5f6b7-p2c4d" in told and "INCONSISTENT_GROUP_PROTOCOL" in told
    assert "00:23:4" in told


def test_a_click_on_a_mark_shows_its_log_lines(report: Opened) -> None:
    behind = report.page.locator("#behind")
    assert not behind.is_visible()
    refused(report).click()
    assert "orders-5f6b7-p2c4d.log:126" in behind.inner_text()
    assert "JoinGroup failed" in behind.inner_text()
    report.page.keyboard.press("Escape")
    assert not behind.is_visible()
    refused(report).click()
    behind.get_by_role("button", name="Close").click()
    assert not behind.is_visible()


def test_dragging_zooms_and_a_double_click_shows_all_again(report: Opened) -> None:
    mark = report.page.locator(".chart [aria-label*='members: 4;']").first
    box = mark.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    report.page.mouse.move(box["x"] + 2, middle)
    report.page.mouse.down()
    report.page.mouse.move(box["x"] + box["width"] - 2, middle, steps=5)
    report.page.mouse.up()
    start, end = shown(report)
    assert 5_000 < end - start < 8_000
    wide = mark.bounding_box()
    assert wide and wide["width"] > box["width"] * 5
    report.page.locator(".chart").first.dblclick(position={"x": 400, "y": 60})
    start, end = shown(report)
    assert end - start > 90_000


def test_buttons_and_keys_zoom_as_well(report: Opened) -> None:
    report.page.get_by_role("button", name="Zoom in").first.click()
    start, end = shown(report)
    report.page.get_by_role("button", name="Earlier").first.click()
    assert shown(report)[0] < start
    report.page.locator(".chart").first.focus()
    report.page.keyboard.press("+")
    assert (shown(report)[1] - shown(report)[0]) * 2 == pytest.approx(end - start, abs=4)
    before = shown(report)
    report.page.keyboard.press("ArrowRight")
    assert shown(report)[0] > before[0]
    report.page.keyboard.press("Home")
    assert shown(report)[1] - shown(report)[0] > 90_000
    assert report.complaints() == []


def visible_rows(report: Opened) -> list[str]:
    return [row.inner_text() for row in report.page.locator("#rebalances tbody tr:visible").all()]


def test_the_table_filters_by_words(report: Opened) -> None:
    every = len(visible_rows(report))
    words = report.page.get_by_label("Show rows that contain").last
    words.fill("member left 7c9d8-bq2xz")
    assert 1 <= len(visible_rows(report)) < every
    assert all("bq2xz" in row and "member left" in row for row in visible_rows(report))
    assert f"of {every} rows" in report.page.locator(".filter [role=status]").last.inner_text()
    words.fill("nothing of the kind")
    assert visible_rows(report) == []
    words.fill("")
    assert len(visible_rows(report)) == every


def test_the_table_sorts_by_value_and_not_by_text(report: Opened) -> None:
    took = report.page.get_by_role("button", name="took")
    cells = report.page.locator("#rebalances td.n[data-key$='.0']")

    def values() -> list[float]:
        return [float(cell.get_attribute("data-key") or 0) for cell in cells.all()]

    took.click()
    assert values() == sorted(values())
    took.click()
    assert values() == sorted(values(), reverse=True)
    assert report.page.locator("th[aria-sort=descending]").inner_text().startswith("took")


def test_everything_can_be_reached_and_used_with_the_keyboard(report: Opened) -> None:
    reached = set()
    for _ in range(60):
        report.page.keyboard.press("Tab")
        name, outline = report.page.evaluate(FOCUSED)
        assert outline != "none" or name == "BODY.", f"nothing shows that {name} has the focus"
        reached.add(name)
    kinds = {name.split(".")[0] for name in reached}
    assert {"NAV", "SUMMARY", "DIV", "TH", "P"} <= kinds
    assert any(name.startswith("DIV.chart") for name in reached)
    summary = report.page.locator("article summary").first
    summary.focus()
    report.page.keyboard.press("Enter")
    assert report.page.locator("article .evidence").first.is_visible()
    head = report.page.locator("#rebalances th button").first
    head.focus()
    report.page.keyboard.press("Enter")
    assert report.page.locator("#rebalances th[aria-sort]").count() == 1
