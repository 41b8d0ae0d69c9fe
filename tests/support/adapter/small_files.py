"""Files other than robots: motors, envelopes, errors, measurements, recordings, studies, problems; good and bad."""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
from pyarrow import parquet

import gough
from tests.support.adapter import each, verdict
from tests.support.adapter.data import CALIBRATION, RECORDED, by_value
from tests.support.adapter.files import _refused
from tests.support.adapter.policies import FITTED, SOLVED
from tests.support.questions import Answer, Question, States

MOTOR = """name = "servo"
rotor_inertia = "0.28 kg cm^2"
gear = 5
lead = "10 mm"
screw_inertia = 1.2e-5
efficiency = 0.9
continuous = { rpm = [0, 3000, 5000], torque = [1.3, 1.3, 0.8] }
peak = { speed = [0, "3500 rpm", 600], torque = ["3.8 N m", 3.8, 2.2] }
"""
ENVELOPE = """[units]
length = "mm"
[pose]
x = ["-10 cm", 100]
psi = "5 deg"
[velocity]
shape = "ellipsoid"
z = "50 mm/s"
phi = "1.5 rpm"
[acceleration]
x = "1 m/s^2"
[payload]
mass = [0, "2000 g"]
mz = "300 kg mm"
xx = "5e6 g mm^2"
[wrench]
fz = "-5 kN"
mx = "200 N mm"
"""
ERRORS = """[tolerances]
distribution = "normal"
base = "0.1 mm"
platform = "50 um"
zero = "20 um"
encoder = "5 um"
backlash = "3 um"
"platform.com.0" = "1 mm"
"leg.*.base.0" = "0.2 mm"
[heat]
temperature = "2 K"
expansion = "1.2e-5 1/K"
scale_expansion = "8e-6 1/K"
[stiffness]
actuator = "20 N/um"
joint = "50 N/um"
link = "100 N/um"
"""
STUDY = """robot = "stewart"
machines = 40
seed = 1
measure = ["condition", "sigma_min"]
[[vary]]
number = "leg.*.base.*"
uniform = "0.1 mm"
[[reduce]]
kind = "quantiles"
at = [0.1, 0.9]
"""
PROBLEM = """robot = "stewart"
minimise = "peak force"
starts = 1
[poses]
box = { z = [1.98, 2.02] }
points = 2
[task]
velocity = { x = 0.5 }
wrench = { fx = 20 }
[limits]
force = 100
[[vary]]
number = "legs.base.radius"
bounds = ["90 %", "110 %"]
"""


