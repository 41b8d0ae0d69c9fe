"""How public values show themselves: `repr` within ten lines, and as HTML in a notebook."""

import base64
import csv
import inspect
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import gough
from gough.kinematics.random_states import random_states
from gough.table import Result
from tests.support.robots import with_values

LINES, CHARACTERS = 10, 1000


def spaces(stewart):
    """A workspace and its parts."""
    found = gough.workspace(stewart, only=["stroke"], cells=8, tilt=0.1)
    parts = [found.travel[0], found.volume, found.volume.surface, found.shapes[0], found.tilts, found.sets]
    compared = gough.compare_workspaces(found, found)
    return [
        found,
        *parts,
        gough.Bracket(1.0, 1.1, 5, np.zeros((3, 2)), True),
        gough.SolidAngle(1.0, "a grid"),
        compared,
    ]


def loose():
    """The singularities of a robot and the nearest of them."""
    found = gough.singularities(gough.load("planar3rrr"), only=["reach"])
    proofs = [gough.Crossing(0.5, np.zeros(3), 0.4, 7), gough.Tube(0.01, 0.3, True, 1.0, 9, None)]
    return [found, found.nearest, *proofs, gough.RegularBox(True, 5, None)]


def recorded():
    """What recordings tell of a robot, and one to make."""
    robot = gough.load("planar3rrr")
    s, noise = random_states(robot, 60, 1), 1.0 + 1e-3 * np.sin(np.arange(180.0)).reshape(60, 3)
    machines = (robot, robot.with_payload(2.0))
    forces = [noise * gough.inverse_dynamics(machine, s).force for machine in machines]
    log, loaded = (gough.RecordedForces(robot, "log", np.arange(60) * 0.01, s.x, s.xd, s.xdd, f) for f in forces)
    checked = gough.check(robot, gough.Motion.named(robot), limits={"speed": 1e3})
    planned = gough.Excitation(checked.motion, checked, 1.0, 0.5, 10.0, 20.0, 19)
    return [log, gough.identify(robot, log, tied=False), gough.identify_payload(robot, loaded, log), planned]


def studied():
    """A small study and its result."""
    vary = [{"number": "leg.*.base.*", "uniform": "0.1 mm"}]
    study = gough.Study.of(robot="stewart", vary=vary, machines=5, measure=["reach"])
    return [study, study.run()]


def inexact(stewart, motion):
    """Errors of a pose and along a motion, and what makes them."""
    machine = stewart.with_errors({"tolerances": {"zero": 1e-5}, "stiffness": {"actuator": 1e7}})
    return [
        machine.errors,
        gough.pose_errors(machine),
        gough.elasticity(machine),
        gough.deflection_along(machine, motion, 5),
    ]


