"""Simulations other than those of plain controllers: events, limits, own functions, sensors, ensembles, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gough
from gough.dynamics.base_motion import COORDINATES
from gough.motion.curves import constant
from tests.support.adapter import Sizes, each, kind_of_error, verdict
from tests.support.adapter.along import moving_start, short_motion
from tests.support.adapter.policies import CROSSED, INTEGRATED, STEPPED, THREE_DIGITS
from tests.support.by_value import numbers
from tests.support.questions import Answer, Question, States

AT_REST = gough.Motion("at rest", COORDINATES, -1e9, 1e9, constant((0.0,) * 6))
"""A base that stands still."""


def _stiffness(states: States) -> float:
    return 100.0 * (float(states["weight"]) or 1.0)


def _gravity(robot: gough.Robot, states: States) -> Any:
    """Forces that hold the robot at the start of its motion."""
    at = states["from"]
    return gough.inverse_dynamics(robot, at).force


def _ran(name: str, run: gough.Simulation, states: States) -> dict[str, Answer]:
    sizes = Sizes.of(states)
    answer = {
        "x": Answer(run.x, "coordinate", INTEGRATED, sizes.length),
        "force": Answer(run.force, "actuator", INTEGRATED, sizes.force),
        "power": Answer(run.power, "actuator", INTEGRATED, sizes.power),
        "events": verdict([f"{event.kind} {event.leg} {event.stopped}" for event in run.events]),
        "times": Answer(np.array([event.t for event in run.events]), "invariant", CROSSED, 1e-3),
        "complete": verdict([run.complete, run.balanced]),
        "page": Answer(numbers(run.summary, 3), "values", THREE_DIGITS),
        "between": Answer(run.at(run.t[:1] + 0.3 * (run.t[-1:] - run.t[:1])).x, "coordinate", INTEGRATED, sizes.length),
    }
    if run.error is not None:
        answer["error"] = Answer(run.error, "coordinate", INTEGRATED, sizes.length)
    return {f"{name}.{field}": value for field, value in answer.items()}


def runs(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Runs of 0.05 s, each with something that no plain controller needs."""
    start, motion, k = moving_start(states), short_motion(robot, states), _stiffness(states)
    still, q0 = _gravity(robot, states), gough.inverse_kinematics(robot, states["from"]).q
    springs, turning = gough.Springs(k, 0.01 * k), robot.actuators[0].turns
    late = gough.Event("late", lambda t, x, xd, q, qd: t - 0.02, stop=False)
    fast = gough.Event("fast", lambda t, x, xd, q, qd: t - 0.03, direction=1)
    encoder = gough.Noise("1 urad" if turning else "1 um", resolution="0.01 deg" if turning else "2 um", seed=5)

    def law(t: float, q: Any, qd: Any) -> Any:
        return still + k * (q0 - q) - 0.01 * k * qd

    def short(**options: Any) -> gough.Simulation:
        return gough.simulate(robot, start, options.pop("input", springs), 0.05, samples=4, **options)

    def loop(law: Any, **options: Any) -> gough.Simulation:
        model, known = options.pop("robot", None), options.pop("base", None)
        followed = motion if known is None else motion.on_base(known)
        controller = gough.Controller(law, followed, robot=model, **options)
        return gough.simulate(robot, start, controller, 0.05, samples=4, base=None if known is None else AT_REST)

    heavier = robot.replace({"platform.mass": 1.2 * robot.platform.body.mass})
    calls: dict[str, Callable[[], gough.Simulation]] = {
        "events": lambda: short(events=[late, fast]),
        "falling": lambda: short(input=None, on_limit="continue"),
        "falling far": lambda: gough.simulate(robot, None, None, 1.0, samples=5),
        "singular soon": lambda: short(condition=1.5),
        "own function": lambda: short(input=law),
        "own function of time": lambda: short(input=lambda t: still * (1.0 + t)),
        "own function, sampled": lambda: short(
            input=gough.Custom(law, "5 ms", "1 kN m" if turning else "1 kN", "1 ms")
        ),
        "own function along a motion": lambda: short(input=gough.Custom(law, motion=motion)),
        "held forces": lambda: short(input=gough.Forces([0.0, 0.02, 0.05], np.outer([1.0, 1.1, 0.9], still), True)),
        "pair of forces": lambda: short(input=([0.0, 0.05], np.outer([1.0, 1.05], still))),
        "springs from a rest": lambda: short(input=gough.Springs(k, 0.01 * k, q0)),
        "wrench of time": lambda: short(wrench=lambda t: t * states["wrench"][1], method="RK45", rtol=1e-8),
        "slip": lambda: short(slip=0.01, method="Radau", rtol=1e-8),
        "encoders": lambda: loop(gough.PD(bandwidth=5), sample_time="5 ms", noise=encoder),
        "own gains": lambda: loop(gough.ComputedTorque(kp=100.0, kd=20.0, space="joint"), saturation=True),
        "bounded": lambda: loop(
            gough.PD(kp=k, kd=0.01 * k, gravity=False), saturation=2.0 * float(np.abs(still).max())
        ),
        "wrong model": lambda: loop(gough.Feedforward(bandwidth=8), robot=heavier, sample_time=0.005, delay=0.005),
        "base known": lambda: loop(gough.PD(bandwidth=5), sample_time=0.01, base="vehicle"),
        "start in words": lambda: gough.simulate(
            robot, robot.pose(f"{robot.coordinate_names[0]}={float(states['from'][0])!r}"), springs, 0.02
        ),
    }
    return each({name: lambda name=name, call=call: _ran(name, call(), states) for name, call in calls.items()})  # type: ignore[misc]


