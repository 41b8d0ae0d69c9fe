"""Write docs/robot_files.md, every key of a robot's file, from the models and texts of the file format.

    python tools/robot_file_page.py            # write it
    python tools/robot_file_page.py --check    # say whether it is what the models say, exit 1 if not

Text and default of a key stand below it in `gough.robot.file.schema` and `leg_schema`; its type, unit and example
follow from its field. tests/robot/test_keys_page.py reads every example as a file would be.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
import textwrap
import typing
from functools import cache, partial
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo

from gough.robot import SHORT_FORMS
from gough.robot.file import leg_schema, schema
from gough.robot.file.fields import Quantity, Table

PAGE = Path(__file__).parents[1] / "docs" / "robot_files.md"
TITLE = """\
# Robot files: every key

<!-- made by tools/robot_file_page.py from the models of the file format -->
"""
INTRODUCTION = (
    "A robot is a TOML file. Unknown keys, wrong units and bodies that cannot exist are refused, one line each with "
    "file, line and key. Numbers are in the units of the tables below unless `[units]` says otherwise. B is the base's "
    "frame, P the platform's. A key without a default is needed. `gough new --legs UPS` prints a file to start from; "
    "the README shows which structures can be written."
)
SECTIONS: dict[str, tuple[type[Table], str]] = {
    "The file": (schema.RobotTable, ""),
    "[units]": (
        schema.UnitsTable,
        "Units of every number in the file. Compound ones follow from the simple ones: with mm, s and deg a slider's "
        "speed is in mm/s, a crank's in deg/s.",
    ),
    "[platform]": (schema.PlatformTable, "The moving body and its coordinates."),
    "origin": (schema.OriginTable, "A constant pose of P in B, before the platform's coordinates."),
    "[legs]": (
        leg_schema.LegsTable,
        "All legs at once on two rings, or what the `[[leg]]` tables leave out. Beside these keys, all of [a known "
        "type](#type-of-a-leg).",
    ),
    "ring": (leg_schema.RingTable, "Places of leg ends on a circle."),
    "[[leg]]": (
        leg_schema.LegTable,
        "A leg of a known type from `base` to `platform`, with all keys of [its type](#type-of-a-leg), or joint by "
        "joint.",
    ),
    "type of a leg": (
        leg_schema.PatternTable,
        "Letters from the base on: P slides, R turns, U is a universal, S a spherical joint, Pa a parallelogram; the "
        "first P or R is driven, in UPS, SPS, RPS and UPU the P, in UCU the spindle, in SRU the R.",
    ),
    "actuator": (
        leg_schema.DriveTable,
        "Also keys of every [joint](#legjoint). Displacements are those of the joint less `zero`.",
    ),
    "joint spring": (
        leg_schema.JointSpringTable,
        "Towards smaller displacements: stiffness (displacement - rest) + preload.",
    ),
    "guide": (leg_schema.GuideTable, "Of a slider, which is at base + (`offset` + coordinate) `direction`."),
    "motor": (leg_schema.MotorTable, "Of a crank. In pairs of legs the second is the mirror image of the first."),
    "pulley": (leg_schema.PulleyTable, "Of a cable, at its base point."),
    "body": (leg_schema.RodTable, "In its own frame; the keys of [leg types](#type-of-a-leg) say where that is."),
    "[[leg.joint]]": (
        leg_schema.JointTable,
        "A joint and the body it moves, in the order of the chain; U, S, C and Pa stand for several. Beside these "
        "keys, all of [an actuator](#actuator).",
    ),
    "mimic": (leg_schema.MimicTable, "A coordinate that is `ratio` times that of another joint, plus `offset`."),
    "[leg.end]": (leg_schema.EndTable, "How a leg that is written joint by joint meets the platform."),
    "[actuation]": (schema.ActuationTable, "See [more actuators than coordinates](actuation.md)."),
    "[[spring]]": (schema.SpringTable, "Pulls two points together: stiffness (distance - free length)."),
    "anchor": (schema.AnchorTable, "An end of a spring."),
    "[tolerances]": (
        schema.TolerancesTable,
        "Read by `gough accuracy`, and by `gough calibrate` as what is known of dimensions before they are measured. A "
        "number is in the units of the file, or carries its own as text; so in the two tables below. Any other key is "
        'an address of the robot: `"leg.1.position.0" = "0.2 mm"`, `"legs.base.radius" = "1 mm"`. See [how exact and '
        "how stiff a machine is](accuracy.md).",
    ),
    "[heat]": (schema.HeatTable, "How far the whole machine grows."),
    "[stiffness]": (schema.StiffnessTable, "Read by `gough accuracy`, `gough modes` and `gough optimise`."),
}
"""Sections of the page in order: the table each is about, and what stands above its keys."""
SHARED = {leg_schema.LegsTable: leg_schema.PatternTable, leg_schema.LegTable: leg_schema.PatternTable}
SHARED |= {leg_schema.JointTable: leg_schema.DriveTable}
"""Tables whose other keys stand in a section of their own."""
TYPES = {
    "name": ("name", '"A"'),
    "body_name": ("name", '"plate"'),
    "body_place": ("name", '"A.crank"'),
    "leg_type": ("type", '"RUS"'),
    "number": ("number", "0.5"),
    "vector3": ("3 numbers", "[0, 0, 1]"),
    "vectors": ("list of 3 numbers", "[[1, 0, 0], [0, 1, 0]]"),
    "number_list": ("list of numbers", "[0, 0, 0.6, 0, 0, 0]"),
    "weights": ('list of numbers, or `"force"`', "[1, 1, 2, 1]"),
    "tension": ("2 numbers", "[5, 900]"),
    "stroke": ("2 numbers", "[-0.2, 0.2]"),
    "inertia": ("3 or 6 numbers, or 3 rows", "[0.2, 0.2, 0.35]"),
    "about": ("name or 3 numbers", '"com"'),
    "rotation": ("3 rows, `{ axis, angle }` or `{ sequence, angles }`", "{ axis = [0, 0, 1], angle = 0.5 }"),
}
"""Words and an example for what each validator of a field takes."""
UNITS = {
    "length": ("m", "0.25"),
    "angle": ("rad", "0.3"),
    "mass": ("kg", "4"),
    "inertia": ("kg m^2", "2e-5"),
    "acceleration": ("m/s^2", ""),
    "travel": ("m or rad", "0.1"),
    "home": ("m or rad", ""),
    "speed": ("m/s or rad/s", "0.5"),
    "force": ("N", "100"),
    "effort": ("N or N m", "800"),
    "efforts": ("N or N m", ""),
    "power": ("W", "400"),
    "viscous": ("N s/m or N m s/rad", "40"),
    "stiffness": ("N/m or N m/rad", "5000"),
    "gear": ("rad/m or 1", "1257"),
    "rotation": ("rad", ""),
    "axis": ("", ""),
}
"""Units of the quantities that fields are marked with, and an example of one number."""
EXAMPLES: dict[tuple[type[Table], str] | type[Table], str] = {
    schema.UnitsTable: '{ length = "mm", angle = "deg" }',
    schema.OriginTable: "{ position = [0, 0, 0.1] }",
    schema.PlatformTable: '{ coordinates = { z = "z" }, mass = 4 }',
    schema.ActuationTable: '{ criterion = "bounded" }',
    schema.AnchorTable: '{ body = "base", point = [0, 0, 0.4] }',
    schema.SpringTable: '{ stiffness = 800, first = { body = "base" }, second = { body = "platform" } }',
    schema.TolerancesTable: '{ base = "0.1 mm", encoder = "1 um" }',
    schema.HeatTable: "{ temperature = 2, expansion = 11.5e-6 }",
    schema.StiffnessTable: '{ actuator = "20 N/um" }',
    leg_schema.LegsTable: '{ type = "UPS", base = { radius = 0.5, half_angle = 0.2 } }',
    leg_schema.LegTable: '{ type = "UPS", base = [0.5, 0, 0], platform = [0.3, 0, 0] }',
    leg_schema.RingTable: "{ radius = 0.5, half_angle = 0.2 }",
    leg_schema.DriveTable: "{ stroke = [-0.2, 0.2], force = 800 }",
    leg_schema.GuideTable: "{ tilt = 0.2 }",
    leg_schema.MotorTable: "{ yaw = 1.3 }",
    leg_schema.PulleyTable: "{ radius = 0.03 }",
    leg_schema.RodTable: "{ length = 0.6, mass = 1.2, com = [0.3, 0, 0] }",
    leg_schema.BodyTable: "{ mass = 1.2, com = [0.15, 0, 0], inertia = [0.001, 0.02, 0.02] }",
    leg_schema.JointTable: '{ type = "R", axis = [0, 0, 1], actuated = true }',
    leg_schema.JointSpringTable: "{ stiffness = 40, rest = 0.1 }",
    leg_schema.MimicTable: '{ joint = "crank", ratio = -1 }',
    leg_schema.EndTable: '{ type = "spherical", point = [0.6, 0, 0] }',
    (schema.RobotTable, "name"): '"my-hexapod"',
    (schema.RobotTable, "description"): '"Six legs on two rings"',
    (schema.RobotTable, "gravity"): "[0, 0, -9.81]",
    (schema.PlatformTable, "coordinates"): '{ x = "x", y = "y", yaw = "rz" }',
    (schema.PlatformTable, "dependent"): '["x", "y", "yaw"]',
    (schema.ActuationTable, "reference"): "[-50, -50, -50, -50]",
    (schema.TolerancesTable, "distribution"): '"normal"',
    (schema.HeatTable, "temperature"): "2",
    (schema.HeatTable, "expansion"): "11.5e-6",
    (schema.StiffnessTable, "actuator"): '"20 N/um"',
    (schema.StiffnessTable, "joint"): '"150 N/um"',
    (schema.StiffnessTable, "tilt"): '"5 kN m/rad"',
    (schema.StiffnessTable, "link"): '"80 N/um"',
    (schema.StiffnessTable, "bending"): '"4 N/um"',
    (leg_schema.PatternTable, "lead"): "0.005",
    (leg_schema.JointTable, "lead"): "0.005",
    (leg_schema.PatternTable, "elasticity"): "2e5",
    (leg_schema.PulleyTable, "radius"): "0.03",
    (leg_schema.PatternTable, "hinge"): "[0, 1, 0]",
    (leg_schema.MotorTable, "reference"): "[1, 0, 0]",
    (leg_schema.DriveTable, "coulomb"): "15",
    (leg_schema.JointSpringTable, "preload"): "50",
    (schema.SpringTable, "second"): '{ body = "platform" }',
    (schema.TolerancesTable, "zero"): '"20 um"',
    (schema.TolerancesTable, "encoder"): '"1 um"',
    (schema.TolerancesTable, "backlash"): '"5 um"',
    (leg_schema.JointTable, "type"): '"R"',
    (leg_schema.LegsTable, "names"): '["A", "B", "C"]',
    (leg_schema.RingTable, "angles"): "[0, 2.1, 4.2]",
    (leg_schema.JointTable, "starts"): "[0.1, 1.2]",
    (leg_schema.JointTable, "group"): '"ball"',
    (leg_schema.JointTable, "parent"): '"crank"',
    (leg_schema.EndTable, "joint"): '"rod"',
    (leg_schema.MimicTable, "joint"): '"crank"',
}
"""Where the example of the field's type would not do."""


