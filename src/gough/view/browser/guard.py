"""Who may talk to the viewer: pages that it served itself, to this machine; what is not understood closes quietly.

Any page in the browser can send requests to 127.0.0.1. A request is answered only if its Host is this machine (a name
that another site points here is not) and its Origin, where one is stated, is the page's own.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from gough.errors import InputError

_HERE = re.compile(r"(?:127\.0\.0\.1|localhost)(?::[0-9]{1,5})?", re.IGNORECASE)

_LOG = logging.getLogger("gough.view")
_LOG.addHandler(logging.NullHandler())
_LOG.propagate = False
_turn = threading.Lock()


def refusal(headers: Any, protocol: str) -> str:
    """Why a request with these headers is refused; nothing if it is not.

    Args:
        headers: Of a websockets request.
        protocol: The WebSocket protocol that the viewer's own page asks for.
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


def _note(_loop: Any, context: dict[str, Any]) -> None:
    """Failures of single messages: the viewer goes on."""
    _LOG.debug("%s", context.get("message"), exc_info=context.get("exception"))
