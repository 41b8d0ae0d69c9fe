"""What the benchmark of the dynamics times, and the check of every result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks import stewart_states
from benchmarks.peers.mujoco_batched import MujocoBatched
from benchmarks.peers.pinocchio_batched import PinocchioBatched
from benchmarks.peers.pinocchio_textbook import PinocchioTextbook
from benchmarks.stewart_states import Array, States, worst_error
from benchmarks.timing import Timing, Variant, interleaved
from gough import State
from gough.dynamics import FORMULATIONS, Formulation, inverse_dynamics
from gough.dynamics.contract import DEFAULT
from gough.dynamics.force_programs import Model, force_graph, force_program
from gough.dynamics.virtual_work import VirtualWork
from gough.graph import Count, count
from gough.kinematics import load
from gough.robot import Robot
from gough.run import Program

ROBOTS = ("stewart", "hexapod", "sru")

AGREEMENT = 1e-11
"""Of all forces, relative to the largest of each state. MuJoCo counts 1e-14 kg m^2 more about every axis."""

GOUGH, PUBLIC = "gough, forces into a given array", "gough.inverse_dynamics"
READ = "gough.inverse_dynamics, q, qd, power read"
TEXTBOOK = "Pinocchio, textbook"
LOOP, CALL, GROUPS = (
    "Pinocchio, batched, rnea per sample",
    "Pinocchio, batched, rneaInParallel on one thread",
    "Pinocchio, batched, rnea on 4 machines in one tree",
)
INVERSE, STAGES = "MuJoCo, batched, mj_inverse", "MuJoCo, batched, stages of mj_inverse"
PEERS = (TEXTBOOK, INVERSE, STAGES, LOOP, CALL, GROUPS)

_SPREADS = {
    "hexapod": [0.02] * 3 + [0.08] * 3,
    "sru": [0.04] * 3 + [0.1] * 3,
    "rps3": [0.05, 0.2, 0.2],
    "par4": [0.1, 0.1, 0.05, 0.5],
    "cable8": [0.5] * 3 + [0.05] * 3,
}

_PACES = {"cable8": 0.1}
"""Share of the others' rates and accelerations: cables that only hang can do no more."""

MACHINES = {"rps3": 0.3, "par4": 0.5, "cable8": 0.7}
"""Machines that the peers have no batched way for, and what a sample of their forces may take at most [us]."""

Call = Callable[[], Array]


def states(robot: Robot, count: int) -> States:
    """x, xd, xdd (count, n): the reference motion and the workspace around it, or random states around home."""
    if robot.name not in _SPREADS:
        return stewart_states.states(count)
    rng = np.random.default_rng(2009)
    spread = np.array(_SPREADS[robot.name])
    shape = (count, robot.dof)
    x = np.array(robot.platform.home) + spread * rng.uniform(-1, 1, shape)
    pace = _PACES.get(robot.name, 1.0)
    return x, pace * rng.uniform(-1, 1, shape), pace * rng.uniform(-4, 4, shape)


def quickest(robot: Robot) -> Program:
    """The program of the forces alone by the robot's default formulation, the one with the fewest operations."""
    return force_program(Model(robot, DEFAULT))


def program_call(program: Program, motion: States) -> Call:
    """A gough program on one core, bound to buffers of ours."""
    x, xd, xdd = motion
    out = np.empty((len(x), *program.graph.outputs[0].shape))
    bound = program.bind(len(x), x=x, xd=xd, xdd=xdd, out=out)

    def call() -> Array:
        bound()
        return out

    return call


def contestants(robot: Robot, samples: int, textbook_samples: int) -> dict[str, tuple[Call, int]]:
    """For each name the call and its number of samples; everything from x, xd, xdd to the forces is in the call."""
    motion = states(robot, samples)
    short: Any = tuple(values[:textbook_samples] for values in motion)
    peers: dict[str, Any] = {
        INVERSE: MujocoBatched(robot),
        STAGES: MujocoBatched(robot, stages=True),
        LOOP: PinocchioBatched(robot, copies=1),
        CALL: PinocchioBatched(robot, parallel=True),
        GROUPS: PinocchioBatched(robot),
    }
    textbook = PinocchioTextbook(robot)
    return {
        TEXTBOOK: (lambda: textbook(*short), len(short[0])),
        **{name: (_bound(peer, motion), samples) for name, peer in peers.items()},
        READ: (partial(_read, robot, motion), samples),
        PUBLIC: (partial(_public, robot, motion), samples),
        GOUGH: (program_call(quickest(robot), motion), samples),
    }


