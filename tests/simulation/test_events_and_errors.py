"""Events stop or are noted; bad input gets one line; what was computed before a failure is kept."""

import json
from dataclasses import replace

import numpy as np
import pytest

import gough
from gough.errors import InputError, NumericalError
from gough.kinematics import PoseError
from tests.simulation.cases import pushed, robot, springs
from tests.support.robots import with_values

MACHINE = "planar3rrr"


def test_the_end_of_a_stroke_stops_the_run_and_is_named():
    machine = robot("stewart")
    run = gough.simulate(machine, None, None, 2.0)
    (event,) = run.events
    assert event.kind == "stroke"
    assert event.stopped
    assert not run.complete
    assert run.why == event.text == "leg 1: P reaches the lower end of its stroke, 1.8 m"
    assert run.t[-1] == event.t
    assert run.q[-1].min() == pytest.approx(1.8, abs=1e-9)
    assert str(event).startswith("t = 0.")


def test_a_start_beyond_a_stroke_is_said():
    machine = robot("stewart")
    x = np.array(machine.platform.home) - [0, 0, 0.6, 0, 0, 0]
    run = gough.simulate(machine, x, None, 0.1)
    assert run.why == "starts beyond: leg 1: P reaches the lower end of its stroke, 1.8 m"
    assert run.t.tolist() == [0.0]
    assert len(gough.simulate(machine, x, None, 0.01, on_limit="continue").events) == 6


def test_a_joint_bent_to_its_largest_angle_stops_the_run():
    machine = robot("rotary")
    legs = tuple(replace(leg, end=replace(leg.end, cone=0.1)) for leg in machine.legs)
    bound = with_values(machine, legs=legs)
    home = np.array(machine.platform.home)
    held = springs(bound)
    run = gough.simulate(bound, gough.State(home, [0.0, 0.0, 0.0, 3.0, 0.0, 0.0]), held, 0.3)
    assert run.events[0].kind == "angle"
    assert run.why.endswith("end reaches its largest angle, 5.72958 deg")
    assert not run.complete


def test_events_may_be_passed():
    machine = robot("stewart")
    low = gough.Event("low", _height(1.9), stop=False)
    run = gough.simulate(machine, None, None, 0.4, on_limit="continue", events=[low])
    assert run.complete
    assert [event.kind for event in run.events] == ["user"] + ["stroke"] * 6
    assert not any(event.stopped for event in run.events)
    assert run.at([run.events[0].t]).x[0, 2] == pytest.approx(1.9, abs=1e-12)


def _height(z):
    return lambda t, x, xd, q, qd: x[2] - z


def test_a_users_event_is_found_to_the_time():
    machine = robot(MACHINE)
    run = gough.simulate(machine, None, None, 1.0, events=[gough.Event("half", lambda t, x, xd, q, qd: t - 0.5)])
    assert run.events[0].t == pytest.approx(0.5, abs=1e-12)
    assert run.t[-1] == run.events[0].t
    assert run.why == "half"


def test_a_singularity_ahead_stops_the_run():
    machine = robot(MACHINE)
    home = np.array(machine.platform.home)
    near = 2.0 * float(gough.inverse_kinematics(machine, home).condition)
    run = gough.simulate(machine, gough.State(home, [0.0, 0.0, 3.0]), None, 5.0, condition=near)
    assert [event.kind for event in run.events] == ["singularity"]
    assert run.why == f"near a singularity: condition {near:.3g}"
    reached = gough.inverse_kinematics(machine, run.x[-1]).condition
    assert float(reached) == pytest.approx(near, rel=1e-6)


def test_a_leg_at_the_end_of_its_reach_ends_the_run():
    machine = robot(MACHINE)
    home = np.array(machine.platform.home)
    run = gough.simulate(machine, gough.State(home, [3.0, 0.0, 0.0]), None, 5.0, on_limit="continue", condition=1e300)
    assert not run.complete
    assert run.events[-1].kind == "reach"
    assert run.events[-1].leg in [leg.name for leg in machine.legs]


