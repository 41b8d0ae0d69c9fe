"""A load carried by the platform."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array
from gough.motion.faults import check_point
from gough.robot import Robot
from gough.robot.inertia import steiner
from gough.robot.leg_values import tensor_of
from gough.robot.quantities import QuantityError, measure, quantity

ROUNDING = 1e-9
HEAVIEST = 100_000.0
"""[kg], as of any body."""


def with_payload(
    robot: Robot,
    mass: float | str,
    com: Sequence[float | str] | Array = (0.0, 0.0, 0.0),
    inertia: Sequence[float | str] | Array = (0.0,) * 6,
) -> Robot:
    """The robot with a body fixed to its platform.

    Args:
        robot: Any robot.
        mass: Positive [kg].
        com: (3,) its centre of mass in P [m].
        inertia: xx, yy, zz, xy, xz, yz about that centre, axes of P [kg m^2].
            Any of these numbers may be a text with its unit, "300 g".

    Raises:
        InputError: A mass that is not positive, an inertia no body has, numbers that are not finite or not that many.
    """
    load = _checked("mass", mass, (), "mass")
    if not 0.0 < load <= HEAVIEST:
        raise InputError(f"payload mass: {load:g}: must be greater than 0 and at most {HEAVIEST:g} kg")
    about_load = _checked("inertia", inertia, (6,), "inertia")
    moments = np.linalg.eigvalsh(tensor_of(about_load))
    if moments[0] < -ROUNDING * abs(moments[2]) or moments[2] > (moments[0] + moments[1]) * (1 + ROUNDING):
        raise InputError(f"payload inertia: {inertia}: no body has principal moments {', '.join(_shown(moments))}")
    own = robot.platform.body
    total = own.mass + float(load)
    p_own, p_load = np.array(own.com), _checked("com", com, (3,), "length")
    check_point(robot, p_load.tolist(), "payload")
    center = (p_own * own.mass + p_load * load) / total
    values = sum(
        np.array(about) + steiner(m, p - center)
        for about, m, p in ((own.inertia, own.mass, p_own), (about_load, load, p_load))
    )
    body = {"mass": float(total), "com": center.tolist(), "inertia": np.asarray(values).tolist(), "about": "com"}
    return robot.with_spec({**robot.spec, "platform": {**robot.spec["platform"], **body}})


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
        wanted = f"{shape[0]} finite numbers" if shape else "a finite number"
        raise InputError(f"payload {name}: {value}: must be {wanted}")
    return numbers


def _shown(values: Iterable[float]) -> list[str]:
    return [f"{value:.4g}" for value in values]