def made():
    """One value of every public class, small but real."""
    stewart, delta, sru = gough.load("stewart"), gough.load("delta"), gough.load("sru")
    motion = gough.Motion.named(stewart)
    s = motion.sample(101)
    home = np.array(stewart.platform.home)
    leg = stewart.legs[0]
    short = gough.Motion.named(delta)
    controller = gough.Controller(gough.PD(), short)
    checked = gough.check(delta, gough.Motion.named(delta))
    envelope = gough.envelope_of(delta, "pose = {x = [0, 0.01], y = 0, z = -0.7}\n")
    asked = gough.demand(delta, gough.Motion.named(delta))
    motor = gough.Motor("m", 10.0, 1e-5, None, None)
    sized = gough.size(delta, envelope)
    two = (gough.NewtonEuler(), gough.VirtualWork())
    tower, forces = gough.Stack("tower", delta, delta), gough.inverse_dynamics(stewart, motion.sample())
    linear = gough.regressor(delta)
    measured = Path(__file__).parents[1] / "examples" / "calibration" / "full.csv"
    calibrated = gough.calibrate(stewart, measured, folds=0)
    values = [
        stewart, stewart.platform, stewart.platform.body, stewart.platform.coordinates[0], leg, leg.end, leg.joints[0],
        leg.joints[0].limits, gough.Mimic(0, 1.0), gough.Actuation(weights=(1.0,) * 99), gough.JointSpring(1e3),
        gough.Cable((1.0, 9.0)),
        gough.Anchor("base"), gough.PointSpring("s", gough.Anchor("base"), gough.Anchor("platform"), 1e3),
        motion.on_base("ship"), motion, s, gough.Convention("uvw"), gough.CsvLayout("mm"),
        gough.inverse_kinematics(stewart, s), gough.forward_kinematics(delta, np.zeros((5, 3))),
        gough.body_motion(stewart, s), forces,
        gough.assembly_modes(delta, np.zeros(3)),
        gough.forward_dynamics(stewart, home, 0 * home), gough.dynamics_matrices(stewart, s),
        gough.joint_reactions(stewart, s), gough.link_wrenches(stewart, s),
        gough.lopes_matrices(stewart, s), gough.angeles_terms(sru, sru.home),
        gough.modes(delta), gough.modes(delta).table,
        gough.linearise(delta), checked, checked.findings[0], asked, sized, envelope, motor,
        gough.Fit(True, 1.0, 0.5, 1.0, 1.0, 1.0, 1.0), gough.compare(delta, delta, gough.Motion.named(delta)),
        gough.prove(sized, most=2),
        gough.operation_counts(delta)[0], gough.verify(delta, 3, formulations=two), gough.system_graph(delta),
        gough.ExceededLimit("stroke", "1", 3.5, 1.8, 3.3),
        gough.bind(stewart, "ik"), gough.bind(stewart, "ik").program, gough.bind(stewart, "ik").program.graph,
        gough.PD(), gough.ComputedTorque(), gough.Feedforward(), controller, gough.Custom(lambda t, q, qd: 0 * q),
        gough.Forces([0.0, 1.0], np.zeros((2, 3))), gough.Springs(1e3), gough.Noise(1e-5),
        gough.Event("up", lambda t, state: state.x[2]), gough.Occurrence(0.1, "stroke", "A", "leg A", True),
        gough.simulate(delta, None, controller, 0.02), gough.simulate_many(delta, None, controller, 0.02, count=3),
        gough.fastest(delta, gough.Motion.to(delta, {"z": -0.8}, 1.0), {"force": 30}, 20),
        gough.free_path(delta, gough.Motion.to(delta, {"z": -0.8}, 1.0), {"force": 30}, spans=4, cells=20),
        gough.Animation("delta, circle", "<html></html>"),
        gough.State(s.x, s.xd, s.xdd, wrench=np.zeros((101, 6))), gough.BaseState(),
        gough.move(delta, gough.Motion.to(delta, {"z": -0.8}, 1.0), {"force": 30}),
        gough.optimise({"robot": "delta", "starts": 1, "vary": [{"number": "platform.mass", "bounds": [1, 2]}]}),
        tower, gough.stack_kinematics(tower, delta.platform.home, delta.platform.home),
        gough.StackDynamics(forces, forces), gough.StackCheck(checked, checked),
        gough.VirtualWork(), gough.Lagrange(), gough.NewtonEuler(), gough.GeneralizedMomentum(),
        gough.OrthogonalComplement(), gough.SHORT_FORMS["UPS"], gough.Fault(("legs",), "must be there"),
        gough.Status.FINE, *studied(),
        *spaces(stewart), *loose(), *recorded(), *inexact(stewart, motion), linear, linear.base,
        calibrated, calibrated.measurements,
        gough.plan_poses(delta, 8), gough.Bar("d1", (0, 0, 0), (0, 0, 0)), gough.Point("A", (0, 0, 0)),
        gough.Exported((Path("stewart.xml"),), ("no meshes",)),
        gough.Imported(stewart, ("no meshes",) * 20, None),
        gough.ExportedC((Path("stewart.h"),), ("stewart_ik",), ()),
    ]  # fmt: skip
    return {type(value).__name__: value for value in values}


@pytest.fixture(scope="module")
def values():
    return made()


def is_protocol(c):
    return getattr(c, "_is_protocol", False)


def public_classes():
    classes = {name: getattr(gough, name) for name in gough.__all__ if inspect.isclass(getattr(gough, name))}
    shown = {n for n, c in classes.items() if not issubclass(c, BaseException) and not inspect.isabstract(c)}
    return shown - {n for n, c in classes.items() if is_protocol(c)}


