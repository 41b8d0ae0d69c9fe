"""The same machine described otherwise, and how the answers to the neutral questions change with the description.

Each axis of an answer has a letter (`letters`), and a description says what happens to each letter:

    n   samples                               v, w  vectors and axial vectors (w, moments) in base axes
    a   actuators                             p     points in base axes
    j   joints, leg by leg                    V, W  vectors and axial vectors in axes of their body
    e   joints and ends, as reactions         f     forces and moments about the platform's origin (6)
    b   platform and bodies of all joints     g     forces and moments about the base's origin (6)
    l   legs                                  s     state: coordinates and their rates
    x   coordinates themselves                c, y  their rates, their accelerations
    d   dependent coordinates                 k, K  forces of coordinates; matrices that are no tensors
    t   velocity: rates, or w in base axes    o     displacements of actuators
    q   bounds of components in base axes     ?     depends on axes or on an order by its own rule
    .   nothing that a description changes    !     how a solver ended: never compared
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import gough
from tests.support.adapter.arrays import payload_inertia
from tests.support.questions import Answer, Array, States
from tests.support.random_robots import reframed, turn
from tests.support.robots import joint_by_joint_text, with_values
from tests.support.same_motion import in_coordinates_of
from tests.support.same_motion import moved as motion_of_platform

LETTERS = {
    "robot_properties/mass": "b",
    "robot_properties/com": "bV",
    "robot_properties/inertia": "bVV",
    "robot_properties/home": "x",
    "written_file/mass": "b",
    "written_file/com": "bV",
    "written_file/inertia": "bVV",
    "*/stroke": "j.",
    "*/limits": "j.",
    "*/drive": "j.",
    "inverse_kinematics/K": "nak",
    "inverse_kinematics/q": "no",
    "inverse_kinematics/one_pose": "o",
    "written_file/q": "no",
    "inverse_kinematics/dependent": "nd",
    "inverse_kinematics/dependent_xd*": "nd",
    "inverse_kinematics/shortfall": "nl",
    "forward_kinematics/x": "nx",
    "forward_kinematics/dependent": "nd",
    "force_allocation/internal": "naa",
    "inverse_dynamics/base_wrench": "ng",
    "moving_base/base_wrench": "ng",
    "inverse_dynamics/generalized_force": "nk",
    "inverse_dynamics/platform_part_*": "na",
    "*/acceleration": "ny",
    "forward_dynamics/acceleration_free_rates": "nt",
    "forward_dynamics/acceleration_*": "ny",
    "payload/platform": "?",  # mass, centre and tensor in one row
    "dynamics_matrices/M_platform_*": "nkk",
    "dynamics_matrices/C_platform_*": "nKK",
    "dynamics_matrices/G_platform_*": "nk",
    "dynamics_matrices/?_actuator_*": "naa",
    "dynamics_matrices/G_actuator_*": "na",
    "body_motion/p": "nbp",
    "body_motion/c": "nbp",
    "body_motion/R": "nbvV",
    "body_motion/w_body_axes": "nbW",
    "body_motion/wd_body_axes": "nbW",
    "body_motion/*_body_axes": "nbV",
    "body_motion/w": "nbw",
    "body_motion/wd": "nbw",
    "body_motion/*": "nbv",
    "joint_reactions/point": "nep",
    "*/reaction_force": "nev",
    "*/reaction_moment": "new",
    "joint_reactions/force": "nev",
    "joint_reactions/moment": "new",
    "joint_reactions/determinate": "neq",
    "link_wrenches/*force": "nbV",
    "link_wrenches/*moment": "nbW",
    "paper_terms/T": "nfa",
    "paper_terms/tau_G": "na",
    "paper_terms/[MN]": "naa",
    "paper_terms/Lambda": "naa",
    "paper_terms/L_*": "n.a",
    "paper_terms/[IC]_*": "n..",
    "paper_terms/J_*": "n?.",
    "paper_terms/lopes_force": "na",
    "paper_terms/lopes_*": "?",  # in base axes and in angles of one order
    "force_derivatives/wrt_wrench": "naf",
    "force_derivatives/wrt_xdd": "nak",
    "force_derivatives/wrt_x*": "naK",
    "regressor/base_count": "",
    "regressor/*": "?",  # parameters of bodies in axes of their frames; axes decide which of them are kept
    "linearised/A*": "ss",
    "linearised/B*": "sa",
    "linearised/acceleration_moving": "K",
    "linearised/mode_mass": "tt",
    "linearised/mode_stiffness": "tt",
    "linearised/geometric_stiffness": "tt",
    "bound_functions/joint_reactions_points": "nep",
    "bound_functions/joint_reactions_joint_force": "nev",
    "bound_functions/joint_reactions_joint_moment": "new",
    "bound_functions/*_joint_q*": "nj",
    "bound_functions/*_q": "no",
    "bound_functions/*_residual": "!",
    "bound_functions/*_converged": "!",
    "bound_functions/*_chart": "!",
    "bound_functions/*_free": "nt",
    "bound_functions/*_short": "nl",
    "bound_functions/inverse_kinematics_K": "nak",
    "bound_functions/*_dependent*": "nd",
    "bound_functions/*_xdd": "ny",
    "bound_functions/forward_kinematics_x": "nx",
    "bound_functions/dynamics_matrices_M": "nkk",
    "bound_functions/dynamics_matrices_C": "nKK",
    "bound_functions/dynamics_matrices_G": "nk",
    "bound_functions/*_tension": "na",
    "motions/*_xdd": "nK",
    "motions/*_xd": "nK",
    "motions/*_x": "nK",
    "named_motions/*_x*": "nK",
    "base_motions/*": "?",  # named motions have axes of their own
    "demand/*parasitic": "d",
    "demand/*_range": "a.",
    "accuracy/map": "?",  # a column per source: errors of points in base axes
    "accuracy/sd": "nq",
    "accuracy/worst": "nq",
    "accuracy/largest": "nq",
    "accuracy/rms": "n.",
    "accuracy/covariance": "nff",
    "accuracy/monte_carlo": "?",  # drawn source by source
    "accuracy/compliance": "ff",
    "accuracy/structure": "tt",
    "simulate/*_x": "nK",
    "simulate/*_xd": "nK",
    "workspace_travel/*travel": "K.",
    "ensemble/values": "..",
    "ensemble/*": ".K",
}
"""Letters of fields whose kind does not determine them; the first pattern that fits counts. Those with
"?" are compared only where axes, frames and legs stay as they are."""
BY_KIND = {
    "actuator": "a",
    "coordinate": "K",
    "joint": "j",
    "vector": "v",
    "body vector": "bv",
    "joint vector": "jv",
    "wrench": "f",
    "leg length": "l",
}
BOUND = {"q": "a", "qd": "a", "qdd": "a", "force": "a", "power": "a"}


def letters(question: str, name: str, answer: Answer) -> str:
    """A letter for each axis of an answer."""
    dimensions = np.ndim(answer.value)
    found = next((text for pattern, text in LETTERS.items() if fnmatchcase(f"{question}/{name}", pattern)), None)
    if found is None and question == "bound_functions":
        found = BOUND.get(name.rsplit("_", 1)[-1])
    if found is None:
        found = BY_KIND.get(answer.kind, "")
        if answer.kind == "actuator" and dimensions == 1:
            found = "a"
    if f"{question}/{name}".startswith("paper_terms/J_"):
        found = found.replace("?", "f" if answer.value.shape[-2] == 6 else "v")  # a twist, or the velocity of a point
    return found[:dimensions].rjust(dimensions, "n")


@dataclass(frozen=True)
class Description:
    """A machine described otherwise.

    robot, states: The other machine and the stored states as it takes them.
    change: What happens to an axis of each letter: a matrix, an array of indices, or a function of the values with that
        axis last. A letter that is not named stays.
    unlike: Letters whose values cannot be compared.
    rename: New name of a leg, joint or body.
    fields: Patterns "question/field" that this description changes for a stated reason.
    """

    robot: gough.Robot
    states: States
    change: Mapping[str, Any] = field(default_factory=dict)
    unlike: str = ""
    rename: Callable[[str], str] = str
    fields: Mapping[str, str] = field(default_factory=dict)

    def expected(self, question: str, found: Mapping[str, Answer]) -> dict[str, Answer]:
        """Answers of the first machine as this one should have them; those that cannot be compared are left out."""
        answers = {}
        for name, answer in found.items():
            axes = letters(question, name, answer)
            key = f"{question}/{name}"
            if set(axes) & {"!", *self.unlike} or any(fnmatchcase(key, pattern) for pattern in self.fields):
                continue
            value = answer.value
            if value.dtype.kind in "US":
                value = np.array([self.rename(word) for word in np.ravel(value)], dtype=str).reshape(value.shape)
            for axis, letter in enumerate(axes):
                value = self._along(value, axis, letter)
            answers[self._field(question, name)] = replace(answer, value=value)
        return answers

    def _field(self, question: str, name: str) -> str:
        """The name of a field, which is that of a body for matrices of the papers."""
        letter, _, body = name.partition("_")
        return f"{letter}_{self.rename(body)}" if question == "paper_terms" and letter in "LJIC" else name

    def _along(self, value: Array, axis: int, letter: str) -> Array:
        change = self.change.get(letter)
        if change is None or value.shape[axis] == 0:
            return value
        if not callable(change) and np.ndim(change) == 1:
            return np.take(value, change, axis)
        last = np.moveaxis(value, axis, -1)
        last = change(last) if callable(change) else _product(last, np.asarray(change))
        return np.moveaxis(last, -1, axis)


def _product(rows: Array, matrix: Array) -> Array:
    """Matrix times rows; a component that is NaN is lost only in those that depend on it."""
    if rows.dtype.kind != "f":
        return np.asarray(rows @ matrix.T)
    lost = np.isnan(rows)
    spread = lost.astype(float) @ (matrix != 0.0).T.astype(float) > 0.0
    return np.where(spread, np.nan, np.where(lost, 0.0, rows) @ matrix.T)


def whole_vectors(question: str, found: Mapping[str, Answer]) -> dict[str, Answer]:
    """Answers whose vectors have all components or none: components that are indeterminate depend on the axes."""
    answers = dict(found)
    for name, answer in found.items():
        if letters(question, name, answer)[-2:] in ("ev", "ew"):
            lost = np.isnan(answer.value).any(axis=-1, keepdims=True)
            answers[name] = replace(answer, value=np.where(lost, np.nan, answer.value))
    return answers


def ordered_checks(found: Mapping[str, Answer], floors: Mapping[str, float]) -> dict[str, Answer]:
    """Rows of checks in the order of their names, those of each kind of limit as a field with its own scale.

    Of distances between legs only the least counts: how many rows there are depends on round-off, which is wrong.

    Args:
        found: Answers of the question "check".
        floors: Floors of these scales by kind; 1e-3 for others.
    """
    answers = dict(found)
    for name, answer in found.items():
        if not name.endswith("_limits") or answer.value.dtype.kind not in "US":
            continue
        prefix = name.removesuffix("limits")
        words, values = answer.value.tolist(), found[f"{prefix}value"].value
        distances = [k for k, word in enumerate(words) if word.startswith("distance ")]
        dropped = set(distances) - {min(distances, key=values.__getitem__, default=-1)}
        words = ["distance" if k in distances else word for k, word in enumerate(words)]
        order = np.array(sorted(set(range(len(words))) - dropped, key=words.__getitem__), dtype=int)
        answers[name] = replace(answer, value=np.array(words, dtype=str)[order])
        answers[f"{prefix}fits"] = replace(found[f"{prefix}fits"], value=found[f"{prefix}fits"].value[order])
        kinds = np.array([word.split(" ")[0] for word in words])
        for part in ("value", "margin"):
            every = answers.pop(f"{prefix}{part}")
            for kind in sorted(set(kinds.tolist())):
                rows = every.value[order[kinds[order] == kind]]
                answers[f"{prefix}{kind}_{part}"] = replace(every, value=rows, size=floors.get(kind, 1e-3))
    return answers


def turned(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
    """The whole machine turned and shifted in its base, and gravity turned with it; coordinates stay."""
    R, p = turn(rng), rng.uniform(-1.0, 1.0, 3) * float(states["length"])
    other = _placed(robot, R, p)
    two = np.kron(np.eye(2), R)
    about_base = two.copy()
    about_base[3:, :3] = np.cross(p, R.T).T
    given = dict(states)
    for name in ("base_acceleration", "base_w", "base_wd"):
        given[name] = states[name] @ R.T
    given["base_R"] = R @ states["base_R"] @ R.T
    arm, w, wd = given["base_R"] @ p, given["base_w"], given["base_wd"]  # the acceleration is that of the new origin
    given["base_acceleration"] = given["base_acceleration"] - np.cross(wd, arm) - np.cross(w, np.cross(w, arm))
    given["wrench"] = states["wrench"] @ two.T
    change = {"v": R, "w": R, "p": lambda points: points @ R.T + p, "f": two, "g": about_base}
    if all_angles_free(robot):
        change["t"] = velocity_map(robot, np.eye(3), R)
    return Description(other, given, change, "?q", fields=OWN_AXES)


def all_angles_free(robot: gough.Robot) -> bool:
    """True if three coordinates are angles: velocities are then stated by w, not by rates of these."""
    return sum(coordinate.turns for coordinate in robot.platform.coordinates) == 3


def velocity_map(robot: gough.Robot, slides: Array, turns: Array) -> Array:
    """Matrix that maps rates of translations, by name, and the angular velocity."""
    sliding = ["xyz".index(c.motion) for c in robot.platform.coordinates if not c.turns]
    count = len(sliding)
    whole = np.zeros((count + 3, count + 3))
    whole[:count, :count] = slides[np.ix_(sliding, sliding)]
    whole[count:, count:] = turns
    return whole


OWN_AXES = {
    "*/*ship*": "named motions of the base have axes of their own",
    "workspace_travel/twist_*": "the twist is stated in base axes",
    "workspace_travel/pivot_*": "the convention uvw is about base axes",
    "workspace_travel/convention_*": "the convention fixed-xyz is about base axes",
    "operation_counts/*": "products with 0 and 1 are left out, which depend on the axes",
    "stack/*": "the machine above and the base's motion have axes of their own",
    "assembly_modes/poses": "poses are stated in base axes",
    "workspace_volume/*": "grids lie in base axes and begin at low ends: 2e-5 of delta's volume, 6e-8 with 96 cells",
    **dict.fromkeys(
        (f"assembly_modes/{name}" for name in ("side", "branch", "within_limits", "certified")),
        "in the order of the poses, which are stated in base axes",
    ),
}


SPLIT_BY_COORDINATES = dict.fromkeys(
    ("inverse_dynamics/platform_part_inertia", "inverse_dynamics/platform_part_velocity"),
    "inertia is what accelerations of the coordinates take, velocity the remainder",
)


def _placed(robot: gough.Robot, R: Array, p: Array) -> gough.Robot:
    def point(r: Any) -> Any:
        return _row(R @ np.array(r) + p)

    def place(leg: Any) -> Any:
        cable = leg.cable and replace(leg.cable, axis=_row(R @ np.array(leg.cable.axis)))
        return replace(leg, position=point(leg.position), rotation=_rows(R @ np.array(leg.rotation)), cable=cable)

    def anchor(end: Any) -> Any:
        return replace(end, point=point(end.point)) if end.body == "base" else end

    platform = replace(
        robot.platform, position=point(robot.platform.position), rotation=_rows(R @ np.array(robot.platform.rotation))
    )
    return with_values(
        robot,
        platform=platform,
        legs=tuple(place(leg) for leg in robot.legs),
        gravity=_row(R @ np.array(robot.gravity)),
        springs=tuple(replace(s, first=anchor(s.first), second=anchor(s.second)) for s in robot.springs),
    )


def _row(values: Any) -> Any:
    return tuple(float(value) for value in values)


def _rows(values: Any) -> Any:
    return tuple(_row(row) for row in values)


MIRROR = np.diag([1.0, -1.0, 1.0])


def mirrored(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
    """The image of the machine in the plane y = 0. Joint coordinates stay: axes of turning joints are reversed."""
    S = MIRROR
    home = gough.inverse_kinematics(robot, np.array(robot.platform.home))
    start = iter(np.ravel(home.joint_q).tolist())

    def polar(r: Any) -> Any:
        return None if r is None else _row(S @ np.array(r))

    def frame(R: Any) -> Any:
        return _rows(S @ np.array(R) @ S)

    def body(b: Any) -> Any:
        xx, yy, zz, xy, xz, yz = b.inertia
        return replace(b, com=polar(b.com), inertia=(xx, yy, zz, -xy, xz, -yz))

    def joint(j: Any) -> Any:
        axis, at_home = S @ np.array(j.axis), float(next(start))
        return replace(
            j,
            axis=_row(-axis if j.turns else axis),
            offset=polar(j.offset),
            rotation=frame(j.rotation),
            body=body(j.body),
            bolt=polar(j.bolt),
            start=at_home if j.mimic is None else j.start,
        )

    def leg(one: Any) -> Any:
        joints = tuple(joint(j) for j in one.joints)
        end = replace(
            one.end,
            point=polar(one.end.point),
            rotation=frame(one.end.rotation),
            platform_point=polar(one.end.platform_point),
            platform_rotation=frame(one.end.platform_rotation),
            bolt=polar(one.end.bolt),
        )
        cable = one.cable and replace(one.cable, axis=polar(one.cable.axis))
        if cable:
            joints = tuple(replace(j, start=old.start) for j, old in zip(joints, one.joints, strict=True))
        return replace(
            one,
            joints=joints,
            end=end,
            position=polar(one.position),
            rotation=frame(one.rotation),
            branch=None,
            cable=cable,
        )

    def signs(coordinates: Any) -> Array:
        return np.array([-1.0 if c.motion in ("y", "rx", "rz") else 1.0 for c in coordinates])

    own, dependent = signs(robot.platform.coordinates), signs(robot.platform.dependent)
    platform = replace(
        robot.platform,
        body=body(robot.platform.body),
        home=_row(own * robot.platform.home),
        start=_row(dependent * robot.platform.start),
        position=polar(robot.platform.position),
        rotation=frame(robot.platform.rotation),
    )
    springs = tuple(
        replace(
            s,
            first=replace(s.first, point=polar(s.first.point)),
            second=replace(s.second, point=polar(s.second.point)),
        )
        for s in robot.springs
    )
    other = with_values(
        robot,
        platform=platform,
        legs=tuple(leg(one) for one in robot.legs),
        gravity=polar(robot.gravity),
        springs=springs,
    )
    both = np.kron(np.diag([1.0, -1.0]), S)
    given = dict(states)
    for name in ("x", "xd", "xdd", "guess", "from", "to"):
        given[name] = states[name] * own
    given["wrench"] = states["wrench"] @ both
    for name in ("wrench_point", "payload_com", "base_acceleration"):
        given[name] = states[name] @ S
    for name in ("base_w", "base_wd"):
        given[name] = -states[name] @ S
    given["base_R"] = S @ states["base_R"] @ S
    given["payload_inertia"] = payload_inertia(states) * [1.0, 1.0, 1.0, -1.0, 1.0, -1.0]
    change: dict[str, Any] = dict.fromkeys("vpV", S) | dict.fromkeys("wW", -S) | dict.fromkeys("fg", both)
    change["t"] = velocity_map(robot, S, -S) if all_angles_free(robot) else np.diag(own)
    change |= dict.fromkeys("xcykK", np.diag(own)) | {"d": np.diag(dependent), "s": np.kron(np.eye(2), np.diag(own))}
    fields = OWN_AXES | {
        "named_motions/*": "motions by name are stated in coordinates",
        "workspace_travel/*": "low and high ends of an axis change places",
    }
    return Description(gough.loads(other.to_toml()), given, change, "?", fields=fields)


def reversed_legs(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
    """Legs in the reversed order, under other names."""
    names = {leg.name: f"{leg.name}_new" for leg in robot.legs}
    legs = tuple(replace(leg, name=names[leg.name]) for leg in robot.legs[::-1])

    def rename(words: str) -> str:
        return re.sub(r"[^\s.+-]+", lambda found: names.get(found[0], found[0]), words)

    def places(key: Callable[[Any], int], first: int = 0) -> Array:
        counts = [key(leg) for leg in robot.legs]
        ends = first + np.cumsum(counts)
        blocks = [np.arange(end - count, end) for end, count in zip(ends, counts, strict=True)]
        return np.concatenate([np.arange(first), *blocks[::-1]]).astype(int)

    actuators = places(lambda leg: sum(joint.actuated for joint in leg.joints))
    sections = gough.joint_reactions(robot, gough.State(states["x"][0], 0 * states["x"][0], 0 * states["x"][0])).names
    renamed = {rename(name): k for k, name in enumerate(sections)}
    owner = [next(leg.name for leg in legs if name.split(".")[0] == leg.name) for name in renamed]
    order = [k for leg in legs for name, k in renamed.items() if owner[k] == leg.name]
    actuation = robot.actuation
    if actuation is not None:
        weights, reference = (
            row and _row(np.array(row)[actuators]) for row in (actuation.weights, actuation.reference)
        )
        actuation = replace(actuation, weights=weights, reference=reference)

    def anchor(end: Any) -> Any:
        return replace(end, body=rename(end.body)) if "." in end.body else end

    springs = tuple(replace(s, first=anchor(s.first), second=anchor(s.second)) for s in robot.springs)
    other = with_values(robot, legs=legs, actuation=actuation, springs=springs)
    given = dict(states) | {name: states[name][..., actuators] for name in ("q", "force")}
    change = {
        "a": actuators,
        "o": actuators,
        "j": places(lambda leg: len(leg.joints)),
        "b": places(lambda leg: len(leg.joints), 1),
        "l": places(lambda leg: 1),
        "e": np.array(order),
    }
    fields = {
        "simulate/pd_sampled*": "noise is drawn actuator by actuator",
        "inverse_kinematics/failing_leg": "several legs may fail: the first is named",
        "regressor/*": "columns are in the order of bodies",
        "stack/*": "the machine below is read from its file",
        "assembly_modes/branch": "branches are listed leg by leg",
        "assembly_modes/side": "the sign of a determinant whose rows are legs",
    }
    return Description(other, given, change, "?", rename, fields)


UNITS = {
    "length": ("mm", 1e-3),
    "angle": ("deg", np.pi / 180),
    "mass": ("g", 1e-3),
    "time": ("ms", 1e-3),
    "inertia": ("g mm^2", 1e-9),
    "force": ("kN", 1e3),
    "torque": ("N mm", 1e-3),
    "acceleration": ("mm/s^2", 1e-3),
    "power": ("kW", 1e3),
}
"""Units of the rewritten file and their SI values."""


def other_units(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
    """The machine's file in millimetres, degrees, grams, milliseconds and units to match."""
    size = {name: value for name, (_, value) in UNITS.items()}
    document = tomllib.loads(joint_by_joint_text(robot))

    def scaled(value: Any, factor: float) -> Any:
        return [scaled(entry, factor) for entry in value] if isinstance(value, list) else value / factor

    def convert(table: dict[str, Any], factors: Mapping[str, float]) -> dict[str, Any]:
        return {key: scaled(value, factors[key]) if key in factors else value for key, value in table.items()}

    body = {"mass": size["mass"], "com": size["length"], "inertia": size["inertia"]}

    def drive(table: dict[str, Any], turns: bool) -> dict[str, Any]:
        travel, effort = (size["angle"], size["torque"]) if turns else (size["length"], size["force"])
        factors = {
            "zero": travel, "start": travel, "stroke": travel, "speed": travel / size["time"], "force": effort,
            "power": size["power"], "viscous": effort * size["time"] / travel, "coulomb": effort,
            "rotor_inertia": size["inertia"], "gear": size["angle"] / travel, "cone": size["angle"],
            "offset": size["length"],
        }  # fmt: skip
        table = convert(table, factors)
        if "spring" in table:
            table["spring"] = convert(
                table["spring"], {"stiffness": effort / travel, "rest": travel, "preload": effort}
            )
        if "body" in table:
            table["body"] = convert(table["body"], body)
        return table

    def leg(table: dict[str, Any]) -> dict[str, Any]:
        places = dict.fromkeys(("position", "radius", "base", "platform"), size["length"])
        table = convert(table, places | dict.fromkeys(("tension", "reference", "elasticity"), size["force"]))
        if "pulley" in table:
            table["pulley"] = convert(table["pulley"], {"radius": size["length"]})
        if "actuator" in table:
            table["actuator"] = drive(table["actuator"], False)
        turning = {joint["name"]: joint["type"] == "R" for joint in table.get("joint", [])}
        for k, joint in enumerate(table.get("joint", [])):
            joint = drive(joint, turning[joint["name"]])
            if "mimic" in joint:
                own, other = (
                    size["angle"] if turning[name] else size["length"]
                    for name in (joint["name"], joint["mimic"]["joint"])
                )
                joint["mimic"] = convert(joint["mimic"], {"offset": own, "ratio": own / other})
            table["joint"][k] = joint
        if "end" in table:
            factors = {"point": size["length"], "platform_point": size["length"], "cone": size["angle"]}
            table["end"] = convert(table["end"], factors)
        return table

    def spring(table: dict[str, Any]) -> dict[str, Any]:
        table = convert(table, {"stiffness": size["force"] / size["length"], "free_length": size["length"]})
        for end in ("first", "second"):
            table[end] = convert(table[end], {"point": size["length"]})
        return table

    platform = convert(document["platform"], body)
    motions = platform["coordinates"].values()
    platform["home"] = [
        value / size["angle" if motion.startswith("r") else "length"]
        for value, motion in zip(platform["home"], motions, strict=True)
    ]
    if "origin" in platform:
        platform["origin"] = convert(platform["origin"], {"position": size["length"]})
    converted = convert(document, {"gravity": size["acceleration"], "length": size["length"]})
    converted |= {"platform": platform, "leg": [leg(table) for table in document["leg"]]}
    if "spring" in converted:
        converted["spring"] = [spring(table) for table in converted["spring"]]
    if "actuation" in converted:
        turns = robot.actuators[0].turns
        converted["actuation"] = convert(converted["actuation"], {"reference": size["torque" if turns else "force"]})
    text = _toml(converted | {"units": {name: unit for name, (unit, _) in UNITS.items()}})
    return Description(gough.loads(text), states | {"text": np.array(text)})


