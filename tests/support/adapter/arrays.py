"""Arrays of kinematics and dynamics on fixed states."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import gough
from tests.support.adapter import Sizes, each, leg_names, status_words, verdict
from tests.support.adapter.policies import ALLOCATED, CROSSED, DERIVED
from tests.support.questions import Answer, Array, Question, States

FORMULATIONS = (
    "newton_euler",
    "virtual_work",
    "generalized_momentum",
    "orthogonal_complement",
    "lagrange",
    "koditschek",
)
FORWARD = ("newton_euler", "generalized_momentum", "orthogonal_complement", "lagrange", "koditschek")
MATRICES = ("generalized_momentum", "orthogonal_complement", "lagrange", "koditschek")
LARGE = 20
"""Joints from which the equations of Lagrange's formulations take long to compile."""
SIX_UPS = ("stewart", "hexapod", "hexapod_loaded", "random_UPS")


def motion_of(states: States) -> tuple[Array, Array, Array]:
    """Coordinates, rates and accelerations of the platform."""
    return states["x"], states["xd"], states["xdd"]


def formulations(robot: gough.Robot, known: tuple[str, ...]) -> tuple[str, ...]:
    """Those of a list that compile quickly enough on this robot."""
    large = len(robot.joints) >= LARGE
    return tuple(name for name in known if not (large and name in ("lagrange", "koditschek")))


def base_of(states: States) -> gough.BaseState:
    """Motion of the base."""
    return gough.BaseState(states["base_R"], states["base_acceleration"], states["base_w"], states["base_wd"])


def payload_inertia(states: States) -> Array:
    """(6,) xx, yy, zz, xy, xz, yz of the stored payload about its centre of mass, in the platform's axes [kg m^2]."""
    size = 0.01 * float(states["payload_mass"]) * float(states["length"]) ** 2
    return np.asarray(states.get("payload_inertia", size * np.array([1.0, 1.2, 0.9, 0.05, -0.03, 0.02])))


def with_stored_payload(robot: gough.Robot, states: States) -> gough.Robot:
    """The robot with the stored payload."""
    return robot.with_payload(float(states["payload_mass"]), states["payload_com"], payload_inertia(states))


