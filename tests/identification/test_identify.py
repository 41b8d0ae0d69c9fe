"""Identification from recordings of an independent program, of simulated robots, and of bad recordings."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.cli.pages.identify_page import page, payload_page
from gough.display import display_units
from gough.identification.dynamic_parameters import body_values
from gough.identification.pseudo_inertia import family
from gough.kinematics.random_states import random_states
from tests.support.lanes import size
from tests.support.robots import with_values

DATA = Path(__file__).parents[1] / "data" / "identification"
TRUTH = json.loads((DATA / "truth.json").read_text())


@cache
def stewart():
    return gough.load("stewart")


@pytest.fixture(scope="module")
def own():
    """Legs of their own, validated on the other motion."""
    return gough.identify(stewart(), DATA / "motion.csv", DATA / "validation.csv", tied=False)


def test_forces_of_a_motion_not_used_are_predicted(own):
    """0.12 % is what 1 % of noise leaves; the physical robot uses the file as a prior too."""
    assert len(own.names) == 46
    assert own.residual == pytest.approx(0.01, rel=0.03)
    assert own.validation.share < 0.0013
    assert own.validation.written < 0.0013
    assert own.validation.file > 0.2
    assert own.left_out.share == pytest.approx(own.residual, rel=0.02)


def test_base_parameters_are_those_of_the_truth_within_their_noise(own):
    truth = TRUTH["base_parameters"]
    inertia = np.array(truth["inertia_origin"])
    expected = {
        "platform.mass": truth["mass"],
        **dict(zip(("platform.hx", "platform.hy", "platform.hz"), truth["first_moment"], strict=True)),
    }
    entries = (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2))
    expected |= {f"platform.I{name}": inertia[i, j] for name, i, j in entries}
    for k in range(6):
        expected |= {f"{k + 1}.{kind}": truth[kind][k] for kind in ("viscous", "coulomb", "rotor")}
    z = [(own.values[own.names.index(n)] - v) / own.sd[own.names.index(n)] for n, v in expected.items()]
    assert len(z) == 28
    assert np.abs(z).max() < 3.5
    assert 0.6 < np.std(z) < 1.4


def test_single_leg_inertias_are_not_determined_and_friction_is(own):
    told = dict(zip(own.names, own.determined, strict=True))
    assert not told["1.U2.I"]
    assert all(told[f"{k}.{kind}"] for k in range(1, 7) for kind in ("viscous", "coulomb"))


def test_every_body_written_is_physical(own, tmp_path):
    path = tmp_path / "identified.toml"
    own.robot.write(path)
    again = gough.load(path)
    assert again == own.robot
    assert all(joint.viscous > 0.0 and joint.coulomb > 0.0 for joint in again.actuators)
    recorded = gough.read_recording(stewart(), DATA / "validation.csv")
    force = gough.inverse_dynamics(again, gough.State(recorded.x, recorded.xd, recorded.xdd)).force
    assert np.sqrt(((force - recorded.force) ** 2).sum() / (recorded.force**2).sum()) < 0.0013


def test_poses_from_encoders_alone_do_as_well():
    found = gough.identify(stewart(), DATA / "encoders.csv", DATA / "validation.csv", tied=False)
    assert found.recording.given == "readings"
    assert found.validation.share < 0.002
    assert "white noise" in found.recording.smoothing


def test_legs_alike_in_the_file_only_are_told():
    with pytest.warns(gough.GoughWarning, match="are alike in its file, but not in this recording"):
        found = gough.identify(stewart(), DATA / "motion.csv")
    assert len(found.names) == 16
    assert found.legs_alike < 1e-6
    assert any("own" in line for line in found.remarks)


def test_forces_of_the_motors_side_are_doubted():
    """Smaller by the gear: said with both numbers; the machine's own forces, or half of them, are not doubted."""
    robot = gough.load("delta")
    robot = with_values(robot, legs=tuple(_geared(leg, 10.0) for leg in robot.legs))
    recorded = _simulated(robot, np.random.default_rng(4), 200)

    def found(factor):
        return gough.identify(robot, replace(recorded, force=factor * recorded.force))

    line = r"^simulated: forces are about 0.1 of those of the robot's file, and gear is 10: on the motor side\?"
    with pytest.warns(gough.GoughWarning, match=line):
        found(0.1)
    for factor in (1.0, 0.5):
        found(factor)  # a warning would be an error


def _geared(leg, gear):
    joints = tuple(replace(joint, gear=gear) if joint.actuated else joint for joint in leg.joints)
    return replace(leg, joints=joints)


