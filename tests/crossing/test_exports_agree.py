"""The public call, a bound function and the exported one are the same function: C, FMU, CasADi and JAX.

Rows are stored states (home, far from it, near it, out of reach), and the same with an input that is not a number or
far from the machine. C has the bits of Python; the others have other orders of sums.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from gough.kinematics.closure.closed_forms import closed_form
from tests.support import snapshot_machines
from tests.support.adapter.exports import _compiled, _prototypes
from tests.support.lanes import FULL, sample
from tests.support.questions import Array
from tools.snapshot import relative_change

MACHINES = tuple(
    "fivebar delta rps3 planar3rrr planar4rrr spatial3 tricept ankle stewart hexapod par4 agile_eye balanced3rrr"
    " delta_loaded rps3_loaded planar3rrr_loaded random_PRR random_RPa random_RRU random_UPS dependent_prs"
    " dependent_ankle redundant_RRR sprung puu4 star".split()
)
CHEAP = ("fivebar", "delta", "rps3", "planar3rrr", "random_PRR", "redundant_RRR")
INPUTS = ("x", "xd", "xdd", "wrench", "q", "guess", "force")
FINE = int(gough.Status.FINE)
FK = 1e-9
"""Of the length: where steps of forward kinematics end. 4e-11 was seen on a machine with more actuators than needed."""

PUBLIC: dict[str, tuple[str, dict[str, Any], Callable[..., Any]]] = {
    "ik": (
        "inverse_kinematics",
        {"order": 2},
        lambda r, s: gough.inverse_kinematics(r, gough.State(s["x"], s["xd"], s["xdd"])),
    ),
    "fk": ("forward_kinematics", {}, lambda r, s: gough.forward_kinematics(r, s["q"], s["guess"])),
    "inverse": (
        "inverse_dynamics",
        {"wrench": True},
        lambda r, s: gough.inverse_dynamics(r, gough.State(s["x"], s["xd"], s["xdd"], wrench=s["wrench"])),
    ),
    "forward": (
        "forward_dynamics",
        {"wrench": True},
        lambda r, s: gough.forward_dynamics(r, gough.State(s["x"], s["xd"], wrench=s["wrench"]), s["force"]),
    ),
}
"""Exported functions: name of the bound function, its options, and the public call."""
ALWAYS = {"ik": {"q", "qd", "qdd"}, "fk": {"x"}, "inverse": {"force"}, "forward": {"xdd"}}
"""Outputs that are compared on every machine."""


@cache
def machine(name: str) -> tuple[gough.Robot, dict[str, Array]]:
    """The robot, and rows: stored states, then the second of them with each input in turn not a number, or far."""
    robot, stored = gough.loads(snapshot_machines.text(name)), snapshot_machines.states(name, 4)
    odd = [(key, value) for key in INPUTS for value in (np.nan, np.inf, -1e3)]
    states = {}
    for key in INPUTS:
        rows = [
            stored[key],
            *(
                np.where(np.arange(stored[key].shape[1]) == 0, v, stored[key][1])[None]
                if k == key
                else stored[key][1:2]
                for k, v in odd
            ),
        ]
        states[key] = np.concatenate(rows)
    return robot, states | {key: stored[key] for key in ("condition", "length")}


class InC:
    """The robot's functions in C, compiled."""

    def __init__(self, robot: gough.Robot, folder: Path) -> None:
        gough.export_c(robot, folder, list(PUBLIC), name="r")
        self.library = _compiled(folder / "r.c")
        self.arguments = _prototypes((folder / "r.h").read_text())

    def __call__(self, function: str, states: dict[str, Array]) -> dict[str, Array]:
        """Outputs of each row, and "status"."""
        call, arguments = getattr(self.library, f"r_{function}"), self.arguments[f"r_{function}"]
        rows = []
        for k in range(len(states["x"])):
            arrays = {
                name: np.ascontiguousarray(np.ravel(states[name][k])) if inside else np.zeros(size)
                for name, size, inside in arguments[:-1]
            }
            pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in arrays.values()]
            status = call(*pointers, ctypes.byref(ctypes.c_int()))
            rows.append({"status": status} | {name: arrays[name] for name, _, inside in arguments[:-1] if not inside})
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def bound(robot: gough.Robot, function: str, states: dict[str, Array]) -> dict[str, Array]:
    name, options, _ = PUBLIC[function]
    call = gough.bind(robot, name, len(states["x"]), **options)
    for key in call.inputs:
        call.inputs[key][...] = states[key]
    return {"status": np.ravel(call()).copy()} | {key: np.array(values) for key, values in call.outputs.items()}


