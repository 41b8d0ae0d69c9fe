"""Known wrong answers of exports, simulations and designs: each test states what is right and is expected to fail.

A mark is removed with its cause; a test that fails by anything but its own assertion is a failure.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from tests.cli.running import outcome
from tests.crossing.known import known, require
from tests.support.lanes import ROOT
from tests.support.robots import catalogue_text, with_values


@known("forward dynamics by virtual work is promised to graph_of, which fails inside for want of a mass matrix")
def test_equations_of_forward_dynamics_by_virtual_work_are_recorded_or_refused() -> None:
    try:
        gough.graph_of(gough.load("fivebar"), "forward", formulation="virtual_work")
    except gough.InputError:
        pass
    except AttributeError as error:
        raise AssertionError(f"graph_of fails inside: {error}") from None


@known("optimise averages the squares over all actuators, a study takes the actuator with the largest")
def test_rms_force_is_one_quantity_in_optimisations_and_studies() -> None:
    """As the page on studies states it: the root mean square of each actuator, then the largest of the actuators."""
    robot = gough.load("fivebar").replace({"leg.A.base.x": -0.13})  # not symmetric: the actuators' forces differ
    motion, instants = gough.Motion.named(robot, "pick-and-place"), 41
    t = np.linspace(motion.start, motion.end, instants)
    right = np.sqrt((gough.inverse_dynamics(robot, motion.sample(t)).force ** 2).mean(axis=0)).max()
    vary = {"number": "platform.mass"}
    optimised = gough.optimise(
        {
            "robot": robot,
            "minimise": "rms force",
            "starts": 1,
            "task": {"motion": motion.name, "samples": instants},
            "vary": [vary | {"bounds": [0.3, 0.4]}],
        }
    )
    own: dict[str, Any] = {"robot": robot, "motion": motion.name, "samples": instants, "machines": 1, "keep": "rows"}
    study = gough.Study.of(**own, measure=["rms_force"], vary=[vary | {"uniform": 1e-12}])
    found = float(study.run().read_rows()["rms_force"][0])
    require(found == pytest.approx(right, rel=1e-9), f"the study finds {found}, {right} is right")
    assert optimised.before == pytest.approx(right, rel=1e-9)


@known("a controller with a model of its own takes the default slip speed, whatever the simulation was given")
def test_a_controller_s_own_model_has_the_simulation_s_slip_speed() -> None:
    robot = gough.load("fivebar").replace({"legs.actuator.coulomb": 2.0})
    model = robot.replace({"platform.mass": 0.3 * (1.0 + 1e-9)})  # the same machine to nine digits
    motion = gough.Motion.named(robot, "circle")
    runs = [
        gough.simulate(
            robot,
            input=gough.Controller(gough.Feedforward(), motion, robot=known_robot),
            duration=0.05,
            slip=1.0,
            samples=11,
            rtol=1e-9,
        )
        for known_robot in (None, model)
    ]
    # Forces of one law with two models that differ by 1e-9 of one mass.
    np.testing.assert_allclose(runs[1].force, runs[0].force, rtol=1e-6, atol=1e-6)


@known("a duration is rounded to whole steps without a word")
@pytest.mark.parametrize("duration", [0.0104, 0.0106])
def test_an_ensemble_lasts_as_long_as_stated_or_is_refused(duration: float) -> None:
    try:
        found = gough.simulate_many(gough.load("fivebar"), duration=duration, step=1e-3, count=1)
    except gough.InputError:
        return
    assert found.t[-1] == pytest.approx(duration, rel=1e-12)


@known("a design's own limits are checked over the box of the file, not over the box scaled by the free size")
def test_a_scaled_task_is_checked_against_the_robot_s_own_limits_where_it_is() -> None:
    robot = gough.load("delta")
    low, high = robot.actuators[0].limits.stroke
    found = gough.optimise(
        {
            "robot": robot,
            "minimise": "largest box",
            "starts": 1,
            "poses": {"box": {"x": [-0.05, 0.05], "y": [-0.05, 0.05], "z": [-0.9, -0.8]}, "points": 8},
            "task": {"size": [0.5, 6.0], "corners": True},
            "limits": {"condition": 60},
            "vary": [{"number": "platform.mass", "bounds": [0.5, 0.6]}],
        }
    )
    size = found.value
    corners = np.array([0.0, 0.0, -0.85]) + 0.05 * size * np.array(list(itertools.product((-1, 1), repeat=3)))
    q = gough.inverse_kinematics(found.robot, corners).q
    require((q < low).any() or (q > high).any(), "the scaled box leaves the strokes")
    assert [one for one in found.exceeded(found.best) if one.name == "stroke"]


def test_a_free_path_takes_a_constant_wrench_at_a_point(capsys: pytest.CaptureFixture[str]) -> None:
    move = ("fastest", "stewart", "--free", "--to", "x=0.05", "--limit", "force=60")
    load = ("--wrench", "fz=-10N", "--tool", "0,0,0.1")
    code, _, stderr = outcome(capsys, *move, *load)
    assert code == 0, stderr


@pytest.mark.parametrize(
    "table", ['[stiffness]\nactuator = "20 MN/m"', '[limits]\nstiffness = "1 MN/m"'], ids=["stiffness", "limit"]
)
@known("MN/m is the unit in the example of the optimisation file and in its hint, and the reader refuses it")
def test_the_units_of_the_optimisation_file_s_example_are_read(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "problem.toml"
    file.write_text(
        'robot = "stewart"\nminimise = "condition"\nstarts = 1\n[poses]\nbox = { x = [-0.1, 0.1] }\npoints = 2\n'
        f'[[vary]]\nnumber = "platform.home.z"\nbounds = [2.0, 2.1]\n{table}\n'
    )
    _, _, stderr = outcome(capsys, "optimise", str(file))
    assert "its unit must be" not in stderr, stderr


@known("the validation file is read without the unknown frames of tracker and target: 5 m in place of micrometres")
def test_a_calibration_validated_with_its_own_file_has_its_own_residuals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = (ROOT / "examples" / "calibration" / "frames.csv").read_text().splitlines()[:25]
    file, result = tmp_path / "frames.csv", tmp_path / "result.json"
    file.write_text("\n".join(rows) + "\n")
    options = ["--validate", str(file), "--folds", "0", "--out", str(result)]
    code, _, stderr = outcome(capsys, "calibrate", "stewart", str(file), "--tracker", "--target", *options)
    require(code == 0, stderr)
    found = json.loads(result.read_text())
    residual = found["residuals"]["position"]["after"]
    require(residual < 1e-4, f"residuals of {residual} m")
    # The error of a pose from readings is at most some ten times the residual of a fit with 24 poses.
    assert found["validation"]["after"][0] < 100.0 * residual


MJCF = """<mujoco model="arm"><compiler angle="degree"/>
<default><default class="bent"><joint {default}/></default></default>
<worldbody>
 <body name="one"><joint name="a" axis="0 0 1"/>{inertial}
  <body name="two" pos="0.3 0 0"><joint name="b" axis="{axis}" class="bent" {own}/>{inertial}
   <site name="here" pos="0.2 0.1 0"/></body></body>
 <body name="car" pos="0.5 0.1 0"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/>
  {inertial}<site name="there"/></body>
