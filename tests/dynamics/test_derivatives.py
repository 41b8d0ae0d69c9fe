"""Identities: derivatives of the forces by the motion, the wrench and design parameters are exact."""

import numpy as np
import pytest

from gough import PathError, State, load
from gough.dynamics import force_derivatives
from gough.dynamics.force_programs import Model, force, force_graph
from gough.errors import InputError
from gough.graph import jacobian, record
from gough.kinematics import PoseError
from gough.run import Program
from tests.support.dynamic_cases import case
from tests.support.forces import QUICK, forces, states
from tests.support.given_states import state_of
from tests.support.mp_evaluate import derivative_mp
from tests.support.robots import value_at

pytestmark = pytest.mark.slow

NEWTON_EULER = QUICK[0]
EXACT = 1e-12  # of the largest entry
DIFFERENCES = 1e-8  # Richardson's extrapolation with steps of 1e-3 leaves about 1e-12 / step

PATHS = {
    "stewart": (
        "platform.mass platform.com.0 platform.inertia.1 legs.base.radius legs.base.half_angle "
        "legs.platform.radius legs.cylinder.mass legs.piston.com.0 legs.piston.com.1 legs.piston.inertia.0 gravity.0 "
        "gravity.2 leg.2.piston.mass leg.2.actuator.viscous leg.2.actuator.coulomb leg.2.actuator.rotor_inertia "
        "leg.3.piston.com.0 leg.4.platform.2 leg.5.base.2"
    ),
    "hexapod": "legs.rod.length legs.rod.mass legs.slider.mass legs.guide.tilt legs.base.radius platform.com.2",
    "delta": "legs.rod.length legs.crank.length legs.crank.com.0 legs.actuator.gear legs.crossbar.inertia.1",
    "spatial3": "platform.mass platform.com.0 legs.rod.inertia.0 legs.slider.mass leg.C.rod.com.1 gravity.1",
    "planar3rrr": "legs.rod.length legs.crank.length legs.rod.com.1 legs.crank.mass gravity.0 leg.B.actuator.viscous",
}


@pytest.mark.parametrize("name", ["stewart", "spatial3 loaded", "planar3rrr loaded", "RSS"])
def test_by_the_motion(name):
    """By central differences, exact for xdd and the wrench, in which forces are linear."""
    robot = case(name)
    given = states(robot, 3, 41, size=0.05)
    found = force_derivatives(robot, state_of(given), wrt=("x", "xd", "xdd", "wrench"))
    n = given[0].shape[1]
    for place, (key, width) in enumerate({"x": n, "xd": n, "xdd": n, "wrench": 6}.items()):
        for k in range(width):
            expected = slope(lambda h, p=place, k=k: forces(robot, NEWTON_EULER, *shifted(given, p, k, h)))
            error = np.abs(found[key][:, :, k] - expected).max()
            assert error <= DIFFERENCES * max(1.0, np.abs(found[key]).max()), (key, k)


@pytest.mark.parametrize("name", PATHS)
def test_by_design_parameters(name):
    """By central differences of robots with another number, and those robots' forces are those of rebuilt ones."""
    robot, paths = load(name), PATHS[name].split()
    x, xd, xdd, wrench = states(robot, 3, 42, size=0.05)
    found = force_derivatives(robot, State(x, xd, xdd, wrench=wrench), wrt=paths)
    plain = forces(robot, NEWTON_EULER, x, xd, xdd, wrench)
    for path in paths:
        program = Program(force_graph(Model(robot, NEWTON_EULER, True, (path,))), "blocks")
        value = value_at(robot, path)

        def force_at(number, program=program):
            return program(x=x, xd=xd, xdd=xdd, wrench=wrench, p=[number])

        size = np.abs(plain).max()
        assert np.abs(force_at(value) - plain).max() <= EXACT * size
        other = value + 1e-3 * max(abs(value), 0.1)
        rebuilt = forces(robot.replace({path: other}), NEWTON_EULER, x, xd, xdd, wrench)
        assert np.abs(force_at(other) - rebuilt).max() <= EXACT * size, path
        expected = slope(lambda h, f=force_at, v=value: f(v + h))
        assert np.abs(found[path] - expected).max() <= DIFFERENCES * max(1.0, np.abs(found[path]).max()), path


