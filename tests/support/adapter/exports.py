"""Exported robots by the numbers that they compute: C, FMU, CasADi, JAX; MJCF, URDF, SDF by engines that read them."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import io
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

import gough
from tests.support.adapter import kind_of_error
from tests.support.adapter.policies import DERIVED, ENGINE, SINGLE
from tests.support.by_value import numbers
from tests.support.questions import Answer, Question, States

STATES = 4
"""States on which exported functions are called."""
ARRAYS = ("x", "xd", "xdd", "wrench", "q", "guess", "force")


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        yield Path(place)


def _compiled(source: Path) -> ctypes.CDLL:
    library = source.with_suffix(".so")
    flags = ["-std=c99", "-O1", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", library, source, "-lm"], check=True, capture_output=True)
    return ctypes.CDLL(str(library))


def _prototypes(header: str) -> dict[str, list[tuple[str, int, bool]]]:
    """Functions of a header: name -> its arguments as (name, length, is an input)."""
    header = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    sizes = {name: int(value) for name, value in re.findall(r"#define (\w+) (\d+)\b", header)}
    sizes |= {name: int(value) for name, value in re.findall(r"(\w+) = (\d+)[,\s}]", header)}
    found = {}
    for name, inside in re.findall(r"int (r_\w+)\(([^)]*)\);", header):
        arguments = []
        for argument in inside.split(","):
            word = re.search(r"(\w+)((?:\[\w+\])*)\s*$", argument.strip())
            assert word is not None
            size = int(np.prod([sizes.get(s, None) or int(s) for s in re.findall(r"\[(\w+)\]", word[2])], initial=1))
            arguments.append((word[1], size, "const" in argument))
        found[name] = arguments
    return found


def c_functions(robot: gough.Robot, states: States, functions: str = "", float32: bool = False) -> dict[str, Answer]:
    """Outputs of every exported C function, compiled by gcc, and how the self-test ends."""
    answers = {}
    with _folder() as folder:
        gough.export_c(robot, folder, functions or (), name="r", float32=float32)
        library = _compiled(folder / "r.c")
        kind, real = (np.float32, ctypes.c_float) if float32 else (np.float64, ctypes.c_double)
        for name, arguments in _prototypes((folder / "r.h").read_text()).items():
            call, rows = getattr(library, name), []
            known = all(given in ARRAYS for given, _, inside in arguments if inside)
            for k in range(STATES if known else 0):
                arrays = [
                    np.ascontiguousarray(np.ravel(states[given][k])[:size], dtype=kind)
                    if inside
                    else np.zeros(size, kind)
                    for given, size, inside in arguments[:-1]
                ]
                leg = ctypes.c_int()
                status = call(*(a.ctypes.data_as(ctypes.POINTER(real)) for a in arrays), ctypes.byref(leg))
                outputs = [a for a, (_, _, inside) in zip(arrays, arguments, strict=False) if not inside]
                rows.append((status, leg.value, *outputs))
            words = name.removeprefix("r_")
            names = ["status", "leg", *(given for given, _, inside in arguments[:-1] if not inside)]
            for given, values in zip(names, zip(*rows, strict=True), strict=False):
                policy = "verdict" if given in ("status", "leg") else SINGLE if float32 else "bits"
                answers[f"{words}.{given}"] = Answer(np.array(values, dtype=float), "invariant", policy)
        command = [
            "gcc",
            "-O1",
            "-ffp-contract=off",
            folder / "r.c",
            folder / "r_selftest.c",
            "-lm",
            "-o",
            folder / "t",
        ]
        subprocess.run(command, check=True, capture_output=True)
        code = subprocess.run([folder / "t"], check=False, capture_output=True).returncode
        answers["self-test"] = Answer(np.array(code), "verdict", "verdict")
    return answers


def c_single(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """C in single precision."""
    return c_functions(robot, states, "ik,inverse", float32=True)


def c_parameters(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The self-test of C whose masses can be changed at run time."""
    with _folder() as folder:
        gough.export_c(robot, folder, "ik,inverse,forward", name="r", parameters="platform.mass")
        command = [
            "gcc",
            "-O1",
            "-ffp-contract=off",
            folder / "r.c",
            folder / "r_selftest.c",
            "-lm",
            "-o",
            folder / "t",
        ]
        subprocess.run(command, check=True, capture_output=True)
        code = subprocess.run([folder / "t"], check=False, capture_output=True).returncode
        return {
            "self-test": Answer(np.array(code), "verdict", "verdict"),
            "expected": Answer(numbers((folder / "r_selftest.c").read_text()), "values", ENGINE),
        }


