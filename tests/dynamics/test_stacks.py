"""Stacks: one robot on the platform of another, against one Pinocchio model of both."""

import json
from functools import cache

import numpy as np
import pinocchio as pin
import pytest

import gough
from gough import Motion
from gough.dynamics.stacks.stack_dynamics import stack_dynamics, stack_dynamics_along, stack_kinematics
from gough.dynamics.stacks.stack_file import Stack, load_stack
from tests.support.dynamic_cases import case
from tests.support.forces import scale, states
from tests.support.given_states import base_state
from tests.support.pinocchio_dynamics import Oracle
from tests.support.pinocchio_moving import random_base
from tests.support.pinocchio_tree import build_tree, platform_frame, platform_rates

AGREE = 1e-12  # of cond(K) max |tau|
POSITION = (0.05, -0.03, 0.2)
ROTATION = tuple(tuple(float(v) for v in row) for row in pin.exp3(np.array([0.3, -0.2, 0.7])))


@cache
def stack(lower="delta loaded", upper="planar3rrr loaded"):
    return Stack("tower", case(lower), case(upper), POSITION, ROTATION)


class StackOracle:
    """Forces of both robots by recursive Newton-Euler on the whole tree, on a free-flyer base."""

    def __init__(self, stack):
        self.oracles = [Oracle(stack.lower), Oracle(stack.upper)]
        lower = build_tree(self.oracles[0].tree.robot, moving=True)
        mount = pin.SE3(np.array(stack.rotation), np.array(stack.position))
        self.model = build_tree(self.oracles[1].tree.robot, onto=(lower, mount)).model
        self.data = self.model.createData()

    def needed(self, base, motions):
        """Efforts of each tree for the motion of the base and (q, v, a) of each tree."""
        tau = pin.rnea(self.model, self.data, *(np.concatenate(parts) for parts in zip(base, *motions, strict=True)))
        return np.split(tau[6:], [len(motions[0][1])])

    def forces(self, base, states, wrench):
        """Forces of each robot at one instant; wrench (6,) on the upper platform."""
        positions = [gough.inverse_kinematics(o.robot, s[0]).joint_q for o, s in zip(self.oracles, states, strict=True)]
        motions = [
            oracle.motion(position, *state)[:3]
            for oracle, position, state in zip(self.oracles, positions, states, strict=True)
        ]
        needed = self.needed(base, motions)
        found = []
        for oracle, position, state, effort, outer in zip(
            self.oracles, positions, states, needed, (None, wrench), strict=True
        ):
            oracle.needed = lambda q, v, a, effort=effort: effort.copy()
            found.append(oracle._force(position, *state, outer))
        found[0] = found[0] - self._through(states[0][0], states[1][0], wrench)
        return found

    def _through(self, x, u, wrench):
        """(n,) forces of the lower robot that a wrench on the upper platform saves."""
        lower, upper = (oracle.robot for oracle in self.oracles)
        R_P = platform_frame(lower, x)[1]
        R, f = R_P @ np.array(ROTATION), wrench[:3]
        arm = R_P @ np.array(POSITION) + R @ platform_frame(upper, u)[0]
        whole = np.concatenate([R @ f, R @ wrench[3:] + np.cross(arm, R @ f)])
        return np.linalg.solve(gough.inverse_kinematics(lower, x).K.T, self._columns(x).T @ whole)

    def _columns(self, x):
        """(6, n) twist of the lower platform in base axes per coordinate rate."""
        robot = self.oracles[0].robot
        R = platform_frame(robot, x)[1]
        columns = [platform_rates(robot, x, unit, 0 * unit)[0] for unit in np.eye(len(x))]
        return np.array([np.concatenate([R @ c[:3], R @ c[3:]]) for c in columns]).T


