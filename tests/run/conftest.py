"""No test of programs touches the user's cache."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiles afresh unless a test names a folder."""
    monkeypatch.setenv("GOUGH_CACHE", "")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a cache that the test has to itself; it is not made yet."""
    place = tmp_path / "cache"
    monkeypatch.setenv("GOUGH_CACHE", str(place))
    return place
