"""Known wrong answers about limits and states: each test states what is right and is expected to fail."""

from __future__ import annotations

import ctypes
import dataclasses
import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import gough
from tests.cli.running import outcome
from tests.crossing.known import known, require
from tests.support.random_robots import moved, turn
from tests.support.robots import catalogue_text, with_values

D = ctypes.c_double


def _with_keys_of_legs(name: str, *lines: str) -> gough.Robot:
    """A robot of the catalogue with further keys for all its legs."""
    text = catalogue_text(name)
    last = next(line for line in text.splitlines() if line.startswith("radius = "))
    return gough.loads(text.replace(f"{last}\n", "\n".join([last, *lines]) + "\n"))


# One stroke, one verdict.


@pytest.mark.parametrize("beyond", [0.0, 1e-15, 5e-13, 5e-10, 5e-8])
@known("check, workspace, assembly modes, bind, ik and optimise each have a tolerance of their own for strokes")
def test_a_pose_at_the_end_of_its_stroke_gets_one_verdict(
    beyond: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At home the actuators of a Stewart platform are shorter than their strokes begin, by this many metres."""
    nominal = gough.load("stewart")
    home = np.array(nominal.platform.home)
    q = gough.inverse_kinematics(nominal, home).q
    robot = nominal.replace({"legs.actuator.stroke.0": float(q.min()) + beyond})
    file = tmp_path / "robot.toml"
    robot.write(file)
    kept = {"check": "stroke" not in gough.check(robot, gough.Motion.named(robot, "hold")).violated}
    try:
        gough.workspace(robot, travel_only=True, only=["stroke"])
        kept["workspace"] = True
    except gough.InputError as error:
        require("outside its limits" in str(error), str(error))
        kept["workspace"] = False
    modes = gough.assembly_modes(robot, q, starts=1)
    nearest = int(np.abs(modes.x - home).sum(axis=-1).argmin())
    kept["assembly modes"] = bool(modes.within_limits[nearest])
    call = gough.bind(robot, "ik")
    call.inputs["x"][:] = home
    call()
    kept["bind"] = not call.exceeded()
    code, _, stderr = outcome(capsys, "ik", str(file))
    require(code in (0, 1), stderr)
    kept["ik"] = code == 0
    problem = {"robot": robot, "minimise": "peak force", "starts": 1, "poses": {"box": {"x": [-0.1, 0.1]}, "points": 1}}
    free = {"vary": [{"number": "platform.mass", "bounds": [1.43, 1.44]}]}
    best = gough.optimise(problem | free, states=gough.State(home[None]))
    kept["optimise"] = not [one for one in best.exceeded(best.best) if one.name == "stroke"]
    assert len(set(kept.values())) == 1, kept


@known("the workspace excludes its own boundary: a pose exactly at a limit cannot be its start")
def test_a_pose_exactly_at_its_stroke_is_a_start_of_the_workspace() -> None:
    robot = gough.load("stewart")
    q = gough.inverse_kinematics(robot, robot.platform.home).q
    robot = robot.replace({"legs.actuator.stroke.0": float(q.min())})
    try:
        gough.workspace(robot, travel_only=True, only=["stroke"])
    except gough.InputError as error:
        raise AssertionError(str(error)) from None


# Angles of spherical joints.


@known("a simulation also watches the angle between the second and third hinge of a spherical joint, which is its spin")
@pytest.mark.slow
def test_a_simulation_does_not_stop_at_the_spin_of_a_spherical_joint() -> None:
    """No leg is tilted by more than 43 deg there; the lower link of leg 4 is spun by 51 deg about itself."""
    pose = [0.09815641, -0.09421535, 0.70559067, -0.4606443, -0.23906683, -0.09800766]
    robot = _with_keys_of_legs("sru", "cone = 47.0")
    joints = gough.inverse_kinematics(robot, pose).joint_q.reshape(6, 6)
    tilts = np.arccos(np.cos(joints[:, 0]) * np.cos(joints[:, 1]))  # of z after turns about x, then y
    require(np.rad2deg(tilts.max()) < 43.0, f"tilts of {np.rad2deg(tilts)} deg")
    found = gough.simulate(robot, start=pose, duration=1e-3, samples=3)
    assert not [one for one in found.events if one.kind == "angle"], found.why


@known("a simulation watches neighbouring hinges only, so the tilt of a spherical joint of hinges x, z, y is not seen")
@pytest.mark.slow
def test_a_simulation_stops_at_the_cone_of_a_spherical_joint_of_any_three_hinges() -> None:
    stated = _with_keys_of_legs("sru", "cone = 38.0")

    def reordered(leg: gough.Leg) -> gough.Leg:
        """Hinges about x, z, y in place of x, y, z: the same joint."""
        x, y, z, *rest = leg.joints
        second, third = dataclasses.replace(y, axis=z.axis), dataclasses.replace(z, axis=y.axis)
        return dataclasses.replace(leg, joints=(x, second, third, *rest))

    robot = with_values(stated, legs=tuple(reordered(leg) for leg in stated.legs))
    require(
        "angle" in gough.check(robot, gough.Motion.named(robot, "hold")).violated, "38.4 deg are beyond 38 deg by check"
    )
    found = gough.simulate(robot, start=robot.platform.home, duration=1e-3, samples=3)
    assert [one for one in found.events if one.kind == "angle"], "the run ends without an event"


def _with_a_short_passive_slider() -> gough.Robot:
    """A tricept whose passive slider, in the middle, may be at most 0.1 m long: at home it is longer."""
    robot = gough.load("tricept")

    def short(joint: gough.Joint) -> gough.Joint:
        if joint.actuated or joint.kind != "P":
            return joint
        return dataclasses.replace(joint, limits=dataclasses.replace(joint.limits, stroke=(0.0, 0.1)))

    legs = tuple(dataclasses.replace(leg, joints=tuple(map(short, leg.joints))) for leg in robot.legs)
    short_one = with_values(robot, legs=legs)
    require(
        "joint" in gough.check(short_one, gough.Motion.named(short_one, "hold")).violated,
        "check sees the passive slider",
    )
    return short_one


@known("limits of the robot's own file that a design exceeds are reported without strokes of passive joints")
def test_a_design_beyond_a_passive_stroke_is_reported() -> None:
    robot = _with_a_short_passive_slider()
    home = np.array([robot.platform.home])
    problem = {
        "robot": robot,
        "minimise": "peak force",
        "starts": 1,
        "poses": {"box": {robot.coordinate_names[0]: [home[0, 0] - 1e-3, home[0, 0] + 1e-3]}, "points": 1},
        "vary": [{"number": "platform.mass", "bounds": [30.0, 50.0]}],
    }
    found = gough.optimise(problem, states=gough.State(home))
    assert found.exceeded(found.best)


BEYOND = {
    "passive stroke": (_with_a_short_passive_slider, "hold", "joint"),
    "cone": (lambda: _with_keys_of_legs("stewart", "cone = 5"), "trig3", "angle"),
    "cone at the platform": (lambda: _with_keys_of_legs("stewart", "end_cone = 5"), "trig3", "angle"),
    "clearance": (lambda: gough.load("stewart").replace({"legs.radius": 0.7}), "trig3", "distance"),
}


@pytest.mark.parametrize("limit", BEYOND)
@known("`fits` of a study looks at actuators only: cones, clearances of legs and passive joints are left out")
def test_a_machine_of_a_study_fits_only_if_check_says_so(limit: str) -> None:
    make, motion, kind = BEYOND[limit]
    robot = make()
    found = gough.check(robot, gough.Motion.named(robot, motion))
    require(found.violated == (kind,), f"check finds {found.violated}")
    study = gough.Study.of(
        robot=robot,
        motion=motion,
        samples=21,
        machines=1,
        keep="rows",
        measure=["fits"],
        vary=[{"number": "platform.mass", "uniform": 1e-9}],
    )
    assert study.run().read_rows()["fits"][0] == 0.0


# Statuses.


STILL = np.zeros((1, 3))
AT_A_SINGULARITY = {
    "inverse_kinematics": lambda robot, x: gough.inverse_kinematics(robot, x).status,
    "forward_dynamics": lambda robot, x: gough.forward_dynamics(robot, gough.State(x, STILL), STILL).status,
    "body_motion": lambda robot, x: gough.body_motion(robot, gough.State(x, STILL, STILL)).status,
    "dynamics_matrices": lambda robot, x: gough.dynamics_matrices(robot, gough.State(x, STILL)).status,
    "link_wrenches": lambda robot, x: gough.link_wrenches(robot, gough.State(x, STILL, STILL)).status,
}


@pytest.mark.parametrize("function", ["body_motion", "dynamics_matrices", "link_wrenches"])
@known("these calls have no test for singular poses: fine, where inverse and forward dynamics say near singular")
def test_a_pose_is_near_singular_for_every_function(function: str) -> None:
    """The platform of spatial3 is singular at y = 0.25 m, and 1e-13 m away here."""
    robot = gough.load("spatial3")
    x = np.array([[0.25 - 1e-13, 0.0, 0.0]])
    status = gough.inverse_dynamics(robot, gough.State(x, STILL, STILL)).status
    require(status == gough.Status.NEAR_SINGULAR, f"inverse dynamics says {status}")
    assert AT_A_SINGULARITY[function](robot, x) == gough.Status.NEAR_SINGULAR


@cache
def _library(name: str, *functions: str) -> ctypes.CDLL:
    """A robot's exported functions, compiled."""
    import tempfile

    folder = Path(tempfile.mkdtemp())
    gough.export_c(gough.load(name), folder, functions)
    made = folder / f"{name}.so"
    flags = ["-O1", "-std=c99", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(made)]
    compiler = shutil.which("cc")
    require(compiler, "a C compiler is installed")
    subprocess.run([str(compiler), *flags, str(folder / f"{name}.c"), "-lm"], check=True, timeout=120)
    return ctypes.CDLL(str(made))


@pytest.mark.parametrize("function", ["ik", "inverse", "forward"])
@known("rates whose squares overflow are said to be an overflow in Python and near singular in exported C")
def test_an_overflow_has_one_status_in_python_and_c(function: str) -> None:
    robot, library = gough.load("fivebar"), _library("fivebar", "ik", "inverse", "forward")
    x, fast, none = np.array(robot.platform.home), np.full(2, 1e160), np.zeros(2)
    pair, leg = [(D * 2)(*v) for v in (x, fast, none)], ctypes.byref(ctypes.c_int())
    out, wrench = (D * 2)(), (D * 6)()
    if function == "ik":
        python = gough.inverse_kinematics(robot, gough.State(x[None], fast[None], none[None])).status
        c = library.fivebar_ik(*pair, (D * 2)(), (D * 2)(), out, (D * 4)(), leg)
    elif function == "inverse":
        python = gough.inverse_dynamics(robot, gough.State(x[None], fast[None], none[None])).status
        c = library.fivebar_inverse(*pair, wrench, out, leg)
    else:
        python = gough.forward_dynamics(robot, gough.State(x[None], fast[None]), none[None]).status
        c = library.fivebar_forward(*pair, wrench, out, leg)
    require(python == gough.Status.OVERFLOW, f"Python says {python}")
    assert gough.Status(c) == gough.Status.OVERFLOW


FOLDED = [
    (
        [0.18381364716600382, -0.03602001512118567, -0.47028251629904005],
        [-0.796744540497053, -0.03815287061113842, 1.4862774170660722, -2.2469218660968338],
    ),
    (
        [0.029581746938179124, 0.012092030860318915, 0.059820742094032126],
        [-1.016010046134454, 0.8600205480201065, 1.7811287179815962, -3.14195119606061],
    ),
    (
        [0.08021697580816133, -0.0919331077240566, -0.5597449161087706],
        [-0.5937956967887966, 0.016692822133038576, 1.3669783659425943, -2.5225731449817568],
    ),
]
"""Guesses and displacements, found by comparing some 200 random paths: on the way the platform passes a fold."""


@pytest.mark.parametrize("path", range(len(FOLDED)))
@known("exported C looks for folds at the ends of its steps only, Python half-way too: other paths are accepted")
def test_forward_kinematics_follows_the_same_paths_in_python_and_c(path: int) -> None:
    robot, library = gough.load("planar4rrr"), _library("planar4rrr", "fk")
    guess, q = FOLDED[path]
    python = gough.forward_kinematics(robot, np.array([q]), np.array([guess])).status
    x, residual, leg = (D * 3)(), D(), ctypes.c_int()
    c = library.planar4rrr_fk((D * 3)(*guess), (D * 4)(*q), x, ctypes.byref(residual), ctypes.byref(leg))
    assert gough.Status(c) == python[0]


@pytest.mark.parametrize("field", ["q", "qd", "base_wrench"])
@known("where no tensions carry the load, displacements, rates and the base wrench are lost too, which need none")
def test_an_infeasible_load_leaves_what_does_not_depend_on_tensions(field: str) -> None:
    robot, load = gough.load("cable8"), np.array([[1e5, 0.0, 0.0, 0.0, 0.0, 0.0]])
    x, xd, still = np.array([robot.platform.home]), np.full((1, 6), 0.01), np.zeros((1, 6))
    found = gough.inverse_dynamics(robot, gough.State(x, xd, still, wrench=load))
    require(found.status == gough.Status.INFEASIBLE, f"status {found.status}")
    if field != "base_wrench":
        right = getattr(gough.inverse_kinematics(robot, gough.State(x, xd)), field)
        np.testing.assert_allclose(getattr(found, field), right, rtol=1e-12, atol=1e-12)
        return
    # The base carries the whole load however tensions are shared, so its wrench is linear in the load.
    none, some = (
        gough.inverse_dynamics(robot, gough.State(x, xd, still, wrench=share * load)).base_wrench
        for share in (0.0, 1e-4)
    )
    require(np.isfinite(some).all(), "10 N can be carried")
    np.testing.assert_allclose(found.base_wrench, none + (some - none) * 1e4, rtol=1e-6, atol=1e-3)  # 1e4 round-offs


# The machine may stand anywhere.


@pytest.mark.parametrize("motion", ["pick-and-place", "circle", "hold"])
@known("clearances are listed or left out by the place of the machine in space: 12 rows here, 15 after a turn")
def test_the_rows_of_a_check_do_not_depend_on_how_the_machine_is_turned(motion: str) -> None:
    robot, rng = gough.load("delta"), np.random.default_rng(9)
    along = gough.Motion.named(robot, motion)
    other = moved(robot, turn(rng), rng.uniform(-2.0, 2.0, 3))
    rows = [[(found.kind, found.owner) for found in gough.check(one, along).every] for one in (robot, other)]
    assert sorted(rows[0]) == sorted(rows[1])


@known("the search for the nearest singular pose ends 1e-6 m elsewhere when the machine is turned")
@pytest.mark.slow
def test_the_nearest_singular_pose_does_not_depend_on_how_the_machine_is_turned() -> None:
    robot, rng = gough.load("sru"), np.random.default_rng(9)
    other = moved(robot, turn(rng), rng.uniform(-2.0, 2.0, 3))
    here, there = (gough.singularities(one).nearest for one in (robot, other))
    assert here is not None
    assert there is not None
    assert there.distance == pytest.approx(here.distance, rel=1e-9)  # at the nearest pose the distance is stationary
