"""The fastest motion along a path: its law, which limit holds it back when, and the certificate that it fits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis.check_result import CheckResult
from gough.design.motor import Motor
from gough.errors import GoughError
from gough.graph import Array
from gough.motion import Motion
from gough.robot import Robot
from gough.table import Table, Tabulated
from gough.table.table import Block
from gough.timing.limit_rows import Bounds
from gough.timing.reachability import Profile

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
        kind, owner: Of the limit, as of `check`.
        used: Share of the limit in use, on average.
    """

    begin: float
    end: float
    kind: str
    owner: str
    used: float


@dataclass(frozen=True)
class Fastest(Tabulated):
    """The fastest motion along a path.

    Attributes:
        robot: With the motor, if one was given.
        motion: A motion like any other, with its own breakpoints.
        limits: As stated, SI units; the robot's own are its own.
        motor: Whose curve is kept to, or None.
        certificate: Of `check` on the motion: fits.
    """

    robot: Robot
    motion: Motion
    limits: Mapping[str, Any]
    motor: Motor | None
    bounds: Bounds = field(repr=False)
    profile: Profile = field(repr=False)
    certificate: CheckResult = field(repr=False)

    @property
    def duration(self) -> float:
        """[s]."""
        return self.motion.duration

    @property
    def fits(self) -> bool:
        """Whether the certificate says so."""
        return self.certificate.fits

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
        """(N,) which of `used` is largest in each cell, and how large it is."""
        shares = np.stack(list(self.used.values()))
        return shares.argmax(axis=0), shares.max(axis=0)

    @property
    def saturated(self) -> float:
        """Share of the time in which some limit is used to 99 % or more."""
        full = self.holding[1] >= 0.99
        return float(self.profile.durations[full].sum() / self.duration)

    @cached_property
    def stretches(self) -> tuple[Stretch, ...]:
        """Which limit holds the motion back, in the order of time; those of less than 1 % of it join the one before."""
        names, (which, share), steps = list(self.used), self.holding, self.profile.durations
        t = np.concatenate([[0.0], np.cumsum(steps)])
        found: list[list[int]] = []
        for k, owner in enumerate(which.tolist()):
            if found and which[found[-1][0]] == owner:
                found[-1][1] = k + 1
            else:
                found.append([k, k + 1])
        joined: list[list[int]] = []
        for begin, end in found:
            short = t[end] - t[begin] < 0.01 * self.duration
            if joined and (short or which[joined[-1][0]] == which[begin]):
                joined[-1][1] = end
            else:
                joined.append([begin, end])
        out = []
        for begin, end in joined:
            cells = slice(begin, end)
            own = np.bincount(which[cells], weights=steps[cells], minlength=len(names)).argmax()
            kind, owner_name = names[int(own)]
            mean = float(np.average(share[cells], weights=steps[cells]))
            out.append(Stretch(float(t[begin]), float(t[end]), kind, owner_name, mean))
        return tuple(out)

    @property
    def table(self) -> Table:
        """A row per place of the grid: time, place, its rate and acceleration, the limit that holds it back."""
        names, (which, share) = list(self.used), self.holding
        t = np.concatenate([[0.0], np.cumsum(self.profile.durations)])
        kinds = [" ".join(names[k]).strip() for k in which]
        facts = {
            "robot": self.robot.name,
            "motion": self.motion.name,
            "duration": self.duration,
            "fits": self.fits,
            "saturated": self.saturated,
            "apart": self.apart,
            "certificate": [found.to_dict() for found in self.certificate.findings],
            "stretches": blocks_dict(self.stretches),
        }
        blocks = (
            Block("t", t[:-1], "s"),
            Block("s", self.profile.grid[:-1]),
            Block("sd", np.sqrt(self.profile.z[:-1]), "1/s"),
            Block("sdd", self.profile.u, "1/s^2"),
            Block("used", share),
            Block("limit", np.array(kinds)),
        )
        return Table(len(kinds), blocks, facts, index="t", shown=("sd", "used"))

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
