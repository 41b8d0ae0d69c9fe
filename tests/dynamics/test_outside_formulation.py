"""The formulation of docs/extending/formulation.md works wherever gough's own do: none is known by name or type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import gough
from gough.dynamics import GeneralizedMomentum, NewtonEuler, VirtualWork
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.matrices import SolvedFor
from gough.reports import operation_counts, verify
from tests.support.given_states import base_state
from tests.support.loaded_robots import loaded, rubbing
from tests.support.sprung_robots import with_joint_springs

PAGE = Path(__file__).parents[2] / "docs" / "extending" / "formulation.md"
BASE = [0.4, 1.2, -9.6, 0.1, 0.3, -0.2, 0.5, -0.4, 0.3]


def on_the_page() -> Any:
    """The class that the first example of the page defines."""
    names: dict[str, Any] = {"__name__": __name__}
    code = PAGE.read_text().split("```python\n")[1].split("```")[0]
    exec(compile(code, str(PAGE), "exec", dont_inherit=True), names)
    return names["Gauss"]


Gauss = on_the_page()


ROBOTS = ["stewart", "hexapod", "delta", "planar3rrr"]


@pytest.fixture(params=ROBOTS)
def robot(request):
    return gough.load(request.param)


def state(robot):
    rng = np.random.default_rng(5)
    n = len(robot.platform.coordinates)
    return np.array(robot.platform.home) + 0.02 * rng.normal(size=n), rng.normal(size=n), rng.normal(size=n)


def test_inverse(robot):
    x, xd, xdd = state(robot)
    wrench = [1, 2, 3, 0.1, 0.2, 0.3]
    ours = gough.inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=wrench))
    theirs = gough.inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=wrench), formulation=Gauss())
    np.testing.assert_allclose(theirs.force, ours.force, rtol=1e-11, atol=1e-12 * np.abs(ours.force).max())
    parts, expected = theirs.parts(), ours.parts()
    for name, values in expected.items():
        np.testing.assert_allclose(parts[name], values, rtol=1e-9, atol=1e-11 * np.abs(ours.force).max())


def test_forward(robot):
    x, xd, xdd = state(robot)
    force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=Gauss()).force
    back = gough.forward_dynamics(robot, gough.State(x, xd), force, formulation=Gauss())
    np.testing.assert_allclose(back.xdd, xdd, rtol=1e-10, atol=1e-10)


def test_simulation():
    robot = gough.load("spatial3")
    runs = [gough.simulate(robot, None, None, 0.05, formulation=f, samples=3) for f in ("auto", Gauss())]
    np.testing.assert_allclose(runs[1].x, runs[0].x, rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", ["orthogonal_complement", "generalized_momentum", "lagrange"])
def test_simulation_by_every_formulation_with_forward_dynamics(formulation):
    robot = gough.load("spatial3")
    ours = gough.simulate(robot, None, None, 0.05, samples=3)
    theirs = gough.simulate(robot, None, None, 0.05, formulation=formulation, samples=3)
    np.testing.assert_allclose(theirs.x, ours.x, rtol=0, atol=1e-11)


def test_verify_and_count():
    robot = gough.load("planar3rrr")
    certificate = verify(robot, 20, formulations=(NewtonEuler(), VirtualWork(), Gauss()))
    assert certificate.passed
    assert "gauss" in {a.run.formulation for a in certificate.agreements}
    (counted,) = operation_counts(robot, (Gauss(),))
    assert counted.formulation == "gauss"
    assert counted.total.flops > 500


def test_equal_formulations_are_one_model():
    assert VirtualWork() == VirtualWork()
    assert hash(GeneralizedMomentum()) == hash(GeneralizedMomentum())
    from gough.dynamics.force_programs import Model, inverse_program

    robot = gough.load("planar3rrr")
    assert inverse_program(Model(robot, VirtualWork())) is inverse_program(Model(robot, VirtualWork()))


def test_one_without_forward_dynamics_is_refused_by_name():
    with pytest.raises(gough.errors.InputError, match="'virtual_work': has no mass matrix; choose newton_euler"):
        gough.simulate(gough.load("planar3rrr"), None, None, 0.1, formulation=VirtualWork())


def test_moving_base(robot):
    """Forces, accelerations and a simulation on a base that moves."""
    x, xd, xdd = state(robot)
    ours = gough.inverse_dynamics(robot, gough.State(x, xd, xdd, base=base_state(robot, BASE))).force
    theirs = gough.inverse_dynamics(
        robot, gough.State(x, xd, xdd, base=base_state(robot, BASE)), formulation=Gauss()
    ).force
    still = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    scale = np.abs(ours).max()
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-12 * scale)
    assert np.abs(still - ours).max() > 1e-3 * scale
    back = gough.forward_dynamics(robot, gough.State(x, xd, base=base_state(robot, BASE)), theirs, formulation=Gauss())
    np.testing.assert_allclose(back.xdd, xdd, rtol=1e-10, atol=1e-10)


def test_simulation_on_a_moving_base():
    robot = gough.load("spatial3")
    runs = [gough.simulate(robot, None, None, 0.05, formulation=f, samples=3, base="ship") for f in ("auto", Gauss())]
    np.testing.assert_allclose(runs[1].x, runs[0].x, rtol=0, atol=1e-11)


def test_springs_and_friction():
    robot = rubbing(with_joint_springs(loaded(gough.load("delta"), 3), 3), 3)
    x, xd, xdd = state(robot)
    ours = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    theirs = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=Gauss()).force
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-11 * np.abs(ours).max())


class Incomplete(Gauss):
    """States nothing beyond inertia, weight and wrench."""

    name: ClassVar[str] = "incomplete"
    accounts_for: ClassVar[frozenset[str]] = frozenset()


MOVING = {
    "inverse": lambda robot, x, xd: gough.inverse_dynamics(
        robot, gough.State(x, xd, x, base=base_state(robot, BASE)), formulation=Incomplete()
    ),
    "forward": lambda robot, x, xd: gough.forward_dynamics(
        robot, gough.State(x, xd, base=base_state(robot, BASE)), x, formulation=Incomplete()
    ),
    "simulate": lambda robot, x, xd: gough.simulate(robot, None, None, 0.1, formulation=Incomplete(), base="ship"),
    "simulate_many": lambda robot, x, xd: gough.simulate_many(
        robot, None, None, 0.1, count=2, formulation=Incomplete(), base="ship"
    ),
}


@pytest.mark.parametrize("call", MOVING)
def test_a_base_that_is_not_accounted_for_is_refused(call):
    robot = gough.load("planar3rrr")
    x, xd, xdd = state(robot)
    with pytest.raises(
        gough.errors.InputError, match="'incomplete': does not account for the motion of the base"
    ) as found:
        MOVING[call](robot, x, xd)
    assert "\n" not in str(found.value)
    assert gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=Incomplete()).status == 0


@pytest.mark.parametrize(("change", "what"), [(with_joint_springs, "springs"), (rubbing, "friction in passive joints")])
def test_springs_and_friction_that_are_not_accounted_for_are_refused(change, what):
    robot = change(gough.load("delta"), 4)
    x, xd, xdd = state(robot)
    for call in (
        lambda: gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=Incomplete()),
        lambda: gough.forward_dynamics(robot, gough.State(x, xd), np.zeros(3), formulation=Incomplete()),
        lambda: gough.simulate(robot, None, None, 0.01, formulation=Incomplete()),
    ):
        with pytest.raises(gough.errors.InputError, match=f"does not account for {what} of robot delta"):
            call()


@dataclass(frozen=True)
class Plain:
    """Lagrange's equations without gough's care for what they differentiate by, as an outside one might have them."""

    name: ClassVar[str] = "plain"
    solved_for: ClassVar[SolvedFor] = SolvedFor.COORDINATES
    matrix_coordinates: ClassVar[str] = "platform"
    yardstick: ClassVar[bool] = False
    accounts_for: ClassVar[frozenset[str]] = Lagrange.accounts_for

    def demand(self, *args):
        return Lagrange.demand.__wrapped__(Lagrange(), *args)

    def mass_matrix(self, pose):
        return Lagrange().mass_matrix(pose)

    def bias(self, *args):
        return Lagrange.bias.__wrapped__(Lagrange(), *args)

    def matrices(self, *args):
        return Lagrange.matrices.__wrapped__(Lagrange(), *args)


def test_one_that_differentiates_by_x_gets_rates_that_do_not_depend_on_x():
    """On a moving base the bias differentiates b(x, w).xd by x; in a simulation xd is S(x)^-1 z."""
    robot = gough.load("stewart")
    start = gough.State(robot.home, [0.3, -0.2, 0.1, 0.5, -0.4, 0.6])
    runs = [
        gough.simulate(robot, start, None, 0.02, formulation=f, samples=2, base="vehicle") for f in ("auto", Plain())
    ]
    np.testing.assert_allclose(runs[1].x, runs[0].x, rtol=0, atol=1e-11)


@pytest.mark.parametrize("formulation", [GeneralizedMomentum(), Lagrange()], ids=lambda f: f.name)
def test_one_that_differentiates_by_x_refuses_a_motion_on_free_rates(formulation):
    from gough.dynamics.force_programs import Model

    robot = gough.load("stewart")
    x, xd, xdd = state(robot)
    motion = Model(robot, formulation).motion(x, xd, xdd)
    free = replace(motion, pose=motion.pose.free())
    for method in (formulation.demand, formulation.bias):
        with pytest.raises(ValueError, match="its motion must be on their rates, not on free rates"):
            method(free, np.array(robot.gravity), None)
