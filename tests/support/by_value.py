"""Numbers of printed or written text, compared by value: names and order of keys do not matter.

Commands rename keys and rearrange pages; the numbers stay. A number counts if it has five or more significant digits,
so that counts, indices and round inputs do not, and if it is not tiny, because residuals are round-off.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIGITS = 5
"""Significant digits from which a number is compared."""
TINY = 1e-9
"""Smaller numbers are residuals of solvers, not results."""
FLOOR = 1e-3
"""Numbers are compared relative to their size, or to this where they are smaller."""
_NUMBER = re.compile(r"(?<![\w.])[-+]?(\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w*\d)")
_HIDDEN = re.compile(r"<(script|style|svg|head)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE)


def numbers(text: str, digits: int = DIGITS) -> NDArray[np.float64]:
    """The different numbers of a text with at least this many significant digits, in increasing order."""
    found = set()
    for match in _NUMBER.finditer(text.replace("\u2212", "-")):
        if len(match[1].replace(".", "").strip("0")) >= digits and abs(float(match[0])) >= TINY:
            found.add(float(match[0]))
    return np.array(sorted(found))


def visible(html: str) -> str:
    """The text of a page, without scripts, styles, drawings and tags."""
    return _HIDDEN.sub(" ", html)


def missing(old: NDArray[Any], new: NDArray[Any], tolerance: float) -> NDArray[np.float64]:
    """Values of `old` that `new` does not have within the tolerance, relative to their size."""
    old, new = np.ravel(old).astype(float), np.sort(np.ravel(new).astype(float))
    if not new.size:
        return old
    place = np.searchsorted(new, old)
    nearest = np.minimum(
        np.abs(new[np.maximum(place - 1, 0)] - old), np.abs(new[np.minimum(place, len(new) - 1)] - old)
    )
    return np.asarray(old[~(nearest <= tolerance * np.maximum(np.abs(old), FLOOR))])
