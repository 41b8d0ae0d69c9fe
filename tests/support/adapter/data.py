"""Calibration, identification, studies and optimisation: fits, their uncertainty and their plans."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import gough
from gough.studies.study import Study
from tests.support.adapter import kind_of_error
from tests.support.adapter.commands import INPUTS
from tests.support.adapter.policies import FITTED, OPTIMISED, SAMPLED, SOLVED
from tests.support.by_value import numbers
from tests.support.questions import Answer, Question, States

ROOT = Path(__file__).parents[3]
CALIBRATION = ROOT / "examples" / "calibration"
RECORDED = ROOT / "tests" / "data" / "identification"


def by_value(result: Any, policy: str = FITTED) -> Answer:
    """Numbers of a result's dictionary or tables."""
    content = result.to_dict() if hasattr(result, "to_dict") else result.table().to_dict()
    return Answer(numbers(json.dumps(content, default=str)), "values", policy)


def _calibration(robot: gough.Robot, found: Any) -> dict[str, Answer]:
    corrected = found.corrected() if callable(found.corrected) else found.corrected
    geometry = numbers(corrected.explicit().to_toml())
    return {
        "geometry": Answer(geometry, "values", FITTED),
        "result": by_value(found),
        "outliers": Answer(np.array(found.outliers, dtype=int), "verdict", "verdict"),
        "agrees": Answer(np.array(bool(found.agrees)), "verdict", "verdict"),
    }


