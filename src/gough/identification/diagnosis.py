"""What is most likely wrong with a recording whose forces the model cannot explain: units, signs, exchanged columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from gough.errors import GoughError, InputError
from gough.graph import Array
from gough.identification.estimate import Equations, equations
from gough.identification.recorded_forces import RecordedForces
from gough.identification.regressor import Regressor
from gough.motion.faults import MotionError

FAR = 30.0
"""Factor between measured and expected forces beyond which their unit is another."""
LEAST_GEAR = 3.0
"""Gear from which on forces on the motor's side can be told from those of a lighter machine."""
NEAR_GEAR = 1.5
"""Factor between the forces' share of those of the file and 1 / gear, within which they look like the motor's."""
UNEXPLAINED = 0.15
"""Share of the forces that no parameters explain, beyond which something is wrong with the recording."""
BETTER = 3.0
"""Factor by which a cause must make that smaller to be named."""
ALIKE = 1.2
"""Factor between what two causes leave within which either may be meant."""
ROWS = 600
"""Rows on which causes are tried."""


def check_forces(regressor: Regressor, recording: RecordedForces, found: Equations) -> None:
    """Refuse forces whose size or sign is far from those of the robot's file.

    Raises:
        MotionError: With the likely unit.
    """
    expected = found.forces(found.A @ (regressor.base.map @ regressor.values))
    measured = found.forces(found.y)
    ours, theirs = (math.sqrt(float((values**2).mean())) for values in (expected, measured))
    if ours == 0.0:
        return
    if not ours / FAR < theirs < ours * FAR:
        allowed = f"forces of {theirs:.3g} where the robot's file has {ours:.3g} (root mean square, N or N m)"
        first, turns = recording.robot.actuator_names[0], recording.robot.actuators[0].turns
        larger, smaller = ("N m called N mm, or kN m", "N m") if turns else ("kN", "kN")
        hint = (
            f"{larger}? call the columns force_{first} [{smaller}]"
            if theirs < ours
            else f"N mm, mN or currents? name the unit, force_{first} [N mm]"
        )
        raise MotionError(recording.source, "", None, allowed, hint)
    if float((expected * measured).sum()) < -0.5 * float(np.linalg.norm(expected) * np.linalg.norm(measured)):
        hint = "signs: a positive force moves its actuator towards larger displacements"
        raise MotionError(recording.source, "", None, "forces are the opposite of what the robot's file expects", hint)


def motor_side(regressor: Regressor, recording: RecordedForces, found: Equations) -> str:
    """A line if forces look like those on the motors' side of gears, smaller by the ratio; nothing otherwise."""
    gears = np.array([abs(joint.gear) for joint in recording.robot.actuators])
    expected = found.forces(found.A @ (regressor.base.map @ regressor.values))
    measured = found.forces(found.y)
    if gears.min() < LEAST_GEAR or not expected.any():
        return ""
    share = (expected * measured).sum(axis=0) / (expected**2).sum(axis=0)
    off = np.abs(np.log(np.maximum(share * gears, 1e-300)))
    if off.max() > math.log(NEAR_GEAR):
        return ""
    return (
        f"{recording.source}: forces are about {share.mean():.2g} of those of the robot's file, and gear is "
        f"{gears.mean():g}: on the motor side? forces must be joint-side, multiply them by the gear"
    )


class Explained:
    """What the best base parameters leave of forces along one motion."""

    def __init__(self, found: Equations) -> None:
        """Of these equations; other forces may be tried."""
        self.found = found
        self.scale = np.sqrt((found.forces(found.y) ** 2).mean(axis=0)) + 1e-300
        back = np.linalg.pinv(np.swapaxes(found.K, 1, 2))
        rows = ((back @ found.A) / self.scale[:, None]).reshape(-1, found.A.shape[2])
        length = np.linalg.norm(rows, axis=0)
        U, s, _ = np.linalg.svd(rows / np.where(length > 0.0, length, 1.0), full_matrices=False)
        self.basis = U[:, s > 1e-9 * s[0]]

    def left(self, y: Array) -> float:
        """Share of the forces of generalised ones (N, n) that no parameters explain, root mean square."""
        measured = (self.found.forces(y) / self.scale).reshape(-1)
        rest = measured - self.basis @ (self.basis.T @ measured)
        return float(np.linalg.norm(rest) / np.linalg.norm(measured))


