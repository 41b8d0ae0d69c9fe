"""Write docs/robot_files.md and docs/other_files.md, every key of every file, from the tables of the file formats.

    python tools/robot_file_page.py            # write them
    python tools/robot_file_page.py --check    # say whether they are what the tables say, exit 1 if not

Text and default of a key stand below it in its table; its type, unit and example follow from what it holds.
tests/robot/test_keys_page.py reads every example as a file would be.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from gough.design import envelope
from gough.kinematics import load
from gough.optimisation import schema as optimisation
from gough.problem import schema as problem
from gough.robot import SHORT_FORMS
from gough.robot.file import leg_schema, motor_file, schema
from gough.robot.file.reader import NOT_GIVEN, Each, Key, Named, Table
from gough.robot.legs import cable, driven, leg_keys, struts
from gough.studies import schema as studies

PAGE = Path(__file__).parents[1] / "docs" / "robot_files.md"
OTHER_PAGE = PAGE.with_name("other_files.md")
MADE = "<!-- made by tools/robot_file_page.py from the tables of the file formats -->\n"
INTRODUCTION = (
    "This page lists every key of a robot file; for an introduction see [your first robot](tutorials/first_robot.md). "
    "A robot is a TOML file. Unknown keys, wrong units and physically impossible bodies are refused, in one line each "
    "with file, line and key. Numbers are in the units of the tables below unless `[units]` says otherwise. B is the "
    "frame of the base, P that of the platform. Axes of joints are unit vectors; rows of a rotation are perpendicular "
    "unit vectors. Given to six digits or more they are made exact, an axis or a rotation as a whole. A key without a "
    "default is required. `gough new --legs UPS` prints a file to start from; which machines a file can describe: "
    "[not in the list](howto/not_in_the_list.md)."
)
SECTIONS: dict[str, tuple[type[Table], str]] = {
    "The file": (schema.RobotTable, ""),
    "[units]": (
        schema.UnitsTable,
        "Units of every number in the file. Derived units follow from these: with mm, s and deg the speed of a slider "
        "is in mm/s, that of a crank in deg/s.",
    ),
    "[platform]": (schema.PlatformTable, "The moving body and its coordinates."),
    "origin": (schema.OriginTable, "A constant pose of P in B, before the platform's coordinates."),
    "[payload]": (
        schema.PayloadTable,
        "A body fixed to the platform, which counts as part of it everywhere. `Robot.with_payload` and `--payload` set "
        "it.",
    ),
    "[legs]": (
        leg_schema.LegsTable,
        "All legs at once on two rings, or defaults for keys that the `[[leg]]` tables leave out. In addition, all "
        "keys of [a known type](#type-of-a-leg).",
    ),
    "ring": (leg_schema.RingTable, "Points of the legs on a circle."),
    "[[leg]]": (
        leg_schema.LegTable,
        "A leg of a known type from `base` to `platform`, with all keys of [its type](#type-of-a-leg), or joint by "
        "joint.",
    ),
    "type of a leg": (
        leg_schema.PatternTable,
        "The letters name the joints, starting at the base: P prismatic, R revolute, U universal, S spherical, Pa a "
        "parallelogram. The first P or R is driven; in UPS, SPS, RPS and UPU it is the P, in UCU the spindle, in SRU "
        "the R. S is a ball joint whose `cone` counts every tilt of the leg, also about one axis. Rod ends (Heim "
        "joints, ball links on a bolt) turn freely about their bolt, and the angle of their data sheet, 10 to 30 deg, "
        "is how far they may be misaligned from the plane across it: give that as `cone` and the bolt as `bolt`, "
        "on the platform `end_cone` and `end_bolt`. Without the bolt such an angle leaves a fraction of the travel.",
    ),
    "actuator": (
        leg_keys.DriveTable,
        "Every [joint](#legjoint) has these keys too. The displacement is the joint coordinate minus `zero`.",
    ),
    "joint spring": (
        leg_keys.JointSpringTable,
        "The force towards smaller displacements is stiffness (displacement - rest) + preload.",
    ),
    "body": (
        leg_keys.RodTable,
        "A body of a leg, in its own frame; the keys of [leg types](#type-of-a-leg) define that frame.",
    ),
    "[[leg.joint]]": (
        leg_schema.JointTable,
        "A joint and the body it moves, in the order of the chain; U, S, C and Pa consist of several simple joints. In "
        "addition, all keys of [an actuator](#actuator).",
    ),
    "mimic": (leg_schema.MimicTable, "A coordinate that is `ratio` times that of another joint, plus `offset`."),
    "[leg.end]": (leg_schema.EndTable, "How a leg that is described joint by joint meets the platform."),
    "[tool]": (
        schema.ToolTable,
        "A frame of the platform: wrenches act at its origin; poses by a convention other than the robot's own "
        "coordinates, travel and pose errors refer to it. The option `--tool X,Y,Z` replaces it.",
    ),
    "[actuation]": (
        schema.ActuationTable,
        "How forces are distributed over redundant actuators: see [redundant actuation](actuation.md).",
    ),
    "[[spring]]": (
        schema.SpringTable,
        "A spring pulls two points together with the force stiffness (distance - free length).",
    ),
    "anchor": (schema.AnchorTable, "An end of a spring."),
    "[tolerances]": (
        schema.TolerancesTable,
        "Read by `gough accuracy`, and by `gough calibrate` as prior knowledge of the dimensions. A number is in the "
        "units of the file, or carries its own unit as text; this also holds for the two tables below. Any other key "
        'is an address of the robot: `"leg.1.base.x" = "0.2 mm"`, `"legs.base.radius" = "1 mm"`. See [accuracy and '
        "stiffness](accuracy.md).",
    ),
    "[heat]": (schema.HeatTable, "Thermal expansion of the whole machine."),
    "[stiffness]": (schema.StiffnessTable, "Read by `gough accuracy`, `gough modes` and `gough optimise`."),
}
"""Sections of the page in order: the table each is about, and what stands above its keys."""


def _with_leg_types(sections: dict[str, tuple[type[Table], str]]) -> dict[str, tuple[type[Table], str]]:
    """The sections with one for each table that only leg types have, behind that of joint springs."""
    known = {table for table, _ in sections.values()} | {leg_keys.BodyTable}
    found: dict[str, tuple[type[Table], str]] = {}
    for title, section in sections.items():
        found[title] = section
        for name, key in leg_schema.PatternTable.keys().items() if title == "joint spring" else ():
            if key.table is not None and key.table not in known:
                found[name] = (key.table, " ".join((key.table.__doc__ or "").split()))
    return found


SECTIONS = _with_leg_types(SECTIONS)
OTHER_INTRODUCTION = (
    "This page lists every key of the files for motors, envelopes, studies and optimisations, also in TOML. "
    "`gough new --motor`, `--envelope` and `--study` write one to start from. Any number may carry its unit as text, "
    '`"12 N m"`; numbers without a unit are in SI units and radians. A key without a default is required. Motions and '
    "measurements are CSV files: [recordings](recordings.md), [calibration](calibration.md)."
)
OTHER_SECTIONS: dict[str, tuple[type[Table], str]] = {
    "A motor's file": (
        motor_file.MotorFile,
        "For `gough size`, `fastest` and `report` with `--motor`, and for `Robot.with_motor`: [what motor do I "
        "need](howto/what_motor_do_i_need.md). A robot's file may have the same keys in a table `[motor]`, its numbers "
        "without a unit in the units of that file; actuators that state no `rotor_inertia` and `gear` take the "
        "motor's. "
        "State `gear` (turning actuators), `lead` (sliding ones) or both (a belt or gearbox before the screw), "
        "and at least one of the two curves.",
    ),
    "motor curve": (motor_file.CurveTable, "Linear between its points; no torque above the last speed."),
    "An envelope's file": (
        envelope._Rates,
        "For `gough size --envelope` and `gough report --envelope`. `gough new --envelope --robot mine.toml` writes "
        "one in your robot's own coordinates.",
    ),
    "A study's file": (
        studies.StudyTable,
        "For `gough study`: [studies](studies.md). In addition, all keys that [a study and an optimisation "
        "share](#keys-that-a-study-and-an-optimisation-share).",
    ),
    "[[reduce]]": (studies.ReduceTable, "Statistics of the results of all machines."),
    "[[correlation]]": (studies.CorrelationTable, "Correlations between numbers that vary."),
    "[simulate]": (studies.SimulateTable, "For the measure `tracking_error`."),
    "An optimisation's file": (
        optimisation.OptimiseTable,
        "For `gough optimise`: [which machine is best](optimise.md). In addition, all keys that [a study and an "
        "optimisation share](#keys-that-a-study-and-an-optimisation-share).",
    ),
    "[task]": (optimisation.TaskTable, "Velocities, accelerations and loads at each pose."),
    "[jacobian]": (optimisation.JacobianTable, "Scaling of condition numbers and singular values."),
    "Keys that a study and an optimisation share": (problem.ProblemTable, ""),
    "[poses]": (problem.PosesTable, "State one of `grid`, `box` and `file`."),
    "[[vary]]": (problem.VaryTable, "State one of `uniform`, `normal`, `bounds`, `list` and `grid`."),
}
"""Sections of the page on the other files, as `SECTIONS`."""
SHARED = {leg_schema.LegsTable: leg_schema.PatternTable, leg_schema.LegTable: leg_schema.PatternTable}
SHARED |= {leg_schema.JointTable: leg_keys.DriveTable}
SHARED |= {studies.StudyTable: problem.ProblemTable, optimisation.OptimiseTable: problem.ProblemTable}
"""Tables whose other keys stand in a section of their own."""
TYPES = {
    "text": ("text", '"A"'),
    "truth": ("true or false", "true"),
    "whole": ("whole number", "3"),
    "table": ("table", "{}"),
    "anything": ("number or text", '"0.1 mm"'),
    "numbers": ("list of numbers", "[0, 1]"),
    "name": ("name", '"A"'),
    "body_name": ("name", '"plate"'),
    "body_place": ("name", '"A.crank"'),
    "number": ("number", "0.5"),
    "number_with_unit": ("number", "0.5"),
    "vector3": ("3 numbers", "[0, 0, 1]"),
    "direction": ("3 numbers, not all 0", "[0, 0, 1]"),
    "universal_axes": ("1 or 2 directions", "[[1, 0, 0], [0, 1, 0]]"),
    "ratio": ("number, not 0", "0.5"),
    "vectors": ("list of 3 numbers", "[[1, 0, 0], [0, 1, 0]]"),
    "number_list": ("list of numbers", "[0, 0, 0.6, 0, 0, 0]"),
    "weights": ('list of numbers, or `"force"`', "[1, 1, 2, 1]"),
    "stroke": ("2 numbers", "[-0.2, 0.2]"),
    "inertia": ("3 or 6 numbers, or 3 rows", "[0.2, 0.2, 0.35]"),
    "about": ("name or 3 numbers", '"com"'),
    "rotation": ("3 rows, `{ axis, angle }` or `{ sequence, angles }`", "{ axis = [0, 0, 1], angle = 0.5 }"),
}
"""Words and an example for what each check takes."""
UNITS = {
    "length": ("m", "0.25"),
    "angle": ("rad", "0.3"),
    "mass": ("kg", "4"),
    "inertia": ("kg m^2", "2e-5"),
    "acceleration": ("m/s^2", ""),
    "travel": ("m or rad", "0.1"),
    "home": ("m or rad", ""),
    "starts": ("m or rad", ""),
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
    schema.PayloadTable: "{ mass = 2, com = [0, 0, 0.1] }",
    motor_file.MotorFile: '{ lead = "5 mm", peak = { rpm = [0, 3000], torque = [1.3, 1.3] } }',
    schema.ToolTable: "{ position = [0, 0, -0.12] }",
    schema.ActuationTable: '{ criterion = "bounded" }',
    schema.AnchorTable: '{ body = "base", point = [0, 0, 0.4] }',
    schema.SpringTable: '{ stiffness = 800, first = { body = "base" }, second = { body = "platform" } }',
    schema.TolerancesTable: '{ base = "0.1 mm", encoder = "1 um" }',
    schema.HeatTable: "{ temperature = 2, expansion = 11.5e-6 }",
    schema.StiffnessTable: '{ actuator = "20 N/um" }',
    leg_schema.LegsTable: '{ type = "UPS", base = { radius = 0.5, half_angle = 0.2 } }',
    leg_schema.LegTable: '{ type = "UPS", base = [0.5, 0, 0], platform = [0.3, 0, 0] }',
    leg_schema.RingTable: "{ radius = 0.5, half_angle = 0.2 }",
    leg_keys.DriveTable: "{ stroke = [-0.2, 0.2], force = 800 }",
    driven.GuideTable: "{ tilt = 0.2 }",
    driven.MotorTable: "{ yaw = 1.3 }",
    cable.PulleyTable: "{ radius = 0.03 }",
    leg_keys.RodTable: "{ length = 0.6, mass = 1.2, com = [0.3, 0, 0] }",
    leg_keys.BodyTable: "{ mass = 1.2, com = [0.15, 0, 0], inertia = [0.001, 0.02, 0.02] }",
    leg_schema.JointTable: '{ type = "R", axis = [0, 0, 1], actuated = true }',
    leg_keys.JointSpringTable: "{ stiffness = 40, rest = 0.1 }",
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
    (schema.HeatTable, "scale_expansion"): "8e-6",
    (schema.StiffnessTable, "actuator"): '"20 N/um"',
    (schema.StiffnessTable, "joint"): '"150 N/um"',
    (schema.StiffnessTable, "tilt"): '"5 kN m/rad"',
    (schema.StiffnessTable, "link"): '"80 N/um"',
    (schema.StiffnessTable, "bending"): '"4 N/um"',
    (leg_schema.PatternTable, "type"): '"RUS"',
    (struts.StrutKeys, "lead"): "0.005",
    (leg_schema.JointTable, "lead"): "0.005",
    (cable.CableKeys, "elasticity"): "2e5",
    (cable.CableKeys, "tension"): "[5, 900]",
    (cable.PulleyTable, "radius"): "0.03",
    (leg_keys.SharedKeys, "hinge"): "[0, 1, 0]",
    (leg_keys.SharedKeys, "end_bolt"): "[1, 0, 0]",
    (driven.MotorTable, "reference"): "[1, 0, 0]",
    (leg_keys.DriveTable, "coulomb"): "15",
    (leg_keys.JointSpringTable, "preload"): "50",
    (schema.SpringTable, "second"): '{ body = "platform" }',
    (schema.TolerancesTable, "zero"): '"20 um"',
    (schema.TolerancesTable, "encoder"): '"1 um"',
    (schema.TolerancesTable, "backlash"): '"5 um"',
    (leg_schema.JointTable, "type"): '"R"',
    (leg_schema.LegsTable, "count"): "6",
    (leg_schema.LegsTable, "names"): '["A", "B", "C"]',
    (leg_schema.RingTable, "angles"): "[0, 2.1, 4.2]",
    (leg_schema.JointTable, "starts"): "[0.1, 1.2]",
    (leg_schema.JointTable, "group"): '"ball"',
    (leg_schema.JointTable, "parent"): '"crank"',
    (leg_schema.EndTable, "joint"): '"rod"',
    (leg_schema.MimicTable, "joint"): '"crank"',
    motor_file.CurveTable: "{ rpm = [0, 3000, 5000], torque = [1.3, 1.3, 0.8] }",
    (motor_file.CurveTable, "rpm"): "[0, 3000, 5000]",
    (motor_file.CurveTable, "speed"): "[0, 314, 524]",
    (motor_file.CurveTable, "torque"): "[1.3, 1.3, 0.8]",
    (motor_file.MotorFile, "name"): '"servo 400 W"',
    (motor_file.MotorFile, "rotor_inertia"): '"0.28 kg cm^2"',
    (motor_file.MotorFile, "gear"): "50",
    (motor_file.MotorFile, "screw_inertia"): '"1.2 kg cm^2"',
    (motor_file.MotorFile, "efficiency"): "0.9",
    (motor_file.MotorFile, "lead"): '"20 mm"',
    studies.ReduceTable: '{ kind = "quantiles", at = [0.5, 0.95] }',
    studies.CorrelationTable: '{ numbers = ["leg.1.base.x", "leg.1.base.y"], matrix = [[1, 0.5], [0.5, 1]] }',
    studies.SimulateTable: '{ controller = "pd", bandwidth = 8 }',
    (studies.StudyTable, "machines"): "20000",
    (studies.StudyTable, "motion"): '"trig3"',
    (studies.StudyTable, "measure"): '["position_error", "peak_force"]',
    (studies.ReduceTable, "kind"): '"yield"',
    (studies.ReduceTable, "of"): '"position_error"',
    (studies.ReduceTable, "at"): "[0.5, 0.95, 0.99]",
    (studies.ReduceTable, "low"): "0",
    (studies.ReduceTable, "high"): '"1 mm"',
    (studies.ReduceTable, "at_most"): '"0.3 mm"',
    (studies.ReduceTable, "at_least"): "0.2",
    (studies.ReduceTable, "largest"): "true",
    (studies.CorrelationTable, "numbers"): '["leg.1.base.x", "leg.1.base.y"]',
    (studies.CorrelationTable, "matrix"): "[[1, 0.5], [0.5, 1]]",
    optimisation.TaskTable: "{ acceleration = { x = 4, z = 4 } }",
    optimisation.JacobianTable: "{ length = 0.3 }",
    (optimisation.TaskTable, "velocity"): '{ x = "0.5 m/s" }',
    (optimisation.TaskTable, "acceleration"): "{ x = 5, psi = 8 }",
    (optimisation.TaskTable, "wrench"): "{ fx = 20, mz = 3 }",
    (optimisation.TaskTable, "shift"): '{ z = ["-500 mm", "500 mm"] }',
    (optimisation.TaskTable, "motion"): '"trig3"',
    (optimisation.TaskTable, "size"): "[0.2, 3]",
    (optimisation.TaskTable, "time"): "[0.1, 10]",
    (optimisation.JacobianTable, "length"): "[0.1, 1.0]",
    (optimisation.JacobianTable, "reference"): '{ z = ["-200 mm", "200 mm"] }',
    (optimisation.OptimiseTable, "minimise"): '["peak force", "condition"]',
    (optimisation.OptimiseTable, "limits"): '{ ratio = 1.7, base_gap = "150 mm" }',
    (optimisation.OptimiseTable, "stiffness"): '{ actuator = "20 N/um" }',
    (optimisation.OptimiseTable, "tolerances"): '{ base = "0.1 mm" }',
    problem.PosesTable: '{ box = { x = ["-100 mm", "100 mm"] }, points = 64 }',
    problem.VaryTable: '{ number = "leg.*.base.*", uniform = "0.1 mm" }',
    (problem.ProblemTable, "robot"): '"mine.toml"',
    (problem.PosesTable, "grid"): "{ x = [-0.1, 0.1, 5] }",
    (problem.PosesTable, "box"): '{ x = ["-100 mm", "100 mm"] }',
    (problem.PosesTable, "points"): "1024",
    (problem.PosesTable, "file"): '"poses.csv"',
    (problem.VaryTable, "number"): '"leg.*.base.*"',
    (problem.VaryTable, "uniform"): '"0.1 mm"',
    (problem.VaryTable, "normal"): '"20 um"',
    (problem.VaryTable, "within"): "3",
    (problem.VaryTable, "bounds"): '["90 %", "110 %"]',
    (problem.VaryTable, "list"): "[0.4, 0.5, 0.6]",
    (problem.VaryTable, "grid"): "[0.4, 0.6, 5]",
    (problem.VaryTable, "ties"): '{ "leg.2.base.x" = -1 }',
}
"""Where the example of what a key takes would not do."""


SEVERAL: dict[tuple[type[Table], str], str] = {
    (leg_schema.PatternTable, "type"): "type",
    (studies.StudyTable, "measure"): "text or list of texts",
    (studies.ReduceTable, "of"): "text or list of texts",
    (studies.ReduceTable, "largest"): "true, false or list of texts",
    (optimisation.OptimiseTable, "minimise"): "text or list of texts",
    (optimisation.TaskTable, "size"): "2 numbers",
    (optimisation.TaskTable, "time"): "2 numbers",
    (optimisation.JacobianTable, "length"): "number or text, or two of them",
    (problem.VaryTable, "number"): "text or list of texts",
    (problem.VaryTable, "uniform"): "number or text, or two of them",
    (problem.VaryTable, "within"): "number",
    (problem.VaryTable, "bounds"): "2 numbers or texts",
    (problem.VaryTable, "list"): "list of numbers or texts",
    (problem.VaryTable, "grid"): "3 numbers",
}
"""What keys take that are checked only by what follows."""


def text_of(table: type[Table], key: str) -> tuple[str, str]:
    """What a key holds, and its default, as the text below it says; the default is empty where it says none.

    Raises:
        KeyError: It has no text.
    """
    holds, _, default = _texts(owner_of(table, key))[key].partition(" Default: ")
    return holds, default.removesuffix(".")


def owner_of(table: type[Table], key: str) -> type[Table]:
    """The kind of table that states a key: this one, one that it extends, or that of a leg type.

    Raises:
        KeyError: There is none.
    """
    types = dict.fromkeys((leg_keys.SharedKeys, *(form.keys for form in SHORT_FORMS.values())))
    candidates = (*table.__mro__, *(cls for kind in types for cls in kind.__mro__))
    return next(cls for cls in candidates if issubclass(cls, Table) and key in vars(cls))


@cache
def _texts(table: type[Table]) -> dict[str, str]:
    """The text below each key of a table."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(table))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for key, text in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(key, (ast.Assign, ast.AnnAssign)) and isinstance(text, ast.Expr):
            target = key.targets[0] if isinstance(key, ast.Assign) else key.target
            assert isinstance(target, ast.Name)
            assert isinstance(text.value, ast.Constant)
            found[target.id] = " ".join(str(text.value.value).split())
    return found


