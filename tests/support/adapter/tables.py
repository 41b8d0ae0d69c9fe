"""Results in each form that they are given in: CSV, text, LaTeX, HTML, JSON, Parquet, pandas, xarray and a picture."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet

import gough
from tests.support.adapter import each, verdict
from tests.support.adapter.along import loaded, short_motion
from tests.support.adapter.arrays import SIX_UPS, motion_of, with_stored_payload
from tests.support.adapter.data import by_value
from tests.support.adapter.policies import (
    DEMANDED,
    DERIVED,
    INTEGRATED,
    PLANNED,
    PRINTED,
    SEARCHED,
    SOLVED,
    STEPPED,
)  # fmt: skip
from tests.support.by_value import numbers, visible
from tests.support.questions import Answer, Question, States

ROWS = 3


def _along(robot: gough.Robot, states: States) -> gough.InverseDynamics:
    """Forces along a motion under a wrench at a point."""
    tooled, motion = loaded(robot, states)
    return gough.inverse_dynamics(tooled, motion.sample(25))


def _forms(name: str, result: Any, folder: Path, policy: str) -> dict[str, Answer]:
    """Numbers and names of a result in each form."""
    result.to_parquet(folder / "table.parquet")
    stored = parquet.read_table(folder / "table.parquet")
    columns = [np.asarray(column) for column in stored.columns]
    frame, data = result.to_pandas(), result.to_xarray()
    figure = result.plot(folder / "plot.png")
    result.to_csv(folder / "table.csv")
    result.to_latex(folder / "table.tex")
    result.to_json(folder / "table.json")
    written = "".join((folder / f"table.{end}").read_text() for end in ("csv", "json"))
    texts = {"csv": result.to_csv(), "written": written}
    texts["csv in units"] = result.to_csv(units="mm,deg")
    texts["parquet"] = " ".join(repr(float(v)) for column in columns if column.dtype.kind == "f" for v in column)
    texts["frame"] = " ".join(repr(float(v)) for v in np.ravel(frame.select_dtypes("float").to_numpy()))
    texts["data set"] = " ".join(
        repr(float(v)) for values in data.data_vars.values() if values.dtype.kind == "f" for v in np.ravel(values)
    )
    pages = {
        "text": result.to_text(units="mm,deg", rows=4),
        "latex": (folder / "table.tex").read_text(),
        "html": visible(result._repr_html_()),
        "shown": f"{result!r} {result.table}",
    }
    answers = {form: Answer(numbers(text), "values", policy) for form, text in texts.items()}
    answers |= {form: Answer(numbers(text), "values", PRINTED) for form, text in pages.items()}
    answers["json"] = by_value(result, policy)
    answers["columns"] = Answer(np.array(stored.column_names, dtype=str), "names", "names")
    answers["shape"] = verdict([*frame.shape, len(data.data_vars), len(figure.axes)])
    return {f"{name}.{form}": answer for form, answer in answers.items()}


def _results(robot: gough.Robot, states: States) -> dict[str, tuple[Callable[[], Any], str]]:
    """Results by neutral name, with the policy of their numbers."""
    x, xd, xdd = (values[:ROWS] for values in motion_of(states))
    force, wrench = states["force"][:ROWS], states["wrench"][:ROWS]
    move = short_motion(robot, states)
    limits = {"force": 3.0 * float(np.abs(states["force"]).max()) + 5.0, "speed": 2.0}
    stiffness = 100.0 * (float(states["weight"]) or 1.0)
    springs = gough.Springs(stiffness, 0.01 * stiffness)
    errors = {"tolerances": {"base": "0.1 mm"}, "stiffness": {"actuator": "1e5 N m/rad"}}
    if not robot.actuators[0].turns:
        errors["stiffness"] = {"actuator": "20 N/um"}
    found: dict[str, tuple[Callable[[], Any], str]] = {
        "inverse kinematics": (lambda: gough.inverse_kinematics(robot, gough.State(x, xd, xdd)), SOLVED),
        "one pose": (lambda: gough.inverse_kinematics(robot, x[0]), SOLVED),
        "forward kinematics": (lambda: gough.forward_kinematics(robot, states["q"][:1], states["guess"][:1]), SOLVED),
        "inverse dynamics": (lambda: gough.inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=wrench)), SOLVED),
        "along a motion": (lambda: _along(robot, states), SOLVED),
        "forward dynamics": (lambda: gough.forward_dynamics(robot, gough.State(x, xd), force), SOLVED),
        "body motion": (lambda: gough.body_motion(robot, gough.State(x[:1], xd[:1], xdd[:1])), SOLVED),
        "joint reactions": (lambda: gough.joint_reactions(robot, gough.State(x[:1], xd[:1], xdd[:1])), SOLVED),
        "link wrenches": (lambda: gough.link_wrenches(robot, gough.State(x[:1], xd[:1], xdd[:1])), SOLVED),
        "matrices": (lambda: gough.dynamics_matrices(robot, gough.State(x[:1], xd[:1])), SOLVED),
        "linear model": (lambda: gough.linearise(robot, x[1]), DERIVED),
        "modes": (lambda: gough.modes(robot, x[1], stiffness=1e6), DERIVED),
        "check": (lambda: gough.check(robot, move, limits), DEMANDED),
        "demand": (lambda: gough.demand(robot, move), DEMANDED),
        "comparison": (lambda: gough.compare(robot, with_stored_payload(robot, states), move), DEMANDED),
        "pose errors": (lambda: gough.pose_errors(robot.with_errors(errors), x[:2]), DERIVED),
        "simulation": (lambda: gough.simulate(robot, x[1], springs, 0.02, samples=3), INTEGRATED),
        "ensemble": (
            lambda: gough.simulate_many(robot, x[1], springs, 0.01, count=3, vary={"platform.mass": "5%"}),
            STEPPED,
        ),
        "jerk-limited": (lambda: gough.move(robot, move, limits, jerk=100.0, step=0.02), PLANNED),
        "time-optimal": (lambda: gough.fastest(robot, move, limits, cells=40), PLANNED),
        "travel": (lambda: gough.workspace(robot, travel_only=True), SEARCHED),
        "paper terms": (lambda: gough.angeles_terms(robot, gough.State(x[0], xd[0])), SOLVED),
    }
    if str(states["name"]) in SIX_UPS:
        found["paper matrices"] = (lambda: gough.lopes_matrices(robot, gough.State(x[0], xd[0])), SOLVED)
    if not robot.cables:
        found["poses of displacements"] = (lambda: gough.assembly_modes(robot, states["q"][0]), DERIVED)
        found["singularities"] = (lambda: gough.singularities(robot), SEARCHED)
    return found


def tables(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Every kind of result in every form."""
    with tempfile.TemporaryDirectory() as folder:

        def one(name: str, call: Callable[[], Any], policy: str) -> dict[str, Answer]:
            return _forms(name, call(), Path(folder), policy)

        return each({name: partial(one, name, *how) for name, how in _results(robot, states).items()})


TABLE = {
    "tables of results": Question(
        "tables of results", "files", ("fivebar", "rps3", "cable8"), frozenset(), "tables:tables", 120.0
    )
}
