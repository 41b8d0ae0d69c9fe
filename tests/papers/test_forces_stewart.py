"""Papers lane: the tables of Lopes2009's companion, by every formulation."""

import numpy as np
import pytest

from gough import Motion, State, load
from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from tests.support.forces import QUICK
from tests.support.papers import assert_printed, paper

CASES = ("trig3", "trig3-fast")


def computed(law, times, formulation):
    robot = load("stewart")
    return inverse_dynamics(robot, Motion.named(robot, law)(times), formulation=formulation)


def column(law, key):
    return np.array([sample[key] for sample in paper("stewart")[law]["samples"]])


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("law", CASES)
def test_samples(law, formulation):
    result = computed(law, column(law, "t"), formulation)
    assert (result.status == 0).all()
    assert_printed(result.q, column(law, "l"))
    assert_printed(result.qd, column(law, "ld"))
    assert_printed(result.force, column(law, "tau"))
    assert np.abs(result.power - result.force * result.qd).max() == 0.0


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("law", CASES)
def test_contributions(law, formulation):
    result = computed(law, column(law, "t"), formulation)
    bodies = result.by_body()
    assert set(bodies) == {"platform", "cylinder", "piston"}
    for body, key in (("platform", "tau_platform"), ("cylinder", "tau_cylinders"), ("piston", "tau_pistons")):
        assert_printed(bodies[body], column(law, key))
    parts = result.parts()
    assert_printed(parts["inertia"] + parts["velocity"], column(law, "tau_kin"))
    assert_printed(parts["gravity"], column(law, "tau_gra"))


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("law", CASES)
def test_extremes(law, formulation):
    printed = paper("stewart")[law]["extremes"]["extremes_4001_points"]
    result = computed(law, np.linspace(0.0, paper("stewart")[law]["T"], 4001), formulation)
    assert_printed(result.force.min(axis=0), printed["tau_min"])
    assert_printed(result.force.max(axis=0), printed["tau_max"])
    assert_printed(result.q.min(axis=0), printed["l_min"])
    assert_printed(result.q.max(axis=0), printed["l_max"])
    assert_printed(np.sqrt((result.force**2).mean(axis=0)), printed["rms_tau"])
    bodies = result.by_body()
    for body, key in (("platform", "platform"), ("cylinder", "cylinders"), ("piston", "pistons")):
        assert_printed(np.abs(bodies[body]).max(axis=0), printed[f"peak_abs_{key}"])


@pytest.mark.parametrize(
    ("law", "velocity", "digits", "force"), [("trig3", 0.065, 2, 11.3), ("trig3-fast", 1.04, 3, 36.4)]
)
def test_size_of_velocity_forces(law, velocity, digits, force):
    motion = Motion.named(load("stewart"), law)
    result = computed(law, np.linspace(motion.start, motion.end, 4001), "newton_euler")
    peak = np.abs(result.parts(platform_coordinates=True)["velocity"]).max()
    assert_printed(peak, velocity, digits=digits)
    assert_printed(np.abs(result.force).max(), force, digits=3)


def test_weight_of_the_moving_parts():
    """Static at t = 0: 6 tau n_z = (m_P + 6 m_S) g."""
    result = computed("trig3", [0.0], "newton_euler")
    n_z = 2.0 / result.q[0, 0]
    assert result.force[0].sum() * n_z == pytest.approx((1.43 + 6 * 0.39) * 9.81, rel=1e-14)
    assert_printed((1.43 + 6 * 0.39) * 9.81, 36.9837, digits=6)


@pytest.mark.parametrize(("axial", "effect"), [(0.01, 0.019), (0.05, 0.093)])
def test_spin_of_a_universal_joint(axial, effect):
    """With axial inertia the leg's spin shows, which the paper drops. The frame {C_i} implies a vertical first axis."""
    robot = load("stewart")
    legs = dict(robot.spec["legs"])
    spinning = {body: {**legs[body], "inertia": [axial, 0.1, 0.1]} for body in ("cylinder", "piston")}
    other = robot.with_spec({**robot.spec, "legs": {**legs, **spinning, "axes": [[0, 0, 1]]}})
    at = Motion.named(robot, "trig3")(np.linspace(0.0, 4.0, 401))
    x, xd, xdd = at.x, at.xd, at.xdd
    change = inverse_dynamics(other, State(x, xd, xdd)).force - inverse_dynamics(robot, State(x, xd, xdd)).force
    assert_printed(np.abs(change).max(), effect, digits=2)


def test_the_figures_scale_does_not_tell_where_x_points():
    """Fig. 4a ends at 3200 mm: in steps of 15 degrees the longest leg is between 2988 and 3100 mm."""
    robot = load("stewart")
    legs = robot.spec["legs"]
    longest = []
    for turn in range(0, 120, 15):
        base = list(np.radians([(angle + turn) % 360 for angle in (15, 105, 135, 225, 255, 345)]))
        platform = list(np.radians([(angle + turn) % 360 for angle in (60, 60, 180, 180, 300, 300)]))
        rings = {"base": {"radius": 1.5, "angles": base}, "platform": {"radius": 0.75, "angles": platform}}
        other = robot.with_spec({**robot.spec, "legs": {**legs, **rings}})
        longest.append(inverse_kinematics(other, Motion.named(robot, "trig3")(2.0).x).q.max())
    assert_printed([1e3 * min(longest), 1e3 * max(longest)], [2988, 3100], digits=4)
