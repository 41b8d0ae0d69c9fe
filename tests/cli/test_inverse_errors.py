"""Errors lane of inverse dynamics: the exact line, the exit code, nothing written."""

from __future__ import annotations

import shlex
from functools import cache

import numpy as np
import pytest

import gough
from gough.errors import GoughError
from tests.cli.running import outcome

START = "t,x,y,z\n0,0,0,-0.7\n"
FILES = {
    "one.csv": START,
    "text.csv": START + "1,0,zero,-0.7\n",
    "nan.csv": START + "1,0,nan,-0.7\n",
    "back.csv": START + "1,0,0,-0.7\n0.5,0,0,-0.8\n",
    "twice.csv": START + "0,0,0,-0.8\n",
    "gap.csv": START + "1,0,-0.7\n",
    "missing.csv": "t,x,y\n0,0,0\n1,0,0\n",
    "extra.csv": "t,x,y,z,w\n0,0,0,-0.7,1\n1,0,0,-0.7,1\n",
    "rates.csv": "t,x,y,z,xd_x,xd_y,xd_z\n" + "".join(f"{k},{k / 100},0,-0.7,10,0,0\n" for k in range(6)),
    "part.csv": "t,x,y,z,xd_z\n0,0,0,-0.7,0\n1,0,0,-0.7,0\n",
    "way.csv": "t,x,y,z,xd_x,xd_y,xd_z\n0,0,0,-0.7,0,0,0\n1,0,0,-0.7,0,0,0\n",
    "empty.csv": "",
}
WAYS = "(give --motion, or --waypoints, or --to and --duration)"
NAMED = "(known: pick-and-place, circle, hold)"
METHODS = "newton_euler, virtual_work, generalized_momentum, orthogonal_complement, lagrange"
UNITS = "m, cm, mm, in, rad, deg, s, ms, min, N, kN, lbf, kgf, N m, N mm, kgf cm"
HELP = "(see gough inverse --help)"

