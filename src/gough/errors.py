"""The errors gough raises. Each carries its data; the message is one clear line made from them."""

from __future__ import annotations


class GoughError(Exception):
    """Any failure gough foresees. `exit_code` is what the command returns for it."""

    exit_code = 2


class InputError(GoughError):
    """Something handed in is wrong: a file, an option, an array."""


class NumericalError(GoughError):
    """The numbers fail: out of reach, singular, not converged."""

    exit_code = 3
