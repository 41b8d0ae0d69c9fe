"""A proof of the largest forces, speeds and powers over an envelope: branch and bound with proved enclosures.

Forces and speeds are bounded over boxes of poses, powers over boxes of poses and velocities. With velocity v,
acceleration a and wrench w in units of the envelope (each in [-1, 1], or in the unit ball), and for each corner p of
the payload's range,

    force = G + A a + W w + L v + v.Q v,  actuator speed = K v

where G is the force at rest in the middle of the wrench's range, A, W, L first derivatives at rest and Q half the
second one by v. `gough.design.coefficients` finds the same numbers from forces at chosen motions.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from gough.design.branch_and_bound import ROUND_OFF, Boxes, Outcome, Proof, at_corners, branch, linear
from gough.design.coefficients import payloads, unit_forces, unit_sizes
from gough.design.envelope import Envelope
from gough.design.limited_forces import check_linear
from gough.design.size_result import SizeResult
from gough.design.velocity_maxima import ball_bound, bound, box_maximum
from gough.errors import InputError
from gough.graph import Array, Graph, Vector, array, cos, jacobian, record, sin
from gough.robot import Mechanism, Robot

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
    check_provable(result.robot, result.envelope)
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
        qd=speed,
        power=power,
        gap=_gap(proved, found, scale),
        power_gap=_gap(power, result.of("power"), result.of("power")),
        boxes=looked,
        unreachable=outcome.unreachable,
        undecided=outcome.undecided,
    )


def check_provable(robot: Mechanism, envelope: Envelope) -> None:
    """Refuse what cannot be proved, before anything is computed.

    Raises:
        InputError: More coordinates vary than `AXES`, or forces keep to limits.
    """
    check_linear(robot, "proof")
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


def _even(robot: Mechanism) -> bool:
    """Whether power is the same forwards and back: no friction anywhere."""
    return not any(joint.viscous or joint.coulomb for joint in robot.joints)


def _gap(proved: Array, found: Array, scale: Array) -> float:
    """Largest distance of a bound from what was found, of its scale."""
    return float(((proved - found) / np.where(scale > 0.0, scale, 1.0)).max())


def force_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """x (n,) -> G (P, m), A (P, m, a), W (P, m, w), L (P, m, v), Q (P, m, v, v), K (m, v), short (legs,).

    Only what can vary in the envelope has a column.
    """
    n, sizes = robot.dof, unit_sizes(envelope)
    forces = unit_forces(robot, envelope)
    rest = {name: np.zeros(count) for name, count in sizes.items()}

    def second(x: Vector, v: Vector, payload: Vector) -> Vector:
        L = forces(x=x, payload=payload, **rest | {"v": v})["L"]
        return {"Q": array(0.5 * jacobian(L, v, "forward"))}

    bend = record(second, x=n, v=sizes["v"], payload=10)

    def equations(x: Vector) -> dict[str, Vector]:
        found = [
            forces(x=x, payload=payload, **rest) | bend(x=x, payload=payload, v=rest["v"])
            for payload in payloads(envelope)
        ]
        stacked = {name: np.stack([each[name] for each in found]) for name in ("f", "A", "W", "L", "Q")}
        stacked["G"] = stacked.pop("f")
        return stacked | {"K": found[0]["K"], "short": found[0]["short"]}

    return record(equations, x=n)


def power_polynomial(robot: Robot, envelope: Envelope) -> Graph:
    """Pose and velocity y (n + v,) -> q (m,), qc (P, m), qA (P, m, a), qW (P, m, w): q times c, A, W; short (legs,)."""
    n, sizes = robot.dof, unit_sizes(envelope)
    forces = unit_forces(robot, envelope)
    rest = {"a": np.zeros(sizes["a"]), "w": np.zeros(sizes["w"])}

    def equations(y: Vector) -> dict[str, Vector]:
        v = polar(y[n:]) if envelope.velocity_ball else y[n:]
        found = [forces(x=y[:n], v=v, payload=payload, **rest) for payload in payloads(envelope)]
        q = found[0]["K"] @ v
        return {
            "q": q,
            "qc": np.stack([each["f"] * q for each in found]),
            "qA": np.stack([each["A"] * q[:, None] for each in found]),
            "qW": np.stack([each["W"] * q[:, None] for each in found]),
            "short": found[0]["short"],
        }

    return record(equations, y=n + sizes["v"])


def polar(s: Vector) -> Vector:
    """The point of the ball with radius s[0] and, in 2 or 3 dimensions, azimuth s[1] and angle from the pole s[2]."""
    if len(s) == 1:
        return s
    across = s[0] * sin(s[2]) if len(s) == 3 else s[0]
    flat = [across * cos(s[1]), across * sin(s[1])]
    return array([*flat, s[0] * cos(s[2])] if len(s) == 3 else flat)


def velocity_box(envelope: Envelope, half: bool) -> list[tuple[float, float]]:
    """Ranges of the velocity's part of y; `half` of them suffices where power is the same forwards and back."""
    count = unit_sizes(envelope)["v"]
    if envelope.velocity_ball and count > 1:
        turn = float(np.nextafter(np.pi, 4.0))
        return [(0.0, 1.0), (-turn, 0.0 if half else turn), (0.0, turn)][:count]
    return [(0.0 if half and k == 0 else -1.0, 1.0) for k in range(count)]


