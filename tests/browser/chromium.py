"""Where the browser of these tests comes from: the Chromium of the system, or the one of Playwright.

Playwright (from PyPI) drives it. No test passes, and none is skipped, without a browser.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = (
    "no Chromium was found: `apt-get install chromium`, or `playwright install chromium`, "
    "or set LOGANALYST_CHROMIUM to one"
)


def launch(playwright: Playwright) -> Browser:
    """Start a headless Chromium, or fail and say how to get one."""
    own = playwright.chromium.executable_path
    found = os.environ.get("LOGANALYST_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    assert found or Path(own).exists(), MISSING
    # A sandbox inside a container of root has no user namespace to live in; the pages are ours.
    return playwright.chromium.launch(executable_path=found or own, args=["--no-sandbox"])