def test_rests_and_reversals_do_not_make_legs_differ():
    """Where noise may turn the sign of a speed, Coulomb friction is not fitted: legs alike stay alike.

    A fifth of the rows is at rest; with them friction was half of what it is, at a probability of 1e-40.
    """
    robot, rng = gough.load("delta"), np.random.default_rng(1)
    legs = [
        replace(leg, joints=tuple(replace(j, viscous=0.2, coulomb=20.0) if j.actuated else j for j in leg.joints))
        for leg in robot.legs
    ]
    true = with_values(robot, legs=tuple(legs))
    t = np.arange(0.0, 1.5, 1e-3)
    phase = np.clip(t - 0.15, 0.0, 1.2)
    moving, w = (phase == t - 0.15)[:, None], 2 * np.pi / 1.2 * np.array([1.0, 2.0, 3.0])
    c, s = np.cos(np.outer(phase, w)), np.sin(np.outer(phase, w))
    size = np.array([0.04, 0.03, 0.02])
    x = np.array(robot.platform.home) + size * (1.0 - c) ** 2
    xd = size * 2.0 * w * (1.0 - c) * s * moving
    xdd = size * 2.0 * w**2 * (s**2 + (1.0 - c) * c) * moving
    force = gough.inverse_dynamics(true, gough.State(x, xd, xdd)).force + 2.0 * rng.normal(size=(len(t), 3))
    q = gough.inverse_kinematics(robot, x).q + 3e-5 * rng.normal(size=(len(t), 3))
    found = gough.identify(robot, gough.recorded_forces(robot, t, force, q=q))  # a warning would be an error
    k = found.names.index("legs.R.coulomb")
    assert abs(found.values[k] - 20.0) < 5.0 * found.sd[k]
    used = len(found.equations.rows)
    assert 0.5 * len(t) < used < 0.82 * len(t)
    line = f"recording, {used} of 1500 samples (left out: rests, reversals, poses out of reach) by readings"
    assert line in page(found, written=False, display=display_units(""))


def test_times_of_a_recording_are_one_row_of_numbers():
    with pytest.raises(gough.InputError, match=r"^recording: t: shape \(30, 1\) given, expected \(N,\)"):
        gough.recorded_forces(stewart(), np.zeros((30, 1)), np.zeros((30, 6)), x=np.zeros((30, 6)))


def test_a_payload_against_the_empty_machine():
    empty = gough.read_recording(stewart(), DATA / "motion.csv")
    force = np.loadtxt(DATA / "payload_forces.csv", delimiter=",", skiprows=1)[:, 1:]
    found = gough.identify_payload(stewart(), replace(empty, force=force), empty)
    truth = TRUTH["payload"]
    assert found.mass == pytest.approx(truth["mass"], rel=0.003)
    assert np.abs(found.com - truth["com"]).max() < 0.002
    expected = [truth["mass"], *truth["com"], *np.diag(truth["inertia_com"]), 0.0, 0.0, 0.0]
    assert np.abs((found.values - expected) / found.sd).max() < 3.5
    assert found.residual < 0.011 < 0.15 < found.without


def _simulated(robot, rng, count, noise=0.01, seed=3):
    """A recording of a robot at random states with noise of a share of each actuator's rms."""
    s = random_states(robot, count, seed)
    shared = robot if robot.actuation is None else with_values(robot, actuation=gough.Actuation())
    force = gough.inverse_dynamics(shared, gough.State(s.x, s.xd, s.xdd)).force
    if robot.actuation is not None:
        null = np.linalg.svd(gough.regressor(robot).columns(s.x, s.xd, s.xdd).K.swapaxes(1, 2))[2][:, -1]
        force = force + null * rng.normal(size=(count, 1))
    sigma = noise * np.sqrt((force**2).mean(axis=0))
    return gough.RecordedForces(
        robot, "simulated", np.arange(count) * 0.01, s.x, s.xd, s.xdd, force + sigma * rng.normal(size=force.shape)
    )


def _carried(robot, mass, *more):
    """The payload found from simulated recordings with and without it."""
    rng = np.random.default_rng(7)
    heavier = _simulated(robot.with_payload(mass, *more), rng, 200)
    return gough.identify_payload(robot, replace(heavier, robot=robot), _simulated(robot, rng, 200, seed=4), tied=True)


def test_of_a_payload_on_a_platform_that_never_turns_only_the_mass_acts():
    """Also where the file's platform is a point, which has no columns for a centre and an inertia of its own."""
    delta = gough.load("delta")
    body = replace(delta.platform.body, com=(0.0, 0.0, 0.0), inertia=(0.0,) * 6)
    point = with_values(delta, platform=replace(delta.platform, body=body))
    found = _carried(point, 0.3, (0.02, 0.0, -0.05))
    assert abs(found.mass - 0.3) < 3.5 * found.sd[0] < 0.03
    assert found.residual == pytest.approx(0.01, rel=0.1)
    assert found.acts.tolist() == [True] + [False] * 9
    assert found.values[1:].tolist() == [0.0] * 9
    assert np.isinf(found.sd[1:]).all()
    assert found.physical
    text = payload_page(found, display_units("mm"))
    assert text.endswith(f"wherever its centre is.\nUse it: --payload {found.mass:.4g}\n")
    assert [line.split()[1] for line in text.splitlines() if line.startswith("Izz")] == ["-"]


