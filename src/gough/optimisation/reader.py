"""Numbers with their units from tables of an optimisation; every fault is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gough.problem import Problem
from gough.robot.checks.fault import Fault
from gough.robot.names import did_you_mean
from gough.robot.quantities import Measure, QuantityError, quantity


@dataclass
class Reader:
    """Numbers with their units, and the faults met."""

    problem: Problem
    faults: list[Fault] = field(default_factory=list)

    def number(self, path: tuple[Any, ...], value: Any, what: Measure) -> float:
        """A number with or without its unit; a fault and 1 where it is none."""
        try:
            return quantity(value, what)
        except QuantityError as error:
            self.faults.append(Fault(path, str(error), value))
            return 1.0

    def pair(self, path: tuple[Any, ...], value: Any, what: Measure) -> tuple[float, float]:
        """[least, greatest]; a fault and [0, 1] where it is none."""
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            self.faults.append(Fault(path, "must be [least, greatest]", value))
            return 0.0, 1.0
        low, high = (self.number(path, end, what) for end in value)
        if not low < high:
            self.faults.append(Fault(path, "must be [least, greatest], the least first", value))
            return 0.0, 1.0
        return low, high

    def known(self, path: tuple[Any, ...], name: str, names: Any, what: str) -> bool:
        """Whether a name is one of those known; a fault where not."""
        if name in names:
            return True
        self.faults.append(Fault((*path, name), f"no such {what}", None, did_you_mean(name, list(names))))
        return False
