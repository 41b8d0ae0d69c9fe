"""Papers lane: the tables of the 2T1R robot's companion, by every formulation."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from gough import Motion, State, load
from gough.dynamics import VirtualWork, inverse_dynamics
from gough.dynamics.force_programs import Model
from gough.graph import array, record
from gough.kinematics import inverse_kinematics
from gough.run import Program
from tests.support.forces import QUICK
from tests.support.papers import assert_printed, paper

TABLE = paper("spatial3")["table"]
EXTREMA = {key: value for key, value in paper("spatial3")["extrema"].items() if key != "f_rms"}


def computed(times, formulation="newton_euler"):
    robot = load("spatial3")
    return inverse_dynamics(robot, Motion.named(robot, "paper")(times), formulation=formulation)


def column(key):
    return np.array([row[key] for row in TABLE])


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
def test_samples(formulation):
    result = computed(column("t"), formulation)
    assert result.actuators == ("A", "B", "C")
    for name, key in (("q", "lam"), ("qd", "dlam"), ("force", "f"), ("power", "power")):
        assert_printed(getattr(result, name), column(key))
    assert_printed(result.power.sum(axis=1), column("dEdt"))


def test_work_of_single_actuators():
    """(17): on the virtual motion of one actuator the others do no work, so its effort is found without a system."""
    robot, formulation = load("spatial3"), VirtualWork(recursion="full")
    model = Model(robot, formulation)

    def equations(x, xd, xdd):
        found = formulation.demand(model.motion(x, xd, xdd), array(robot.gravity), None)
        return {"efforts": found.own, "left": found.Q}

    at = Motion.named(robot, "paper")(column("t"))
    x, xd, xdd = at.x, at.xd, at.xdd
    found = Program(record(equations, **model.inputs()), "blocks")(x=x, xd=xd, xdd=xdd)
    assert_printed(found["efforts"], column("f"))
    assert np.abs(found["left"]).max() == 0.0


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
def test_parts_in_actuator_coordinates(formulation):
    parts = computed(column("t"), formulation).parts()
    assert_printed(parts["gravity"], column("f_gravity"))
    assert_printed(parts["velocity"], column("f_velocity"))
    inertia = np.einsum("nij,nj->ni", column("M_actuator"), column("ddlam"))  # sums of products of 12-digit numbers
    assert parts["inertia"] == pytest.approx(inertia, rel=0, abs=2e-11 * np.abs(inertia).max())


def test_mass_matrix_in_actuator_coordinates():
    """Columns of M_q: the inertia parts of unit actuator accelerations."""
    robot = load("spatial3")
    at = Motion.named(robot, "paper")(column("t"))
    x, xd = at.x, at.xd
    kinematics = inverse_kinematics(robot, State(x, xd, np.zeros_like(x)))
    for k in range(3):
        qdd = np.eye(3)[k] - kinematics.qdd
        xdd = np.linalg.solve(kinematics.K, qdd[..., None])[..., 0]
        assert_printed(inverse_dynamics(robot, State(x, xd, xdd)).parts()["inertia"], column("M_actuator")[:, :, k])


def test_the_velocity_part_depends_on_the_coordinates():
    """At t = 0, leg C: +3.34 N in actuator coordinates, -2.00 N in the platform's (DESIGN)."""
    result = computed(0.0)
    assert_printed(result.parts()["velocity"][2], 3.34, digits=3)
    assert_printed(result.parts(platform_coordinates=True)["velocity"][2], -2.00, digits=3)


@pytest.mark.parametrize("name", EXTREMA)
def test_extremum(name):
    quantity, leg, kind = name.split("_")
    sign = 1.0 if kind == "min" else -1.0
    value, time = EXTREMA[name]["value"], EXTREMA[name]["t"]

    def value_at(t):
        result = computed(t)
        return (result.force if quantity == "f" else result.power)[..., "ABC".index(leg)]

    grid = np.linspace(0.0, 1.0, 2001)
    rough = grid[np.argmin(sign * value_at(grid))]
    assert rough == pytest.approx(time, abs=1e-3)
    if time == 1.0:
        assert_printed(value_at(1.0), value, digits=10)
        return
    found = minimize_scalar(lambda t: sign * value_at(t), bounds=(time - 0.01, time + 0.01), options={"xatol": 1e-9})
    assert_printed(sign * found.fun, value, digits=10)
    assert found.x == pytest.approx(time, abs=1e-6)  # six decimals are printed, and a minimum is flat


def test_rms_and_peaks():
    """The speeds are printed as seen at 401 samples."""
    result = computed(np.linspace(0.0, 1.0, 40001))
    rms = np.sqrt(np.trapezoid(result.force**2, dx=1 / 40000, axis=0))
    assert_printed(rms, paper("spatial3")["extrema"]["f_rms"], digits=8)
    grid = computed(np.linspace(0.0, 1.0, 401))
    assert_printed(np.abs(grid.qd).max(axis=0), [0.8832, 0.3180, 1.1027], digits=4)


def test_statics():
    """f_A = f_B = (m1 + m2 + m3/3) g and f_C = (m1 + 2 m2 + m3/3) g at rest at t = 0."""
    robot = load("spatial3")
    force = inverse_dynamics(robot, np.zeros(3)).force
    m1, m2, m3 = 0.9751, 0.9803, 8.1573
    expected = 9.806 * np.array([m1 + m2 + m3 / 3, m1 + m2 + m3 / 3, m1 + 2 * m2 + m3 / 3])
    assert force == pytest.approx(expected, rel=1e-14)
