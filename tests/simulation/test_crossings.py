"""Zeros within a step are found, also where a function passes and comes back: a stroke that is only grazed is seen."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import gough
from gough.simulation.events import crossings
from tests.simulation.cases import pushed, robot, springs
from tests.support.robots import with_values


def zeros(function, direction=0):
    """Times of the zeros of one function on (0, 1]."""

    def functions(t):
        return np.array([[function(now)] for now in t])

    found, last = crossings(functions, 0.0, 1.0, functions([0.0])[0], [direction])
    assert np.array_equal(last, [function(1.0)], equal_nan=True)
    return [time for _, time in found]


@pytest.mark.parametrize("direction", [-1, 0, 1])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("place", [0.013, 0.37, 0.5, 0.9871])
def test_a_function_that_passes_and_comes_back(place, side, direction):
    found = zeros(lambda t: side * ((t - place) ** 2 - 1e-12), direction)
    expected = [time for time, way in ((place - 1e-6, -side), (place + 1e-6, side)) if direction in (0, way)]
    assert found == pytest.approx(expected, abs=1e-9)
    assert zeros(lambda t: side * ((t - place) ** 2 + 1e-12), direction) == []


def test_several_zeros_of_a_step_are_in_order():
    assert zeros(lambda t: np.cos(7.0 * t)) == pytest.approx([np.pi / 14, 3 * np.pi / 14], abs=1e-12)
    assert zeros(lambda t: t - 0.25) == pytest.approx([0.25], abs=1e-12)
    assert zeros(lambda t: t - 0.25, -1) == []
    assert zeros(lambda t: 1.0 if t < 0.6 else np.nan) == pytest.approx([0.6], abs=1e-12)


@pytest.mark.parametrize("name", ["stewart", "hexapod"])
def test_a_stroke_grazed_between_steps_is_an_event(name):
    """The first actuator's largest displacement exceeds its stroke by 1e-6 of it, or falls short by as much."""
    machine = robot(name)
    start = pushed(machine)
    held = springs(machine)
    whole = gough.simulate(machine, start, held, 0.6, samples=2001, on_limit="continue", condition=1e300)
    q = whole.q[:, 0]
    k = int(np.argmax(np.where((q > np.roll(q, 1)) & (q > np.roll(q, -1)), q, -np.inf)[1:-1])) + 1
    peak = minimize_scalar(
        lambda t: -whole.at([t]).q[0, 0], bounds=(whole.t[k - 1], whole.t[k + 1]), options={"xatol": 1e-12}
    )
    for excess in (1e-6, -1e-6):
        bound = stroke_of(machine, -peak.fun, excess)
        run = gough.simulate(bound, start, held, 0.6, on_limit="continue", condition=1e300)
        happened = [event for event in run.events if "upper" in event.text and event.leg == machine.legs[0].name]
        if excess < 0.0:
            assert happened == []
            continue
        (event,) = happened
        assert event.kind == "stroke"
        assert 0.0 < peak.x - event.t < 0.01
        assert 2.0 * (peak.x - event.t) < 0.5 * 0.6 / run.steps  # all of it within one step, most likely
        stopped = gough.simulate(bound, start, held, 0.6, condition=1e300)
        assert stopped.t[-1] == event.t


def stroke_of(machine, peak, excess):
    """The machine with a stroke of 1 m or rad of the first actuator alone, which ends so much before the peak."""

    def limited(leg, number):
        joints = []
        for joint in leg.joints:
            stroke = (peak - 1.0, peak - excess) if joint.actuated and number == 0 else None
            joints.append(replace(joint, limits=replace(joint.limits, stroke=stroke)))
        return replace(leg, joints=tuple(joints))

    legs = tuple(limited(leg, number) for number, leg in enumerate(machine.legs))
    return with_values(machine, legs=legs)