def test_repr_fits_in_ten_lines(values):
    assert public_classes() - set(values) == set(), "add a value of these to made()"
    for name, value in values.items():
        text = repr(value)
        assert len(text) <= CHARACTERS, name
        assert len(text.splitlines()) <= LINES, name
        assert " object at 0x" not in text, name


RESULTS = {
    "AngelesTerms", "AssemblyModes", "BodyMotion", "Calibration", "Certificate", "CheckResult", "Comparison",
    "Deflection", "Demand", "DynamicsMatrices", "Ensemble", "Fastest", "ForwardDynamics", "ForwardKinematics",
    "FreePath", "Identification", "InverseDynamics", "JointReactions", "Kinematics", "Linearisation", "LinkWrenches",
    "LopesMatrices", "Modes", "Move", "OperationCounts", "Optimised", "Payload", "Plan", "PoseErrors", "Proof",
    "Simulation", "Singularities", "SizeResult", "StudyResult", "Workspace", "WorkspaceComparison",
}  # fmt: skip


def test_every_result_has_a_table(values):
    assert {name for name, value in values.items() if isinstance(value, Result)} == RESULTS


@pytest.mark.parametrize("name", sorted(RESULTS))
def test_forms_of_a_result_hold_the_same_numbers(values, name, tmp_path):
    """Each form is read by the library it is for, and compared with the result's own arrays."""
    import pyarrow.parquet

    result = values[name]
    columns = {k: np.asarray(v) for k, v in result.columns().items()}
    header, *rows = csv.reader(line for line in result.to_csv().splitlines() if not line.startswith("#"))
    assert header == list(columns)
    assert len(rows) == result.table.rows > 0
    result.to_parquet(tmp_path / "result.parquet")
    stored = pyarrow.parquet.read_table(tmp_path / "result.parquet")
    frame = result.to_pandas().reset_index()
    for k, (column, expected) in enumerate(columns.items()):
        assert stored.column(column).to_pylist() == pytest.approx(expected.tolist(), nan_ok=True), column
        assert frame[column].tolist() == pytest.approx(expected.tolist(), nan_ok=True), column
        if expected.dtype.kind == "f":
            cells = np.array([float(row[k] or "nan") for row in rows])
            np.testing.assert_array_equal(cells, np.where(np.isfinite(expected), expected, np.nan))
    units = result.si_units()
    assert set(units) <= set(columns)
    assert frame.attrs == {} or result.to_pandas().attrs["units"] == units
    assert json.loads(result.to_json(tmp_path / "result.json")) == result.to_dict()
    assert json.loads((tmp_path / "result.json").read_text()) == result.to_dict()


def test_arrays_keep_their_axes_in_xarray(values):
    forces, reactions = values["InverseDynamics"], values["JointReactions"]
    found = forces.to_xarray()
    assert found.force.dims == ("t", "actuator")
    assert found.force.sel(actuator="3").values.tolist() == forces.force[:, 2].tolist()
    assert found.xd.sel(coordinate="psi").values.tolist() == forces.xd[:, 3].tolist()
    assert found.t.values.tolist() == forces.t.tolist()
    assert (found.force.units, found.q.units, found.x.units) == ("N", "m", ["m"] * 3 + ["rad"] * 3)
    assert found.attrs["robot"] == "stewart"
    moment = reactions.to_xarray().joint_moment
    assert moment.dims == ("sample", "joint", "axis")
    k = reactions.names.index("2.end")
    np.testing.assert_array_equal(moment.sel(joint="2.end", axis="y"), reactions.joint_moment[:, k, 1])


def test_names_of_columns_are_the_vocabulary(values):
    run, forces = values["Simulation"].columns(), values["InverseDynamics"].columns()
    assert list(run)[:7] == ["t", "x", "y", "z", "xd_x", "xd_y", "xd_z"]
    assert {"q_A", "qd_A", "force_A", "power_A"} <= set(run)
    assert {"t", "psi", "xd_psi", "xdd_psi", "q_1", "qd_1", "force_1", "power_1", "status"} <= set(forces)
    assert {"q_1", "joint_q_1.U1", "joint_qdd_1.P", "status"} <= set(values["Kinematics"].columns())
    np.testing.assert_array_equal(run["power_A"], values["Simulation"].force[:, 0] * values["Simulation"].qd[:, 0])