def fmu(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Both kinds of unit: what fmpy computes in 20 ms, from home or at a stored state, and names of variables."""
    import fmpy

    answers = {}
    with _folder() as folder:
        for kind in ("plant", "inverse"):
            file = gough.export_fmu(robot, folder / f"{kind}.fmu", kind)
            variables = fmpy.read_model_description(str(file)).modelVariables
            roles = [f"{v.causality}" for v in variables]
            answers[f"{kind}.roles"] = Answer(np.array(sorted(roles)), "names", "names")
            start = {}
            if kind == "inverse":
                state = np.concatenate([states[name][1] for name in ("x", "xd", "xdd", "wrench")]).tolist()
                start = dict(zip([v.name for v in variables if v.causality == "input"], state, strict=True))
            with contextlib.redirect_stdout(io.StringIO()):
                run = fmpy.simulate_fmu(
                    str(file), stop_time=0.02, output_interval=0.005, step_size=0.005, start_values=start
                )
            values = np.array([list(row) for row in run.tolist()], dtype=float)
            answers[f"{kind}.outputs"] = Answer(values[:, 1:], "invariant", DERIVED)
    return answers


def casadi(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces and their derivatives by CasADi."""
    function = gough.to_casadi(gough.graph_of(robot), "forces")
    by_x = function.factory("by_x", ["x", "xd", "xdd"], ["jac:out:x"])
    given = [{name: states[name][k] for name in ("x", "xd", "xdd")} for k in range(STATES)]
    return {
        "force": Answer(np.array([np.asarray(function(**g)["out"]).ravel() for g in given])),
        "by x": Answer(np.array([np.asarray(by_x(**g)["jac_out_x"]) for g in given]), policy=DERIVED),
    }


def casadi_others(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Inverse kinematics, accelerations and matrices by CasADi, with masses as inputs."""
    answers = {}
    for name, wanted in (("ik", ("x",)), ("forward", ("x", "xd", "force")), ("matrices", ("x", "xd"))):
        graph = gough.graph_of(robot, name)
        function = gough.to_casadi(graph)
        inputs = [spec.name for spec in graph.inputs if spec.name in wanted]
        rows = [function(**{i: states[i][k] for i in inputs}) for k in range(2)]
        for output in rows[0]:
            values = np.array([np.asarray(row[output], dtype=float).ravel() for row in rows])
            if output != "residual":
                answers[f"{name}.{output}"] = Answer(values, policy=DERIVED, size=1e-3)
    graph = gough.graph_of(robot, wrench=True, parameters=["platform.mass"])
    answers["inputs with parameters"] = Answer(np.array([s.name for s in graph.inputs]), "names", "names")
    return answers


def jax(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Forces and their derivatives by JAX."""
    import jax as library

    before = library.config.jax_enable_x64
    library.config.update("jax_enable_x64", True)
    try:
        function = gough.to_jax(gough.graph_of(robot))
        given = tuple(states[name][:STATES] for name in ("x", "xd", "xdd"))

        def force(x: Any, xd: Any, xdd: Any) -> Any:
            return function(x=x, xd=xd, xdd=xdd)

        return {
            "force": Answer(np.asarray(library.jit(library.vmap(force))(*given))),
            "by x": Answer(np.asarray(library.jacfwd(force)(*(g[0] for g in given))), policy=ENGINE),
        }
    finally:
        library.config.update("jax_enable_x64", before)


def mjcf(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """What MuJoCo computes from the file: places, mass matrix, bias and loop equations at the keyframe."""
    import mujoco

    with _folder() as folder:
        gough.export_robot(robot, folder / "r.xml")
        model = mujoco.MjModel.from_xml_path(str(folder / "r.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.qvel[:] = 0.1 * np.sin(np.arange(1, model.nv + 1))
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    if hasattr(data, "qM"):
        mujoco.mj_fullM(model, mass, data.qM)
    else:  # MuJoCo from version 4 on
        mujoco.mj_fullM(model, data, mass)
    size = float(model.body_mass.sum())
    return {
        "places": Answer(data.xpos.copy(), "vector", ENGINE),
        "mass matrix": Answer(mass[None], policy=ENGINE, size=1e-3 * size),
        "bias": Answer(data.qfrc_bias.copy()[None], policy=ENGINE, size=1e-3 * size),
        "masses": Answer(np.sort(model.body_mass), policy=ENGINE),
        "loops": Answer(np.array(model.eq_type), "verdict", "verdict"),
        "motors": Answer(np.array(model.nu), "verdict", "verdict"),
        "tendon lengths": Answer(data.ten_length.copy(), "length", ENGINE),
        "residual": Answer(np.abs(data.efc_pos).max(initial=0.0) < 1e-6, "verdict", "verdict"),
    }


def urdf(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """What Pinocchio computes from the tree of the file, and the file of its loops."""
    import pinocchio as pin

    with _folder() as folder:
        gough.export_robot(robot, folder / "r.urdf")
        model = pin.buildModelFromUrdf(str(folder / "r.urdf"), pin.JointModelFreeFlyer())
        loops = (folder / "r.yaml").read_text()
    data = model.createData()
    q = pin.neutral(model)
    q[7:] = 0.1 * np.sin(np.arange(1, model.nq - 6)) if model.nq == model.nv + 1 else q[7:]
    v = 0.2 * np.cos(np.arange(1, model.nv + 1))
    mass = np.array(pin.crba(model, data, q))
    effort = np.array(pin.rnea(model, data, q, v, 2 * v))
    pin.forwardKinematics(model, data, q)
    size = 1e-3 * sum(body.mass for body in model.inertias)
    return {
        "places": Answer(np.array([place.translation for place in data.oMi]), "vector", ENGINE),
        "mass matrix": Answer(np.triu(mass)[None], policy=ENGINE, size=size),
        "efforts": Answer(effort[None], policy=ENGINE, size=size),
        "loops": Answer(np.array(len(yaml.safe_load(loops))), "verdict", "verdict"),
        "numbers of loops": Answer(numbers(loops), "values", ENGINE),
    }


@cache
def _sdf_reader() -> Path:
    """The program that prints what libsdformat reads, compiled once in this process; it must be installed."""
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "sdformat12"], capture_output=True, text=True, check=True
    )
    program = Path(tempfile.mkdtemp()) / "reader"
    source = Path(__file__).parents[2] / "formats" / "sdf_reader.cc"
    subprocess.run(["g++", "-std=c++17", source, "-o", program, *flags.stdout.split()], check=True, capture_output=True)
    atexit.register(shutil.rmtree, program.parent, ignore_errors=True)
    return program


def sdf(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """What libsdformat reads: places, masses, inertias of links; frames, axes, limits, losses, springs of joints."""
    with _folder() as folder:
        gough.export_robot(robot, folder / "r.sdf")
        done = subprocess.run([_sdf_reader(), folder / "r.sdf"], capture_output=True, text=True, check=True)
    read = json.loads(done.stdout)
    links, joints = (sorted(read[kind], key=lambda entry: entry["name"]) for kind in ("links", "joints"))
    moving = [joint for joint in joints if "axis" in joint]
    answers = {
        "gravity": Answer(np.array(read["gravity"]), "vector", ENGINE, 1e-3),
        "links": Answer(np.array([link["name"] for link in links]), "names", "names"),
        "joints": Answer(np.array([joint["name"] for joint in joints]), "names", "names"),
        "types": Answer(np.array([joint["type"] for joint in joints]), "verdict", "verdict"),
        "ends": Answer(np.array([[joint["parent"], joint["child"]] for joint in joints]), "verdict", "verdict"),
        "masses": Answer(np.array([link["mass"] for link in links])[:, None], "body", ENGINE),
        "axes": Answer(np.array([joint["axis"] for joint in moving]), "vector", ENGINE, 1e-3),
        "losses": Answer(np.array([[j["damping"], j["friction"]] for j in moving], dtype=float), "joint", ENGINE, 1e-6),
        "followers": Answer(
            np.array([f"{j['name']} {j['mimic'][0]} {j['mimic'][1]:.9g}" for j in moving if "mimic" in j], dtype=str),
            "names",
            "names",
        ),
        "rotors": Answer(np.array([float(j.get("rotor", 0.0)) for j in moving])[:, None], "joint", ENGINE, 1e-9),
        "inertias": Answer(np.array([link["inertia"] for link in links]), "body", ENGINE, 1e-6),
    }
    # Each number is its own sample: a limit that is not stated is 1e16 or infinite, and hides its neighbours.
    numbers_of = {"limits": ("lower", "upper", "effort", "speed"), "spring": ("spring rest", "spring stiffness")}
    for field, keys in numbers_of.items():
        for k, key in enumerate(keys):
            column = np.array([[joint[field][k]] for joint in moving], dtype=float)
            answers[key] = Answer(column, "joint", ENGINE, 1e-6)
    for key, entries, field in (("places", links, "pose"), ("frames", joints, "pose"), ("centres", links, "inertial")):
        poses = np.array([entry[field] for entry in entries])
        poses[:, 3:] *= np.where(poses[:, 6:] < 0.0, -1.0, 1.0)  # a quaternion and its opposite are one rotation
        answers[key] = Answer(poses, "vector", ENGINE, 1e-3)
    return answers


def read_back(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Each format written, read by gough, and asked for displacements and forces."""
    answers = {}
    for ending in ("xml", "urdf", "sdf"):
        try:
            with _folder() as folder:
                gough.export_robot(robot, folder / f"r.{ending}")
                again = gough.import_robot(folder / f"r.{ending}", "platform", compare=ending != "sdf").robot
            home = np.asarray(again.platform.home, dtype=float)[: again.dof]
            rate = 0.1 * np.sin(np.arange(1, again.dof + 1))
            found = gough.inverse_dynamics(again, gough.State(home, rate, rate))
            answers[f"{ending}.force"] = Answer(np.asarray(found.force)[None], "actuator", DERIVED)
            answers[f"{ending}.q"] = Answer(
                np.asarray(found.q)[None], "actuator", DERIVED, 1e-3 * float(states["length"])
            )
            answers[f"{ending}.coordinates"] = Answer(np.array(again.dof), "verdict", "verdict")
        except gough.GoughError as error:
            answers[f"{ending}.error"] = Answer(np.array(kind_of_error(error)), "verdict", "verdict")
    return answers


def _question(
    name: str, function: Callable[..., Any], machines: tuple[str, ...] | None, seconds: float = 60.0
) -> Question:
    return Question(name, "exports", machines, frozenset({"gravity"}), f"exports:{function.__name__}", seconds)


COMPILED = ("stewart", "delta", "fivebar", "rps3", "cable8", "planar4rrr", "sru", "tricept", "ankle", "rotary")
BRIDGED = ("delta", "fivebar", "rps3", "tricept")
ENGINES = (
    "stewart",
    "delta",
    "rps3",
    "cable8",
    "tricept",
    "planar4rrr",
    "ankle",
    "hexapod",
    "rotary",
    "sru",
    "spatial3",
    "fivebar",
)
TABLE = {
    question.name: question
    for question in (
        _question("exported C", c_functions, COMPILED, 120.0),
        _question("exported C in single precision", c_single, ("delta", "stewart")),
        _question("exported C with parameters", c_parameters, ("delta", "stewart", "fivebar")),
        _question("functional mock-up unit", fmu, ("delta", "fivebar")),
        _question("CasADi", casadi, BRIDGED),
        _question("CasADi functions", casadi_others, ("delta", "fivebar")),
        _question("JAX", jax, ("delta", "fivebar", "rps3")),
        _question("MJCF in MuJoCo", mjcf, ENGINES),
        _question("URDF in Pinocchio", urdf, tuple(name for name in ENGINES if name != "cable8")),
        _question("SDF in libsdformat", sdf, tuple(name for name in ENGINES if name != "cable8")),
        _question("formats read back", read_back, ENGINES, 120.0),
    )
}