def own_keys(table: type[Table]) -> dict[str, Key]:
    """The keys that stand in a table's section."""
    other = SHARED[table].keys() if table in SHARED else {}
    return {name: key for name, key in table.keys().items() if name not in other}


def type_of(key: Key, page_name: str = "") -> str:
    """What a key takes, with its unit; links are those of a page of this name."""
    if key.table is not None:
        listed, link = isinstance(key.holds, Each), _LINK_OF[key.table].removeprefix(page_name)
        return f"{'list of ' if listed else ''}[{'tables' if listed else 'table'}]({link})"
    unit = UNITS[key.quantity][0] if key.quantity else ""
    bound = "" if key.low < 0.0 else " > 0" if key.above or key.low > 0.0 else " >= 0"
    return f"{_words(key)}{bound} [{unit}]" if unit else f"{_words(key)}{bound}"


def example_of(table: type[Table], name: str, key: Key) -> str:
    """A value of a key, as a file has it."""
    for owner in (*table.__mro__, owner_of(table, name)):
        if (owner, name) in EXAMPLES:
            return EXAMPLES[owner, name]
    if key.table is not None:
        found = EXAMPLES.get(key.table) or _example_table(key.table)
        return f"[{found}]" if isinstance(key.holds, Each) else found
    if (words := getattr(key.holds, "words", None)) is not None:
        return f'"{words[-1]}"' if isinstance(words[-1], str) else str(words[-1])
    if (unit := getattr(key.holds, "quantity", None)) is not None:
        return f'"{_OTHER_UNITS[unit]}"'
    check = _kind_of(key.holds)
    if check in ("whole", "number") and not key.quantity and key.default not in (NOT_GIVEN, 0):
        return f"{key.default:g}"
    if check == "vector3" and key.quantity == "length":
        return "[0.1, 0, 0.3]"
    return (check in ("number", "ratio") and key.quantity and UNITS[key.quantity][1]) or TYPES[check][1]


