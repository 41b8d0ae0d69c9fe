"""Fuzz cases: a mutated file or command line, run as a user would, and what is wrong with the outcome.

Every case is made from its lane and number alone, so that one can be run again by itself:
`python -m tests.fuzz.cases robots 1234` shows it.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import gough
from gough import Motion, Robot, catalogue, cli, load
from gough.cli.new import KINDS, starter
from gough.design import read_envelope
from gough.errors import GoughError
from gough.robot import read_motor
from tests.design.envelopes import TEXTS
from tests.design.test_demand import MOTOR
from tests.robot.test_errors_table import BASES
from tests.support.lanes import SEED
from tests.support.mutate import EXTREME, INSERTED, mutant
from tests.support.robots import catalogue_text

LONGEST = 10.0
"""Seconds of processor time that a case may take."""
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202e]")


@cache
def robots() -> dict[str, str]:
    """Texts of robot files by name: starters, small ones, the catalogue, and one of it written joint by joint."""
    texts = {name: starter(name) for name in KINDS} | BASES
    for name in catalogue():
        texts[name] = catalogue_text(name)
    return texts | {"spatial3 in full": load("spatial3").explicit().to_toml()}


@dataclass(frozen=True)
class Outcome:
    """What came of a case: `how` is "accepted", "refused" (past the parser) or "parser"; `problem` is empty if fine."""

    how: str
    problem: str = ""
    text: str = ""


class TooLong(BaseException):
    """Not an Exception: nothing but the lane itself may catch it."""


@contextmanager
def limited() -> Iterator[None]:
    """At most `LONGEST` of processor time; by the clock sixty times that, for machines that are busy."""

    def stop(_number: int, _frame: object) -> None:
        raise TooLong

    before = [(number, signal.signal(number, stop)) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    signal.setitimer(signal.ITIMER_REAL, 60.0 * LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number, handler in before:
            signal.signal(number, handler)


def run(lane: str, number: int, folder: Path) -> Outcome:
    """One case."""
    rng = random.Random(f"{SEED} {lane} {number}")
    start = time.process_time()
    try:
        with limited():
            return LANES[lane](rng, folder)
    except TooLong:
        return Outcome("refused", f"more than {LONGEST:g} s ({time.process_time() - start:.1f} s of processor time)")
    except Exception:
        return Outcome("refused", f"a traceback:\n{traceback.format_exc(limit=-6)}")


def robot_case(rng: random.Random, folder: Path) -> Outcome:
    """A robot file: a robot that can be, or lines that say where it cannot."""
    base = rng.choice(sorted(robots()))
    changed = mutant(robots()[base], rng)
    path = folder / "robot.toml"
    path.write_bytes(changed.data)
    try:
        robot = gough.load(path)
    except GoughError as error:
        return Outcome(_how(str(error)), lines_problem(error, path, changed.line))
    return Outcome("accepted", unphysical(robot, rng))


def unphysical(robot: Robot, rng: random.Random) -> str:
    """What no machine can be like."""
    bodies = [robot.platform.body, *(joint.body for leg in robot.legs for joint in leg.joints)]
    for body in bodies:
        mass, inertia = float(body.mass), np.asarray(body.inertia, dtype=float)
        if not (np.isfinite(mass) and mass >= 0.0):
            return f"a mass of {mass}"
        if not np.isfinite(inertia).all() or not np.isfinite(np.asarray(body.com, dtype=float)).all():
            return f"an inertia of {inertia.tolist()} about {body.com}"
        if inertia.shape == (3, 3):
            least, middle, most = np.sort(np.linalg.eigvalsh(inertia))
            if least < -1e-9 * most or least + middle < most * (1.0 - 1e-6):
                return f"an inertia of principal moments {least}, {middle}, {most}"
    home = np.asarray(robot.platform.home, dtype=float)
    found = gough.inverse_kinematics(robot, home[None])
    numbers = np.concatenate([np.ravel(found.q), np.ravel(found.K)])
    if found.status[0] <= 1 and not np.isfinite(numbers).all():
        return f"status {found.status[0]} at home with displacements {found.q}"
    if found.status[0] > 1:
        return f"accepted, but its home has status {found.status[0]}"
    if rng.random() < 0.05:
        force = gough.inverse_dynamics(robot, home[None])
        spread = np.linalg.svd(found.K[0], compute_uv=False)
        solvable = spread[-1] > 1e-14 * spread[0]  # a home that is singular to the last digit has no forces
        if force.status[0] <= 1 and solvable and not np.isfinite(force.force).all():
            return f"status {force.status[0]} at home with forces {force.force}"
    return ""


def motion_case(rng: random.Random, folder: Path) -> Outcome:
    """A CSV motion."""
    name = rng.choice(("planar3rrr", "spatial3", "delta"))
    robot = _robot(name)
    text = _motion_text(name)
    path = folder / "motion.csv"
    changed = mutant(text, rng)
    path.write_bytes(changed.data)
    try:
        motion = Motion.read_csv(robot, str(path))
        found = gough.inverse_dynamics(robot, motion.sample(5))
    except GoughError as error:
        return Outcome(_how(str(error)), lines_problem(error, path, None))
    values = np.concatenate([np.ravel(part) for part in (found.x, found.xd, found.xdd)])
    fine = np.atleast_1d(found.status) <= 1
    if not np.isfinite(values).all() or not np.isfinite(found.force[fine]).all():
        return Outcome("accepted", "numbers that are not finite where the status is fine")
    return Outcome("accepted")


def motor_case(rng: random.Random, folder: Path) -> Outcome:
    """A motor file."""
    changed = mutant(MOTOR, rng)
    path = folder / "motor.toml"
    path.write_bytes(changed.data)
    try:
        motor = read_motor(path)
    except GoughError as error:
        return Outcome(_how(str(error)), lines_problem(error, path, changed.line))
    if not (np.isfinite(motor.rotor_inertia) and motor.rotor_inertia >= 0.0):
        return Outcome("accepted", f"a rotor inertia of {motor.rotor_inertia}")
    return Outcome("accepted")


def envelope_case(rng: random.Random, folder: Path) -> Outcome:
    """An envelope file."""
    name = rng.choice(sorted(TEXTS))
    changed = mutant(TEXTS[name], rng)
    path = folder / "envelope.toml"
    path.write_bytes(changed.data)
    try:
        read_envelope(_robot(name), str(path))
    except GoughError as error:
        return Outcome(_how(str(error)), lines_problem(error, path, changed.line))
    return Outcome("accepted")


VALUES: dict[str, list[str]] = {
    "ROBOT": ["planar3rrr", "spatial3", "planar", "robot.toml", "", "Stewart"],
    "--pose": ["home", "x=0.01", "y=10mm", "theta=5deg", "x=1e9", "q=1", "0,0,0", "x=0.01,x=0.02"],
    "--to": ["x=0.02", "y=0.01", "z=10mm", "theta=0.1", "x=1e3", "w=1"],
    "--from": ["home", "x=0.01", "y=-0.01"],
    "--duration": ["1", "0.5", "200ms", "1e-9", "1s", "1e300"],
    "--samples": ["2", "5", "11", "1", "1e12", "2.5"],
    "--times": ["0,0.5", "0", "0.5,0.1", "0,0.1,0.2"],
    "--units": ["mm,deg", "mm", "deg,ms", "parsec", "m,rad"],
    "--payload": ["1", "2,0,0,0.1", "-1", "1kg", "heavy"],
    "--wrench": ["1,0,0,0,0,0", "0,0,1e300,0,0,0", "1,2"],
    "--set": ["platform.mass=2", "gravity.0=1", "platform.mass=-1", "nothing=1", "platform.mass=x"],
    "--format": ["table", "csv", "json", "xml"],
    "--limit": ["force=10", "speed=1", "condition=10", "stroke=0,1", "force=-1", "wish=1"],
    "--out": ["o.csv", "o.json", "o.txt", "o.xlsx", "nowhere/o.csv", "."],
    "--states": ["2", "0", "1e15", "many"],
    "--stiffness": ["1e6", "1e6,1e6,1e6", "-1", "0", "1e300"],
    "--formulation": ["auto", "lagrange", "newton_euler", "magic"],
    "--convention": ["fixed-xyz", "uvw", "quaternion", "euler"],
    "--velocity": ["x=1", "0.1,0.1,0.1", "x"],
    "--seed": ["0", "1", "-1"],
    "--motion": ["reach", "circle", "none", "hold", "o.csv", "motion.csv"],
    "--for": ["0.01", "0", "-1", "1e-300"],
    "--controller": ["pd", "none", "computed-torque", "pdq"],
    "--bandwidth": ["5", "20", "1e5", "0", "nan"],
    "--sample-time": ["1e-3", "1e-10", "0"],
    "--ensemble": ["2", "0", "1e15"],
    "--vary": ["platform.mass=5%", "platform.mass=x", "nothing=1%"],
    "--legs": ["UPS", "delta", "XYZ"],
    "--by": ["body", "leg"],
    "--displacement": ["0,0,0", "A=0.1", "0.1,0.1,0.1", "A=1e9", "1,2"],
    "--guess": ["home", "x=0.01", "y=1e9"],
    "--smooth": ["auto", "none", "0.1", "-1"],
    "--json": [],
    "--parts": [],
    "--by-body": [],
    "--help": [],
    "--nothing": ["1"],
}
COMMANDS: dict[str, list[str]] = {
    "show": ["--units", "--set", "--json", "--pose"],
    "ik": ["--pose", "--units", "--format", "--velocity", "--convention", "--set"],
    "fk": ["--displacement", "--guess", "--format", "--units", "--convention"],
    "inverse": [
        "--smooth",
        "--to",
        "--from",
        "--duration",
        "--samples",
        "--times",
        "--units",
        "--payload",
        "--wrench",
        "--set",
    ]
    + ["--format", "--formulation", "--parts", "--by-body", "--out", "--motion"],
    "check": ["--limit", "--to", "--duration", "--units", "--json", "--out"],
    "verify": ["--states", "--seed", "--set", "--json", "--out"],
    "count": ["--by", "--json", "--set"],
    "modes": ["--pose", "--stiffness", "--format", "--units", "--set"],
    "new": ["--legs", "--out"],
    "size": ["--to", "--duration", "--payload", "--units", "--json", "--motion"],
    "simulate": ["--controller", "--bandwidth", "--sample-time", "--ensemble", "--vary", "--seed", "--set", "--units"],
    "robots": ["--json"],
    "info": ["--json"],
}


def command_case(rng: random.Random, folder: Path) -> Outcome:
    """A command line; some of its files are mutants too."""
    name = rng.choice(sorted(COMMANDS))
    words = [name]
    if name not in ("new", "robots", "info"):
        words.append(rng.choice(VALUES["ROBOT"]) if rng.random() < 0.3 else rng.choice(("planar3rrr", "spatial3")))
    for option in rng.sample(COMMANDS[name], min(len(COMMANDS[name]), rng.choice((0, 1, 1, 2, 3)))):
        words += _option(option, rng)
    if name == "verify" and "--states" not in words:
        words += ["--states", "2"]
    if name == "simulate" and "--for" not in words:
        words += ["--for", "0.001"]
    if rng.random() < 0.1:
        words += _option(rng.choice(sorted(set(VALUES) - {"ROBOT"})), rng)
    if rng.random() < 0.05:
        rng.shuffle(words)
    (folder / "robot.toml").write_bytes(mutant(robots()["planar3rrr"], rng).data)
    (folder / "motion.csv").write_bytes(mutant(_motion_text("planar3rrr"), rng).data)
    code, out, err = _called(words, folder)
    shown = " ".join(words)
    if RAW.search(out + err):
        return Outcome("refused", f"control characters from: {shown}")
    if code not in (0, 1, 2, 3, 4):
        return Outcome("refused", f"exit code {code} of: {shown}")
    told = [line for line in err.splitlines() if line]
    if code in (2, 4) and not (told and all(line.startswith("gough: ") for line in told)):
        return Outcome("refused", f"exit code {code} with {err!r} of: {shown}")
    if "nan" in out.lower().replace("nano", "") and code == 0 and "--help" not in words:
        return Outcome("accepted", f"NaN in the output of: {shown}")
    return Outcome("accepted" if code in (0, 1, 3) else "refused" if "see gough" not in err else "parser", "", shown)


def _option(option: str, rng: random.Random) -> list[str]:
    values = VALUES[option]
    if not values:
        return [option]
    value = rng.choice(values) if rng.random() < 0.85 else rng.choice([*EXTREME, *INSERTED, "", "x" * 10_000])
    return [option] if rng.random() < 0.02 else [f"{option}={value}"] if rng.random() < 0.2 else [option, value]


def _called(words: list[str], folder: Path) -> tuple[int, str, str]:
    import os

    out, err, here = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = cli.main(words)
    finally:
        os.chdir(here)
    return code, out.getvalue(), err.getvalue()


def lines_problem(error: GoughError, path: Path, line: int | None) -> str:
    """What is wrong with the lines of an error."""
    text = str(error)
    if RAW.search(text):
        return f"control characters: {text!r}"
    if error.exit_code not in (2, 3):
        return f"exit code {error.exit_code}: {text}"
    if error.exit_code == 2 and not all(row.startswith(str(path)) or "motion" in row for row in text.split("\n")):
        return f"a line without its file: {text}"
    if max(map(len, text.split("\n"))) > 2000:
        return "a line of more than 2000 characters"
    if line is not None and not any(row.startswith(f"{path}:{line}:") for row in text.split("\n")):
        return f"line {line} is wrong, told was: {text}"
    return ""


def _how(text: str) -> str:
    syntax = ("not valid TOML", "is not UTF-8", "is empty", "UTF-8")
    return "parser" if any(mark in text for mark in syntax) else "refused"


_robots: dict[str, Robot] = {}


def _robot(name: str) -> Robot:
    return _robots.setdefault(name, gough.load(name))


_motions: dict[str, str] = {}


def _motion_text(name: str) -> str:
    """A few rows of the robot's own motion."""
    if name not in _motions:
        robot = _robot(name)
        moved = Motion.named(robot).sample(7)
        rows = [",".join(["t", *moved.coordinates])]
        rows += [",".join(f"{v:.6g}" for v in (t, *x)) for t, x in zip(moved.t, moved.x, strict=True)]
        _motions[name] = "\n".join(rows) + "\n"
    return _motions[name]


LANES: dict[str, Callable[[random.Random, Path], Outcome]] = {
    "robots": robot_case,
    "motions": motion_case,
    "motors": motor_case,
    "envelopes": envelope_case,
    "commands": command_case,
}


def main(arguments: list[str]) -> None:
    """Run cases FIRST to LAST of a lane and print what is wrong with them; a single one with its files."""
    lane, first, last = arguments[0], int(arguments[1]), int(arguments[-1])
    folder = Path(tempfile.mkdtemp())
    counts: dict[str, int] = {}
    for number in range(first, max(last, first + 1)):
        found = run(lane, number, folder)
        counts[found.how] = counts.get(found.how, 0) + 1
        if found.problem or len(arguments) == 2:
            print(f"--- {lane} {number}: {found.how} {found.text}\n{found.problem}", flush=True)
        if len(arguments) == 2:
            for path in sorted(folder.iterdir()):
                print(f"--- {path.name}\n{path.read_bytes().decode('utf-8', 'backslashreplace')}")
    print(lane, first, last, counts, flush=True)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