def text_of(table: type[Table], key: str) -> tuple[str, str]:
    """What a key holds, and its default, as the text below it says; the default is empty where it says none.

    Raises:
        KeyError: It has no text.
    """
    owner = next(cls for cls in table.__mro__ if key in inspect.get_annotations(cls))
    holds, _, default = _texts(owner)[key].partition(" Default: ")
    return holds, default.removesuffix(".")


@cache
def _texts(table: type[Table]) -> dict[str, str]:
    """The text below each key of a table."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(table))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for key, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(key, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            assert isinstance(key.target, ast.Name)
            found[key.target.id] = " ".join(str(text.value.value).split())
    return found


def own_keys(table: type[Table]) -> dict[str, FieldInfo]:
    """The keys that stand in a table's section."""
    other = SHARED[table].model_fields if table in SHARED else {}
    return {key: field for key, field in table.model_fields.items() if key not in other}


def type_of(field: FieldInfo) -> str:
    """What a key takes, with its unit."""
    inner, listed = _inner(field)
    if inner in _SECTION_OF:
        return f"{'list of ' if listed else ''}[{'tables' if listed else 'table'}](#{_anchor(_SECTION_OF[inner])})"
    words = _words(field, inner)
    unit = _quantity(field)[0]
    return f"{words} [{unit}]" if unit else words