def _example_table(table: type[Table]) -> str:
    """A table with an example of its own first key."""
    keys = table.keys()
    name = next(name for name in keys if name in vars(table))
    return f"{{ {name} = {example_of(table, name, keys[name])} }}"


_OTHER_UNITS = {"length": "mm", "angle": "deg", "mass": "g", "time": "ms", "inertia": "kg mm^2", "force": "kN"}
_OTHER_UNITS |= {"torque": "N mm", "acceleration": "m/s^2", "power": "kW"}


def _words(key: Key) -> str:
    """What a key takes."""
    if (words := getattr(key.holds, "words", None)) is not None:
        *others, last = (f'`"{word}"`' if isinstance(word, str) else str(word) for word in words)
        return f"{', '.join(others)} or {last}"
    if getattr(key.holds, "quantity", None) is not None:
        return "unit"
    if isinstance(key.holds, Named):
        return "table"
    if isinstance(key.holds, Each):
        return {"name": "list of names", "text": "list of names", "number_list": "rows of numbers"}.get(
            key.holds.entry.holds.__name__, "list of numbers"
        )
    return TYPES[_kind_of(key.holds)][0]


def _kind_of(check: Any) -> str:
    """The entry of `TYPES` for a check; for one of a leg type's own, by what it returns."""
    returned = {"float": "number", "int": "whole", "str": "text", "bool": "truth"}
    name = str(check.__name__)
    return name if name in TYPES else returned.get(str(check.__annotations__.get("return")), "anything")


