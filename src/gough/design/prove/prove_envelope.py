"""A proof of the largest forces, speeds and powers over an envelope: branch and bound with proved enclosures.

Forces and speeds are bounded over boxes of poses, powers over boxes of poses and velocities: see
`gough.design.prove.polynomials`.
"""

from __future__ import annotations

import numpy as np

from gough.design.envelope import Envelope
from gough.design.prove.branch_and_bound import Boxes, Outcome, Proof, branch
from gough.design.prove.polynomials import (
    force_bounds,
    force_polynomial,
    power_bounds,
    power_polynomial,
    steepest,
    velocity_box,
)
from gough.design.size_result import SizeResult
from gough.design.unit_forces import unit_sizes
from gough.errors import InputError
from gough.graph import Array
from gough.robot import Robot

MOST = 100_000
"""Boxes after which a proof of forces and speeds ends with the bounds it has."""
POWER_MOST = 30_000
"""And one of powers."""
AXES = 3
"""Coordinates, and velocities, that may vary at most: boxes are too many in more."""


def prove(
    result: SizeResult,
    tolerance: float = 1e-4,
    power_tolerance: float | None = 1e-2,
    most: int = MOST,
    power_most: int = POWER_MOST,
) -> Proof:
    """Bounds that no state of the envelope exceeds, within tolerances of what was found if `most` boxes suffice.

    Args:
        result: What was found.
        tolerance: For forces and speeds.
        power_tolerance: For powers, which take more boxes; with None, and with more than `AXES` velocities, they are
            bounded by force times speed alone.
        most, power_most: Boxes for forces and speeds, and for powers.

    Raises:
        InputError: More coordinates vary than `AXES`, or the robot's equations have an operation without enclosure.
    """
    check_provable(result.envelope)
    found = np.concatenate([result.of("force+"), -result.of("force-"), result.of("speed")])
    scale = np.concatenate([result.force, result.force, result.of("speed")])
    outcome = _forces(result, found + tolerance * scale, most)
    proved = np.maximum(outcome.proved, found)
    high_force, low_force, speed = np.split(proved, 3)
    largest, looked = np.maximum(high_force, low_force), outcome.boxes
    power = np.multiply(largest, speed, where=speed > 0.0, out=np.zeros(len(speed)))
    if power_tolerance is not None and unit_sizes(result.envelope)["v"] <= AXES:
        powers = _powers(result, (1.0 + power_tolerance) * result.of("power"), power_most)
        power = np.minimum(power, np.maximum(powers.proved, result.of("power")))
        looked += powers.boxes
    return Proof(
        force_high=high_force,
        force_low=-low_force,
        speed=speed,
        power=power,
        gap=_gap(proved, found, scale),
        power_gap=_gap(power, result.of("power"), result.of("power")),
        boxes=looked,
        unreachable=outcome.unreachable,
        undecided=outcome.undecided,
    )


def check_provable(envelope: Envelope) -> None:
    """Refuse envelopes in which too many coordinates vary, before anything is computed.

    Raises:
        InputError: More vary than `AXES`.
    """
    wide = sum(high > low for low, high in envelope.pose)
    if wide > AXES:
        raise InputError(f"proof: {wide} coordinates of the pose vary, at most {AXES} can; hold some of them in [pose]")


def _forces(result: SizeResult, enough: Array, most: int) -> Outcome:
    return branch(
        force_polynomial(result.robot, result.envelope),
        Boxes.around(result.envelope.pose),
        lambda forms: force_bounds(forms, result.envelope, result.dry_friction, enough),
        lambda boxes, forms: boxes.halves(),
        enough,
        most,
    )


def _powers(result: SizeResult, enough: Array, most: int) -> Outcome:
    ranges = [*result.envelope.pose, *velocity_box(result.envelope, _even(result.robot))]
    return branch(
        power_polynomial(result.robot, result.envelope),
        Boxes.around(ranges),
        lambda forms: power_bounds(forms, result.envelope, result.dry_friction),
        lambda boxes, forms: boxes.halved(steepest(forms, boxes.radius)),
        enough,
        most,
    )


def _even(robot: Robot) -> bool:
    """Whether power is the same forwards and back: no friction anywhere."""
    return not any(joint.viscous or joint.coulomb for joint in robot.joints)


def _gap(proved: Array, found: Array, scale: Array) -> float:
    """Largest distance of a bound from what was found, of its scale."""
    return float(((proved - found) / np.where(scale > 0.0, scale, 1.0)).max())
