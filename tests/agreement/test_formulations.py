"""Every formulation gives the same forces: the catalogue and robots without its coincidences, 10 000 states each.

The difference is measured against cond(K) max |tau| of its state. Large programs run on NumPy blocks, where 10 000
states take a second or two; the two forms of Lagrange's equations share one program. The worst seen is 7.6e-13, on an
SRU platform with a heavy body without symmetry in every place, and 1.4e-13 to 1e-16 elsewhere.
"""

import numpy as np
import pytest

from gough import Actuation, catalogue, load
from gough.dynamics import FORMULATIONS
from gough.dynamics.force_programs import Model, force_graph
from gough.kinematics.random_states import conditions
from gough.reports.identity_checks import power_program
from gough.reports.verify import lagrange_graph
from gough.run import Program
from gough.run.choose import size_of
from tests.support.catalogue_lanes import DEAR, SQUARE, TREES
from tests.support.lanes import size
from tests.support.loaded_robots import loaded, rescaled, rubbing
from tests.support.random_robots import random_robot
from tests.support.robots import with_values
from tests.support.states import states_everywhere

STATES = size(10_000, 2_000)
ALLOWED = 1e-12
QUICK = [f for f in FORMULATIONS if not f.yardstick]


def run(robot, graph, states):
    return Program(graph, "auto" if size_of(graph) < 6000 else "blocks")(**states.inputs(robot))


def forces_of(robot, states):
    """Forces by name of formulation."""
    forces = {f.name: run(robot, force_graph(Model(robot, f, wrench=True)), states) for f in QUICK}
    results = run(robot, lagrange_graph(robot), states)
    forces |= {name: results[name] for name in ("lagrange", "koditschek")}
    return forces


def worst_difference(condition, forces):
    """Largest spread over cond(K) max |tau|."""
    values = np.array(list(forces.values()))
    assert np.isfinite(values).all()
    scale = condition * np.abs(values).max(axis=(0, 2))
    return (np.ptp(values, axis=0).max(axis=1) / scale).max()


def check(robot, seed, record_property, count=STATES):
    states = states_everywhere(robot, count, seed)
    forces = forces_of(robot, states)
    condition = conditions(robot, states)
    worst = worst_difference(condition, forces)
    record_property("worst", float(worst))
    print(f"{robot.name}: {len(forces)} formulations, {count} states, condition to {condition.max():.3g}, ", end="")
    print(f"worst {worst:.2e}")
    assert worst <= ALLOWED
    power = power_program(robot)(**states.inputs(robot))
    needed, rates = power["needed"][:, 0], power["rates"]
    for values in forces.values():
        scale = condition * np.abs(values).max(axis=1) * np.abs(rates).max(axis=1)
        assert (np.abs((values * rates).sum(axis=1) - needed) / scale).max() <= ALLOWED


def freely_shared(name):
    """A robot of the catalogue; where limits leave most states no forces, those of least norm."""
    robot = load(name)
    limited = robot.actuation is not None and robot.actuation.limited
    return with_values(robot, actuation=Actuation()) if limited else robot


LONG = ("sru", "stewart", "rotary", "hexapod")
"""Six legs of general bodies take long by Lagrange's equations; the bodies of the catalogue do not."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in DEAR else n for n in catalogue()])
def test_catalogue(name, record_property):
    check(freely_shared(name), 1, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("name", catalogue())
def test_other_numbers(name, record_property):
    """Other masses, centres and tensors, a tilted gravity, friction everywhere and rotors: thin bodies stay thin."""
    check(rubbing(rescaled(freely_shared(name), 2), 2), 2, record_property)


@pytest.mark.parametrize(
    "name",
    [name if name in SQUARE and name not in LONG else pytest.param(name, marks=pytest.mark.slow) for name in TREES],
)
def test_general_bodies(name, record_property):
    """Every body heavy and without any symmetry."""
    check(rubbing(loaded(load(name), 3), 3), 3, record_property)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["UPS", "PUS", "RUS", "SRU", "RRR", "PPa", "RRU"])
def test_random_geometry(kind, record_property):
    """Unequal legs of random geometry."""
    check(random_robot(kind, 4), 4, record_property)