</worldbody>
<equality><connect site1="here" site2="there"/><joint joint1="b" joint2="a" polycoef="0 1"/></equality>
<actuator><motor joint="a"/></actuator></mujoco>"""


@pytest.mark.parametrize(
    ("default", "axis", "own", "offset"),
    [
        pytest.param('ref="20"', "0 0 1", "", np.deg2rad(20.0), id="ref of a class"),
        pytest.param('type="slide" ref="0.02"', "1 0 0", "", 0.02, id="ref and type of a class"),
        pytest.param('type="slide"', "1 0 0", 'ref="0.02"', 0.02, id="type of a class"),
    ],
)
@known("reference values of coupled joints are looked up in the joint's own attributes, not in those of its class")
def test_coupled_joints_count_from_reference_values_of_their_class(
    default: str, axis: str, own: str, offset: float, tmp_path: Path
) -> None:
    """b - ref = a - 0, so b is a + ref."""
    inertial = '<inertial pos="0.05 0.1 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>'
    file = tmp_path / "arm.xml"
    file.write_text(MJCF.format(default=default, axis=axis, own=own, inertial=inertial))
    try:
        robot = gough.import_robot(file, "car", compare=False).robot
    except gough.GoughError as error:  # with a wrong offset the legs do not close
        raise AssertionError(str(error)) from None
    coupled = [joint.mimic for leg in robot.legs for joint in leg.joints if joint.mimic is not None]
    require(len(coupled) == 1, f"coupled joints {coupled}")
    assert coupled[0].offset == pytest.approx(offset, abs=1e-12)


def _small_study(*kinds: str) -> gough.Study:
    return gough.Study.of(
        robot="fivebar",
        machines=64,
        seed=1,
        keep="rows",
        measure=["condition"],
        vary=[{"number": "leg.A.base.x", "uniform": "1 mm"}],
        reduce=[{"kind": kind} for kind in kinds],
    )


@known("one more reduction makes another study of it: a store that has every row is refused")
def test_a_store_with_all_rows_is_reduced_once_more(tmp_path: Path) -> None:
    _small_study("moments").run(out=tmp_path / "store")
    try:
        _small_study("moments", "extremes").run(out=tmp_path / "store", resume=True)
    except gough.InputError as error:
        raise AssertionError(str(error)) from None


# Elementary functions.


@pytest.mark.parametrize("name", ["exp", "log"])
@known("exp and log are NumPy's in blocks and those of the C library in compiled programs: other bits")
def test_elementary_functions_have_the_same_bits_in_every_executor(name: str) -> None:
    from gough import graph

    x = np.random.default_rng(0).uniform(0.1, 20.0, (40_000, 1))
    if getattr(np, name)(x[:, 0]).tolist() == [getattr(math, name)(v) for v in x[:, 0].tolist()]:
        pytest.skip("on this processor NumPy's function is the C library's")
    found = []
    for executor in ("llvm", "blocks"):
        program = gough.Program(graph.record(lambda x: getattr(graph, name)(x[0]), x=1), executor=executor)
        found.append(np.asarray(program(x=x)).view(np.int64))
    assert (found[0] == found[1]).all(), f"{(found[0] != found[1]).mean():.1%} of the rows differ"


# Free numbers.


LEG_BODIES = known("a free mass of a leg's body makes 981 operations of 726, that of all six 1739")


@pytest.mark.parametrize(
    "free",
    [
        "platform.inertia.2",
        pytest.param("leg.1.piston.mass", marks=LEG_BODIES),
        pytest.param("legs.piston.mass", marks=LEG_BODIES),
    ],
)
def test_a_free_number_of_a_body_keeps_the_closed_forms_of_legs(free: str) -> None:
    robot = gough.load("stewart")
    plain = len(gough.graph_of(robot, "inverse").nodes)
    # One number more enters sums that exist: the twelve bodies of the legs take some ten operations each at most.
    assert len(gough.graph_of(robot, "inverse", parameters=[free]).nodes) < 1.2 * plain


# Addresses, defaults and names.


def test_the_base_point_of_a_slider_s_leg_is_that_of_its_file() -> None:
    """Leg B's point is on the circle of 0.6 m at 120 deg - 5 deg: stated again, it changes nothing."""
    robot = gough.load("hexapod")
    again = robot.replace({"leg.B.base.x": 0.6 * np.cos(np.deg2rad(115.0))})
    q = [gough.inverse_kinematics(one, robot.platform.home).q for one in (robot, again)]
    np.testing.assert_allclose(q[1], q[0], atol=1e-9)