def force_bounds(forms: dict[str, Array], envelope: Envelope, dry: Array, enough: Array) -> Array:
    """(3 m, B) bounds of the forces up and down and of the speeds over boxes; not finite where there is none.

    Inner maxima are taken exactly only where a quicker bound is above `enough` (3 m,).
    """
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["G"]) - 2)))
    at = {name: at_corners(forms[name], corners) for name in ("G", "A", "W", "L", "Q", "K")}
    rest = {name: forms[name][-1] for name in at}
    push, spare = linear(at["A"], envelope.acceleration_ball), linear(rest["A"], envelope.acceleration_ball)
    pull, speed = linear(at["W"], False), linear(at["K"], envelope.velocity_ball)
    sizes = np.abs(at["Q"]).sum(axis=(-3, -2)) + np.abs(at["L"]).sum(axis=-2)
    spare = spare + rest["G"] + linear(rest["W"], False) + linear(rest["L"], envelope.velocity_ball)
    spare = spare + linear(rest["Q"].reshape(*rest["Q"].shape[:2], -1, rest["Q"].shape[-1]), envelope.velocity_ball)
    around = push + pull + spare + dry[:, None] + ROUND_OFF * (np.abs(at["G"]) + push + pull + sizes)
    m = len(dry)
    found = []
    for side, sign in enumerate((1.0, -1.0)):
        limit = enough[side * m : (side + 1) * m, None]
        value = sign * at["G"] + around
        found.append(_with_velocity(value, sign * at["Q"], sign * at["L"], envelope.velocity_ball, limit))
    fast = speed.max(axis=0) * (1.0 + ROUND_OFF) + linear(rest["K"], envelope.velocity_ball)
    return np.concatenate([*[values.max(axis=(0, 1)) for values in found], fast])


def _with_velocity(value: Array, Q: Array, L: Array, ball: bool, limit: Array) -> Array:
    """value (C, P, m, B) plus a bound of the largest v.Q v + L.v, exact where it decides."""
    n, shape = L.shape[-2], value.shape
    if n == 0:
        return value
    Q, L = np.moveaxis(Q, -1, -3).reshape(-1, n, n), np.moveaxis(L, -1, -2).reshape(-1, n)
    quick = bound(Q, L)
    total = value.ravel() + quick
    rows = np.flatnonzero((total > np.broadcast_to(limit, shape).ravel()) & np.isfinite(total))
    exact = ball_bound(Q[rows], L[rows]) if ball else box_maximum(Q[rows], L[rows])[0]
    total[rows] += np.minimum(exact, quick[rows]) - quick[rows]
    return total.reshape(shape)


def power_bounds(forms: dict[str, Array], envelope: Envelope, dry: Array) -> Array:
    """(m, B) bounds; not finite where there is none."""
    corners = np.array(list(product((-1.0, 1.0), repeat=len(forms["q"]) - 2)))
    q, qc, qA, qW = (at_corners(forms[name], corners) for name in ("q", "qc", "qA", "qW"))
    ball, friction = envelope.acceleration_ball, dry[:, None]
    spare = forms["qc"][-1] + linear(forms["qA"][-1], ball) + linear(forms["qW"][-1], False)
    spare = spare + friction * forms["q"][-1]
    given = qc + (friction * np.abs(q))[:, None]
    taken = -qc - (friction * np.sign(forms["q"][0]) * q)[:, None]
    reach = linear(qA, ball) + linear(qW, False)
    size = np.abs(qc) + reach + (friction * np.abs(q))[:, None]
    return (np.maximum(given, taken) + reach + ROUND_OFF * size + spare).max(axis=(0, 1))


def steepest(forms: dict[str, Array], radius: Array) -> NDArray[np.intp]:
    """(B,) the axis of each box along which power changes most, of those that are wide."""
    change = np.abs(forms["qc"][1:-1]).max(axis=(1, 2)) + np.abs(forms["qA"][1:-1]).sum(axis=3).max(axis=(1, 2))
    change = np.where(np.isfinite(change), change, 0.0) + 1e-300
    wide = np.flatnonzero((radius > 0.0).any(axis=0))
    share = change / change.max(axis=0) + (radius[:, wide] / radius[:, wide].max(axis=1, keepdims=True)).T
    return wide[share.argmax(axis=0)]
