"""How exported functions are called from C: parameters, their comments, and the names of what they are made of."""

from __future__ import annotations

import itertools
import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.robot_functions import Exported, RobotFunction
from gough.dynamics.reactions import section_names
from gough.errors import InputError
from gough.graph import Graph
from gough.robot import Mechanism
from gough.table.result import units_of

_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "class new delete template this throw try catch namespace operator private public protected virtual bool "
    "and or not xor main".split()
)


def identifier(text: str) -> str:
    """A text as a C identifier, in small letters."""
    name = _word(text) or "robot"
    return f"robot_{name}" if name[0].isdigit() or name in _KEYWORDS else name


def _word(text: str) -> str:
    """The ASCII letters and digits of a text: an accent is dropped, an alpha written out, all else becomes _."""
    plain = "".join(
        c if c.isascii() or not c.isalnum() else f"_{unicodedata.name(c, '_').split()[-1]}_"
        for c in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(c)
    )
    return re.sub(r"[\W_]+", "_", plain, flags=re.ASCII).strip("_").lower()


def check_prefix(name: str) -> str:
    """A name that all functions may begin with.

    Raises:
        InputError: It is none.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) or name in _KEYWORDS:
        raise InputError(f"name {name!r}: must be a C identifier (e.g. {identifier(name)})")
    return name


def enum_names(prefix: str, kind: str, names: Sequence[str]) -> list[str]:
    """Constants of an enum: "STEWART_ACTUATOR_1" of the actuator "1"."""
    return _distinct([f"{prefix}_{kind}_{_word(name) or 'unnamed'}".upper() for name in names])


def _distinct(texts: Sequence[str]) -> list[str]:
    """Each once: a text that was there before ends with _2 or the next number that is free."""
    found: list[str] = []
    for text in texts:
        free = (f"{text}_{k}" for k in itertools.count(2))
        found.append(text if text not in found else next(t for t in free if t not in found and t not in texts))
    return found


@dataclass(frozen=True)
class Field:
    """A field of the parameter struct: its name in C, its path in the robot, and its value."""

    name: str
    path: str
    value: float


def fields_of(given: Exported) -> list[Field]:
    """Fields of the parameter struct."""
    names = _distinct([identifier(path) for path in given.free])
    return [Field(*entry) for entry in zip(names, given.free, given.defaults, strict=True)]


def interface_of(module: Module, function: RobotFunction, graph: Graph, given: Exported) -> Interface:
    """Parameters of the C function of a graph."""
    number, fields = module.number, fields_of(given)
    parameters: list[Parameter] = []
    inputs: list[tuple[str, str]] = []
    outputs: list[tuple[str, str]] = []
    if fields:
        parameters.append(Parameter("parameters", f"const {module.prefix}_parameters *parameters"))
    for spec in graph.inputs:
        if spec.name == "p":
            inputs += [("parameters", f"parameters->{field.name}") for field in fields]
            continue
        parameters.append(Parameter(spec.name, f"const {number} {spec.name}[{spec.size}]"))
        inputs += [(spec.name, f"{spec.name}[{k}]") for k in range(spec.size)]
    for output in graph.outputs:
        if output.name == "status":
            outputs.append(("status", "status"))
            continue
        scalar = output.shape == ()
        kind = "int" if output.dtype == "int" else number
        declared = f"{kind} *{output.name}" if scalar else f"{kind} {output.name}[{len(output.nodes)}]"
        parameters.append(Parameter(output.name, declared))
        places = [f"*{output.name}"] if scalar else [f"{output.name}[{k}]" for k in range(len(output.nodes))]
        outputs += [(output.name, place) for place in places]
    return Interface(tuple(parameters), tuple(inputs), tuple(outputs), frozenset({"leg"}))


def comments_of(module: Module, graph: Graph, given: Exported) -> list[str]:
    """A line for each parameter: its size, unit, frame and order."""
    lines = []
    if given.free:
        lines.append(f"parameters   numbers of the robot, e.g. &{module.prefix}_defaults")
    follows = any(spec.name == "kp" for spec in graph.inputs)
    for spec in graph.inputs:
        if spec.name != "p":
            wanted = "wanted motion, " if follows and spec.name in ("x", "xd", "xdd") else ""
            meaning = _meaning(module.prefix, given.robot, spec.name)
            lines += _described(f"{spec.name}[{spec.size}]", f"in: {wanted}{meaning}")
    for output in graph.outputs:
        if output.name != "status":
            size = f"[{len(output.nodes)}]" if output.shape else ""
            lines += _described(output.name + size, f"out: {_meaning(module.prefix, given.robot, output.name, graph)}")
    return lines


def _described(name: str, text: str) -> list[str]:
    return textwrap.wrap(f"{name:12} {text}", 112, subsequent_indent=" " * 13, drop_whitespace=True)


def _meaning(prefix: str, robot: Mechanism, name: str, graph: Graph | None = None) -> str:
    """What a parameter holds: unit, frame and order."""
    per = {"": "", "d": "/s", "dd": "/s^2"}
    x, q, follow = (units_of(robot, axis, "displacement") for axis in ("coordinate", "actuator", "dependent"))
    force = units_of(robot, "actuator", "force")
    by_x, by_q = f"by {prefix}_coordinate", f"by {prefix}_actuator"
    n = robot.dof
    if graph is not None and any(spec.name == "guess" for spec in graph.inputs) and name == "x":
        others = f"; ik gives {', '.join(robot.dependent_names)}, which follow them" if robot.dependent_names else ""
        return f"pose found, platform coordinates {_units(x)} of P in B, {by_x}{others}"
    texts = {
        "x": f"platform coordinates {_units(x)} of P in B, {by_x}",
        "xd": f"their rates {_units(x, '/s')}, {by_x}",
        "xdd": f"their accelerations {_units(x, '/s^2')}, {by_x}",
        "guess": f"a pose near by, such as the last one: platform coordinates {_units(x)} of P in B, {by_x}",
        "pose": f"pose found from q, the next guess: platform coordinates {_units(x)} of P in B, {by_x}",
        "q": f"displacements from the actuators' zeros {_units(q)}, {by_q}",
        "qd": f"their rates {_units(q, '/s')}, {by_q}",
        "qdd": f"their accelerations {_units(q, '/s^2')}, {by_q}",
        "force": f"joint-side {_units(force)}, positive as q grows, {by_q}",
        "wrench": "on the platform at the tool, axes of B: force x y z [N], moment x y z [N m]",
        "kp": f"acceleration per error [1/s^2], {by_x}",
        "kd": f"acceleration per rate of error [1/s], {by_x}",
        "K": f"qd = K xd, row by row: K[{n} * i + k], i {by_q}, k {by_x}",
        "residual": "largest difference of displacements reached from q [m or rad]",
        "leg": f"the leg that fails, {prefix}_leg, or -1",
        "points": f"of the sections, x y z in B [m]: [3 * i + k], i by {prefix}_section",
        "joint_force": f"on the outer part by the inner one, axes of B [N]: [3 * i + k], i by {prefix}_section",
        "joint_moment": f"the same at that point [N m]: [3 * i + k], i by {prefix}_section",
    }
    if name.startswith("dependent"):
        after = per[name.removeprefix("dependent").removeprefix("_x")]
        return f"coordinates that follow the others {_units(follow, after)}, by {prefix}_dependent"
    return texts[name]


def _units(units: Sequence[str], after: str = "") -> str:
    told = [unit + after for unit in units]
    if len(set(told)) == 1:
        return f"[{told[0]}]"
    return f"[{', '.join(told)}]"


def enums_of(prefix: str, robot: Mechanism, functions: Sequence[RobotFunction]) -> list[tuple[str, str, list[str]]]:
    """(name, remark, constants) of the enums: coordinates, actuators, legs, and sections where there are reactions."""
    groups: list[tuple[str, str, Sequence[str]]] = [
        ("coordinate", "Platform coordinates.", robot.coordinate_names),
        ("actuator", "Actuators.", robot.actuator_names),
        ("leg", "Legs.", [leg.name for leg in robot.legs]),
    ]
    if robot.dependent_names:
        groups.append(("dependent", "Platform coordinates that follow the others.", robot.dependent_names))
    if any(function.name == "reactions" for function in functions):
        groups.append(("section", "Where reactions are.", section_names(robot)))
    return [
        (f"{prefix}_{kind}", remark, [*enum_names(prefix, kind, names), f"{prefix}_{kind}s".upper()])
        for kind, remark, names in groups
    ]