def test_an_address_that_varies_in_a_study_has_a_tolerance_too() -> None:
    address = "leg.*.actuator.zero"
    vary = [{"number": address, "uniform": "0.1 mm"}]
    gough.Study.of(robot="stewart", machines=2, measure=["condition"], vary=vary)
    robot = gough.loads(f'{catalogue_text("stewart")}\n[tolerances]\n"{address}" = "0.1 mm"\n')
    assert dict(robot.errors.by_address) == {f"leg.{k}.actuator.zero": 1e-4 for k in range(1, 7)}


def test_the_page_states_the_gravity_of_a_file_without_any() -> None:
    page = (ROOT / "docs" / "robot_files.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `gravity` |"))
    default = row.split("|")[4].strip(" `")
    stated = [0.0, 0.0, 0.0] if default == "none" else tomllib.loads(f"g = {default}")["g"]
    text = catalogue_text("fivebar").replace("gravity = [0, 0, -9.81]\n", "")
    assert list(gough.loads(text).gravity) == stated


@pytest.mark.parametrize("motion", [None, "trig3", "cos"])
def test_a_smaller_machine_with_a_name_of_the_catalogue_has_no_motion_out_of_its_reach(motion: str | None) -> None:
    text = catalogue_text("stewart")
    lengths = {
        "home = [0, 0, 2,": "home = [0, 0, 0.2,",
        "radius = 1.5": "radius = 0.15",
        "radius = 0.75": "radius = 0.075",
    }
    lengths |= {"[1.8, 3.3]": "[0.18, 0.33]", "[0.5, 0, 0]": "[0.05, 0, 0]", "[-0.5, 0, 0]": "[-0.05, 0, 0]"}
    for own, tenth in lengths.items():
        require(own in text, f"{own} is in the file")
        text = text.replace(own, tenth)
    robot = gough.loads(text)
    try:
        along = gough.Motion.named(robot, motion)
    except gough.GoughError:
        return
    start = along.sample(3).x[0]
    low, high = robot.actuators[0].limits.stroke
    q = gough.inverse_kinematics(robot, start).q
    assert ((q >= low) & (q <= high)).all(), f"starts at {start}"


