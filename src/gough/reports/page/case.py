"""What a report is about: the solved motion and everything that is shown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.analysis import CheckResult
from gough.analysis.extremes import first_largest, peaks
from gough.design import Demand, SizeResult
from gough.display import Display
from gough.dynamics import InverseDynamics
from gough.graph import Array
from gough.motion import Motion
from gough.motion.conventions import Convention
from gough.reports.page.html import short
from gough.robot import Joint, Mechanism
from gough.workspaces import Workspace

if TYPE_CHECKING:
    from gough.accuracy import PoseErrors
    from gough.assembly import AssemblyModes
    from gough.reports.verify import Certificate
    from gough.singular import Singularities


@dataclass(frozen=True)
class Case:
    """One robot on one motion.

    Attributes:
        result: Forces along the motion.
        motion: The motion.
        facts: Facts of the robot, as `gough show --json` gives them.
        display: Units in which numbers are shown.
        command: The command line that makes the report again.
        convention: How orientations are stated, in words.
        stated: How poses are stated in the table of poses.
        certificate: Agreement of the formulations, or None where it was not asked for.
        animation: Name of the animated file beside the report, or nothing.
        versions: Versions of what the numbers were made with, by name.
        check: Every limit, looked at between samples, or None where there is none, or a leg cannot follow.
        demand: What the motion requires of the actuators, found between samples, or None.
        size: What the actuators must give over an envelope, or None.
        files: Names and texts of the files that were given.
        workspace: Where the platform can be, or None where it was not asked for.
        no_workspace: Why there is none though it was asked for.
        singular: The nearest singularities, or None where they were not asked for.
        modes: Assembly modes at home's displacements, or None.
        errors: Errors of the pose at home, from stated tolerances, or None.
        drawn: The robot as it is drawn; that of the result may have a motor's rotors.
        called: How commands name the robot: a name of the catalogue or a file.
    """

    result: InverseDynamics
    motion: Motion
    facts: Mapping[str, Any]
    display: Display
    command: str
    convention: str = ""
    certificate: Certificate | None = None
    stated: Convention = field(default_factory=Convention)
    animation: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    check: CheckResult | None = None
    demand: Demand | None = None
    size: SizeResult | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    drawn: Mechanism | None = None
    workspace: Workspace | None = None
    no_workspace: str = ""
    singular: Singularities | None = None
    modes: AssemblyModes | None = None
    errors: PoseErrors | None = None
    called: str = "ROBOT"

    @property
    def time(self) -> tuple[Any, str]:
        """(N,) times as they are shown, and their unit."""
        factor, unit = self.display.time
        return self.result.t * factor, unit

    def at(self, t: float, digits: int = 4) -> str:
        """A time [s] as it is shown, with its unit."""
        factor, unit = self.display.time
        return f"{short(float(t) * factor, digits)} {unit}"

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The actuated joints, in the order of the actuators."""
        return self.result.robot.actuators

    @property
    def turns(self) -> list[bool]:
        """Whether each actuator turns."""
        return [joint.turns for joint in self.joints]

    def shown(self, quantity: str) -> tuple[Any, str]:
        """(N, actuators) q, qd, force or power as it is shown, and its unit or units."""
        if quantity == "power":
            return self.result.power, "W"
        of = {"q": self.display.travel, "qd": self.display.speed, "force": self.display.effort}
        units = [of[quantity](turns) for turns in self.turns]
        return getattr(self.result, quantity) * np.array([u[0] for u in units]), joined([u[1] for u in units])

    def peak_times(self, quantity: str) -> Array:
        """(actuators,) when each has its largest q, qd, force or power first, of the samples [s]; NaN for none."""
        values, t = np.abs(getattr(self.result, quantity)), self.result.t
        times = [t[first_largest(column, t)] if np.isfinite(column).any() else np.nan for column in values.T]
        return np.array(times)

    def strongest(self, quantity: str) -> int:
        """The actuator with the largest qd, force or power, as all sections say it; the first where several have it."""
        if self.demand is not None:
            return self.demand.strongest(quantity)
        return first_largest(np.abs(peaks(getattr(self.result, quantity))), self.peak_times(quantity))

    def ends(self, quantity: str) -> tuple[Array, Array]:
        """(actuators,) least and largest q, qd, force or power [SI], as all sections tell them.

        Found between samples; of the samples where some have no solution. NaN where an actuator has none.
        """
        if self.demand is None:
            values = getattr(self.result, quantity)
            some = np.isfinite(values).any(axis=0)
            known = np.where(some, values, 0.0)
            least, most = np.nanmin(known, axis=0), np.nanmax(known, axis=0)
            return np.where(some, least, np.nan), np.where(some, most, np.nan)
        if quantity in ("q", "force"):
            low, high = getattr(self.demand, f"{quantity}_range").T
            return low, high
        size = np.abs(getattr(self.demand, quantity))
        return -size, size

    @property
    def effort(self) -> str:
        """What the actuators give: "force" or "torque"."""
        return "torque" if all(self.turns) else "force"


def joined(units: list[str]) -> str:
    """Different units, each once."""
    return ", ".join(dict.fromkeys(units))
