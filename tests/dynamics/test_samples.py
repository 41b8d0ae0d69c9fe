"""One sample and many: the same bits, and each sample's failure its own."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import load
from gough.dynamics import inverse_dynamics
from gough.dynamics.contract import DEFAULT, NAMES
from gough.dynamics.force_programs import REACH, Model, inverse_program
from gough.errors import InputError
from gough.kinematics import PoseError, Status
from gough.kinematics.leg import REACH_SLACK
from tests.support.dynamic_cases import case
from tests.support.forces import states
from tests.support.given_states import state_of
from tests.support.robots import with_values

RESULTS = ("q", "qd", "force", "power", "status", "leg", "amount")
AWAY = {
    "hexapod": [0.8, 0.3, 0.0, 0.0, 0.0, 0.0],
    "spatial3": [0.3, 0.0, 0.0],
    "sru": [0.2, 0.1, 0.9, 0.0, 0.0, 0.0],
    "planar3rrr": [4.0, 0.5, 0.0],
}
"""How far from home, each without turning."""


def shortfalls(name, x):
    """(legs,) how far each leg's end is beyond its reach, from the points of the file."""
    robot, missing = load(name), []
    given = dict(zip([c.name for c in robot.platform.coordinates], x, strict=True))
    p = np.array(robot.platform.position) + np.array([given.get(c, 0.0) for c in "xyz"])
    for leg in robot.legs:
        end = p + np.array(leg.end.platform_point)
        foot = np.array(leg.position) + np.array(leg.rotation) @ leg.joints[0].offset
        if leg.joints[0].kind == "P":
            e = np.array(leg.rotation) @ np.array(leg.joints[0].rotation) @ leg.joints[0].axis
            first = foot + np.array(leg.rotation) @ np.array(leg.joints[0].rotation) @ leg.joints[1].offset
            missing.append(np.linalg.norm(np.cross(end - first, e)) - {"hexapod": 0.5, "spatial3": 0.4}[name])
        else:
            links = [np.linalg.norm(joint.offset) for joint in leg.joints[1:]]
            missing.append(np.linalg.norm(end - foot) - sum(links))
    return np.array(missing)


def out_of_reach(name, count):
    """States of which the second, and every seventh after it, is out of reach; and which these are."""
    robot = load(name)
    x, xd, xdd, wrench = states(robot, count, 61)
    lost = np.arange(count) % 7 == 1
    x[lost] = np.array(robot.platform.home) + AWAY[name]
    return robot, (x, xd, xdd, wrench), lost


@pytest.mark.parametrize("name", ["stewart", "spatial3", "offset_universal"])
def test_many_samples_are_single_calls_bit_by_bit(name):
    robot = case(name)
    given = states(robot, 19, 60, size=0.05)
    many = inverse_dynamics(robot, state_of(given))
    for k in (0, 1, 7, 18):
        one = inverse_dynamics(robot, state_of([value[k] for value in given]))
        for key in RESULTS:
            assert np.array_equal(getattr(one, key), getattr(many, key)[k]), key
        for key, value in one.parts().items():
            assert np.array_equal(value, many.parts()[key][k])


@pytest.mark.parametrize("name", AWAY)
def test_samples_out_of_reach_are_marked_and_touch_no_other(name):
    robot, given, lost = out_of_reach(name, 30)
    found = inverse_dynamics(robot, state_of(given))
    fine = inverse_dynamics(robot, state_of([value[~lost] for value in given]))
    assert (found.status == np.where(lost, Status.OUT_OF_REACH, Status.FINE)).all()
    for key in ("q", "qd", "force", "power"):
        assert np.isnan(getattr(found, key)[lost]).all()
        assert np.array_equal(getattr(found, key)[~lost], getattr(fine, key))
    assert (found.leg[~lost] == -1).all()
    assert (found.amount[~lost] == 0.0).all()
    missing = shortfalls(name, given[0][1])
    assert (found.leg[lost] == np.argmax(missing)).all()
    assert found.amount[lost] == pytest.approx(np.full(lost.sum(), missing.max()), rel=1e-12)
    assert np.isnan(found.condition[lost]).all()
    assert np.isfinite(found.condition[~lost]).all()
    for values in (*found.parts().values(), *found.by_body().values()):
        assert (np.isnan(values).all(axis=1) == lost).all()


@pytest.mark.parametrize("name", AWAY)
def test_a_single_sample_out_of_reach_is_an_error(name):
    robot, given, _ = out_of_reach(name, 2)
    with pytest.raises(PoseError) as error:
        inverse_dynamics(robot, state_of([value[1] for value in given]))
    missing = shortfalls(name, given[0][1])
    leg = robot.legs[np.argmax(missing)].name
    assert (error.value.status, error.value.leg) == (Status.OUT_OF_REACH, leg)
    assert error.value.amount == pytest.approx(missing.max(), rel=1e-12)
    assert str(error.value) == f"leg {leg} is out of reach by {error.value.amount:.4g} m"
    assert error.value.exit_code == 3