@pytest.mark.parametrize("names", [(), pytest.param(("stewart", "hexapod loaded"), marks=pytest.mark.slow)])
def test_forces_are_those_of_one_model_of_both(names):
    both = stack(*names)
    oracle, rng = StackOracle(both), np.random.default_rng(3)
    below, above = (states(robot, 3, seed, size=0.05) for robot, seed in ((both.lower, 5), (both.upper, 6)))
    prescribed, rates = zip(*[random_base(both.lower, rng) for _ in range(3)], strict=True)
    wrench = above[3]
    base = base_state(both.lower, rates)
    found = stack_dynamics(both, gough.State(*below[:3], base=base), gough.State(*above[:3], wrench=wrench))
    for k in range(3):
        one = [[part[k] for part in state[:3]] for state in (below, above)]
        expected = oracle.forces(prescribed[k], one, wrench[k])
        for mine, theirs, robot, x in zip(
            (found.lower, found.upper), expected, (both.lower, both.upper), (one[0][0], one[1][0]), strict=True
        ):
            error = np.abs(mine.force[k] - theirs).max()
            assert error <= AGREE * scale(robot, x[None], theirs[None])[0]


def test_a_stack_at_rest_carries_the_weight_of_both():
    both = stack()
    found = stack_dynamics(both, both.lower.home, both.upper.home)
    mass = sum(body.mass for robot in (both.lower, both.upper) for body in robot.bodies)
    assert np.allclose(found.lower.base_wrench[:3], mass * np.array(both.lower.gravity), rtol=1e-12, atol=1e-9)


def test_the_upper_platform_stands_where_both_put_it():
    both = stack()
    x, u = (np.array(robot.platform.home) + 0.01 for robot in (both.lower, both.upper))
    found = stack_kinematics(both, x, u)
    p, R = platform_frame(both.lower, x)
    assert np.allclose(found.p, p + R @ POSITION, rtol=0, atol=1e-14)
    assert np.allclose(found.R, R @ np.array(ROTATION), rtol=0, atol=1e-14)
    assert np.array_equal(found.upper.q, gough.inverse_kinematics(both.upper, u).q)


TOWER = """
name = "tower"
lower = "delta"
upper = "planar3rrr"

[units]
length = "mm"
angle = "deg"

[mount]
position = [50, -30, 200]
rotation = { axis = [0, 0, 1], angle = 30 }
"""


@pytest.fixture
def tower(tmp_path):
    path = tmp_path / "tower.toml"
    path.write_text(TOWER)
    return path


def test_a_stack_from_its_file(tower):
    both = load_stack(tower)
    assert both.position == pytest.approx((0.05, -0.03, 0.2))
    assert np.allclose(both.rotation, pin.exp3(np.array([0, 0, np.pi / 6])), rtol=0, atol=1e-15)
    found = stack_dynamics_along(both, Motion.named(both.lower), Motion.named(both.upper, "hold"), 11)
    assert np.isfinite(found.lower.force).all()
    assert found.upper.base is not None


def test_peaks_of_a_check_are_those_of_dense_samples(tower):
    both = load_stack(tower)
    found = gough.check_stack(
        both, Motion.named(both.lower), Motion.named(both.upper, "hold"), {"force": 1e6}, {"force": 1e6}
    )
    dense = stack_dynamics_along(both, Motion.named(both.lower), Motion.named(both.upper, "hold"), 4001)
    for result, samples in ((found.lower, dense.lower), (found.upper, dense.upper)):
        worst = [abs(f.value) for f in result.every if f.kind == "force"]
        peaks = np.abs(samples.force).max(axis=0)
        assert np.allclose(worst, peaks, rtol=1e-5, atol=0)  # samples miss a peak by the square of their step
    assert found.fits


