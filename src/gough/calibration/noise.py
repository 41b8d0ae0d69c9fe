"""Standard deviations of what is measured: `position=20um,rotation=20urad,encoder=5um`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.sensors import KINDS, Sensors
from gough.graph import Array
from gough.robot.names import did_you_mean
from gough.robot.quantities import QuantityError, measure, quantity

Noise = Mapping[str, float | str]
START = {"position": 2e-5, "rotation": 2e-5, "distance": 1e-5, "joint": 1e-4, "encoder": 1e-5}
"""What an estimate of noise nobody states begins with [m or rad]."""


LARGEST = 0.1
"""Noise that nothing can be calibrated with [m or rad]."""


def noise_of(noise: str | Noise | None, sensors: Sensors) -> dict[str, float]:
    """Stated noise by kind [m or rad].

    Raises:
        CalibrationError: A kind that there is none of, a number that is not positive, a unit of something else.
    """
    if noise is None or noise == "":
        return {}
    entries: Mapping[str, object] = noise if isinstance(noise, Mapping) else _entries(noise)
    found = {}
    for kind, value in entries.items():
        if kind not in KINDS:
            raise CalibrationError("--noise", kind, None, "no such kind", did_you_mean(kind, KINDS))
        angles = {sensors.is_angle(c) for c, own in zip(sensors.columns, sensors.kinds, strict=True) if own == kind}
        what = measure("angle" if angles == {True} or (not angles and kind in ("rotation", "joint")) else "length")
        try:
            sigma = quantity(value, what)
        except QuantityError as error:
            raise CalibrationError("--noise", f"{kind}={value}", None, str(error)) from None
        if sigma <= 0.0:
            raise CalibrationError("--noise", f"{kind}={value}", None, "must be more than zero", "leave it to estimate")
        if sigma > LARGEST:
            unit = "rad" if what == measure("angle") else "m"
            fault = f"is {sigma:g} {unit}, too much to calibrate with; numbers without a unit are in {unit}"
            raise CalibrationError("--noise", f"{kind}={value}", None, fault, f"{kind}=20u{unit}")
        found[kind] = sigma
    return found


def _entries(text: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for entry in text.split(","):
        kind, equals, value = entry.partition("=")
        if not equals or not value.strip():
            raise CalibrationError("--noise", entry, None, "must be KIND=VALUE, e.g. position=20um,encoder=5um")
        found[kind.strip()] = value.strip()
    return found


def deviations(sensors: Sensors, missing: NDArray[np.bool_], noise: Mapping[str, float]) -> Array:
    """(N, columns) standard deviations; infinite where a value is missing, as for START where none is stated."""
    each = np.array([noise.get(kind, START[kind]) for kind in sensors.kinds])
    return np.where(missing, np.inf, each)
