"""The best design: before and after, its active limits, how many starts agree, and the Pareto front."""

from __future__ import annotations

import math
from dataclasses import asdict, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import GoughError, NumericalError
from gough.graph import Array
from gough.kinematics.moved_home import with_home
from gough.kinematics.programs import characteristic_length
from gough.motion import State
from gough.optimisation.minimax import Optimum, optimum_at
from gough.optimisation.own_limits import exceeded_own
from gough.optimisation.reached import Reached, reached
from gough.optimisation.read import Wanted
from gough.optimisation.rows import OF_TASK, Judged, sign_of
from gough.robot import Robot, RobotError
from gough.table import Block, Result, Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gough.optimisation.proof import Proof

AGREE = 1e-4
"""Relative difference of objectives below which two starts agree."""


class InfeasibleDesign(GoughError):
    """No design within the bounds keeps all limits.

    Attributes:
        nearest: The design that misses them least.
    """

    exit_code = 1

    def __init__(self, nearest: Optimum, far: str = "") -> None:
        """The line made from the design, and from poses that are far from home, if any."""
        self.nearest = nearest
        hint = "widen the bounds or that limit"
        if far:
            hint = f"poses are not relative to home: {far}?"
        elif nearest.worst == "reach":
            hint = "are the poses about home, in m and rad? numbers may carry a unit"
        share = nearest.violated
        amount = f"{100.0 * share:.3g} %" if share < 10.0 else f"{share:.3g} times its size"
        super().__init__(
            "optimise: no design within the bounds keeps all limits: "
            f"the nearest misses {nearest.worst} by {amount}; {hint}"
        )


class NotProved(GoughError):
    """A design of which it must be proved that it has no singularity, and is not.

    Attributes:
        found: The design.
    """

    exit_code = 1

    def __init__(self, found: Optimised) -> None:
        """The line made from the design."""
        self.found = found
        why = "; ".join(found.proof.remarks[:1]) if found.proof is not None else ""
        super().__init__(
            f"optimise: regular: not proved of the best design ({why}); state a limit such as singular = 0.05 too"
        )


