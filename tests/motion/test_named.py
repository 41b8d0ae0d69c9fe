"""The named motions: the companions' numbers, exact derivatives, and poses that the robots reach."""

import json
from functools import cache
from pathlib import Path

import mpmath
import numpy as np
import pytest

import gough
from gough import Motion, MotionError, catalogue, motions

PAPERS = Path(__file__).parents[1] / "data" / "papers"
MOTIONS = {
    "ankle": ["step", "wobble", "hold"],
    "cable8": ["traverse", "waves", "hold"],
    "delta": ["pick-and-place", "circle", "hold"],
    "fivebar": ["pick-and-place", "circle", "hold"],
    "hexapod": ["vertical", "horizontal", "rotation", "hold"],
    "planar3rrr": ["reach", "circle", "hold"],
    "planar4rrr": ["circle", "waves", "hold"],
    "rotary": ["nod", "heave", "wobble", "hold"],
    "rps3": ["nod", "waves", "hold"],
    "spatial3": ["paper", "hold"],
    "sru": ["lecture", "hold"],
    "stewart": ["trig3", "trig3-fast", "cos", "hold"],
    "tricept": ["reach", "waves", "hold"],
}
ALL = [(machine, motion) for machine in sorted(MOTIONS) for motion in MOTIONS[machine]]


@cache
def loaded(name):
    return gough.load(name)


def paper(name):
    return json.loads((PAPERS / f"{name}.json").read_text())


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=2e-12)


def test_names_and_defaults():
    found = {name: motions(loaded(name)) for name in catalogue()}
    assert found == MOTIONS
    assert all(Motion.named(loaded(name)) == Motion.named(loaded(name), names[0]) for name, names in found.items())


@pytest.mark.parametrize(("name", "motion"), ALL)
def test_a_named_motion_is_the_same_value_each_time_and_one_of_its_robot(name, motion):
    found = Motion.named(loaded(name), motion)
    assert found == Motion.named(loaded(name), motion)
    assert Motion.of(loaded(name), found) is found


@pytest.mark.parametrize("name", ["trig3", "trig3-fast"])
def test_stewart_table(name):
    motion = Motion.named(loaded("stewart"), name)
    assert motion.end == paper("stewart")[name]["T"]
    for sample in paper("stewart")[name]["samples"]:
        at = motion(sample["t"])
        x, xd, xdd = at.x, at.xd, at.xdd
        close(x, sample["x"])
        close(xd, sample["xd"])
        close(xdd, sample["xdd"])


