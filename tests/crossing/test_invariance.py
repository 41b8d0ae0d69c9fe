"""The same machine, described otherwise, gives the same answers to all questions.

A case is a machine, a description (tests/support/transformed.py) and a question. Machines are those of the snapshot and
random ones. Numbers are compared as the snapshot compares them: relative to the largest value of the sample, or to the
natural size of the quantity where that is larger, times the condition number of the pose.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import numpy as np
import pytest

import gough
from tests.support import snapshot_machines
from tests.support.adapter import Sizes
from tests.support.adapter.along import floors_of_limits, motor_for
from tests.support.adapter.draw_machines import draw_states
from tests.support.dependent_machines import random_machine
from tests.support.lanes import FULL, SEED, size
from tests.support.loaded_robots import loaded, rubbing
from tests.support.questions import QUESTIONS, Answer, Array, States, answers, failures
from tests.support.random_robots import random_robot
from tests.support.redundant_robots import random_redundant
from tests.support.transformed import STRAIGHT, TRANSFORMATIONS, Description, letters, ordered_checks, whole_vectors
from tests.support.user_robots import USER
from tools.snapshot import LARGEST_CONDITION, difference

CASES = size(1500, 45)
ROWS = 4
"""Of the stored states: home, a pose far from it, one near it, one out of reach."""
CHEAP_MACHINES = ("fivebar", "planar3rrr", "redundant_RRR", "random_PRR", "rps3", "delta", "PRR-7")
CHEAP_QUESTIONS = (
    "robot_properties", "inverse_kinematics", "inverse_dynamics", "forward_kinematics", "force_allocation",
    "wrench_at_point", "moving_base", "payload", "forward_dynamics", "body_motion", "joint_reactions",
    "link_wrenches", "force_derivatives", "linearised", "bound_functions", "motions", "forces_along", "check",
    "demand", "accuracy",
)  # fmt: skip
"""Machines and questions of the sample, which take a second or less."""
RANDOM = tuple(
    f"{kind}-{seed}"
    for kind in ("PRR", "RRR", "RPa", "PPa", "PRU", "RRU", "UPS", "PSS", "RSS", "rps", "prs", "rrs", "tricept", "4RRR")
    for seed in (7, 8)
) + tuple(USER)
"""Machines drawn anew: unequal legs, odd axes, offset centres of mass, tilted gravity, friction."""
THREE_ANGLES = (
    "stewart", "hexapod", "rotary", "sru", "hexapod_loaded", "random_UPS", "random_RUS", "random_SRU", "UPS-7", "UPS-8",
    "PSS-7", "PSS-8", "RSS-7", "RSS-8", "driven_universal",
)  # fmt: skip
"""Machines with three independent angles, whose order can be another one."""
NO_JOINTS = ("cable8", "hall", "sprung_bodies", "spindles", "star", "balanced3rrr")
"""Machines that cannot be described by joints in frames of another choice: cables, springs and bolts have frames."""
FORMATS = ("mjcf", "urdf", "sdf")
IMPORTED = (
    "delta",
    "fivebar",
    "planar3rrr",
    "stewart",
    "hexapod",
    "spatial3",
    "sru",
    "rotary",
    "RRR-7",
    "RPa-7",
    "UPS-7",
)
"""Machines of whose actuators a file says all: no springs, no shared forces, no dependent coordinates."""
IMPORT_QUESTIONS = ("inverse_kinematics", "inverse_dynamics", "wrench_at_point", "moving_base", "payload")
NOTHING_COMPARED = {
    "turned": ("base_motions", "operation_counts", "stack", "workspace_volume"),
    "mirrored": (
        "base_motions", "named_motions", "operation_counts", "stack", "workspace_travel", "workspace_volume",
    ),
    "reversed": ("base_motions", "regressor", "stack"),
    "order": ("base_motions",),
    "joints": ("base_motions", "link_wrenches", "operation_counts"),
}  # fmt: skip
"""Questions all of whose answers change with the description by rules of their own: no cases. Others must compare."""
FLOORS = {
    "dynamics_matrices/G_*": "force",
    "bound_functions/dynamics_matrices_G": "force",
    "bound_functions/*_force": "force",
    "bound_functions/*_power": "power",
    "bound_functions/*_q": "travel",
    "inverse_kinematics/q": "travel",
    "inverse_kinematics/one_pose": "travel",
    "written_file/q": "travel",
    "bound_functions/*_joint_q": "length",
    "bound_functions/*_x": "length",
    "bound_functions/*_short": "length",
    "bound_functions/*_qd": "rate",
    "bound_functions/*_joint_qd": "rate",
    "bound_functions/*dd": "acceleration",
    "bound_functions/*_dependent": "length",
    "bound_functions/*_dependent_xd": "rate",
    "paper_terms/tau_G": "force",
    "linearised/geometric_stiffness": "stiffness",
}
"""Natural sizes of answers that state none: values that cancel, such as gravity across a plane, are only round-off of
these. The geometric stiffness is a difference of stiffnesses: their size counts."""
KNOWN = {
    "at rest dry friction loads a motor or not": ("demand/lossless_motor_torque", "demand/lossless_motor_peak_margin"),
    "near a rest a motor loses or not": ("demand/motor_motor_rms_torque", "demand/motor_motor_continuous_margin"),
    "at rest dry friction counts or not": (
        "demand/force", "demand/motor_force", "demand/ship_force", "demand/*force_range", "check/*_force_value",
        "check/*_force_margin",
    ),
    "near a rest dry friction counts or not": ("demand/*rms_force",),
}  # fmt: skip
"""What round-off of a zero speed decides, wrongly, with the fields that depend on it. Their sizes are compared within
what a motor loses and within the dry friction of all actuators until the marks in test_known_lanes.py are removed."""
NEAR_REST = 1e-3
"""Share of a motion near a rest in which that is so: the speed of an actuator grows with the second to fifth power of
time, and pieces of the motion, which have one direction each, end where round-off changes its sign. 3e-4 was seen."""
NEAR_REST_OF_MOTORS = 1e-6
"""The same of rms torques without dry friction, relative to the largest torque: 3e-7 was seen."""
KNOWN_OUT_OF_REACH = {"joint_reactions/point": "force", "inverse_kinematics/dependent_condition": "dependent"}
"""Fields that are numbers, wrongly, at poses without a solution, and the fields that are NaN at these poses."""


def leeway(robot: gough.Robot, key: str, expected: Mapping[str, Answer]) -> float | None:
    """How far an answer that is known to be wrong may be off by size, in its own unit; None for all others."""
    reason = next((why for why, fields in KNOWN.items() if any(fnmatchcase(key, field) for field in fields)), None)
    friction = sum(joint.coulomb for joint in robot.actuators)  # shared by all where there are more than needed
    if reason is None or ("friction" in reason and not friction):
        return None
    allowed = friction
    if "motor" in reason:
        motor = motor_for(robot)
        allowed = friction / motor.ratio
        if "near" in reason:
            largest = float(np.abs(expected["lossless_motor_torque"].value).max())
            if not friction:
                return NEAR_REST_OF_MOTORS * largest
            allowed += (1 / motor.efficiency - motor.efficiency) * largest
    return NEAR_REST * allowed if "near" in reason else allowed


@cache
def machine(name: str) -> tuple[gough.Robot, dict[str, Array]]:
    """The robot and its states; those of random machines are drawn here."""
    if name in snapshot_machines.names():
        return gough.loads(snapshot_machines.text(name)), snapshot_machines.states(name, ROWS)
    robot = gough.loads(_drawn(name).to_toml())
    stored = draw_states(name, robot)
    count = len(stored["x"])
    rows = np.round(np.linspace(0, count - 1, ROWS)).astype(int)
    states = {key: value[rows] if np.shape(value)[:1] == (count,) else value for key, value in stored.items()}
    return robot, states | {"name": np.array(name), "text": np.array(robot.to_toml())}


def _drawn(name: str) -> gough.Robot:
    if name in USER:
        return USER[name]()
    kind, seed = name.split("-")
    if kind == "4RRR":
        return random_redundant("RRR", int(seed))
    if kind.islower():
        return random_machine(kind, int(seed))
    return rubbing(loaded(random_robot(kind, int(seed)), int(seed)), int(seed))


@cache
def answered(name: str, question: str) -> dict[str, Answer]:
    """Answers of a machine as it is."""
    robot, states = machine(name)
    return answers(QUESTIONS[question], robot, states)


@cache
def described(name: str, transformation: str) -> Description:
    """The machine described otherwise."""
    robot, states = machine(name)
    rng = np.random.default_rng([SEED, *name.encode(), *transformation.encode()])
    found = TRANSFORMATIONS[transformation](robot, states, rng)
    assert found is not None
    return found


def applies(name: str, transformation: str) -> bool:
    """True if the machine can be described so."""
    if transformation in FORMATS:
        return name in IMPORTED
    if transformation == "order":
        return name in THREE_ANGLES
    return transformation != "joints" or name not in NO_JOINTS


def is_put_to(name: str, question: str) -> bool:
    """True if the question is put to the machine; random machines have those of all machines of the snapshot."""
    if name not in snapshot_machines.names():
        return QUESTIONS[question].group == "arrays" and QUESTIONS[question].asks("random_UPS")
    return QUESTIONS[question].asks(name)


def all_cases() -> list[tuple[str, str, str]]:
    """Of the sample's machines and questions, or of all in a full run."""
    machines = (*snapshot_machines.names(), *RANDOM) if FULL else CHEAP_MACHINES
    questions = (
        [name for name, q in QUESTIONS.items() if q.group in ("arrays", "searches")] if FULL else CHEAP_QUESTIONS
    )
    return [
        (name, transformation, question)
        for name in machines
        for transformation in TRANSFORMATIONS
        for question in questions
        if applies(name, transformation)
        and is_put_to(name, question)
        and (transformation not in FORMATS or question in IMPORT_QUESTIONS)
        and not (transformation == "order" and question in STRAIGHT)
    ]


