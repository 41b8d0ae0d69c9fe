"""Quantities of actuators given in Python: plain SI numbers, or texts with their units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from gough.errors import InputError
from gough.robot.mechanism import Mechanism
from gough.robot.quantities import Measure, QuantityError, measure, one_of


def of_actuators(robot: Mechanism, name: str, value: object, what: str) -> Any:
    """The value as it is where it holds no text; else (actuators,) SI numbers, one text being for all.

    Args:
        robot: Whose actuators.
        name: Name of the argument, for messages.
        value: One number or text, or one for each actuator.
        what: Of joints as in `measure`: "travel", "speed", "effort", "stiffness", "viscous".
    Raises:
        InputError: A text that is no such quantity, or one that does not suit every actuator; not as many as actuators.
    """
    return in_si(name, value, [measure(what, turns=joint.turns) for joint in robot.actuators])


def plain(name: str, value: object, *measures: Measure) -> Any:
    """A value without texts: each number of nested sequences that is a text in SI units, all else as it is.

    Args:
        name: Name of the argument, for messages.
        value: A number or text, or sequences of them, which become tuples.
        measures: What such a text may measure.
    Raises:
        InputError: A text that is no such quantity.
    """
    if isinstance(value, (list, tuple)):
        return tuple(plain(name, entry, *measures) for entry in value)
    return _number(name, value, *measures) if isinstance(value, str) else value


def in_si(name: str, value: object, measures: Sequence[Measure]) -> Any:
    """A value as it is, or (n,) SI numbers of one text for all, or of n texts and numbers.

    Raises:
        InputError: A text that is no such quantity; not n of them.
    """
    if not has_text(value):
        return value
    entries = [value] * len(measures) if isinstance(value, str) else list(value)
    if len(entries) != len(measures):
        raise InputError(f"{name}: {value!r} given, expected one or {len(measures)} of them")
    return np.array([_number(name, entry, own) for entry, own in zip(entries, measures, strict=True)])


def _number(name: str, value: object, *measures: Measure) -> float:
    """The SI value of an argument, a number or a text that may measure any of these."""
    try:
        return one_of(value, measures)
    except QuantityError as error:
        raise InputError(f"{name}: {value}: {error}") from None


def finite_vector(what: str, value: object, count: int, signed: bool = False) -> Any:
    """(count,) finite numbers of one for all or that many, not negative unless `signed`.

    Raises:
        InputError: They are not; it begins with `what`.
    """
    try:
        found = np.array(np.broadcast_to(np.asarray(value, dtype=float), (count,)))
    except (TypeError, ValueError):
        raise InputError(f"{what} {value!r} given, expected a number or {count} of them") from None
    if not np.isfinite(found).all() or (not signed and (found < 0.0).any()):
        raise InputError(f"{what} {value!r} given, must be finite{'' if signed else ' and not negative'}")
    return found


def has_text(value: object) -> TypeGuard[str | Sequence[object]]:
    """Whether a value is a text, or a sequence with one in it."""
    return isinstance(value, str) or (isinstance(value, (list, tuple)) and any(isinstance(v, str) for v in value))


def wrench_in_si(name: str, value: object) -> Any:
    """A wrench as it is, or (6,) SI numbers if it holds texts.

    Raises:
        InputError: Not six, or a text that is no force or moment.
    """
    given = [value] if isinstance(value, str) else value
    return in_si(name, given, [measure("force")] * 3 + [measure("torque")] * 3)