def check_explained(regressor: Regressor, recording: RecordedForces, found: Equations) -> None:
    """Refuse a recording that no parameters explain, and name the cause that does.

    Raises:
        MotionError: A cause was found that explains much more.
    """
    step = max(len(recording) // ROWS, 1)
    thin = _thinned(found, step)
    explained = Explained(thin)
    left = explained.left(thin.y)
    if left < UNEXPLAINED:
        return
    best, cause = min(_other_forces(recording, explained))
    if best > left / BETTER:
        best, cause = min([(best, cause), *_other_motions(regressor, recording, step)])
    elif (twin := _as_likely(regressor, recording, step, best, cause)) is not None:
        cause = f"{cause[:-1]}, or {twin}?"
    if best < left / BETTER:
        allowed = f"{100 * left:.0f} % of the forces fit no masses, friction and rotors; {100 * best:.2g} % would"
        raise MotionError(recording.source, "", None, allowed, cause)


def _as_likely(regressor: Regressor, recording: RecordedForces, step: int, best: float, cause: str) -> str | None:
    """Columns of readings that explain as much if exchanged as those of forces in this cause: of a symmetric machine.

    Readings and forces that do not belong together do so either way.
    """
    words = cause.split()
    if recording.given != "readings" or words[0] != "columns":
        return None
    names = [words[k].replace("force_", "q_") for k in (1, 3)]
    wanted = f"columns {names[0]} and {names[1]} exchanged?"
    found = {text: left for left, text in _other_motions(regressor, recording, step, names)}
    return " and ".join(names) if found.get(wanted, np.inf) < ALIKE * best else None


def _thinned(found: Equations, step: int) -> Equations:
    return Equations(found.A[::step], found.y[::step], found.K[::step], found.rows[::step])


def _other_forces(recording: RecordedForces, explained: Explained) -> list[tuple[float, str]]:
    """What forces with another sign or exchanged would leave, and the words for it."""
    robot, thin = recording.robot, explained.found
    force, K = recording.force[thin.rows], thin.K
    rest = thin.y - np.einsum("nmk,nm->nk", K, force)

    def with_forces(changed: Array) -> float:
        return explained.left(rest + np.einsum("nmk,nm->nk", K, changed))

    tried = []
    for k, name in enumerate(robot.actuator_names):
        other = force.copy()
        other[:, k] *= -1.0
        tried.append((with_forces(other), f"column force_{name} has the wrong sign?"))
    for a, b in combinations(range(len(robot.actuators)), 2):
        order = np.arange(force.shape[1])
        order[[a, b]] = b, a
        names = f"force_{robot.actuator_names[a]} and force_{robot.actuator_names[b]}"
        tried.append((with_forces(force[:, order]), f"columns {names} exchanged?"))
    return tried


def _other_motions(
    regressor: Regressor, recording: RecordedForces, step: int, only: Sequence[str] | None = None
) -> list[tuple[float, str]]:
    """The same for columns of the motion that may be exchanged, all or two that are named."""
    robot, tried = recording.robot, []
    if recording.again is None:
        return []
    if recording.given == "readings":
        names = [(f"q_{a}", joint.turns) for a, joint in zip(robot.actuator_names, robot.actuators, strict=True)]
    else:
        names = [(c.name, c.turns) for c in robot.platform.coordinates]
    for (one, turns), (other, too) in combinations(names, 2):
        if turns != too or (only is not None and {one, other} != set(only)):
            continue
        try:
            trial = recording.again(one, other).part(slice(None, None, step))
            equation = equations(regressor, trial)
            tried.append((Explained(equation).left(equation.y), f"columns {one} and {other} exchanged?"))
        except (GoughError, np.linalg.LinAlgError):
            continue
    return tried


def check_enough(regressor: Regressor, recording: RecordedForces, found: Equations) -> None:
    """Refuse fewer equations than parameters.

    Raises:
        InputError: There are.
    """
    equations_, r = found.y.size, found.A.shape[2]
    if equations_ < 2 * r:
        raise InputError(
            f"{recording.source}: {len(found.y)} samples of {found.y.shape[1]} forces are too few for {r} parameters; "
            "record longer"
        )
