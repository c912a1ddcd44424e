"""The notebook of the docs runs from its first cell to its last, and finds what the incident is about."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "docs" / "incident.ipynb"


def test_the_notebook_runs_and_shows_what_happened() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are made by the build"
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    printed = "\n".join(str(cell.get("outputs")) for cell in notebook.cells)
    assert "shrank 6, 5, 4, 3, 2, 1 and came back" in printed
    assert "<svg" in printed
    assert "orders-7c9d8-fh7vn" in printed
