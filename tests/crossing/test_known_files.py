"""Known wrong answers at the doors: files, names, memory and processes. Each test states what is right."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import textwrap
import urllib.parse
import xml.dom.minidom
from pathlib import Path
from typing import Any

import pytest
import yaml

import gough
from tests.cli.running import outcome
from tests.crossing.known import known, require
from tests.support.robots import catalogue_text

FIVEBAR = catalogue_text("fivebar")


def _one_line(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The line of `gough arguments`, which is refused.

    Raises:
        AssertionError: It is not refused with exit code 2 and one line.
    """
    try:
        code, _, stderr = outcome(capsys, *arguments)
    except (Exception, SystemExit) as error:
        raise AssertionError(f"{type(error).__name__}: {error}"[:300]) from None
    lines = [line for line in stderr.splitlines() if line.startswith("gough: error:")]
    assert (code, len(lines)) == (2, 1), f"exit code {code}: {stderr[:300]}"
    return lines[0]


def _fresh(code: str, seconds: float, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a fresh process prints.

    Raises:
        AssertionError: It does not end in time.
    """
    run = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    try:
        return subprocess.run(run, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"no end within {seconds} s") from None


# Tracebacks.


@known("a tracker's file with z alone ends in a traceback")
def test_a_tracker_that_measures_one_coordinate_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "z.csv"
    file.write_text("z,q1,q2,q3,q4,q5,q6\n" + "".join(f"{z},{','.join([str(z + 0.28)] * 6)}\n" for z in (2.0, 2.1)))
    _one_line(capsys, "calibrate", "stewart", str(file), "--tracker")


LINK = (
    '<link name="{}"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
)
JOINT = (
    '<joint name="{}" type="revolute"><parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/>{}'
    '<origin xyz="0.1 0 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
)


@known("a joint that mimics one that is not there ends in StopIteration")
def test_a_mimic_of_an_unknown_joint_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = ['<link name="base"/>', LINK.format("a"), LINK.format("b"), JOINT.format("j", "base", "a", "")]
    parts.append(JOINT.format("k", "a", "b", '<mimic joint="nowhere"/>'))
    file = tmp_path / "arm.urdf"
    file.write_text(f'<robot name="arm">{"".join(parts)}</robot>')
    _one_line(capsys, "import", str(file), "--platform", "b", "--out", str(tmp_path / "arm.toml"))


HUGE = 10**400
LOOPS: dict[str, dict[str, Any]] = {
    "a huge home": {"home": {"A.R": HUGE}},
    "a huge gravity": {"gravity": [0, 0, HUGE]},
    "a huge home of the platform": {"home_platform": [HUGE] * 7},
    "a boolean home": {"home": {"A.R": True}},
}


@pytest.mark.parametrize("what", LOOPS)
@known("whole numbers beyond floats end in a traceback, and true is read as the number 1")
def test_a_file_of_loops_with_a_value_that_is_no_number_is_refused(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, loops = tmp_path / "delta.urdf", tmp_path / "delta.yaml"
    gough.export_robot(gough.load("delta"), file)
    loops.write_text(yaml.safe_dump(yaml.safe_load(loops.read_text()) | LOOPS[what]))
    _one_line(capsys, "import", str(file), "--platform", "platform", "--out", str(tmp_path / "back.toml"))


STUDY = """robot = "fivebar"
machines = 8
measure = ["{measure}"]
[[vary]]
number = "leg.A.base.x"
uniform = "1 mm"
"""
MODULES = {
    "latin_text": "name = '\xe9'\ndef f(robot):\n    return 1.0\n".encode("latin-1"),
    "exit_at_import": b"import sys\nsys.exit(0)\n",
    "exit_in_function": b"import sys\ndef f(robot):\n    sys.exit(0)\n",
}


@pytest.mark.parametrize("name", MODULES)
@known("a user's module that is not UTF-8 ends in a traceback; one that exits ends the study with 0 and no result")
def test_a_faulty_module_of_a_user_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / f"known_{name}.py").write_bytes(MODULES[name])
    (tmp_path / "study.toml").write_text(STUDY.format(measure=f"known_{name}:f"))
    _one_line(capsys, "study", str(tmp_path / "study.toml"))


GOOD = {
    "latin_declared": "# -*- coding: latin-1 -*-\n# \xe9\ndef f(robot):\n    return 1.0\n".encode("latin-1"),
    "dataclass": b"from __future__ import annotations\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass A:\n"
    b"    x: int = 1\n\n\ndef f(robot):\n    return 1.0\n",
}


@pytest.mark.parametrize("name", GOOD)
@known("a module with a stated encoding ends in a traceback, and one with a dataclass cannot be imported")
def test_a_module_that_python_imports_is_a_measure(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"known_{name}.py").write_bytes(GOOD[name])
    (tmp_path / "study.toml").write_text(STUDY.format(measure=f"known_{name}:f"))
    try:
        code, _, stderr = outcome(capsys, "study", str(tmp_path / "study.toml"))
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from None
    assert code == 0, stderr


RESUME = """
import sys
from gough import cli
sys.exit(cli.main(["study", sys.argv[1], "--out", sys.argv[2], "--resume"]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["study.json", "result.json"])
@known("a store whose file is a pipe is waited for without end")
def test_a_store_with_a_pipe_is_refused_or_made_again(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, store = tmp_path / "study.toml", tmp_path / "store"
    study.write_text(STUDY.format(measure="condition"))
    code, _, stderr = outcome(capsys, "study", str(study), "--out", str(store))
    require(code == 0, stderr)
    (store / name).unlink()
    os.mkfifo(store / name)
    done = _fresh(RESUME, 12, str(study), str(store))
    require("Traceback" not in done.stderr, done.stderr)


DRAWN = {
    "show": ("show", "{file}", "--png", "{out}.png"),
    "view": ("view", "{file}", "--png", "{out}.png"),
    "inverse": ("inverse", "{file}", "--motion", "{motion}", "--plot", "{out}.png"),
    "report": ("report", "{file}", "--motion", "{motion}", "--no-animation", "--states", "0", "--out", "{out}.html"),
}


@pytest.mark.parametrize(
    ("where", "command"),
    [("description", "show"), ("description", "view"), ("description", "report"), ("file", "inverse")],
)
@known("a dollar sign begins a formula in pictures: `$_$` in a text ends in a traceback")
def test_a_dollar_sign_is_drawn_as_it_is(
    where: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = "Five-bar linkage: two cranks move a point in a horizontal plane"
    require(own in FIVEBAR, "the file has its description")
    file = tmp_path / ("$_$.toml" if where == "file" else "robot.toml")
    file.write_text(FIVEBAR.replace(own, "costs $_$") if where == "description" else FIVEBAR)
    motion = tmp_path / "$_$.csv"
    motion.write_text("t,x,y\n" + "".join(f"{0.01 * k},{1e-4 * k * k},0.35\n" for k in range(9)))
    places = {"file": file, "motion": motion if where == "file" else "circle", "out": tmp_path / "picture"}
    try:
        code, _, stderr = outcome(capsys, *(word.format(**places) for word in DRAWN[command]))
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}"[:300]) from None
    assert code == 0, stderr


# Names.


@pytest.mark.parametrize(
    ("owner", "form"), [(o, f) for o in ("robot", "leg") for f in ("mjcf", "urdf", "sdf") if (o, f) != ("leg", "urdf")]
)
@known("a name with two dashes is written into a comment, where XML has no place for them")
def test_names_with_dashes_are_exported_as_xml(
    owner: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot, out = tmp_path / "robot.toml", tmp_path / f"out.{'xml' if form == 'mjcf' else form}"
    robot.write_text(FIVEBAR.replace('name = "fivebar"' if owner == "robot" else 'name = "A"', 'name = "a---b--c-"'))
    code, _, stderr = outcome(capsys, "export", form, str(robot), "--out", str(out))
    require(code == 0, stderr)
    try:
        xml.dom.minidom.parse(str(out))
    except Exception as error:
        raise AssertionError(f"no XML: {error}") from None


@pytest.mark.parametrize("name", ["math", "string", "stdio"])
@known("a robot named like a header of C is found in its place: NAME.h with -I of its folder")
def test_exported_c_of_a_robot_named_like_a_header_is_compiled(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = tmp_path / "robot.toml"
    robot.write_text(FIVEBAR.replace('name = "fivebar"', f'name = "{name}"'))
    folder = tmp_path / "c"
    code, _, _ = outcome(capsys, "export", "c", str(robot), "--out", str(folder))
    if code == 2:
        return
    compiler = shutil.which("cc")
    require(compiler, "a C compiler is installed")
    files = [str(file) for file in folder.glob("*.c")]
    made = [str(compiler), "-std=c99", "-Werror", "-ffp-contract=off", f"-I{folder}", *files, "-lm", "-o"]
    done = subprocess.run([*made, str(folder / "test")], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:300]


@pytest.mark.parametrize("owner", ["leg", "coordinate"])
@known("lines of exported C are wrapped within names: those of 50 characters make C that does not compile")
def test_exported_c_of_long_names_is_compiled(owner: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot, folder, long = tmp_path / "robot.toml", tmp_path / "c", 50 * "n"
    text = FIVEBAR.replace('name = "fivebar"', f'name = "{long}"')
    own, other = ('name = "A"', f'name = "{long}"') if owner == "leg" else ('{ x = "x"', f'{{ {long} = "x"')
    require(own in text, f"{own} is in the file")
    robot.write_text(text.replace(own, other))
    code, _, stderr = outcome(capsys, "export", "c", str(robot), "--out", str(folder))
    require(code == 0, stderr)
    run = [str(shutil.which("cc")), "-std=c99", "-ffp-contract=off", "-c", str(folder / f"{long}.c"), "-o"]
    done = subprocess.run([*run, str(folder / "o")], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr[:300]


@known("the report links its animation by a file name that is no address: `#` and `?` end it")
def test_a_report_links_its_animation_by_an_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a#?.html"
    options = ("--motion", "hold", "--animation", "--states", "0", "--out", str(file))
    code, _, stderr = outcome(capsys, "report", "fivebar", *options)
    require(code == 0, stderr)
    links = [link for link in re.findall(r'href="([^"]*)"', file.read_text()) if link.endswith(".3d.html")]
    require(links, "the report links its animation")
    parts = urllib.parse.urlsplit(links[0])
    assert (tmp_path / urllib.parse.unquote(parts.path)).is_file(), links[0]


@known("an actuator whose name begins with an underscore is left out of legends")
def test_every_actuator_is_in_the_legend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    robot, picture = tmp_path / "robot.toml", tmp_path / "forces.svg"
    robot.write_text(FIVEBAR.replace('name = "A"', 'name = "_A"'))
    code, _, stderr = outcome(capsys, "inverse", str(robot), "--motion", "circle", "--plot", str(picture))
    require(code == 0, stderr)
    texts = re.findall(r"<!-- (.*?) -->", picture.read_text())  # each text that is drawn
    require("B" in texts, "the other actuator is in the legend")
    assert "_A" in texts


# Memory and time.


PEAK = """
import re
from pathlib import Path
def peak():  # [kB] of this process alone: getrusage begins with what the process that started it had
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""


ROWS = """
import sys
import numpy as np, gough
robot, n = gough.load("fivebar"), int(sys.argv[2])
t = 1e-3 * np.arange(n)
x = np.stack([0.03 * np.sin(3 * t) + 0.01 * np.sin(7 * t), 0.35 + 0.02 * np.cos(2 * t)], axis=1)
run = gough.check if sys.argv[1] == "check" else gough.demand
run(robot, gough.Motion.from_samples(robot, gough.State(x[:50], t=t[:50])))
motion = gough.Motion.from_samples(robot, gough.State(x, t=t))
before = peak()
run(robot, motion)
print((peak() - before) / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("call", ["check", "demand"])
@known("all rows of a recording are in memory at once, 30 kB each: 100 000 rows take gigabytes")
def test_a_recording_is_gone_through_in_blocks(call: str) -> None:
    """Beyond the data 300 MB are enough for a million rows, so for 24 000 too."""
    done = _fresh(PEAK + ROWS, 20, call, "24000")
    require(done.returncode == 0, done.stderr)
    assert float(done.stdout) < 300.0


LISTENERS = """
import os, re, subprocess, sys, time
run = subprocess.Popen([sys.executable, "-m", "gough", "study", sys.argv[1], "--workers", "1"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
def family(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children") as file:
            return [pid, *(p for child in file.read().split() for p in family(int(child)))]
    except OSError:
        return []
most = 0
while run.poll() is None:
    listening = set()
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}") as file:
            listening |= {line.split()[9] for line in file.readlines()[1:] if line.split()[3] == "0A"}
    own = set()
    for pid in family(run.pid):
        try:
            for fd in os.listdir(f"/proc/{pid}/fd"):
                own |= set(re.findall(r"socket:.(\\d+)", os.readlink(f"/proc/{pid}/fd/{fd}")))
        except OSError:
            continue
    most = max(most, len(listening & own))
    time.sleep(0.05)
print(most, run.returncode)
"""


@known("worker processes of a study listen on ports of this machine without authentication, against SECURITY.md")
@pytest.mark.slow
def test_a_study_with_workers_opens_no_port(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(STUDY.format(measure="condition"))
    done = _fresh(LISTENERS, 60, str(tmp_path / "study.toml"))
    require(done.returncode == 0, done.stderr)
    most, code = done.stdout.split()
    require(code == "0", "the study ends well")
    assert int(most) == 0


MJCF = """<mujoco model="lever"><compiler angle="radian"/>{asset}
<worldbody>
  <body name="crank" pos="-0.1 0 0"><joint name="a" axis="0 0 1"/>{inertial}{geom}
    <body name="rod" pos="0 0.2 0"><joint name="elbow" axis="0 0 1"/>{inertial}
      <site name="here" pos="0.1 0.15 0"/></body>
  </body>
  <body name="plate" pos="0.1 0 0"><joint name="x" type="slide" axis="1 0 0"/>
    <joint name="y" type="slide" axis="0 1 0"/>{inertial}<site name="there" pos="-0.1 0.35 0"/></body>
</worldbody>
<equality><connect site1="here" site2="there"/></equality>
<actuator><motor joint="a"/><motor joint="x"/></actuator></mujoco>"""
IMPORT = """
import sys
from gough import cli
import gough, mujoco
gough.import_robot(sys.argv[2], "plate")
before = peak()
code = cli.main(["import", sys.argv[1], "--platform", "plate", "--out", sys.argv[1] + ".toml"])
print((peak() - before) / 1024, code)
"""


def _mjcf(folder: Path, asset: str = "", geom: str = "", name: str = "lever") -> Path:
    inertial = '<inertial pos="0 0.1 0" mass="0.5" diaginertia="0.01 0.01 0.01"/>'
    file = folder / f"{name}.xml"
    file.write_text(MJCF.format(asset=asset, geom=geom, inertial=inertial))
    return file


@known("MuJoCo is given the whole file, and waits at a mesh that is a pipe")
@pytest.mark.slow
def test_an_import_does_not_open_meshes(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "mesh.stl")
    file = _mjcf(tmp_path, '<asset><mesh name="m" file="mesh.stl"/></asset>', '<geom type="mesh" mesh="m"/>')
    done = _fresh(PEAK + IMPORT, 15, str(file), str(_mjcf(tmp_path, name="plain")))
    require(done.returncode == 0, done.stderr)


@known("MuJoCo is given the whole file, and makes room for a height field that gough does not need")
@pytest.mark.slow
def test_an_import_makes_no_room_for_height_fields(tmp_path: Path) -> None:
    """6000 x 6000 numbers are 144 MB in single precision."""
    field = '<asset><hfield name="h" nrow="6000" ncol="6000" size="1 1 1 1"/></asset>'
    done = _fresh(PEAK + IMPORT, 20, str(_mjcf(tmp_path, field)), str(_mjcf(tmp_path, name="plain")))
    require(done.returncode == 0, done.stderr)
    assert float(done.stdout.split()[-2]) < 100.0, done.stdout


@known("MuJoCo reads `<INCLUDE` as `<include`: files outside the folder of the imported one are opened")
@pytest.mark.slow
def test_an_import_includes_nothing_from_outside_its_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "outside.xml")
    inner = tmp_path / "inner"
    inner.mkdir()
    file = _mjcf(inner, '<INCLUDE file="../outside.xml"/>')
    done = _fresh(PEAK + IMPORT, 15, str(file), str(_mjcf(inner, name="plain")))
    require(done.returncode == 0, done.stderr)


CHAIN = """
import sys, time, gough
from pathlib import Path
def seconds(file):
    begun = time.process_time()
    try:
        gough.import_robot(file, "b", actuated=["j1"], compare=False)
    except gough.GoughError:
        pass
    return time.process_time() - begun
seconds(sys.argv[1])
print(*(seconds(file) for file in sys.argv[2:]))
"""


@pytest.mark.parametrize(("kind", "sizes"), [("fixed", (10, 2000, 8000)), ("revolute", (5, 10, 40))])
@known("the time of an import grows with the square of fixed links and with the cube of hinges in a row")
@pytest.mark.slow
def test_the_time_of_an_import_is_in_proportion_to_its_links(kind: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    """Four times as many links: four times the time, and half as much again for n log n and for noise."""
    files = []
    for links in sizes:
        names = ["l0", *(f"l{k}" for k in range(1, links)), "b"]
        parts = ['<link name="base"/>', *(LINK.format(name) for name in names), JOINT.format("j1", "base", "l0", "")]
        for first, second in itertools.pairwise(names):
            parts.append(JOINT.format(f"to_{second}", first, second, "").replace('"revolute"', f'"{kind}"'))
        files.append(tmp_path / f"chain{links}.urdf")
        files[-1].write_text(f'<robot name="chain">{"".join(parts)}</robot>')
    done = _fresh(CHAIN, 60, *map(str, files))
    require(done.returncode == 0, done.stderr)
    short, long = map(float, done.stdout.split())
    require(short > 0.005, f"{short} s are long enough to compare")
    assert long < 6.0 * short, f"{short} s, {long} s"


FORK = """
import os, signal, sys, threading, time
import numpy as np, gough
names = ("fivebar", "planar3rrr", "delta", "stewart")
def work(seed):
    robot = gough.load(names[seed % 4]).replace({"platform.mass": 1.0 + 1e-3 * seed})
    x = np.array([robot.platform.home])
    gough.inverse_dynamics(robot, gough.State(x, 0 * x, 0 * x))
work(0)
ended = threading.Event()
def go():
    seed = 1
    while not ended.is_set():
        work(seed)
        seed += 1
thread = threading.Thread(target=go)
thread.start()
hung = 0
for k in range(40):
    time.sleep(0.037)
    child = os.fork()
    if child == 0:
        signal.alarm(4)
        work(1000 + k)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    hung += os.WIFSIGNALED(status)
    if hung:
        break
ended.set()
thread.join()
print(hung)
"""


@known("locks of cached properties that another thread holds at a fork are never released in the child")
@pytest.mark.skipif(sys.version_info >= (3, 12), reason="cached properties have no lock from Python 3.12 on")
@pytest.mark.slow
def test_a_child_forked_while_another_thread_computes_does_not_hang() -> None:
    done = _fresh(FORK, 60)
    require(done.returncode == 0, done.stderr)
    assert int(done.stdout) == 0
