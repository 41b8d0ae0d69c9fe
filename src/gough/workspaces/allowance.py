"""How long a proof may take: processor time, of all threads. What it has not decided by then it says so."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import process_time

SECONDS = 60.0
"""Of processor time, where none is stated."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """Time left.

    Attributes:
        until: Processor time of this process at which it ends [s].
    """

    until: float = math.inf

    @classmethod
    def of(cls, seconds: float) -> Allowance:
        """So many seconds from now on."""
        return cls(process_time() + seconds)

    def part(self, share: float) -> Allowance:
        """From now on, a share of what is left."""
        if self.until == math.inf:
            return self
        return Allowance.of(share * max(0.0, self.until - process_time()))

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return process_time() >= self.until


ALL = Allowance()
"""As long as it takes."""
