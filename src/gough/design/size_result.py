"""What an envelope requires of the actuators, compared with their stated limits."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from gough.analysis.limits import Bound, actuator_bounds
from gough.design.branch_and_bound import Proof
from gough.design.envelope import Envelope
from gough.design.worst import Case, Worst
from gough.graph import Array
from gough.robot import Mechanism, Robot
from gough.robot.leg_values import ROUND_OFF
from gough.table import Result, Table, column, computed


@dataclass(frozen=True, slots=True)
class Requirement:
    """The worst of one quantity of one actuator.

    Attributes:
        kind: "force+" and "force-" (largest each way, both as sizes of a signed force), "speed" or "power".
        actuator: Index.
        value: [N or N m, per s, W]; a force- is given with its sign.
        pose: (n,) where.
        optima: Values and poses of all local maxima found, largest first.
        case: Where in the envelope, of a force that keeps to limits; None where the pose tells it.
    """

    kind: str
    actuator: int
    value: float
    pose: Array
    optima: tuple[tuple[float, Any], ...]
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class Margin:
    """How near an envelope comes to where no forces within the limits do.

    Attributes:
        value: The least found, exact at its pose [N]: below 0 there are none; NaN where an actuator has no limit.
        pose: (n,) where.
        without: Share of the states that were looked at without forces.
    """

    value: float
    pose: Array
    without: float

    @property
    def feasible(self) -> bool:
        """Whether every state that was looked at has forces."""
        return self.without == 0.0 and not self.value < 0.0


class SizeResult(Result):
    """What an envelope requires of the actuators.

    Attributes:
        robot, envelope: The question.
        actuators: Names.
        requirements: By kind and actuator.
        unreachable: Share of the pose box that the legs do not reach.
        condition: Largest condition number met.
        seeds: Seeds of the searches; each found the best values listed in `by_seed`.
        by_seed: (seeds, requirements) best value of each search.
        poses: How many poses were looked at before the polish.
        exact: See `Worst.exact`; otherwise forces are upper bounds.
        q_range: (m, 2) smallest and largest of each actuator over the poses that are reached [m or rad].
        parasitic: (k, 2) smallest and largest way of each dependent coordinate from home over those poses [m or rad].
        proof: Bounds that no pose exceeds, where requested; see `gough.design.prove_envelope`.
        margin: Margin of forces that keep to limits, which are the largest found; None of others.
    """

    robot: Robot
    envelope: Envelope
    actuators: tuple[str, ...] = column(name="actuator")
    requirements: tuple[Requirement, ...]
    unreachable: float
    condition: float
    seeds: tuple[int, ...]
    by_seed: Array
    poses: int
    exact: bool
    q_range: Array = column("end", "displacement")
    parasitic: Array
    _worst: Worst = field(repr=False)
    proof: Proof | None = None
    margin: Margin | None = None

    COLUMNS = ("actuators", "force", "speed", "power", "q_range")
    INDEX, DRAWN, UNDER = "actuator", ("force", "speed", "power", "q_range"), ""

    def of(self, kind: str) -> Array:
        """(m,) values of a kind, one per actuator."""
        return np.array([r.value for r in self.requirements if r.kind == kind])

    @property
    @computed(quantity="force")
    def force(self) -> Array:
        """(m,) largest force by size."""
        return np.maximum(np.abs(self.of("force+")), np.abs(self.of("force-")))

    @property
    @computed(quantity="rate")
    def speed(self) -> Array:
        """(m,) largest speed by size."""
        return self.of("speed")

    @property
    @computed(quantity="W")
    def power(self) -> Array:
        """(m,) largest power by size."""
        return self.of("power")

    @property
    def exceeded(self) -> tuple[Excess, ...]:
        """The robot's own limits of stroke, speed, force and power that the envelope goes beyond."""
        force = np.stack([self.of("force-"), self.of("force+")], axis=1)
        speed, power = (np.stack([-values, values], axis=1) for values in (self.speed, self.power))
        return exceeded(self.robot, {"stroke": self.q_range, "speed": speed, "force": force, "power": power})

    @property
    def dry_friction(self) -> Array:
        """(m,) of the actuators, none where nothing moves."""
        return self._worst.coulomb

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
                case = requirement.case or self._worst.case(requirement.pose, requirement.actuator, sign)[1]
                found.append((requirement, case))
        return found

    @property
    def cases_table(self) -> Table:
        """A row per worst force case: its state, payload, wrench, all actuator forces and joint reactions."""
        from gough.design.cases import case_table

        return case_table(self)

    def facts(self) -> dict[str, Any]:
        """Facts that go with the table: how it was searched, what is exceeded, the poses of all requirements."""
        return {
            "robot": self.robot.name,
            "actuators": list(self.actuators),
            "limits_stated": list(limited(self.robot)),
            "exceeded": [asdict(e) | {"actuator": self.actuators[e.actuator]} for e in self.exceeded],
            "unreachable": self.unreachable,
            "condition": self.condition,
            "poses": self.poses,
            "seeds": list(self.seeds),
            "spread_between_seeds": self.spread,
            "exact": self.exact,
            "parasitic": dict(zip(self.robot.dependent_names, self.parasitic.tolist(), strict=True)),
            "margin": None if self.margin is None else _plain_margin(self.robot, self.margin),
            "proof": None if self.proof is None else self.proof.to_dict(),
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


def _plain_margin(robot: Mechanism, margin: Margin) -> dict[str, Any]:
    assert robot.actuation is not None
    known = {"value": margin.value, "pose": margin.pose.tolist()} if np.isfinite(margin.value) else {"value": None}
    return {"criterion": robot.actuation.criterion, **known, "without_forces": margin.without}


LIMITED = ("stroke", "speed", "force", "power")


@dataclass(frozen=True, slots=True)
class Excess:
    """A stated limit that an envelope goes beyond.

    Attributes:
        kind: "stroke", "speed", "force" or "power".
        actuator: Index.
        value, limit: [m or rad, per s, N or N m, W]; both signed.
    """

    kind: str
    actuator: int
    value: float
    limit: float


def limited(robot: Mechanism) -> tuple[str, ...]:
    """Kinds of limits that the robot states for an actuator."""
    return tuple(kind for kind in LIMITED if any(bound for _, bound in actuator_bounds(robot, kind, {})))


def exceeded(robot: Mechanism, ranges: dict[str, Any]) -> tuple[Excess, ...]:
    """The limits that are exceeded, by kind and actuator.

    Args:
        robot: With limits of its own.
        ranges: (m, 2) smallest and largest value of each actuator by kind.
    """
    found = []
    for kind in LIMITED:
        for k, (_, bound) in enumerate(actuator_bounds(robot, kind, {})):
            if bound is not None:
                found += [Excess(kind, k, *end) for end in _beyond(bound, ranges[kind][k])]
    return tuple(found)


def _beyond(bound: Bound, ends: Array) -> list[tuple[float, float]]:
    """The worst value and its limit, if it is beyond."""
    low, high = float(ends[0]), float(ends[1])
    sides = [(bound.low - low, low, bound.low), (high - bound.high, high, bound.high)]
    excess, value, limit = max(side for side in sides if np.isfinite(side[2]))
    return [(value, limit)] if excess > ROUND_OFF * max(abs(value), abs(limit)) else []