def _toml(document: dict[str, Any]) -> str:
    """TOML text of nested tables, in which all but the outermost are inline."""
    return "\n".join(f"{key} = {_value(value)}" for key, value in document.items()) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {_value(entry)}' for key, entry in value.items()) + "}"
    return repr(float(value)) if isinstance(value, float) else repr(value)


STRAIGHT = (
    "named_motions",
    "motions",
    "forces_along",
    "check",
    "demand",
    "comparison",
    "accuracy",
    "simulate",
    "stack",
)
"""Questions about motions between two poses."""


def other_order(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description | None:
    """The platform's three angles in the reversed order; None for machines without three independent ones."""
    old = robot.platform
    turning = [c for c in old.coordinates if c.turns]
    if len(turning) != 3 or old.dependent:
        return None
    sliding = [c for c in old.coordinates if not c.turns]
    new = replace(old, coordinates=(*sliding, *turning[::-1]))
    axes = "".join(c.motion[-1] for c in turning[::-1]).upper()
    places = [old.coordinates.index(c) for c in sliding]

    def converted(x: Array, xd: Array, xdd: Array) -> tuple[Array, Array, Array, Array]:
        """Coordinates, rates, accelerations, and the matrix from old to new rates."""
        _, R, twist, second = motion_of_platform(old, x, xd, xdd)
        T = np.array(old.rotation).T @ R
        y = np.concatenate([x[places], Rotation.from_matrix(T).as_euler(axes)])
        zero = np.zeros(len(y))
        S_new, S_old = (
            np.stack([motion_of_platform(one, at, row, zero)[2] for row in np.eye(len(y))], axis=1)
            for one, at in ((new, y), (old, x))
        )
        yd = np.linalg.lstsq(S_new, twist, rcond=None)[0]
        drift = motion_of_platform(new, y, yd, zero)[3]
        ydd = np.linalg.lstsq(S_new, second - drift, rcond=None)[0]
        return y, yd, ydd, np.linalg.lstsq(S_new, S_old, rcond=None)[0]

    zero = np.zeros(len(old.home))

    def position(values: Array) -> Array:
        rows = [converted(row, zero, zero)[0] if np.isfinite(row).all() else row for row in np.atleast_2d(values)]
        return np.array(rows).reshape(np.shape(values))

    rows = [converted(*row) for row in zip(states["x"], states["xd"], states["xdd"], strict=True)]
    given = dict(states)
    for k, name in enumerate(("x", "xd", "xdd")):
        given[name] = np.array([row[k] for row in rows])
    for name in ("guess", "from", "to"):
        given[name] = position(states[name])
    inverse = np.array([np.linalg.inv(row[3]) for row in rows])

    def forces(values: Array) -> Array:
        """Per sample: covariant along the last axis."""
        return np.einsum("n...k,nkc->n...c", values, inverse)

    def accelerations(values: Array) -> Array:
        motion = zip(states["x"], states["xd"], values, strict=True)
        return np.array(
            [converted(*row)[2] if np.isfinite(row[2]).all() else np.full(len(zero), np.nan) for row in motion]
        )

    other = with_values(robot, platform=replace(new, home=_row(position(np.array(old.home)))))
    fields = {
        "inverse_kinematics/condition": "the condition number is that of the rates of the coordinates",
        **SPLIT_BY_COORDINATES,
        "dynamics_matrices/C_actuator_*": "C is no tensor: only C times the rates is",
    } | {f"{question}/*": "motions between two poses are straight in the coordinates" for question in STRAIGHT}
    return Description(other, given, {"x": position, "k": forces, "y": accelerations}, "?cKsd", fields=fields)


def joint_by_joint(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description | None:
    """Every leg joint by joint, with frames of its own choice; None where springs or bolts are bound to frames."""
    bound = any("." in end.body for spring in robot.springs for end in (spring.first, spring.second))
    if bound or robot.cables or any(joint.bolt is not None for joint in robot.joints):
        return None
    other = reframed(robot, int(rng.integers(1 << 30)))
    fields = {"body_motion/R": "frames of bodies are others", "operation_counts/*": "they depend on the frames"}
    return Description(gough.loads(other.to_toml()), states, {}, "VW?", fields=fields)


def written(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
    """The machine written by gough and read again."""
    text = robot.to_toml()
    return Description(gough.loads(text), states | {"text": np.array(text)})


def imported(ending: str) -> Callable[[gough.Robot, States, np.random.Generator], Description]:
    """The machine exported for another program and imported: what its actuators do, from home on, is the same."""

    def description(robot: gough.Robot, states: States, rng: np.random.Generator) -> Description:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / f"robot{ending}"
            gough.export_robot(robot, file)
            other = gough.import_robot(file, "platform", compare=False).robot
        given = dict(states)
        motion = in_coordinates_of(other, robot, *(states[name] for name in ("x", "xd", "xdd")))
        given |= dict(zip(("x", "xd", "xdd"), motion, strict=True))
        homes = [np.ravel(gough.inverse_kinematics(one, x["x"][0]).q) for one, x in ((robot, states), (other, given))]
        order = [robot.actuator_names.index(name) for name in other.actuator_names]

        def displaced(values: Array) -> Array:
            return (values - homes[0])[..., order] + homes[1]

        fields = {
            "inverse_kinematics/condition": "the condition number is that of the rates of the coordinates",
            **SPLIT_BY_COORDINATES,
            "inverse_dynamics/body_*": "groups of bodies have other names",
        }
        return Description(other, given, {"a": np.array(order), "o": displaced}, "?bcdejkKlpstvVwWxy", fields=fields)

    return description


TRANSFORMATIONS: dict[str, Callable[[gough.Robot, States, np.random.Generator], Description | None]] = {
    "turned": turned,
    "mirrored": mirrored,
    "reversed": reversed_legs,
    "units": other_units,
    "order": other_order,
    "joints": joint_by_joint,
    "written": written,
    "mjcf": imported(".xml"),
    "urdf": imported(".urdf"),
    "sdf": imported(".sdf"),
}