def _bound(peer: Any, motion: States) -> Call:
    return lambda: peer(*motion)


def check(named: dict[str, tuple[Call, int]], expected: Array) -> dict[str, float]:
    """Worst disagreement of each contestant with the expected forces.

    Raises:
        ArithmeticError: One computes something else.
    """
    errors = {}
    for name, (call, samples) in named.items():
        tau = call()
        errors[name] = worst_error(tau, expected[:samples])
        if not errors[name] <= AGREEMENT:
            raise ArithmeticError(f"{name} is off by {errors[name]:.1e}")
        tau[...] = np.nan
    return errors


def race(
    robot: Robot, samples: int, rounds: int, textbook_samples: int = 500
) -> tuple[dict[str, tuple[Timing, int]], dict[str, float]]:
    """Timing and samples per call of every contestant, and its error; checked before and after.

    The forces all are held against are those of Pinocchio's batched way: nothing of gough enters them.
    """
    named = contestants(robot, samples, textbook_samples)
    expected = named[LOOP][0]().copy()
    check(named, expected)
    timings = interleaved({name: Variant(call) for name, (call, _) in named.items()}, rounds, clock=process_time)
    return {name: (timings[name], named[name][1]) for name in named}, check(named, expected)


def machine(name: str) -> Robot:
    """One of the catalogue, or of `examples`."""
    example = Path(__file__).parents[1] / "examples" / f"{name}.toml"
    return load(example if example.exists() else name)


def machines(samples: int, rounds: int, names: Sequence[str] = tuple(MACHINES)) -> dict[str, dict[str, Timing]]:
    """Timing of machines into a given array and by the public call; both must give virtual work's forces."""
    found = {}
    for name in names:
        robot = machine(name)
        motion = states(robot, samples)
        few: Any = tuple(values[:200] for values in motion)
        expected = force_program(Model(robot, VirtualWork()))(**dict(zip(("x", "xd", "xdd"), few, strict=True)))
        calls = {GOUGH: program_call(quickest(robot), motion), PUBLIC: partial(_public, robot, motion)}
        timings = interleaved({who: Variant(call) for who, call in calls.items()}, rounds, clock=process_time)
        for who, call in calls.items():
            if not (np.isfinite(call()).all() and worst_error(call()[:200], expected) <= AGREEMENT):
                raise ArithmeticError(f"{name}: {who} computes something else")
        found[name] = timings
    return found


def _public(robot: Robot, motion: States) -> Array:
    return inverse_dynamics(robot, State(*motion)).force


def _read(robot: Robot, motion: States) -> Array:
    """All that is computed when it is read is read."""
    found = inverse_dynamics(robot, State(*motion))
    for value in (found.q, found.qd, found.power, found.status):
        value[-1]
    return found.force


def growth(robot: Robot, sizes: tuple[int, ...], rounds: int) -> dict[int, Timing]:
    """Timing of the quickest program at several numbers of samples, on one core; the last samples are checked."""
    program, peer = quickest(robot), PinocchioBatched(robot)
    variants = {}
    for size in sizes:
        motion = states(robot, size)
        call = program_call(program, motion)
        x, xd, xdd = (values[-1000:] for values in motion)
        if not worst_error(call()[-1000:], peer(x, xd, xdd)) <= AGREEMENT:
            raise ArithmeticError(f"the program computes something else at N = {size}")
        variants[str(size)] = Variant(call)
    timings = interleaved(variants, rounds, clock=process_time)
    return {size: timings[str(size)] for size in sizes}


def formulations(
    robot: Robot, samples: int, rounds: int, executor: str = "auto", which: Sequence[Formulation] = FORMULATIONS
) -> dict[str, tuple[Count, Timing, str]]:
    """For each formulation its operations, timing and executor; all must give the same forces."""
    motion = states(robot, samples)
    expected = PinocchioBatched(robot)(*motion)
    graphs = {formulation.name: force_graph(Model(robot, formulation)) for formulation in which}
    programs = {name: Program(graph, executor=executor) for name, graph in graphs.items()}
    calls = {name: program_call(program, motion) for name, program in programs.items()}
    check({name: (call, samples) for name, call in calls.items()}, expected)
    timings = interleaved({name: Variant(call) for name, call in calls.items()}, rounds, clock=process_time)
    return {name: (count(graphs[name]), timings[name], programs[name].executor) for name in graphs}
