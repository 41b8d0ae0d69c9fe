"""The body of a link, and tuples as a robot has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.formats.linkage import Link
from gough.formats.placement import Placement
from gough.robot import Body


def body_of(link: Link, name: str) -> Body:
    """The body of a link, in the link's frame."""
    I = link.inertia
    six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return Body(name, float(link.mass), vector(link.com), tuple(float(v) + 0.0 for v in six))  # type: ignore[arg-type]


def in_frame(body: Body, F: Placement) -> Body:
    """A body of a link in a frame F of it."""
    if body.is_massless or (not F.position.any() and np.array_equal(F.rotation, np.eye(3))):
        return body
    inertia = F.rotation.T @ np.array(body.tensor, dtype=float) @ F.rotation
    com = F.inverse().point(body.com)
    return body_of(Link("", body.mass, com, (inertia + inertia.T) / 2), body.name)


def vector(v: Any) -> tuple[float, float, float]:
    """(3,) as a tuple; no zero is negative."""
    x, y, z = (float(entry) + 0.0 for entry in v)
    return x, y, z


def matrix(R: Any) -> Any:
    """(3, 3) as rows."""
    return tuple(vector(row) for row in R)