CALLS = [
    ("stewrat", "stewrat: no such file or catalogue robot (did you mean stewart?)"),
    ("", f"inverse: ROBOT is missing: robot name (see `gough robots`) or TOML file {HELP}"),
    ("delta --motoin circle", f"inverse: no such option --motoin; did you mean --motion? {HELP}"),
    (
        "delta --motion",
        f"inverse: --motion NAME|FILE: the value is missing; one of the robot's motions, or a CSV file {HELP}",
    ),
    ("delta --motion pik", f'--motion: "pik": no such motion of delta, nor a file {NAMED}'),
    ("delta --motion ''", f'--motion: "": no such motion of delta, nor a file {NAMED}'),
    ("delta --motion no.csv", "no.csv: no such file (motions by name: pick-and-place, circle, hold)"),
    ("delta --motion folder.png", "folder.png: is a folder (name the file in it)"),
    ("delta --motion one.csv", "one.csv: has one row: a motion needs at least 2"),
    ("delta --motion text.csv", 'text.csv:3: y: "zero": must be a number'),
    ("delta --motion nan.csv", 'nan.csv:3: y: "nan": must be a finite number (fill the gap or remove the row)'),
    ("delta --motion back.csv", "back.csv:4: t: 0.5: must be later than the row before, 1 (sort the rows by time)"),
    ("delta --motion twice.csv", "twice.csv:3: t: 0: is the time of the row before too (remove one of the two rows)"),
    ("delta --motion gap.csv",
     "gap.csv:3: has 3 cells, the header has 4 (is a cell missing, or the file cut off?)"),
    ("delta --motion missing.csv", "missing.csv:1: z: is missing (header: t,x,y; --hold-missing keeps it at home)"),
    ("delta --motion extra.csv",
     'extra.csv:1: "w": no such column (known: t, x, y, z, rates xd_ and xdd_, wrench fx to mz; --columns gives '
     "other names, and leaves out the rest)"),
    ("delta --motion rates.csv",
     "rates.csv:3: xd_x: 10: does not agree with x, which changes there by about 0.01 per s (rates are per second in "
     "the unit of the coordinate; without xd_ and xdd_ columns they are computed)"),
    ("delta --motion part.csv", "part.csv:1: xd_x: is missing (rates are given for all coordinates or for none)"),
    ("delta --motion empty.csv", "empty.csv: is empty (it needs the header t,x,y,z and at least 2 rows)"),
    ("delta --waypoints way.csv", 'way.csv:1: "xd_x": no such column (waypoints have no rates; a motion file may)'),
    ("delta --waypoints no.csv", "no.csv: no such file"),
    ("delta --motion circle --to z=-0.8 --duration 1", f"--to: cannot go with --motion {WAYS}"),
    ("delta --motion circle --waypoints way.csv", f"--waypoints: cannot go with --motion {WAYS}"),
    ("delta --to z=-0.8", f"--duration: missing: --to needs it {WAYS}"),
    ("delta --duration 1", f"--to: missing: --duration needs it {WAYS}"),
    ("delta --from z=-0.8 --duration 1", f"--to: missing: --from needs it {WAYS}"),
    ("delta --law cos", f"--to: missing: --law needs it {WAYS}"),
    ("delta --to w=1 --duration 1", "--to w=1: no coordinate w (known: x, y, z)"),
    ("delta --to z=up --duration 1", "--to z=up: up is not a number, with or without a unit (mm, cm, m or in)"),
    ("delta --to z=5deg --duration 1", "--to z=5deg: z slides, so its unit must be mm, cm, m or in, not deg"),
    ("delta --to 0,0 --duration 1",
     "--to 0,0: 2 values for 3 coordinates; give x, y, z in this order, or some by name (x=0)"),
    ("stewart --to psi=15 --duration 1", "--to psi=15: more than a turn; for degrees write 15deg (or 15rad)"),
    ("delta --to z=-800 --duration 1 --units furlong", f'--units: "furlong": no such unit (known: {UNITS})'),
    ("delta --to z=-800 --duration 1 --units mm,cm", '--units: "cm": length is stated already as mm'),
    ("delta --to z=-0.8 --duration 0", "--duration: 0: must be a positive number (e.g. 2 or 500ms)"),
    ("delta --to z=-0.8 --duration -1", "--duration: -1: must be a positive number (e.g. 2 or 500ms)"),
    ("delta --to z=-0.8 --duration soon", '--duration: "soon": must be a positive number (e.g. 2 or 500ms)'),
    ("delta --to z=-0.8 --duration 1 --law linear",
     '--law: "linear": no such law (known: minimum-jerk, trig3, cos)'),
    ("delta --times 0,0.1 --samples 5", "--times: cannot go with --samples"),
    ("delta --times 0,soon", "--times 0,soon: soon is not a finite number; give seconds, e.g. 0,0.5,1"),
    ("delta --times 0,,1", "--times 0,,1: a number is missing; give seconds, e.g. 0,0.5,1"),
    ("delta --times nan", "--times nan: nan is not a finite number; give seconds, e.g. 0,0.5,1"),
    ("delta --times 0,99",
     "--times 0,99: 99 s is outside the motion pick-and-place, from 0 s to 0.9 s"),
    ("delta --times 0.2,0.1", "--times 0.2,0.1: must increase, 0.1 s comes after 0.2 s"),
    ("delta --samples 1", "--samples 1: must be a whole number from 2 to 10000000"),
    ("delta --samples many", "--samples many: must be a whole number from 2 to 10000000"),
    ("delta --samples 2.5", "--samples 2.5: must be a whole number from 2 to 10000000"),
    ("delta --samples 1000000000", "--samples 1000000000: must be a whole number from 2 to 10000000"),
    ("delta --formulation newton",
     f"--formulation newton: must be auto, {METHODS}, koditschek or virtual_work_full (did you mean newton_euler?)"),
    ("delta --wrench 1,2,3", "--wrench 1,2,3: must be six numbers fx,fy,fz,mx,my,mz, not 3"),
    ("delta --wrench 1,2,3,4,5,up",
     "--wrench 1,2,3,4,5,up: up is not a finite number; give fx,fy,fz,mx,my,mz"),
    ("delta --wrench fz=1,up=2",
     "--wrench fz=1,up=2: up=2: name parts of it as fx, fy, fz, mx, my, mz, e.g. fz=400N,my=2"),
    ("delta --wrench fz=1,fz=2", "--wrench fz=1,fz=2: fz is stated twice"),
    ("delta --wrench 0,0,1e300,0,0,0",
     "--wrench 0,0,1e300,0,0,0: 1e300 is larger than 1e+12; in SI units unless --units says so"),
    ("delta --to z=-0.8 --duration 1e-200", "--duration: 1e-200: must be between 1e-06 s and 1e+09 s"),
    ("delta --payload 1e300", "--payload 1e300: 1e300 is larger than 1e+12; in SI units unless --units says so"),
    ("delta --payload 2e5", "--payload 2e5: the mass must be greater than 0 and at most 100000 kg"),
    ("delta --payload heavy", "--payload heavy: heavy is not a finite number; give mass or mass,x,y,z"),
    ("delta --payload -2", "--payload -2: the mass must be greater than 0 and at most 100000 kg"),
    ("delta --payload 2,0.1", "--payload 2,0.1: must be mass or mass,x,y,z, not 2 numbers"),
    ("delta --payload 2,0,0,inf", "--payload 2,0,0,inf: inf is not a finite number; give mass or mass,x,y,z"),
    ("delta --set platform.mas=2",
     "--set platform.mas: no such number in the robot (did you mean platform.mass?)"),
    ("delta --set platform.mass=-1", "--set: platform.mass: -1: must be greater than 0"),
    ("delta --format jsn", "--format jsn: must be table, json or csv (did you mean json?)"),
    ("delta --out nowhere/f.csv", "--out nowhere/f.csv: no such folder nowhere"),
    ("delta --out folder.png", "--out folder.png: is a folder; name a file in it"),
    ("delta --out f.xlsx", "--out f.xlsx: the file's name must end in .txt, .csv, .json or .parquet"),
    ("delta --format csv --out f.json",
     "--format csv: --out f.json ends in .json; name it f.csv, or leave --format out"),
    ("delta --plot forces.jpg", "--plot forces.jpg: the file's name must end in .png, .svg or .pdf"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "line"), CALLS, ids=[arguments for arguments, _ in CALLS])
