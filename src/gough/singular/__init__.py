"""Where a robot's actuators do not hold its platform: the nearest such poses, and proofs that there are none."""

from gough.singular.coordinates import Crossing, RegularBox, first_singularity, regular_box
from gough.singular.nearest import Nearest
from gough.singular.result import Singularities, singularities
from gough.singular.slices import singularity_slice
from gough.singular.tube import Tube, tube

__all__ = [
    "Crossing",
    "Nearest",
    "RegularBox",
    "Singularities",
    "Tube",
    "first_singularity",
    "regular_box",
    "singularities",
    "singularity_slice",
    "tube",
]
