"""A motion chosen for one robot, for another that has only some of its coordinates, or more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gough.errors import InputError
from gough.motion.curves import components
from gough.motion.motion import Motion
from gough.robot import Mechanism

STILL = 1e-12
"""How far a coordinate may be from home, in m or rad, that counts as held there: round-off."""
LOOKED = 1001


def for_other(motion: Motion, first: Mechanism, second: Mechanism) -> Motion:
    """A motion of the first robot as one of the second: by the coordinates they share, all others held at home.

    Raises:
        InputError: They share none, a shared name is of another motion, or the motion moves what the second has not.
    """
    ours, theirs = first.coordinate_names, second.coordinate_names
    if ours == theirs:
        return motion
    stated = f"{first.name} has coordinates {', '.join(ours)}; {second.name} has {', '.join(theirs)}"
    kinds = [{c.name: c.motion for c in robot.platform.coordinates} for robot in (first, second)]
    common = [name for name in theirs if name in ours]
    if not common or any(kinds[0][name] != kinds[1][name] for name in common):
        raise InputError(f"{stated}: one motion cannot serve both")
    t = np.union1d(np.linspace(motion.start, motion.end, LOOKED), motion.breakpoints)
    away = np.abs(motion.law(t)[0] - np.array(first.platform.home, dtype=float)).max(axis=0) > STILL
    moved = [name for name, off in zip(ours, away, strict=True) if off and name not in common]
    if moved:
        raise InputError(
            f"{stated}: {second.name} cannot do a motion with {', '.join(moved)} away from home; "
            f"move only {', '.join(common)}, e.g. --to {common[-1]}=..."
        )
    places = tuple(ours.index(name) if name in ours else -1 for name in theirs)
    law = components(motion.law, places, len(ours), second.platform.home)
    return replace(motion, coordinates=tuple(theirs), law=law, recording=None)
