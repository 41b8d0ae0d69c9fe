"""Oracle lane: exported files opened by the engines themselves close their loops and take gough's forces."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

import gough
from gough.formats.engines.agreement import compare
from gough.formats.from_robot import linkage_of
from tests.support.exported import SdfEngine, exported_names, mujoco_engine, pinocchio_engine

pytestmark = pytest.mark.oracle

CLOSED = 1e-10
AGREE = 1e-9  # the engines' loop equations are differentiated numerically; the worst that was seen is 4e-12
QUICK = ("delta", "rps3", "cable8")
CABLES = ("cable8",)


def lane(names):
    return [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in names]


TREES = [name for name in gough.catalogue() if name not in CABLES]


@cache
def loaded(name):
    return gough.load(name)


def assert_agrees(robot, engine):
    found = compare(robot, engine, exported_names(robot))
    assert found.closure <= CLOSED
    assert found.force <= AGREE


@pytest.mark.parametrize("name", lane(gough.catalogue()))
def test_mujoco_opens_mjcf(tmp_path, name):
    file = tmp_path / "robot.xml"
    gough.export_robot(loaded(name), file)
    assert_agrees(loaded(name), mujoco_engine(file))


@pytest.mark.parametrize("name", lane(TREES))
def test_pinocchio_opens_urdf_and_its_loops(tmp_path, name):
    file = tmp_path / "robot.urdf"
    gough.export_robot(loaded(name), file)
    assert_agrees(loaded(name), pinocchio_engine(file))


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The program that prints what libsdformat reads."""
    found = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "sdformat12"], capture_output=True, text=True, check=False
    )
    if found.returncode or shutil.which("g++") is None:
        pytest.skip("libsdformat-dev, pkg-config or g++ is missing: what libsdformat reads of SDF files is not checked")
    program = tmp_path_factory.mktemp("sdf") / "reader"
    source = Path(__file__).with_name("sdf_reader.cc")
    subprocess.run(["g++", "-std=c++17", str(source), "-o", str(program), *found.stdout.split()], check=True)
    return program


@pytest.mark.slow  # the compiler takes its time
@pytest.mark.parametrize("name", TREES)
def test_libsdformat_opens_sdf(tmp_path, reader, name):
    file, robot = tmp_path / "robot.sdf", loaded(name)
    gough.export_robot(robot, file)
    homes = {c.name: c.home for c in linkage_of(robot).connections}
    assert_agrees(robot, SdfEngine(reader, file, homes))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('mass="0.525"', 'mass="0.526"'),
        ('armature="0.6261749999999999"', 'armature="0.627"'),
        ("1.055 -0.09 0", "1.056 -0.09 0"),
        ('polycoef="0 -1 0 0 0"', 'polycoef="0 -1.001 0 0 0"'),
    ],
)
def test_a_changed_number_is_seen(tmp_path, old, new):
    """The comparison fails where a mass, a rotor, a length or a ratio of one leg is another."""
    file, robot = tmp_path / "robot.xml", loaded("delta")
    gough.export_robot(robot, file)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    found = compare(robot, mujoco_engine(file), exported_names(robot), poses=3, states=2)
    assert found.closure > 100 * CLOSED or found.force > 100 * AGREE
