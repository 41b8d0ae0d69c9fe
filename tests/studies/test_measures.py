"""Measures of varied machines against the public functions on each machine by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gough
from gough.graph import record
from gough.kinematics.programs import free_jacobian_program
from gough.kinematics.singularity import gains
from gough.run import Program
from gough.studies.singular_values import singular_values

VARY = {
    "stewart": [
        {"number": ["leg.*.base.*", "leg.*.platform.*"], "uniform": "2 mm"},
        {"number": "platform.mass", "normal": "5 %"},
    ],
    "hexapod": [{"number": "legs.rod.length", "uniform": "1 mm"}, {"number": "leg.2.base.z", "uniform": "1 mm"}],
    "delta": [{"number": "legs.crank.length", "uniform": "1 %"}, {"number": "legs.base.radius", "uniform": "1 %"}],
}


@pytest.mark.parametrize("name", list(VARY))
def test_along_a_motion_as_inverse_dynamics_has_it(name: str) -> None:
    names = ["peak_force", "rms_force", "peak_power", "rms_power", "peak_speed", "rms_speed", "stroke", "condition"]
    motion = {"stewart": "trig3", "hexapod": "rotation", "delta": "pick-and-place"}[name]
    robot = gough.load(name)
    study = gough.Study.of(
        robot=robot, vary=VARY[name], machines=6, seed=2, motion=motion, samples=7,
        measure=[*names, "sigma_min", "usage", "fits"],
    )  # fmt: skip
    found = study.block(0, 6).values
    t = np.linspace(study.motion.start, study.motion.end, 7)
    at = study.motion(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    for k in range(6):
        machine = study.machine(k)
        own: Any = gough.inverse_dynamics(machine, gough.State(x, xd, xdd))
        expected = {
            "peak_force": np.abs(own.force).max(),
            "rms_force": np.sqrt((own.force**2).mean(axis=0)).max(),
            "peak_power": np.abs(own.power).max(),
            "rms_power": np.sqrt((own.power**2).mean(axis=0)).max(),
            "peak_speed": np.abs(own.qd).max(),
            "rms_speed": np.sqrt((own.qd**2).mean(axis=0)).max(),
            "stroke": np.ptp(own.q, axis=0).max(),
        }
        values = gains(robot, free_jacobian_program(machine)(x=x))
        expected["condition"] = (values[:, 0] / values[:, -1]).max()
        expected["sigma_min"] = values[:, -1].min()
        for key, value in expected.items():
            assert found[key][k] == pytest.approx(value, rel=1e-10, abs=1e-12), (key, k)


def test_condition_numbers_are_those_of_the_machine_written() -> None:
    """One length counts turns of all machines, and a machine of another platform has it in its file."""
    vary = [{"number": "legs.platform.radius", "bounds": [0.5, 1.0]}]
    robot = gough.load("stewart")
    study = gough.Study.of(robot=robot, vary=vary, machines=4, measure=["condition"])
    found = study.block(0, 4).values["condition"]
    for k in range(4):
        written = gough.loads(study.machine(k).to_toml())
        assert found[k] == pytest.approx(gough.inverse_kinematics(written, robot.platform.home).condition, rel=1e-10)
    assert gough.Study.of(robot=robot, vary=vary, machines=4, measure=["stroke"]).machine(1).length is None


@pytest.mark.parametrize("name", ["stewart", "delta", "rotary"])
def test_pose_errors_are_those_of_forward_kinematics(name: str) -> None:
    robot = gough.load(name)
    study = gough.Study.of(
        robot=robot, vary=[{"number": "leg.*.base.*", "uniform": "0.5 mm"}], machines=8, seed=1,
        measure=["position_error", "rotation_error"],
    )  # fmt: skip
    found = study.block(0, 8).values
    home = np.array(robot.platform.home, dtype=float)
    q: Any = gough.inverse_kinematics(robot, home).q
    slides = [k for k, c in enumerate(robot.platform.coordinates) if not c.turns]
    for k in range(8):
        machine = study.machine(k)
        x = np.asarray(gough.forward_kinematics(machine, q, guess=home).x)
        apart = np.linalg.norm((x - home)[slides])
        assert found["position_error"][k] == pytest.approx(apart, rel=1e-7, abs=1e-13)
        assert (found["rotation_error"][k] > 1e-6) == (name != "delta")


def test_reach_counts_poses_within_strokes_and_failures_are_results() -> None:
    study = gough.Study.of(
        robot="stewart",
        poses={"box": {"x": [-3, 3], "z": [0.5, 4]}, "points": 2048},
        measure=["reach", "condition"],
    )
    block = study.block(0, 2048)
    x = study.poses.rows(0, 2048)
    q = np.asarray(gough.inverse_kinematics(gough.load("stewart"), x).q)
    good = np.isfinite(q).all(axis=1) & (q >= 1.8).all(axis=1) & (q <= 3.3).all(axis=1)
    assert np.array_equal(block.values["reach"] == 1.0, good)
    assert 0 < good.sum() < 2048
    wide = gough.Study.of(
        robot="hexapod", vary=[{"number": "legs.rod.length", "uniform": "40 %"}], machines=200, measure=["condition"]
    )
    result = wide.run()
    values = wide.block(0, 200).values["condition"]
    assert 0 < result.failed == np.isnan(values).sum() < 200


def test_tracking_errors_are_those_of_the_ensemble() -> None:
    robot = gough.load("stewart")
    study = gough.Study.of(
        robot=robot, vary=[{"number": "platform.mass", "uniform": "10 %"}], machines=5, seed=4,
        motion="trig3",
        measure=["tracking_error"], simulate={"controller": "pd", "step": 0.004},
    )  # fmt: skip
    found = study.block(0, 5).values["tracking_error"]
    values = study.drawing.values(0, 5)
    done = gough.simulate_many(robot, input=study.controller, count=5, step=0.004, vary={"platform.mass": values[:, 0]})
    assert np.array_equal(found, done.worst_error)
    assert (found > 0).all()


@pytest.mark.parametrize("shape", [(6, 6), (3, 3), (8, 6), (2, 3), (1, 1)])
def test_singular_values_are_lapacks(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    matrices = rng.normal(size=(200, *shape)) * np.exp(rng.uniform(-6, 6, (200, 1, shape[1])))
    program = Program(record(lambda a: {"s": singular_values(a)}, a=shape))
    found = np.sort(program(a=matrices)["s"], axis=1)[:, ::-1]
    exact = np.linalg.svd(matrices, compute_uv=False)
    assert np.abs(found - exact).max(axis=1) == pytest.approx(0.0, abs=1e-9 * exact.max())
    assert (np.abs(found - exact) <= 2e-14 * exact[:, :1]).all()
