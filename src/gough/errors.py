"""The errors gough raises. Each carries its data; the message is one clear line made from them."""

from __future__ import annotations

from typing import Any

from gough.escape import lines


class GoughError(Exception):
    """Any failure gough foresees.

    Attributes:
        exit_code: What the command returns for it.
        partial: What was computed before it: a `Simulation` or an `Ensemble` that is not complete; None if nothing was.
    """

    exit_code = 2

    def __init__(self, message: str = "", *, partial: object = None) -> None:
        """The message, without control characters that came from a file or an option."""
        self.partial: Any = partial
        super().__init__(lines(message))


class InputError(GoughError):
    """Something handed in is wrong: a file, an option, an array."""


class GoughWarning(UserWarning):
    """An input is legal but most likely a mistake, or a result is doubtful; the command prints it on standard error."""


class NumericalError(GoughError):
    """The numbers fail: out of reach, singular, not converged."""

    exit_code = 3

    def told(self, length: tuple[float, str] = (1.0, "m")) -> str:
        """The line with lengths in a unit, so many of which are 1 m, as far as it speaks of any."""
        return str(self)


class ResourceError(GoughError):
    """Memory, disk space or another resource of the machine ran out."""

    exit_code = 4
