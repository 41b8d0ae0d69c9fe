"""A viser server for this machine alone: bound to 127.0.0.1, closed to other pages, nothing to share."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gough.errors import InputError
from gough.view.browser.guard import guarded

HOST = "127.0.0.1"


def start(port: int | None, label: str) -> Any:
    """A running server on `port`, or on any that is free.

    Raises:
        InputError: viser is not installed, or the port is taken.
    """
    try:
        import viser
    except ImportError:
        raise InputError("view: needs the package viser; pip install 'gough[view]'") from None
    chosen = free_port() if port is None else port
    if port is not None and not _is_free(port):
        raise InputError(f"--port {port}: is taken by another program; name another, or leave it out")
    with _quiet(), guarded(f"viser-v{viser.__version__}"):
        server = viser.ViserServer(host=HOST, port=chosen, label=label, verbose=False)
    server.gui.configure_theme(show_share_button=False, show_logo=False, brand_color=(11, 92, 138))
    server.gui.main_panel.dock_right()
    return server


def stop(server: Any) -> None:
    """Stop a server."""
    with _quiet():
        server.stop()


@contextmanager
def _quiet() -> Iterator[None]:
    """Without viser's own words on standard output, where a command's output goes."""
    from rich import get_console

    console = get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def free_port() -> int:
    """A port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            return False
    return True