def ensembles(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Varied robots together under each kind of input: springs, forces, controllers, functions; histories; a base."""
    sizes, start, k = Sizes.of(states), moving_start(states), _stiffness(states)
    motion, still = short_motion(robot, states), _gravity(robot, states)
    q0 = gough.inverse_kinematics(robot, states["from"]).q
    mass = robot.platform.body.mass
    several = states["from"] + np.linspace(0.0, 0.1, 3)[:, None] * (states["to"] - states["from"])
    moving = gough.State(several, 0.01 * states["xd"][1])

    def loop(law: Any, **options: Any) -> gough.Controller:
        return gough.Controller(law, motion, **options)

    def law(t: float, q: Any, qd: Any) -> Any:
        return still + k * (q0 - q) - 0.01 * k * qd

    springs = gough.Springs(k, 0.01 * k)
    cases: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "no forces": (start, None, {"vary": {"platform.mass": "100 g"}}),
        "starts": (several, springs, {"count": None}),
        "starts with rates": (moving, springs, {"count": None, "history": "full"}),
        "values": (start, springs, {"vary": {"platform.mass": [mass, 1.1 * mass, 1.2 * mass]}, "history": "none"}),
        "values in words": (start, springs, {"vary": {"platform.mass": [f"{mass!r} kg", "2 kg", "2500 g"]}}),
        "force history": (start, gough.Forces([0.0, 0.02], np.outer([1.0, 1.1], still)), {}),
        "computed torque": (start, loop(gough.ComputedTorque(bandwidth=5), sample_time=0.002), {"slip": 0.01}),
        "pd with noise": (
            start,
            loop(gough.PD(bandwidth=5), sample_time=0.002, delay=0.002, noise=gough.Noise(1e-6, 1e-5, 3)),
            {},
        ),
        "encoders": (
            start,
            loop(
                gough.Feedforward(bandwidth=5), sample_time=0.002, noise=gough.Noise(resolution=1e-5), saturation=True
            ),
            {"first": 2},
        ),
        "function": (start, law, {}),
        "sampled function": (start, gough.Custom(law, sample_time=0.002, delay=0.001, saturation=1e6), {}),
        "ship": (start, springs, {"base": "ship", "threads": 1}),
    }

    def one(name: str, at: Any, given: Any, options: dict[str, Any]) -> dict[str, Answer]:
        stated = {
            "count": 3,
            "step": 0.001,
            "vary": {"platform.mass": "5%"},
            "seed": 2,
            "tell": lambda line: None,
        } | options
        found = gough.simulate_many(robot, at, given, 0.01, **stated)
        answer = {
            "x": Answer(found.x, "coordinate", STEPPED, sizes.length),
            "mean": Answer(found.mean, "coordinate", STEPPED, sizes.length),
            "page": Answer(numbers(found.summary, 3), "values", THREE_DIGITS),
            "diverged": verdict(found.diverged),
        }
        answer["statistics"] = Answer(numbers(found.statistics_table.to_csv()), "values", STEPPED)
        if found.history is not None:
            answer["history"] = Answer(numbers(found.history_table.to_csv()), "values", STEPPED)
        return {f"{name}.{field}": value for field, value in answer.items()}

    return each({name: lambda name=name, case=case: one(name, *case) for name, case in cases.items()})  # type: ignore[misc]


def refused(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Wrong arguments of simulations, controllers, sensors and ensembles: exit code and class."""
    nan, motion = float("nan"), short_motion(robot, states)
    m, pd = len(robot.actuators), gough.PD(bandwidth=5)

    def simulate(given: Any = None, duration: Any = 0.01, **options: Any) -> Any:
        return gough.simulate(robot, options.pop("start", None), given, duration, **options)

    def many(given: Any = None, **options: Any) -> Any:
        return gough.simulate_many(robot, options.pop("start", None), given, 0.01, **options)

    def loop(**options: Any) -> Any:
        return gough.Controller(pd, motion, **options)

    calls: dict[str, Callable[[], Any]] = {
        "duration": lambda: simulate(duration=nan),
        "duration in words": lambda: simulate(duration="soon"),
        "start short": lambda: simulate(start=[0.0]),
        "start nan": lambda: simulate(start=np.full(robot.dof, nan)),
        "start far": lambda: simulate(start=np.asarray(robot.platform.home[: robot.dof]) + 50.0),
        "limit": lambda: simulate(on_limit="explode"),
        "method": lambda: simulate(method="Euler"),
        "samples": lambda: simulate(samples=-1),
        "samples late": lambda: simulate(samples=[0.0, 5.0]),
        "input": lambda: simulate("springs"),
        "forces short": lambda: simulate(gough.Forces([0.0, 1.0], np.zeros((2, m + 1)))),
        "forces back": lambda: simulate(gough.Forces([1.0, 0.0], np.zeros((2, m)))),
        "springs negative": lambda: simulate(gough.Springs(-1.0)),
        "springs short": lambda: simulate(gough.Springs(np.ones(m + 1))),
        "function raises": lambda: simulate(lambda t, q, qd: 1 / 0),
        "function short": lambda: simulate(lambda t, q, qd: np.zeros(m + 1)),
        "function nan": lambda: simulate(lambda t, q, qd: np.full(m, nan)),
        "event raises": lambda: simulate(events=[gough.Event("mine", lambda t, x, xd, q, qd: 1 / 0)]),
        "event nan": lambda: simulate(events=[gough.Event("mine", lambda t, x, xd, q, qd: nan)]),
        "wrench": lambda: simulate(wrench=[1.0]),
        "wrench raises": lambda: simulate(wrench=lambda t: 1 / 0),
        "slip": lambda: simulate(slip=-1.0),
        "formulation": lambda: simulate(formulation="nosuch"),
        "base": lambda: simulate(base="nosuch"),
        "noise without samples": lambda: loop(noise=gough.Noise(1e-6)),
        "noise negative": lambda: gough.Noise(-1.0),
        "noise in words": lambda: gough.Noise("1 kg"),
        "resolution": lambda: gough.Noise(resolution=-1.0),
        "resolution and rates": lambda: gough.Noise(rate=1.0, resolution=1e-3),
        "sample time": lambda: loop(sample_time=0.0),
        "delay": lambda: loop(sample_time=0.01, delay=-1.0),
        "saturation": lambda: simulate(loop(saturation=[1.0] * (m + 1))),
        "gains": lambda: simulate(gough.Controller(gough.PD(kp=-1.0, kd=1.0), motion)),
        "gain alone": lambda: simulate(gough.Controller(gough.PD(kp=1.0), motion)),
        "bandwidth": lambda: simulate(gough.Controller(gough.PD(bandwidth=-5), motion)),
        "space": lambda: simulate(gough.Controller(gough.ComputedTorque(space="nosuch"), motion)),  # type: ignore[arg-type]
        "count": lambda: many(count=0),
        "count of starts": lambda: many(start=np.zeros((2, robot.dof)), count=3),
        "starts far": lambda: many(start=np.full((2, robot.dof), 50.0)),
        "step": lambda: many(step=-1.0),
        "step and sample time": lambda: many(loop(sample_time=0.0015), step=0.001),
        "vary": lambda: many(vary={"platform.nosuch": 0.1}),
        "vary share": lambda: many(vary={"platform.mass": 2.0}),
        "vary values": lambda: many(count=2, vary={"platform.mass": [1.0]}),
        "history": lambda: many(history="nosuch"),
        "seed": lambda: many(seed=-1),
        "many inputs": lambda: many("springs"),
        "too many": lambda: many(count=10**12),
    }
    outcomes = []
    for name, call in calls.items():
        try:
            call()
            outcomes.append(f"{name}: accepted")
        except gough.GoughError as error:
            outcomes.append(f"{name}: {error.exit_code} {kind_of_error(error)}")
        except (TypeError, ValueError, ZeroDivisionError) as error:
            outcomes.append(f"{name}: {kind_of_error(error)}")
    return {"outcomes": verdict(outcomes)}


def _question(name: str, function: Callable[..., Any], machines: tuple[str, ...], honours: str = "") -> Question:
    return Question(name, "runs", machines, frozenset(honours.split()), f"runs:{function.__name__}", 60.0)


TABLE = {
    question.name: question
    for question in (
        _question("runs with events and own functions", runs, ("fivebar", "rps3", "planar4rrr", "cable8"), "gravity"),
        _question("ensembles under each input", ensembles, ("fivebar", "rps3", "cable8"), "gravity"),
        _question("simulations refused", refused, ("fivebar",)),
    )
}
