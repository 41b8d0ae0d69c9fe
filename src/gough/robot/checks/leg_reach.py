"""Why a leg of a known type has no geometry at home, told from plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.graph import norm
from gough.graph.triples import subtract, vector
from gough.robot.checks.unknowns import finite
from gough.robot.legs.parts import platform_point
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.rotation import pose
from gough.robot.values import Platform


def why_not(entry: Mapping[str, Any], platform: Platform) -> tuple[str, str, str] | None:
    """Key, what is wrong and a hint, for a leg whose numbers came out as NaN; None where the leg's own are not known.

    Args:
        entry: The leg's table with defaults and ring places filled in, SI units.
        platform: For its home pose.
    """
    whole = platform.whole()
    p_BP, R_BP = pose(whole, whole.home)
    d = subtract(platform_point(entry, p_BP, R_BP), vector(entry["base"]))
    form = SHORT_FORMS[entry["type"]]
    reach = form.reach(entry, d)
    if reach is not None or not _known(entry, d):
        return reach
    if norm(d) == 0:
        return "platform", "meets its base point at home: the leg has no length", "check platform.home"
    x, y, _ = entry["base"]
    if "radial" not in entry and x == 0 and y == 0:
        return "base", "lies on the z axis of the base: no outward direction", f"state {form.outward}"
    if "axes" in entry:
        return "axes", "the first axis lies along the leg at home", "turn it across the leg"
    return "base", "the leg has no geometry at home", "state axes"


def _known(entry: Mapping[str, Any], d: tuple[float, float, float]) -> bool:
    """Whether all numbers that say where the leg is are there."""
    tables = ("base", "axes", "hinge", "platform_hinge", "spread", "lower", "upper")
    inner = [entry.get(key, {}) for key in ("guide", "motor")]
    lengths = [entry[key].get("length", 0.0) for key in ("rod", "crank") if key in entry]
    return finite([d, lengths, [entry[key] for key in tables if key in entry], [list(t.values()) for t in inner]])
