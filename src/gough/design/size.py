"""Required force, speed and power of each actuator over an envelope."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gough.design.envelope import Envelope
from gough.design.search import STARTS, Objective, Optimum, best_starts, distinct, polish, scan_points
from gough.design.worst import Case, Worst
from gough.errors import NumericalError
from gough.kinematics.model import actuator_names
from gough.kinematics.status import SINGULAR
from gough.robot import Robot

KINDS = ("force+", "force-", "speed", "power")
QUICK = 3
"""With more velocities than this, the poses to start from are chosen by the corners of the velocity box alone."""


class UnboundedError(NumericalError):
    """An envelope that touches a singularity: no force is enough.

    Attributes:
        pose: (n,) where.
    """

    def __init__(self, robot: Robot, pose: Any, reason: str) -> None:
        """The line made from the parts."""
        self.pose = pose
        names = [c.name for c in robot.platform.coordinates]
        at = ", ".join(f"{name} = {value:.5g}" for name, value in zip(names, pose, strict=True))
        super().__init__(f"unbounded: the envelope touches a singularity at {at} ({reason})")


@dataclass(frozen=True, slots=True)
class Requirement:
    """The worst of one quantity of one actuator.

    Attributes:
        kind: "force+" and "force-" (largest each way, both as sizes of a signed force), "speed" or "power".
        actuator: Index.
        value: [N or N m, per s, W]; a force- is given with its sign.
        pose: (n,) where.
        optima: Values and poses of all local maxima found, largest first.
    """

    kind: str
    actuator: int
    value: float
    pose: Any
    optima: tuple[tuple[float, Any], ...]


@dataclass(frozen=True)
class SizeResult:
    """What an envelope asks of the actuators.

    Attributes:
        robot, envelope: What was asked.
        actuators: Names.
        requirements: By kind and actuator.
        unreachable: Share of the pose box that the legs do not reach.
        condition: Largest condition number met.
        seeds: Of the searches; each found the best values listed in `by_seed`.
        by_seed: (seeds, requirements) best value of each search.
        poses: How many poses were looked at before the polish.
        exact: See `Worst.exact`; otherwise forces are upper bounds.
    """

    robot: Robot
    envelope: Envelope
    actuators: tuple[str, ...]
    requirements: tuple[Requirement, ...]
    unreachable: float
    condition: float
    seeds: tuple[int, ...]
    by_seed: Any
    poses: int
    exact: bool
    _worst: Worst = field(repr=False)

    def of(self, kind: str) -> Any:
        """(m,) values of a kind, one per actuator."""
        return np.array([r.value for r in self.requirements if r.kind == kind])

    @property
    def force(self) -> Any:
        """(m,) largest force by size."""
        return np.maximum(np.abs(self.of("force+")), np.abs(self.of("force-")))

    @property
    def spread(self) -> float:
        """Largest relative difference of the best values between seeds."""
        low, high = self.by_seed.min(axis=0), self.by_seed.max(axis=0)
        return float(((high - low) / np.maximum(np.abs(high), 1e-300)).max())

    def cases(self) -> list[tuple[Requirement, Case]]:
        """The worst force cases, one per actuator and direction."""
        found = []
        for requirement in self.requirements:
            if requirement.kind.startswith("force"):
                sign = 1.0 if requirement.kind == "force+" else -1.0
                found.append((requirement, self._worst.case(requirement.pose, requirement.actuator, sign)[1]))
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "robot": self.robot.name,
            "actuators": list(self.actuators),
            "force": self.force.tolist(),
            "speed": self.of("speed").tolist(),
            "power": self.of("power").tolist(),
            "unreachable": self.unreachable,
            "condition": self.condition,
            "poses": self.poses,
            "seeds": list(self.seeds),
            "spread_between_seeds": self.spread,
            "exact": self.exact,
            "requirements": [
                {
                    "kind": r.kind,
                    "actuator": self.actuators[r.actuator],
                    "value": r.value,
                    "pose": r.pose.tolist(),
                    "local_optima": [{"value": value, "pose": pose.tolist()} for value, pose in r.optima],
                }
                for r in self.requirements
            ],
        }


def size(robot: Robot, envelope: Envelope, seeds: tuple[int, ...] = (1, 2), power: int = 11) -> SizeResult:
    """Required force, speed and power of each actuator over an envelope.

    At each pose the worst velocity, acceleration, wrench and payload are exact; the pose is searched (for power, the
    pose and the velocity) by Sobol points, corners and local polish, once for each seed.

    Raises:
        UnboundedError: The envelope touches a singularity.
        NumericalError: No pose of the envelope can be reached.
    """
    worst = Worst(robot, envelope)
    pose = np.array(envelope.pose)
    wide = np.flatnonzero(pose[:, 1] > pose[:, 0])
    moving = np.flatnonzero(np.array(envelope.velocity) > 0.0)
    m = len(actuator_names(robot))

    def poses(u: Any) -> Any:
        x = np.tile(pose[:, 0], (len(u), 1))
        x[:, wide] += u[:, : len(wide)] * (pose[wide, 1] - pose[wide, 0])
        return x

    def velocities(u: Any) -> Any:
        v = np.zeros((len(u), len(pose)))
        v[:, moving] = 2.0 * u[:, len(wide) :] - 1.0
        return v / np.maximum(np.linalg.norm(v, axis=1), 1.0)[:, None] if envelope.velocity_ball else v

    runs, reached, looked, condition = [], [], 0, 0.0
    for seed in seeds:
        u = scan_points(len(wide), seed, power)
        w = scan_points(len(wide) + len(moving), seed, power)
        looked += len(u)
        x = poses(u)
        speeds = worst.speeds(x)
        fine = np.isfinite(speeds).all(axis=1)
        reached.append(float(fine[: 2**power].mean()))
        if not fine.any():
            raise NumericalError(f"no pose of the envelope can be reached by {robot.name}")
        _check_edge(worst, x, fine)
        condition = max(condition, _check_singular(worst, poses, u, seed))
        forces = worst.forces(x, quick=len(moving) > QUICK)
        powers = worst.powers(poses(w), velocities(w))
        runs.append(
            _polished(lambda p, k: worst.columns(poses(p), k), u, forces, seed)
            + _polished(lambda p, k: worst.speeds(poses(p))[np.arange(len(p)), k], u, speeds, seed)
            + _polished(lambda p, k: worst.powers(poses(p), velocities(p))[np.arange(len(p)), k], w, powers, seed)
        )
    requirements = []
    for k in range(4 * m):
        kind, actuator = KINDS[k // m], k % m
        optima = distinct([optimum for run in runs for optimum in run[k]])
        sign = -1.0 if kind == "force-" else 1.0
        listed = tuple((sign * o.value, poses(o.point[None])[0]) for o in optima)
        requirements.append(Requirement(kind, actuator, listed[0][0], listed[0][1], listed))
    by_seed = np.array([[max(o.value for o in found) for found in run] for run in runs])
    return SizeResult(
        robot, envelope, actuator_names(robot), tuple(requirements), 1.0 - float(np.mean(reached)), condition, seeds,
        by_seed, looked, worst.exact, worst,
    )  # fmt: skip


def _polished(objective: Objective, points: Any, values: Any, seed: int) -> list[list[Optimum]]:
    """Local maxima of each column, from the best of the scan."""
    starts = []
    for column in range(values.shape[1]):
        tops = best_starts(points, values[:, column], 3 * STARTS)
        exact = objective(points[tops], np.full(len(tops), column))
        starts += [(column, tops[k]) for k in np.argsort(-exact)[:STARTS]]
    columns = np.array([column for column, _ in starts])
    places, found = polish(objective, points[[j for _, j in starts]], columns, seed)
    result: list[list[Optimum]] = [[] for _ in range(values.shape[1])]
    for column, place, value in zip(columns, places, found, strict=True):
        result[column].append(Optimum(place, float(value)))
    return result


def _check_singular(worst: Worst, poses: Any, u: Any, seed: int) -> float:
    """The largest condition number met; raises where the envelope has a singular pose."""
    x = poses(u)
    signs = np.sign(worst.determinants(x))
    known = np.flatnonzero(np.isfinite(signs))
    flipped = known[signs[known] != signs[known[0]]]
    if len(flipped):
        raise UnboundedError(worst.robot, _crossing(worst, x[known[0]], x[flipped[0]]), "det K changes its sign")
    ((best, *_),) = (
        sorted(found, key=lambda o: -o.value)
        for found in _polished(lambda p, k: worst.log_condition(poses(p)), u, worst.log_condition(x)[:, None], seed)
    )
    if best.value > np.log10(SINGULAR):
        raise UnboundedError(worst.robot, poses(best.point[None])[0], f"condition number {10**best.value:.3g}")
    return float(10.0**best.value)


def _check_edge(worst: Worst, x: Any, fine: Any) -> None:
    """Raises where the edge of reach lies in the envelope and is singular: a leg is stretched."""
    if fine.all():
        return
    outside = x[~fine][0]
    inside = x[fine][np.argmin(np.abs(x[fine] - outside).sum(axis=1))]
    for _ in range(60):
        middle = 0.5 * (inside + outside)
        reached = np.isfinite(worst.speeds(middle[None])).all()
        inside, outside = (middle, outside) if reached else (inside, middle)
    if worst.log_condition(inside[None])[0] > np.log10(SINGULAR) - 1.0:
        share = f"{100.0 * (1.0 - fine.mean()):.3g} % of the poses are out of reach"
        raise UnboundedError(worst.robot, inside, f"the edge of reach; {share}")


def _crossing(worst: Worst, a: Any, b: Any) -> Any:
    """A pose between two at which det K is about zero."""
    sign = np.sign(worst.determinants(a[None]))[0]
    for _ in range(50):
        middle = 0.5 * (a + b)
        here = np.sign(worst.determinants(middle[None]))[0]
        a, b = (middle, b) if here == sign else (a, middle)
    return 0.5 * (a + b)
