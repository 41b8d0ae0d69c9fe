"""Files: recordings, waypoints, texts of robots, addresses of numbers, and what is refused with its place."""

from __future__ import annotations

import re
import tempfile
import tomllib
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np

import gough
from gough.cli.motion_options import MotionOptions
from tests.support.adapter import kind_of_error
from tests.support.adapter.commands import run
from tests.support.adapter.policies import DERIVED, SMOOTHED, SMOOTHED_RATES, SOLVED
from tests.support.by_value import numbers
from tests.support.questions import NO_MACHINE, Answer, Question, States
from tests.support.robots import addresses, value_at

ROOT = Path(__file__).parents[3]
BAD_ROBOTS = ROOT / "tests" / "data" / "bad_robots"
BAD_MOTIONS = ROOT / "tests" / "data" / "bad_motions"


def _names(robot: gough.Robot) -> list[str]:
    return [c.name for c in robot.platform.coordinates if c.name not in robot.platform.dependent]


def _csv(header: list[str], rows: np.ndarray, separator: str = ",", comma: bool = False) -> str:
    lines = [separator.join(header), *(separator.join(f"{v:.10g}" for v in row) for row in rows)]
    text = "\n".join(lines) + "\n"
    return text.replace(".", ",") if comma else text


SMOOTHING = {"smooth": "smooth", "max_gap": "bridge"}
"""Options of a recording that are none of its file, by today's names."""


def recordings(robot: gough.Robot) -> dict[str, tuple[str, dict[str, Any]]]:
    """Twelve motion files with their options."""
    names, home = _names(robot), np.asarray(robot.platform.home, dtype=float)[: robot.dof]
    draw = np.random.default_rng(5)
    t = np.linspace(0.0, 1.0, 81)
    free = np.arange(1, robot.dof + 1)
    x = home + 0.02 * np.sin(2.0 * t[:, None] + 0.1 * free) - 0.02 * np.sin(0.1 * free)
    xd = 0.04 * np.cos(2.0 * t[:, None] + 0.1 * free)
    xdd = -0.08 * np.sin(2.0 * t[:, None] + 0.1 * free)
    noisy = x + 2e-6 * draw.standard_normal(x.shape)
    wrench = np.column_stack([np.sin(3 * t), np.cos(t), -10 * t])
    stack = lambda *columns: np.column_stack([t, *columns])  # noqa: E731
    rates = [f"xd_{name}" for name in names]
    accelerations = [f"xdd_{name}" for name in names]
    gap = np.delete(stack(x), slice(40, 43), axis=0)
    uneven = np.sort(draw.uniform(0.0, 1.0, 60))
    return {
        "poses": (_csv(["t", *names], stack(x)), {}),
        "rates": (_csv(["t", *names, *rates], stack(x, xd)), {}),
        "accelerations": (_csv(["t", *names, *rates, *accelerations], stack(x, xd, xdd)), {}),
        "noise": (_csv(["t", *names], stack(noisy)), {"smooth": "auto"}),
        "noise, period": (_csv(["t", *names], stack(noisy)), {"smooth": 0.1}),
        "noise, none": (_csv(["t", *names], stack(noisy)), {"smooth": "none"}),
        "wrench": (_csv(["t", *names, "fx", "fy", "fz"], stack(x, wrench)), {}),
        "semicolons": (_csv(["t", *names], stack(x), ";", comma=True), {}),
        "relative": (_csv(["t", *names], stack(x - home)), {"relative": True}),
        "gap": (_csv(["t", *names], gap), {"bridge": 0.2}),
        "uneven": (
            _csv(["t", *names], np.column_stack([uneven, home + 0.02 * np.sin(2.0 * uneven)[:, None] * free / 6])),
            {"smooth": "auto"},
        ),
        "missing": (_csv(["t", names[0]], stack(x[:, 0])), {"hold_missing": True}),
        "columns": (
            _csv(["Zeit", "A", "other"], stack(x[:, 0], x[:, -1])),
            {"columns": {"Zeit": "t", "A": names[0]}, "hold_missing": True},
        ),
        "units": (_csv(["t", *names], np.column_stack([1e3 * t, x])), {"units": "ms"}),
    }


