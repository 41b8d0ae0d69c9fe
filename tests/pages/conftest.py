"""A real Chromium for pages, and a record of what they asked for and complained of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

FLAGS = (
    "--no-sandbox --disable-gpu --enable-unsafe-swiftshader --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update"
).split()
PATIENCE = 120_000
"""Milliseconds: software WebGL on a busy machine is slow."""


@dataclass
class Visit:
    """A page, the addresses it asked for, and its errors."""

    page: Any
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def outside(self, *allowed: str) -> list[str]:
        """Requests to anywhere but `allowed` and the page itself."""
        inside = ("data:", "blob:", *allowed)
        return [url for url in self.requests if not url.startswith(inside)]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs the package playwright")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def visit(browser: Any) -> Iterator[Visit]:
    page = browser.new_page(viewport={"width": 420, "height": 320})
    page.set_default_timeout(PATIENCE)
    found = Visit(page)
    page.on("request", lambda request: found.requests.append(request.url))
    page.on("websocket", lambda socket: found.requests.append(socket.url))
    page.on("console", lambda message: found.errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    yield found
    page.close()
