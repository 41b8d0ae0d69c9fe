"""Payload, motor, limits, gravity and errors: tables of a robot, set by methods and by its file alike."""

import dataclasses
import time

import numpy as np
import pytest

import gough
from gough.cli.new import starter
from gough.graph import record
from gough.kinematics.random_states import random_states
from gough.run import Program
from tests.robot.frames import numbers
from tests.support.robots import catalogue_text

LOAD = {"mass": 2.0, "com": [0.1, -0.05, 0.2], "inertia": [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]}
SCREW = {
    "name": "servo",
    "lead": "10 mm",
    "gear": 2,
    "rotor_inertia": "2.8 kg cm^2",
    "screw_inertia": 1e-5,
    "efficiency": 0.9,
    "peak": {"rpm": [0, 3000, 6000], "torque": [3, 3, 1]},
}
GEAR = {"name": "servo", "gear": 20, "rotor_inertia": 2e-5, "peak": {"speed": [0, 400], "torque": [0.4, 0.3]}}
ERRORS = {
    "tolerances": {"base": "0.1 mm", "leg.*.platform.*": "20 um"},
    "heat": {"temperature": 2, "expansion": 1e-5},
    "stiffness": {"actuator": "20 N/um"},
}


def motor_table(robot):
    return GEAR if robot.actuators[0].turns else SCREW


def tensor(inertia):
    xx, yy, zz, xy, xz, yz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def about_origin(body):
    """Mass, first moment and tensor about the frame's origin: those of two bodies add up."""
    c = np.array(body.com)
    return body.mass, body.mass * c, tensor(body.inertia) + body.mass * (c @ c * np.eye(3) - np.outer(c, c))


def file_with(tmp_path, name, tables):
    path = tmp_path / f"{name}.toml"
    path.write_text(catalogue_text(name) + tables)
    return path


# Payload


@pytest.mark.parametrize("name", ["stewart", "delta", "rps3", "planar3rrr", "cable8"])
def test_a_payload_is_part_of_the_platform(name):
    robot = gough.load(name)
    carrying = robot.with_payload(**LOAD)
    load = gough.Body("payload", LOAD["mass"], tuple(LOAD["com"]), tuple(LOAD["inertia"]))
    parts = [about_origin(body) for body in (robot.platform.body, load)]
    for found, own, other in zip(about_origin(carrying.platform.body), *parts, strict=True):
        np.testing.assert_allclose(found, own + other, rtol=1e-14, atol=1e-16)
    assert carrying.platform.body.name == robot.platform.body.name
    assert carrying.with_payload() == robot == robot.with_payload(None)


def test_a_payload_in_place_of_another_does_not_add_to_it():
    robot = gough.load("stewart")
    assert robot.with_payload(2.0, (0, 0, 0.1)).with_payload("3 kg") == robot.with_payload(3.0)
    assert robot.with_payload(3.0).platform.body.mass == robot.platform.body.mass + 3.0


def test_a_file_in_millimetres_and_grams_states_its_payload_in_them(tmp_path):
    text = starter("UPS")
    assert 'length = "mm"' in text
    path = tmp_path / "robot.toml"
    path.write_text(text + "\n[payload]\nmass = 2\ncom = [100, -50, 200]\n")
    own = gough.load(path)
    assert own == gough.loads(text).with_payload("2 kg", ("100 mm", "-50 mm", 0.2))
    written = own.replace({"payload.mass": "2500 g"})
    assert written.platform.body.mass == own.platform.body.mass + 0.5
    assert "mass = 2.5\ncom = [100, -50, 200]\n" in written.to_toml()
    assert gough.loads(written.to_toml()) == written
    assert own.with_payload().to_toml() == text + "\n# [payload]\n# mass = 2\n# com = [100, -50, 200]\n"
    assert gough.loads(own.with_payload().to_toml()) == gough.loads(text)


