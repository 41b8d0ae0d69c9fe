"""Whether motions fit a stack: all limits of both robots, each with the load or motion that the other gives it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gough.analysis.check import SAMPLES, check
from gough.analysis.check_result import CheckResult
from gough.analysis.limits import LimitsLike
from gough.brief import brief
from gough.dynamics.stacks.stack_dynamics import carried_motions, stack_motions
from gough.dynamics.stacks.stack_file import Stack
from gough.motion import Motion


@dataclass(frozen=True)
class StackCheck:
    """Motions of a stack against all limits of both robots.

    What other amplitudes or durations would do is not said: each would change the other robot's load.

    Attributes:
        lower: Under the load of the upper robot.
        upper: On the lower platform as on a base that moves.
    """

    __repr__ = brief

    lower: CheckResult
    upper: CheckResult

    @property
    def fits(self) -> bool:
        """Whether both do."""
        return self.lower.fits and self.upper.fits

    def to_dict(self) -> dict[str, Any]:
        """Plain values, SI units and radians."""
        found: dict[str, Any] = {"fits": self.fits}
        for key, result in (("lower", self.lower), ("upper", self.upper)):
            findings = [finding.to_dict() for finding in result.every]
            found[key] = {"robot": result.robot.name, "motion": result.motion.name, "fits": result.fits}
            found[key] |= {"violated": list(result.violated), "every": findings, "notes": list(result.notes)}
        return found


def check_stack(
    stack: Stack,
    lower: Motion,
    upper: Motion,
    lower_limits: LimitsLike | None = None,
    upper_limits: LimitsLike | None = None,
    samples: int = SAMPLES,
) -> StackCheck:
    """Whether the motions of both robots of a stack fit.

    Args:
        stack: Two robots.
        lower, upper: Motions as in `stack_dynamics_along`.
        lower_limits, upper_limits: In place of a robot's own, as in `check`.
        samples: Samples of a user's function, as in `check`.

    Raises:
        InputError: Limits that cannot be; a robot without any limit.
        ReachError: A leg of the upper robot cannot follow, or one of the lower from the start on.
    """
    below, above = stack_motions(stack, lower, upper)
    loaded, carried = carried_motions(stack, below, above)
    of_upper = check(stack.upper, carried, upper_limits, samples)
    if of_upper.lost is not None:
        raise of_upper.lost
    return StackCheck(check(stack.lower, loaded, lower_limits, samples), of_upper)
