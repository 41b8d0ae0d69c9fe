"""Elementary functions: equations for small angles alone give the bits of those for all."""

from __future__ import annotations

import math
import random

from gough.graph import ieee
from gough.graph.elementary import FLOATS, FUNCTIONS, NEAR


def test_sine_and_cosine_of_small_angles_have_the_same_bits():
    draw = random.Random(5)
    [function] = [f for f in FUNCTIONS if f.near is not None]
    angles = [0.0, -0.0, NEAR, -NEAR, 5e-324, -2.3e-308, 1e-160, *(draw.uniform(-NEAR, NEAR) for _ in range(20_000))]
    angles += [draw.choice((-1.0, 1.0)) * NEAR * 2.0 ** -draw.uniform(0.0, 1040.0) for _ in range(2000)]
    for angle in angles:
        sine, cosine = function.near(FLOATS, angle)
        near, everywhere = (math.copysign(sine, angle), cosine), function.equations(FLOATS, angle)
        assert [ieee.bits(v) for v in near] == [ieee.bits(v) for v in everywhere], angle


def test_larger_angles_do_need_their_reduction():
    [function] = [f for f in FUNCTIONS if f.near is not None]
    assert function.near(FLOATS, 2.0) != function.equations(FLOATS, 2.0)
