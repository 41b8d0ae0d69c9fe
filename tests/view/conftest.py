"""Fixtures of drawings."""

import pytest


@pytest.fixture
def coarse(monkeypatch):
    """Drawings with one sample per pixel, quicker."""
    monkeypatch.setattr("gough.view.drawing.raster.FINER", 1)
    monkeypatch.setattr("gough.view.drawing.draw.FINER", 1)