def drawn_cases() -> list[tuple[str, str, str]]:
    """Those of a seeded draw that compare answers, sorted so that cases of one machine share its programs."""
    everything = all_cases()
    drawn = random.Random(f"{SEED} invariance").sample(everything, min(CASES, len(everything)))
    return sorted(case for case in drawn if case[2] not in NOTHING_COMPARED.get(case[1], ()))


def comparable(question: str, found: Mapping[str, Answer], robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Answers as they are compared: with natural sizes, in an order without names, NaN where there is no solution."""
    sizes = Sizes.of(states)
    own = {
        "stiffness": 1e-3 * np.abs(found["mode_stiffness"].value).max() if "mode_stiffness" in found else 0.0,
        "travel": 1e-3 if all(joint.turns for joint in robot.actuators) else sizes.length,
    }
    result = {}
    for name, answer in whole_vectors(question, found).items():
        kind = next((kind for pattern, kind in FLOORS.items() if fnmatchcase(f"{question}/{name}", pattern)), None)
        floor = 0.0 if kind is None else own[kind] if kind in own else getattr(sizes, kind)
        value = answer.value
        if (other := KNOWN_OUT_OF_REACH.get(f"{question}/{name}", "")) in found:
            lost = np.isnan(found[other].value).reshape(len(value), -1).all(axis=1)
            value = np.where(lost.reshape(-1, *[1] * (value.ndim - 1)), np.nan, value)
        if f"{question}/{name}" == "assembly_modes/singular_value":
            value = np.sort(value)  # not in the order of poses in base axes
        if question == "bound_functions" and value.dtype.kind == "f":
            status = next(found[key].value for key in found if key.endswith("_status") and name.startswith(key[:-6]))
            value = np.where((status == "fine").reshape(-1, *[1] * (value.ndim - 1)), value[: len(status)], np.nan)
        if value.dtype.kind == "f" and value.ndim > 1 and letters(question, name, answer)[0] != "n":
            value = value[None]  # one sample: no row of a matrix is a scale of its own
        policy = "round-off" if answer.policy == "bits" else answer.policy
        result[name] = replace(answer, value=value, policy=policy, size=max(answer.size, floor))
    return ordered_checks(result, floors_of_limits(sizes)) if question == "check" else result


def differences(name: str, transformation: str, question: str) -> list[str]:
    """Lines of what differs between the machine and its other description."""
    other = described(name, transformation)
    first = answered(name, question)
    robot, states = machine(name)
    expected = comparable(question, other.expected(question, first), robot, states)
    got = answers(QUESTIONS[question], other.robot, other.states)
    found = comparable(question, got, robot, states)
    condition = np.clip(states["condition"], 1.0, LARGEST_CONDITION)
    lines = [*failures(first), *failures(got), *([] if expected else ["no answer is compared"])]
    for field, answer in expected.items():
        if field not in found:
            errors = [f"{key}: {value.value}" for key, value in found.items() if key.endswith("error")]
            lines.append(f"{field}: missing {errors}")
        elif (allowed := leeway(robot, f"{question}/{field}", expected)) is not None:
            off = np.abs(np.abs(found[field].value) - np.abs(answer.value)).max()
            if not off <= allowed:
                lines.append(f"{field}: off by {off:.2g}, more than {allowed:.2g}")
        elif change := difference(answer, found[field], answer.policy, condition):
            lines.append(f"{field}: {change[0]:.2g}, {change[1]}")
    return lines


def ids(case: Any) -> str:
    return "-".join(case)


@pytest.mark.parametrize("case", drawn_cases(), ids=ids)
def test_other_description_gives_the_same_answers(case):
    lines = differences(*case)
    assert not lines, "\n".join(lines)
