"""Forces along a motion as a page: some of the samples, then peaks and rms of all of them."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.analysis.along_motion import ReachError
from gough.analysis.extremes import first_largest, peaks
from gough.cli.output import table
from gough.display import Display, number
from gough.dynamics import InverseDynamics
from gough.graph import Array
from gough.kinematics import Status
from gough.kinematics.status import sentence
from gough.motion import Motion
from gough.motion.columns import WRENCH
from gough.reports.sizing_rows import PEAK_NOTE, end_names
from gough.robot import Joint

SI = Display()


def verdict(result: InverseDynamics, display: Display, lost: ReachError | None = None) -> int:
    """The exit code, after the lines on standard error: 3 out of reach or near singular, 0 fine.

    Where the motion leaves the reach is told from the samples, or from what was `lost` between them.
    """
    told = lost_lines(result, display) if lost is None else [lost.told(display.length)]
    failures = [*told, *singular_lines(result, display)]
    for line in failures:
        print(f"gough: {line}", file=sys.stderr)
    return 3 if failures else 0


def lost_lines(result: InverseDynamics, display: Display) -> Iterator[str]:
    """Where the motion leaves the workspace: first leg, time and by how much, and where it is worst."""
    lost = np.flatnonzero(result.status > Status.NEAR_SINGULAR)
    if not len(lost):
        return
    beyond = np.where(result.status[lost] == Status.OUT_OF_REACH, result.amount[lost], 0.0)
    first, worst = int(lost[0]), int(lost[np.argmax(beyond)])
    line = f"motion {result.motion} leaves the workspace at {_at(result, first, display)}: "
    line += _clause(result, first, display)
    if worst != first and beyond.max() > 0.0:
        by = f"{result.amount[worst] * display.length[0]:.4g} {display.length[1]}"
        line += f"; at worst leg {_leg(result, worst)} by {by} at {_at(result, worst, display)}"
    yield f"{line} ({len(lost)} of {len(result.status)} samples have no forces)"


def singular_lines(result: InverseDynamics, display: Display) -> Iterator[str]:
    """Where the motion is near singular: the worst condition number."""
    near = np.flatnonzero(result.status_text == Status.NEAR_SINGULAR.text)
    if len(near):
        worst = int(near[np.argmax(result.condition[near])])
        yield (
            f"motion {result.motion} is near singular at {_at(result, worst, display)}: condition number "
            f"{result.condition[worst]:.3g} ({len(near)} of {len(result.status)} samples)"
        )


def excess_lines(result: InverseDynamics, display: Display) -> Iterator[str]:
    """The worst excess over each kind of limit that the actuators state."""
    joints = result.robot.actuators
    turns = np.array([joint.kind == "R" for joint in joints])
    strokes = np.array([joint.limits.stroke or (-np.inf, np.inf) for joint in joints])
    kinds: list[tuple[str, Any, Any, Any, str]] = [("stroke", result.q, strokes[:, 0], strokes[:, 1], "")]
    for kind, values in (("speed", result.qd), ("force", result.force), ("power", result.power)):
        most = np.array([_limit(joint, kind) for joint in joints])
        kinds.append((kind, values, -most, most, "/s" if kind == "speed" else ""))
    for kind, values, low, high, per in kinds:
        past = np.where(np.isfinite(values), np.maximum(values - high, low - values), -np.inf)
        k, j = np.unravel_index(np.argmax(past), past.shape)
        if not past[k, j] > 0.0:
            continue
        factor, unit = _unit(kind, bool(turns[j]), display)
        limit = (high if values[k, j] > high[j] or kind != "stroke" else low)[j] * factor
        others = int((past.max(axis=0) > 0.0).sum()) - 1
        more = f", and {others} other{'s' if others > 1 else ''}" if others else ""
        yield (
            f"{kind}: actuator {result.actuators[j]} is {number(past[k, j] * factor, 4)} {unit}{per} beyond "
            f"{number(limit)} {unit}{per} at {_at(result, int(k), display)}{more}"
        )


def _limit(joint: Joint, kind: str) -> float:
    limit = getattr(joint.limits, kind)
    return np.inf if limit is None else float(limit)


def _unit(kind: str, turns: bool, display: Display) -> tuple[float, str]:
    if kind in ("stroke", "speed"):
        return display.travel(turns)
    return (1.0, "W") if kind == "power" else display.effort(turns)


def _at(result: InverseDynamics, k: int, display: Display = SI) -> str:
    factor, unit = display.time
    return f"t = {number(float(result.t[k]) * factor)} {unit}"


def _clause(result: InverseDynamics, k: int, display: Display) -> str:
    return sentence(Status(int(result.status[k])), _leg(result, k), float(result.amount[k]), display)


def _leg(result: InverseDynamics, k: int) -> str:
    return result.robot.legs[int(result.leg[k])].name


ROWS = 11
MOST_ROWS = 41
"""All samples are shown up to this number, else about `ROWS` of them."""


def page(
    result: InverseDynamics,
    motion: Motion,
    parts: bool,
    by_body: bool,
    every: bool,
    display: Display | None = None,
    internal: bool = False,
    base: str = "",
) -> str:
    """The page; `every` sample is shown if requested, and about eleven of many otherwise; `base` names its motion."""
    units, n = display or Display(), len(result.t)
    shown = np.arange(n) if every or n <= MOST_ROWS else np.unique(np.linspace(0, n - 1, ROWS).round().astype(int))
    second, unit = units.time
    title = f"{result.robot.name}, motion {result.motion}, {number(motion.duration * second)} {unit}, "
    title += f"by {result.formulation}"
    heading = [title, *filter(None, (motion.description, motion.smoothing))]
    heading += [f"{result.sharing[0].upper()}{result.sharing[1:]}."] if result.sharing else []
    heading += [f"The base moves: {base}."] if base else []
    blocks = ["\n".join(heading), _samples(result, shown, units)]
    fine = np.all(np.isfinite(result.force), axis=1)
    if fine.any():
        blocks.append(_summary(result, fine, units))
        blocks.append(_floor(result, fine, units))
        blocks += [_split("largest part", result, result.parts(), fine, units)] if parts else []
        blocks += [_split("largest share", result, result.by_body(), fine, units)] if by_body else []
    if internal:
        blocks.append(_internal(result, shown, units))
    beyond = list(excess_lines(result, units))
    if beyond:
        blocks.append("\n".join(["beyond what the robot states:", *[f"  {line}" for line in beyond]]))
    if len(shown) < n:
        blocks.append(f"{len(shown)} of {n} samples shown: --format csv gives all, --times or --samples others.")
    return "\n\n".join(blocks) + "\n"


def _internal(result: InverseDynamics, shown: NDArray[np.intp], display: Display) -> str:
    """A basis of the forces that give the platform nothing, at each of the shown samples."""
    second, unit = display.time
    spare = result.internal.shape[2]
    cells = []
    for k in shown:
        for row in range(spare):
            entries = [f"{value:.4f}" for value in result.internal[k, :, row]]
            cells.append([number(result.t[k] * second), str(row + 1), *entries])
    title = "internal forces, K^T force = 0: one unit row for each of the "
    return f"{title}{spare} spare\n{table([f't [{unit}]', 'row', *result.actuators], cells)}"


def fixed(values: Array, digits: int = 5) -> list[list[str]]:
    """(N, k) numbers with the decimals that the largest needs for `digits` digits; "-" for what is not finite."""
    good = np.abs(values[np.isfinite(values)])
    size = math.floor(math.log10(good.max())) if good.size and good.max() > 0.0 else 0
    if not -4 <= size <= 6:
        return [[number(v, digits) if math.isfinite(v) else "-" for v in row] for row in values.tolist()]
    decimals = max(0, digits - 1 - size)
    # Adding zero makes a negative zero, left over from rounding, positive.
    rounded = (np.round(values, decimals) + 0.0).tolist()
    return [[f"{v:.{decimals}f}" if math.isfinite(v) else "-" for v in row] for row in rounded]


def _turns(result: InverseDynamics) -> list[bool]:
    return [joint.turns for joint in result.robot.actuators]


def _samples(result: InverseDynamics, shown: NDArray[np.intp], display: Display) -> str:
    """Times, forces, and what is not fine."""
    texts = [text if text != "fine" else "" for text in result.status_text[shown].tolist()]
    factors, names = _units(display.effort, result)
    second, unit = display.time
    header = [
        f"t [{unit}]",
        *[f"{name} [{unit}]" for name, unit in zip(result.actuators, names, strict=True)],
        "status",
    ]
    rows = zip((result.t[shown] * second).tolist(), fixed(result.force[shown] * factors), texts, strict=True)
    return table(header, [[number(t), *forces, text] for t, forces, text in rows])


def _units(of: Callable[[bool], tuple[float, str]], result: InverseDynamics) -> tuple[Any, list[str]]:
    """(actuators,) factors and names of units."""
    found = [of(turns) for turns in _turns(result)]
    return np.array([factor for factor, _ in found]), [name for _, name in found]


def _summary(result: InverseDynamics, fine: NDArray[np.bool_], display: Display) -> str:
    """Peaks and rms of all samples that have forces."""
    factors, names = _units(display.travel, result)
    pushes, forces = _units(display.effort, result)
    unit, force = _joined(names), _joined(forces)
    displacement = result.q[fine] * factors
    least, most = end_names(result.robot)
    entries = [
        (f"peak force [{force}]", peaks(result.force[fine] * pushes)),
        (f"rms force [{force}]", _rms(result.force[fine] * pushes)),
        ("peak power [W]", peaks(result.power[fine])),
        ("rms power [W]", _rms(result.power[fine])),
        (f"peak speed [{unit}/s]", peaks(result.qd[fine] * factors)),
        (f"{least} [{unit}]", displacement.min(axis=0)),
        (f"{most} [{unit}]", displacement.max(axis=0)),
    ]
    rows = [[name, *fixed(values[None])[0]] for name, values in entries]
    when = [result.t[fine][first_largest(np.abs(column), result.t[fine])] for column in result.force[fine].T]
    rows.insert(1, [f"  at t [{display.time[1]}]", *[number(t * display.time[0]) for t in when]])
    count = int(fine.sum())
    shown = table([f"over {count} sample{'s' if count > 1 else ''}", *result.actuators], rows)
    signed = any((values < 0.0).any() for name, values in entries if name.startswith("peak"))
    return f"{shown}\n{PEAK_NOTE}" if signed else shown


def _floor(result: InverseDynamics, fine: NDArray[np.bool_], display: Display) -> str:
    """Largest components of what the robot exerts on its base."""
    sizes = [display.effort(turns) for turns in (False, True)]
    most = peaks(result.base_wrench[fine]) * np.repeat([factor for factor, _ in sizes], 3)
    cells = [*fixed(most[None, :3])[0], *fixed(most[None, 3:])[0]]
    names = [f"{name} [{sizes[k // 3][1]}]" for k, name in enumerate(WRENCH)]
    return table(["on the base, at its origin", *names], [["peak", *cells]])


def _split(
    title: str, result: InverseDynamics, split: dict[str, Any], fine: NDArray[np.bool_], display: Display
) -> str:
    """The largest contribution of each part to each actuator's force."""
    factors, names = _units(display.effort, result)
    unit = _joined(names)
    most = np.array([peaks(values[fine] * factors) for values in split.values()])
    rows = [[name, *cells] for name, cells in zip(split, fixed(most), strict=True)]
    return table([f"{title} [{unit}]", *result.actuators], rows)


def _rms(values: Array) -> Array:
    return np.asarray(np.sqrt((values**2).mean(axis=0)))


def _joined(units: Sequence[str]) -> str:
    return ", ".join(dict.fromkeys(units))