def example_of(table: type[Table], key: str, field: FieldInfo) -> str:
    """A value of a key, as a file has it."""
    inner, listed = _inner(field)
    if (table, key) in EXAMPLES:
        return EXAMPLES[table, key]
    if inner in EXAMPLES:
        return f"[{EXAMPLES[inner]}]" if listed else EXAMPLES[inner]
    if typing.get_origin(field.annotation) is typing.Literal:
        last = typing.get_args(field.annotation)[-1]
        return f'"{last}"' if isinstance(last, str) else str(last)
    if (unit := _unit(field)) is not None:
        return f'"{_OTHER_UNITS[unit]}"'
    if field.annotation is bool:
        return "true"
    if field.annotation is int:
        return "3"
    if field.annotation is Any and not field.metadata:
        return '"0.1 mm"'
    taken = _validator(field)
    if taken == "vector3" and _quantity(field)[0] == "m":
        return "[0.1, 0, 0.3]"
    return (taken == "number" and _quantity(field)[1]) or TYPES[taken][1]


def _quantity(field: FieldInfo) -> tuple[str, str]:
    """Unit of a key's numbers, and an example of one."""
    return next((UNITS[str(mark)] for mark in field.metadata if isinstance(mark, Quantity)), ("", ""))


_OTHER_UNITS = {"length": "mm", "angle": "deg", "mass": "g", "time": "ms", "inertia": "kg mm^2", "force": "kN"}
_OTHER_UNITS |= {"torque": "N mm", "acceleration": "m/s^2", "power": "kW"}