def read(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Numbers of a motor, an envelope, error sources, measurements and recordings, in SI units."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)

        def written(text: str) -> Path:
            (place / "file").write_text(text)
            return place / "file"

        def motor() -> dict[str, Answer]:
            made = gough.read_motor(written(MOTOR))
            curves = [curve for curve in (made.continuous, made.peak) if curve is not None]
            values = [made.ratio, made.rotor_inertia, made.efficiency, made.behind]
            values += [v for curve in curves for v in (*curve.speed, *curve.torque)]
            return {"motor": Answer(np.array(values)[:, None])}

        def envelope() -> dict[str, Answer]:
            made = gough.read_envelope(robot, written(ENVELOPE))
            ranges = np.array([*made.pose, *made.payload, *made.wrench])
            return {
                "envelope": Answer(ranges),
                "rates": Answer(np.array([made.velocity, made.acceleration])),
                "balls": verdict([made.twist, made.velocity_ball, made.acceleration_ball]),
            }

        def errors() -> dict[str, Answer]:
            made = robot.with_errors(written(ERRORS))
            found, stiff = (
                gough.pose_errors(made, states["x"][:2]),
                gough.elasticity(made, states["x"][0]),
            )
            return {
                "errors.sd": Answer(found.sd, "wrench", SOLVED),
                "errors.compliance": Answer(stiff.compliance, policy=SOLVED),
            }

        def measured(name: str, **options: Any) -> dict[str, Answer]:
            made = gough.read_measurements(robot, CALIBRATION / f"{name}.csv", **options)
            return {
                f"{name}.values": Answer(made.m),
                f"{name}.missing": verdict(int(made.missing.sum())),
                f"{name}.lines": verdict(made.lines),
            }

        def recorded(name: str, found: gough.RecordedForces) -> dict[str, Answer]:
            fields = ("x", "xd", "xdd", "force")
            return {f"{name}.{field}": Answer(getattr(found, field)[::20], policy=FITTED) for field in fields}

        bars = [gough.Bar(f"d{k}", (0.1 * k, 0.2, 0.0), (0.0, 0.1 * k, 0.1)) for k in (1, 2, 3)]
        full = np.loadtxt(RECORDED / "motion.csv", delimiter=",", skiprows=1)[:200]
        units = _in_units((CALIBRATION / "full.csv").read_text())
        return each(
            {
                "motor": motor,
                "envelope": envelope,
                "errors": errors,
                "poses": lambda: measured("full"),
                "positions": lambda: measured("position"),
                "distances": lambda: measured("distance", bars=bars),
                "frames": lambda: measured("frames", tracker=True, target=True),
                "in units": lambda: {"in units": Answer(gough.read_measurements(robot, written(units), "mm,deg").m)},
                "recording": lambda: recorded("recording", gough.read_recording(robot, RECORDED / "motion.csv")),
                "readings": lambda: recorded(
                    "readings", gough.read_recording(robot, RECORDED / "encoders.csv", smooth=0.05)
                ),
                "arrays": lambda: recorded(
                    "arrays", gough.recorded_forces(robot, full[:, 0], full[:, 19:], full[:, 1:7])
                ),
                "displacements": lambda: recorded(
                    "displacements",
                    gough.recorded_forces(
                        robot,
                        full[:, 0],
                        full[:, 19:],
                        q=gough.inverse_kinematics(robot, full[:, 1:7]).q,
                        smooth="none",
                    ),
                ),
            }
        )


def _in_units(text: str) -> str:
    """A file of measurements without its last readings, lengths in mm and angles in degrees."""
    header, *rows = [line.split(",") for line in text.split()]
    turns = [name in ("psi", "theta", "phi") for name in header]
    factors = [57.29577951308232 if turn else 1e3 for turn in turns]
    lines = [[repr(float(v) * factor) for v, factor in zip(row, factors, strict=True)] for row in rows]
    lines[3][-1] = ""
    return "\n".join(",".join(line) for line in [header, *lines]) + "\n"


ROWS = "x,y,z,psi,theta,phi,q1,q2,q3,q4,q5,q6\n" + ",".join(["0.1"] * 12) + "\n"
BAD_FILES = Path(__file__).parents[2] / "data" / "bad_files.toml"


def bad(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Files with one fault each: exit code, line and key of what is refused."""
    recording = "\n".join((RECORDED / "motion.csv").read_text().splitlines()[:60]) + "\n"
    kinds: dict[str, tuple[str, Callable[[], Any]]] = {
        "motors": (MOTOR, lambda: gough.read_motor("file.toml")),
        "envelopes": (ENVELOPE, lambda: gough.read_envelope(robot, "file.toml")),
        "errors": (ERRORS, lambda: robot.with_errors("file.toml")),
        "studies": (STUDY, lambda: gough.Study.read("file.toml")),
        "problems": (PROBLEM, lambda: gough.optimise("file.toml")),
        "measurements": (ROWS, lambda: gough.calibrate(robot, "file.toml", folds=0)),
        "recordings": (recording, lambda: gough.identify(robot, "file.toml")),
    }
    answers = {}
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, text in {"columns": "x,w\n1,2\n", "cells": "x,z\n1\n", "rows": "x,z\n"}.items():
            Path(f"{name}.csv").write_text(text)
        Path("rows.parquet").write_text("no table")
        for kind, cases in tomllib.loads(BAD_FILES.read_text()).items():
            (text, call), outcomes = kinds[kind], []
            for name, (old, *new) in cases.items():
                if old not in text:
                    raise KeyError(f"{kind}, {name}: the file has no {old!r}")
                Path("file.toml").write_text(text.replace(old, new[0], 1) if new else "")
                outcomes.append(f"{name}: {_refused(call)}")
            Path("file.toml").unlink(missing_ok=True)
            answers[kind] = verdict([*outcomes, f"no file: {_refused(call)}"])
    return answers


def _machine(machine: Any) -> float:
    """A measure of the user: mass of the platform times the number of the machine."""
    return float(machine.robot.platform.body.mass) * (1 + machine.number)


def studies(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Studies in parts, on workers, resumed; poses of each kind; laws and ties; functions of the user."""
    first, home = robot.coordinate_names[0], float(robot.platform.home[0])
    mass = [{"number": "platform.mass", "uniform": "5 %"}]
    grid = {first: [home - 0.01, home + 0.01, 3]}
    box = {first: [home - 0.01, home + 0.01]}
    common: dict[str, Any] = {"robot": robot, "seed": 2, "measure": ["condition", "sigma_min"]}
    com = {"number": "platform.com.x", "normal": 0.001, "within": 2}
    normal = [{"number": "platform.mass", "normal": "5 %"}, com]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "poses.csv").write_text(f"{first}\n{home}\n{home + 0.01}\n")
        (place / "mine.py").write_text("def mine(machine):\n    return machine.robot.platform.body.mass\n")
        parquet.write_table(pyarrow.table({first: np.array([home, home - 0.01])}), place / "poses.parquet")
        tables: dict[str, dict[str, Any]] = {
            "grid": {"poses": {"grid": grid}},
            "points": {"poses": {"box": box, "points": 8, "seed": 3}},
            "random points": {"poses": {"box": box, "points": 5, "by": "random"}},
            "file": {"poses": {"file": "poses.csv"}},
            "table": {"poses": {"file": "poses.parquet"}, "vary": mass, "machines": 4},
            "laws": {"vary": [*normal, {"number": "leg.*.base.x", "bounds": [-0.001, 0.001]}], "machines": 20},
            "tied": {"vary": [{**mass[0], "ties": {"platform.com.x": 0.01}}], "machines": 20},
            "levels": {"vary": [{"number": "platform.mass", "grid": [1.0, 2.0, 3]}]},
            "function": {"vary": mass, "machines": 6, "measure": [_machine]},
            "function of a file": {"vary": mass, "machines": 6, "measure": ["mine:mine"]},
            "failing": {"vary": [{"number": "platform.mass", "list": [1.0, 2.0]}], "measure": ["condition", _raises]},
        }

        def one(name: str, table: dict[str, Any]) -> dict[str, Answer]:
            study = gough.Study.of(folder, **(common | {"keep": "rows"} | table))
            result = study.run(on_error="count")
            found = {f"{name}.result": by_value(result, SOLVED)}
            for column, values in result.read_rows().items():
                if np.asarray(values).dtype.kind in "fi":
                    found[f"{name}.{column}"] = Answer(np.asarray(values, dtype=float), policy=SOLVED)
            found[f"{name}.machine"] = Answer(
                np.array([*study.numbers_of(study.machines - 1).values()], dtype=float), policy=SOLVED
            )
            return found

        answers = each({name: lambda name=name, table=table: one(name, table) for name, table in tables.items()})  # type: ignore[misc]
        study = gough.Study.of(folder, **common, vary=mass, machines=600)
        answers["one go"] = by_value(study.run(), SOLVED)
        seen: list[tuple[int, int]] = []
        stop = _Stop()

        def progress(done: int, every: int) -> None:
            seen.append((done, every))
            if len(seen) == 2:
                raise stop

        try:
            study.run(out=place / "store", chunk=200, progress=progress)
        except _Stop:
            answers["parts done"] = verdict(seen)
        lines: list[str] = []
        resumed = study.run(out=place / "store", chunk=200, resume=True, tell=lines.append)
        answers["resumed"] = by_value(resumed, SOLVED)
        again = study.run(out=place / "store", chunk=200, resume=True)
        answers["resumed when done"] = verdict(again.to_json() == resumed.to_json())
        rows = gough.Study.of(folder, **common, vary=mass, machines=40, keep="rows")
        rows.run(out=place / "rows", chunk=20)
        damaged = sorted((place / "rows").rglob("*.parquet"))[0]
        damaged.write_bytes(damaged.read_bytes()[:-40])
        answers["damaged"] = by_value(rows.run(out=place / "rows", chunk=20, resume=True), SOLVED)
        answers["same bits"] = verdict([resumed.to_json() == study.run().to_json(), _on_threads(study)])
        answers["store again"] = verdict(_refused(lambda: study.run(out=place / "store")).replace(str(place), "."))
        other = gough.Study.of(folder, **common, vary=mass, machines=500)
        refusal = _refused(lambda: other.run(out=place / "store", resume=True))
        answers["store of another"] = verdict(refusal.replace(str(place), "."))
        answers["function raises"] = verdict(
            _refused(lambda: gough.Study.of(folder, **(common | tables["failing"])).run())
        )
    return answers


class _Stop(Exception):
    """Raised by a progress function in the middle of a study."""


def _raises(machine: Any) -> float:
    return 1.0 / (machine.number - 1)


def _on_threads(study: gough.Study) -> bool:
    """Whether workers give the bits of this process; they are threads of it, so that their lines are seen too."""
    import distributed

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        return study.run(client, chunk=200).to_json() == study.run().to_json()


def _question(name: str, function: Callable[..., Any], machines: tuple[str, ...], seconds: float = 60.0) -> Question:
    return Question(name, "files", machines, frozenset(), f"small_files:{function.__name__}", seconds)


TABLE = {
    question.name: question
    for question in (
        _question("small files read", read, ("stewart",)),
        _question("bad small files", bad, ("stewart",)),
        _question("studies in parts", studies, ("fivebar",)),
    )
}
