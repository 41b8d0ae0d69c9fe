"""The fixed-step method is of fourth order, and agrees with the adaptive one."""

import numpy as np
import pytest

import gough
from gough.simulation.ensemble.recorded_steps import step_program
from gough.simulation.run.running import start_configuration
from gough.simulation.system import system_of
from tests.simulation.cases import ROBOTS, pushed, robot, springs

pytestmark = pytest.mark.slow


def push(t):
    """Smooth forces that come and go, as a share of the springs' own."""
    return np.sin(11.0 * t)


class Law:
    """Springs and a force of time."""

    def __init__(self, machine, system):
        self.system = system
        self.k, _, self.rest = springs(machine).ready(machine, np.array(machine.platform.home))
        self.size = 0.02 * self.k * np.linspace(-1.0, 1.0, len(self.k))

    def __call__(self, c, z, u, p):
        q = self.system.sensors(c, z, p)["q"]
        return -(self.k * (q - self.rest)) + self.size * u[0]


@pytest.mark.parametrize("name", ROBOTS)
def test_halving_the_step_divides_the_error_by_sixteen(name):
    machine = robot(name)
    span = 0.02 if name == "rotary" else 0.05
    system = system_of(machine)
    law = Law(machine, system)
    start = pushed(machine, size=0.01 if name == "rotary" else 0.05)
    x, xd = start.x, start.xd
    c0, z0 = start_configuration(system, x, xd)
    program = step_program(system, law, 1, False)

    def end(steps):
        dt = span / steps
        c, z = c0[None], z0[None]
        for k in range(steps):
            u = push(dt * (k + np.array([0.0, 0.5, 1.0])))[:, None]
            found = program(c=c, z=z, u=u, dt=dt)
            c, z = found["c"], found["z"]
        return np.concatenate([c[0], z[0]])

    exact = end(512)
    errors = [np.abs(end(steps) - exact).max() for steps in (16, 32)]
    order = np.log2(errors[0] / errors[1])
    assert abs(order - 4.0) <= 0.1

    def force(t, q, qd):
        return -(law.k * (q - law.rest)) + law.size * push(t)

    adaptive = gough.simulate(machine, gough.State(x, xd), force, span, rtol=1e-12, atol=1e-13)
    y = adaptive.at([span])
    from gough.kinematics.configuration import charts

    assert np.abs(charts(machine)[1](c=exact[: len(c0)]) - y.x[0]).max() <= 20 * errors[1] / 16**3 + 1e-12
