"""`gough export c`: the files it writes, the self-test on this machine, and what it refuses."""

from __future__ import annotations

import random
import re
import subprocess

import pytest

import gough
from gough.cli import main
from gough.codegen.c_interface import enum_names
from gough.codegen.c_numbers import literal
from tests.codegen.compiled import STRICT, run, tool
from tests.support.lanes import SEED

MINE = """
name = "3-rps"
gravity = [0, 0, -9.81]
[units]
length = "mm"
angle = "deg"
acceleration = "m/s^2"
[platform]
coordinates = { x = "x", y = "y", z = "z", yaw-c = "rz", pitch = "ry", roll = "rx" }
dependent = ["x", "y", "yaw-c"]
home = [0, 0, 600, 0, 0, 0]
mass = 20
inertia = [3e5, 3e5, 5e5]
[legs]
type = "RPS"
base = { radius = 300, angles = [0, 110, 245] }
platform = { radius = 200, angles = [0, 110, 245] }
"""


@pytest.fixture(scope="module")
def delta(tmp_path_factory):
    folder = tmp_path_factory.mktemp("delta")
    gough.export_c(gough.load("delta"), folder, "ik,fk,inverse", parameters="platform.mass")
    return folder


def test_files_compile_strictly_and_pass_their_own_test(delta):
    assert sorted(file.name for file in delta.iterdir()) == ["README.md", "delta.c", "delta.h", "delta_selftest.c"]
    tool("gcc")
    run(
        "gcc",
        "-O1",
        *STRICT,
        "-ffp-contract=off",
        delta / "delta.c",
        delta / "delta_selftest.c",
        "-lm",
        "-o",
        delta / "t",
    )
    told = run(delta / "t")
    assert "delta: all results as expected" in told
    assert len((delta / "README.md").read_text().splitlines()) <= 10


def test_the_header_tells_wanted_from_measured(tmp_path):
    """A controller's x is the motion to follow; what fk cannot reach from its guess, it cannot either."""
    gough.export_c(gough.load("fivebar"), tmp_path, "ik,computed-torque")
    header = " ".join((tmp_path / "fivebar.h").read_text().replace("*", " ").split())
    assert header.count("in: wanted motion, platform coordinates") == 1
    assert header.count("in: wanted motion") == 3
    assert "fk and computed_torque take a fixed number of steps from the guess" in header


def test_the_header_is_for_cpp_too(delta):
    tool("g++")
    (delta / "use.cpp").write_text(
        '#include "delta.h"\n#include "delta.h"\n'
        "int main() { double x[3] = {0, 0, -0.8}, o[3] = {}, q[3], K[9]; int leg;\n"
        "delta_parameters p = delta_defaults;\n"
        "return delta_ik(&p, x, o, o, q, o, o, K, &leg) == DELTA_FINE && DELTA_ACTUATORS == 3 ? 0 : 1; }\n"
    )
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-c", delta / "use.cpp", "-o", delta / "use.o")
    run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-c", delta / "delta.c", "-o", delta / "d.o")


@pytest.mark.parametrize("flag", ["-ffast-math", "-mfpmath=387"])
def test_the_header_refuses(flag, delta, tmp_path):
    tool("gcc")
    words = ["gcc", flag, "-c", delta / "delta.c", "-o", tmp_path / "delta.o"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode != 0
    assert "#error" in done.stderr


def test_mutated_constants_fail_the_self_test(delta, tmp_path):
    """Numbers of the equations of forces, each changed in its last digits."""
    tool("tcc")
    source = (delta / "delta.c").read_text()
    start = source.index("int delta_inverse(")
    places = list(re.finditer(r"\d\.\d{6,}(?![\de])", source[start:]))
    assert places
    for found in random.Random(SEED).sample(places, min(6, len(places))):
        at = start + found.start()
        changed = repr(float(found[0]) * (1.0 + 1e-13))
        (tmp_path / "delta.c").write_text(source[:at] + changed + source[at + len(found[0]) :])
        run("tcc", f"-I{delta}", tmp_path / "delta.c", delta / "delta_selftest.c", "-lm", "-o", tmp_path / "t")
        done = subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=False)
        assert done.returncode == 1, found[0]
        assert "FAILED" in done.stdout


