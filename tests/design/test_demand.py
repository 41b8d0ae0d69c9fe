"""What a motion asks of the actuators against dense sums, and motors."""

import numpy as np
import pytest

import gough
from gough import Motion, Motor, RobotError, inverse_dynamics, load, motor_of
from gough.cli.pages.compare_page import page as compare_page
from gough.design import compare, demand
from gough.design.load_inertia import load_inertia
from gough.display import Display
from gough.dynamics import forward_dynamics
from gough.errors import GoughWarning, InputError
from gough.kinematics import inverse_kinematics
from gough.robot import Curve
from tests.support.loaded_robots import loaded

MOTOR = """
name = "servo"
rotor_inertia = 2e-5
lead = 0.02
continuous = { rpm = [0, 3000, 5000], torque = [0.03, 0.03, 0.02] }
peak = { rpm = [0, 3500, 5000], torque = [0.1, 0.1, 0.06] }
"""


@pytest.mark.parametrize("name", ["stewart", "delta"])
def test_demand_against_dense_sums(name):
    robot = loaded(load(name), 3)
    found = demand(robot, Motion.named(robot))
    motion = Motion.named(robot)
    t = np.linspace(motion.start, motion.end, 40_001)
    result = inverse_dynamics(robot, motion(t), formulation="newton_euler")
    whole = motion.duration
    power = result.power
    np.testing.assert_allclose(np.abs(found.force), np.abs(result.force).max(axis=0), rtol=2e-4)
    assert (
        np.abs(found.force) >= np.abs(result.force).max(axis=0) * (1 - 1e-9)
    ).all()  # a speed's triple root is found to 1e-6 s
    np.testing.assert_allclose(found.rms_force, np.sqrt(np.trapezoid(result.force**2, t, axis=0) / whole), rtol=1e-4)
    np.testing.assert_allclose(found.rms_qd, np.sqrt(np.trapezoid(result.qd**2, t, axis=0) / whole), rtol=1e-6)
    np.testing.assert_allclose(found.energy, np.trapezoid(np.maximum(power, 0), t, axis=0), rtol=1e-5)
    np.testing.assert_allclose(found.regenerated, -np.trapezoid(np.minimum(power, 0), t, axis=0), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(found.mean_power * whole, found.energy - found.regenerated, atol=1e-9)
    assert ((found.duty > 0) & (found.duty <= 1)).all()
    dense = np.stack([result.q.min(axis=0), result.q.max(axis=0)], axis=1)
    np.testing.assert_allclose(found.q_range, dense, atol=1e-7)
    assert ((found.q_range[:, 0] <= dense[:, 0] + 1e-12) & (found.q_range[:, 1] >= dense[:, 1] - 1e-12)).all()


def test_a_motor_that_fits_and_one_that_does_not():
    robot = load("stewart")
    motor = motor_of(MOTOR)
    found = demand(robot.with_motor(motor), Motion.named(robot.with_motor(motor)))
    assert all(fit.fits for fit in found.fits)
    assert motor.ratio == pytest.approx(2 * np.pi / 0.02)
    motion = Motion.named(robot)
    result = inverse_dynamics(robot.with_motor(motor), motion(np.linspace(0, motion.duration, 20_001)))
    torque, speed = np.abs(result.force) / motor.ratio, np.abs(result.qd) * motor.ratio
    left = (np.interp(speed, motor.peak.speed, motor.peak.torque) - torque).min(axis=0)
    np.testing.assert_allclose([fit.peak_margin for fit in found.fits], left, rtol=1e-5)
    weak = motor_of(MOTOR.replace("[0.1, 0.1, 0.06]", "[0.035, 0.035, 0.02]"))
    assert [fit.fits for fit in demand(robot.with_motor(weak), Motion.named(robot.with_motor(weak))).fits] != [True] * 6
    slow = motor_of(MOTOR.replace("3500, 5000", "900, 1000"))
    assert not demand(robot.with_motor(slow), Motion.named(robot.with_motor(slow))).fits[0].fits
    heavy = demand(
        robot.with_motor(motor_of(MOTOR.replace("2e-5", "1e-3"))),
        Motion.named(robot.with_motor(motor_of(MOTOR.replace("2e-5", "1e-3")))),
    )
    assert (np.abs(heavy.force) > np.abs(found.force)).all()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("gear = 5\nrotor = 1\npeak = { rpm = [0, 9], torque = [1, 1] }", "motor:2: rotor: unknown key (did you mean rotor_inertia?)"),  # noqa: E501
        ("peak = { rpm = [0, 9], torque = [1, 1] }", "motor:1: must state gear, lead or both (gear = 50, or lead = \"5 mm\" per turn)"),  # noqa: E501
        ("gear = 0\npeak = { rpm = [0, 9], torque = [1, 1] }", "motor:1: gear: 0: must be greater than 0"),
        ("gear = 5\npeak = { rpm = [1, 9], torque = [1, 1] }", "motor:2: peak.rpm: [1, 9]: must be two or more numbers that increase from 0"),  # noqa: E501
        ("gear = 5\npeak = { rpm = [0, 9], torque = [1] }", "motor:2: peak.torque: [1]: must be a list of 2 numbers"),
        ("gear = 5\npeak = { torque = [1] }", "motor:2: peak: must state either rpm or speed [rad/s]"),
        ("gear = 5\npeak = 3 rpm", "motor:2: not valid TOML: expected newline or end of document after a statement"),
        ("gear = " + 5000 * "9", "motor:1: not valid TOML: a number with too many digits (a motor is a TOML file; `gough new` prints one to start from)"),  # noqa: E501
        ("gear = " + 5000 * "[", "motor: nested too deeply to be a motor"),
        ("lead = '5 N'\npeak = { rpm = [0, 9], torque = [1, 1] }", 'motor:1: lead: "5 N": its unit must be mm, cm, m or in, not N'),  # noqa: E501
        ("gear = '5 mm'\npeak = { rpm = [0, 9], torque = [1, 1] }", 'motor:1: gear: "5 mm": is a plain number, without a unit'),  # noqa: E501
        ("gear = 5\npeak = { rpm = [0, '9 N'], torque = [1, 1] }", 'motor:2: peak.rpm.1: "9 N": its unit must be rpm or rad/s, not N'),  # noqa: E501
        ("gear = 5\npeak = { rpm = [0, 9], torque = [1, -1] }", "motor:2: peak.torque.1: -1: must not be negative"),
        ("gear = 5\npeak = { rpm = 9, torque = [1, 1] }", "motor:2: peak.rpm: 9: must be a list"),
        ("gear = 5\npeak = { rpm = [0, 9], torq = [1, 1] }", "motor:2: peak.torq: unknown key (did you mean torque?)"),
        ("lead = 20\npeak = { rpm = [0, 9], torque = [4, 4] }", 'motor:1: lead: 20: implausibly large: at most 0.5 m (write "20 mm"?)'),  # noqa: E501
        ("lead = '20'\npeak = { rpm = [0, 9], torque = [4, 4] }", 'motor:1: lead: "20": implausibly large: at most 0.5 m (write "20 mm"?)'),  # noqa: E501
        ("lead = 0.02\nrotor_inertia = 4.1\npeak = { rpm = [0, 9], torque = [4, 4] }", 'motor:2: rotor_inertia: 4.1: implausibly large: 4 N m would speed it up by 0.98 rad/s^2 alone (write "4.1 kg cm^2"?)'),  # noqa: E501
        ("lead = 0.02\nrotor_inertia = '4 kg'\npeak = { rpm = [0, 9], torque = [4, 4] }", 'motor:2: rotor_inertia: "4 kg": its unit must be kg m^2, kg cm^2, kg mm^2 or g mm^2, not kg'),  # noqa: E501
        ("gear = nan\npeak = { rpm = [0, 9], torque = [1, 1] }", "motor:1: gear: nan: must be a finite number"),
    ],
)  # fmt: skip
def test_faults_of_motor_files(text, line):
    with pytest.raises(RobotError) as error:
        motor_of(text)
    assert line in str(error.value).splitlines()