def test_an_inertia_of_a_payload_about_the_origin_is_moved_to_its_centre(tmp_path):
    about = {"about": "origin", "inertia": [0.3, 0.3, 0.3]}
    tables = f"\n[payload]\nmass = 1\ncom = [0, 0, 0.1]\ninertia = {about['inertia']}\nabout = 'origin'\n"
    own = gough.load(file_with(tmp_path, "stewart", tables))
    assert own.mechanism == gough.load("stewart").with_payload(1, (0, 0, 0.1), (0.29, 0.29, 0.3, 0, 0, 0)).mechanism


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ("mass = -2", "payload.mass: -2: must be greater than 0"),
        ("com = [0, 0, 1]", "payload.mass: is missing"),
        ("mass = 1\nmas = 2", "payload.mas: unknown key (did you mean mass?)"),
        (
            "mass = '2 lb'",
            'payload.mass: "2 lb": must be a number (write it in the file\'s units, without one: [units] ',
        ),
        ("mass = 1\ncom = [0, 0, 500]", "payload.com: [0, 0, 500]: implausibly large: at most 100 m (mm for m? state"),
        (
            "mass = 1\ninertia = [1, 1, 3]",
            "payload.inertia: [1, 1, 3]: not physical: the largest principal moment exceeds",
        ),
    ],
)
def test_faults_of_a_payload_have_file_and_line(tmp_path, tables, line):
    with pytest.raises(gough.RobotError) as caught:
        gough.load(file_with(tmp_path, "stewart", f"\n[payload]\n{tables}\n"))
    place, _, words = str(caught.value).partition(": ")
    assert place.startswith(f"{tmp_path}/stewart.toml:")
    assert words.startswith(line)


def test_a_platform_without_mass_is_refused_however_heavy_its_payload():
    with pytest.raises(gough.RobotError, match=r"^stewart: platform\.mass: -1: must be greater than 0"):
        gough.load("stewart").with_payload(5).replace({"platform.mass": -1})


def test_the_platform_of_an_identified_robot_is_less_its_payload():
    robot = gough.load("stewart").with_payload(**LOAD)
    s = random_states(robot, 60, 5)
    force = gough.inverse_dynamics(robot, gough.State(s.x, s.xd, s.xdd)).force
    log = gough.RecordedForces(robot, "log", np.arange(60) * 0.01, s.x, s.xd, s.xdd, force)
    found = gough.identify(robot.replace({"platform.mass": 1.5}), log).robot
    assert found.spec["payload"] == robot.spec["payload"]
    assert (
        np.abs(gough.inverse_dynamics(found, gough.State(s.x, s.xd, s.xdd)).force - force).max()
        < 1e-6 * np.abs(force).max()
    )
    assert found.platform.body.mass == pytest.approx(found.spec["platform"]["mass"] + LOAD["mass"], rel=1e-15)
    again = gough.identify_payload(robot, log)
    assert again.mass == pytest.approx(LOAD["mass"], rel=1e-6)
    assert again.com == pytest.approx(LOAD["com"], rel=1e-5)
    assert "payload" not in again.robot.spec


def test_a_recording_without_the_payload_of_the_file_is_no_body():
    robot = gough.load("stewart")
    s = random_states(robot, 60, 5)
    force = gough.inverse_dynamics(robot, gough.State(s.x, s.xd, s.xdd)).force
    log = gough.RecordedForces(robot, "log", np.arange(60) * 0.01, s.x, s.xd, s.xdd, force)
    with pytest.raises(
        gough.NumericalError, match=r"\(was it recorded without the payload\?\): stewart: platform\.mass: "
    ):
        _ = gough.identify(robot.with_payload(9.0), log).robot


# Motor


