"""The table `[payload]` of a robot: a body that its platform carries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array
from gough.robot.extent import check_point
from gough.robot.leg_values import tensor_of
from gough.robot.quantities import QuantityError, measure, quantity

if TYPE_CHECKING:
    from gough.robot.mechanism import Mechanism

Numbers = Sequence[float | str] | Array
ROUNDING = 1e-9
HEAVIEST = 100_000.0
"""[kg], as of any body."""


def payload_table(robot: Mechanism, mass: float | str, com: Numbers, inertia: Numbers) -> dict[str, Any]:
    """Return the table of a payload, SI units.

    Args:
        robot: The robot that carries it.
        mass: Positive [kg].
        com: (3,) centre of mass in P [m].
        inertia: xx, yy, zz, xy, xz, yz about the centre of mass, axes of P [kg m^2].

    Raises:
        InputError: A mass that is not positive, an inertia no body has, numbers that are not finite or not that many.
    """
    load = _checked("mass", mass, (), "mass")
    if not 0.0 < load <= HEAVIEST:
        raise InputError(f"payload mass: {load:g}: must be greater than 0 and at most {HEAVIEST:g} kg")
    own = _checked("inertia", inertia, (6,), "inertia")
    moments = np.linalg.eigvalsh(tensor_of(own))
    if moments[0] < -ROUNDING * abs(moments[2]) or moments[2] > (moments[0] + moments[1]) * (1 + ROUNDING):
        raise InputError(f"payload inertia: {inertia}: no body has principal moments {', '.join(_shown(moments))}")
    center = _checked("com", com, (3,), "length")
    check_point(robot, center.tolist(), "payload")
    stated = {"com": center, "inertia": own}
    return {"mass": float(load), **{key: value.tolist() for key, value in stated.items() if value.any()}}


def _checked(name: str, value: Any, shape: tuple[int, ...], what: str) -> Any:
    own = measure(what)
    try:
        given = [quantity(entry, own) for entry in value] if shape else quantity(value, own)
        numbers = np.asarray(given, dtype=float)
    except QuantityError as error:
        if "its unit" in str(error):
            raise InputError(f"payload {name}: {value}: {error}") from None
        numbers = np.full(1, np.nan)
    except (TypeError, ValueError):
        numbers = np.full(1, np.nan)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        allowed = f"{shape[0]} finite numbers" if shape else "a finite number"
        raise InputError(f"payload {name}: {value}: must be {allowed}")
    return numbers


def _shown(values: Iterable[float]) -> list[str]:
    return [f"{value:.4g}" for value in values]
