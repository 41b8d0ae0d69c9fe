"""Forward kinematics of one robot, made ready: the quick program, and how a path is followed where it does not do."""

from __future__ import annotations

import threading
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from gough.graph import Graph, Input, record
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.forward.advance import Certified
from gough.kinematics.forward.distance import distance_legs
from gough.kinematics.forward.reading import RobotReadings, verdict_at
from gough.kinematics.forward.step import Followed, Step, checked_step, follow
from gough.kinematics.sampled_call import HUGE
from gough.kinematics.status import Status, Verdict
from gough.robot import Robot
from gough.run import Program
from gough.run.bound import Bound


class Solver:
    """Forward kinematics of a robot.

    Attributes:
        robot: Whose.
        readings: Its displacements over configurations.
        certified: Its equations with a certificate, or None where legs are not distance legs.
        q_input, guess_input: What the solver is given.
        home: (n,) the guess by default.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.readings = RobotReadings(robot)
        legs = distance_legs(robot)
        self.certified = None if legs is None else Certified(robot, legs)
        self._local = threading.local()
        self.q_input = Input((len(robot.actuators),), name="q")
        self.guess_input = Input((robot.dof,), name="guess")
        self.home = np.array(robot.platform.home, dtype=float)

    @cached_property
    def graph(self) -> Graph | None:
        """From guess and displacements q to pose, residual and whether that is sound."""
        n, m = self.robot.dof, len(self.robot.actuators)
        return None if self.certified is None else record(self.certified.quick, guess=n, q=m)

    @cached_property
    def quick(self) -> Program | None:
        """The program of `graph`, for many samples."""
        return None if self.graph is None else Program(self.graph)

    @property
    def quick_one(self) -> Bound | None:
        """The same for one sample on this thread's own buffers."""
        return self._mine("quick", self.graph)

    @cached_property
    def _onward_graph(self) -> Graph | None:
        size, m = Configuration(self.robot).size, len(self.robot.actuators)
        return None if self.certified is None else record(self.certified.onward, c=size, q=m, left=m)

    @cached_property
    def _onward(self) -> Program | None:
        return None if self._onward_graph is None else Program(self._onward_graph)

    def _mine(self, name: str, graph: Graph | None) -> Bound | None:
        """The program of a graph for one sample, on buffers of this thread and on narrow vectors, which are quicker."""
        try:
            found: Bound | None = getattr(self._local, name)
        except AttributeError:
            found = None if graph is None else Program(graph, width=2).bind()
            setattr(self._local, name, found)
        return found

    def step(self, c: Any, q: Any, left: Any) -> Step:
        """A step along the path of N samples."""
        if self._onward is None:
            return checked_step(self.readings, c, q, left)
        found = self._onward(c=c, q=q, left=left)
        return Step(found["c"], found["share"], found["step"], found["arrived"], found["kept"], found["plain"])

    def coordinates(self, c: Any) -> Any:
        """(N, n) platform coordinates of configurations c (N, size)."""
        return charts(self.robot)[1](c=np.ascontiguousarray(c))

    def follow(self, x: Any, q: Any) -> tuple[Followed, Any]:
        """Paths from guesses x (N, n) to displacements q (N, actuators): their ends, and what is missing of q (N,).

        Numbers that overflow lead nowhere: their status is OVERFLOW.
        """
        count = len(x)
        huge = largest(x, q) > HUGE
        x, q = np.where(huge[:, None], self.home, x), np.where(huge[:, None], 0.0, q)
        c = charts(self.robot)[0](x=np.ascontiguousarray(x))
        here, _, reached = self.readings.at(c)
        left = self.readings.way(here, q)
        path = Followed(
            c,
            np.full(count, int(Status.GUESS_OUT_OF_REACH)),
            np.zeros(count),
            np.zeros(count, dtype=int),
            np.full(count, -1),
            np.zeros(count, dtype=bool),
        )
        path.status[huge] = Status.OVERFLOW
        k = np.flatnonzero(reached & ~huge)
        if len(k):
            one = self._mine("onward", self._onward_graph)
            found = follow(self.step, c[k], q[k], left[k], self.readings.length, one)
            for name in Followed.__slots__:
                getattr(path, name)[k] = getattr(found, name)
        ends = path.status == Status.FINE
        missing = np.full(count, np.nan)
        if ends.any():
            missing[ends] = np.abs(self.readings.way(self.readings.at(path.c[ends])[0], q[ends])).max(axis=1)
        unsure = np.flatnonzero(ends & ~path.plain)
        if len(unsure):
            path.status[unsure] = verdict_at(self.robot, path.c[unsure]).status
        return path, missing

    def verdict(self, path: Followed, x: Any, q: Any) -> Verdict:
        """Statuses of paths from x to q; where one ends early the share of it, where the guess is no pose by how much.

        Where numbers overflow, the amount is the largest of them.
        """
        legs = self.robot.actuator_legs
        leg = np.where(path.actuator >= 0, np.array(legs)[path.actuator], -1)
        amount = np.where(path.status > Status.NEAR_SINGULAR, path.share, 0.0)
        amount = np.where(path.status == Status.OVERFLOW, largest(x, q), amount)
        astray = np.flatnonzero(path.status == Status.GUESS_OUT_OF_REACH)
        if len(astray):
            found = verdict_at(self.robot, path.c[astray])
            leg[astray], amount[astray] = found.leg, found.amount
        return Verdict(path.status, leg, amount)


def largest(x: Any, q: Any) -> Any:
    """(N,) size of the largest number of each guess and its displacements."""
    return np.maximum(np.abs(x).max(axis=1), np.abs(q).max(axis=1))


@lru_cache(maxsize=64)
def solver_of(robot: Robot) -> Solver:
    """The solver of a robot, made once."""
    return Solver(robot)
