"""What the actuators must give over an envelope of motions and loads: ranges, requirements, worst load cases."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.design import SizeResult
from gough.design.envelope import PAYLOAD
from gough.design.limit_lines import limit_lines
from gough.display import actuator_units
from gough.motion.columns import WRENCH
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, facts, paragraph, row, section, short, subtitle, table

_PAYLOAD_UNITS = ("kg", *("kg m",) * 3, *("kg m²",) * 6)


def envelope_section(case: Case) -> Markup:
    """Nothing where no envelope was given."""
    result = case.size
    if result is None:
        return Markup("")
    bound = "" if result.exact else " Forces are upper bounds: dry friction and that of passive joints are added up."
    return section(
        "Over the envelope",
        facts(_ranges(case, result)),
        subtitle("What each actuator must give"),
        table(*_requirements(case, result)),
        *[paragraph(line) for line in limit_lines(result, case.display)],
        paragraph(
            f"The worst of every pose, velocity, acceleration and load within these ranges. Unreachable: "
            f"{short(100.0 * result.unreachable, 3)} % of the pose box; largest condition number "
            f"{short(result.condition, 3)}. {result.poses} poses and local polish, searched "
            f"once; gough size searches again from other poses and tells how far both agree.{bound}",
            "note",
        ),
        subtitle("Load cases"),
        *_cases(case, result),
        paragraph(
            "The largest and the smallest force of each actuator, with the forces of all others at the same instant. "
            "The same cases with twists and joint reactions, as a CSV file for an FE run: gough size "
            f"{case.called} --envelope FILE --cases cases.csv.",
            "note",
        ),
    )


def _ranges(case: Case, result: SizeResult) -> dict[str, Any]:
    e = result.envelope
    coordinates = result.robot.platform.coordinates
    turns = [c.turns for c in coordinates]
    poses = []
    for c, turning, (low, high) in zip(coordinates, turns, e.pose, strict=True):
        factor, unit = case.display.travel(turning)
        poses.append(f"{c.name} {_between(low * factor, high * factor)} {unit}")
    found: dict[str, Any] = {"Poses": "; ".join(poses)}
    of = "twist, base axes" if e.twist else "coordinates"
    for name, sizes, ball, per in (
        ("Velocities", e.velocity, e.velocity_ball, "/s"),
        ("Accelerations", e.acceleration, e.acceleration_ball, "/s²"),
    ):
        entries = []
        for rate, size, turning in zip(e.rates, sizes, turns, strict=True):
            factor, unit = case.display.travel(turning)
            entries += [f"{rate} {short(size * factor)} {unit}{per}"] if size else []
        shape = "ellipsoid with semi-axes" if ball else "box, up to"
        found[name] = f"{shape} {', '.join(entries)} ({of})" if entries else "none"
    loads = [
        f"{name} {_between(*ends)} {unit}"
        for name, ends, unit in zip(PAYLOAD, e.payload, _PAYLOAD_UNITS, strict=True)
        if any(ends)
    ]
    found["Payload"] = "; ".join(loads) or "none"
    wrench = []
    for name, (low, high) in zip(WRENCH, e.wrench, strict=True):
        factor, unit = case.display.effort(name.startswith("m"))
        wrench += [f"{name} {_between(low * factor, high * factor)} {unit}"] if low or high else []
    found["Wrench"] = "; ".join(wrench) or "none"
    return found


def _between(low: float, high: float) -> str:
    return short(low) if low == high else f"{short(low)} to {short(high)}"


def _requirements(case: Case, result: SizeResult) -> tuple[list[str], list[list[str]]]:
    (push, force), (pace, speed) = actuator_units(result.robot, case.display)
    entries = [
        (f"{case.effort}, largest [{force}]", result.of("force+") * push),
        (f"{case.effort}, smallest [{force}]", result.of("force-") * push),
        (f"speed [{speed}]", result.of("speed") * pace),
        ("power [W]", result.of("power")),
    ]
    return ["actuator", *result.actuators], [[name, *row(values)] for name, values in entries]


def _cases(case: Case, result: SizeResult) -> list[Markup]:
    """Tables of the cases: forces of all actuators; poses and loads; velocities; accelerations."""
    values = result.cases_table.columns()
    names = [_title(str(name)) for name in values["actuator"]]
    coordinates = result.robot.platform.coordinates
    units = [case.display.travel(c.turns) for c in coordinates]
    (push, force), _ = actuator_units(result.robot, case.display)
    forces = [(n, values[f"force_{n}"] * factor) for n, factor in zip(result.actuators, push, strict=True)]

    def rates(order: str, per: str) -> list[tuple[str, Any]]:
        pairs = zip(coordinates, units, strict=True)
        return [(f"{c.name} [{unit}{per}]", values[f"{order}{c.name}"] * factor) for c, (factor, unit) in pairs]

    loads = [
        (f"payload {name} [{unit}]", values[f"payload_{name}"])
        for name, unit in zip(PAYLOAD, _PAYLOAD_UNITS, strict=True)
    ]
    for name in WRENCH:
        factor, unit = case.display.effort(name.startswith("m"))
        loads.append((f"{name} [{unit}]", values[f"wrench_{name}"] * factor))
    groups = [
        (f"{case.effort} [{force}]", forces),
        ("pose and load", [*rates("", ""), *[entry for entry in loads if np.any(entry[1])]]),
        ("velocity", [entry for entry in rates("xd_", "/s") if np.any(entry[1])]),
        ("acceleration", [entry for entry in rates("xdd_", "/s²") if np.any(entry[1])]),
    ]
    return [_table(title, names, columns) for title, columns in groups if columns]


def _table(title: str, names: list[str], columns: list[tuple[str, Any]]) -> Markup:
    cells = zip(names, *[row(values) for _, values in columns], strict=True)
    return table([title, *[name for name, _ in columns]], [list(line) for line in cells])


def _title(case: str) -> str:
    name, _, sign = case.rpartition(" ")
    return f"{name} {'largest' if sign == '+' else 'smallest'}"