def test_stewart_cos_is_one_cosine():
    t = np.linspace(0, 4, 33)
    at = Motion.named(loaded("stewart"), "cos")(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    way = np.array([-0.1, -0.2, 0.5, *np.deg2rad([15, -15, 15])])
    w = np.pi / 2
    np.testing.assert_allclose(x, [0, 0, 2, 0, 0, 0] + np.outer((1 - np.cos(w * t)) / 2, way), atol=1e-15)
    np.testing.assert_allclose(xd, np.outer(w * np.sin(w * t) / 2, way), atol=1e-15)
    np.testing.assert_allclose(xdd, np.outer(w**2 * np.cos(w * t) / 2, way), atol=1e-15)


@pytest.mark.parametrize("name", ["vertical", "horizontal", "rotation"])
def test_hexapod_displacements(name):
    samples = paper("hexapod")["motions"][name]["samples"]
    motion = Motion.named(loaded("hexapod"), name)
    found = gough.inverse_kinematics(loaded("hexapod"), motion([s["t"] for s in samples]))
    close(found.q, [s["displacement"] for s in samples])
    close(found.qd, [s["velocity"] for s in samples])
    close(found.qdd, [s["acceleration"] for s in samples])
    assert (motion.start, motion.end) == (0.0, 3.0)


def test_spatial3_table():
    table = paper("spatial3")["table"]
    motion = Motion.named(loaded("spatial3"), "paper")
    found = gough.inverse_kinematics(loaded("spatial3"), motion([row["t"] for row in table]))
    close(motion([row["t"] for row in table]).x, [row["platform"] for row in table])
    close(found.q, [row["lam"] for row in table])
    close(found.qd, [row["dlam"] for row in table])
    close(found.qdd, [row["ddlam"] for row in table])


def test_sru_table_and_wrench():
    samples = paper("sru")["samples"]
    motion = Motion.named(loaded("sru"), "lecture")
    t = [s["t"] for s in samples]
    found = gough.inverse_kinematics(loaded("sru"), motion(t))
    close(motion(t).x[:, :3], [s["c"] for s in samples])
    close(found.q, [s["q"] for s in samples])
    close(found.qd, [s["qd"] for s in samples])
    close(found.qdd, [s["qdd"] for s in samples])
    # The companion has the moment first.
    close(motion.wrench(t), [s["wrench"][3:] + s["wrench"][:3] for s in samples])
    assert motion.wrench(0.3).shape == (6,)
    assert (motion.end, motion.sample(5).wrench.shape) == (2.0, (5, 6))


def trig3(t):
    w = 2 * mpmath.pi / 4
    s = mpmath.mpf(1) / 2 - 9 * mpmath.cos(w * t) / 16 + mpmath.cos(3 * w * t) / 16
    turn = mpmath.pi / 12
    way = [mpmath.mpf("-0.1"), mpmath.mpf("-0.2"), mpmath.mpf("0.5"), turn, -turn, turn]
    return [start + s * by for start, by in zip([0, 0, 2, 0, 0, 0], way, strict=True)]


def spatial(t):
    y = -(t**2) * (t**2 - mpmath.mpf("1.3") * t + mpmath.mpf("0.3"))
    return [y, t**2 * (2 * t**2 - t - 1) / 5, mpmath.mpf("0.4") * mpmath.sin(4 * mpmath.pi * t)]


def lecture(t):
    centre, amplitude = [0, 0, "0.62", 0, 0, 0], ["0.03", "0.025", "0.03", "0.15", "0.12", "0.10"]
    phase = [0, mpmath.mpf("0.5"), mpmath.pi / 2, 0, 1, mpmath.pi / 2]
    waves = zip(centre, amplitude, [6, 7, 8, 5, 6, 7], phase, strict=True)
    return [mpmath.mpf(c) + mpmath.mpf(a) * mpmath.sin(w * t + p) for c, a, w, p in waves]


@pytest.mark.parametrize(
    ("machine", "name", "law"),
    [("stewart", "trig3", trig3), ("spatial3", "paper", spatial), ("sru", "lecture", lecture)],
)
def test_laws_and_derivatives_against_mpmath(machine, name, law):
    motion = Motion.named(loaded(machine), name)
    with mpmath.workdps(40):
        for t in (0.0, 0.125, 0.7, 0.9375, 1.0):
            jets = [mpmath.taylor(lambda u, k=k: law(u)[k], t, 2) for k in range(len(motion.coordinates))]
            expected = [[float(jet[order]) * (1, 1, 2)[order] for jet in jets] for order in range(3)]
            for order, value in zip(("x", "xd", "xdd"), expected, strict=True):
                found = getattr(motion(t), order)
                np.testing.assert_allclose(found, value, rtol=2e-15, atol=1e-14 * max(1, np.abs(value).max()))


@pytest.mark.parametrize(("machine", "name"), ALL)
def test_derivatives_are_those_of_the_values(machine, name):
    """On every piece the values interpolated at Chebyshev points differentiate to the rates, these to accelerations."""
    motion = Motion.named(loaded(machine), name)
    for left, right in motion.pieces:
        u = np.cos(np.pi * (np.arange(48) + 0.5) / 48)
        at = motion(left + (right - left) * (u + 1) / 2)
        x, xd, xdd = at.x, at.xd, at.xdd
        for values, rates in ((x, xd), (xd, xdd)):
            slopes = np.polynomial.chebyshev.chebfit(u, values, 47)
            found = np.polynomial.chebyshev.chebval(u, np.polynomial.chebyshev.chebder(slopes)).T * 2 / (right - left)
            scale = np.abs(values).max() * 2 / (right - left) + np.abs(rates).max()
            np.testing.assert_allclose(found, rates, rtol=0, atol=1e-10 * scale)


@pytest.mark.parametrize(("machine", "name"), ALL)
def test_the_robot_can_do_it(machine, name):
    motion = Motion.named(loaded(machine), name)
    samples = motion.sample(301)
    found = gough.inverse_kinematics(loaded(machine), gough.State(samples.x, samples.xd, samples.xdd))
    assert (found.status == 0).all()
    assert found.condition.max() < 25
    limits = [joint.limits for leg in loaded(machine).legs for joint in leg.joints if joint.actuated]
    low, high = np.transpose([limit.stroke for limit in limits])
    assert (found.q > low).all()
    assert (found.q < high).all()
    assert motion.description
    assert motion.analytic


REST = [pair for pair in ALL if pair[1] in ("trig3", "trig3-fast", "nod", "heave", "reach", "pick-and-place", "hold")]


@pytest.mark.parametrize(("machine", "name"), REST)
def test_rest_at_both_ends(machine, name):
    motion = Motion.named(loaded(machine), name)
    speed = np.abs(motion.sample(101).xdd).max() or 1.0
    for t in (motion.start, motion.end):
        at = motion(t)
        xd, xdd = at.xd, at.xdd
        assert np.abs(xd).max() <= 1e-14 * speed
        assert np.abs(xdd).max() <= 1e-13 * speed


def test_pick_and_place_knows_its_pieces_and_is_twice_continuous():
    motion = Motion.named(loaded("delta"), "pick-and-place")
    expected = [0, 0.04, 0.12, 0.28, 0.36, 0.4, 0.45, 0.49, 0.57, 0.73, 0.81, 0.85, 0.9]
    np.testing.assert_allclose(motion.breakpoints, expected, atol=1e-15)
    inner = np.array(motion.breakpoints[1:-1])
    before, after = motion(inner - 1e-9), motion(inner)
    for order, jump in (("x", 1e-8), ("xd", 1e-7), ("xdd", 1e-5)):
        np.testing.assert_allclose(getattr(before, order), getattr(after, order), rtol=0, atol=jump)
    x = motion(np.array([0.0, 0.42, 0.9])).x
    np.testing.assert_allclose(x, [[-0.1525, 0, -0.95], [0.1525, 0, -0.95], [-0.1525, 0, -0.95]], atol=1e-15)


def test_a_robot_of_the_same_name_but_other_coordinates_only_holds():
    robot = gough.loads(loaded("planar3rrr").to_toml().replace('"planar3rrr"', '"stewart"'))
    assert motions(robot) == ["hold"]
    with pytest.raises(MotionError):
        Motion.named(robot)
    assert np.array_equal(Motion.named(robot, "hold")(0.5).x, robot.platform.home)


def test_a_changed_robot_keeps_its_motions_and_starts_at_its_home():
    robot = loaded("hexapod").replace({"platform.home": [0, 0, 0.6, 0, 0, 0]})
    assert Motion.named(robot, "vertical")(0.0).x[2] == 0.6