def test_a_motor_s_numbers_may_carry_their_units():
    plain = motor_of("lead = 0.005\nrotor_inertia = 2.8e-5\npeak = { rpm = [0, 3000], torque = [12, 11] }")
    text = """
lead = "5 mm"
rotor_inertia = "280 g cm^2"
peak = { speed = ["0 rpm", "3000 rpm"], torque = ["12 N m", "11000 N mm"] }
"""
    tables = {"lead": "5 mm", "rotor_inertia": 2.8e-5, "peak": {"rpm": (0, "50 rad/s"), "torque": ("12 Nm", 11)}}
    assert plain.peak.speed == pytest.approx((0.0, 100 * np.pi))
    for found in (motor_of(text), motor_of(tables)):
        assert found.drives == "P"
        assert (found.ratio, found.rotor_inertia) == pytest.approx((plain.ratio, plain.rotor_inertia))
        assert found.peak.torque == pytest.approx((12.0, 11.0))
    assert motor_of(text).peak.speed == pytest.approx(plain.peak.speed)
    assert motor_of(tables).peak.speed == (0.0, 50.0)
    stated = Motor("servo", "1.2 rad/mm", "280 g cm^2", peak=Curve(["0 rpm", "3000 rpm"], ["12 N m", 11.0]))
    assert (stated.ratio, stated.rotor_inertia) == pytest.approx((1200.0, 2.8e-5))
    assert (*stated.peak.speed, *stated.peak.torque) == pytest.approx((0.0, 100 * np.pi, 12.0, 11.0))
    servo = motor_of('gear = 1\npeak = { rpm = [0, 62], torque = ["20 kg cm", "277 oz in"] }')
    assert servo.peak.torque == pytest.approx((1.96133, 277 * 0.45359237 * 9.80665 * 0.0254 / 16), rel=1e-15)
    with pytest.raises(InputError, match=r"^motor: ratio: 1 kg: its unit must be rad/m or rad/mm, not kg$"):
        Motor("servo", "1 kg")
    with pytest.raises(InputError, match=r"^curve: torque: 1 N: its unit must be N m, N mm or kgf cm, not N$"):
        Curve([0.0, 1.0], ["1 N", 1.0])