OF_LEGS = (int(gough.Status.OUT_OF_REACH), int(gough.Status.OTHER_BRANCH), int(gough.Status.NOT_CONVERGED))
ITERATED = int(gough.Status.NOT_CONVERGED)


def agree(robot: gough.Robot, function: str, reported: Array, status: Array) -> bool:
    """True if the statuses of C are those of Python, except for the differences that its own header lists.

    Legs closed by iteration, and those of machines with dependent coordinates, have one status for all failures.
    Inverse dynamics reports a near singular pose only where the load makes forces large. fk takes a fixed number of
    steps: it may fail where Python continues.
    """
    if function == "fk":
        return bool((status[reported == FINE] == FINE).all())
    if function == "inverse":
        reported, status = (
            np.where(values == gough.Status.NEAR_SINGULAR, FINE, values) for values in (reported, status)
        )
    if has_one_failure_status(robot):
        reported, status = (np.where(np.isin(values, OF_LEGS), ITERATED, values) for values in (reported, status))
    return np.array_equal(reported, status)


def has_one_failure_status(robot: gough.Robot) -> bool:
    """True if C reports all failures of legs by one status."""
    return bool(robot.dependent_names) or any(closed_form(leg) is None for leg in robot.legs)


@pytest.mark.parametrize("name", sample(MACHINES if FULL else CHEAP, 2, lane="exported C"))
def test_public_bound_and_compiled_functions_are_one(name, tmp_path):
    robot, states = machine(name)
    library = InC(robot, tmp_path)
    for function, (_, _, call) in PUBLIC.items():
        own, in_c = bound(robot, function, states), library(function, states)
        used = [key for key, _, inside in library.arguments[f"r_{function}"] if inside]
        finite = np.all([np.isfinite(states[key]).all(axis=1) for key in used], axis=0)
        assert (own["status"][~finite] == gough.Status.NOT_FINITE).all(), f"{function}: bound"
        assert (in_c["status"][~finite] == gough.Status.NOT_FINITE).all(), f"{function}: C"
        public = call(robot, {key: values[finite] for key, values in states.items() if key in INPUTS})
        status = np.asarray(public.status)
        np.testing.assert_array_equal(own["status"][finite], status, f"{function}: bound")
        reported = in_c["status"][finite]
        assert agree(robot, function, reported, status), f"{function}: C has {reported}, Python {status}"
        fine = (status == FINE) & (reported == FINE)
        assert fine.any()
        compared = {key for key in in_c if hasattr(public, key)} - {"status", "residual"}
        assert compared >= ALWAYS[function], f"{function}: only {compared} are compared"
        for key in sorted(compared):
            values = in_c[key]
            expected = np.asarray(getattr(public, key))[fine]
            np.testing.assert_array_equal(own[key][finite][fine], expected, f"{function}: {key}, bound")
            found = values[finite][fine].reshape(expected.shape)
            if function == "fk":  # other steps to the same pose
                np.testing.assert_allclose(found, expected, rtol=0.0, atol=FK * float(states["length"]))
            else:
                np.testing.assert_array_equal(found, expected, f"{function}: {key}, C")


