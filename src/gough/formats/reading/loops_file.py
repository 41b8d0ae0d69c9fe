"""The YAML file of loops beside a URDF: pairs of frames that meet, and the driven joints.

In the form of Gepetto's example-parallel-robots: `closed_loop`, `type`, `name_mot`; and the keys of gough's own that
`write_urdf` adds: `gravity`, `home`, `home_LINK`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gough.formats.linkage import Connection
from gough.formats.placement import Floats, Placement, from_quaternion
from gough.formats.xml_text import FormatError, Place, read_text
from gough.robot.names import did_you_mean

RIGID = "6d"
"""Type of a pair of frames where the file does not say: their origins and their axes meet."""


@dataclass(frozen=True, eq=False)
class Loops:
    """What a file of loops says.

    Attributes:
        pairs: Two frames that meet, and whether their axes do too.
        driven: Names of the driven joints; None where the file does not say.
        gravity: (3,), or None.
        home: Coordinates of joints.
        free: Placements of links in the world.
        remarks: A line for what the file leaves to a default.
    """

    pairs: tuple[tuple[str, str, bool], ...] = ()
    driven: tuple[str, ...] | None = None
    gravity: Floats | None = None
    home: Mapping[str, float] = field(default_factory=dict)
    free: Mapping[str, Placement] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def read_loops(path: str | Path) -> Loops:
    """The loops of a YAML file.

    Raises:
        FormatError: It cannot be read, or does not say which frames meet.
    """
    try:
        import yaml
    except ImportError:
        raise FormatError(f"{path}: reading YAML needs a package: pip install 'gough[yaml]'") from None
    text = read_text(path)
    if "&" in text or "*" in text:
        raise FormatError(f"{path}: has anchors or aliases (& or *), which are not read; write the names out")
    try:
        stated = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        at = getattr(error, "problem_mark", None)
        where = f":{at.line + 1}" if at is not None else ""
        raise FormatError(
            f"{path}{where}: is not YAML: {getattr(error, 'problem', None) or 'cannot be read'}"
        ) from None
    return loops_of(stated, str(path))


def loops_of(stated: Any, source: str) -> Loops:
    """The loops that tables of a YAML file state."""
    if not isinstance(stated, Mapping) or "closed_loop" not in stated:
        raise FormatError(f"{source}: closed_loop is missing: a list of pairs of frames that meet, [[a, b], ..]")
    listed, kinds = stated["closed_loop"], stated.get("type")
    if not isinstance(listed, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(n, str) for n in pair) for pair in listed
    ):
        raise FormatError(f"{source}: closed_loop must be a list of pairs of names, [[a, b], ..]")
    assumed = f"{source}: has no type, so its loops are taken as {RIGID}; ball joints are 3d"
    remarks = (assumed,) if kinds is None else ()
    kinds = [RIGID] * len(listed) if kinds is None else kinds
    if not isinstance(kinds, list) or [str(k).lower() in ("3d", "6d") for k in kinds] != [True] * len(listed):
        raise FormatError(f'{source}: type must be a list of "3d" or "6d", one for each of {len(listed)} pairs')
    names = stated.get("name_mot")
    if names is not None and (not isinstance(names, list) or not all(isinstance(n, str) for n in names)):
        raise FormatError(f"{source}: name_mot must be a list of names of joints")
    pairs = tuple((a, b, str(kind).lower() == "6d") for (a, b), kind in zip(listed, kinds, strict=True))
    gravity = stated.get("gravity")
    home = stated.get("home") or {}
    if not isinstance(home, Mapping):
        raise FormatError(f"{source}: home must be a table of joint = coordinate")
    values = {str(name): float(_numbers(source, f"home.{name}", [value], 1)[0]) for name, value in home.items()}
    free = {
        str(key).removeprefix("home_"): _placement(_numbers(source, str(key), value, 7))
        for key, value in stated.items()
        if str(key).startswith("home_")
    }
    return Loops(
        pairs,
        None if names is None else tuple(names),
        None if gravity is None else _numbers(source, "gravity", gravity, 3),
        values,
        free,
        remarks,
    )


def with_home(connections: Sequence[Connection], loops: Loops, place: Place) -> list[Connection]:
    """Connections that start where the file of loops has them.

    Raises:
        FormatError: It has a joint that is not there, or does not move.
    """
    joints = [c.name for c in connections if c.kind in ("R", "P")]
    for name in loops.home:
        if name not in joints:
            raise place.error(f"home.{name}: no such hinge or slide; {did_you_mean(name, joints)}")
    return [replace(c, home=loops.home[c.name], given=True) if c.name in loops.home else c for c in connections]


def closings(
    loops: Loops, frames: Mapping[str, tuple[str, Placement]], taken: Sequence[str], place: Place
) -> list[Connection]:
    """Connections of the pairs of frames that meet.

    Args:
        loops: With the pairs.
        frames: By name: the link that a frame moves with, and its placement in it.
        taken: Names that connections have already.
        place: For messages.
    """
    found = []
    for k, (a, b, whole) in enumerate(loops.pairs):
        for name in (a, b):
            if name not in frames:
                raise place.error(f"closed_loop {name}: no such frame; {did_you_mean(name, list(frames))}")
        (first, at), (second, other) = frames[a], frames[b]
        name = a if a not in taken else f"{a}.loop{k + 1}"
        found.append(Connection(name, "fixed" if whole else "ball", first, second, at, other, closes=True))
    return found


def _numbers(source: str, key: str, value: Any, count: int) -> Floats:
    fine = isinstance(value, list) and len(value) == count
    if not fine or not all(isinstance(v, (int, float)) and np.isfinite(v) for v in value):
        raise FormatError(f"{source}: {key} must be {count} finite number{'s' * (count != 1)}")
    return np.array(value, dtype=float)


def _placement(xyz_xyzw: Floats) -> Placement:
    x, y, z, w = xyz_xyzw[3:]
    if not np.linalg.norm(xyz_xyzw[3:]) > 0:
        raise FormatError("home of a link: its quaternion must not be zero")
    return Placement(xyz_xyzw[:3], from_quaternion([w, x, y, z]))