def test_a_belt_before_a_screw():
    """Ratios multiply; the screw turns slower than the rotor by the belt, its inertia counts by the square of that."""
    curve = "peak = { rpm = [0, 3000], torque = [4, 4] }"
    motor = motor_of(f'gear = 1.5\nlead = "20 mm"\nrotor_inertia = "4.1 kg·cm²"\nscrew_inertia = "9 kgcm2"\n{curve}')
    assert motor.drives == "P"
    assert motor.ratio == pytest.approx(1.5 * 2 * np.pi / 0.02)
    assert motor.rotor_inertia == pytest.approx(4.1e-4 + 9e-4 / 1.5**2)
    assert motor.reflected == pytest.approx(4.1e-4 * motor.ratio**2 + 9e-4 * (2 * np.pi / 0.02) ** 2)


@pytest.mark.parametrize("name", ["stewart", "delta", "rps3"])
def test_the_load_of_an_actuator_is_the_diagonal_of_the_mass_matrix_of_the_actuators(name):
    robot = load(name)
    x = np.array(robot.platform.home)
    home = inverse_kinematics(robot, x)
    n = robot.dof
    zero = np.zeros(n)
    rest = forward_dynamics(robot, gough.State(x, zero), zero).xdd
    columns = [forward_dynamics(robot, gough.State(x, zero), np.eye(n)[k]).xdd - rest for k in range(n)]
    felt = np.linalg.inv(home.K @ np.column_stack(columns))
    np.testing.assert_allclose(load_inertia(robot), np.diag(felt), rtol=1e-9)
    motor = Motor("m", 300.0, 2e-5, peak=Curve([0, 1], [1, 1]))
    if name == "stewart":
        np.testing.assert_allclose(
            load_inertia(robot.with_motor(motor)) - load_inertia(robot), motor.reflected, rtol=1e-9
        )


def test_compare_puts_the_largest_difference_first():
    robot = load("stewart")
    result = compare(robot, robot.replace({"platform.mass": 3.0}), Motion.named(robot))
    sizes = [abs(d.relative) for d in result.differences]
    assert sizes[:6] == sorted(sizes[:6], reverse=True)
    changed = {d.what for d in result.differences if abs(d.relative) > 1e-9}
    assert changed == {"peak force", "rms force", "peak power", "energy delivered", "energy regenerated", "moving mass"}
    assert result.fits == (True, True)
    with pytest.raises(
        InputError, match="compare: stewart has coordinates x, y, z, psi, theta, phi; delta has x, y, z"
    ):
        compare(robot, load("delta"), Motion.named(robot))


