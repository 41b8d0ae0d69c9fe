"""What a user's function raises is told with the time, the cause chained, and what was computed before is kept."""

import numpy as np
import pytest

import gough
from tests.simulation.cases import robot

MACHINE = "planar3rrr"


def _late(value):
    def function(t, *_):
        if t > 0.05:
            raise ZeroDivisionError("float division\nby zero")
        return value

    return function


HELD = gough.Custom(_late(np.zeros(3)), sample_time=0.01)
RUNS = [
    ("controller", {"input": HELD}, 0.06),
    ("controller", {"input": gough.Custom(_late(np.zeros(3)))}, None),
    ("wrench", {"wrench": _late(np.zeros(6))}, None),
    ("event mine", {"events": [gough.Event("mine", _late(1.0))]}, None),
]


@pytest.mark.parametrize(("what", "options", "reached"), RUNS)
def test_it_is_told_with_the_time(what, options, reached):
    line = rf"^{what}: ZeroDivisionError: float division by zero at t = 0\.\d+ s$"
    with pytest.raises(gough.NumericalError, match=line) as caught:
        gough.simulate(robot(MACHINE), duration=0.1, **options)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    part = caught.value.partial
    assert not part.complete
    assert np.isfinite(part.x).all()
    if reached is not None:
        assert part.t[-1] == pytest.approx(reached)
        assert (part.force == 0.0).all()


@pytest.mark.parametrize("machine", [MACHINE, "cable8"])
@pytest.mark.parametrize("sample_time", [None, 0.01])
def test_one_that_fails_at_once_leaves_the_start(machine, sample_time):
    own = gough.Custom(lambda t, q, qd: 1 / 0, sample_time=sample_time)
    with pytest.raises(gough.NumericalError, match="controller: ZeroDivisionError: division by zero at t = 0 s") as c:
        gough.simulate(gough.load(machine), None, own, 0.1)
    assert c.value.partial.t.tolist() == [0.0]
    assert np.isnan(c.value.partial.force).all()


def test_many_keep_what_was_computed_too():
    with pytest.raises(gough.NumericalError, match=r"controller: ZeroDivisionError: .* at t = 0\.06 s") as caught:
        gough.simulate_many(
            robot(MACHINE), None, gough.Custom(lambda t, q, qd: _late(0 * q)(t), sample_time=0.01), 0.1, count=2
        )
    assert caught.value.partial.steps == 60
