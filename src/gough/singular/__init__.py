"""Where a robot's actuators do not hold its platform: the nearest such poses, and proofs that there are none."""

from gough.singular.nearest import Nearest
from gough.singular.result import Singularities, singularities
from gough.singular.tube import Tube, tube

__all__ = ["Nearest", "Singularities", "Tube", "singularities", "tube"]
