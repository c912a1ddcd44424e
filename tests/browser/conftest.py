"""A headless Chromium, and reports opened in it from files, with no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import loganalyst
from loganalyst.cli import run
from loganalyst.report.collect import collect
from loganalyst.report.html import html_lines
from tests.browser.chromium import launch
from tests.report.scenes import Scene

SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"

WATCH = """
window.violations = [];
const note = (event) => window.violations.push(event.violatedDirective);
document.addEventListener("securitypolicyviolation", note);
"""


@dataclass
class Opened:
    """A report in the browser, and all it did that it should not."""

    page: Page
    said: list[str] = field(default_factory=list)
    asked_for: list[str] = field(default_factory=list)

    def draw(self) -> None:
        """Bring every picture near the window and wait until all are drawn."""
        for place in self.page.locator(".chart").all():
            place.scroll_into_view_if_needed()
        expect(self.page.locator(".chart:not([data-drawn])")).to_have_count(0, timeout=30_000)

    def complaints(self) -> list[str]:
        """Return messages on the console, errors, dialogs, violations of the policy, requests."""
        return [*self.said, *self.page.evaluate("window.violations"), *self.asked_for[1:]]


Open = Callable[..., Opened]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = launch(playwright)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Open]:
    """Return a function that opens a file as a user does, offline."""
    contexts = []

    def opened(file: Path, *, height: int = 900, **options: Any) -> Opened:
        context = browser.new_context(viewport={"width": 1200, "height": height}, offline=True, **options)
        contexts.append(context)
        context.add_init_script(WATCH)
        report = Opened(context.new_page())
        report.page.on("console", lambda message: report.said.append(f"{message.type}: {message.text}"))
        report.page.on("pageerror", lambda error: report.said.append(str(error)))
        report.page.on("request", lambda request: report.asked_for.append(request.url))

        def refuse(dialog: Any) -> None:
            report.said.append(f"dialog: {dialog.message}")
            with suppress(Exception):
                dialog.dismiss()

        report.page.on("dialog", refuse)
        report.page.goto(file.as_uri())
        return report

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a function that gives the page of a sample incident."""
    folder = tmp_path_factory.mktemp("pages")

    def page(name: str) -> Path:
        file = folder / f"{name}.html"
        if not file.exists():
            out = str(folder / f"{name}.txt")
            assert run(["analyze", str(SAMPLES / name / "logs"), "--html", str(file), "-o", out]) == 0
        return file

    return page


def write_page(scene: Scene, file: Path) -> Path:
    """Write the page of hand-made rows."""
    report = collect(scene.fetch, dataset="incident")
    file.write_text("\n".join(html_lines(report, scene.fetch)), encoding="utf-8")
    return file


def ingest_page(logs: Path, folder: Path, name: str = "incident") -> Path:
    """Write the page of log files; the dataset is shown as `name`."""
    loganalyst.ingest([str(logs)], into=folder / "dataset")
    with loganalyst.open(folder / "dataset") as dataset:
        dataset.name = name
        report = dataset.report()
        from loganalyst.report.rows import dicts

        page = folder / "page.html"
        page.write_text("\n".join(html_lines(report, lambda sql: dicts(dataset.sql(sql)))), encoding="utf-8")
    return page
