"""A leg type and a closed form written here work wherever gough's do: no code of gough knows them.

The machine is a planar 3-RPR: three cylinders between pins, which gough has neither a short form nor a closed form for.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gough
from gough.graph import array, cross, dot, norm
from gough.kinematics.chain import Slide, Turn
from gough.kinematics.closure.closed_form import kinds_of, sign_and_posture
from gough.kinematics.closure.closed_forms import closure_name
from gough.kinematics.leg import Closure
from gough.kinematics.robot_pose import ways_of
from gough.robot.legs.blocks import X, Z, chain, joint, span

BASES = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.9, 0.0]])
ENDS = np.array([[-0.15, -0.1, 0.0], [0.15, -0.1, 0.0], [0.0, 0.17, 0.0]])
MASS, TURNING = 2.0, 0.05
LEGS = "\n".join(
    f'[[leg]]\nname = "{name}"\nbase = {list(base)}\nplatform = {list(end)}'
    for name, base, end in zip("ABC", BASES.tolist(), ENDS.tolist(), strict=True)
)
TEXT = f"""
name = "cylinders"
gravity = [0.0, 0.0, 0.0]

[platform]
coordinates = {{ x = "x", y = "y", turn = "rz" }}
home = [0.5, 0.35, 0.1]
mass = {MASS}
inertia = [0.03, 0.03, {TURNING}]

[legs]
type = "RPR"
"""
BODIES = """
cylinder = { mass = 0.7, com = [0.1, 0.02, 0.0], inertia = [1e-3, 2e-3, 3e-3] }
piston = { mass = 0.4, com = [-0.1, 0.0, 0.0], inertia = [1e-4, 2e-3, 2e-3] }
actuator = { zero = 0.1, viscous = 3.0, rotor_inertia = 1e-5, gear = 400.0, stroke = [0.1, 0.9] }
"""


def rpr_leg(leg, p_BP, R_BP):
    """R about z at the base point, P along x, R about z at the platform's; all frames parallel to B unmoved."""
    joints = [
        joint(leg, "R1", "R", Z, "cylinder", start=None),
        joint(leg, "P", "P", X, "piston", driven=True, start=norm(span(leg, p_BP, R_BP))),
        joint(leg, "R2", "R", Z, start=None),
    ]
    return chain(leg, joints, {"type": "rigid"}, leg["base"])


RPR = gough.ShortForm(
    "RPR", rpr_leg, ("cylinder", "piston", None), "P", optional=("cylinder", "piston"), outward="base"
)


@dataclass(frozen=True)
class RprForm:
    """Closed form of a cylinder between parallel pins: its direction and length are those of the pins' distance."""

    name: ClassVar[str] = "rpr"
    postures: ClassVar[int] = 1

    @classmethod
    def fit(cls, leg):
        axes = [joint.axis for joint in leg.joints]
        bare = not any(any(joint.offset) for joint in leg.joints) and not any(leg.end.point)
        return cls() if kinds_of(leg) == "RPR" and axes == [Z, X, Z] and bare and leg.end.kind == "rigid" else None

    def close(self, leg, p_end, R_end):
        R, d = array(leg.rotation), p_end - array(leg.position)
        length = norm(d) * sign_and_posture(leg)[0]
        n = d / length
        m, x, axis = R.T @ n, R.T @ R_end[:, 0], R[:, 2]
        across = cross(axis, n)
        first = Turn(m[0], m[1])
        last = Turn(dot(m, x), m[0] * x[1] - m[1] * x[0])

        def solve(v, w):
            turn = dot(across, v) / length
            return {0: turn, 1: dot(n, v), 2: dot(axis, w) - turn}

        return Closure({0: first, 1: Slide(length), 2: last}, solve, 0.0)


@pytest.fixture
def closed_form():
    gough.CLOSED_FORMS.append(RprForm)
    yield
    gough.CLOSED_FORMS.remove(RprForm)


@pytest.fixture
def short_form():
    gough.register_leg_type(RPR)
    yield
    del gough.SHORT_FORMS["RPR"]


def lengths(x):
    """(N, 3) distances of the pins, from points alone."""
    return np.linalg.norm(spans(x), axis=2)


def spans(x):
    """(N, 3 legs, 3) from base pins to platform pins."""
    c, s = np.cos(x[:, 2]), np.sin(x[:, 2])
    R = np.stack([np.stack([c, -s, 0 * c], -1), np.stack([s, c, 0 * c], -1), np.tile([0.0, 0, 1], (len(x), 1))], 1)
    p = np.concatenate([x[:, :2], np.zeros((len(x), 1))], axis=1)
    return p[:, None] + np.einsum("nij,kj->nki", R, ENDS) - BASES


