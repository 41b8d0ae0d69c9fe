"""The fastest motion along a path: its law, which limit holds it back when, and the certificate that it fits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gough.analysis.check_result import CheckResult
from gough.design.motor_fit import motor_used
from gough.errors import GoughError
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Robot
from gough.robot.leg_values import ROUND_OFF
from gough.table import Block, Result
from gough.timing.limit_rows import Bounds
from gough.timing.reachability import Profile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIED = 1e-6
"""Shares of limits that differ by less count as the same: mirrored legs differ by rounding alone."""
ALIKE = 0.99
"""Part of the time of a stretch that limits have in common which are named together."""


class InfeasibleError(GoughError):
    """A path on which a limit cannot be kept at any speed.

    Attributes:
        kind, owner: Of the limit.
        value, limit: What the path takes, and what is allowed.
        place: Where, as a share of the path; None if that is not known.
    """

    exit_code = 1

    def __init__(self, kind: str, owner: str, value: float, limit: float, place: float | None = None) -> None:
        """The line made from the parts."""
        self.kind, self.owner, self.value, self.limit, self.place = kind, owner, value, limit, place
        at = "" if place is None else f" at {100.0 * place:.3g} % of the path"
        if kind == "det K" or math.isnan(value):
            line = f"the path passes through a singularity{at}; choose another path"
        elif kind == "margin":
            line = f"no forces within the limits hold the platform{at}, {100.0 * (value - 1.0):.3g} % are missing"
        else:
            who = f" of {owner}" if owner else ""
            line = f"{kind}{who}: takes {value:.6g}{at}, allowed {limit:.6g}, at any speed; "
            line += "give a larger limit or another path"
        super().__init__(f"fastest: {line}")


@dataclass(frozen=True)
class Stretch:
    """An interval of time in which one limit holds the motion back.

    Attributes:
        begin, end: [s].
        kind, owner: Of the limit, as of `check`; "B, C" where those hold it back alike, as mirrored legs do.
        used: Share of the limit in use, on average.
    """

    begin: float
    end: float
    kind: str
    owner: str
    used: float


class Fastest(Result):
    """The fastest motion along a path.

    Attributes:
        robot: The question.
        motion: A motion like any other, with its own breakpoints.
        limits: As stated, SI units; the robot's own are its own.
        certificate: Of `check` on the motion: fits.
    """

    robot: Robot
    motion: Motion
    limits: Mapping[str, Any]
    bounds: Bounds = field(repr=False)
    profile: Profile = field(repr=False)
    certificate: CheckResult = field(repr=False)

    INDEX, DRAWN = "t", ("sd", "used")

    @property
    def duration(self) -> float:
        """[s]."""
        return self.motion.duration

    @cached_property
    def fits(self) -> bool:
        """Whether the certificate says so, and the curve of the robot's motor is kept."""
        kept = motor_used(self.robot, self.motion) <= 1.0 + ROUND_OFF
        return self.certificate.fits and kept

    @property
    def apart(self) -> float:
        """How far the path is from that of the motion given [m, or rad where nothing slides]."""
        return self.bounds.terms.way.apart

    @cached_property
    def used(self) -> dict[tuple[str, str], Array]:
        """(N,) by kind and owner of a limit, the share of it that is in use, at most within each cell's ends."""
        full = self.bounds.used(self.profile.u, self.profile.ends)
        return {name: share.max(axis=0) * self.bounds.share for name, share in full.items()}

    @cached_property
    def holding(self) -> tuple[Array, Array]:
        """(N,) which of `used` is largest in each cell, of several alike the first, and how large it is."""
        return self._tied.argmax(axis=0), np.stack(list(self.used.values())).max(axis=0)

    @cached_property
    def _tied(self) -> NDArray[np.bool_]:
        """(limits, N) whether a limit is the one used most in a cell, or as much as that one but for rounding."""
        shares = np.stack(list(self.used.values()))
        return shares >= shares.max(axis=0) - TIED

    @property
    def saturated(self) -> float:
        """Share of the time in which some limit is used to 99 % or more."""
        full = self.holding[1] >= 0.99
        return float(self.profile.durations[full].sum() / self.duration)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Which limit holds the motion back, in the order of time; those of less than 1 % of it join a neighbour."""
        names, steps, tied = list(self.used), self.profile.durations, self._tied
        t = np.concatenate([[0.0], np.cumsum(steps)])
        edges = _joined(_runs(tied), t, 0.01 * self.duration)
        first = [int((tied[:, a:b] @ steps[a:b]).argmax()) for a, b in pairwise(edges)]
        starts = [k for k in range(len(first)) if k == 0 or first[k] != first[k - 1]]
        out = []
        for a, b in pairwise([*(edges[k] for k in starts), edges[-1]]):
            time = tied[:, a:b] @ steps[a:b]
            kind, _ = names[int(time.argmax())]
            alike = [k for k in range(len(names)) if names[k][0] == kind and time[k] >= ALIKE * time.max()]
            mean = float(np.average(self.used[names[alike[0]]][a:b], weights=steps[a:b]))
            out.append(Stretch(float(t[a]), float(t[b]), kind, ", ".join(names[k][1] for k in alike), mean))
        return tuple(out)

    def facts(self) -> dict[str, Any]:
        """Facts that go with the places of the grid: the duration, its check, and what holds the motion back."""
        return {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "duration": self.duration,
            "fits": self.fits,
            "saturated": self.saturated,
            "apart": self.apart,
            "certificate": [found.to_dict() for found in self.certificate.findings],
            "stretches": blocks_dict(self.stretches),
        }

    def _blocks(self) -> list[Block]:
        """A row per place of the grid: time, place, its rate and acceleration, the limit that holds it back."""
        names, (which, share) = list(self.used), self.holding
        t = np.concatenate([[0.0], np.cumsum(self.profile.durations)])
        return [
            Block("t", t[:-1], "s"),
            Block("s", self.profile.grid[:-1]),
            Block("sd", np.sqrt(self.profile.z[:-1]), "1/s"),
            Block("sdd", self.profile.u, "1/s^2"),
            Block("used", share),
            Block("limit", np.array([" ".join(names[k]).strip() for k in which])),
        ]

    def figure(self) -> Figure:
        """The phase plane: rate over place, below the highest that limits allow, coloured by the active limit."""
        from gough.timing.phase_plane import phase_plane

        return phase_plane(self)

    def motion_csv(self) -> str:
        """CSV text of the motion that `read_csv` takes, and which fits too: see `gough.timing.motion_rows`."""
        from gough.timing.motion_rows import certified_rows

        return certified_rows(self.robot, self.motion, self.limits)


def blocks_dict(stretches: tuple[Stretch, ...]) -> list[dict[str, Any]]:
    """Plain values of stretches."""
    return [{"begin": s.begin, "end": s.end, "kind": s.kind, "owner": s.owner, "used": s.used} for s in stretches]


def _runs(tied: NDArray[np.bool_]) -> list[int]:
    """Edges of the longest runs of cells in which one limit, or several alike, are used most."""
    edges, together = [0], tied[:, 0]
    for k in range(1, tied.shape[1]):
        together = together & tied[:, k]
        if not together.any():
            edges.append(k)
            together = tied[:, k]
    return [*edges, tied.shape[1]]


def _joined(edges: list[int], t: Array, least: float) -> list[int]:
    """The edges without those of runs shorter than `least`: the shortest joins the shorter of its neighbours first."""
    edges = list(edges)
    while len(edges) > 2:
        spans = np.diff(t[edges])
        k = int(spans.argmin())
        if spans[k] >= least:
            break
        before = k > 0 and (k + 1 == len(spans) or spans[k - 1] <= spans[k + 1])
        del edges[k if before else k + 1]
    return edges