@pytest.mark.parametrize("name", ["stewart", "delta", "tricept", "cable8", "planar4rrr"])
def test_a_motor_is_on_every_actuator_and_on_nothing_else(name, tmp_path):
    robot = gough.load(name)
    table = motor_table(robot)
    driven = robot.with_motor(table)
    motor = gough.motor_of(table)
    ratio = 20.0 if "lead" not in table else 2.0 * 2.0 * np.pi / 0.01
    assert motor.ratio == pytest.approx(ratio, rel=1e-15)
    assert {(joint.gear, joint.rotor_inertia) for joint in driven.actuators} == {(motor.ratio, motor.rotor_inertia)}
    for joint, before in zip(driven.joints, robot.joints, strict=True):
        assert joint.actuated or joint == before
    path = tmp_path / "servo.toml"
    path.write_text("".join(f"{key} = {value!r}\n" for key, value in table.items() if key != "peak"))
    with path.open("a") as file:
        file.write("[peak]\n" + "".join(f"{key} = {value}\n" for key, value in table["peak"].items()))
    assert driven == robot.with_motor(path) == robot.with_motor(str(path))
    assert driven.motor == motor
    assert robot.motor is None
    assert driven.with_motor(motor).mechanism == driven.mechanism
    assert driven.with_motor(None).motor is None


@pytest.mark.parametrize("name", ["stewart", "hexapod", "delta"])
def test_a_motor_is_written_into_the_file_and_replaced_there(name):
    robot = gough.load(name)
    driven = robot.with_motor(motor_table(robot))
    again = gough.loads(driven.to_toml())
    comments = [line for line in catalogue_text(name).splitlines() if line.startswith("#")]
    assert all(line in driven.to_toml() for line in comments)
    assert again.motor.ratio == pytest.approx(driven.motor.ratio, rel=1e-14)
    assert again.motor.peak.speed == pytest.approx(driven.motor.peak.speed, rel=1e-14)
    assert again.actuators[0].rotor_inertia == pytest.approx(driven.actuators[0].rotor_inertia, rel=1e-14)
    other = again.with_motor(motor_table(robot) | {"name": "other"})
    assert gough.loads(other.to_toml()).motor.name == "other"
    assert other.to_toml().count("\n[motor]") == 1
    assert gough.loads(other.with_motor(None).to_toml()).motor is None


def test_what_an_actuator_states_holds_against_the_motor(tmp_path):
    motor = "\n[motor]\nlead = 0.01\nrotor_inertia = 1e-4\npeak = { rpm = [0, 3000], torque = [3, 3] }\n"
    plain = gough.load(file_with(tmp_path, "stewart", motor))
    assert {joint.rotor_inertia for joint in plain.actuators} == {1e-4}
    own = plain.replace({"leg.2.actuator.gear": 1.0, "leg.2.actuator.rotor_inertia": 0.0})
    drives = [(joint.gear, joint.rotor_inertia) for joint in own.actuators]
    assert drives == [(1.0, 0.0) if k == 1 else (plain.motor.ratio, 1e-4) for k in range(6)]
    assert own.explicit().mechanism == own.mechanism
    assert gough.loads(own.explicit().to_toml()).mechanism == own.mechanism
    assert own.with_motor(SCREW).mechanism == gough.load("stewart").with_motor(SCREW).mechanism
    heavier = plain.replace({"motor.rotor_inertia": "2 kg cm^2", "motor.lead": "5 mm"})
    assert heavier.actuators[0].rotor_inertia == 2e-4
    assert heavier.actuators[0].gear == 2.0 * np.pi / 0.005
    assert heavier.motor.peak == plain.motor.peak


def test_numbers_of_a_motor_without_a_unit_are_in_those_of_the_file():
    text = starter("UPS")
    assert 'length = "mm"' in text
    assert 'angle = "deg"' in text
    tables = '\n[motor]\nlead = 10\ngear = 2\nrotor_inertia = "2.8 kg cm^2"\nscrew_inertia = "1e-5 kg m^2"\n'
    tables += (
        "efficiency = 0.9\nname = 'servo'\npeak = { speed = [0, 18000, 36000], torque = ['3 N m', '3 N m', '1 N m'] }\n"
    )
    own, other = gough.loads(text + tables).motor, gough.motor_of(SCREW)
    assert (own.ratio, own.rotor_inertia) == pytest.approx((other.ratio, other.rotor_inertia), rel=1e-14)
    assert own.peak.speed == pytest.approx(other.peak.speed, rel=1e-14)
    assert own.peak.torque == other.peak.torque


