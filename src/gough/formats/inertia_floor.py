"""Bodies that engines accept: those without mass or inertia, or at the very edge of what can exist, lifted a little.

MuJoCo refuses masses and principal moments up to 1e-15, and moments A + B < C. `FLOOR` stands for zero: read back it is
zero again.
"""

from __future__ import annotations

import numpy as np

from gough.formats.linkage import Link
from gough.formats.placement import Floats

FLOOR = 2e-15
"""Mass [kg] and principal moments [kg m^2] in place of zero."""

_ROUNDING = 4e-15
"""Part of the largest moment that is lost when a full tensor is turned to its principal axes."""


def lifted(link: Link) -> tuple[float, Floats, str]:
    """Mass, (3, 3) inertia that an engine accepts, and a remark, empty where they are the link's own."""
    mass, inertia, words = link.mass, link.inertia.copy(), []
    if mass < FLOOR:
        mass = FLOOR
        words.append(f"mass {link.mass:g} raised to {FLOOR:g} kg")
    diagonal = not (inertia - np.diag(np.diag(inertia))).any()
    moments = np.diag(inertia) if diagonal else np.linalg.eigvalsh(inertia)
    if diagonal and moments.min() < FLOOR:
        inertia = np.diag(np.maximum(moments, FLOOR))
        words.append(f"moments below {FLOOR:g} raised to {FLOOR:g} kg m^2")
    elif not diagonal and moments.min() < max(FLOOR, _ROUNDING * moments.max()):
        added = 2.0 * max(FLOOR, _ROUNDING * moments.max()) - min(moments.min(), 0.0)
        inertia = inertia + added * np.eye(3)
        words.append(f"{added:g} kg m^2 added to the moments")
    least = np.sort(np.diag(inertia) if diagonal else np.linalg.eigvalsh(inertia))
    slack = 0.0 if diagonal else _ROUNDING * least[2]
    missing = least[2] - least[0] - least[1] + slack
    if missing > 0.0:
        missing += 2e-16 * least[2]
        inertia = inertia + missing * np.eye(3)
        words.append(f"{missing:.3g} kg m^2 added to the moments, so that A + B >= C")
    return mass, inertia, "; ".join(words)


def lowered(mass: float, inertia: Floats) -> tuple[float, Floats]:
    """Mass and (3, 3) inertia with what `lifted` put in place of zero as zero again."""
    return (0.0 if mass == FLOOR else mass), np.where(inertia == FLOOR, 0.0, inertia)