def test_a_bad_call_gets_its_line(capsys, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.png").mkdir()
    words = shlex.split(arguments)
    extra = [] if "--out" in words or words[-1:] == ["--motion"] else ["--out", "f.csv"]
    assert outcome(capsys, "inverse", *words, *extra) == (2, "", f"gough: error: {line}\n")
    assert {entry.name for entry in tmp_path.iterdir()} == {*FILES, "folder.png"}


def test_a_robot_without_motions_says_how_to_give_one(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome(capsys, "new", "--legs", "UPS", "--out", "mine.toml")
    name = gough.load("mine.toml").name
    line = f"--motion: missing: {name} has no default motion {WAYS[:-1]}; --motion hold stays at home)"
    assert outcome(capsys, "inverse", "mine.toml") == (2, "", f"gough: error: {line}\n")
    assert outcome(capsys, "inverse", "mine.toml", "--motion", "hold")[0] == 0


@cache
def delta():
    return gough.load("delta")


@cache
def home():
    return np.array(delta().platform.home)


O = np.zeros(3)


@cache
def twice():
    return np.array([home(), home()])


BAD = float("nan")
EXPECTED = "expected (3,) or (N, 3)"

PYTHON = [
    (lambda: gough.inverse_dynamics("delta", home()),
     "robot: 'delta' given, expected a Robot: gough.load(name or file)"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(home(), O, [0, 0])),
     f"input xdd: shape (2,) given, {EXPECTED}"),
    (lambda: gough.inverse_dynamics(delta(), gough.State([[home()]], O, O)),
     "x: shape (1, 1, 3) given, expected (n,) or (N, n)"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(home(), O, "fast")),
     "input xdd: text values given, expected real numbers of shape (3,) or (N, 3)"),
    (lambda: gough.State(home(), None, O), "xdd: accelerations need rates too; give xd"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), [O, O, O], O)),
     "state: different numbers of samples: x has 2, xd has 3"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), O, [O, [0, BAD, 0]])),
     "xdd: sample 1: y is nan: must be finite"),
    (lambda: gough.inverse_dynamics(delta(), [0, 0, float("inf")]), "x: z is inf: must be finite"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(home(), wrench=[1, 2, 3])),
     "input wrench: shape (3,) given, expected (6,) or (N, 6)"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), wrench=[0, 0, BAD, 0, 0, 0])),
     "wrench: fz is nan: must be finite"),
    (lambda: gough.inverse_dynamics(delta(), home(), formulation="lagrnge"),
     f"formulation 'lagrnge': choose auto, {METHODS}, koditschek, virtual_work_full (did you mean lagrange?)"),
    (lambda: gough.inverse_dynamics(delta(), home(), formulation=3),
     f"formulation 3: choose auto, {METHODS}, koditschek, virtual_work_full"),
    (lambda: gough.inverse_dynamics(delta(), home(), formulation="kane"),
     f"formulation 'kane': choose auto, {METHODS}, koditschek, virtual_work_full"),
    (lambda: gough.inverse_dynamics(delta(), home(), formulation=gough.Lagrange),
     "formulation Lagrange: is a class; give a value of it: Lagrange()"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), t=[0])),
     "state: different numbers of samples: x has 2, t has 1"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), t=[0, BAD])), "t: must be finite"),
    (lambda: gough.inverse_dynamics(delta(), gough.State(twice(), t="now")),
     "input t: text values given, expected real numbers of shape a number or (N,)"),
    (lambda: gough.inverse_dynamics(delta(), 5), "x: int given, expected real numbers of shape (n,) or (N, n)"),
    (lambda: gough.inverse_dynamics(delta(), "circle"),
     "x: str given, expected real numbers of shape (n,) or (N, n)"),
    (lambda: gough.inverse_dynamics(delta(), gough.Motion.named(delta())),
     "x: Motion given, expected real numbers of shape (n,) or (N, n); its states are motion.sample()"),
    (lambda: gough.inverse_dynamics(delta(), gough.Motion.named(delta(), "circle").sample(1)),
     "samples: 1: must be at least 2 (both ends are sampled)"),
    (lambda: gough.inverse_dynamics(delta(), gough.Motion.named(delta(), "circle").sample([0, 9])),
     "motion circle: t: 9: must be within 0 and 1 s, where the motion is defined"),
    (lambda: gough.inverse_dynamics(delta(), gough.Motion.named(delta()).with_wrench([1, 2]).sample()),
     'wrench: "[1, 2]": must be six finite numbers: fx fy fz mx my mz'),
    (lambda: gough.inverse_dynamics(delta(), gough.Motion.named(gough.load("planar3rrr")).sample()),
     "state: is for coordinates x, y, phi; delta has x, y, z"),
    (lambda: delta().with_payload(-1), "delta: payload.mass: -1: must be greater than 0"),
    (lambda: delta().with_payload(BAD), "delta: payload.mass: nan: must be a finite number"),
    (lambda: delta().with_payload(2, [0, 0]), "delta: payload.com: [0, 0]: must be three numbers [x, y, z] (2 given)"),
    (lambda: delta().with_payload(2, O, [1, 1, 3, 0, 0, 0]),
     "delta: payload.inertia: [1, 1, 3, 0, 0, 0]: not physical: the largest principal moment exceeds the sum of the "
     "others, 3 > 1 + 1 kg m^2 (check [units] inertia, about, and the order xx, yy, zz, xy, xz, yz)"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "line"), PYTHON, ids=[line for _, line in PYTHON])
def test_a_bad_call_in_python_gets_its_line(call, line):
    with pytest.raises(GoughError) as caught:
        call()
    assert (str(caught.value), caught.value.exit_code) == (line, 2)


def test_a_single_pose_out_of_reach_is_raised():
    with pytest.raises(GoughError) as caught:
        gough.inverse_dynamics(delta(), home() - [0, 0, 3])
    assert (str(caught.value), caught.value.exit_code) == ("leg A is out of reach by 2.38 m", 3)


def test_a_result_is_written_whole_or_not_at_all(tmp_path):
    result = gough.inverse_dynamics(delta(), gough.Motion.named(delta()).sample(2))
    with pytest.raises(FileNotFoundError):
        result.to_csv(tmp_path / "nowhere" / "f.csv")
    assert list(tmp_path.iterdir()) == []