@pytest.mark.parametrize(
    ("tables", "line"),
    [
        ("gear = 5", "motor: must state a curve: continuous, peak or both"),
        ("peak = { rpm = [0, 9], torque = [1, 1] }", "motor: must state gear, lead or both"),
        ("gear = 5\npeak = { rpm = [0, 9], torque = [1, 1] }", 'motor: "motor": has a gear, but actuator 1 slides (give lead'),  # noqa: E501
        ("led = 5\ngear = 2", "motor.led: unknown key (did you mean lead?)"),
        ("lead = 5\npeak = { rpm = [0, 9], torque = [1, 1] }", 'motor.lead: 5: implausibly large: at most 0.5 m (write "5 mm"?)'),  # noqa: E501
        ("lead = '5 kg'", 'motor.lead: "5 kg": its unit must be mm, cm, m or in, not kg'),
        ("lead = 0.01\npeak = { rpm = [0, 9], torque = [0, 1] }", "motor.peak.torque: [0, 1]: the first must be greater than 0"),  # noqa: E501
        ("lead = 0.01\npeak = { rpm = [0, 9], speed = [0, 1], torque = [1, 1] }", "motor.peak: must state either rpm or speed"),  # noqa: E501
    ],
)  # fmt: skip
def test_faults_of_a_motor_have_file_and_line(tmp_path, tables, line):
    with pytest.raises(gough.RobotError) as caught:
        gough.load(file_with(tmp_path, "stewart", f"\n[motor]\n{tables}\n"))
    place, _, words = str(caught.value).splitlines()[0].partition(": ")
    assert place.startswith(f"{tmp_path}/stewart.toml:")
    assert words.startswith(line)


def test_a_lead_in_metres_in_a_file_in_millimetres_is_refused():
    tables = "\n[motor]\nlead = 0.005\npeak = { rpm = [0, 9], torque = ['1 N m', '1 N m'] }\n"
    with pytest.raises(
        gough.RobotError, match=r'motor\.lead: 0\.005: implausibly small: at least 1e-05 m \(write "0\.005 m"\?\)$'
    ):
        gough.loads(starter("UPS") + tables)


def test_curves_of_a_file_s_motor_beyond_the_speed_of_motors_get_a_warning(tmp_path):
    tables = "\n[motor]\nlead = 0.01\npeak = { rpm = [0, 30000], torque = [3, 3] }\n"
    with pytest.warns(
        gough.GoughWarning, match=r"stewart\.toml:\d+: motor\.peak\.rpm: goes to 30000 rpm, more than 20000"
    ):
        gough.load(file_with(tmp_path, "stewart", tables))


def test_sizing_and_planning_count_the_motor_of_the_file(tmp_path):
    tables = (
        "\n[motor]\nlead = 0.02\nrotor_inertia = 1e-4\npeak = { rpm = [0, 3000, 6000], torque = [0.15, 0.15, 0.05] }\n"
    )
    robot = gough.load(file_with(tmp_path, "stewart", tables))
    bare = gough.load("stewart")
    assert len(gough.demand(robot, gough.Motion.named(robot)).fits) == 6
    assert gough.demand(bare, gough.Motion.named(bare)).fits == ()
    found = gough.fastest(robot, gough.Motion.named(robot, "trig3"), {"force": 100.0}, 120)
    assert found.fits
    assert found.duration > gough.fastest(bare, gough.Motion.named(bare, "trig3"), {"force": 100.0}, 120).duration
    with pytest.raises(gough.InputError, match="has a motor, whose curve is kept to for the least time only"):
        gough.free_path(robot, gough.Motion.named(robot, "trig3"), {"force": 100.0}, least="energy")


# Limits, gravity, errors


@pytest.mark.parametrize("name", gough.catalogue())
def test_limits_are_on_every_actuator_and_on_nothing_else(name):
    robot = gough.load(name)
    limited = robot.with_limits(speed=3.0, force=500.0)
    assert {(joint.limits.speed, joint.limits.force) for joint in limited.actuators} == {(3.0, 500.0)}
    for joint, before in zip(limited.joints, robot.joints, strict=True):
        assert joint.limits.stroke == before.limits.stroke
        assert joint.actuated or joint == before
    again = gough.loads(limited.to_toml())
    assert [joint.limits.speed for joint in again.actuators] == pytest.approx([3.0] * len(robot.actuators), rel=1e-14)