@pytest.mark.parametrize("name", ["InverseDynamics", "Simulation", "Ensemble", "Demand", "Kinematics", "CheckResult"])
def test_a_result_shows_its_plot_and_extremes(values, name):
    result = values[name]
    shown = result._repr_html_()
    image = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', shown)
    assert b"<svg" in base64.b64decode(image[1])
    for column, unit, low, at, high, _ in result.table.extremes()[:3]:
        data = np.asarray(result.columns()[column], dtype=float)
        assert (low, high) == (np.nanmin(data), np.nanmax(data))
        assert f"<th>{column}</th><td>{unit}</td><td>{low:.6g}</td>" in shown
        index = result.columns().get(result.table.index, np.arange(len(data)))
        assert at == index[int(np.nanargmin(data))]


def test_a_robot_shows_its_picture_and_facts(values):
    shown = values["Robot"]._repr_html_()
    image = re.search(r'src="data:image/png;base64,([^"]+)"', shown)
    assert base64.b64decode(image[1])[:8] == b"\x89PNG\r\n\x1a\n"
    assert "6: 1, 2, 3, 4, 5, 6" in shown
    assert "z = 2 m" in shown


def test_markup_in_names_is_escaped():
    robot = gough.load("delta")
    evil = with_values(robot, name="<script>alert(1)</script>")
    x = np.array(evil.platform.home)
    for shown in (evil._repr_html_(), gough.inverse_dynamics(evil, x)._repr_html_()):
        assert "<script" not in shown
        assert "&lt;script" in shown


@pytest.mark.parametrize(("method", "package"), [("to_pandas", "pandas"), ("to_xarray", "xarray")])
def test_a_package_that_is_missing_is_named(values, monkeypatch, method, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(gough.InputError) as told:
        getattr(values["Modes"], method)()
    assert str(told.value) == f"{method}: needs the package {package}; pip install 'gough[{package}]'"


def test_numbers_that_do_not_exist(tmp_path):
    robot = gough.load("delta")
    x = np.tile(robot.platform.home, (2, 1))
    x[1] = 50.0
    result = gough.inverse_dynamics(robot, x)
    assert result.to_dict()["force"] == [result.force[0].tolist(), None]
    assert result.to_dict()["status"] == ["fine", "out of reach"]
    assert result.to_csv().splitlines()[2].endswith(",,,,,,,,,,,,out of reach")
    assert result.to_pandas()["force_A"].isna().tolist() == [False, True]


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf", ".PNG"])
def test_a_plot_is_written_where_a_file_is_named(tmp_path, ending):
    result = gough.inverse_dynamics(gough.load("delta"), gough.Motion.named(gough.load("delta")).sample(5))
    path = tmp_path / f"forces{ending}"
    figure = result.plot(path)
    assert figure.axes
    assert path.read_bytes()[:5] in {b"\x89PNG\r", b"<?xml", b"%PDF-"}
    assert result.table.plot(path).axes


def test_a_plot_of_its_own_is_written_too(tmp_path):
    vary = [{"number": "leg.*.base.*", "uniform": "0.1 mm"}]
    study = gough.Study.of(robot="stewart", vary=vary, machines=5, measure=["reach"]).run()
    study.plot(str(tmp_path / "study.png"))
    assert (tmp_path / "study.png").stat().st_size > 1000


@pytest.mark.parametrize("name", ["forces", "forces.jpg", "forces.csv"])
def test_a_plot_has_the_ending_of_a_picture(tmp_path, name):
    result = gough.inverse_dynamics(gough.load("delta"), gough.Motion.named(gough.load("delta")).sample(5))
    with pytest.raises(gough.InputError, match=r"^plot: .*forces.*: must end in .png, .svg or .pdf$"):
        result.plot(tmp_path / name)
    assert not list(tmp_path.iterdir())
