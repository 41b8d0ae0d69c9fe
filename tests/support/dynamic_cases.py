"""The robots on which dynamics is tested: the catalogue, the same without its coincidences, and legs of every kind."""

from functools import cache, partial

import pytest

from gough import load
from tests.support.catalogue_lanes import SQUARE
from tests.support.lanes import sample, slow_if
from tests.support.loaded_robots import loaded, rescaled, rubbing
from tests.support.random_robots import KINDS, odd_robot, random_robot
from tests.support.user_robots import USER

SPINNING = ("SPS", "PSS", "RSS")
"""Legs that spin freely: no friction in their joints."""


def _general(robot, seed):
    return rubbing(loaded(robot(), seed), seed)


def _thin(name):
    return rubbing(rescaled(load(name), 5), 5)


def _rescaled(name):
    return rescaled(load(name), 8)


def _kind(kind):
    robot = loaded(random_robot(kind, 6), 6)
    return robot if kind in SPINNING else rubbing(robot, 6)


def _carrying():
    return load("rotary").with_payload(0.7, (0.03, -0.02, 0.05), (1e-3, 2e-3, 2.5e-3, 1e-4, -2e-4, 3e-4))


CASES = {
    **{name: partial(load, name) for name in (*SQUARE, "planar4rrr", "rps3", "tricept")},
    **{
        f"{name} loaded": partial(_general, partial(load, name), 7) for name in (*SQUARE, "planar4rrr", "rps3", "ankle")
    },
    **{f"{name} thin": partial(_thin, name) for name in ("stewart", "hexapod")},
    **{f"{name} rescaled": partial(_rescaled, name) for name in ("stewart", "hexapod")},
    **{kind: partial(_kind, kind) for kind in KINDS},
    **{name: partial(_general, partial(odd_robot, name), 9) for name in ("offset_universal", "slanted", "skew", "arm")},
    **USER,
    "rotary carrying": _carrying,
}


ALWAYS = (*(name for name in CASES if name.endswith(" loaded")), "tricept")
"""Every machine of the catalogue with legs of its own, with bodies of any shape where it has a case of them."""


def drawn_cases(count, lane):
    """Names of the cases that a lane runs: those of `ALWAYS` and so many of the others, or all in a full run."""
    others = sample([name for name in CASES if name not in ALWAYS], count, lane=lane)
    return [pytest.param(name, marks=slow_if(name == "arm")) for name in CASES if name in (*ALWAYS, *others)]


@cache
def case(name):
    """The robot of this name."""
    return CASES[name]()