def _words(field: FieldInfo, inner: Any) -> str:
    if typing.get_origin(field.annotation) is typing.Literal:
        *others, last = (f'`"{v}"`' if isinstance(v, str) else str(v) for v in typing.get_args(field.annotation))
        return f"{', '.join(others)} or {last}"
    if _unit(field) is not None:
        return "unit"
    if typing.get_origin(field.annotation) is dict:
        return "table"
    if typing.get_origin(field.annotation) is list and not field.metadata:
        return "list of names"
    plain = {bool: "true or false", int: "whole number", str: "text"}
    if field.annotation in plain and not field.metadata:
        return plain[field.annotation]
    return "number or text" if not field.metadata else TYPES[_validator(field)][0]


def _inner(field: FieldInfo) -> tuple[Any, bool]:
    """The table that a key holds, if any, and whether it holds a list."""
    annotation = field.annotation
    listed = typing.get_origin(annotation) is list
    for part in (annotation, *typing.get_args(annotation)):
        if isinstance(part, type) and issubclass(part, Table):
            return part, listed
    return annotation, listed


def _validator(field: FieldInfo) -> str:
    return next(mark.func.__name__ for mark in field.metadata if hasattr(mark, "func"))


def _unit(field: FieldInfo) -> str | None:
    """The quantity whose unit a key is."""
    marks = [mark.func for mark in field.metadata if hasattr(mark, "func") and isinstance(mark.func, partial)]
    return str(marks[0].args[0]) if marks else None


def _anchor(title: str) -> str:
    """What a browser calls a section."""
    return "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_").replace(" ", "-")


_SECTION_OF: dict[Any, str] = {table: title for title, (table, _) in SECTIONS.items()} | {leg_schema.BodyTable: "body"}


def default_of(table: type[Table], key: str, field: FieldInfo) -> str:
    """The default of a key, as its text says it or as the model has it; empty where the key is needed."""
    told = text_of(table, key)[1]
    if told or field.is_required():
        return told
    value = field.default
    return f'`"{value}"`' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else f"{value:g}"


def page() -> str:
    """The whole page."""
    parts = [TITLE, _wrapped(INTRODUCTION)]
    for title, (table, above) in SECTIONS.items():
        parts.append(f"## {title}\n")
        if above:
            parts.append(_wrapped(above))
        if table is leg_schema.PatternTable:
            parts.append(_leg_types())
        lines = ["| key | holds | type and unit | default | example |", "|---|---|---|---|---|"]
        for key, field in own_keys(table).items():
            cells = [text_of(table, key)[0], type_of(field), default_of(table, key, field)]
            example = f"`{example_of(table, key, field)}`"
            lines.append("| " + " | ".join([f"`{key}`", *cells, example]) + " |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _leg_types() -> str:
    """Every type of leg with the keys it needs and may have."""
    lines = ["| type | needs | may have |", "|---|---|---|"]
    for form in SHORT_FORMS.values():
        passive = " (passive)" if form.name == "UP" else ""
        lines.append(f"| {form.name}{passive} | {', '.join(form.needed)} | {', '.join(form.optional)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description="Write docs/robot_files.md from the models of the file format.")
    parser.add_argument("--check", action="store_true", help="only compare")
    if parser.parse_args().check:
        sys.exit(0 if PAGE.read_text("utf-8") == page() else "docs/robot_files.md is not what the models say")
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
