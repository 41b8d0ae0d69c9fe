"""Several motors on one motion as a page: a row for each, with what the weakest actuator leaves of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.cli.output import table
from gough.design import Demand
from gough.design.limit_lines import limit_lines
from gough.design.load_inertia import load_inertia
from gough.display import Display, number

NOTE = (
    "Left, of the actuator that leaves least: continuous of what the curve gives at rms speed, peak and speed of the",
    "largest of the curves. Inertia ratio at home, load to rotor. One --motor alone shows every actuator.",
)


def motors_page(found: Sequence[Demand], display: Display) -> str:
    """Whether each motor fits, what is left of it in percent, and the largest ratio of inertias."""
    second, unit = display.time
    one = found[0]
    title = f"{one.robot.name}, motion {one.motion.name}, {number(one.motion.duration * second)} {unit}"
    header = ["motor", "fits", "continuous left %", "peak left %", "speed left %", "inertia ratio"]
    limits = dict.fromkeys(line for demand in found if demand.exceeded for line in limit_lines(demand, display))
    notes = "\n".join([*NOTE, *limits])
    return f"{title}\n\n{table(header, [_row(demand) for demand in found])}\n\n{notes}\n"


def _row(found: Demand) -> list[str]:
    motor = found.robot.motor
    assert motor is not None
    weak = [name for name, fit in zip(found.actuators, found.fits, strict=True) if not fit.fits]
    verdict = "yes" if not weak else f"NO: {', '.join(weak)}" if len(weak) < len(found.actuators) else "NO"
    curves = [curve for curve in (motor.continuous, motor.peak) if curve is not None]
    fastest = max(curve.speed[-1] for curve in curves)
    shares = [
        min(_share(fit.continuous_margin, fit.continuous_margin + fit.rms_torque) for fit in found.fits),
        min(_share(fit.peak_margin, 0.0 if motor.peak is None else max(motor.peak.torque)) for fit in found.fits),
        min(_share(fit.speed_margin, fastest) for fit in found.fits),
    ]
    load = load_inertia(found.robot)
    known = load is not None and motor.reflected > 0.0
    ratio = number(float((load / motor.reflected - 1.0).max()), 3) if known and load is not None else "-"
    shown = [number(100.0 * share, 3) if np.isfinite(share) else "none" if share < 0.0 else "-" for share in shares]
    return [motor.name, verdict, *shown, ratio]


def _share(left: float, of: float) -> float:
    """What is left of something; NaN where that is not stated, minus infinity where there is none of it."""
    if not np.isfinite(left):
        return left
    return left / of if of > 0.0 else -np.inf
