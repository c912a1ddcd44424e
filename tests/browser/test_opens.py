"""The page opens without a word on the console, in both themes, and everybody can read it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import SAMPLES, Open

Sample = Callable[[str], Path]


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir() if path.is_dir()))
def test_every_sample_opens_offline_without_a_complaint(name: str, sample: Sample, open_page: Open) -> None:
    file = sample(name)
    opened = open_page(file)
    opened.draw()
    assert opened.page.locator(".chart svg").count() == opened.page.locator(".chart").count() > 0
    assert opened.complaints() == []
    assert file.stat().st_size < 3_000_000


def test_every_picture_shows_members(sample: Sample, open_page: Open) -> None:
    """Also those of KIP-848 groups, which have epochs in place of generations."""
    opened = open_page(sample("kip848-4.1.0"))
    opened.draw()
    drawn = [
        [mark.get_attribute("aria-label") for mark in place.locator("[aria-label*='members: ']").all()]
        for place in opened.page.locator(".chart").all()
    ]
    counts = [[label.split("members: ")[1].split(";")[0] for label in labels if label] for labels in drawn]
    assert counts[0][:5] == ["1", "2", "3", "2", "3"]
    assert counts[1][-5:] == ["4", "3", "2", "1", "0"]
    boxes = [mark.bounding_box() for mark in opened.page.locator("[aria-label*='members: 3']").all()]
    assert all(box and box["width"] > 5 and box["height"] > 50 for box in boxes)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["one-step-4.1.0", "kip848-4.1.0"])
def test_the_page_is_accessible_in_both_themes(
    name: str, scheme: str, sample: Sample, open_page: Open
) -> None:
    """axe-core finds nothing against WCAG 2.1 AA, contrast included, with all details open."""
    opened = open_page(sample(name), color_scheme=scheme)
    opened.draw()
    opened.page.evaluate("document.querySelectorAll('details').forEach((part) => (part.open = true))")
    tags = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}
    found = Axe().run(opened.page, options=tags)
    assert found.violations_count == 0, found.generate_report()


def test_the_theme_follows_the_reader(sample: Sample, open_page: Open) -> None:
    colours = {}
    for scheme in ("light", "dark"):
        opened = open_page(sample("one-step-4.1.0"), color_scheme=scheme)
        opened.draw()
        colours[scheme] = opened.page.evaluate(
            "[getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('.chart .role-axis-label text')).fill]"
        )
    assert colours["light"] == ["rgb(255, 255, 255)", "rgb(29, 35, 41)"]
    assert colours["dark"] == ["rgb(20, 24, 28)", "rgb(228, 232, 236)"]


def test_a_reader_in_the_dark_prints_black_on_white(sample: Sample, open_page: Open) -> None:
    opened = open_page(sample("one-step-4.1.0"), color_scheme="dark")
    printed = opened.page.pdf()
    assert printed.startswith(b"%PDF") and len(printed) > 20_000
    opened.page.emulate_media(media="print")
    opened.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    opened.draw()
    assert opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not opened.page.locator(".zoom, .filter, nav").first.is_visible()
    assert opened.page.locator("article .evidence").first.is_visible()
    width = opened.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert width <= 0
    opened.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not opened.page.locator("article .evidence").first.is_visible()


def test_it_is_readable_on_a_telephone(sample: Sample, open_page: Open) -> None:
    """Nothing but tables and pictures is wider than the screen, and those scroll by themselves."""
    opened = open_page(sample("one-step-4.1.0"))
    opened.page.set_viewport_size({"width": 390, "height": 800})
    opened.page.reload()
    opened.draw()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= 390