def motion_files(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Values, rates and wrenches of recordings between their rows."""
    answers = {}
    times = np.linspace(0.05, 0.9, 6)
    for key, (text, options) in recordings(robot).items():
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            path = Path("motion.csv")
            path.write_text(text)
            try:
                smoothing = {new: options[own] for new, own in SMOOTHING.items() if own in options}
                layout = {key: value for key, value in options.items() if key not in SMOOTHING.values()}
                motion = gough.Motion.read_csv(robot, path, gough.CsvLayout(**layout), **smoothing)
            except gough.GoughError as error:
                answers[f"{key}.error"] = Answer(np.array(place(str(error))), "verdict", "verdict")
                continue
        found = motion(times)
        for name in ("x", "xd", "xdd"):
            answers[f"{key}.{name}"] = Answer(getattr(found, name), "coordinate", SMOOTHED, 1e-3)
        if (wrench := motion.wrench(times)) is not None:
            answers[f"{key}.wrench"] = Answer(np.asarray(wrench), "wrench", SMOOTHED, 1e-3)
        answers[f"{key}.duration"] = Answer(np.array([motion.duration]), policy=SOLVED)
    return answers


def conventions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Motion files in each convention of poses, about a pivot; waypoints by splines."""
    answers = {}
    times = np.linspace(0.05, 0.9, 4)
    t = np.linspace(0.0, 1.0, 41)
    home = np.asarray(robot.platform.home, dtype=float)
    # Columns of each convention; the third and fourth coordinate move.
    bend = 0.05 * t * t
    place_columns = [home[0] + bend, home[1] + 0 * t, home[2] - bend]
    files = {
        "fixed-xyz": (["x", "y", "z", "rx", "ry", "rz"], [*place_columns, bend, 0 * t, 2 * bend]),
        "uvw": (["x", "y", "z", "u", "v", "w"], [*place_columns, bend, 0 * t, 2 * bend]),
        "quaternion": (
            ["x", "y", "z", "qw", "qx", "qy", "qz"],
            [*place_columns, np.cos(bend), np.sin(bend), 0 * t, 0 * t],
        ),
    }
    for name, (header, columns) in files.items():
        for key, pivot in (("origin", None), ("pivot", (0.0, 0.05, 0.1))):
            with tempfile.TemporaryDirectory() as folder, chdir(folder):
                path = Path("motion.csv")
                path.write_text(_csv(["t", *header], np.column_stack([t, *columns])))
                try:
                    own = robot if pivot is None else robot.with_tool(pivot)
                    motion = gough.Motion.read_csv(own, path, gough.CsvLayout(convention=name))
                except gough.GoughError as error:
                    answers[f"{name}.{key}.error"] = Answer(np.array(place(str(error))), "verdict", "verdict")
                    continue
            found = motion(times)
            answers[f"{name}.{key}.x"] = Answer(found.x, "coordinate", SMOOTHED, 1e-3)
            answers[f"{name}.{key}.xdd"] = Answer(found.xdd, "coordinate", SMOOTHED_RATES, 1e-3)
    return answers


def waypoints(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Curves through poses, with and without times; moves by each law; arrays and functions of time."""
    names, home = _names(robot), np.asarray(robot.platform.home, dtype=float)[: robot.dof]
    free = np.arange(1, robot.dof + 1)
    t = np.linspace(0.0, 1.0, 5)
    x = home + 0.02 * np.sin(t[:, None] * free) * (t[:, None] > 0)
    to = home + 0.01 * free / robot.dof
    made: dict[str, Callable[[], gough.Motion]] = {
        "through": lambda: gough.Motion.through(robot, t, x),
        "arrays": lambda: gough.Motion.from_samples(robot, gough.State(x, t=t)),
        "arrays smoothed": lambda: gough.Motion.from_samples(
            robot, gough.State(np.repeat(x, 9, axis=0)[:41], t=np.linspace(0, 1, 41)), smooth="auto"
        ),
        "function": lambda: gough.Motion.from_function(
            robot, lambda s: (home + 0.01 * s**3, 0.03 * s**2 + 0 * home, 0.06 * s + 0 * home), 0.0, 1.0
        ),
        "slower": lambda: gough.Motion.to(robot, to, 0.5),
        **{
            f"law {law}": lambda law=law: gough.Motion.to(robot, to, 1.0, law=law)
            for law in ("minimum-jerk", "trig3", "cos")
        },
        "there and back": lambda: gough.Motion.to(robot, to, 1.0, back=True),
    }
    with tempfile.TemporaryDirectory() as folder:
        timed, plain = Path(folder) / "timed.csv", Path(folder) / "plain.csv"
        timed.write_text(_csv(["t", *names], np.column_stack([t, x])))
        plain.write_text(_csv(names, x))
        made["file"] = lambda: gough.Motion.read_waypoints(robot, timed)
        answers = {}
        for key, make in made.items():
            try:
                motion = make()
            except (gough.GoughError, TypeError) as error:
                answers[f"{key}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
                continue
            found = motion(np.linspace(0.0, 0.45, 4))
            for name in ("x", "xd", "xdd"):
                answers[f"{key}.{name}"] = Answer(getattr(found, name), "coordinate", SOLVED, 1e-3)
    return answers


def texts(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The robot's text read again, and its numbers with all legs written joint by joint."""
    text = robot.to_toml()
    again = gough.loads(text)
    found = gough.inverse_dynamics(again, gough.State(states["x"][:3], states["xd"][:3], states["xdd"][:3]))
    return {
        "numbers": Answer(numbers(robot.explicit().to_toml()), "values", SOLVED),
        "force": Answer(found.force, "actuator", SOLVED, 1e-3 * float(states["weight"])),
        "same": Answer(np.array(again == gough.loads(again.to_toml())), "verdict", "verdict"),
        "faults": Answer(np.array(len(gough.kinematic_faults(robot))), "verdict", "verdict"),
    }


KINDS = ("UPS", "PUS", "RUS", "SRU", "delta", "PPa", "UPU", "RPS", "PRS", "tricept", "RRR", "cable", "joints")
"""Kinds of legs of the files that one starts from."""


def starters(robot: Any, states: States) -> dict[str, Answer]:
    """Files to start from, of each kind of legs: read, and asked for displacements and forces about home."""
    answers = {}
    for kind in KINDS:
        made = gough.loads(run(f"new --legs {kind}")[1])
        home = np.asarray(made.platform.home, dtype=float)[: made.dof]
        rate = 0.1 * np.sin(np.arange(1, made.dof + 1))
        found = gough.inverse_dynamics(made, gough.State(home, rate, rate))
        answers[f"{kind}.q"] = Answer(found.q[None], "actuator", SOLVED, 1e-3)
        answers[f"{kind}.force"] = Answer(found.force[None], "actuator", SOLVED, 1e-3)
        changed = gough.loads(made.to_toml())
        answers[f"{kind}.written"] = Answer(
            np.asarray(gough.inverse_kinematics(changed, home).q)[None], policy=SOLVED, size=1e-3
        )
        answers[f"{kind}.legs"] = Answer(np.array([leg.name for leg in made.legs]), "names", "names")
    return answers


def settings(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Up to forty numbers of the robot's file, each set by its address, read again, and its effect on forces."""
    known = addresses(robot)
    if "legs" in tomllib.loads(str(states["text"])):  # numbers of the file itself, not of the legs that it expands to
        known = {path: value for path, value in known.items() if not path.startswith("leg.")}
    chosen = sorted(known)[:: max(1, len(known) // 40)][:40]
    one = {name: states[name][:1] for name in ("x", "xd", "xdd")}
    answers = {"addresses": Answer(np.array(sorted(known)), "names", "names")}
    values, effects, outcomes = [], [], []
    for path in chosen:
        effect = np.full(len(robot.actuators), np.nan)
        value = np.nan
        try:
            changed = robot.replace({path: known[path] * 1.02 + 0.001})
            value = value_at(changed, path)
            effect = np.ravel(gough.inverse_dynamics(changed, gough.State(**one)).force)
            outcome = "set"
        except gough.GoughError as error:
            outcome = kind_of_error(error)
        values.append(value)
        effects.append(effect)
        outcomes.append(f"{path} {outcome}")
    answers["values"] = Answer(np.array(values, dtype=float)[:, None], policy="round-off", size=1e-6)
    answers["forces"] = Answer(np.array(effects), "actuator", DERIVED, 1e-3 * float(states["weight"]))
    answers["outcomes"] = Answer(np.array(outcomes), "verdict", "verdict")
    return answers


def place(message: str) -> str:
    """File, line and key that a message begins with, of all its lines; words are free to change."""
    found = []
    for line in message.splitlines():
        parts = line.split(": ")
        kept = [part for part in parts[:2] if re.fullmatch(r"[\w./*-]+(:\d+)?", part)]
        found.append(" ".join(kept))
    return "; ".join(found)


def bad_robots(robot: Any, states: States) -> dict[str, Answer]:
    """Robot files with one fault each: exit code, line and key."""
    bases = {path.stem: path.read_text() for path in BAD_ROBOTS.glob("*.toml") if not path.stem.startswith("cases_")}
    answers = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for table in sorted(BAD_ROBOTS.glob("cases_*.toml")):
            outcomes = []
            for case in tomllib.loads(table.read_text())["case"]:
                text = bases[case["base"]]
                for old, new in case["edits"]:
                    text = text.replace(old, new, 1)
                Path("robot.toml").write_text(text)
                outcomes.append(f"{case['id']}: {_refused(lambda: gough.load('robot.toml'))}")
            answers[table.stem] = Answer(np.array(outcomes), "verdict", "verdict")
    return answers


def _refused(call: Callable[[], Any]) -> str:
    """Exit code and place of what a call refuses."""
    try:
        call()
    except gough.GoughError as error:
        return f"{error.exit_code} {place(str(error))}"
    return "accepted"


def bad_motions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Motion files with one fault each: exit code, line and column."""
    outcomes = []
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for case in tomllib.loads((BAD_MOTIONS / "files.toml").read_text("utf-8"))["case"]:
            Path("motion.csv").write_text(case["text"])
            read = gough.Motion.read_waypoints if case.get("waypoints") else gough.Motion.read_csv
            layout = gough.CsvLayout(case.get("units", ""))
            outcomes.append(f"{case['id']}: {_refused(lambda: read(robot, 'motion.csv', layout))}")  # noqa: B023
        contents = {"utf-16": "t,y\n".encode("utf-16"), "binary": bytes(range(256)), "zeros": b"t,y\0,z,theta\n"}
        for name, content in contents.items():
            Path("motion.csv").write_bytes(content)
            outcomes.append(f"{name}: {_refused(lambda: gough.Motion.read_csv(robot, 'motion.csv'))}")
    return {"outcomes": Answer(np.array(outcomes), "verdict", "verdict")}


def bad_calls(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Calls with wrong arguments: the class of what they raise."""
    nan = float("nan")
    n, home = robot.dof, np.asarray(robot.platform.home, dtype=float)[: robot.dof]
    zero, t = np.zeros(n), np.arange(5.0)
    move = gough.Motion.to(robot, home, 1.0)
    calls: dict[str, Callable[[], Any]] = {
        "motion unknown": lambda: gough.Motion.named(robot, "nosuch"),
        "motion and goal": lambda: MotionOptions(motion="hold", to=",".join(map(str, home)), duration="1").on(robot),
        "no duration": lambda: MotionOptions(to=",".join(map(str, home))).on(robot),
        "law": lambda: gough.Motion.to(robot, home, 1.0, law="nosuch"),
        "duration": lambda: gough.Motion.to(robot, home, -1.0),
        "pose short": lambda: gough.Motion.to(robot, [1.0], 1.0),
        "pose nan": lambda: gough.Motion.to(robot, np.full(n, nan), 1.0),
        "time late": lambda: move(2.0),
        "time nan": lambda: move(nan),
        "samples": lambda: move.sample(1),
        "wrench": lambda: move.with_wrench([1, 2, 3]),
        "arrays": lambda: gough.Motion.from_samples(robot, gough.State(np.zeros((4, n)), t=t)),
        "arrays nan": lambda: gough.Motion.from_samples(robot, gough.State(np.full((5, n), nan), t=t)),
        "times back": lambda: gough.Motion.from_samples(robot, gough.State(np.tile(home, (5, 1)), t=[0, 1, 2, 1.5, 3])),
        "rates wrong": lambda: gough.Motion.from_samples(
            robot, gough.State(np.tile(home, (5, 1)), np.ones((5, n)), t=t)
        ),
        "ik shape": lambda: gough.inverse_kinematics(robot, np.zeros(n + 1)),
        "ik text": lambda: gough.inverse_kinematics(robot, "home"),
        "fk shape": lambda: gough.forward_kinematics(robot, [1.0, 2.0]),
        "dynamics shape": lambda: gough.inverse_dynamics(robot, gough.State(home, zero, zero[:1])),
        "dynamics wrench": lambda: gough.inverse_dynamics(robot, gough.State(home, wrench=[1.0])),
        "formulation": lambda: gough.inverse_dynamics(robot, home, formulation="nosuch"),
        "address": lambda: robot.replace({"platform.nosuch": 1.0}),
        "value": lambda: robot.replace({"platform.mass": -1.0}),
        "payload": lambda: robot.with_payload(-1.0),
        "check limit": lambda: gough.check(robot, move, {"nosuch": 1.0}),
        "check limit value": lambda: gough.check(robot, move, {"force": -1.0}),
        "workspace": lambda: gough.workspace(robot, cells=-1),
        "bind": lambda: gough.bind(robot, "nosuch"),
        "simulate": lambda: gough.simulate(robot, None, None, -1.0),
        "derivatives": lambda: gough.force_derivatives(robot, home, wrt=("nosuch",)),
        "modes": lambda: gough.modes(robot, stiffness=-1.0),
        "envelope": lambda: gough.envelope_of(robot, "[pose]\nnosuch = [0, 1]\n"),
        "motor": lambda: gough.motor_of('name = "m"\n'),
        "optimise": lambda: gough.optimise({"robot": robot, "nosuch": 1}),
        "study": lambda: gough.Study.of(".", robot=robot, measure=["nosuch"]),
        "errors": lambda: robot.with_errors({"tolerances": {"nosuch": "1 mm"}}),
        "load": lambda: gough.load("nosuch"),
        "loads": lambda: gough.loads("name = "),
        "export": lambda: gough.export_robot(robot, "r.nosuch"),
        "import": lambda: gough.import_robot("nosuch.xml"),
        "calibrate": lambda: gough.calibrate(robot, "nosuch.csv"),
        "identify": lambda: gough.identify(robot, "nosuch.csv"),
        "fastest": lambda: gough.fastest(robot, move, {}, cells=-3),
        "move": lambda: gough.move(robot, move, {"speed": 1.0}, jerk=-1.0),
    }
    outcomes = []
    for name, call in calls.items():
        try:
            call()
            outcomes.append(f"{name}: accepted")
        except gough.GoughError as error:
            outcomes.append(f"{name}: {error.exit_code}")
        except (TypeError, ValueError, OSError) as error:
            outcomes.append(f"{name}: {kind_of_error(error)}")
    return {"outcomes": Answer(np.array(outcomes), "verdict", "verdict")}


def _question(
    name: str, function: Callable[..., Any], machines: tuple[str, ...] | None, seconds: float = 60.0
) -> Question:
    return Question(name, "files", machines, frozenset(), f"files:{function.__name__}", seconds)


FOUR = ("stewart", "delta", "rps3", "cable8")
TABLE = {
    question.name: question
    for question in (
        _question("motion files", motion_files, (*FOUR, "spatial3")),
        _question("conventions of motion files", conventions, ("stewart", "hexapod", "cable8", "rotary")),
        _question("curves through poses", waypoints, (*FOUR, "spatial3")),
        _question("robot files written and read", texts, None),
        _question(
            "numbers by address", settings, ("stewart", "delta", "rps3", "cable8", "hexapod", "tricept", "sru"), 120.0
        ),
        _question("files to start from", starters, (NO_MACHINE,), 120.0),
        _question("bad robot files", bad_robots, (NO_MACHINE,), 300.0),
        _question("bad motion files", bad_motions, ("spatial3",)),
        _question("bad calls", bad_calls, ("stewart", "delta")),
    )
}
