"""The notebook runs from top to bottom, and shows a picture, a plot and a viewer inside the page."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[2] / "examples" / "notebook.ipynb"


def test_it_is_kept_without_outputs():
    assert not any(cell.get("outputs") for cell in nbformat.read(NOTEBOOK, 4).cells)


@pytest.mark.slow
def test_it_runs_and_shows_what_it_promises(tmp_path):
    notebook = nbformat.read(NOTEBOOK, 4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    html = [data["text/html"] for data in shown if "text/html" in data]
    assert "data:image/png;base64" in html[0]  # the robot's drawing
    assert any(text.startswith("<iframe srcdoc=") and len(text) > 1e5 for text in html)  # the viewer
    assert any("image/png" in data for data in shown)  # the plot of a design
    printed = "".join(o.get("text", "") for cell in notebook.cells for o in cell.get("outputs", []))
    assert "violated: force" in printed
    assert "times the amplitude would fit" in printed
