"""A load carried by the platform."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.robot import Body, Robot


def with_payload(robot: Robot, mass: float, com: Any = (0.0, 0.0, 0.0), inertia: Any = (0.0,) * 6) -> Robot:
    """The robot with a body fixed to its platform.

    Args:
        robot: Any.
        mass: Positive [kg].
        com: (3,) its centre of mass in P [m].
        inertia: xx, yy, zz, xy, xz, yz about that centre, axes of P [kg m^2].

    Raises:
        InputError: A mass that is not positive, numbers that are not finite, or not that many.
    """
    load = _checked("mass", mass, ())
    if not load > 0.0:
        raise InputError(f"payload mass: {load:g}: must be greater than 0 kg")
    own = robot.platform.body
    total = own.mass + float(load)
    p_own, p_load = np.array(own.com), _checked("com", com, (3,))
    center = (p_own * own.mass + p_load * load) / total
    tensor = sum(
        _tensor(about) + m * _steiner(p - center)
        for about, m, p in ((own.inertia, own.mass, p_own), (_checked("inertia", inertia, (6,)), load, p_load))
    )
    values = (tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2])
    body = Body(own.name, float(total), tuple(map(float, center)), tuple(map(float, values)))  # type: ignore[arg-type]
    return replace(robot, platform=replace(robot.platform, body=body), document=None)


def _checked(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    try:
        numbers = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        numbers = np.full(1, np.nan)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        wanted = f"{shape[0]} finite numbers" if shape else "a finite number"
        raise InputError(f"payload {name}: {value}: must be {wanted}")
    return numbers


def _tensor(values: Any) -> Any:
    xx, yy, zz, xy, xz, yz = values
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _steiner(r: Any) -> Any:
    return np.dot(r, r) * np.eye(3) - np.outer(r, r)
