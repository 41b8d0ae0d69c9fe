"""Forward kinematics of one robot, made ready: the quick program, and how a path is followed where it does not do."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any

import numpy as np

from gough.graph import Array, Graph, Input, Vector, array, record
from gough.kinematics.configuration import Configuration, charts
from gough.kinematics.forward.certified_path import GOING, Path, follow_path
from gough.kinematics.forward.certified_step import Certified
from gough.kinematics.forward.distance_equations import distance_legs
from gough.kinematics.forward.guarded_step import Guarded, displacements
from gough.kinematics.forward.step import MOST_STEPS, Followed, follow, nowhere
from gough.kinematics.leg import REACH_SLACK
from gough.kinematics.programs import characteristic_length
from gough.kinematics.robot_pose import ways_of
from gough.kinematics.sampled_call import HUGE
from gough.kinematics.singularity import stretched
from gough.kinematics.status import Status, Verdict, condition_number, judge
from gough.robot import Mechanism, by_mechanism
from gough.run import Program
from gough.run.bound import Bound

FEW_STEPS = 4
"""Steps in which paths are followed side by side; then those that have not ended, in three times as many, and so on."""
ALONE = 1
"""Paths that are followed one by one, on narrow vectors."""
_BEGINNING = np.array(Path.beginning(0, 0)[2:], dtype=float)
_OUTCOME = Path._fields.index("outcome") - 2
OUTCOMES = np.array([Status.NOT_CONVERGED, Status.FINE, Status.PATH_FOLDS, Status.NOT_CONVERGED], dtype=int)
"""Status of a path by its outcome."""


@by_mechanism(64)
def reading_program(robot: Mechanism) -> Program:
    """From c (m,) to displacements q, K in free rates, and what the status of the pose is computed from."""
    space, ways = Configuration(robot), ways_of(robot)

    def equations(c: Vector) -> dict[str, Any]:
        pose = space.pose(ways, c)
        return {
            "q": displacements(pose),
            "K": pose.jacobian(),
            "short": array([leg.closure.short for leg in pose.legs]),
            "converged": [leg.closure.converged for leg in pose.legs],
        }

    return Program(record(equations, c=space.size))


@by_mechanism(64)
def moving_program(robot: Mechanism) -> Program:
    """From c (m,) and a displacement y (n,) along the free rates to c."""
    space = Configuration(robot)
    return Program(record(lambda c, y: {"out": space.moved(c, y)}, c=space.size, y=robot.dof))


def verdict_at(robot: Mechanism, c: Array) -> Verdict:
    """Statuses of the poses at configurations c (N, m)."""
    found = reading_program(robot)(c=c)
    x = np.ascontiguousarray(charts(robot)[1](c=c))
    verdict = judge(found["short"], found["converged"], condition_number(robot, found["K"]), robot, x)
    verdict.status[stretched(robot, found["K"]) & (verdict.status == Status.FINE)] = Status.NEAR_SINGULAR
    return verdict


class RobotReadings:
    """Displacements over configurations of a robot, as `checked_step` follows them.

    Attributes:
        robot: Any.
        turns: (actuators,) whether an actuator turns.
        sizes: (n,) by which displacements are measured.
        length: The robot's [m].
    """

    def __init__(self, robot: Mechanism) -> None:
        self.robot = robot
        self.turns = np.array([j.turns for j in robot.actuators])
        self.length = characteristic_length(robot)
        self.sizes = np.array([self.length if c.turns else 1.0 for c in robot.platform.coordinates])

    def at(self, c: Array) -> tuple[Any, Any, Any]:
        """(q (N, actuators), K (N, actuators, n), (N,) whether all legs reach) at c (N, m)."""
        found = reading_program(self.robot)(c=np.ascontiguousarray(c))
        return found["q"], found["K"], (found["converged"] & (found["short"] <= REACH_SLACK)).all(axis=1)

    def way(self, here: Array, there: Array) -> Array:
        """(N, actuators) from displacements to displacements; an actuator that turns takes the shorter way."""
        apart = there - here
        if self.turns.any():
            apart = np.where(self.turns, apart - 2.0 * np.pi * np.round(apart / (2.0 * np.pi)), apart)
        return apart

    def moved(self, c: Array, y: Array) -> Array:
        """(N, m) configurations after displacements y (N, n) along the free rates."""
        return moving_program(self.robot)(c=np.ascontiguousarray(c), y=np.ascontiguousarray(y))


class Solver:
    """Forward kinematics of a robot.

    Attributes:
        robot: Whose.
        readings: Its displacements over configurations.
        certified: Its equations with a certificate, or None where legs are not distance legs.
        q_input, guess_input: What the solver is given.
        home: (n,) the guess by default.
    """

    def __init__(self, robot: Mechanism) -> None:
        self.robot = robot
        self.readings = RobotReadings(robot)
        legs = distance_legs(robot)
        self.certified = None if legs is None else Certified(robot, legs)
        self._local = threading.local()
        self.q_input = Input((len(robot.actuators),), name="q")
        self.guess_input = Input((robot.dof,), name="guess")
        self.home = np.array(robot.platform.home, dtype=float)

    @cached_property
    def graph(self) -> Graph:
        """From guess and displacements q to pose, residual and whether that is sound."""
        n, m = self.robot.dof, len(self.robot.actuators)
        certified = self.certified
        quick = Guarded(self.robot).quick if certified is None or certified.idle else certified.quick
        return record(quick, guess=n, q=m)

    @cached_property
    def quick(self) -> Program:
        """The program of `graph`, for many samples."""
        return Program(self.graph)

    @property
    def quick_one(self) -> Bound:
        """The same for one sample on this thread's own buffers."""
        return self._mine("quick", self.graph)

    @cached_property
    def _path_graph(self) -> Graph:
        """From a path and displacements q to the path some steps on; see `follow_path`."""
        certified = self.certified
        assert certified is not None
        size, m = Configuration(self.robot).size, len(self.robot.actuators)

        def equations(c: Vector, left: Vector, at: Vector, q: Vector, tries: Vector) -> dict[str, Any]:
            path = follow_path(certified, Path(c, left, *at), q, MOST_STEPS, tries=tries[0])
            return {"c": path.c, "left": path.left, "at": array(path[2:])}

        return record(equations, c=size, left=m, at=len(Path._fields) - 2, q=m, tries=1)

    @cached_property
    def _path(self) -> Program:
        return Program(self._path_graph)

    def _mine(self, name: str, graph: Graph) -> Bound:
        """The program of a graph for one sample, on buffers of this thread and on narrow vectors, which are quicker."""
        try:
            found: Bound = getattr(self._local, name)
        except AttributeError:
            found = Program(graph, width=2).bind()
            setattr(self._local, name, found)
        return found

    @cached_property
    def _beginning(self) -> Program:
        """From guess and displacements q to where a path begins."""
        n, m = self.robot.dof, len(self.robot.actuators)
        return Program(record((self.certified or Guarded(self.robot)).beginning, x=n, q=m))

    def _follow(self, c: Array, q: Array, left: Array) -> tuple[Followed, Array]:
        """The ends of paths from c (N, m) with `left` (N, actuators) to go to q (N, actuators), and what is missing."""
        if self.certified is None:
            path = follow(self.readings, c, q, left)
            return path, np.abs(self.readings.way(self.readings.at(path.c)[0], q)).max(axis=1)
        at = np.full((len(c), len(_BEGINNING)), _BEGINNING)
        found = self._path(c=c, left=left, at=at, q=q, tries=np.full((len(c), 1), float(FEW_STEPS)))
        c, left, at = found["c"], found["left"], found["at"]
        rows, tries = np.flatnonzero(at[:, _OUTCOME] == GOING), FEW_STEPS
        while len(rows) > ALONE and tries < MOST_STEPS:
            tries *= 3
            most = np.full((len(rows), 1), float(tries))
            found = self._path(c=c[rows], left=left[rows], at=at[rows], q=q[rows], tries=most)
            c[rows], left[rows], at[rows] = found["c"], found["left"], found["at"]
            rows = rows[at[rows, _OUTCOME] == GOING]
        for k in rows:
            one = self._mine("path", self._path_graph)
            given, end = one.inputs, one.outputs
            given["c"][:], given["left"][:], given["at"][:], given["q"][:] = c[k], left[k], at[k], q[k]
            given["tries"][:] = float(MOST_STEPS)
            one()
            c[k], at[k] = end["c"], end["at"]
        _, rest, steps, outcome, actuator, plain, residual = at.T
        status = OUTCOMES[outcome.astype(int)]
        return Followed(c, status, 1.0 - rest, steps.astype(int), actuator.astype(int), plain > 0.5), residual

    def coordinates(self, c: Array) -> Array:
        """(N, n) platform coordinates of configurations c (N, size)."""
        return charts(self.robot)[1](c=np.ascontiguousarray(c))

    def follow(self, x: Array, q: Array) -> tuple[Followed, Any]:
        """Paths from guesses x (N, n) to displacements q (N, actuators): their ends, and what is missing of q (N,).

        Numbers that overflow lead nowhere: their status is OVERFLOW.
        """
        count = len(x)
        huge = largest(x, q) > HUGE
        if huge.any():
            x, q = np.where(huge[:, None], self.home, x), np.where(huge[:, None], 0.0, q)
        start = self._beginning(x=np.ascontiguousarray(x), q=np.ascontiguousarray(q))
        c, left, reached = start["c"], start["left"], start["reached"]
        k = np.flatnonzero(reached & ~huge)
        if len(k) == count:
            path, missing = self._follow(c, q, left)
        else:
            path, missing = nowhere(c), np.full(count, np.nan)
            path.status[:] = np.where(huge, Status.OVERFLOW, Status.GUESS_OUT_OF_REACH)
            if len(k):
                found, missing[k] = self._follow(c[k], q[k], left[k])
                for name in Followed.__slots__:
                    getattr(path, name)[k] = getattr(found, name)
        ends = path.status == Status.FINE
        missing[~ends] = np.nan
        unsure = np.flatnonzero(ends & ~path.plain)
        if len(unsure):
            path.status[unsure] = verdict_at(self.robot, path.c[unsure]).status
        return path, missing

    def verdict(self, path: Followed, x: Array, q: Array) -> Verdict:
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


def largest(x: Array, q: Array) -> Array:
    """(N,) size of the largest number of each guess and its displacements."""
    return np.maximum(np.abs(x).max(axis=1), np.abs(q).max(axis=1))


@by_mechanism(64)
def solver_of(robot: Mechanism) -> Solver:
    """The solver of a robot, made once."""
    return Solver(robot)