HEXAPOD = """
name = "hexapod"
[platform]
coordinates = { x = "x", y = "y", z = "z", yaw = "rz", pitch = "ry", roll = "rx" }
home = [0, 0, 0.4, 0, 0, 0]
mass = 20
inertia = [0.4, 0.4, 0.8]
[legs]
type = "UPS"
base = { radius = 0.28, half_angle = 0.2 }
platform = { radius = 0.22, half_angle = 0.1 }
cylinder = { mass = 1 }
piston = { mass = 1 }
[tolerances]
base = 2e-5
platform = 2e-5
[stiffness]
actuator = 3e7
"""
TRIPOD = (
    HEXAPOD.replace('"hexapod"', '"tripod"').replace('"UPS"', '"RPS"')
    .replace("home =", 'dependent = ["x", "y", "yaw"]\nhome =')
    .replace("half_angle = 0.2", "angles = [0, 2.0943951023931953, 4.1887902047863905]")
    .replace("half_angle = 0.1", "angles = [0, 2.0943951023931953, 4.1887902047863905]")
)  # fmt: skip


def test_machines_with_other_coordinates_are_compared_on_what_both_can_do():
    hexapod, tripod = gough.loads(HEXAPOD), gough.loads(TRIPOD)
    motion = gough.Motion.to(hexapod, {"pitch": 0.07, "roll": 0.05}, 1.0)
    found = compare(hexapod, tripod, motion)
    assert found.held == (("x", "y", "yaw"), ())
    rows = {d.what: (d.first, d.second) for d in found.differences}
    own = gough.Motion.to(tripod, {"pitch": 0.07, "roll": 0.05}, 1.0)
    for k, (robot, moved) in enumerate(((hexapod, motion), (tripod, own))):
        assert rows["peak force"][k] == pytest.approx(np.abs(gough.demand(robot, moved).force).max(), rel=1e-9)
        x = moved(np.linspace(0.0, 1.0, 21)).x
        assert rows["position error, rms"][k] == pytest.approx(gough.accuracy.pose_errors(robot, x=x).rms[:, 0].max())
        soft = max(np.linalg.eigvalsh(gough.accuracy.elasticity(robot, x=at).compliance[:3, :3])[-1] for at in x)
        assert rows["least stiffness"][k] == pytest.approx(1.0 / soft)
    again = compare(tripod, hexapod, own)
    assert again.held == ((), ("x", "y", "yaw"))
    for d in again.differences:
        assert (d.second, d.first) == pytest.approx(rows[d.what], rel=1e-9), d.what
    text = compare_page(found, Display())
    assert (
        "hexapod holds x, y, yaw at home.\nStiffness and errors of the platform's origin: the worst at 21 instants"
        in text
    )
    line = r"tripod cannot do a motion with x away from home; move only z, pitch, roll, e.g. --to roll=\.\.\.$"
    with pytest.raises(InputError, match=line):
        compare(hexapod, tripod, gough.Motion.to(hexapod, {"x": 0.01}, 1.0))


def test_a_moving_base_is_in_the_demand():
    """Peaks are those of many samples on the same base; speeds do not change; the comparison has it too."""
    robot = gough.load("hexapod")
    still, found = (
        gough.demand(robot, gough.Motion.named(robot)),
        gough.demand(robot, gough.Motion.named(robot).on_base("ship")),
    )
    sampled = gough.inverse_dynamics(robot, gough.Motion.named(robot).on_base("ship").sample(3001))
    largest = np.abs(sampled.force).max(axis=0)
    assert np.abs(found.force) == pytest.approx(largest, rel=1e-6)
    assert (np.abs(found.force) >= largest * (1.0 - 1e-12)).all()
    assert np.abs(found.force - still.force).max() > 0.01 * np.abs(still.force).max()
    assert found.qd == pytest.approx(still.qd, rel=1e-12)
    assert (found.to_dict()["base"], "base" in still.to_dict()) == ("ship", False)
    heavy = robot.replace({"platform.mass": 2.0 * robot.platform.body.mass})
    both = gough.compare(robot, heavy, gough.Motion.named(robot).on_base("ship"))
    peak = next(d for d in both.differences if d.what == "peak force")
    assert peak.first == pytest.approx(largest.max(), rel=1e-6)
    assert both.base == "ship"


def test_speeds_of_a_motor_in_the_wrong_unit_are_doubted():
    text = "gear = 50\npeak = { speed = [0, 3000, 4500], torque = [2, 2, 1] }"
    with pytest.warns(
        GoughWarning, match=r"motor:2: peak.speed: goes to 42972 rpm, more than 20000; rad/s, or meant rpm\?"
    ):
        motor_of(text)
    assert motor_of(text.replace("speed", "rpm")).peak.speed[-1] == pytest.approx(4500 * np.pi / 30)