def test_stack_is_no_deeper_than_stated(tmp_path):
    tool("gcc")
    gough.export_c(gough.load("stewart"), tmp_path, "inverse,forward")
    for level, vectors in (("-O0", False), ("-O2", True)):
        run("gcc", level, "-fstack-usage", "-c", tmp_path / "stewart.c", "-o", tmp_path / "s.o")
        used = {}
        for line in next(tmp_path.glob("*.su")).read_text().splitlines():
            place, size, _ = line.split("\t")
            used[place.split(":")[-1]] = int(size)
        header = (tmp_path / "stewart.h").read_text()
        found = re.findall(r"Stack:[\s*]*at[\s*]+most[\s*]+(\d+)[\s*]+bytes(?:,[\s*]+(\d+))?", header)
        stated = [int(wide if vectors and wide else plain) for plain, wide in found]
        inner = sum(size for name, size in used.items() if name in ("stewart_sincos", "stewart_reduced"))
        for name, most in zip(("stewart_inverse", "stewart_forward"), stated, strict=True):
            assert used[name] + inner <= most


def test_a_robot_of_ones_own(tmp_path):
    """Names with digits and dashes, units of its own, not symmetric."""
    tool("tcc")
    file = tmp_path / "mine.toml"
    file.write_text(MINE)
    assert main(["export", "c", str(file), "--out", str(tmp_path / "out")]) == 0
    out = tmp_path / "out"
    header = (out / "robot_3_rps.h").read_text()
    # The legs have closed forms: it is what follows the coordinates that iterates.
    said = " ".join(header.replace(" * ", " ").split())
    assert (
        "- x, y, yaw-c are found by iteration: OUT_OF_REACH and OTHER_BRANCH of legs 1, 2, 3 are NOT_CONVERGED;" in said
    )
    assert "closed by iteration" not in said
    assert "ROBOT_3_RPS_DEPENDENT_YAW_C" in header
    run("tcc", out / "robot_3_rps.c", out / "robot_3_rps_selftest.c", "-lm", "-o", out / "t")
    assert "all results as expected" in run(out / "t")


@pytest.mark.parametrize(
    ("options", "line"),
    [
        (["--function", "ik,inv"], "function 'inv': choose ik, fk, inverse, forward, computed-torque, reactions"),
        (
            ["--function", "reactions"],
            "reactions: delta is overconstrained or redundant; its motion does not determine",
        ),
        (["--parameters", "platform.mas"], "platform.mas: no such number in the robot (did you mean platform.mass?)"),
        (["--name", "3x"], "name '3x': must be a C identifier (e.g. robot_3x)"),
        (["--name", "while"], "name 'while': must be a C identifier (e.g. robot_while)"),
        (["--parameters", "legs.crank.length"], "parameters legs.crank.length: fk is certain for one geometry only"),
    ],
)
def test_what_is_refused(options, line, tmp_path, capsys):
    assert main(["export", "c", "delta", "--out", str(tmp_path / "new"), *options]) == 2
    assert line in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("names", "constants"),
    [
        (("1", "2"), ("HEAD_LEG_1", "HEAD_LEG_2")),
        (("front-left", "Front Right"), ("HEAD_LEG_FRONT_LEFT", "HEAD_LEG_FRONT_RIGHT")),
        (("a.b", "a b", "a_b_2", "A-B"), ("HEAD_LEG_A_B", "HEAD_LEG_A_B_3", "HEAD_LEG_A_B_2", "HEAD_LEG_A_B_4")),
        (("\u03b1", "\u03b21", "Gr\u00f6\u00dfe"), ("HEAD_LEG_ALPHA", "HEAD_LEG_BETA_1", "HEAD_LEG_GROSSE")),
        (("+", "-"), ("HEAD_LEG_UNNAMED", "HEAD_LEG_UNNAMED_2")),
    ],
)
def test_constants_are_named_as_what_they_number(names, constants):
    assert tuple(enum_names("head", "leg", names)) == constants


def test_numbered_legs_in_the_header(tmp_path):
    gough.export_c(gough.load("stewart"), tmp_path, "ik")
    header = (tmp_path / "stewart.h").read_text()
    ones = ", ".join(f"STEWART_ACTUATOR_{k}" for k in range(1, 7))
    assert f"{ones}, STEWART_ACTUATORS" in re.sub(r"\s+", " ", header)
    assert "ROBOT_1" not in header


def test_literals():
    for value in (0.1, 9.81, 1e-300, 5e-324, 2.0**-1022, 1.7976931348623157e308, 1 / 3):
        text = literal(value)
        assert (float.fromhex(text) if "0x" in text else float(text)) == value
    assert literal(-2.0) == "(-2.0)"
    assert literal(0.1, single=True) == "0.1f"
    assert literal(2.0, single=True) == "2.0f"