def _anchor(title: str) -> str:
    """What a browser calls a section."""
    return "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -_").replace(" ", "-")


_LINK_OF: dict[Any, str] = {table: f"robot_files.md#{_anchor(title)}" for title, (table, _) in SECTIONS.items()}
_LINK_OF |= {leg_keys.BodyTable: "robot_files.md#body"}
_LINK_OF |= {table: f"other_files.md#{_anchor(title)}" for title, (table, _) in OTHER_SECTIONS.items()}


def default_of(table: type[Table], name: str, key: Key) -> str:
    """The default of a key, as its text says it or as the table has it; empty where the key is needed."""
    told = text_of(table, name)[1]
    if told or key.needed:
        return told
    value = key.default
    if value == {}:
        return "see there"
    if isinstance(value, (str, list)):
        return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"


def page() -> str:
    """The page on robot files."""
    return _page(PAGE.name, "Robot files: every key", INTRODUCTION, SECTIONS)


def other_page() -> str:
    """The page on the other files."""
    title = "Motor, envelope, study and optimisation files: every key"
    return _page(OTHER_PAGE.name, title, OTHER_INTRODUCTION, OTHER_SECTIONS)


def _page(name: str, title: str, introduction: str, sections: dict[str, tuple[type[Table], str]]) -> str:
    parts = [f"# {title}\n", MADE, _wrapped(introduction)]
    for title, (table, above) in sections.items():
        parts.append(f"## {title}\n")
        if above:
            parts.append(_wrapped(above))
        if table is leg_schema.PatternTable:
            parts.append(_leg_types())
        if table is envelope._Rates:
            parts.append(_envelope_keys())
        lines = ["| key | meaning | type and unit | default | example |", "|---|---|---|---|---|"]
        for key_name, key in own_keys(table).items():
            taken = SEVERAL.get((table, key_name)) or type_of(key, name)
            cells = [text_of(table, key_name)[0], taken, default_of(table, key_name, key)]
            example = f"`{example_of(table, key_name, key)}`"
            lines.append("| " + " | ".join([f"`{key_name}`", *cells, example]) + " |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"


def _leg_types() -> str:
    """Every type of leg with the keys it needs and may have."""
    lines = ["| type | needs | may have |", "|---|---|---|"]
    for form in SHORT_FORMS.values():
        passive = " (passive)" if form.passive else ""
        lines.append(f"| {form.name}{passive} | {', '.join(form.needed)} | {', '.join(form.optional)} |")
    return "\n".join(lines) + "\n"


ENVELOPE = {
    "pose": (
        "Range [low, high] of each named coordinate; the others stay at home.",
        'x = ["-100 mm", "100 mm"]',
    ),
    "velocity": (
        "Largest rate of each coordinate, or of each component of the twist, in both directions.",
        'x = "0.5 m/s"',
    ),
    "acceleration": ("Largest acceleration, in the same way.", 'x = "3 m/s^2"'),
    "wrench": (
        "Range of each component of the force and moment on the platform at the robot's tool, base axes.",
        "fz = [-50, 0]",
    ),
    "payload": (
        "Range of mass, first moments and inertia of the load about the platform's origin, platform axes.",
        'mass = ["0 kg", "2 kg"]',
    ),
    "units": ("Units of numbers that carry none, as in [robot files](robot_files.md#units).", 'angle = "deg"'),
}
"""Tables of an envelope: what they hold, and a line of each."""


def _envelope_keys() -> str:
    """The tables of an envelope with their keys, for a robot with six coordinates."""
    robot = load("stewart")
    lines = ["| table | meaning | keys | default | example |", "|---|---|---|---|---|"]
    for table, (holds, example) in ENVELOPE.items():
        own = envelope.envelope_keys(robot, robot.coordinate_names)[table]
        keys = list(own.table.keys() if own.table is not None else own.holds)
        named = "the robot's coordinates" if "psi" in keys else ", ".join(f"`{key}`" for key in keys)
        if table in ("velocity", "acceleration"):
            named += ", or `vx` `vy` `vz` `wx` `wy` `wz`; and `shape`, `of`"
        default = {"pose": "", "units": "SI, rad"}.get(table, "0")
        lines.append(f"| `[{table}]` | {holds} | {named} | {default} | `{example}` |")
    return "\n".join(lines) + "\n\nIn addition to their values, `[velocity]` and `[acceleration]` have two keys:\n"


def main() -> None:
    """Write the pages, or compare them."""
    parser = argparse.ArgumentParser(description="Write the pages on files from the tables of the file formats.")
    parser.add_argument("--check", action="store_true", help="only compare")
    only_compare = parser.parse_args().check
    for path, text in ((PAGE, page()), (OTHER_PAGE, other_page())):
        if not only_compare:
            path.write_text(text, "utf-8")
        elif path.read_text("utf-8") != text:
            sys.exit(f"{path.name} is not what the models say")


if __name__ == "__main__":
    main()
