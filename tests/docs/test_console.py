"""Every command that the docs show runs, and prints what they show."""

from __future__ import annotations

import difflib
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def load(name: str) -> ModuleType:
    """Import a script of `docs/`, which is no package."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


console = load("console")


@pytest.mark.parametrize("page", console.pages(), ids=lambda page: page.relative_to(console.DOCS).as_posix())
def test_a_page_shows_what_its_commands_print(page: Path, tmp_path: Path) -> None:
    console.prepare(tmp_path)
    text = page.read_text(encoding="utf-8")
    shown = text.splitlines()
    printed = console.rendered(text, tmp_path).splitlines()
    assert printed == shown, "\n".join(difflib.unified_diff(shown, printed, "shown", "printed", lineterm=""))


def test_there_is_a_page_for_every_question() -> None:
    assert len([page for page in console.pages() if page.parent.name == "questions"]) >= 14


def test_a_block_is_cut_into_commands() -> None:
    block = "$ one\noutput\n$ two \\\n> more\n"
    assert list(console.commands(block)) == ["one", "two \\\nmore"]
