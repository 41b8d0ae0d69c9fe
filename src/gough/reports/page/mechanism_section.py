"""What the mechanism itself has: the nearest singularities, the assembly modes at home, and pose errors."""

from __future__ import annotations

import numpy as np

from gough.accuracy.pose_errors import AXES
from gough.display import number
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, paragraph, row, section, table

_LOST = {"type 1": "a motion of the platform is lost", "type 2": "the actuators do not hold the platform"}


def mechanism_section(case: Case) -> Markup:
    """Singularities and assembly modes that the case holds; nothing where it holds none."""
    blocks = [*_singularities(case), *_modes(case)]
    return section("The mechanism", *blocks) if blocks else Markup("")


def _singularities(case: Case) -> list[Markup]:
    found = case.singular
    if found is None:
        return []
    factor, unit = case.display.length
    value = f"Least singular value of K at home {number(found.singular_value, 3)}"
    if found.kind == "architecture":
        return [paragraph("The geometry is singular: the actuators hold the platform nowhere.", "verdict bad")]
    if not found.found:
        return [paragraph(f"No singularity was found within the limits. {value}.")]
    names = case.result.robot.coordinate_names
    turns = [c.turns for c in case.result.robot.platform.coordinates]
    units = [case.display.travel(turning) for turning in turns]
    header = [
        "nearest singularity",
        f"from home [{unit}]",
        *[f"{n} [{u}]" for n, (_, u) in zip(names, units, strict=True)],
    ]
    rows = []
    for one in found.found:
        place = [number(float(v) * f, 4) for v, (f, _) in zip(one.x, units, strict=True)]
        kind = (
            f"{one.kind}: {_LOST[one.kind]}"
            if one.kind in _LOST
            else f"{one.kind}: a dependent coordinate becomes free"
        )
        rows.append([kind, number(one.distance * factor, 4), *place])
    length = f"{number(found.length * factor, 4)} {unit}"
    note = f"Turns count by a length of {length}. {value}. Searched, not proved; `gough singularities` shows more."
    return [table(header, rows), paragraph(note, "note")]


def _modes(case: Case) -> list[Markup]:
    found = case.modes
    if found is None:
        return []
    count, within = len(found.sample), int(np.sum(found.within_limits))
    poses = "pose" if count == 1 else "poses"
    line = f"With its actuators as at home the machine closes in {count} {poses}, {within} within the limits of joints"
    return [paragraph(f"{line} ({found.claim}). All of them: gough fk {case.called} --all.")]


def accuracy_section(case: Case) -> Markup:
    """Pose errors at home from the stated tolerances, and what gives way; nothing where none are stated."""
    told = case.errors
    if told is None:
        return Markup("")
    factors = np.array([case.display.length[0]] * 3 + [case.display.angle[0]] * 3)
    units = [case.display.length[1]] * 3 + [case.display.angle[1]] * 3
    header = ["at home", *[f"{axis} [{unit}]" for axis, unit in zip(AXES, units, strict=True)]]
    entries = [("standard deviation", told.sd[0]), ("worst case", told.worst[0])]
    cells = np.column_stack([row(np.array([values[k] for _, values in entries]) * factors[k]) for k in range(6)])
    shares = (told.map[0, :3] ** 2 * np.array([s.sd for s in told.sources]) ** 2).sum(axis=0)
    first = np.argsort(-shares)[:3]
    most = [f"{told.sources[k].name} ({100.0 * shares[k] / shares.sum():.0f} %)" for k in first if shares[k] > 0.0]
    count = "1 tolerance" if len(told.sources) == 1 else f"{len(told.sources)} tolerances"
    return section(
        "Accuracy",
        table(header, [[name, *line] for (name, _), line in zip(entries, cells.tolist(), strict=True)]),
        paragraph(
            f"First order, of the platform's origin, from {count}; most of the error of position: {', '.join(most)}.",
            "note",
        ),
    )
