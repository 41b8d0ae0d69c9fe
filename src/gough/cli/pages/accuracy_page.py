"""Pose errors, stiffness and deflections as pages."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gough.accuracy import Deflection, Elasticity, PoseErrors
from gough.accuracy.pose_errors import AXES
from gough.cli.output import table
from gough.display import Display, number
from gough.graph import Array
from gough.motion.conventions import tool_text
from gough.robot import Robot
from gough.robot.mechanism import size

SHOWN = 12
"""Contributions listed."""
WORST = (
    "A worst case takes every source at the end of its range at once; of displacement and rotation it is the\n"
    "largest norm over all such corners."
)


def _units(display: Display) -> list[tuple[float, str]]:
    """Of errors by axis: um and urad unless lengths or angles are asked for in another unit."""
    return [display.error(turns=k >= 3) for k in range(6)]


def _tool(robot: Robot, display: Display) -> str:
    """The robot's tool in words, in the units of the display."""
    if robot.tool.is_identity:
        return "the platform's origin"
    return f"the tool {tool_text(robot.tool, display.length, display.angle)}"


def _drift(found: PoseErrors, units: list[tuple[float, str]]) -> list[str]:
    """How the pose drifts with heat, with its sign; nothing without heat."""
    heat = [k for k, source in enumerate(found.sources) if source.name == "heat"]
    if not heat:
        return []
    drift = found.map[0, :, heat[0]]
    noise = 1e-9 * np.repeat(np.abs(drift).reshape(2, 3).max(axis=1), 3)
    told = [
        f"{name} {number(0.0 if abs(value) <= least else value * factor, 4)} {unit}"
        for name, value, least, (factor, unit) in zip(AXES, drift, noise, units, strict=True)
    ]
    at = "" if len(found.x) == 1 else " at the first pose"
    return [f"Drift per K of warming{at}: {', '.join(told)}"]


def errors_page(found: PoseErrors, drawn: Array | None, display: Display) -> str:
    """Errors over the poses by axis and as a whole, then their sources."""
    units = _units(display)
    count = len(found.x)
    header = ["axis", "unit", "sd" if count == 1 else "sd, mean", "" if count == 1 else "sd, largest", "worst case"]

    def row(name: str, unit: str, sd: Array, worst: Array) -> list[str]:
        largest = number(float(sd.max()), 4) if count > 1 else ""
        return [name, unit, number(float(sd.mean()), 4), largest, number(float(worst.max()), 4)]

    rows = []
    for k, name in enumerate(AXES):
        factor, unit = units[k]
        rows.append(row(name, unit, found.sd[:, k] * factor, found.worst[:, k] * factor))
    for k, name in enumerate(("displacement", "rotation")):
        factor, unit = units[3 * k]
        rows.append(row(name, unit, found.rms[:, k] * factor, found.largest[:, k] * factor))
    sources = "1 source" if len(found.sources) == 1 else f"{len(found.sources)} sources"
    of = _tool(found.robot, display)
    blocks = [f"{found.robot.name}: errors of {of} {found.where} from {sources}, base axes, first order"]
    blocks.append(table(header, rows))
    if drawn is not None:
        cells = [
            f"{name} {s / max(f, 1e-300):.3f}" for name, s, f in zip(AXES, drawn.std(axis=0), found.sd[0], strict=True)
        ]
        blocks.append(f"Monte Carlo, {len(drawn)} machines {found.where}: sd over first order {', '.join(cells)}")
    blocks += _drift(found, units)
    shares = found.contributions
    order = np.argsort(-shares.sum(axis=1), kind="stable")[:SHOWN]
    listed = [[found.sources[k].name, *(f"{100 * share:.1f} %" for share in shares[k])] for k in order]
    blocks.append(table(["share of the variance", "of displacement", "of rotation"], listed))
    left = len(found.sources) - len(order)
    if left > 0:
        blocks[-1] += f"\nand {left} more"
    blocks.append(WORST)
    return "\n\n".join(blocks) + "\n"


def elastic_page(found: Elasticity, wrench: Sequence[float] | None, display: Display) -> str:
    """The compliance matrix, stiffness along each axis, and the deflection under a wrench."""
    units = _units(display)
    header = ["per", *(f"{name} [{unit}]" for name, (_, unit) in zip(AXES, units, strict=True))]
    rows = []
    # Round-off of the largest compliance is not that of a direction which is rigid.
    noise = 1e-12 * float(np.abs(found.compliance).max())
    for k, load in enumerate(("fx", "fy", "fz", "mx", "my", "mz")):
        push, effort = display.effort(turns=k >= 3)
        column = [0.0 if abs(c) <= noise else c for c in found.compliance[:, k].tolist()]
        rows.append(
            [f"{load} [{effort}]", *(f"{c * unit[0] / push:.4g}" for c, unit in zip(column, units, strict=True))]
        )
    where = "at home" if np.array_equal(found.x, found.robot.platform.home) else "at the pose given"
    title = f"{found.robot.name}: compliance at {_tool(found.robot, display)}, {where}, base axes"
    blocks = [title, table(header, rows)]
    held = [display.stiffness(turns=k >= 3) for k in range(6)]
    soft = [
        "rigid" if c <= noise else number(f / c, 4)
        for c, (f, _) in zip(np.diag(found.compliance).tolist(), held, strict=True)
    ]
    names = [f"{a} {s}" for a, s in zip(AXES, soft, strict=True)]
    blocks.append(f"Stiffness along each axis, the others free [{held[0][1]}, {held[3][1]}]: {', '.join(names)}")
    if wrench is not None:
        given = found.deflection(wrench)
        given = np.where(np.abs(given) <= noise * np.abs(wrench).max(), 0.0, given)
        told = [
            f"{name} {number(v * f, 4)} {unit}" for name, v, (f, unit) in zip(AXES, given.tolist(), units, strict=True)
        ]
        at = "" if found.robot.tool.at_origin else " at the tool"
        blocks.append(f"Under the wrench{at}: {', '.join(told)}")
        blocks += _doubt(found.robot, given[None])
    return "\n\n".join(blocks) + "\n"


def deflection_page(found: Deflection, display: Display) -> str:
    """The largest deflections along a motion, and pose errors there."""
    units, (pace, clock) = _units(display), display.time
    header = [
        "axis",
        "unit",
        "largest deflection",
        f"at t [{clock}]",
        "" if found.errors is None else "sd, largest",
    ]
    rows = []
    for k, name in enumerate(AXES):
        factor, unit = units[k]
        at = int(np.argmax(np.abs(found.deflection[:, k])))
        sd = "" if found.errors is None else number(float(found.errors.sd[:, k].max()) * factor, 4)
        rows.append(
            [name, unit, number(float(found.deflection[at, k]) * factor, 4), number(float(found.t[at]) * pace, 4), sd]
        )
    of = f" of {_tool(found.robot, display)}" if not found.robot.tool.is_identity else ""
    loads = "wrench, weight and inertia of the platform"
    title = f"{found.robot.name}, motion {found.motion}: deflection{of} under {loads}"
    return "\n\n".join([title, table(header, rows), *_doubt(found.robot, found.deflection)]) + "\n"


def _doubt(robot: Robot, deflection: Array) -> list[str]:
    """What to say of twists (N, 6) that are no small deflections."""
    most = float(np.linalg.norm(deflection[:, :3], axis=1).max())
    if most <= 0.1 * size(robot) and np.abs(deflection[:, 3:]).max() <= 0.1:
        return []
    line = "This deflection is larger than a tenth of the robot's size, or 0.1 rad: is a unit missing in [stiffness]?"
    return [f'{line} "50 N/um"']