CALLS = [
    ({"start": [50.0, 0.0, 0.0]}, PoseError, r"start: leg \w+ is out of reach by [\d.]+ m"),
    ({"start": gough.State(np.zeros((2, 3)))}, InputError, r"start pose: shape \(2, 3\) given, expected 3: x, y, phi"),
    ({"start": np.zeros(4)}, InputError, "start pose: 4 numbers given, expected 3: x, y, phi"),
    ({"start": [0.0, np.nan, 0.0]}, InputError, "start pose: y is not a finite number"),
    ({"duration": -1.0}, InputError, r"duration: -1.0 given, must be a positive number \[s\]"),
    ({"duration": None}, InputError, r"duration: None given, must be a positive number \[s\]"),
    ({"input": lambda t: np.zeros(5)}, InputError, r"controller: returned shape \(5,\) at t = 0 s, expected \(3,\)"),
    ({"input": lambda t: "much"}, InputError, "controller: returned 'much' at t = 0 s, expected 3 forces"),
    (
        {"input": lambda t, q: q},
        InputError,
        r"input: a function of 2 arguments given, expected f\(t\) or f\(t, q, qd\)",
    ),
    ({"input": "hold"}, InputError, "input: str given, expected None, Springs, Forces, "),
    (
        {"input": ([0.0, 1.0], np.zeros((2, 4)))},
        InputError,
        r"forces: force of shape \(2, 4\) given, expected \(2, 3\)",
    ),
    ({"input": ([1.0, 0.0], np.zeros((2, 3)))}, InputError, "forces: t must be increasing finite times"),
    ({"input": gough.Springs(-1.0)}, InputError, "springs: stiffness -1.0 given, must be finite and not negative"),
    (
        {"input": gough.Springs([1.0, 2.0])},
        InputError,
        r"springs: stiffness \[1.0, 2.0\] given, expected a number or 3 of them",
    ),
    ({"method": "Euler"}, InputError, "method Euler: choose DOP853, RK45, RK23, Radau, BDF, LSODA"),
    ({"on_limit": "ignore"}, InputError, "on_limit: 'ignore' given, choose stop or continue"),
    ({"wrench": [1.0]}, InputError, r"wrench: \[1.0\] given, expected six finite numbers"),
    ({"samples": 1}, InputError, "samples: 1 given, must be at least 2: both ends count"),
]


@pytest.mark.parametrize(("options", "kind", "line"), CALLS)
def test_bad_calls_get_one_line(options, kind, line):
    with pytest.raises(kind, match=f"^{line}") as caught:
        gough.simulate(robot(MACHINE), **({"duration": 0.1} | options))
    assert "\n" not in str(caught.value)


def test_bad_controllers_get_one_line():
    motion = gough.Motion.named(robot(MACHINE))
    for options, line in (
        ({"sample_time": -1.0}, r"controller: sample time -1.0, must be a positive number \[s\]"),
        ({"delay": 1e-3}, "controller: a delay needs a sample time"),
        ({"noise": gough.Noise(1e-5)}, "controller: noise needs a sample time"),
    ):
        with pytest.raises(InputError, match=line):
            gough.Controller(gough.PD(), motion, **options)
    with pytest.raises(InputError, match=r"kp: -1\.0 given, must be finite and not negative"):
        gough.simulate(robot(MACHINE), None, gough.Controller(gough.PD(kp=-1.0, kd=1.0), motion))


def test_a_controller_that_fails_midway_keeps_what_was_computed():
    def failing(t, q, qd):
        return np.full(3, np.nan) if t > 0.05 else -q

    with pytest.raises(NumericalError, match=r"controller: force of actuator A is nan at t = 0.06 s") as caught:
        gough.simulate(robot(MACHINE), None, gough.Custom(failing, sample_time=0.01), 0.2)
    part = caught.value.partial
    assert part.t[-1] == pytest.approx(0.06)
    assert not part.complete
    assert part.to_csv().startswith("# complete: false (controller: force of actuator A is nan")
    assert caught.value.exit_code == 3


def test_an_interrupted_run_is_marked_and_whole():
    def stop(t, end):
        if t > 0.05:
            raise KeyboardInterrupt

    machine = robot(MACHINE)
    run = gough.simulate(machine, pushed(machine), springs(machine), 10.0, progress=stop)
    assert (run.complete, run.why) == (False, "interrupted")
    assert 0.05 < run.t[-1] < 10.0
    assert json.loads(run.to_json())["complete"] is False
    many = gough.simulate_many(machine, None, None, 1.0, count=2, progress=stop)
    assert (many.complete, many.why) == (False, "interrupted")
    assert 0 < many.steps < 1000


def test_tables_hold_every_column_in_full():
    machine = robot(MACHINE)
    run = gough.simulate(machine, pushed(machine), springs(machine), 0.1, samples=5)
    lines = run.to_csv().splitlines()
    names = lines[0].split(",")
    assert names[:4] == ["t", "x", "y", "phi"]
    assert names[-6:] == ["kinetic", "potential", "work", "dissipated", "balance", "closure"]
    rows = np.array([[float(v) for v in line.split(",")] for line in lines[1:]])
    assert (rows[:, 1:4] == run.x).all()
    columns = json.loads(run.to_json())["columns"]
    assert columns["force_A"] == run.force[:, 0].tolist()
    assert "\n" not in run.summary
    assert "balance" in run.summary


def test_every_error_says_what_was_computed_before():
    assert gough.InputError("nothing was").partial is None
    assert gough.NumericalError("half of it", partial=0.5).partial == 0.5
