"""Papers lane: the companions' forces by Lagrange's equations, whose large graphs run without being compiled."""

import numpy as np
import pytest

from gough import Motion, load
from gough.dynamics import FORMULATIONS
from tests.support.forces import QUICK, forces
from tests.support.papers import assert_printed, paper

LARGE = [f for f in FORMULATIONS if f not in QUICK]
HEXAPOD = paper("hexapod")["motions"]
TABLES = {
    ("stewart", "trig3"): (paper("stewart")["trig3"]["samples"], "tau"),
    ("stewart", "trig3-fast"): (paper("stewart")["trig3-fast"]["samples"], "tau"),
    **{
        ("hexapod", m): (paper("hexapod")["motions"][m]["samples"], "force")
        for m in ("vertical", "horizontal", "rotation")
    },
    ("spatial3", "paper"): (paper("spatial3")["table"], "f"),
}


def assert_forces(name, law, samples, key, formulation):
    robot = load(name)
    motion = Motion.named(robot, law)
    times = [sample["t"] for sample in samples]
    state = motion(times)
    found = forces(robot, formulation, state.x, state.xd, state.xdd, state.wrench)
    assert_printed(found, np.array([sample[key] for sample in samples]))


@pytest.mark.parametrize("formulation", LARGE, ids=lambda f: f.name)
@pytest.mark.parametrize(("name", "law"), TABLES)
def test_forces(name, law, formulation):
    assert_forces(name, law, *TABLES[name, law], formulation)


@pytest.mark.slow
def test_forces_of_sru():
    assert_forces("sru", "lecture", paper("sru")["samples"], "phi", LARGE[0])