BRIDGED = ("delta", "fivebar", "rps3", "planar3rrr", "random_PRR", "planar3rrr_loaded", "redundant_RRR", "sprung")
COMPARED = {
    "ik": {"joint_q": "joint_q", "K": "K", "dependent": "dependent"},
    "inverse": {"out": "force"},
    "forward": {"xdd": "xdd", "free": "free"},
    "matrices": {"M": "M", "C": "C", "G": "G"},
}
"""Outputs of the graphs by function, and the fields of public results that they are."""
AGREES = 1e-11
"""Relative to the largest of a sample times its condition number: other orders of sums."""


def close(found: Array, expected: Array, condition: Array) -> bool:
    """True if the numbers of all rows agree, and both have none in the same places."""
    same = np.array_equal(np.isnan(found), np.isnan(expected))
    return same and bool((relative_change(expected, found, 1e-9, np.clip(condition, 1.0, 1e6)) <= AGREES).all())


@pytest.mark.parametrize("name", sample(BRIDGED if FULL else BRIDGED[:2], 1, lane="CasADi and JAX"))
def test_casadi_and_jax_compute_what_public_calls_do(name):
    import jax

    robot, states = machine(name)
    few = {key: values[:3] for key, values in states.items() if key in INPUTS}
    condition = states["condition"][:3]
    expected: dict[str, Any] = {
        function: call(robot, few) for function, (_, _, call) in PUBLIC.items() if function != "fk"
    }
    assert all((found.status == FINE).all() for found in expected.values())
    expected["matrices"] = gough.dynamics_matrices(robot, gough.State(few["x"], few["xd"]))
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    try:
        for function, public in expected.items():
            graph = gough.graph_of(robot, function, **({"wrench": True} if function in ("inverse", "forward") else {}))
            given = {spec.name: few[spec.name] for spec in graph.inputs}
            outputs = COMPARED[function].keys() & {output.name for output in graph.outputs}
            assert COMPARED[function].keys() - outputs <= {"dependent"}
            in_casadi, in_jax = gough.to_casadi(graph), jax.vmap(gough.to_jax(graph))
            rows = [in_casadi(**{key: values[k] for key, values in given.items()}) for k in range(3)]
            by_jax = in_jax(**given)
            for output in sorted(outputs):
                known = np.asarray(getattr(public, COMPARED[function][output]))
                one = np.array([np.asarray(row[output], dtype=float).ravel() for row in rows])
                other = np.asarray(by_jax[output] if isinstance(by_jax, dict) else by_jax)
                assert close(one.reshape(known.shape), known, condition), f"{function}: {output}, CasADi"
                assert close(other.reshape(known.shape), known, condition), f"{function}: {output}, JAX"
    finally:
        jax.config.update("jax_enable_x64", before)


@pytest.mark.parametrize("name", sample(BRIDGED if FULL else BRIDGED[:2], 1, lane="FMU"))
def test_fmu_computes_the_forces_of_the_public_call(name, tmp_path):
    import fmpy

    robot, states = machine(name)
    file = gough.export_fmu(robot, tmp_path / "robot.fmu", "inverse")
    inputs = [v.name for v in fmpy.read_model_description(str(file)).modelVariables if v.causality == "input"]
    few = {key: values[:4] for key, values in states.items() if key in INPUTS}
    public = PUBLIC["inverse"][2](robot, few)
    found = []
    for k in range(4):
        values = np.concatenate([few[key][k] for key in ("x", "xd", "xdd", "wrench")])
        start = dict(zip(inputs, values.tolist(), strict=True))
        with contextlib.redirect_stdout(io.StringIO()):
            run = fmpy.simulate_fmu(str(file), stop_time=0.1, step_size=0.1, start_values=start)
        found.append([float(run[f"force_{actuator}"][0]) for actuator in robot.actuator_names])
        assert (int(run["status"][0]) == FINE) == (public.status[k] == FINE)
    assert close(np.array(found), np.asarray(public.force), states["condition"])
