"""What a solver says of N sets of displacements: all poses it found, and how sure it is that there are no others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array

NO_CLAIM = "no completeness claim"


def only_searched(starts: int) -> str:
    """What is said where nothing but a search found the poses."""
    return f"{NO_CLAIM}: a search from {starts} starts may miss some"


def none_missing(found: int, most: int) -> str:
    """The claim where as many solutions are proved as there can be."""
    return f"{found} of {most} certified: none is missing"


def no_other_real(found: int) -> str:
    """The claim where the equation for one angle is proved to have no more real roots."""
    return f"{found} certified, and no other real root: none is missing"


def systems_agree(found: int, systems: str, spare: Sequence[str] = ()) -> str:
    """The claim where start systems agree, on solutions without spare legs."""
    left = f" without leg{'s' if len(spare) > 1 else ''} {', '.join(spare)}" if spare else ""
    return f"{found} found{left} by {systems} start system{'' if systems == 'one' else 's'}, closed under conjugation"


def regular_agree(found: int, paths: int, systems: str) -> str:
    """What is said where start systems agree on what is proved, and their other paths end where nothing is."""
    return (
        f"{NO_CLAIM}: {found} regular solutions found by {systems} start systems, the other {paths - found} of {paths} "
        "paths end where nothing is proved (singular, not isolated or infinite)"
    )


@dataclass(frozen=True, slots=True)
class Solutions:
    """Poses at N sets of displacements.

    Attributes:
        sample: (M,) to which set a pose belongs, ascending.
        p, R: (M, 3) [m], (M, 3, 3) poses of the platform in B.
        certified: (M,) whether it is proved that there is one pose near it, and one only.
        radius: (M,) how far it may be from there, in shares of the robot's size and radians; NaN where it is not.
        complex: (N,) number of complex solutions.
        complex_sample, complex_p, complex_e: (C,), (C, 3) [m], (C, 4) complex positions and quaternions.
        complete: (N,) whether no real pose is missing.
        claim: N sentences on that.
        retried: (N,) whether a set was solved again more carefully.
        joints: (M, joints) displacements of all joints [m or rad]; None where they are left to be worked out.
        singular_value, side: (M,) see `AssemblyModes`; None where they are left to be worked out.
    """

    sample: NDArray[np.intp]
    p: Array
    R: Array
    certified: NDArray[np.bool_]
    radius: Array
    complex: NDArray[np.intp]
    complex_sample: NDArray[np.intp]
    complex_p: NDArray[np.complex128]
    complex_e: NDArray[np.complex128]
    complete: NDArray[np.bool_]
    claim: tuple[str, ...]
    retried: NDArray[np.bool_]
    joints: Array | None = None
    singular_value: Array | None = None
    side: NDArray[np.int_] | None = None

    def of(self, k: int) -> Solutions:
        """Those of one set."""
        mine, hidden = self.sample == k, self.complex_sample == k
        rows = {"complex": slice(k, k + 1)}
        rows |= dict.fromkeys(("complete", "claim", "retried"), slice(k, k + 1))
        told = [name for name in ("joints", "singular_value", "side") if getattr(self, name) is not None]
        rows |= dict.fromkeys(("sample", "p", "R", "certified", "radius", *told), mine)
        rows |= dict.fromkeys(("complex_sample", "complex_p", "complex_e"), hidden)
        found = {name: getattr(self, name)[chosen] for name, chosen in rows.items()}
        return Solutions(**found | {name: found[name] * 0 for name in ("sample", "complex_sample")})


def joined(parts: list[Solutions]) -> Solutions:
    """Those of all sets, one part after the other."""
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(len(part.complex) for part in parts)])
    found: dict[str, Any] = {}
    for name in Solutions.__slots__:
        values = [getattr(part, name) for part in parts]
        if any(value is None for value in values):
            continue
        if name in ("sample", "complex_sample"):
            values = [value + first for value, first in zip(values, ends, strict=False)]
        found[name] = sum(values, ()) if name == "claim" else np.concatenate(values)
    return Solutions(**found)
