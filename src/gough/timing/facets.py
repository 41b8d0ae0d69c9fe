"""What actuators that share forces within limits can do together: one row for each facet, with exact slopes.

Forces within limits give the platform a zonotope (`gough.dynamics.sharing.margin`). Across a facet of direction u,
which n - 1 rows of K are orthogonal to, any forces f that give what is needed use

    |K u . (f - middle)| / (|K u| . half)

of what there is: 1 on the facet. As K changes, the direction turns by du = -K_rows^+ dK_rows u.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gough.dynamics.drives import dry_friction, without_winches
from gough.dynamics.sharing.margin import normals
from gough.dynamics.sharing.shares import force_limits
from gough.graph import Array
from gough.kinematics.programs import characteristic_length
from gough.robot import Mechanism

FLAT = 1e-9
"""Facets that actuators reach less far across, of the farthest, are none."""


def shares_within_limits(robot: Mechanism) -> bool:
    """Whether the actuators of a robot share forces within limits."""
    return robot.actuation is not None and robot.actuation.limited


def directions(robot: Mechanism) -> Array:
    """(F, n - 1) rows of K that the direction across each pair of facets is orthogonal to."""
    return np.array(list(combinations(range(len(robot.actuators)), robot.dof - 1)), dtype=int)


@dataclass(frozen=True)
class Facets:
    """The facets at N poses, F directions.

    Attributes:
        scale: (n,) by which the columns of K are divided, so that turns count as slides do.
        G: (N, m, n) K over the scale.
        rows: (F, n - 1) of G that each direction is orthogonal to.
        u: (N, F, n) directions, unit vectors.
        along: (N, F, m) G u.
        middle, half: (m,) of the forces.
        reach: (N, F) |G u| . half; infinite where there is no facet.
    """

    scale: Array
    G: Array
    rows: Array
    u: Array
    along: Array
    middle: Array
    half: Array
    reach: Array

    @classmethod
    def of(cls, robot: Mechanism, K: Array, clear_of_friction: bool = False) -> Facets:
        """At Jacobians K (N, m, n); on request with room for dry friction of either sign, but for tensions."""
        low, high = np.array(force_limits(robot), dtype=float).T
        half = 0.5 * (high - low) - (dry_friction(without_winches(robot)) if clear_of_friction else 0.0)
        turning = np.array([c.turns for c in robot.platform.coordinates])
        scale = np.where(turning & (not turning.all()), characteristic_length(robot), 1.0)
        G, rows = K / scale, directions(robot)
        u = normals(G, rows)
        along = u @ G.transpose(0, 2, 1)
        reach = np.abs(along) @ half
        reach = np.where(reach > FLAT * reach.max(), reach, np.inf)
        return cls(scale, G, rows, u, along, 0.5 * (low + high), half, reach)

    def used(self, force: Array) -> Array:
        """(N, F) signed shares that forces (N, m) use; with forces' terms in place of them, their terms."""
        return (self.along @ force[:, :, None])[:, :, 0] / self.reach

    def slopes(self, used: Array, force: Array, dK: Array, dforce: Array) -> Array:
        """(N, F, p) of the shares `used` (N, F) by forces less their middles (N, m).

        Args:
            used, force: As given and returned.
            dK: (N, m, n, p) slopes of K.
            dforce: (N, m, p) of the forces.
        """
        dG = dK / self.scale[:, None]
        turned = np.einsum("amnp,afn->afmp", dG, self.u)
        own = turned[:, np.arange(len(self.rows))[:, None], self.rows]
        du = -np.linalg.pinv(self.G[:, self.rows], rcond=1e-12) @ own
        by = turned + np.einsum("amn,afnp->afmp", self.G, du)
        gained = np.einsum("afmp,am->afp", by, force) + np.einsum("afm,amp->afp", self.along, dforce)
        farther = np.einsum("afmp,afm->afp", by, np.sign(self.along) * self.half)
        return (gained - used[:, :, None] * farther) / self.reach[:, :, None]
