"""Identities: kinematics recorded with free design parameters has the values and derivatives of rebuilt robots."""

import numpy as np
import pytest

from gough import load
from gough.graph import jacobian, record
from gough.kinematics.programs import equations, kinematics_graph
from gough.kinematics.robot_pose import robot_pose, ways_of
from gough.run import Program
from tests.support.motions import motion_near_home
from tests.support.robots import value_at

STEP = 1e-4
CASES = {
    "stewart": ["legs.base.radius", "legs.platform.half_angle", "platform.home.2", "leg.2.base.1"],
    "hexapod": ["legs.rod.length", "legs.guide.tilt", "legs.guide.offset", "legs.base.half_angle"],
    "rotary": ["legs.crank.length", "legs.rod.length", "legs.motor.yaw", "legs.platform.radius"],
    "delta": ["legs.base.radius", "legs.crank.length", "legs.rod.length", "legs.spread"],
    "planar3rrr": ["legs.crank.length", "legs.rod.length", "legs.platform.angles.1", "leg.B.platform.0"],
    "spatial3": ["legs.rod.length", "leg.C.base.0", "leg.B.platform.1", "platform.origin.position.2"],
    "sru": ["legs.lower", "legs.upper", "legs.platform.z", "legs.base.radius"],
}
NEWTON = {
    "stewart": ["leg.1.joint.3.offset.1", "leg.1.joint.2.offset.1", "leg.1.end.point.2"],
    "hexapod": ["leg.B.joint.2.offset.0", "leg.B.joint.3.offset.2", "leg.B.end.point.1"],
    "delta": ["leg.A.joint.4.offset.1", "leg.A.joint.2.offset.2"],
    "sru": ["leg.3.joint.4.offset.0", "leg.3.joint.6.offset.1"],
}


def recorded(robot, free):
    """Program of position, velocity and acceleration and their derivatives by the numbers p at the free paths."""
    ways = ways_of(robot, free=free)
    n = len(robot.platform.coordinates)

    def both(x, xd, xdd, p):
        changed = robot.with_numbers(dict(zip(free, p, strict=True)))
        out = equations(robot_pose(changed, ways, x), xd, xdd)
        values = np.concatenate([out[name] for name in ("joint_q", "joint_qd", "joint_qdd")])
        return {"values": values, "derivative": jacobian(values, p), "residual": out["residual"]}

    return Program(record(both, x=n, xd=n, xdd=n, p=len(free)), executor="blocks")


def rebuilt(robot, free, values, motion):
    """The same values of a robot built anew with these numbers."""
    changed = robot.replace(dict(zip(free, [float(v) for v in values], strict=True)))
    x, xd, xdd = motion
    out = Program(kinematics_graph(changed), executor="blocks")(x=x, xd=xd, xdd=xdd)
    return np.concatenate([out[name] for name in ("joint_q", "joint_qd", "joint_qdd")], axis=-1)


def assert_derivatives(robot, free):
    """Values against a robot built anew with other numbers; derivatives against differences of those values.

    The differences are of fourth order: their error is the fourth power of the step, 1e-4 of the number itself, times
    the fifth derivative, and round-off over the step; some 1e-11 of the largest value over the number.
    """
    motion = motion_near_home(robot, 3, 51)
    x, xd, xdd = motion
    program = recorded(robot, free)
    nominal = np.array([value_at(robot, path) for path in free])
    steps = STEP * np.maximum(np.abs(nominal), 0.1)
    other = nominal + 30 * steps
    out = program(x=x, xd=xd, xdd=xdd, p=other)
    plain = rebuilt(robot, free, other, motion)
    scale = np.abs(plain).max()
    assert out["residual"].max() < 2e-14
    assert np.abs(out["values"] - plain).max() < 1e-12 * scale
    for k, step in enumerate(steps):
        at = [program(x=x, xd=xd, xdd=xdd, p=other + s * step * np.eye(len(free))[k]) for s in (-2, -1, 1, 2)]
        values = [found["values"] for found in at]
        expected = (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)
        got = out["derivative"][..., k]
        assert np.isfinite(got).all()
        assert np.abs(got - expected).max() < 1e-10 * (scale * STEP / step + np.abs(got).max()), free[k]


@pytest.mark.parametrize("name", sorted(CASES))
def test_short_form_parameters_keep_the_closed_form(name):
    robot = load(name)
    free = CASES[name]
    assert [way.form for way in ways_of(robot, free=free).legs] == [way.form for way in ways_of(robot).legs]
    assert_derivatives(robot, free)


@pytest.mark.parametrize("name", sorted(NEWTON))
def test_parameters_that_break_a_closed_form_go_to_newton(name):
    """Only the leg they belong to: the others keep theirs."""
    robot = load(name).explicit()
    free = NEWTON[name]
    leg = free[0].split(".")[1]
    forms = {leg.name: way.form for leg, way in zip(robot.legs, ways_of(robot, free=free).legs, strict=True)}
    assert forms.pop(leg) is None
    assert {form.name for form in forms.values()} == {way.form.name for way in ways_of(robot).legs}
    assert_derivatives(robot, free)


def test_an_axis_turned_by_a_free_angle():
    """The first axis of a universal joint about the leg: its three components as functions of one angle."""
    robot = load("rotary").explicit()
    axis = [f"leg.1.joint.2.axis.{k}" for k in range(3)]
    ways = ways_of(robot, free=axis)
    n = len(robot.platform.coordinates)

    def turned(angle, cos, sin):
        return dict(zip(axis, [0.0, cos(angle), sin(angle)], strict=True))

    def both(x, p):
        from gough.graph import cos, sin

        out = equations(robot_pose(robot.with_numbers(turned(p, cos, sin)), ways, x))
        return {"joint_q": out["joint_q"], "derivative": jacobian(out["joint_q"], np.array([p]))}

    program = Program(record(both, x=n, p=()), executor="blocks")
    x = motion_near_home(robot, 3, 52)[0]
    out = program(x=x, p=0.0)
    ahead, behind = program(x=x, p=1e-5)["joint_q"], program(x=x, p=-1e-5)["joint_q"]
    expected = (ahead - behind) / 2e-5
    assert np.abs(expected).max() > 0.01
    # central differences: round-off 1e-16 / 1e-5 and a second-order error of 1e-10
    assert np.abs(out["derivative"][..., 0] - expected).max() < 1e-9