class Optimised(Result):
    """The best design.

    Attributes:
        best: Best of all starts.
        found: From every start.
        front: Designs between two objectives, the best of the first one first; empty for one objective.
        interrupted: Whether it was ended early: the best so far.
        others: The best designs of other machines, where several were asked for.
        proof: What is proved of the best design, where asked for.
    """

    wanted: Wanted = field(repr=False)
    judged: Judged = field(repr=False)
    best: Optimum = field(repr=False)
    found: tuple[Optimum, ...] = field(repr=False)
    front: tuple[Optimum, ...] = field(repr=False)
    interrupted: bool = False
    others: tuple[Optimised, ...] = field(default=(), repr=False)
    proof: Proof | None = field(default=None, repr=False)

    INDEX, DRAWN, LAYOUT, UNDER = "number", ("after",), "rows", "numbers"

    @cached_property
    def robot(self) -> Robot:
        """The best design."""
        return self.design(self.best)

    def length(self, one: Optimum) -> float | None:
        """What condition numbers and singular values of a design count turns by [m]; None where none is needed."""
        turning = {c.turns for c in self.wanted.robot.platform.coordinates}
        if "K" not in self.wanted.needs or turning != {True, False}:
            return None
        return float(self.wanted.variables.length(one.p))

    def changes(self, one: Optimum) -> dict[str, float]:
        """Numbers of a design by their addresses, with the length that turns are counted by where it is not its own."""
        own, found = self.wanted.robot, self.wanted.variables.changes([float(v) for v in one.p])
        length = self.length(one)
        if length is None or math.isclose(characteristic_length(own.replace(found)), length, rel_tol=1e-12):
            return found
        return found | {"length": length}

    def design(self, one: Optimum) -> Robot:
        """The robot of a design, its home moved with the task.

        Home stays where the legs do not close at the moved one, where angles are limited, which are from home, and
        where it is itself a free number.
        """
        variables, own = self.wanted.variables, self.wanted.robot
        robot = own.replace(changes) if (changes := self.changes(one)) else own
        home = tuple(v + s for v, s in zip(own.platform.home, variables.shift(one.p), strict=True))
        varied = robot.platform.home != own.platform.home
        if home == own.platform.home or varied or "angle" in self.wanted.limits:
            return robot
        try:
            return with_home(robot, home)
        except (NumericalError, RobotError):
            return robot

    @cached_property
    def before(self) -> float:
        """The objective with the robot's own numbers; not a number where it has none."""
        wanted, name = self.wanted, self.judged.objective
        own = np.array([v.nominal for v in wanted.variables.all])
        if name in wanted.numeric:
            return float(wanted.numeric[name](wanted.robot))
        if name in OF_TASK:
            return self._task_before(own, wanted.variables.place(OF_TASK[name]))
        return self.judged.value(wanted.states, own)

    def _task_before(self, own: Array, place: int) -> float:
        """The largest box or the least time of the robot as it is, by halving."""
        variables, sign = self.wanted.variables, sign_of(self.judged.objective)

        def fits(value: float) -> bool:
            p = own.copy()
            p[place] = value
            return optimum_at(self.judged, self.wanted.states, p).feasible

        ends = (float(variables.low[place]), float(variables.high[place]))
        good, bad = ends if sign < 0.0 else ends[::-1]
        if not fits(good):
            return float("nan")
        if fits(bad):
            return bad
        for _ in range(40):
            middle = 0.5 * (good + bad)
            good, bad = (middle, bad) if fits(middle) else (good, middle)
        return good

    @property
    def value(self) -> float:
        """The objective of the best design."""
        return self.best.value

    def unit_of(self, objective: str) -> str:
        """SI unit of an objective, or nothing."""
        turning = self.wanted.robot.actuators[0].turns
        units = {"force": "N m" if turning else "N", "power": "W", "speed": "rad/s" if turning else "m/s"}
        known = {"stiffness": "N/m", "pose error": "m", "task time": "of its own", "largest box": "of its own"}
        return known.get(objective) or units.get(objective.split()[-1]) or ""

    @property
    def gain(self) -> float:
        """Relative change of the objective."""
        return self.value / self.before - 1.0

    @cached_property
    def reached(self) -> tuple[Reached, ...]:
        """What the best design reaches of each limit."""
        return tuple(reached(self.judged, self.wanted.states, self.best.p))

    def exceeded(self, one: Optimum) -> tuple[Reached, ...]:
        """What a design reaches of limits of the robot's own file that it exceeds over the task."""
        variables, states = self.wanted.variables, self.wanted.states
        x = np.array(variables.moved(states.x.T, one.p), dtype=float).T.copy()
        pace = float(variables.pace(one.p))
        moved = State(x, states.xd * pace, states.xdd * pace**2, wrench=states.wrench)
        return tuple(exceeded_own(self.design(one), moved))

    @property
    def agreeing(self) -> int:
        """How many starts came to the best design's objective."""
        return sum(1 for one in self.found if one.feasible and abs(one.value - self.value) <= AGREE * abs(self.value))

    @property
    def local(self) -> tuple[Optimum, ...]:
        """Other designs that starts came to, the best of each objective, in order."""
        kept: list[Optimum] = []
        sign = sign_of(self.judged.objective)
        for one in sorted((o for o in self.found if o.feasible), key=lambda o: sign * o.value):
            if all(abs(one.value - other.value) > AGREE * abs(other.value) for other in [self.best, *kept]):
                kept.append(one)
        return tuple(kept)

    def improves(self, one: Optimum) -> bool:
        """Whether a design is better than the one before; true of all where limits made even the best worse."""
        sign = sign_of(self.judged.objective)
        return not sign * self.before > sign * self.value or sign * one.value < sign * self.before

    @property
    def second(self) -> tuple[float, ...]:
        """Of the front, the second objective of each design."""
        name = self.wanted.objectives[-1]
        return tuple(self.judged.value(self.wanted.states, one.p, name) for one in self.front)

    def facts(self) -> dict[str, Any]:
        """Facts that go with the free numbers: the objective, the search, the limits, and other designs."""
        variables = self.wanted.variables
        return {
            "robot": self.wanted.robot.name,
            "objective": self.judged.objective,
            "before": self.before,
            "after": self.value,
            "gain": self.gain,
            "states": len(self.wanted.states),
            "states_that_mattered": list(self.best.states),
            "starts": len(self.found),
            "agreeing": self.agreeing,
            "local": [one.value for one in self.local],
            "active": [{"name": name, "multiplier": value} for name, value in self.best.active],
            "length": self.length(self.best),
            "home": dict(zip(variables.coordinates, self.robot.platform.home, strict=True)),
            "reached": [asdict(one) for one in self.reached],
            "interrupted": self.interrupted,
            "others": [{"robot": one.wanted.robot.name, "value": one.value} for one in self.others],
            "proof": None if self.proof is None else self.proof.to_dict(),
            "front": [[one.value, other] for one, other in zip(self.front, self.second, strict=True)]
            if self.front
            else [],
            "designs": self.designs.to_dict()["designs"] if self.front else [],
        }

    def _blocks(self) -> list[Block]:
        """A row per free number: before, after, bounds, and whether the design is at one."""
        variables = self.wanted.variables
        p, low, high = self.best.p, variables.low, variables.high
        least, greatest = (distance <= 1e-6 * (high - low) for distance in (p - low, high - p))
        return [
            Block("number", np.array(variables.names)),
            Block("before", np.array([v.nominal for v in variables.all])),
            Block("after", p),
            Block("least", low),
            Block("greatest", high),
            Block("unit", np.array([v.unit for v in variables.all])),
            Block("at", np.where(least, "least", np.where(greatest, "greatest", ""))),
        ]

    @property
    def designs(self) -> Table:
        """A row per design of the front, or the best one alone: its objectives and all its free numbers."""
        variables, objectives = self.wanted.variables, self.wanted.objectives
        chosen = self.front or (self.best,)
        values = [[one.value for one in chosen], self.second][: len(objectives) if self.front else 1]
        p = np.array([one.p for one in chosen])
        blocks = [
            Block("design", np.arange(1, len(chosen) + 1)),
            *(Block(name, np.array(v), self.unit_of(name)) for name, v in zip(objectives, values, strict=False)),
            *(Block(v.name, p[:, k], v.unit) for k, v in enumerate(variables.all)),
        ]
        facts = {"robot": self.wanted.robot.name}
        return Table(len(chosen), tuple(blocks), facts, index="design", layout="rows", under="designs")

    def figure(self) -> Figure:
        """The front between two objectives with drawings of some of its designs; of one, where the starts came to."""
        from gough.optimisation.optimum_plots import picture_of

        return picture_of(self)
