"""Doubling a part of the operating condition changes every answer that depends on it, or is refused.

The questions say which parts they honour (`Question.honours`); CHANGES lists the answers that must be others, all of
them. ANALYSES are those parts that no stored state has: the motion of the base along a motion, limits, motors,
tolerances and stiffness, each with the analyses that take them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import numpy as np
import pytest

import gough
from gough.dynamics.base_motion import base_motion
from tests.support import snapshot_machines
from tests.support.adapter.along import MOTOR, loaded, short_motion
from tests.support.lanes import FULL, SEED, size
from tests.support.questions import QUESTIONS, Answer, Array, States, answers, failures
from tests.support.robots import with_values

MACHINES = ("delta", "rps3", "redundant_RRR", "stewart", "random_RPa", "dependent_exechon", "tricept", "spatial3")
CHEAP = ("delta", "rps3", "redundant_RRR")
LEAST = 1e-6
"""Relative change that counts as one, far above round-off and far below what doubling does."""

PARTS: dict[str, Callable[[gough.Robot, States], tuple[gough.Robot, States]]] = {
    "payload": lambda robot, s: (robot, dict(s) | {"payload_mass": 2 * s["payload_mass"]}),
    "wrench": lambda robot, s: (robot, dict(s) | {"wrench": 2 * s["wrench"]}),
    "wrench_point": lambda robot, s: (robot, dict(s) | {"wrench_point": 2 * s["wrench_point"]}),
    "base": lambda robot, s: (
        robot,
        dict(s) | {name: 2 * s[name] for name in ("base_acceleration", "base_w", "base_wd")},
    ),
    "gravity": lambda robot, s: (_heavier(robot, 2.0), s),
    "limits": lambda robot, s: (_with_limits(robot, 2.0), s),
}
"""Each part of the operating condition of stored states, doubled."""
CHECKED = tuple(f"check/{case}_value" for case in ("own", "stated", "payload", "ship"))
"""Worst values of all limits, forces among them."""
CHANGES = {
    "payload": ("payload/force", "payload/acceleration", "payload/platform", "check/payload_value"),
    "wrench": (
        "inverse_dynamics/force", "inverse_dynamics/force_[nvgolk]*", "inverse_dynamics/power",
        "inverse_dynamics/base_wrench", "inverse_dynamics/generalized_force", "inverse_dynamics/part_external",
        "inverse_dynamics/platform_part_external", "inverse_dynamics/force_of_one_pose", "written_file/force",
        "wrench_at_point/*", "moving_base/force*",
        "moving_base/base_wrench", "moving_base/acceleration", "moving_base/reaction_force",
        "payload/force", "payload/acceleration",
        "forward_dynamics/acceleration", "forward_dynamics/acceleration_[nglok]*", "joint_reactions/force",
        "link_wrenches/force", "link_wrenches/platform_force", "linearised/acceleration_moving",
        "force_derivatives/wrt_x",
        "bound_functions/*dynamics*_force", "bound_functions/forward_dynamics_xdd", "motions/wrench_at_point_wrench",
        "forces_along/force", "forces_along/force_on_ship", "forces_along/force_of_constant_wrench", *CHECKED,
        "demand/force", "demand/rms_force", "demand/force_range", "demand/motor_force", "demand/lossless_motor_torque",
        "demand/ship_force", "demand/power", "demand/energy", "accuracy/under_wrench*", "accuracy/load",
        "accuracy/deflection",
    ),
    "wrench_point": (
        "wrench_at_point/*", "motions/wrench_at_point_wrench", "forces_along/force", "forces_along/force_on_ship",
        *CHECKED, "demand/force", "demand/motor_force", "demand/ship_force", "accuracy/load",
        "accuracy/deflection",
    ),
    "base": ("moving_base/*", "bound_functions/inverse_dynamics_moving_base_force"),
    "gravity": (
        "robot_properties/gravity", "inverse_dynamics/force", "inverse_dynamics/force_[nvgolk]*",
        "inverse_dynamics/part_gravity", "inverse_dynamics/platform_part_gravity", "inverse_dynamics/base_wrench",
        "inverse_dynamics/force_without_wrench", "written_file/force", "wrench_at_point/force", "moving_base/*",
        "payload/force", "payload/acceleration", "forward_dynamics/acceleration",
        "forward_dynamics/acceleration_[nglokw]*", "dynamics_matrices/G_*", "joint_reactions/force",
        "link_wrenches/force", "paper_terms/tau_G", "force_derivatives/wrt_x", "force_derivatives/wrt_platform.mass",
        "linearised/A", "linearised/preload", "linearised/geometric_stiffness",
        "bound_functions/inverse_dynamics_force", "bound_functions/inverse_dynamics_moving_base_force",
        "bound_functions/forward_dynamics_xdd", "bound_functions/dynamics_matrices_G", "forces_along/force*",
        *CHECKED, "demand/force", "demand/rms_force", "demand/motor_motor_rms_torque", "demand/ship_force",
        "accuracy/load", "accuracy/deflection", "comparison/values",
    ),
    "limits": ("robot_properties/stroke", "robot_properties/limits", "written_file/stroke", "written_file/limits",
               "check/own_margin"),
}  # fmt: skip
"""Answers that have to change with each part."""
NOT_BY_POINT = {"delta", "random_RPa"}
"""Machines whose platform does not turn: forces do not depend on the point of a wrench."""
KNOWN: dict[tuple[str, str], str] = {}
"""Part and answer, with what is wrong: left out until the mark in test_known_lanes.py is removed."""


def _with_limits(robot: gough.Robot, factor: float) -> gough.Robot:
    def wider(joint: Any) -> Any:
        limits = joint.limits
        if limits.stroke is None:
            limits = replace(limits, stroke=(-3.0, 3.0))  # twice that is still plausible, in m and in rad
        speed, force = limits.speed or 5.0, limits.force or 500.0
        stroke = tuple(factor * value for value in limits.stroke)
        return replace(joint, limits=replace(limits, stroke=stroke, speed=factor * speed, force=factor * force))

    legs = tuple(
        replace(leg, joints=tuple(wider(joint) if joint.actuated else joint for joint in leg.joints))
        for leg in robot.legs
    )
    return with_values(robot, legs=legs)


@cache
def machine(name: str) -> tuple[gough.Robot, dict[str, Array]]:
    return _with_limits(gough.loads(snapshot_machines.text(name)), 1.0), snapshot_machines.states(name, 4)


@cache
def answered(name: str, question: str) -> dict[str, Answer]:
    return answers(QUESTIONS[question], *machine(name))


def same(first: Answer, second: Answer) -> bool:
    """True if no number or word is another one."""
    a, b = first.value, second.value
    if a.shape != b.shape or a.dtype.kind != "f":
        return np.array_equal(a, b)
    scale = np.nanmax(np.abs(a), initial=0.0)
    return bool(np.nanmax(np.abs(a - b), initial=0.0) <= LEAST * scale)


def cases() -> list[tuple[str, str, str]]:
    """Machine, part and question."""
    machines = MACHINES if FULL else CHEAP
    every = [
        (name, part, question)
        for name in machines
        for part in PARTS
        for question in sorted({pattern.split("/")[0] for pattern in CHANGES[part]})
        if QUESTIONS[question].asks(name)
        and not (part == "wrench_point" and name in NOT_BY_POINT)
        and (FULL or question not in ("paper_terms", "dynamics_matrices", "comparison"))
        and not (question == "paper_terms" and name == "redundant_RRR")  # refused: they need as many actuators
    ]
    return sorted(random.Random(f"{SEED} doubling").sample(every, min(size(400, 25), len(every))))


@pytest.mark.parametrize("case", cases(), ids="-".join)
def test_doubled_part_changes_the_answers(case):
    name, part, question = case
    before = answered(name, question)
    after = answers(QUESTIONS[question], *PARTS[part](*machine(name)))
    assert not failures(before) + failures(after)
    patterns = [pattern for pattern in CHANGES[part] if pattern.startswith(f"{question}/")]
    fields = [
        field
        for field, answer in before.items()
        if answer.value.dtype.kind in "fi"
        and answer.value.size
        and not (answer.value.dtype.kind == "f" and np.isnan(answer.value).all())  # reactions that are indeterminate
        and any(fnmatchcase(f"{question}/{field}", pattern) for pattern in patterns)
        and not any(p == part and fnmatchcase(f"{question}/{field}", pattern) for p, pattern in KNOWN)
    ]
    if "error" in before:  # refused: what a machine does not have
        assert str(before["error"].value) == str(after["error"].value) == "input refused"
        return
    assert fields, f"no answer of {question} is listed for {part}"
    lost = [field for field in fields if field not in after]
    assert not lost, f"no answer with twice the {part}: {', '.join(lost)}"
    unchanged = [field for field in fields if same(before[field], after[field])]
    assert not unchanged, f"the same with twice the {part}: {', '.join(unchanged)}"


def test_parts_that_questions_honour_are_doubled():
    """Every question that claims to honour a part has an answer in CHANGES, or an analysis below takes that part."""
    elsewhere = {"base", "limits", "motor", "tolerances", "stiffness"}
    listed = {part: {pattern.split("/")[0] for pattern in patterns} for part, patterns in CHANGES.items()}
    left_out = {
        "simulate", "ensemble", "stack", "base_motions", "regressor", "force_allocation",
        "workspace_travel", "workspace_volume", "time_optimal",
    }  # fmt: skip
    missing = [
        (name, part)
        for name, question in QUESTIONS.items()
        if question.group in ("arrays", "searches") and name not in left_out
        for part in question.honours
        if part not in elsewhere and name not in listed.get(part, set())
    ]
    expected = {("check", "payload"), ("accuracy", "payload"), ("comparison", "payload")}
    assert set(missing) <= expected | {("workspace_volume", "gravity")}


class Doubled:
    """A motion of the base with twice the accelerations and angular rates."""

    name, breakpoints, analytic = "doubled", (), False

    def __init__(self, own: Any) -> None:
        self.own = own

    def state(self, t: Any) -> gough.BaseState:
        own = self.own.state(t)
        return gough.BaseState(own.rotation, 2.0 * own.acceleration, 2.0 * own.w, 2.0 * own.wd)


def motor_of(robot: gough.Robot, factor: float, part: str) -> Any:
    table = MOTOR if robot.actuators[0].turns else MOTOR | {"gear": 2, "lead": 0.01}
    if part == "rotor":
        # Heavy enough to matter in a slow motion: twice its own inertia changes the rms torque by 5e-7.
        return gough.motor_of(table | {"rotor_inertia": 100.0 * factor * table["rotor_inertia"]})
    curves = {
        key: table[key] | {"torque": [factor * v for v in table[key]["torque"]]} for key in ("continuous", "peak")
    }
    return gough.motor_of(table | curves)


def errors_of(robot: gough.Robot, tolerance: float, stiffness: float) -> gough.Robot:
    elastic = f"{1e5 * stiffness} N m/rad" if robot.actuators[0].turns else f"{20 * stiffness} N/um"
    return robot.with_errors(
        {
            "tolerances": {"base": f"{0.1 * tolerance} mm", "platform": f"{0.05 * tolerance} mm"},
            "stiffness": {"actuator": elastic},
        }
    )


def _force_limit(states: States, k: float) -> dict[str, float]:
    return {"force": 3.0 * k * float(states["weight"]) * max(float(states["length"]), 1.0), "speed": 2.0 * k}


def _base(k: float) -> Any:
    return base_motion("ship") if k == 1.0 else Doubled(base_motion("ship"))


def _values(found: Any) -> Array:
    return np.array([row.value for row in found.every if row.kind == "force"])


def _simulated(robot: gough.Robot, states: States, falls: bool = False, **options: Any) -> Array:
    """Displacements from home on springs, which carry the weight there, or with actuators that are free."""
    stiffness = 100.0 * float(states["weight"])
    springs = None if falls else gough.Springs(stiffness, 0.01 * stiffness)
    run = gough.simulate(robot, None, springs, 0.02, samples=3, on_limit="continue", **options)
    return run.x - run.x[0]


def _carrying(robot: gough.Robot, states: States, k: float) -> gough.Robot:
    return robot.with_payload(k * float(states["payload_mass"]))


def _heavier(robot: gough.Robot, k: float) -> gough.Robot:
    return with_values(robot, gravity=tuple(k * value for value in robot.gravity))


def _force_at_home(robot: gough.Robot, wrench: Any = None) -> float:
    """Largest force that holds the platform at home."""
    home = np.array(robot.platform.home)
    return float(np.abs(gough.inverse_dynamics(robot, gough.State(home, wrench=wrench)).force).max())


def _travel(robot: gough.Robot, force: float, **options: Any) -> Array:
    """Ends of travel of each axis from where it is at home, within a limit of force."""
    found = gough.workspace(robot, robot.platform.home, {"force": force}, travel_only=True, **options)
    return np.array([[axis.low - axis.at, axis.high - axis.at] for axis in found.travel])


def _larger(force: Callable[[float], float]) -> float:
    """A limit that home keeps with the part as it is and doubled, and that poses near it do not keep with both."""
    return 1.05 * max(force(1.0), force(2.0))


def _envelope(robot: gough.Robot, states: States) -> Any:
    ends = np.sort([states["from"], states["to"]], axis=0).T.tolist()
    return gough.envelope_of(robot, {"pose": dict(zip(robot.coordinate_names, ends, strict=True))})


def _ensemble(robot: gough.Robot, states: States, base: Any) -> Array:
    """Displacements from home of two equal machines on springs."""
    stiffness = 100.0 * float(states["weight"])
    springs = gough.Springs(stiffness, 0.01 * stiffness)
    options: dict[str, Any] = {"count": 2, "step": 5e-5, "history": "none", "tell": lambda line: None}
    run = gough.simulate_many(robot, None, springs, 0.005, base=base, **options)
    return run.x - np.array(robot.platform.home)


ANALYSES: dict[tuple[str, str], Callable[[gough.Robot, States, float], Any]] = {
    ("base", "inverse_dynamics"): lambda r, s, k: (
        gough.inverse_dynamics(r, short_motion(r, s).on_base(_base(k)).sample(5)).force
    ),
    ("base", "check"): lambda r, s, k: _values(
        gough.check(r, short_motion(r, s).on_base(_base(k)), _force_limit(s, 1.0))
    ),
    ("base", "demand"): lambda r, s, k: gough.demand(r, short_motion(r, s).on_base(_base(k))).force,
    ("base", "simulate"): lambda r, s, k: _simulated(r, s, base=_base(k)),
    ("wrench", "simulate"): lambda r, s, k: _simulated(r, s, wrench=k * s["wrench"][1]),
    ("gravity", "simulate"): lambda r, s, k: _simulated(_heavier(r, k), s, falls=True),
    ("payload", "simulate"): lambda r, s, k: _simulated(_carrying(r, s, k), s, wrench=s["wrench"][1]),
    ("payload", "demand"): lambda r, s, k: gough.demand(_carrying(r, s, k), short_motion(r, s)).force,
    ("payload", "fastest"): lambda r, s, k: (
        gough.fastest(_carrying(r, s, k), short_motion(r, s), _force_limit(s, 1.0), cells=100).duration
    ),
    ("payload", "modes"): lambda r, s, k: gough.modes(_carrying(r, s, k), stiffness=1e6).frequency,
    ("payload", "deflection_along"): lambda r, s, k: (
        gough.deflection_along(errors_of(_carrying(r, s, k), 1, 1), short_motion(r, s), 3).deflection
    ),
    ("wrench", "fastest"): lambda r, s, k: (
        gough.fastest(
            r, short_motion(r, s).with_wrench(0.3 * k * s["wrench"][1]), _force_limit(s, 1.0), cells=100
        ).duration
    ),
    ("limits", "check"): lambda r, s, k: [
        row.margin for row in gough.check(*loaded(r, s), _force_limit(s, k)).every if row.kind == "force"
    ],
    ("limits", "fastest"): lambda r, s, k: gough.fastest(r, short_motion(r, s), _force_limit(s, k), cells=100).duration,
    ("motor", "demand: torque"): lambda r, s, k: [
        fit.peak_margin for fit in gough.demand(r.with_motor(motor_of(r, k, "torque")), short_motion(r, s)).fits
    ],
    ("motor", "demand: rotor"): lambda r, s, k: [
        fit.rms_torque for fit in gough.demand(r.with_motor(motor_of(r, k, "rotor")), short_motion(r, s)).fits
    ],
    ("tolerances", "pose_errors"): lambda r, s, k: gough.pose_errors(errors_of(r, k, 1), s["x"][:2]).rms,
    ("tolerances", "pose_errors: largest"): lambda r, s, k: gough.pose_errors(errors_of(r, k, 1), s["x"][:2]).largest,
    ("tolerances", "monte_carlo"): lambda r, s, k: gough.monte_carlo(errors_of(r, k, 1), count=4, seed=3),
    ("stiffness", "elasticity"): lambda r, s, k: gough.elasticity(errors_of(r, 1, k), s["x"][1]).compliance,
    ("stiffness", "deflection_along"): lambda r, s, k: (
        gough.deflection_along(*loaded(errors_of(r, 1, k), s), 3).deflection
    ),
    ("stiffness", "structure"): lambda r, s, k: gough.modes(r, structure=gough.structure(errors_of(r, 1, k))).frequency,
    ("stiffness", "modes"): lambda r, s, k: gough.modes(r, stiffness=1e6 * k).frequency,
    ("base", "compare"): lambda r, s, k: [
        [row.first, row.second]
        for row in gough.compare(r, _carrying(r, s, 1.0), short_motion(r, s).on_base(_base(k))).differences
    ],
    ("base", "simulate_many"): lambda r, s, k: _ensemble(r, s, _base(k)),
    ("wrench", "workspace"): lambda r, s, k: _travel(
        r, _larger(lambda k: _force_at_home(r, k * s["wrench"][1])), wrench=k * s["wrench"][1]
    ),
    ("wrench_point", "workspace"): lambda r, s, k: _travel(
        r.with_tool(k * s["wrench_point"]),
        _larger(lambda k: _force_at_home(r.with_tool(k * s["wrench_point"]), s["wrench"][1])),
        wrench=s["wrench"][1],
    ),
    ("payload", "workspace"): lambda r, s, k: _travel(
        _carrying(r, s, k), _larger(lambda k: _force_at_home(_carrying(r, s, k)))
    ),
    ("gravity", "workspace"): lambda r, s, k: _travel(
        _heavier(r, k), _larger(lambda k: _force_at_home(_heavier(r, k)))
    ),
    ("limits", "workspace"): lambda r, s, k: _travel(r, 1.05 * k * _force_at_home(r)),
    ("payload", "size"): lambda r, s, k: gough.size(_carrying(r, s, k), _envelope(r, s), seeds=(1,), power=6).force,
    ("gravity", "size"): lambda r, s, k: gough.size(_heavier(r, k), _envelope(r, s), seeds=(1,), power=6).force,
    ("limits", "move"): lambda r, s, k: gough.move(r, short_motion(r, s), _force_limit(s, k)).duration,
    ("payload", "linearise"): lambda r, s, k: gough.linearise(_carrying(r, s, k)).A,
    ("wrench", "linearise"): lambda r, s, k: (
        gough.linearise(r, gough.State(s["x"][1], s["xd"][1], wrench=k * s["wrench"][1]), s["force"][1], slip=0.01).xdd
    ),
    ("gravity", "modes"): lambda r, s, k: gough.modes(_heavier(r, k), stiffness=1e6).force,
    ("wrench_point", "deflection_along"): lambda r, s, k: (
        gough.deflection_along(
            errors_of(r, 1, 1).with_tool(k * s["wrench_point"]), short_motion(r, s).with_wrench(s["wrench"][1]), 3
        ).deflection
    ),
}
"""Analyses by the part that they take; the factor of the part comes last."""
LINEAR = {
    ("tolerances", "pose_errors"): 2.0,
    ("tolerances", "pose_errors: largest"): 2.0,
    ("stiffness", "elasticity"): 0.5,
}
"""Analyses in which the answer is known to go with the part, or with its inverse."""
ANALYSED = [
    (name, *key)
    for name in (MACHINES if FULL else CHEAP[:2])
    for key in ANALYSES
    if not (key[0] == "wrench_point" and name in NOT_BY_POINT)
]


@pytest.mark.parametrize(
    "case",
    sorted(random.Random(f"{SEED} analyses").sample(ANALYSED, min(size(400, 16), len(ANALYSED)))),
    ids="-".join,
)
def test_doubled_part_changes_the_analysis(case):
    name, *key = case
    robot, states = machine(name)
    call = ANALYSES[tuple(key)]
    before, after = (np.asarray(call(robot, states, k), dtype=float) for k in (1.0, 2.0))
    assert not same(Answer(before), Answer(after))
    assert np.nanmax(np.abs(after - before)) > 1e-12, "round-off in SI units"
    if (factor := LINEAR.get(tuple(key))) is not None:
        np.testing.assert_allclose(after, factor * before, rtol=1e-9, atol=1e-9 * np.abs(before).max())