@pytest.mark.parametrize("name", ["stewart", "planar3rrr"])
def test_in_sixty_digits(name):
    """The same graph in mpmath, differentiated by differences that are good to forty digits."""
    robot, paths = load(name), ("legs.base.radius", "platform.mass", "gravity.1")
    x, xd, xdd, wrench = (value[0] for value in states(robot, 1, 43, size=0.05))
    found = force_derivatives(robot, State(x, xd, xdd, wrench=wrench), wrt=("x", *paths))
    graph = force_graph(Model(robot, NEWTON_EULER, True, paths))
    inputs = np.concatenate([x, xd, xdd, wrench, [value_at(robot, path) for path in paths]])
    columns = [found["x"][:, k] for k in range(len(x))] + [found[path] for path in paths]
    places = [*range(len(x)), *range(len(inputs) - len(paths), len(inputs))]
    for place, column in zip(places, columns, strict=True):
        expected = derivative_mp(graph, inputs.tolist(), np.eye(len(inputs))[place].tolist(), digits=60)
        assert np.abs(column - np.array([float(v) for v in expected])).max() <= EXACT * max(1.0, np.abs(column).max())


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("name", ["stewart", "spatial3 loaded", "two_and_one"])
def test_forward_is_reverse(name, formulation):
    robot = case(name)
    model = Model(robot, formulation, False, ("platform.mass", "gravity.2"))

    def both(x, xd, xdd, p):
        tau = force(model, model.motion(x, xd, xdd, p))
        wrt = np.concatenate([x, xd, xdd, p])
        return {mode: jacobian(tau, wrt, mode) for mode in ("forward", "reverse")}

    x, xd, xdd, _ = states(robot, 2, 44, size=0.05)
    p = [value_at(robot, path) for path in model.free]
    found = Program(record(both, **model.inputs()), "blocks")(x=x, xd=xd, xdd=xdd, p=p)
    assert np.isfinite(found["forward"]).all()
    assert np.abs(found["forward"] - found["reverse"]).max() <= EXACT * np.abs(found["forward"]).max()
    again = force_derivatives(robot, State(x, xd, xdd), wrt=("xd", "platform.mass"))
    n = x.shape[1]
    assert np.abs(found["forward"][:, :, n : 2 * n] - again["xd"]).max() <= EXACT * np.abs(found["forward"]).max()
    assert (
        np.abs(found["forward"][:, :, 3 * n] - again["platform.mass"]).max() <= EXACT * np.abs(found["forward"]).max()
    )


def test_paths_that_overlap():
    """All pistons at once is the sum of each, also when one of them is asked for beside."""
    robot = load("stewart")
    motion = states(robot, 2, 45)[:3]
    each = [f"leg.{k}.piston.mass" for k in range(1, 7)]
    found = force_derivatives(robot, State(*motion), wrt=("legs.piston.mass", *each))
    total = sum(found[path] for path in each)
    assert np.abs(found["legs.piston.mass"] - total).max() <= EXACT * np.abs(total).max()


def test_single_sample_and_batch():
    robot = load("planar3rrr")
    x, xd, xdd, wrench = states(robot, 3, 46)
    wrt = ("x", "wrench", "legs.rod.mass")
    batch = force_derivatives(robot, State(x, xd, xdd, wrench=wrench), wrt=wrt)
    assert {name: value.shape for name, value in batch.items()} == {"x": (3, 3, 3), "wrench": (3, 3, 6), wrt[2]: (3, 3)}
    for k in range(3):
        one = force_derivatives(robot, State(x[k], xd[k], xdd[k], wrench=wrench[k]), wrt=wrt)
        assert all(np.array_equal(one[name], batch[name][k]) for name in wrt)


def test_samples_out_of_reach():
    robot = load("planar3rrr")
    x, xd, xdd, _ = states(robot, 3, 47)
    fine = force_derivatives(robot, State(x, xd, xdd), wrt=("x", "legs.rod.mass"))
    x[1, 0] = 5.0
    found = force_derivatives(robot, State(x, xd, xdd), wrt=("x", "legs.rod.mass"))
    for name, value in found.items():
        assert np.isnan(value[1]).all()
        assert np.array_equal(value[[0, 2]], fine[name][[0, 2]])
    with pytest.raises(PoseError, match=r"^leg . is out of reach by .* m$"):
        force_derivatives(robot, State(x[1], xd[1], xdd[1]))


def test_bad_calls():
    robot = load("planar3rrr")
    motion = [value[0] for value in states(robot, 1, 48)[:3]]
    with pytest.raises(InputError) as error:
        force_derivatives(robot, State(*motion), wrt=("wrench",))
    assert str(error.value) == 'wrt "wrench": the state has no external wrench'
    with pytest.raises(PathError) as error:
        force_derivatives(robot, State(*motion), wrt=("legs.rod.mas",))
    assert str(error.value) == "legs.rod.mas: no such number in the robot (did you mean legs.rod.mass?)"
    assert set(force_derivatives(robot, State(*motion), wrt="xd")) == {"xd"}


def slope(function, step=1e-3):
    """Derivative at 0 by Richardson's extrapolation of central differences, three steps: error of order step^6."""
    wide, middle, narrow = ((function(h) - function(-h)) / (2 * h) for h in (step, step / 2, step / 4))
    once, twice = (4 * middle - wide) / 3, (4 * narrow - middle) / 3
    return (16 * twice - once) / 15


def shifted(given, place, k, h):
    """The arrays with h added to column k of the one at `place`."""
    moved = list(given)
    moved[place] = moved[place] + h * np.eye(moved[place].shape[1])[k]
    return moved
