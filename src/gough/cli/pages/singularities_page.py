"""Singularities as pages, and the ranges of a box of poses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from gough.display import SEARCHED, Display, distance_unit, number, searched_pose
from gough.errors import InputError
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Robot
from gough.robot.file.units import Units
from gough.robot.names import did_you_mean
from gough.robot.quantities import QuantityError, measure, quantity
from gough.singular import Singularities, Tube
from gough.singular.charts import twist_axis
from gough.singular.coordinates import Crossing, RegularBox
from gough.singular.nearest import MEANING, Nearest
from gough.singular.result import ORDER
from gough.workspaces.conditions import redundant


def page(found: Singularities, display: Display) -> str:
    """The page of the nearest one."""
    (metre, unit), (factor, away) = display.length, distance_unit(found.robot, display)
    lines = [f"{found.robot.name}, singularities around the pose, within: {', '.join(found.conditions.kinds)}"]
    formula = f"sqrt(translation^2 + (length angle)^2), length {number(found.length * metre, 5)} {unit}"
    distance = "the angle of rotation" if away == display.angle[1] else formula
    value = number(found.singular_value, 5)
    lines.append(f"Distance is {distance}; least singular value of K at the pose {value}")
    if found.kind == "architecture":
        return "\n".join([*lines, "", _capital(MEANING["architecture"]) + "."]) + "\n"
    for one in found.found:
        lines += ["", *_one(one, found, display)]
    absent = [kind for kind in ORDER if found.of_kind(kind) is None]
    if absent:
        lines += ["", f"None found within the limits: {'; '.join(f'{kind} ({MEANING[kind]})' for kind in absent)}"]
    if found.sparing > 1:
        lines += [
            "",
            f"Poses of this robot take very many operations: the search looked along {found.sparing} times fewer ways "
            "than usual, and there may be nearer ones. --to and --box look closer.",
        ]
    lines.append("")
    if found.bound is not None:
        share = "" if found.nearest is None else f", {100.0 * found.bound / found.nearest.distance:.1f} % of it"
        bound = f"{number(found.bound * factor, 5)} {away}{share} ({found.boxes} boxes of poses)"
        kinds = "type 2 or constraint" if found.robot.platform.dependent else "type 2"
        lines.append(f"Proved: none of {kinds} nearer than {bound}")
    elif found.unproved:
        lines.append(f"No proof: {found.unproved}.")
    else:
        lines.append("--prove finds a distance below which there is none of type 2.")
    return "\n".join(lines) + "\n"


def _one(one: Nearest, found: Singularities, display: Display) -> list[str]:
    """Of one kind: how far, where, and the motion that becomes free or is lost."""
    metre, unit = display.length
    factor, away = distance_unit(found.robot, display)
    turn = float(np.linalg.norm(one.turn))
    axis = one.turn / turn if turn > 0.0 else one.turn
    turned = f", turned by {number(turn * display.angle[0], 5)} {display.angle[1]} about {_vector(axis)}"
    names = zip(found.robot.platform.coordinates, searched_pose(found.robot, one.x, found.length), strict=True)
    at = ", ".join(
        f"{c.name} = {number(v * display.travel(c.turns)[0], 5)} {display.travel(c.turns)[1]}" for c, v in names
    )
    return [
        f"{_capital(one.kind)} ({MEANING[one.kind]}): nearest found {number(one.distance * factor, 6)} {away} away",
        f"  at {at}",
        f"  platform at {_vector(one.p * metre)} {unit}{turned if turn > 1e-9 else ''}",
        f"  {'lost' if one.kind == 'type 1' else 'free'} there: {_motion(one.twist, found.length, display)}",
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _motion(twist: Array, length: float, display: Display) -> str:
    axis = twist_axis(twist)
    if axis["slides"]:
        return f"a slide along {_vector(axis['direction'])}"
    metre, unit = display.length
    pitch = axis["pitch"] if abs(axis["pitch"]) > SEARCHED * length else 0.0
    return (
        f"a turn about the axis along {_vector(axis['direction'])} through {_vector(axis['point'] * metre)} {unit} "
        f"from the platform's origin, pitch {number(pitch * metre, 4)} {unit}/rad"
    )


def _vector(values: Array) -> str:
    return f"({', '.join(number(v if abs(v) > 5e-6 else 0.0, 4) for v in values)})"


def box_page(robot: Robot, ranges: Mapping[str, tuple[float, float]], proof: RegularBox, display: Display) -> str:
    """Whether a box is free of singularities."""
    if proof.left is None:
        return f"{robot.name}: proved, no pose of the box within the limits is singular ({proof.boxes} boxes)\n"
    listed = ", ".join(
        f"{c.name} = {number(value * display.travel(c.turns)[0], 5)} {display.travel(c.turns)[1]}"
        for c, value in zip(robot.platform.coordinates, proof.left, strict=True)
        if c.name in ranges
    )
    return f"{robot.name}: not proved with {proof.boxes} boxes; not decided around {listed}\n"


def way_page(robot: Robot, found: Crossing, x_end: Array | None, display: Display) -> str:
    """The first singularity on a straight way, or its end x_end (n,)."""
    head = f"{robot.name}, straight way in its own coordinates: "
    if found.share is None and found.end is not None:
        return f"{head}{_way_end(robot, found, x_end, display)}"
    if found.share is None or found.x is None:
        whole = found.proved >= 1.0
        verdict = "proved, no singularity" if whole else f"none found; proved up to {100.0 * found.proved:.4f} % of it"
        return f"{head}{verdict} ({found.parts} parts)\n"
    return (
        f"{head}singular after {100.0 * found.share:.5f} % of it, at {_at(robot, found.x, display)}\n"
        f"Proved: none before {100.0 * found.proved:.5f} % ({found.parts} parts)\n"
    )


def _way_end(robot: Robot, found: Crossing, x_end: Array | None, display: Display) -> str:
    """Where a way leaves the reach of the legs."""
    if not found.end or x_end is None:
        return "its start is out of reach\n"
    legs = f"{'leg' if len(found.end_legs) == 1 else 'legs'} {', '.join(found.end_legs)}"
    verb = "is" if len(found.end_legs) == 1 else "are"
    why = f"{legs} {verb} stretched or folded there (type 1)" if found.stretched else f"{legs} cannot go on"
    at = _at(robot, x_end, display)
    return (
        f"it ends after {100.0 * found.end:.5f} % of it, at {at}: {why}; beyond is out of reach\n"
        f"Proved: none of type 2 before {100.0 * found.proved:.5f} % ({found.parts} parts)\n"
    )


def _at(robot: Robot, x: Array, display: Display) -> str:
    return ", ".join(
        f"{c.name} = {number(v * display.travel(c.turns)[0], 6)} {display.travel(c.turns)[1]}"
        for c, v in zip(robot.platform.coordinates, x, strict=True)
    )


def tube_line(found: Tube, display: Display) -> str:
    """What is proved of a tube about a motion."""
    (metre, unit), (second, time) = display.length, display.time
    what = f"singular value above {number(found.least, 5)}" if found.least else "K of full rank"
    where = f"all poses within {number(found.radius * metre, 5)} {unit} of the motion" if found.radius else "the motion"
    head = f"Tube: {where}, {what}: "
    if found.proved:
        return f"{head}proved ({found.boxes} boxes)\n"
    until = f"{number(found.until * second, 6)} {time}"
    if found.found is not None:
        t, value = found.found
        return f"{head}NO, at t = {number(t * second, 6)} {time} it is {number(value, 4)}; proved before {until}\n"
    return f"{head}not proved with {found.boxes} boxes; proved before t = {until}\n"


def motion_page(
    robot: Robot,
    motion: Motion,
    times: Sequence[float],
    touched: Sequence[float],
    proof: Tube | str,
    display: Display,
) -> str:
    """Singularities on a motion, and up to where it is proved that there is none; or why there is no proof.

    Args:
        robot, motion: Any.
        times: At which det K changes its sign [s].
        touched: Others at which it is 0 [s].
        proof: Up to where there is none, or why there is no proof.
        display: Units.
    """
    second, unit = display.time
    listed, zero = (", ".join(f"t = {number(t * second, 6)} {unit}" for t in some) for some in (times, touched))
    how = "between samples too" if motion.analytic else "at samples"
    verdict = f"det K changes its sign at {listed}" if times else "det K does not change its sign"
    verdict += f", it is 0 at {zero}" if touched else ""
    ranked = "K has no determinant, its rank is checked" + (f": it is singular at {zero}" if touched else "")
    verdict = ranked if redundant(robot) else f"{verdict} (searched {how})"
    line = f"{robot.name}, motion {motion.name}: {verdict}\n"
    if isinstance(proof, str):
        return f"{line}No proof: {proof}\n"
    whole = proof.proved and not times and not touched
    until = "on all of it" if whole else f"before t = {number(proof.until * second, 8)} {unit}"
    return f"{line}Proved: none {until} ({proof.boxes} parts)\n"


def leaving_line(time: float, display: Display) -> str:
    """When a motion leaves the reach of the legs."""
    second, unit = display.time
    return f"Out of reach from t = {number(time * second, 6)} {unit} on: gough check tells the legs\n"


def ranges_of(
    robot: Robot, text: str, units: Units, open_ends: bool = False, option: str = "--box"
) -> dict[str, tuple[float, float]]:
    """Ranges by coordinate of an option such as x=-0.1:0.1,psi=-20deg:20deg; z=0: has no end where that is allowed.

    Raises:
        InputError: An entry that cannot be read.
    """
    turns = {c.name: c.turns for c in robot.platform.coordinates}
    found: dict[str, tuple[float, float]] = {}
    for entry in text.split(","):
        name, equals, ends = (part.strip() for part in entry.partition("="))
        low, colon, high = (part.strip() for part in ends.partition(":"))
        if not (equals and colon) or (open_ends and not (low or high)):
            example = "x=-0.1:0.1 or z=0:" if open_ends else "x=-0.1:0.1"
            raise InputError(f"{option} {text}: {entry.strip()}: must be COORDINATE=LOW:HIGH, e.g. {example}")
        if name not in turns:
            raise InputError(f"{option} {text}: no coordinate {name} ({did_you_mean(name, list(turns))})")
        if name in found:
            raise InputError(f"{option} {text}: {name}: stated twice")
        own = measure("angle" if turns[name] else "length", units)
        try:
            first = -math.inf if open_ends and not low else quantity(low, own)
            last = math.inf if open_ends and not high else quantity(high, own)
        except QuantityError as error:
            raise InputError(f"{option} {text}: {entry.strip()}: {error}") from None
        found[name] = (first, last)
    return found
