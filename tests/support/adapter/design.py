"""Sizing over motions and envelopes, motors, proofs, planners and comparisons."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import gough
from tests.support.adapter import each, kind_of_error, verdict
from tests.support.adapter.commands import INPUTS
from tests.support.adapter.data import by_value
from tests.support.adapter.policies import (
    BOUNDED,
    BOUNDED_LINE,
    DEMANDED,
    EXTREME,
    OPTIMAL_PATH,
    PLANNED,
    PLANNED_PATH,
    SEARCHED,
)
from tests.support.questions import Answer, Question, States


def path(robot: gough.Robot, states: States, duration: float = 1.0) -> gough.Motion:
    """A short straight move between two stored poses."""
    return gough.Motion.to(robot, states["to"], duration, start=states["from"])


def limits(robot: gough.Robot, states: States) -> dict[str, float]:
    """Limits that bound the time of the short move: three times the forces at rest, and speeds."""
    return {"force": 3.0 * float(np.abs(states["force"]).max()) + 5.0, "speed": 2.0}


def motor(robot: gough.Robot, size: float = 10.0) -> gough.Motor:
    """A motor by its file's text."""
    text = INPUTS["motor.toml"](robot) or ""
    return gough.motor_of(text.replace("10.0", f"{size}").replace("30.0", f"{3 * size}"))


DEMAND = (
    "force",
    "force_t",
    "rms_force",
    "qd",
    "qd_t",
    "rms_qd",
    "power",
    "power_t",
    "q_range",
    "force_range",
    "mean_power",
    "energy",
    "regenerated",
    "parasitic",
)


