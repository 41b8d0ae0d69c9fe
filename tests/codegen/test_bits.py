"""Exported C code gives the bits that gough gives, with any compiler and on any machine."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.codegen.sample_inputs import sample_inputs
from gough.robot import build
from tests.codegen.compiled import STRICT, Library, differing, functions_of, tool
from tests.support.lanes import sample, size

ALL = list(gough.catalogue())


def everything_agrees(robot, library: Library, count: int, seed: int = 3) -> None:
    inputs = sample_inputs(robot, count, seed)
    for function in library.graphs:
        assert differing(library(function, inputs), library.by_gough(function, inputs)) == 0, function


def test_stewart_by_gcc(tmp_path):
    tool("gcc")
    robot = gough.load("stewart")
    library = Library(robot, tmp_path, ["gcc", "-O2", *STRICT], ["ik", "inverse"])
    everything_agrees(robot, library, size(10_000, 1000))
    inputs = sample_inputs(robot, 30, 1)
    found = library("ik", inputs)
    assert {-1, 0, 7} <= set(found["status"])
    lost = (found["status"] < 0) | (found["status"] > 1)
    assert np.isnan(found["q"][lost]).all()
    assert np.isfinite(found["q"][~lost]).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(ALL, 3, lane="bits by gcc"))
def test_every_function_by_gcc(name, tmp_path):
    tool("gcc")
    robot = gough.load(name)
    everything_agrees(robot, Library(robot, tmp_path, ["gcc", "-O1", *STRICT]), size(10_000, 300))


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(ALL, 2, lane="bits by clang"))
def test_every_function_by_clang(name, tmp_path):
    tool("clang")
    robot = gough.load(name)
    everything_agrees(robot, Library(robot, tmp_path, ["clang", "-O1", *STRICT]), size(10_000, 300))


@pytest.mark.parametrize("name", sample(ALL, 2, lane="bits by tcc"))
def test_every_function_by_tcc(name, tmp_path):
    """A small compiler that does not optimise, and reads numbers into long doubles."""
    tool("tcc")
    robot = gough.load(name)
    everything_agrees(robot, Library(robot, tmp_path, ["tcc"]), size(10_000, 100))


@pytest.mark.parametrize("scale", [0.05, 45.0])
def test_reactions_are_determined_whatever_the_size_of_the_machine(scale, tmp_path):
    tool("tcc")
    legs = {"type": "UPS", "base": {"radius": 1.5 * scale, "half_angle": 0.26}}
    legs |= {"platform": {"radius": 0.75 * scale, "half_angle": 0.0}}
    angles = {"a": "rz", "b": "ry", "c": "rx"}
    platform = {"coordinates": {"x": "x", "y": "y", "z": "z"} | angles, "home": [0, 0, 2 * scale, 0, 0, 0]}
    platform |= {"mass": 1.4, "inertia": [0.2 * scale**2, 0.2 * scale**2, 0.4 * scale**2]}
    robot = build({"name": "scaled", "platform": platform, "legs": legs})
    x = np.array([[0.1 * scale, 0.0, 2 * scale, 1.5, -0.1, 0.05]])  # near a singular pose, at 1.57
    inputs = {"x": x, "xd": 0 * x, "xdd": 0 * x, "wrench": 0 * x}
    assert Library(robot, tmp_path, ["tcc"], ["reactions"])("reactions", inputs)["status"] == 0


def test_contraction_is_off_without_a_flag(tmp_path):
    tool("gcc")
    robot = gough.load("fivebar")
    library = Library(robot, tmp_path, ["gcc", "-std=gnu11", "-O2", "-march=native"], ["ik", "inverse", "forward"])
    everything_agrees(robot, library, 200)


def test_parameters_change_online(tmp_path):
    tool("tcc")
    robot = gough.load("delta")
    free = ("platform.mass", "gravity.2")
    library = Library(robot, tmp_path, ["tcc"], ["inverse", "forward", "computed-torque"], free)
    inputs = sample_inputs(robot, 50)
    changed = np.array(library.given.defaults) * [1.5, 0.9]
    for function in library.graphs:
        plain, other = library(function, inputs), library(function, inputs, changed)
        assert differing(plain, library.by_gough(function, inputs)) == 0
        assert differing(other, library.by_gough(function, inputs, changed)) == 0
    heavier = robot.replace(dict(zip(free, changed, strict=True)))
    want = gough.inverse_dynamics(
        heavier, gough.State(inputs["x"][:30], inputs["xd"][:30], inputs["xdd"][:30], wrench=inputs["wrench"][:30])
    )
    got = library("inverse", {name: v[:30] for name, v in inputs.items()}, changed)["force"]
    np.testing.assert_allclose(got, want.force, rtol=1e-11, atol=1e-11 * np.nanmax(np.abs(want.force)))
    assert len(functions_of(robot)) == 5