def robot_properties(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Numbers and names of the loaded robot."""
    nan = float("nan")
    strokes = [joint.limits.stroke or (nan, nan) for joint in robot.joints]
    limits = [
        [nan if value is None else value for value in (joint.limits.speed, joint.limits.force, joint.limits.power)]
        for joint in robot.joints
    ]
    drives = [[j.viscous, j.coulomb, j.rotor_inertia, j.gear, j.zero] for j in robot.joints]
    bodies = robot.bodies
    answer = {
        "mass": Answer(np.array([body.mass for body in bodies]), "body"),
        "com": Answer(np.array([body.com for body in bodies]), "body vector"),
        "inertia": Answer(np.array([body.tensor for body in bodies]), "body"),
        "stroke": Answer(np.array(strokes), "joint"),
        "limits": Answer(np.array(limits, dtype=float), "joint"),
        "drive": Answer(np.array(drives), "joint"),
        "gravity": Answer(np.array(robot.gravity), "vector"),
        "home": Answer(np.array(robot.platform.home), "coordinate"),
        "body_names": Answer(np.array(robot.body_names), "names", "names"),
        "joint_names": Answer(np.array(robot.joint_names), "names", "names"),
        "actuator_names": Answer(np.array(robot.actuator_names), "names", "names"),
        "coordinate_names": Answer(np.array(robot.coordinate_names), "names", "names"),
        "dependent_names": Answer(np.array(robot.dependent_names, dtype=str), "names", "names"),
        "degrees_of_freedom": verdict(robot.dof),
    }
    graph = gough.system_graph(robot)
    answer["loops"] = verdict([len(graph.bodies), len(graph.joints), int(graph.loops)])
    answer["faults"] = verdict(len(gough.kinematic_faults(robot)))
    return answer


def written_file(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces of the robot that is read from the file that gough writes."""
    again = gough.loads(robot.to_toml())
    found = gough.inverse_dynamics(again, gough.State(*motion_of(states), wrench=states["wrench"]))
    sizes = Sizes.of(states)
    properties = robot_properties(again, states)
    return {
        "q": Answer(found.q, "actuator", size=sizes.length),
        "force": Answer(found.force, "actuator", size=sizes.force),
        **{key: properties[key] for key in ("mass", "com", "inertia", "stroke", "limits", "drive", "joint_names")},
    }


def inverse_kinematics(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Joint and actuator motion, the inverse Jacobian and its condition."""
    sizes = Sizes.of(states)
    found = gough.inverse_kinematics(robot, gough.State(*motion_of(states)))
    by_order = (sizes.length, sizes.rate, sizes.acceleration)
    answer = {"K": Answer(found.K, "actuator coordinate"), "condition": Answer(found.condition)}
    for suffix, size in zip(("", "d", "dd"), by_order, strict=True):
        answer[f"q{suffix}"] = Answer(getattr(found, f"q{suffix}"), "actuator", size=size)
        answer[f"joint_q{suffix}"] = Answer(getattr(found, f"joint_q{suffix}"), "joint", size=size)
    if found.dependent is not None:
        for field, size in zip(("dependent", "dependent_xd", "dependent_xdd"), by_order, strict=True):
            answer[field] = Answer(getattr(found, field), "coordinate", size=size)
        answer["dependent_condition"] = Answer(np.asarray(found.dependent_condition))
    answer["shortfall"] = Answer(found.short, "leg length", size=sizes.length)
    short = np.asarray(found.status) == gough.Status.OUT_OF_REACH
    answer["missing_length"] = Answer(np.where(short, found.amount, 0.0), "length", size=sizes.length)
    answer["status"] = status_words(found.status)
    answer["failing_leg"] = leg_names(robot, found.leg)
    one = gough.inverse_kinematics(robot, states["x"][0])
    answer["one_pose"] = Answer(one.q, "actuator", size=sizes.length)
    return answer


def forward_kinematics(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Poses of actuator displacements, from guesses."""
    sizes = Sizes.of(states)
    found = gough.forward_kinematics(robot, states["q"], states["guess"])
    answer = {
        "x": Answer(found.x, "coordinate", size=sizes.length),
        "status": status_words(found.status),
        "share": Answer(np.asarray(found.share, dtype=float), policy=CROSSED, size=1e-3),
    }
    if found.dependent is not None:
        answer["dependent"] = Answer(np.asarray(found.dependent), "coordinate", size=sizes.length)
    return answer


def inverse_dynamics(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Actuator forces by each formulation, with a wrench, and what they consist of."""
    sizes = Sizes.of(states)
    motion, wrench = motion_of(states), states["wrench"]
    answer = {
        f"force_{name}": Answer(
            gough.inverse_dynamics(robot, gough.State(*motion, wrench=wrench), formulation=name).force,
            "actuator",
            size=sizes.force,
        )
        for name in formulations(robot, FORMULATIONS)
    }
    found = gough.inverse_dynamics(robot, gough.State(*motion, wrench=wrench))
    answer |= {
        "force": Answer(found.force, "actuator", size=sizes.force),
        "power": Answer(np.asarray(found.power), "actuator", size=sizes.power),
        "generalized_force": Answer(np.asarray(found.generalized_force), "coordinate", size=sizes.force),
        "base_wrench": Answer(np.asarray(found.base_wrench), "wrench", size=sizes.force),
        "status": status_words(found.status),
    }

    def split(prefix: str, kind: str, arrays: Callable[[], dict[str, Array]]) -> dict[str, Answer]:
        return {f"{prefix}_{name}": Answer(values, kind, size=sizes.force) for name, values in arrays().items()}

    answer |= each(
        {
            "part": lambda: split("part", "actuator", found.parts),
            "platform_part": lambda: split("platform_part", "coordinate", lambda: found.parts(True)),
            "body": lambda: split("body", "actuator", found.by_body),
        }
    )
    free = gough.inverse_dynamics(robot, gough.State(*motion))
    answer["force_without_wrench"] = Answer(free.force, "actuator", size=sizes.force)

    def of_one_pose() -> dict[str, Answer]:
        one = gough.inverse_dynamics(robot, gough.State(*(values[0] for values in motion), wrench=wrench[0]))
        return {"force_of_one_pose": Answer(one.force, "actuator", size=sizes.force)}

    return answer | each({"one_pose": of_one_pose})


def force_allocation(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Redundant machines: internal forces, tensions, forces that exceed their limits least, capacity margin."""
    sizes = Sizes.of(states)
    found = gough.inverse_dynamics(robot, gough.State(*motion_of(states), wrench=states["wrench"]))

    def internal() -> dict[str, Answer]:
        basis = np.asarray(found.internal)  # a basis is not unique, its projector is
        return {"internal": Answer(np.einsum("nik,njk->nij", basis, basis), "actuator")}

    def least_violating() -> dict[str, Answer]:
        return {"least_violating": Answer(found.least_violating(), "actuator", ALLOCATED, sizes.force)}

    def tension() -> dict[str, Answer]:
        return {"tension": Answer(np.asarray(found.tension), "actuator", ALLOCATED, sizes.force)}

    def margin() -> dict[str, Answer]:
        return {"margin": Answer(np.asarray(found.margin), "invariant", ALLOCATED, sizes.force)}

    parts = (internal, least_violating, margin, *([tension] if robot.cables else []))
    return each({part.__name__: part for part in parts})


def arms(robot: gough.Robot, x: Array, point: Array) -> Array:
    """(N, 3) from the platform's origin to a point of it in base axes, at poses (N, n).

    NaN at poses out of reach of machines whose rotation depends on the legs.
    """
    if robot.dependent_names:
        R = gough.body_motion(robot, x).R[:, 0]
        return np.asarray(R @ point)
    stated = gough.Convention("quaternion")
    q = np.array([stated.stated(robot, row)[3:] for row in x])
    u, s = q[:, 1:], q[:, :1]
    return np.asarray(point + 2.0 * np.cross(u, s * point + np.cross(u, point)))


def at_origin(robot: gough.Robot, x: Array, wrench: Array, point: Array) -> Array:
    """(N, 6) at the platform's origin: what wrenches (N, 6) at a point of the platform are there, base axes."""
    moments = np.cross(arms(robot, x, np.asarray(point)), wrench[:, :3])
    return np.concatenate([wrench[:, :3], wrench[:, 3:] + moments], axis=1)


def wrench_at_point(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A wrench that acts at a point of the platform."""
    sizes = Sizes.of(states)
    wrench = at_origin(robot, states["x"], states["wrench"], states["wrench_point"])
    carrying = robot.with_tool(states["wrench_point"])
    force = gough.inverse_dynamics(carrying, gough.State(*motion_of(states), wrench=states["wrench"])).force
    return {
        "at_origin": Answer(wrench, "wrench", size=sizes.force),
        "force": Answer(force, "actuator", size=sizes.force),
    }


def moving_base(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces, accelerations and reactions on a base that turns and accelerates."""
    sizes = Sizes.of(states)
    motion, wrench, base = motion_of(states), states["wrench"], base_of(states)
    found = gough.inverse_dynamics(robot, gough.State(*motion, wrench=wrench, base=base))
    answer = {
        "force": Answer(found.force, "actuator", size=sizes.force),
        "base_wrench": Answer(np.asarray(found.base_wrench), "wrench", size=sizes.force),
    }

    def by_formulation(name: str) -> dict[str, Answer]:
        force = gough.inverse_dynamics(robot, gough.State(*motion, wrench=wrench, base=base), formulation=name).force
        return {f"force_{name}": Answer(force, "actuator", size=sizes.force)}

    names = ("newton_euler", "virtual_work", "generalized_momentum", "orthogonal_complement")
    answer |= each({name: partial(by_formulation, name) for name in names})
    forward = gough.forward_dynamics(robot, gough.State(*motion[:2], wrench=wrench, base=base), states["force"])
    answer["acceleration"] = Answer(forward.xdd, "coordinate", size=sizes.acceleration)
    reactions = gough.joint_reactions(robot, gough.State(*motion, wrench=wrench, base=base))
    answer["reaction_force"] = Answer(reactions.joint_force, "joint vector", size=sizes.force)
    answer["reaction_moment"] = Answer(reactions.joint_moment, "joint vector", size=sizes.moment)
    return answer


def payload(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces and accelerations with a payload."""
    sizes = Sizes.of(states)
    carrying = with_stored_payload(robot, states)
    motion, wrench = motion_of(states), states["wrench"]
    platform = carrying.platform.body
    return {
        "force": Answer(
            gough.inverse_dynamics(carrying, gough.State(*motion, wrench=wrench)).force, "actuator", size=sizes.force
        ),
        "acceleration": Answer(
            gough.forward_dynamics(carrying, gough.State(*motion[:2], wrench=wrench), states["force"]).xdd,
            "coordinate",
            size=sizes.acceleration,
        ),
        "platform": Answer(np.array([platform.mass, *platform.com, *np.ravel(platform.tensor)]), "body"),
    }


def forward_dynamics(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Accelerations of actuator forces by each formulation."""
    sizes = Sizes.of(states)
    at, force = gough.State(states["x"], states["xd"], wrench=states["wrench"]), states["force"]

    def by_formulation(name: str) -> dict[str, Answer]:
        found = gough.forward_dynamics(robot, at, force, formulation=name)
        return {f"acceleration_{name}": Answer(found.xdd, "coordinate", size=sizes.acceleration)}

    answer = each({name: partial(by_formulation, name) for name in formulations(robot, FORWARD)})
    found = gough.forward_dynamics(robot, at, force)
    answer["acceleration"] = Answer(found.xdd, "coordinate", size=sizes.acceleration)
    answer["acceleration_free_rates"] = Answer(found.free, "vector", size=sizes.acceleration)
    answer["status"] = status_words(found.status)
    if np.size(found.tension):
        answer["tension"] = Answer(np.asarray(found.tension), "actuator", size=sizes.force)
    without = gough.forward_dynamics(robot, gough.State(at.x, at.xd), force).xdd
    answer["acceleration_without_wrench"] = Answer(without, "coordinate", size=sizes.acceleration)
    return answer


def dynamics_matrices(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Inertia, Coriolis matrices and gravity in platform and in actuator coordinates, by each formulation."""

    def by_formulation(name: str, coordinates: str) -> dict[str, Answer]:
        found = gough.dynamics_matrices(
            robot, gough.State(states["x"], states["xd"]), formulation=name, coordinates=coordinates
        )
        kind = "coordinate" if coordinates == "platform" else "actuator"
        return {f"{field}_{coordinates}_{name}": Answer(getattr(found, field), kind) for field in ("M", "C", "G")}

    return each(
        {
            f"{coordinates}_{name}": partial(by_formulation, name, coordinates)
            for name in formulations(robot, MATRICES)
            for coordinates in ("platform", "actuator")
        }
    )


def body_motion(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Pose, velocity and acceleration of every body."""
    sizes = Sizes.of(states)
    found = gough.body_motion(robot, gough.State(*motion_of(states)))
    own = found.in_body_axes()
    answer = {}
    for field in ("p", "c"):
        answer[field] = Answer(getattr(found, field), "body vector", size=sizes.length)
    answer["R"] = Answer(found.R, "body")
    for field in ("v", "w", "v_c"):
        answer[field] = Answer(getattr(found, field), "body vector", size=sizes.rate)
        answer[f"{field}_body_axes"] = Answer(getattr(own, field), "body", size=sizes.rate)
    for field in ("a", "wd", "a_c"):
        answer[field] = Answer(getattr(found, field), "body vector", size=sizes.acceleration)
        answer[f"{field}_body_axes"] = Answer(getattr(own, field), "body", size=sizes.acceleration)
    answer["body_names"] = Answer(np.array(found.names), "names", "names")
    return answer


def joint_reactions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Reactions in all joints, and which of them are determinate."""
    sizes = Sizes.of(states)
    found = gough.joint_reactions(robot, gough.State(*motion_of(states), wrench=states["wrench"]))
    return {
        "point": Answer(found.points, "joint vector", size=sizes.length),
        "force": Answer(found.joint_force, "joint vector", size=sizes.force),
        "moment": Answer(found.joint_moment, "joint vector", size=sizes.moment),
        "determinate": verdict(found.determinate),
        "indeterminacy": verdict(found.indeterminacy),
    }


def link_wrenches(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Force and moment of inertia and weight of all links."""
    sizes = Sizes.of(states)
    found = gough.link_wrenches(robot, gough.State(*motion_of(states), wrench=states["wrench"]))
    return {
        "force": Answer(found.F, "body vector", size=sizes.force),
        "moment": Answer(found.M, "body vector", size=sizes.moment),
        "platform_force": Answer(found.F0, "vector", size=sizes.force),
        "platform_moment": Answer(found.M0, "vector", size=sizes.moment),
    }


def paper_terms(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Terms of the natural orthogonal complement, and Lopes' matrices of a 6-UPS platform."""

    def angeles() -> dict[str, Answer]:
        found = gough.angeles_terms(robot, gough.State(states["x"], states["xd"]))
        answer = {name: Answer(getattr(found, name), "coordinate") for name in ("T", "M", "N", "tau_G", "Lambda")}
        for name in ("L", "J", "I", "C"):
            for body, values in getattr(found, name).items():
                answer[f"{name}_{body}"] = Answer(np.asarray(values), "body")
        return answer

    def lopes() -> dict[str, Answer]:
        found = gough.lopes_matrices(robot, gough.State(states["x"], states["xd"]))
        answer = {f"lopes_{name}": Answer(getattr(found, name), "coordinate") for name in ("T", "J_C", "I_P", "V_P")}
        force = found.force(states["xd"], states["xdd"])
        return answer | {"lopes_force": Answer(force, "actuator", size=Sizes.of(states).force)}

    return each({"angeles": angeles} | ({"lopes": lopes} if str(states["name"]) in SIX_UPS else {}))


def force_derivatives(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Derivatives of actuator forces with respect to motion, wrench and parameters."""
    wrt = ("x", "xd", "xdd", "wrench", "platform.mass", "platform.com.x")
    found = gough.force_derivatives(robot, gough.State(*motion_of(states), wrench=states["wrench"]), wrt=wrt)
    return {f"wrt_{name}": Answer(values, "actuator", size=Sizes.of(states).force) for name, values in found.items()}


def regressor(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces as a linear map of dynamic parameters, and the base parameters."""
    found = gough.regressor(robot)
    columns = found.columns(*motion_of(states))
    base = found.base
    values = np.asarray(found.values)
    natural = np.maximum(np.abs(values), 1e-3)
    base_values = base.map @ values
    answer = {
        "values": Answer(values, "body"),
        "names": Answer(np.array(found.names), "names", "names"),
        "base_count": verdict(len(base.kept)),
        "base_values": Answer(base_values, "body", DERIVED, 1e-3 * float(natural.max())),
    }
    for field in ("Q", "K"):
        answer[f"columns_{field}"] = Answer(getattr(columns, field), "coordinate")
    return answer


def linearised(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A and B about home and about a moving state; modes of elastic actuators."""
    home = gough.linearise(robot)
    answer = {"A": Answer(home.A, "coordinate", DERIVED), "B": Answer(home.B, "coordinate", DERIVED)}
    at = gough.State(states["x"][1], states["xd"][1], wrench=states["wrench"][1])
    moving = gough.linearise(robot, at, states["force"][1], slip=0.01)
    answer |= {
        "A_moving": Answer(moving.A, "coordinate", DERIVED),
        "B_moving": Answer(moving.B, "coordinate", DERIVED),
        "acceleration_moving": Answer(moving.xdd, "coordinate", DERIVED, Sizes.of(states).acceleration),
    }
    found = gough.modes(robot, states["x"][1], stiffness=1e6)
    answer |= {
        "frequency": Answer(found.frequency, "invariant", DERIVED),
        "mode_mass": Answer(found.mass, "coordinate"),
        "mode_stiffness": Answer(found.total_stiffness, "coordinate", DERIVED),
        "geometric_stiffness": Answer(found.geometric_stiffness, "coordinate", DERIVED, Sizes.of(states).force),
        "preload": Answer(found.force, "actuator", size=Sizes.of(states).force),
    }
    return answer


BOUND: dict[str, tuple[str, dict[str, Any]]] = {
    "inverse_kinematics": ("inverse_kinematics", {"order": 2}),
    "forward_kinematics": ("forward_kinematics", {}),
    "inverse_dynamics": ("inverse_dynamics", {"wrench": True}),
    "inverse_dynamics_moving_base": ("inverse_dynamics", {"wrench": True, "base": True}),
    "forward_dynamics": ("forward_dynamics", {"wrench": True}),
    "dynamics_matrices": ("dynamics_matrices", {}),
    "joint_reactions": ("joint_reactions", {}),
}
"""Bound functions with their options, by neutral name."""


def bound_functions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Outputs of bound functions, sample by sample and all at once: the same bits as those of public calls."""
    inputs = dict(states) | {"base": base_of(states).felt(robot.gravity)}
    answer = {}
    for name, (function, options) in BOUND.items():
        few = name == "forward_kinematics" and len(robot.actuators) > robot.dof  # seconds per pose out of reach
        count = 2 if few else len(states["x"])
        try:
            single, block = gough.bind(robot, function, **options), gough.bind(robot, function, count, **options)
        except gough.InputError:
            answer[f"{name}_refused"] = verdict(True)
            continue
        for key in block.inputs:
            block.inputs[key][...] = inputs[key][:count]
        statuses = [int(value) for value in np.ravel(block())]
        answer[f"{name}_status"] = status_words(statuses)
        differing = []
        for row in range(count):
            for key in single.inputs:
                single.inputs[key][...] = inputs[key][row]
            status = int(single())
            same = all(np.array_equal(single.outputs[k], block.outputs[k][row], equal_nan=True) for k in block.outputs)
            differing += [] if same and status == statuses[row] else [row]
        answer[f"{name}_rows_unlike_block"] = verdict(len(differing))
        for key, values in block.outputs.items():
            floor = Sizes.of(states).length if key in ("residual", "short") else 0.0  # round-off of lengths, or nearly
            answer[f"{name}_{key}"] = Answer(np.array(values), "invariant", "bits", floor)
    return answer


def _question(name: str, honours: str = "", machines: tuple[str, ...] | None = None, seconds: float = 60.0) -> Question:
    return Question(name, "arrays", machines, frozenset(honours.split()), f"arrays:{name}", seconds)


NOT_SPINDLES = tuple(
    "ankle cable8 delta fivebar hexapod planar3rrr planar4rrr rotary rps3 spatial3 sru stewart tricept par4 agile_eye"
    " balanced3rrr delta_loaded rps3_loaded planar3rrr_loaded hexapod_loaded random_UPS random_RUS random_SRU"
    " random_PRR random_RPa random_RRU dependent_exechon dependent_prs dependent_ankle redundant_RRR sprung"
    " sprung_bodies puu4 hall star".split()
)
"""All machines but `spindles`, whose equations take minutes to compile: it has two questions."""
REDUNDANT = ("cable8", "planar4rrr", "redundant_RRR", "hall")
TABLE = {
    question.name: question
    for question in (
        _question("robot_properties", "gravity limits"),
        _question("inverse_kinematics"),
        _question("inverse_dynamics", "wrench gravity", NOT_SPINDLES),
        _question("written_file", "wrench gravity limits", NOT_SPINDLES),
        _question("forward_kinematics", machines=NOT_SPINDLES),
        _question("force_allocation", "wrench gravity limits", REDUNDANT),
        _question("wrench_at_point", "wrench wrench_point gravity", NOT_SPINDLES),
        _question("moving_base", "wrench gravity base", NOT_SPINDLES),
        _question("payload", "payload wrench gravity", NOT_SPINDLES),
        _question("forward_dynamics", "wrench gravity", NOT_SPINDLES),
        _question("dynamics_matrices", "gravity", NOT_SPINDLES),
        _question("body_motion", machines=NOT_SPINDLES),
        _question("joint_reactions", "wrench gravity", NOT_SPINDLES),
        _question("link_wrenches", "wrench gravity", NOT_SPINDLES),
        _question("paper_terms", "gravity", NOT_SPINDLES),
        _question("force_derivatives", "wrench gravity", NOT_SPINDLES),
        _question("regressor", "gravity", NOT_SPINDLES),
        _question("linearised", "wrench gravity", NOT_SPINDLES),
        _question("bound_functions", "wrench gravity base", NOT_SPINDLES),
    )
}
