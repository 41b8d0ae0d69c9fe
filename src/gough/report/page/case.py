"""What a report is about: the solved motion and everything that is shown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.design import Demand
from gough.dynamics import InverseDynamics
from gough.kinematics.conventions import Convention
from gough.motion import Motion
from gough.report.page.html import Markup
from gough.view.display import Display

if TYPE_CHECKING:
    from gough.report.verify import Certificate


@dataclass(frozen=True)
class Case:
    """One robot on one motion.

    Attributes:
        result: Forces along the motion.
        motion: The motion.
        facts: Of the robot, as `gough show --json` gives them.
        display: Units in which numbers are shown.
        command: The command line that makes the report again.
        convention: How orientations are stated, in words.
        stated: How poses are stated in the table of poses.
        certificate: Agreement of the formulations, or None where it was not asked for.
        animation: Name of the animated file beside the report, or nothing.
        versions: Of what the numbers were made with, by name.
        verdict: Whether the motion fits, in words and plainly, where that was checked between samples.
        demand: What the motion asks of the actuators, found between samples, or None.
        tables: Further sections: checks and sizing.
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
    tables: tuple[Markup, ...] = ()
    verdict: tuple[str, bool] | None = None
    demand: Demand | None = None

    @property
    def joints(self) -> list[Any]:
        """The actuated joints, in the order of the actuators."""
        return [joint for leg in self.result.robot.legs for joint in leg.joints if joint.actuated]

    @property
    def turns(self) -> list[bool]:
        """Whether each actuator turns."""
        return [joint.kind == "R" for joint in self.joints]

    def shown(self, quantity: str) -> tuple[Any, str]:
        """(N, actuators) displacement, velocity, force or power as it is shown, and its unit or units."""
        if quantity == "power":
            return self.result.power, "W"
        of = {"displacement": self.display.travel, "velocity": self.display.speed, "force": self.display.effort}
        units = [of[quantity](turns) for turns in self.turns]
        return getattr(self.result, quantity) * np.array([u[0] for u in units]), joined([u[1] for u in units])

    @property
    def effort(self) -> str:
        """What the actuators give: "force" or "torque"."""
        return "torque" if all(self.turns) else "force"


def joined(units: list[str]) -> str:
    """Different units, each once."""
    return ", ".join(dict.fromkeys(units))
