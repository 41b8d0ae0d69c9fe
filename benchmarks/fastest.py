"""The benchmark of fastest motions: `python -m benchmarks.fastest`.

Straight moves of the stewart under 25 N. Against toppra used by hand: its interpolation scheme, rows of torque from
three batched calls of Pinocchio's recursive Newton-Euler on the legs, 500 cells, no certificate; what it exceeds is
then found by `gough check`. And free paths against an independent collocation: CasADi with ipopt and its exact
Hessians on the same splines and steps, dynamics from `gough.to_casadi`. Programs are compiled already; times are of
the processor.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from benchmarks.peers.pinocchio_batched import PinocchioBatched
from benchmarks.timing import least_time
from gough.dynamics.contract import choose
from gough.dynamics.force_programs import Model, force_graph
from gough.graph import Array
from gough.timing.fastest import excess_of, motion_of
from gough.timing.free import FreeTask
from gough.timing.free_search import PER_SPAN
from gough.timing.geometry import way_of
from gough.timing.reachability import Profile
from gough.timing.spline_space import SplineSpace

FORCE = 25.0
LIMITS = {"force": FORCE, "speed": 1e3, "stroke": (0.5, 4.0), "distance": 0.0}
CELLS = 500
SPANS = 8


def moves(count: int) -> list[tuple[Array, Array]]:
    """Pairs of poses of the stewart."""
    home, rng = np.array(gough.load("stewart").platform.home), np.random.default_rng(3)
    size = np.array([0.3, 0.3, 0.25, 0.25, 0.2, 0.2])
    return [(home + size * rng.uniform(-1, 1, 6), home + size * rng.uniform(-1, 1, 6)) for _ in range(count)]


def by_hand(peer: PinocchioBatched, start: Array, end: Array) -> Profile:
    """toppra on a straight line, torques from Pinocchio."""
    import toppra
    from toppra.constraint import DiscretizationType, LinearConstraint, canlinear_colloc_to_interpolate

    grid = np.linspace(0.0, 1.0, CELLS + 1)
    x = start + grid[:, None] * (end - start)
    slope, still = np.tile(end - start, (len(x), 1)), np.zeros_like(x)
    c = peer(x, still, still)
    a, b = peer(x, still, slope) - c, peer(x, slope, still) - c

    class Torque(LinearConstraint):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.identical = True
            self.set_discretization_type(DiscretizationType.Interpolation)

        def compute_constraint_params(self, path: Any, gridpoints: Any) -> tuple[Any, ...]:
            F = np.concatenate([np.eye(6), -np.eye(6)])
            g = np.full(12, FORCE)
            return canlinear_colloc_to_interpolate(a, b, c, F, g, None, None, gridpoints, identical=True)

    class Line:
        path_interval = np.array([0.0, 1.0])
        dof = 6

    solver = toppra.algorithm.TOPPRA([Torque()], Line(), gridpoints=grid, solver_wrapper="seidel")
    _, rate, _ = solver.compute_parameterization(0.0, 0.0)
    z = np.asarray(rate, dtype=float) ** 2
    z[0] = z[-1] = 0.0
    return Profile(grid, z)


def collocated(robot: gough.Robot, space: SplineSpace, straight: Array, time: float) -> tuple[float, float]:
    """The least time in a space of splines by CasADi and ipopt [s], and the processor time that it took."""
    import casadi

    begin = process_time()
    force = gough.to_casadi(force_graph(Model(robot, choose("auto"))))
    u = np.linspace(0.0, 1.0, PER_SPAN * space.spans + 1)
    basis = space.basis(u)
    opti = casadi.Opti()
    points, T = opti.variable(space.free, robot.dof), opti.variable()
    ends = [casadi.DM(np.tile(pose, (2, 1))) for pose in (space.start, space.end)]
    full = casadi.vertcat(ends[0], points, ends[1])
    x, xd, xdd = (casadi.mtimes(casadi.DM(basis[k]), full) / T**k for k in range(3))
    for k in range(len(u)):
        opti.subject_to(opti.bounded(-FORCE, force(x[k, :].T, xd[k, :].T, xdd[k, :].T), FORCE))
    opti.minimize(T)
    opti.set_initial(points, straight)
    opti.set_initial(T, time)
    opti.solver("ipopt", {"print_time": False}, {"print_level": 0, "sb": "yes", "tol": 1e-8, "max_iter": 500})
    return float(opti.solve().value(T)), process_time() - begin


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All figures, against the goals."""
    robot = gough.load("stewart")
    peer = PinocchioBatched(robot)
    rows: dict[str, list[float]] = {k: [] for k in ("gough", "hand", "time", "hand time", "excess", "search", "ipopt")}
    spent: dict[str, list[float]] = {"search": [], "ipopt": []}
    for k, (start, end) in enumerate(moves(1 if quick else 10)):
        names = robot.coordinate_names
        motion = gough.Motion.to(
            robot, dict(zip(names, end, strict=True)), 1.0, start=dict(zip(names, start, strict=True))
        )
        for key, call in (
            ("gough", lambda motion=motion: gough.fastest(robot, motion, LIMITS)),
            ("hand", lambda start=start, end=end: by_hand(peer, start, end)),
        ):
            time, found = least_time(call, 1 if quick else rounds)
            rows["time" if key == "gough" else "hand time"].append(time)
            rows[key].append(found.duration)
        raced = motion_of(robot, way_of(robot, motion), found, "by hand")
        rows["excess"].append(100.0 * excess_of(gough.check(robot, raced, LIMITS), raced, robot))
        if k >= (1 if quick else 4):
            continue
        space = SplineSpace(start, end, SPANS)
        job = FreeTask(robot, motion, LIMITS, "time", space, 100)
        time, path = least_time(lambda job=job: job._searched(1.0, None), 1)
        spent["search"].append(time)
        value, took = collocated(robot, space, space.straight, 2.0 * path.duration)
        spent["ipopt"].append(took)
        rows["search"].append(path.value)
        rows["ipopt"].append(value)
    ratio = np.array(rows["gough"]) / np.array(rows["hand"]) - 1.0
    apart = np.abs(np.array(rows["search"]) / np.array(rows["ipopt"]) - 1.0)
    hand = f"by hand {1e3 * np.median(rows['hand time']):.0f} ms, not certified"
    note = f"median; by hand exceeds by up to {max(rows['excess']):.3f} %"
    goals = [
        Goal("fastest, with its certificate", float(np.median(rows["time"])), 1.0, "s", hand),
        Goal("motion time beyond toppra by hand", 100.0 * float(np.median(ratio)), 0.3, "%", note),
        Goal("spline against ipopt", 100.0 * float(apart.max()), 1.0, "%", f"{len(apart)} tasks"),
        Goal(
            "search of a free path",
            float(np.median(spent["search"])),
            float(np.median(spent["ipopt"])),
            "s",
            "ipopt, its derivatives included, as the goal",
        ),
    ]
    told = goal_rows(goals)
    return {"machine": machine(), "values": rows, "spent": spent, "goals": told}


def report(figures: Figures) -> str:
    """The goals, and the times of all moves."""
    lines = goal_lines(figures["goals"])
    for name in ("gough", "hand", "search", "ipopt"):
        lines.append(f"{name} [s]: " + ", ".join(f"{value:.4f}" for value in figures["values"][name]))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("fastest", __doc__, 3, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