BAD = {
    "no-lower": (('lower = "delta"\n', ""), "tower.toml:1: lower: is missing"),
    "misspelt": (("upper =", "uper ="), "tower.toml:4: uper: unknown key (did you mean upper?)"),
    "no-such-robot": (('"delta"', '"delt"'), "delt: no such file or catalogue robot (did you mean delta?)"),
    "no-name": (('name = "tower"\n', ""), "tower.toml:1: name: is missing"),
    "number": (('"delta"', "6"), "tower.toml:3: lower: 6: must be text in quotes"),
    "unit": (('"mm"', '"miles"'), 'tower.toml:7: units.length: "miles": must be mm, cm, m or in'),
    "short-position": (
        ("[50, -30, 200]", "[50, -30]"),
        "tower.toml:11: mount.position: [50, -30]: must be three numbers [x, y, z] (2 given)",
    ),
    "not-a-rotation": (
        ("{ axis = [0, 0, 1], angle = 30 }", "[[1, 0, 0], [0, 1, 0], [0, 0, -1]]"),
        "tower.toml:12: mount.rotation: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]: must be a rotation: determinant 1, not -1 "
        "(a left-handed frame: reverse one axis)",
    ),
    "mount-text": (
        ("[mount]\n", '[mount]\nat = "top"\n'),
        "tower.toml:11: mount.at: unknown key (known: position, rotation)",
    ),
    "mounting": (("[mount]", "[mounting]"), "tower.toml:10: mounting: unknown key (did you mean mount?)"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name, tmp_path, monkeypatch):
    (old, new), line = BAD[name]
    assert old in TOWER
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tower.toml").write_text(TOWER.replace(old, new))
    with pytest.raises(gough.GoughError) as caught:
        load_stack("tower.toml")
    assert str(caught.value) == line


def test_a_stack_is_no_robot(tower):
    with pytest.raises(gough.RobotError) as caught:
        gough.load(tower)
    assert str(caught.value) == (
        f"{tower}: is a stack of two robots, not a robot (gough stack has ik, inverse, check and view of both; other "
        "questions are for one robot)"
    )


def test_the_command(tower, capsys, tmp_path):
    from gough.cli import main

    def outcome(*arguments):
        code = main(["stack", str(tower), *arguments])
        return code, *capsys.readouterr()

    code, out, _ = outcome("ik")
    assert code == 0
    assert out.startswith("tower: base of planar3rrr at 0.05, -0.03, ")
    code, out, _ = outcome("inverse", "--upper-motion", "hold", "--samples", "3", "--json")
    both = load_stack(tower)
    expected = stack_dynamics_along(both, Motion.named(both.lower), Motion.named(both.upper, "hold"), 3)
    assert code == 0
    assert np.array_equal(json.loads(out)["lower"]["force"], expected.lower.force)
    code, out, _ = outcome("inverse", "--upper-motion", "hold", "--samples", "3", "--base-motion", "ship")
    assert "The base moves: on delta, " in out
    assert "The base moves: ship." in out
    code, out, _ = outcome(
        "check", "--upper-motion", "hold", "--upper-limit", "force=1e-9", "--lower-limit", "force=1e9"
    )
    assert code == 1
    assert "upper: planar3rrr, motion hold" in out
    assert "What to try" not in out
    assert outcome("view", "--png", str(tmp_path / "tower.png"))[0] == 0
    assert (tmp_path / "tower.png").read_bytes().startswith(b"\x89PNG")
    for arguments, line in (
        (
            ("view", "--lower-pose", "z=-0.8"),
            "--lower-pose, --upper-pose: view shows motions, and poses with --png FILE.png",
        ),
        (("inverse", "--html", "a.html"), "--html: is for view, not inverse"),
        (("view", "--html", "a.png"), "--html a.png: the file's name must end in .html"),
        (("ik", "--png", "a.png"), "--png: is for view, not ik"),
        (
            ("simulate",),
            "stack simulate: accelerations of both robots depend on each other, and each robot is solved by itself; "
            "stack has ik, inverse, check, view",
        ),
        (("size",), "action size: must be ik, inverse, check or view"),
    ):
        code, _, err = outcome(*arguments)
        assert (code, err) == (2, f"gough: error: {line}\n")
