"""The 2T1R robot: readings of its mass model (companion, section 3) and of (18)."""

from dataclasses import replace

import numpy as np
import pytest

from gough import load
from tests.support.readings import forces, power_failure, with_bodies
from tests.support.robots import with_values

M2, M3, L, R = 0.9803, 8.1573, 0.4, 0.1
J3_T5 = np.array([0.0269, 0.0501, 0.0658])
"""About x_p, y_p, z_p, when written in T5 = (x_p, -z_p, y_p)."""
J3_P = np.array([0.0269, 0.0658, 0.0501])


def platform(com, moments, about_c5):
    """The platform's body: centre of mass on x_p [m], moments about C5 (at -r x_p) or central."""
    shift = M3 * (com + R) ** 2 * np.array([0.0, 1.0, 1.0]) if about_c5 else np.zeros(3)
    inertia = (*(moments - shift), 0.0, 0.0, 0.0)
    return lambda body: replace(body, com=(com, 0.0, 0.0), inertia=inertia)


def literal_bars(body):
    """J2 as written in T3, where y3 lies along the bar: our x is along it, our y is x3."""
    shift = M2 * (L / 2) ** 2
    return replace(body, inertia=(0.0524, 0.0006 - shift, 0.0524 - shift, 0.0, 0.0, 0.0))


VARIANTS = {
    "barsC_literal_J2": ({"bar": literal_bars}, [0.56, 0.50, 0.98]),
    "comP_J3_about_C5": ({"platform": platform(0.0, J3_T5, True)}, [23.2, 20.2, 59.2]),
    "comP_J3_central": ({"platform": platform(0.0, J3_T5, False)}, [35.0, 41.3, 57.9]),
    "centroid_J3_central": ({"platform": platform(-R / 3, J3_T5, False)}, [15.2, 16.0, 30.4]),
    "centroid_J3_axesP": ({"platform": platform(-R / 3, J3_P, True)}, [6.6, 6.9, 13.2]),
}
PEAKS = {
    "base": ([117.24, 64.34, 93.92], [32.92, -0.15, 24.19]),
    "barsC_literal_J2": ([117.24, 64.25, 93.24], [33.08, -0.15, 25.17]),
    "comP_J3_about_C5": ([134.92, 81.84, 42.60], [37.07, 17.53, 25.61]),
    "comP_J3_central": ([134.92, 98.90, 81.93], [34.06, 17.53, -29.60]),
    "centroid_J3_central": ([117.24, 73.64, 114.87], [27.85, -0.15, -6.19]),
    "centroid_J3_axesP": ([117.24, 64.58, 102.98], [33.56, -0.15, 11.04]),
}
COUNT = 4001


def variant(name):
    return load("spatial3") if name == "base" else with_bodies(load("spatial3"), **VARIANTS[name][0])


@pytest.mark.parametrize("name", PEAKS)
def test_peaks_of_the_readings(name):
    """Printed to two decimals."""
    tau = forces(variant(name), "paper", "virtual_work", COUNT)
    most, least = PEAKS[name]
    assert tau.max(axis=0) == pytest.approx(most, abs=0.005)
    assert tau.min(axis=0) == pytest.approx(least, abs=0.005)


@pytest.mark.parametrize("name", VARIANTS)
def test_effect_of_the_readings(name):
    """To the digits printed; of f_C by literal bars, 0.9747 N, the companion prints 0.98: its 25.17 less its 24.19."""
    own, other = (forces(variant(each), "paper", "virtual_work", COUNT) for each in ("base", name))
    printed, half = VARIANTS[name][1], 0.005 if name.startswith("bars") else 0.05
    change = np.abs(other - own).max(axis=0)
    legs = 3
    if name == "barsC_literal_J2":
        legs = 2
        assert change[2] == pytest.approx(0.9747, abs=5e-5)
        assert round(other[:, 2].min(), 2) - round(own[:, 2].min(), 2) == pytest.approx(printed[2])
    assert change[:legs] == pytest.approx(printed[:legs], abs=half)


@pytest.mark.parametrize("name", PEAKS)
def test_inadmissible_readings_have_negative_moments(name):
    """Which central tensors a real body can have."""
    robot = variant(name)
    bodies = [robot.platform.body, *(joint.body for leg in robot.legs for joint in leg.joints)]
    admissible = bool(min(min(body.inertia[:3]) for body in bodies) >= 0.0)
    assert admissible is (name not in ("barsC_literal_J2", "comP_J3_about_C5"))


def test_equation_18_on_leg_c_is_a_tree():
    """As a single chain (18) leaves the second bar out: its forces lose power; the tree's do not."""
    robot = load("spatial3")
    third = robot.legs[2]
    joints = [
        replace(j, body=replace(j.body, mass=0.0, inertia=(0.0,) * 6)) if j.name == "Pa3" else j for j in third.joints
    ]
    chain = with_values(robot, legs=(*robot.legs[:2], replace(third, joints=tuple(joints))))
    assert power_failure(robot, "paper", forces(robot, "paper", "virtual_work")) < 1e-13
    literal = forces(chain, "paper", "virtual_work")
    assert power_failure(robot, "paper", literal) > 1e-2
    assert (forces(robot, "paper") - literal)[0, 2] > 5.0
