"""Each file that gough writes can be read by the program it is for, with the same numbers, whatever names it contains.

A case is a name and what has it: the robot, a leg or a coordinate. A name is a word of C, Python, YAML, XML or of gough
itself, a number, a long one, or drawn at random. It may be refused; it may not make a file that cannot be read.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import random
import re
import subprocess
import tomllib
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml

import gough
from gough import cli
from tests.support.lanes import SEED, size

WORDS = (
    # C and C++, their headers and macros
    *"int double const restrict inline register main struct auto class new this bool true false not xor".split(),
    *"math string stdio stdlib errno float limits assert complex NAN INFINITY EOF NULL I M_PI DBL_MAX INT_MAX".split(),
    *"sin sqrt fabs isnan memcpy printf exit x xd xdd q qd force wrench guess leg status parameters residual".split(),
    *"defined __LINE__ __FILE__ _Bool _Complex asm typeof linux unix i386 ik inverse forward selftest robot".split(),
    # numbers, and what YAML reads as something else than text
    *"0 1 007 1e5 1E-5 -1 -0 1_000 0x10 0b1 0o7 null Null NULL yes Yes no NO on off y n true TRUE 2020-01-01".split(),
    *"nan inf -inf infinity 1e400 12-30 1-2-3 e1 E".split(),
    # XML and HTML
    *"xml XML xml-a world default body joint amp lt quot CDATA -- --- a--b a- -a - a---b--c- _- -_".split(),
    # Python, and names of devices and files
    *"None True self __init__ __class__ import lambda print con nul aux prn CON COM1 src tmp".split(),
    # gough's own words and columns
    *"t time status q_A q_B qd_A force_A force_B power_A xd_x xd_y xdd_x base_fx base_mz x_y y B platform base".split(),
    *"home legs actuator joint crank rod spin A-B A_B a_b a-b der-x leg_A kind value unit name P end tool".split(),
    *"_ __ ___ _a a_ __a _1 -- -1- Aa aA AA".split(),
)
LONG = (*("n" * count for count in (31, 32, 50, 63, 64, 99, 100)), *("a-" * count for count in (20, 50)))
ROLES = ("robot", "leg", "coordinate")


def drawn_names(count: int) -> list[str]:
    """Names of the words above, long ones, and random ones, without repetition."""
    rng = random.Random(f"{SEED} names")
    letters = "abzABZ019__--"
    known = list(dict.fromkeys((*WORDS, *LONG)))
    rng.shuffle(known)
    more = ["".join(rng.choices(letters, k=rng.randint(1, 12))) for _ in range(count)]
    return list(dict.fromkeys((*known, *more)))[:count]


def cases() -> list[tuple[str, str]]:
    """Names, each with what has it, drawn too."""
    rng = random.Random(f"{SEED} roles")
    every = [(name, rng.choice(ROLES)) for name in drawn_names(300)]
    every = [case for case in every if case not in (("B", "leg"), ("y", "coordinate"))]  # the five-bar's own
    return every[: size(300, 6)]


def groups() -> list[tuple[str, ...]]:
    """Names by five: of the robot, both legs and both coordinates."""
    names = drawn_names(300)
    return [tuple(names[k : k + 5]) for k in range(0, size(300, 5), 5)]


def text_of(robot: str = "fivebar", leg: str = "A", coordinate: str = "x", other: str = "B", second: str = "y") -> str:
    """The five-bar with other names."""
    text = (Path(gough.__file__).parent / "robot" / "catalog" / "fivebar.toml").read_text()
    for old, new in (
        ('name = "fivebar"', f'name = "{robot}"'),
        ('name = "A"', f'name = "{leg}"'),
        ('name = "B"', f'name = "{other}"'),
        ('{ x = "x", y = "y" }', f'{{ "{coordinate}" = "x", "{second}" = "y" }}'),
    ):
        assert old in text
        text = text.replace(old, new)
    return text


@cache
def plain() -> gough.Robot:
    return gough.load("fivebar")


POSE, RATE, RATE_D = (np.array([row]) for row in ([0.02, 0.35], [0.3, -0.2], [1.0, 2.0]))


def read_toml(robot: gough.Robot, file: Path, folder: Path) -> None:
    text = robot.to_toml()
    assert tomllib.loads(text)["name"] == robot.name
    again = gough.loads(text)
    assert (again.name, again.actuator_names, again.coordinate_names) == (
        robot.name,
        robot.actuator_names,
        robot.coordinate_names,
    )
    np.testing.assert_array_equal(*(gough.inverse_kinematics(r, POSE).q for r in (again, robot)))


def read_csv(robot: gough.Robot, file: Path, folder: Path) -> None:
    """Every column once, and with the numbers of the machine with plain names."""
    texts = [gough.inverse_dynamics(r, gough.State(POSE, RATE, RATE_D)).to_csv() for r in (robot, plain())]
    (header, *rows), (_, *expected) = (list(csv.reader(io.StringIO(text))) for text in texts)
    assert len(set(header)) == len(header), header
    assert rows == expected


def read_json(robot: gough.Robot, file: Path, folder: Path) -> None:
    words = ["size", str(file), "--to", f"{robot.coordinate_names[1]}=0.37", "--duration", "1s", "--format", "json"]
    written = json.loads(command(*words))
    assert list(written["actuators"]) == list(robot.actuator_names)


def command(*words: str) -> str:
    """What `gough words` prints.

    Raises:
        gough.InputError: It is refused.
    """
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(words)
    if code == 2:
        assert err.getvalue().startswith("gough: error:"), err.getvalue()
        raise gough.InputError(err.getvalue())
    assert code in (0, 1), err.getvalue()
    return out.getvalue()


def read_c(robot: gough.Robot, file: Path, folder: Path) -> None:
    """Compiled with its own test, which then passes."""
    command("export", "c", str(file), "--out", str(folder / "c"), "--function", "ik")
    sources = sorted((folder / "c").glob("*.c"))
    made = folder / "c" / "made"
    flags = ["-std=c99", "-Wall", "-Werror", "-ffp-contract=off", f"-I{folder / 'c'}"]
    done = subprocess.run(["gcc", *flags, *sources, "-lm", "-o", made], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:500]
    assert subprocess.run([made], capture_output=True, check=False).returncode == 0


def read_fmu(robot: gough.Robot, file: Path, folder: Path) -> None:
    """fmpy accepts the description, and finds each variable once."""
    import fmpy

    written = gough.export_fmu(robot, folder / "made.fmu", "inverse")
    names = [v.name for v in fmpy.read_model_description(str(written)).modelVariables]
    assert len(set(names)) == len(names)


def read_mjcf(robot: gough.Robot, file: Path, folder: Path) -> None:
    import mujoco

    command("export", "mjcf", str(file), "--out", str(folder / "made.xml"))
    ElementTree.parse(folder / "made.xml")
    model = mujoco.MjModel.from_xml_path(str(folder / "made.xml"))
    assert [model.actuator(k).name for k in range(model.nu)] == drive_names(robot)


def drive_names(robot: gough.Robot) -> list[str]:
    return [f"{leg.name}.{joint.name}" for leg in robot.legs for joint in leg.joints if joint.actuated]


def read_urdf(robot: gough.Robot, file: Path, folder: Path) -> None:
    """Pinocchio finds the joints, and the file of loops names links and joints of the tree, as text."""
    import pinocchio

    command("export", "urdf", str(file), "--out", str(folder / "made.urdf"))
    tree = ElementTree.parse(folder / "made.urdf").getroot()
    assert set(drive_names(robot)) <= set(pinocchio.buildModelFromUrdf(str(folder / "made.urdf")).names)
    loops = yaml.safe_load((folder / "made.yaml").read_text())
    named = {element.attrib["name"] for element in tree.iter() if element.tag in ("link", "joint")}
    words = {word for word in texts_of(loops) if "." in word}
    assert words <= named | set(drive_names(robot)), words - named


def texts_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, entry in value.items() for text in (*texts_of(key), *texts_of(entry))]
    if isinstance(value, list):
        return [text for entry in value for text in texts_of(entry)]
    return [value] if isinstance(value, str) else []


def read_sdf(robot: gough.Robot, file: Path, folder: Path) -> None:
    command("export", "sdf", str(file), "--out", str(folder / "made.sdf"))
    joints = [element.attrib["name"] for element in ElementTree.parse(folder / "made.sdf").getroot().iter("joint")]
    assert set(drive_names(robot)) <= set(joints)
    assert len(set(joints)) == len(joints)


class Words(HTMLParser):
    """Texts of a page, and elements that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("meta", "link", "br", "img", "hr", "input", "path", "line", "circle", "rect", "use", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


WRITERS: dict[str, Callable[[gough.Robot, Path, Path], None]] = {
    "toml": read_toml,
    "csv": read_csv,
    "json": read_json,
    "c": read_c,
    "fmu": read_fmu,
    "mjcf": read_mjcf,
    "urdf": read_urdf,
    "sdf": read_sdf,
}
KNOWN = {
    ("csv", "coordinate", r"t|status|(q|qd|force|power)_[AB]|xd_y|xdd_y|base_[fm][xyz]"): "takes the place of a column",
    ("fmu", "coordinate", r"time|status|(q|qd|force)_[AB]|wrench_[fm][xyz]"): "is also the name of a variable",
    ("c", "robot", r"math|string|stdio|stdint"): "is found in place of a header",
    ("c", "robot|leg|coordinate", r".{85,}"): "lines are wrapped within names",
    ("mjcf|urdf|sdf", "robot|leg", r".*---.*"): "two dashes are written into a comment of XML",
}
"""Patterns of writers, roles and names, with what is wrong: left out until the marks in test_known_files.py and
test_known_numbers.py go, which have a fixed case of each."""


def is_known(writer: str, role: str, name: str) -> bool:
    """True if the file is known to be wrong."""
    return any(all(map(re.fullmatch, patterns, (writer, role, name))) for patterns in KNOWN)


def refused(error: gough.GoughError, *names: str) -> None:
    """A name may be refused, by an error that quotes it."""
    assert any(name in str(error) for name in names), error


@pytest.mark.parametrize(("name", "role"), cases())
def test_files_are_read_whatever_a_thing_is_called(name, role, tmp_path):
    file = tmp_path / "robot.toml"
    file.write_text(text_of(**{role: name}))
    try:
        robot = gough.load(file)
    except gough.GoughError as error:
        return refused(error, name)
    refusing = []
    for writer, read in WRITERS.items():
        if not is_known(writer, role, name):
            try:
                read(robot, file, tmp_path)
            except gough.GoughError as error:
                refused(error, name)
                refusing.append(writer)
    assert len(refusing) <= 2, f"refused by {refusing}: what most files cannot contain, a robot should not be called"


def test_few_names_are_refused():
    """Of those of all cases one in twenty at most: a refused name is compared with nothing."""
    refusals = 0
    for k, name in enumerate(drawn_names(size(300, 60))):
        try:
            gough.loads(text_of(**{ROLES[k % len(ROLES)]: name}))
        except gough.GoughError as error:
            refused(error, name)
            numbered = ROLES[k % len(ROLES)] == "coordinate" and name.isdecimal()  # addresses count with whole numbers
            refusals += name not in ("B", "y") and not numbered  # two legs or two coordinates of one name
    assert refusals <= size(300, 60) // 20


@pytest.mark.filterwarnings("ignore:No artists with labels found")  # wrong: see test_known_lanes.py
@pytest.mark.parametrize("names", groups(), ids=" ".join)
def test_reports_are_read_whatever_things_are_called(names, tmp_path):
    """All elements are closed, and every name is shown."""
    file, made = tmp_path / "robot.toml", tmp_path / "made.html"
    file.write_text(text_of(*names))
    try:
        robot = gough.load(file)
        to = ["--to", f"{robot.coordinate_names[1]}=0.37", "--duration", "1s"]
        command("report", str(file), *to, "--states", "0", "--out", str(made))
    except gough.GoughError as error:
        return refused(error, *names)
    page = Words()
    page.feed(made.read_text())
    assert not page.open, page.open
    shown = " ".join(page.texts)
    for name in (robot.name, *robot.actuator_names, *robot.coordinate_names):
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", shown), f"{name} is not shown"