def test_limits_and_gravity_take_texts_with_units():
    robot = gough.load("stewart")
    one = robot.with_limits(stroke=("1.9 m", 3.2), speed="750 mm/s", force="2 kN", power="0.5 kW")
    assert one == robot.with_limits((1.9, 3.2), 0.75, 2000.0, 500.0)
    assert robot.with_gravity([0, 0, "-1620 mm/s^2"]) == robot.with_gravity(np.array([0.0, 0.0, -1.62]))
    assert robot.with_gravity((0, 0, -1.62)).gravity == (0.0, 0.0, -1.62)
    assert robot.with_limits() == robot


def test_errors_are_those_of_a_file_or_of_a_dict_in_place_of_the_robot_s(tmp_path):
    robot, path = gough.load("stewart"), tmp_path / "errors.toml"
    path.write_text(
        "[tolerances]\nbase = '0.1 mm'\n'leg.*.platform.*' = '20 um'\n[heat]\ntemperature = 2\nexpansion = 1e-5\n"
    )
    with path.open("a") as file:
        file.write("[stiffness]\nactuator = '20 N/um'\n")
    inexact = robot.with_errors(path)
    assert inexact == robot.with_errors(ERRORS) == robot.with_errors(str(path))
    assert inexact == gough.loads(inexact.to_toml())
    assert inexact.errors.stiffness == {"actuator": 2e7}
    other = inexact.with_errors({"tolerances": {"zero": 1e-5}})
    assert (dict(other.errors.by_form), dict(other.errors.stiffness), other.errors.temperature) == (
        {"zero": 1e-5},
        {},
        0.0,
    )
    assert inexact.with_errors({}) == robot
    assert inexact.mechanism == robot.mechanism


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda r: r.with_limits(force="3 kg"), "legs.actuator.force=3 kg: its unit must be N, kN, lbf or kgf, not kg"),
        (lambda r: r.with_limits(stroke=3), "stewart: legs.actuator.stroke: 3: must be two numbers [least, greatest]"),
        (lambda r: r.with_limits(force=-1), "stewart: legs.actuator.force: -1: must be greater than 0"),
        (lambda r: r.with_limits(speed="fast"), 'stewart: legs.actuator.speed: "fast": must be a number'),
        (lambda r: r.with_gravity(9.81), "stewart: gravity: 9.81: must be three numbers [x, y, z]"),
        (lambda r: r.with_gravity([0, 0, "1 kg"]), "gravity=1 kg: its unit must be m/s^2 or mm/s^2, not kg"),
        (lambda r: r.with_errors({"tol": {}}), "errors: tol: unknown key (did you mean tolerances?)"),
        (lambda r: r.with_errors("nowhere.toml"), "nowhere.toml: no such file"),
        (lambda r: r.with_motor("nowhere.toml"), "nowhere.toml: no such file"),
        (
            lambda r: r.with_motor(GEAR),
            'stewart: motor: "servo": has a gear, but actuator 1 slides (give lead = travel per turn)',
        ),
        (lambda r: r.with_payload("3 m"), "payload.mass=3 m: its unit must be g, kg or lb, not m"),
        (lambda r: r.with_payload(0), "stewart: payload.mass: 0: must be greater than 0"),
    ],
)
def test_a_change_that_is_not_allowed_is_one_line(change, line):
    with pytest.raises(gough.InputError) as caught:
        change(gough.load("stewart"))
    assert str(caught.value) == line


# All of them


def changed(robot):
    return robot.with_payload(**LOAD).with_motor(motor_table(robot)).with_errors(ERRORS).with_limits(force=400.0)


def test_changes_commute_and_none_is_lost():
    robot = gough.load("stewart")
    other = robot.with_limits(force=400.0).with_errors(ERRORS).with_motor(SCREW).with_payload(**LOAD)
    assert other == changed(robot)
    assert hash(other) == hash(changed(robot))
    assert gough.loads(other.to_toml()) == other
    assert {"payload", "motor", "tolerances", "heat", "stiffness"} <= other.spec.keys()