def demands(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """What a move demands of the actuators: alone, with a motor, on a ship, with a payload and a wrench."""
    move = path(robot, states)
    carrying = robot.with_payload(float(states["payload_mass"]), tuple(map(float, states["payload_com"])))
    cases: dict[str, Callable[[], Any]] = {
        "alone": lambda: gough.demand(robot, move),
        "motor": lambda: gough.demand(robot.with_motor(motor(robot)), move),
        "weak motor": lambda: gough.demand(robot.with_motor(motor(robot, 0.05)), move),
        "ship": lambda: gough.demand(robot, move.on_base("ship")),
        "payload and wrench": lambda: gough.demand(carrying, move.with_wrench(states["wrench"][0])),
    }
    answers = {}
    for key, call in cases.items():
        try:
            found = call()
        except gough.GoughError as error:
            answers[f"{key}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
            continue
        for name in DEMAND:
            size = 1e-3 if name.endswith("_t") else 1e-6 * float(states["weight"])
            answers[f"{key}.{name}"] = Answer(np.asarray(getattr(found, name), dtype=float), policy=DEMANDED, size=size)
        if found.fits:
            answers[f"{key}.result"] = by_value(found)
    return answers


def envelopes(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Worst forces, speeds and powers over envelopes: box, ellipsoid, twists, loads; and their load cases."""
    first, home = robot.coordinate_names[0], float(robot.platform.home[0])
    pose = f"[pose]\n{first} = [{home - 0.005!r}, {home + 0.005!r}]\n"
    texts = {
        "box": pose + f"[velocity]\n{first} = 0.2\n[acceleration]\n{first} = 1.0\n",
        "ellipsoid": pose
        + f'[velocity]\nshape = "ellipsoid"\n{first} = 0.2\n[acceleration]\nshape = "ellipsoid"\n{first} = 1.0\n',
        "loads": pose
        + '[payload]\nmass = ["0 kg", "2 kg"]\nmz = [0, 0.3]\n[wrench]\nfz = ["-50 N", "0 N"]\nmx = [0, 2]\n',
    }
    if robot.dof == 6:
        texts["twist"] = pose + '[velocity]\nof = "twist"\nvz = 0.2\nwz = 0.5\n[acceleration]\nof = "twist"\nvz = 1.0\n'
    answers = {}
    for key, text in texts.items():
        found = gough.size(robot, gough.envelope_of(robot, text), power=7)
        answers[f"{key}.worst"] = Answer(np.array([r.value for r in found.requirements]), "actuator", SEARCHED)
        answers[f"{key}.range"] = Answer(found.q_range, "actuator", SEARCHED)
        answers[f"{key}.condition"] = Answer(np.array([found.condition]), policy=SEARCHED)
        answers[f"{key}.result"] = by_value(found, SEARCHED)
        header, rows = gough.load_cases(found)
        answers[f"{key}.cases"] = Answer(np.array([len(header), len(rows)]), "verdict", "verdict")
    return answers


def proved_envelope(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Bounds that no state of a small envelope exceeds."""
    text = INPUTS["small.toml"](robot) or ""
    found = gough.prove(gough.size(robot, gough.envelope_of(robot, text), power=6), 1e-2, 5e-2, 4000, 2000)
    return {"bounds": by_value(found, BOUNDED)}


def regular(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Proofs that a box, a line and a tube have no singular pose."""
    first, home = robot.coordinate_names[0], float(robot.platform.home[0])
    answers = {}
    box = gough.regular_box(robot, {first: (home - 0.01, home + 0.01)})
    answers["box"] = Answer(np.array(box.proved), "verdict", "verdict")
    line = gough.first_singularity(robot, states["from"], states["to"])
    answers["line.share"] = Answer(np.array([np.nan if line.share is None else line.share]), policy=SEARCHED)
    answers["line.proved"] = Answer(np.array([line.proved]), policy=BOUNDED_LINE)
    far = np.array(states["from"], dtype=float)
    far[-1] += 2.5
    line = gough.first_singularity(robot, states["from"], far)
    answers["far.share"] = Answer(np.array([np.nan if line.share is None else line.share]), policy=SEARCHED)
    answers["far.end"] = Answer(np.array([np.nan if line.end is None else line.end]), policy=SEARCHED)
    tube = gough.tube(robot, path(robot, states), 1e-4, 1e-3)
    answers["tube"] = Answer(np.array(tube.proved), "verdict", "verdict")
    return answers


def proved_workspaces(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Travel with proofs, under each kind of limit; volumes, that of a machine in a plane proved; their pictures."""
    weight = float(states["weight"]) or 1.0
    speed = {"twist": [0.1, 0.0, 0.05, 0.0, 0.0, 0.1], "limits": {"speed": 0.5}}
    cases: dict[str, dict[str, Any]] = {
        "travel": {"travel_only": True},
        "condition": {"travel_only": True, "limits": {"condition": 30.0}},
        "distance": {"travel_only": True, "limits": {"distance": 0.01}},
        "margin": {"travel_only": True, "limits": {"margin": 0.1 * weight}},
        "force": {"travel_only": True, "limits": {"force": 20.0 * weight}, "wrench": 0.1 * states["wrench"][0]},
        "speed": {"travel_only": True, **speed},
        "volume": {"cells": 8},
    }

    def one(key: str, options: dict[str, Any], prove: bool) -> dict[str, Answer]:
        # Ten times the processor time that the proofs need, so that none of them ends early.
        found = gough.workspace(robot, prove=prove, seconds=60.0, **options)
        answer = {key: by_value(found, BOUNDED)}
        if "cells" in options:
            with tempfile.TemporaryDirectory() as folder:
                answer[f"{key} panels"] = verdict(len(found.plot(Path(folder) / "w.png").axes))
        return answer

    proved = [key for key in cases if key != "volume" or robot.dof == 2]  # others take more than a minute
    calls = {key: partial(one, key, cases[key], True) for key in proved}
    return each(calls | {"volume found": partial(one, "volume found", cases["volume"], False)})


def time_optimal(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Shortest times along the short move under limits, with a motor and with a payload."""
    bounds, move = limits(robot, states), path(robot, states)
    cases: dict[str, Callable[[], Any]] = {
        "forces and speeds": lambda: gough.fastest(robot, move, bounds, cells=100),
        "speeds": lambda: gough.fastest(robot, move, {"speed": 0.5, "platform_acceleration": 5.0}, cells=100),
        "motor": lambda: gough.fastest(robot.with_motor(motor(robot)), move, {"speed": 1.0}, cells=60),
        "payload": lambda: gough.fastest(robot.with_payload(1.0), move, bounds, cells=60),
    }
    answers = {}
    for key, call in cases.items():
        try:
            found = call()
        except gough.GoughError as error:
            answers[f"{key}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
            continue
        sampled = found.motion.sample(7)
        answers[f"{key}.duration"] = Answer(np.array([found.duration]), policy=SEARCHED)
        answers[f"{key}.x"] = Answer(sampled.x, "coordinate", PLANNED, 1e-3)
    return answers


def jerk_limited(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A move with bounded jerk."""
    found = gough.move(robot, path(robot, states), limits(robot, states), jerk=100.0, step=0.01)
    return {
        "duration": Answer(np.array([found.duration]), policy=SEARCHED),
        "x": Answer(found.motion.sample(7).x, "coordinate", PLANNED, 1e-3),
        "fits": Answer(np.array(bool(found.fits)), "verdict", "verdict"),
    }


def free_path(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A path between two poses that is optimal in time, and one that is optimal in energy."""
    answers = {}
    for least in ("time", "energy"):
        found = gough.free_path(robot, path(robot, states), limits(robot, states), least, spans=4, cells=40)
        answers[f"{least}.duration"] = Answer(np.array([found.duration]), policy=PLANNED_PATH)
        answers[f"{least}.x"] = Answer(found.motion.sample(5).x, "coordinate", OPTIMAL_PATH, 1e-3)
    return answers


def compare(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Two robots on the same motion: one with another mass, one with another gravity."""
    move = path(robot, states)
    heavier = robot.replace({"platform.mass": 3.0})
    return {
        "mass": by_value(gough.compare(robot, heavier, move), EXTREME),
        "ship": by_value(gough.compare(robot, heavier, move.on_base("ship")), EXTREME),
    }


def slices(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A slice of the singularities is drawn."""
    figure = gough.singularity_slice(robot)
    return {"panels": Answer(np.array(len(figure.axes)), "verdict", "verdict")}


def _question(
    name: str, function: Callable[..., Any], machines: tuple[str, ...], seconds: float, *honours: str
) -> Question:
    return Question(name, "design", machines, frozenset(honours), f"design:{function.__name__}", seconds)


SEVEN = ("stewart", "delta", "rps3", "cable8", "hexapod", "fivebar", "planar4rrr")
TABLE = {
    question.name: question
    for question in (
        _question("demands of motions", demands, SEVEN, 60.0, "payload", "wrench", "base", "motor", "gravity"),
        _question(
            "size over envelopes",
            envelopes,
            ("stewart", "delta", "rps3", "cable8", "fivebar"),
            120.0,
            "payload",
            "wrench",
        ),
        _question("proof over an envelope", proved_envelope, ("delta", "fivebar"), 120.0, "payload", "wrench"),
        _question(
            "proofs of regularity",
            regular,
            ("stewart", "delta", "rps3", "fivebar", "planar3rrr", "planar4rrr", "dependent_prs", "tricept"),
            120.0,
        ),
        _question(
            "proved workspaces",
            proved_workspaces,
            ("fivebar", "planar4rrr", "rps3", "dependent_prs", "cable8", "delta", "agile_eye"),
            120.0,
            "limits",
            "wrench",
        ),
        _question("time-optimal motions", time_optimal, SEVEN, 120.0, "payload", "motor", "limits"),
        _question("jerk-limited moves", jerk_limited, ("stewart", "delta", "rps3", "fivebar"), 60.0, "limits"),
        _question("optimal paths", free_path, ("delta", "fivebar"), 120.0, "limits"),
        _question("comparison of robots", compare, ("stewart", "delta", "rps3"), 60.0, "base", "gravity"),
        _question("slices of singularities", slices, ("fivebar", "planar3rrr"), 60.0),
    )
}