def test_of_a_payload_on_a_planar_robot_the_height_and_the_tilts_have_no_effect():
    found = _carried(gough.load("planar3rrr"), 2.0, (0.05, 0.0, 0.1), (0.03, 0.03, 0.02, 0.0, 0.0, 0.0))
    acts = dict(zip(found.table["parameter"].tolist(), found.acts.tolist(), strict=True))
    assert [name for name, acting in acts.items() if acting] == ["mass", "com_x", "com_y", "Izz"]
    assert np.abs((found.values - [2.0, 0.05, 0.0, 0, 0, 0, 0.02, 0, 0, 0]) / found.sd).max() < 3.5
    assert found.physical
    assert found.determined[:3].tolist() == [True, True, False], "com_y is known well, and not told from zero"
    text = payload_page(found, display_units(""))
    assert f"Use it: --payload {found.mass:.4g},{found.com[0]:.4g}m,0m,0m" in text
    assert "not told from zero" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stewart", "planar4rrr"])
def test_standard_deviations_are_true(name):
    """Pooled z-scores of simulated sets; of a redundant machine with internal forces that K^T takes away."""
    robot, rng = gough.load(name), np.random.default_rng(5)
    truth, z = None, []
    for _ in range(size(120, 25)):
        found = gough.identify(robot, _simulated(robot, rng, size(600, 150)), tied=name == "stewart")
        truth = found.of_file if truth is None else truth
        z.append((found.values - truth) / found.sd)
    spread = np.sqrt(np.mean(np.square(z)))
    count = np.size(z)
    print(f"{name}: {len(z)} sets, spread of z-scores {spread:.4f}")
    assert abs(spread - 1.0) < (0.05 if len(z) >= 50 else max(0.05, 3.0 * np.sqrt(0.5 * len(truth) / count)))


@pytest.mark.parametrize(
    "name", ["planar3rrr", *(pytest.param(name, marks=pytest.mark.slow) for name in ("delta", "rps3", "cable8"))]
)
def test_other_machines_are_found_again_without_noise(name):
    robot = gough.load(name)
    found = gough.identify(robot, _simulated(robot, np.random.default_rng(2), 120, noise=1e-9), tied=False)
    told = np.isfinite(found.sd)
    assert np.abs((found.values - found.of_file)[told]).max() < 1e-5 * np.abs(found.of_file).max()
    assert gough.loads(found.robot.to_toml()) == found.robot, "every body is physical"


def test_any_coordinates_are_a_physical_body_and_derivatives_are_exact():
    body = gough.Body("b", 2.0, (0.1, -0.2, 0.3), (0.05, 0.06, 0.07, 0.01, 0.0, 0.0))
    bodies = family(body_values(body), "full", 1.0)
    assert np.allclose(bodies(np.zeros(10))[0], body_values(body), rtol=1e-12, atol=1e-15)
    z = np.random.default_rng(1).normal(size=10) * 0.3
    _, slope = bodies(z)
    step = 1e-6 * np.eye(10)
    rise = np.stack([(bodies(z + h)[0] - bodies(z - h)[0]) / 2e-6 for h in step], axis=1)
    assert np.abs(slope - rise).max() < 1e-8 * np.abs(slope).max(), "central differences err by step^2"
    lamina = family(np.array([1.0, 0, 0, 0, 0.1, 0.1, 0.2, 0, 0, 0]), "full", 1.0)
    assert np.isfinite(lamina(np.zeros(10))[0]).all()


@pytest.mark.parametrize("name", ["stewart", pytest.param("delta", marks=pytest.mark.slow)])
def test_a_planned_motion_fits_and_tells_more_than_random_ones(name):
    """Twice the information on each parameter, better conditioned; deviations by its forces are smaller accordingly."""
    robot = gough.load(name)
    found = gough.excite(robot, 4.0)
    assert found.checked.fits
    assert gough.check(robot, found.motion).fits
    assert found.score > found.random + np.log(2.0)
    assert found.condition < found.random_condition
    s = found.motion.sample([0.0, 4.0])
    assert np.abs(s.x - robot.platform.home).max() < 1e-12
    assert np.abs([s.xd, s.xdd]).max() < 1e-9