@pytest.mark.parametrize("how", ["to_toml", "write"])
def test_a_robot_of_numpy_floats_is_written_as_toml(how: str, tmp_path: Path) -> None:
    robot = gough.load("fivebar")
    platform = dataclasses.replace(robot.platform, home=tuple(np.array(robot.platform.home)))
    made = with_values(robot, platform=platform)
    if how == "to_toml":
        text = made.to_toml()
    else:
        made.write(tmp_path / "made.toml")
        text = (tmp_path / "made.toml").read_text()
    assert "np." not in text, text[:400]
    require(tomllib.loads(text)["platform"]["mass"] == 0.3, "the rest is TOML")


FAR = """
import sys, time, gough, numpy as np
robot = gough.load("cable8")
home = np.array(robot.platform.home)
q = gough.inverse_kinematics(robot, {pose}).q
print("ready", flush=True)
begin = time.process_time()
if {bound}:
    call = gough.bind(robot, "fk")
    call.inputs["guess"][:], call.inputs["q"][:] = home, q
    call()
else:
    gough.forward_kinematics(robot, q[None], home[None])
print(time.process_time() - begin)
"""


@pytest.mark.parametrize("bound", [False, True])
@known("forward kinematics has no bound on its work: cables of a pose 13 m away are followed for 9 s and more")
@pytest.mark.slow
def test_forward_kinematics_far_from_its_guess_ends(bound: bool) -> None:
    """A second of processor is 1000 times what a pose near by takes; the limit here is 3 s."""
    pose = [4.725975379857044, 11.235893327847581, 6.018833680742771, 0.0, 0.0, 0.0]
    run = [sys.executable, "-c", FAR.format(pose=pose, bound=bound)]
    try:
        done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False, env=dict(os.environ))
    except subprocess.TimeoutExpired as error:
        require(b"ready" in (error.stdout or b""), "the robot is loaded in time")
        raise AssertionError("no answer within a minute") from None
    require(done.returncode == 0, done.stderr)
    assert float(done.stdout.split()[-1]) < 3.0