@pytest.mark.parametrize("name", ["stewart", "spatial3", "planar4rrr", "cable8"])
def test_what_is_computed_later_has_the_bits_of_what_is_computed_at_once(name):
    """Displacements, rates and powers are computed when they are read; a bound call has them with the forces."""
    robot = load(name)
    given = dict(zip(("x", "xd", "xdd"), states(robot, 21, 64, size=0.02), strict=False))
    bound = gough.bind(robot, "inverse_dynamics", 21, **{key: value.copy() for key, value in given.items()})
    bound()
    inverse_dynamics(robot, gough.State(**given))  # what was read of calls before this test counts no more
    wholly = [inverse_dynamics(robot, gough.State(**given))]
    assert wholly[0].power.shape == wholly[0].force.shape
    wholly.append(inverse_dynamics(robot, gough.State(**given)))
    found = inverse_dynamics(robot, gough.State(**given))
    assert ["power" in one._found for one in (*wholly, found)] == [False, True, False]
    for value in given.values():
        value[:] = np.nan
    for key in ("force", "q", "qd", "power"):
        assert np.isfinite(getattr(found, key)[0]).all()
        assert np.array_equal(getattr(found, key), bound.outputs[key], equal_nan=True), key
        assert getattr(found, key) is getattr(found, key)
        assert all(np.array_equal(getattr(found, key), getattr(one, key), equal_nan=True) for one in wholly)


def test_one_sample_beside_many():
    robot = load("stewart")
    x, xd, xdd, wrench = states(robot, 5, 62)
    whole = inverse_dynamics(robot, gough.State(np.tile(x[0], (5, 1)), xd, xdd, wrench=np.tile(wrench[0], (5, 1))))
    short = inverse_dynamics(robot, gough.State(x[0], xd, xdd, wrench=wrench[0]))
    assert np.array_equal(short.force, whole.force)
    assert np.array_equal(short.condition, whole.condition)
    for one, other in ((short.parts(), whole.parts()), (short.by_body(), whole.by_body())):
        assert all(np.array_equal(one[key], other[key]) for key in whole.parts() if key in one)


def test_no_samples():
    robot = load("stewart")
    nothing = np.zeros((0, 6))
    found = inverse_dynamics(robot, gough.State(nothing, nothing, nothing))
    assert found.force.shape == found.power.shape == (0, 6)
    assert found.status.shape == found.condition.shape == (0,)


def test_bodies_without_names_are_counted():
    """A robot built in Python may leave names out; what they take is shown together."""
    robot = load("planar3rrr")
    legs = tuple(
        replace(leg, joints=tuple(replace(j, body=replace(j.body, name="")) for j in leg.joints)) for leg in robot.legs
    )
    nameless = with_values(robot, legs=legs)
    given = states(robot, 3, 63)[:3]
    groups = inverse_dynamics(nameless, state_of(given)).by_body()
    assert sum(groups.values()) == pytest.approx(inverse_dynamics(robot, state_of(given)).force, abs=1e-13)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"xd": np.zeros((4, 6))}, "state: different numbers of samples: x has 3, xd has 4, xdd has 3"),
        ({"formulation": "newton"}, None),
    ],
)
def test_bad_calls(changes, line):
    robot = load("stewart")
    x, xd, xdd, _ = states(robot, 3, 64)
    given = {"x": x, "xd": xd, "xdd": xdd} | changes
    formulation = given.pop("formulation", "auto")
    expected = line or f"formulation 'newton': choose auto, {', '.join(NAMES)} (did you mean newton_euler?)"
    with pytest.raises(InputError) as error:
        inverse_dynamics(robot, gough.State(**given), formulation=formulation)
    assert str(error.value) == expected


@pytest.mark.parametrize("name", ["hexapod", "delta"])
def test_no_sample_is_sound_beyond_its_reach(name):
    """Poses on rays from home to both sides of the place where the first leg no longer reaches, to the last digit."""
    robot = load(name)
    program = inverse_program(Model(robot, DEFAULT), (*REACH, "sound"))
    rng = np.random.default_rng(5)
    home, rays = np.array(robot.platform.home), rng.normal(size=(40, robot.dof))
    near, far = np.zeros(40), np.full(40, 3.0)

    def found(way):
        x = home + way[:, None] * rays
        return program(x=x, xd=np.zeros_like(x), xdd=np.zeros_like(x))

    for _ in range(60):
        middle = (near + far) / 2
        inside = found(middle)["short"].max(axis=1) <= 0.0
        near, far = np.where(inside, middle, near), np.where(inside, far, middle)
    seen = set()
    for step in (-1e-6, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-9, 1e-6):
        out = found(near * (1.0 + step))
        reached = out["short"].max(axis=1) <= REACH_SLACK
        assert not (out["sound"] & ~reached).any()
        seen |= {(step < 0.0, bool(sound)) for sound in out["sound"]}
    assert {(True, True), (False, False)} <= seen
