"""Functions of the user that are called during a run: what they raise is told with the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gough.errors import GoughError, NumericalError


def call_own(what: str, t: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a user's function returns.

    Args:
        what: Its name in the message.
        t: Time of the call [s].
        function: The function.
        arguments: Its arguments.

    Raises:
        NumericalError: It raised; the cause is chained.
    """
    try:
        return function(*arguments)
    except GoughError:
        raise
    except Exception as error:
        why = " ".join(str(error).split())
        raise NumericalError(f"{what}: {type(error).__name__}: {why} at t = {t:.6g} s") from error
