"""A viser server on 127.0.0.1 that talks only to the pages it served itself."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gough.errors import GoughError, InputError

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


_HERE = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?", re.IGNORECASE)

_LOG = logging.getLogger("gough.view")
_LOG.addHandler(logging.NullHandler())
_LOG.propagate = False
_LOG.setLevel(logging.CRITICAL + 1)  # websockets logs a malformed header as an error; set a level to see such things
_turn = threading.Lock()


def refusal(headers: Any, protocol: str) -> str:
    """Why a request with these headers is refused; nothing if it is not.

    Args:
        headers: Headers of a websockets request.
        protocol: The WebSocket protocol that the viewer's own page requests.
    """
    hosts = headers.get_all("Host")
    if len(hosts) != 1 or not _HERE.fullmatch(hosts[0]):
        return "this is served to its own machine alone"
    origins = headers.get_all("Origin")
    if origins and [origin.lower() for origin in origins] != [f"http://{hosts[0].lower()}"]:
        return "this is not for pages of other origins"
    if any(value.strip().lower() == "websocket" for value in headers.get_all("Upgrade")):
        offered = [name.strip() for value in headers.get_all("Sec-WebSocket-Protocol") for name in value.split(",")]
        if protocol not in offered:
            return f"the page is of another version; reload it ({protocol} is served)"
    return ""


@contextmanager
def guarded(protocol: str) -> Iterator[None]:
    """While a viser server starts: whatever it serves is guarded.

    Raises:
        InputError: The server does not let itself be guarded.
    """
    import websockets.asyncio.server as module

    used = []
    with _turn:
        real = module.serve

        def serve(handler: Any, *arguments: Any, **options: Any) -> Any:
            used.append(True)
            asyncio.get_running_loop().set_exception_handler(_note)
            options["process_request"] = _asked(options.get("process_request"), protocol)
            options["logger"] = _LOG
            return real(_handled(handler), *arguments, **options)

        module.serve = serve  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            module.serve = real  # type: ignore[misc]
    if not used:
        raise InputError("view: this version of viser cannot be guarded against other pages; pip install 'gough[view]'")


def _asked(inner: Any, protocol: str) -> Callable[[Any, Any], Any]:
    """What answers requests before any file or WebSocket is served."""

    def answer(connection: Any, request: Any) -> Any:
        try:
            why = refusal(request.headers, protocol)
            if why:
                return connection.respond(403, f"{why}\n")
            return None if inner is None else inner(connection, request)
        except Exception:
            _LOG.debug("a request that is not understood", exc_info=True)
            return connection.respond(400, "not understood\n")

    return answer


def _handled(handler: Any) -> Any:
    """What serves a WebSocket, and closes it where a message is not understood."""

    async def serve(connection: Any) -> None:
        try:
            await handler(connection)
        except Exception:
            _LOG.debug("a message that is not understood", exc_info=True)
            await connection.close(1002, "not understood")

    return serve


def _note(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Failures of single messages; the viewer continues."""
    _LOG.debug("%s", context.get("message"), exc_info=context.get("exception"))


def safely(act: Callable[[], None], refuse: Callable[[str], None]) -> Callable[[Any], None]:
    """What a control calls: an impossible value is refused with a line, and the viewer continues."""

    def called(_event: object) -> None:
        try:
            act()
        except GoughError as error:
            refuse(str(error))
        except (ValueError, TypeError, ArithmeticError):
            refuse("the page sent a value that is not understood")

    return called