def calibrate(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The files of the example: poses, positions, angles, distances, frames, spoiled rows; noise given or estimated."""
    truth = json.loads((CALIBRATION / "truth.json").read_text())["ball_bars"]
    bars = [
        gough.Bar(f"d{k + 1}", tuple(base), tuple(platform))
        for k, (base, platform) in enumerate(zip(truth["base"], truth["platform"], strict=True))
    ]
    noise = "position=20um,rotation=20urad,encoder=5um"
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "poses": ("full", {"noise": noise}),
        "poses, noise estimated": ("full", {"parameters": ["base", "zero"]}),
        "poses, tolerances": ("full", {"noise": noise, "tolerances": {"base": 1e-3, "platform": 1e-3}}),
        "poses, held out": ("full", {"noise": noise, "folds": 3, "validate": CALIBRATION / "validation.csv"}),
        "positions": ("position", {"noise": "position=20um,encoder=5um"}),
        "orientations": ("orientation", {"noise": "rotation=20urad,encoder=5um", "parameters": ["zero", "platform"]}),
        "distances": ("distance", {"bars": bars, "noise": "distance=2um,encoder=5um"}),
        "frames": ("frames", {"tracker": True, "target": True, "noise": noise}),
        "outliers": ("outliers", {"noise": noise}),
    }
    answers = {}
    for key, (file, options) in calls.items():
        try:
            found = gough.calibrate(robot, CALIBRATION / f"{file}.csv", **({"folds": 0} | options))
        except gough.GoughError as error:
            answers[f"{key}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
            continue
        answers |= {f"{key}.{name}": answer for name, answer in _calibration(robot, found).items()}
    return answers


def calibrate_simulated(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A machine whose joint zeros and points are off by known amounts, read at 14 poses."""
    draw = np.random.default_rng(11)
    home = np.asarray(robot.platform.home, dtype=float)[: robot.dof]
    poses = home + 0.02 * draw.standard_normal((14, robot.dof))
    found = gough.inverse_kinematics(robot, poses)
    names = [c.name for c in robot.platform.coordinates if c.name not in robot.platform.dependent]
    readings = found.q + 1e-4 * np.sin(np.arange(1, found.q.shape[1] + 1)) + 1e-6 * draw.standard_normal(found.q.shape)
    measured = poses + 1e-6 * draw.standard_normal(poses.shape)
    reached = np.isfinite(readings).all(axis=1)
    measured, readings = measured[reached], readings[reached]
    encoders = [f"q_{leg.name}" for leg in robot.legs if leg.cable or any(joint.actuated for joint in leg.joints)]
    rows = [
        ",".join([*names, *encoders]),
        *(",".join(map(repr, row)) for row in np.hstack([measured, readings]).tolist()),
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.csv"
        path.write_text("\n".join(rows) + "\n")
        fit = gough.calibrate(
            robot, path, parameters=["zero"], noise="encoder=1um" if not robot.actuators[0].turns else None, folds=0
        )
    return _calibration(robot, fit)


def plan(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Poses to measure and the uncertainty to expect."""
    answers = {}
    for measure in ("pose", "position"):
        found = gough.plan_poses(
            robot,
            14,
            measure,
            parameters=["zero"],
            noise=f"position=20um,encoder={'20urad' if robot.actuators[0].turns else '5um'}"
            if measure == "position"
            else None,
        )
        answers[f"{measure}"] = by_value(found)
    return answers


def identify(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Masses, friction and rotors from recorded forces: motion or encoders, legs alike or each its own."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "motion": ("motion", {}),
        "own legs": ("motion", {"tied": False, "validate": RECORDED / "validation.csv"}),
        "all of the bodies": ("motion", {"tied": False, "bodies": "full"}),
        "encoders": ("encoders", {"tied": False}),
        "no friction": ("motion", {"friction": False, "rotors": False, "prior": 0.1}),
    }
    answers = {}
    for key, (file, options) in calls.items():
        found = gough.identify(robot, RECORDED / f"{file}.csv", **options)
        answers[f"{key}.parameters"] = Answer(found.values, "invariant", FITTED)
        answers[f"{key}.deviations"] = Answer(found.sd, "invariant", FITTED)
        answers[f"{key}.residual"] = Answer(np.array([found.residual]), "invariant", FITTED)
        answers[f"{key}.robot"] = Answer(numbers(found.robot.explicit().to_toml()), "values", FITTED)
        answers[f"{key}.determined"] = Answer(found.determined, "verdict", "verdict")
    return answers


def payload(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The payload that explains the forces of a second recording."""
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "loaded.csv"
        path.write_text(INPUTS["identify_payload_forces.csv"](robot) or "")
        for key, empty in (("alone", None), ("against an empty run", RECORDED / "motion.csv")):
            found = gough.identify_payload(robot, path, empty)
            answers[key] = by_value(found)
    return answers


def regressor(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The linear map from dynamic parameters to forces, and its base parameters."""
    answers = {}
    for key, options in {
        "full": {},
        "stated": {"bodies": "stated", "tied": True},
        "masses": {"friction": False, "rotors": False},
    }.items():
        found = gough.regressor(robot, **options)
        Y = found(states["x"][:1], states["xd"][:1], states["xdd"][:1])
        answers[f"{key}.Y"] = Answer(np.asarray(Y), policy=SOLVED)
        answers[f"{key}.columns"] = Answer(np.array(np.shape(Y)[-1]), "verdict", "verdict")
    return answers


def excite(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A motion that makes parameters visible."""
    found = gough.excite(robot, 2.0, {"speed": 1.0, "force": 1e4}, harmonics=3)
    return {
        "motion": Answer(numbers(found.to_csv()), "values", OPTIMISED),
        "condition": Answer(np.array([found.condition]), policy=OPTIMISED),
    }


def studies(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The studies of the examples on few machines, and one with the other measures, laws and reductions."""
    answers = {}
    for name in ("tolerances", "designs", "tracking", "workspace"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.toml"
            path.write_text(INPUTS[f"{name}.toml"](robot) or "")
            answers[name] = by_value(Study.read(path).run(), SAMPLED)
    return answers


MEASURES = ("condition", "sigma_min", "reach", "fits", "stroke", "peak_force", "rms_force", "peak_power", "peak_speed")


def study_measures(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Each measure on machines drawn by each law, row by row."""
    answers = {}
    laws: dict[str, dict[str, Any]] = {
        "uniform": {"uniform": "5 %"},
        "normal": {"normal": "2 %"},
        "bounds": {"bounds": ["90 %", "110 %"]},
        "list": {"list": [1.0, 1.4, 2.0]},
        "grid": {"grid": [1.0, 2.0, 3]},
    }
    with tempfile.TemporaryDirectory() as folder:
        home = np.asarray(robot.platform.home, dtype=float)[: robot.dof]
        rows = [
            ",".join(["t", *(c.name for c in robot.platform.coordinates if c.name not in robot.platform.dependent)])
        ]
        times = np.linspace(0.0, 1.0, 21)
        smooth = 10 * times**3 - 15 * times**4 + 6 * times**5
        rows += [
            ",".join(map(repr, [float(t), *(home + 0.02 * s).tolist()])) for t, s in zip(times, smooth, strict=True)
        ]
        (Path(folder) / "motion.csv").write_text("\n".join(rows) + "\n")
        for law, table in laws.items():
            given = {
                "robot": robot,
                "machines": 12,
                "seed": 3,
                "motion": "motion.csv",
                "samples": 5,
                "measure": list(MEASURES),
            }
            study = Study.of(folder, **given, keep="rows", vary=[{"number": "platform.mass"} | table])
            result = study.run()
            answers[law] = by_value(result, SOLVED)
            for name, values in result.read_rows().items():
                array = np.asarray(values)
                if array.dtype.kind in "fiub":
                    answers[f"{law}.rows.{name}"] = Answer(array.astype(float), policy=SOLVED)
    return answers


def study_reductions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Moments, quantiles, histograms, yields, extremes, fronts, indices of Sobol and best machines."""
    reduce = [
        {"kind": "moments"},
        {"kind": "quantiles", "at": [0.1, 0.5, 0.9]},
        {"kind": "quantiles", "at": [0.05, 0.5], "exact": True},
        {"kind": "extremes"},
        {"kind": "histogram", "of": "condition", "low": 1, "high": 40},
        {"kind": "pareto", "of": ["condition", "sigma_min"]},
        {"kind": "yield", "of": "condition", "at_most": 5.0},
        {"kind": "top", "of": "condition", "count": 3},
        {"kind": "sobol", "of": "condition"},
    ]
    answers = {}
    for one in reduce:
        key = f"exact {one['kind']}" if "exact" in one else str(one["kind"])
        try:
            study = Study.of(
                ".",
                robot=robot,
                machines=64,
                seed=1,
                measure=["condition", "sigma_min"],
                vary=[{"number": "leg.*.base.*", "uniform": 0.01}],
                reduce=[one],
            )
            answers[key] = by_value(study.run(), SAMPLED)
        except gough.GoughError as error:
            answers[f"{key}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
    return answers


OBJECTIVES = (
    "peak force",
    "rms force",
    "peak power",
    "peak speed",
    "condition",
    "singular value",
    "task time",
    "largest box",
)


def optimise(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Small problems with each objective, and a front of two."""
    home, first = float(robot.platform.home[0]), robot.coordinate_names[0]
    address = "legs.base.radius" if str(states["name"]) in ("stewart", "rps3", "hexapod") else "platform.mass"
    problem: dict[str, Any] = {
        "robot": robot,
        "starts": 2,
        "seed": 1,
        "poses": {"box": {first: [home - 0.02, home + 0.02]}, "points": 3},
        "task": {"velocity": {first: 0.2}, "acceleration": {first: 1.0}, "corners": True},
        "limits": {"condition": 200.0},
        "vary": [
            {"number": number, "bounds": ["90 %", "110 %"]} for number in dict.fromkeys([address, "platform.mass"])
        ],
    }
    answers = {}
    for objective in OBJECTIVES:
        try:
            answers[objective] = by_value(gough.optimise(problem | {"minimise": objective}), OPTIMISED)
        except gough.GoughError as error:
            answers[f"{objective}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
    return answers


def optimise_problems(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Problems with each kind of limit, a motion as the task, a front, numbers of a list, and a proof."""
    vary = [{"number": "legs.base.radius", "bounds": ["95 %", "105 %"]}]
    box = {"box": {"z": [1.98, 2.02]}, "points": 2}
    common: dict[str, Any] = {"robot": robot, "starts": 1, "seed": 1, "vary": vary, "poses": box}
    limits = {
        "force": 1000.0, "power": 1000.0, "speed": 10.0, "stroke": [1.0, 4.0], "ratio": 1.7, "angle": "80 deg",
        "distance": 0.001, "condition": 50.0, "singular": 0.001, "base_gap": 0.01,
    }  # fmt: skip
    stiff = {"stiffness": {"actuator": "20 N/um"}, "tolerances": {"base": "0.1 mm", "platform": "0.05 mm"}}
    task = {"velocity": {"z": 0.1}, "acceleration": {"z": 1.0}, "wrench": {"fx": 5.0}}
    listed = [{"number": "legs.base.radius", "list": [1.4, 1.5, 1.6]}]
    problems: dict[str, dict[str, Any]] = {
        "all limits": {"minimise": "peak force", "task": task, "limits": limits},
        "stiffness": {"minimise": "stiffness", **stiff},
        "pose error": {"minimise": "pose error", **stiff},
        "limits of stiffness": {"minimise": "condition", "limits": {"stiffness": "1 N/um"}, **stiff},
        "workspace": {"minimise": "workspace volume", "budget": 4},
        "largest box": {"minimise": "largest box", "task": {"size": [0.5, 2.0]}, "limits": {"stroke": [1.8, 3.3]}},
        "moved task": {"minimise": "peak force", "task": task | {"shift": {"z": [-0.05, 0.05]}}},
        "point": {"minimise": "condition", "jacobian": {"length": 0.5}},
        "list": {"minimise": "condition", "vary": listed, "budget": 6},
        "front": {"minimise": ["peak force", "condition"], "task": task, "front": 3},
    }  # fmt: skip
    moved: dict[str, Any] = {
        "robot": robot,
        "starts": 1,
        "seed": 1,
        "vary": vary,
        "task": {"motion": "trig3", "samples": 5},
    }
    problems_of_motions = {
        "motion": moved | {"minimise": "rms force"},
        "task time": moved | {"minimise": "task time", "limits": {"force": 100.0, "speed": 2.0}},
    }
    answers = {}
    for key, problem in ({key: common | own for key, own in problems.items()} | problems_of_motions).items():
        answers |= _optimised(key, problem)
    answers |= _optimised("proved", common | {"minimise": "condition", "limits": {"regular": True}}, prove=True)
    return answers


def _optimised(key: str, problem: dict[str, Any], prove: bool = False) -> dict[str, Answer]:
    try:
        return {key: by_value(gough.optimise(problem, prove=prove), OPTIMISED)}
    except gough.GoughError as error:
        return {f"{key}.error": Answer(np.array(kind_of_error(error)), "verdict", "verdict")}


def _question(
    name: str, function: Callable[..., Any], machines: tuple[str, ...], seconds: float = 60.0, *honours: str
) -> Question:
    return Question(name, "data", machines, frozenset(honours), f"data:{function.__name__}", seconds)


TABLE = {
    question.name: question
    for question in (
        _question("calibrate", calibrate, ("stewart",), 120.0, "tolerances"),
        _question(
            "calibrate simulated readings",
            calibrate_simulated,
            ("delta", "hexapod", "rotary", "rps3", "cable8", "fivebar"),
        ),
        _question("plan of a calibration", plan, ("stewart", "delta", "rps3")),
        _question("identify", identify, ("stewart",), 120.0),
        _question("identify a payload", payload, ("stewart",)),
        _question("regressor of base parameters", regressor, ("stewart", "delta", "rps3", "hexapod", "tricept")),
        _question("excite", excite, ("delta", "fivebar"), 60.0, "limits"),
        _question("studies", studies, ("stewart",), 120.0),
        _question("measures of a study", study_measures, ("stewart", "delta", "rps3"), 120.0),
        _question("reductions of a study", study_reductions, ("hexapod",), 120.0),
        _question(
            "problems of optimisation", optimise_problems, ("stewart",), 120.0, "limits", "stiffness", "tolerances"
        ),
        _question("optimise", optimise, ("stewart", "delta", "rps3"), 120.0, "limits"),
    )
}
