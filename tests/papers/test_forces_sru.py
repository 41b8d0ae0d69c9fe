"""Papers lane: the tables of the 6-SRU lecture's companion, by every formulation."""

from dataclasses import replace

import numpy as np
import pytest

from gough import Motion, load
from gough.dynamics import inverse_dynamics
from tests.support.forces import QUICK
from tests.support.papers import assert_printed, paper

SAMPLES = paper("sru")["samples"]


def computed(times, formulation="newton_euler"):
    robot = load("sru")
    motion = Motion.named(robot, "lecture")
    return inverse_dynamics(robot, motion(times), formulation=formulation)


def column(key):
    return np.array([sample[key] for sample in SAMPLES])


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
def test_samples(formulation):
    result = computed(column("t"), formulation)
    assert_printed(result.q, column("q"))
    assert_printed(result.qd, column("qd"))
    assert_printed(result.force, column("phi"))


@pytest.mark.parametrize("formulation", ["newton_euler", "orthogonal_complement"])
def test_terms_of_the_model(formulation):
    parts = computed(column("t"), formulation).parts()
    M, N, qd, qdd = (column(key) for key in ("M", "N", "qd", "qdd"))
    for part, expected in (("inertia", np.einsum("nij,nj->ni", M, qdd)), ("velocity", np.einsum("nij,nj->ni", N, qd))):
        scale = np.abs(column("phi")).max()  # a sum of six products of 12-digit numbers
        assert parts[part] == pytest.approx(expected, rel=0, abs=2e-11 * scale)
    assert_printed(parts["gravity"], -column("tauG"))
    assert_printed(parts["external"], -column("tauW"))
    assert_printed(parts["inertia"] + parts["velocity"], column("phi_kinetic"))


def test_peaks_over_the_motion():
    """The companion looked every 0.05 s up to 3 s."""
    robot = load("sru")
    motion = replace(Motion.named(robot, "lecture"), end=3.0)
    times = np.linspace(0.0, 3.0, 61)
    result = inverse_dynamics(robot, motion(times))
    parts = result.parts()
    assert_printed(np.abs(result.force).max(), 25.9, digits=3)
    for part, peak in (("inertia", 10.8), ("velocity", 1.60), ("gravity", 12.8)):
        assert_printed(np.abs(parts[part]).max(), peak, digits=3)
    assert_printed(np.abs(parts["external"]).max(), 7.2, digits=2)