@pytest.mark.parametrize(
    ("name", "free"), [("stewart", {"motor.rotor_inertia": 2e-4, "motor.lead": 0.008}), ("delta", {"motor.gear": 25.0})]
)
def test_numbers_of_payload_and_motor_may_be_traced(name, free):
    robot = gough.load(name)
    robot = robot.with_payload(**LOAD).with_motor(motor_table(robot))
    free = {**free, "payload.mass": 3.0, "payload.com.0": 0.2, "payload.inertia.2": 0.045}
    graph = record(lambda p: numbers(robot.with_numbers(dict(zip(free, p, strict=True)))), p=len(free))
    out = Program(graph, executor="floats")(p=list(free.values()))
    np.testing.assert_allclose(out, numbers(robot.replace(free)), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r.replace({"platform.mass": 2.0}),
        lambda r: r.with_payload("3 kg", (0, 0, 0.1)),
        lambda r: r.with_motor(SCREW),
        lambda r: r.with_limits((1.9, 3.2), "750 mm/s", "2 kN", 500.0),
        lambda r: r.with_gravity((0, 0, -1.62)),
        lambda r: r.with_errors(ERRORS),
    ],
)
def test_a_change_takes_some_milliseconds(change):
    """At most 5 ms on the machine that this was written on, which may be busy: the least of some."""
    robot, spent = changed(gough.load("stewart")), []
    for _ in range(10):
        start = time.process_time()
        change(robot)
        spent.append(time.process_time() - start)
    assert min(spent) < 0.005


UNSOUND = {
    "twice": (
        lambda r: gough.Robot("m", r.platform, (r.legs[0],) * 6),
        'm: leg.A.name: "A": must be unique in the robot',
    ),
    "none": (
        lambda r: gough.Robot("m", r.platform, ()),
        "m: has no legs (add [legs] for all at once, or [[leg]] one by one)",
    ),
    "mass": (
        lambda r: gough.Robot("m", dataclasses.replace(r.platform, body=gough.Body("p", -3.0)), r.legs),
        "m: platform.mass: -3.0: must be greater than 0",
    ),
    "set": (
        lambda r: setattr(r, "spec", {}),
        "spec: a robot does not change; robot.replace({address: value}) returns another one",
    ),
    "leg": (lambda r: r.explicit([3]), "legs: 3: must be from 0 to 2"),
    "gravity": (
        lambda r: r.with_mechanism(dataclasses.replace(r.mechanism, gravity=(0.0, 0.0, 1.0))),
        "delta: with_mechanism changes bodies, joints and ends; others are changed by replace",
    ),
}


@pytest.mark.parametrize("case", UNSOUND)
def test_a_robot_put_together_from_values_has_the_checks_of_a_file(case):
    call, line = UNSOUND[case]
    with pytest.raises((gough.GoughError, AttributeError)) as caught:
        call(gough.load("delta"))
    assert line in str(caught.value).split("\n")


def test_tolerances_that_a_leg_written_joint_by_joint_cannot_have_are_left_out_with_a_warning():
    robot = gough.load("delta").with_errors({"tolerances": {"leg.*.rod.length": 1e-3, "base": 1e-4}})
    line = (
        "delta: tolerances of leg.A.rod.length and 2 more are left out: a leg written joint by joint has no such number"
    )
    with pytest.warns(gough.GoughWarning) as caught:
        joined = robot.explicit()
    assert [str(one.message) for one in caught] == [line]
    assert gough.loads(joined.to_toml()) == joined
    assert joined.spec["tolerances"] == {"base": 1e-4}
    with pytest.warns(gough.GoughWarning, match=r"tolerances of leg\.B\.rod\.length are left out"):
        assert robot.explicit([1]).spec["tolerances"] == robot.spec["tolerances"]


def test_equal_robots_have_one_hash():
    joined = gough.load("ankle").explicit()
    again = gough.loads(joined.to_toml())
    assert (again == joined, hash(again)) == (True, hash(joined))
