"""No test of programs touches the user's cache."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiles afresh unless a test names a folder."""
    monkeypatch.setenv("GOUGH_CACHE", "")