def states(count=6):
    dx, xd, xdd = np.random.default_rng(3).normal(size=(3, count, 3))
    return dx * 0.05 + [0.5, 0.35, 0.1], xd, xdd


def massless_forces(x, xdd):
    """(N, 3) forces with legs of no mass: K^T f = M xdd, K from the directions of the legs."""
    d = spans(x)
    n = d / np.linalg.norm(d, axis=2, keepdims=True)
    arms = d + BASES - np.concatenate([x[:, :2], np.zeros((len(x), 1))], axis=1)[:, None]
    K = np.concatenate([n[:, :, :2], np.cross(arms, n)[:, :, 2:]], axis=2)
    return np.linalg.solve(K.transpose(0, 2, 1), (xdd * [MASS, MASS, TURNING])[:, :, None])[:, :, 0]


@pytest.mark.usefixtures("short_form")
def test_a_short_form_from_outside():
    x, xd, xdd = states()
    robot = gough.loads(TEXT + LEGS)
    found = gough.inverse_kinematics(robot, x)
    np.testing.assert_allclose(found.q, lengths(x), rtol=0, atol=1e-13)
    for formulation in gough.FORMULATIONS:
        force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=formulation).force
        np.testing.assert_allclose(force, massless_forces(x, xdd), rtol=0, atol=1e-10)


@pytest.mark.usefixtures("short_form")
def test_its_keys_are_read_converted_and_checked():
    in_mm = "\n".join(
        f'[[leg]]\nname = "{name}"\nbase = {base}\nplatform = {end}'
        for name, base, end in zip("ABC", (BASES * 1e3).tolist(), (ENDS * 1e3).tolist(), strict=True)
    )
    head = TEXT.replace("[0.5, 0.35, 0.1]", "[500, 350, 0.1]").replace(
        "[legs]", '[units]\nlength = "mm"\ninertia = "kg m^2"\n\n[legs]'
    )
    robot = gough.loads(head + "actuator = { zero = 100.0, stroke = [100, 900] }\n" + in_mm)
    assert [leg.joints[1].zero for leg in robot.legs] == [0.1, 0.1, 0.1]
    assert robot.legs[0].joints[1].limits.stroke == (0.1, 0.9)
    with pytest.raises(gough.RobotError) as error:
        gough.loads(TEXT + "lower = 0.3\n" + LEGS, "mine.toml")
    assert str(error.value).startswith("mine.toml:13: legs.lower: is not used by legs of type RPR (they may have: ")


def test_it_is_unknown_where_it_is_not_listed():
    with pytest.raises(gough.RobotError, match=r'"RPR": must be "UPS", .* or "cable" \(did you mean PRR\?\)'):
        gough.loads(TEXT + LEGS)


@pytest.mark.usefixtures("short_form")
def test_a_closed_form_from_outside(request):
    """It is taken for the legs it fits, and every formulation finds the forces that Newton's method leads to."""
    x, xd, xdd = states()
    robot = gough.loads(TEXT.replace("cylinders", "by_iteration") + BODIES + LEGS)
    assert {closure_name(leg) for leg in robot.legs} == {"newton"}
    slow = gough.inverse_kinematics(robot, gough.State(x, xd, xdd))
    expected = gough.inverse_dynamics(robot, gough.State(x, xd, xdd))
    request.getfixturevalue("closed_form")
    robot = gough.loads(TEXT.replace("cylinders", "in_closed_form") + BODIES + LEGS)
    assert [way.form for way in ways_of(robot).legs] == [RprForm()] * 3
    fast = gough.inverse_kinematics(robot, gough.State(x, xd, xdd))
    for name in ("joint_q", "joint_qd", "joint_qdd"):
        np.testing.assert_allclose(getattr(fast, name), getattr(slow, name), rtol=0, atol=1e-11)
    for formulation in gough.FORMULATIONS:
        force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=formulation).force
        np.testing.assert_allclose(force, expected.force, rtol=0, atol=1e-10 * np.abs(expected.force).max())
    np.testing.assert_allclose(
        gough.forward_dynamics(robot, gough.State(x, xd), expected.force).xdd, xdd, rtol=0, atol=1e-9
    )
    other = gough.inverse_kinematics(robot.replace({"leg.A.branch": -1}), x)
    np.testing.assert_allclose(other.q[:, 0], -lengths(x)[:, 0] - 0.1, rtol=0, atol=1e-13)
