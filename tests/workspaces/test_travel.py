"""Rays and travel against closed forms, against `check`, and against many samples."""

from dataclasses import replace

import numpy as np
import pytest

import gough
from gough import Motion, load
from gough.analysis.along_motion import Path
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from gough.workspaces.allowance import Allowance
from gough.workspaces.conditions import conditions_of
from gough.workspaces.rays import ray_tracer, sliding, turning
from gough.workspaces.region import grid_of, region_of
from gough.workspaces.result import workspace_at
from gough.workspaces.travel import pose_of
from tests.support.hall import hall
from tests.support.lanes import size
from tests.support.robots import with_values
from tests.support.spindle_heads import TIP, head_file
from tests.workspaces.shells import exits

STROKE = (1.8, 3.3)


@pytest.fixture(scope="module")
def stewart():
    return load("stewart")


def directions(count, seed):
    d = np.random.default_rng(seed).normal(size=(count, 3))
    return d / np.linalg.norm(d, axis=1, keepdims=True)


def test_rays_end_where_spherical_shells_do(stewart):
    tracer = ray_tracer(stewart, conditions_of(stewart, only=["stroke"]))
    for k, x in enumerate(([0, 0, 2, 0, 0, 0], [0.2, -0.1, 2.3, 0.3, -0.2, 0.1], [0, 0.3, 1.9, 1.0, 0.1, 0.0])):
        p, R = pose_of(stewart, np.array(x))
        d = directions(size(20000, 1500), k)
        found, proved = tracer.first_exits(sliding(p, R, d, 8.0))
        assert np.abs(found.t - exits(stewart, p, R, d, STROKE)).max() <= 1e-10
        assert found.ended.all()
        assert (proved >= found.t * (1.0 - 1e-8)).all()


def test_travel_of_z_is_the_closed_form_and_all_legs_end_it(stewart):
    z = next(row for row in gough.workspace(stewart).travel if row.axis == "z")
    across = 1.5**2 + 0.75**2 - 2 * 1.5 * 0.75 * np.cos(np.pi / 4)
    assert z.low == pytest.approx(np.sqrt(1.8**2 - across), abs=1e-12)
    assert z.high == pytest.approx(np.sqrt(3.3**2 - across), abs=1e-12)
    assert [(limit.kind, limit.owner, limit.end) for limit in z.low_limits] == [
        ("stroke", str(k), "low") for k in range(1, 7)
    ]
    assert {limit.end for limit in z.high_limits} == {"high"}
    assert len(z.high_limits) == 6


@pytest.mark.parametrize("name", [pytest.param("rotary", marks=pytest.mark.slow), "hexapod", "planar3rrr", "spatial3"])
def test_the_limits_that_end_travel_are_those_of_check(name):
    robot = load(name)
    found = gough.workspace(robot)
    for row in found.travel:
        for end, limits in ((row.low, row.low_limits), (row.high, row.high_limits)):
            kinds = {"det K" if limit.kind == "side" else limit.kind for limit in limits}
            values = []
            for share in (0.999, 1.001):
                x = np.array(robot.platform.home)
                x[robot.coordinate_names.index(row.axis)] += share * (end - row.at)
                values.append(x)
            inside, outside = (violations(robot, x) for x in values)
            assert not inside
            assert kinds & outside, (row.axis, kinds, outside)


def violations(robot, x):
    """Kinds of limits of poses that the straight way from home to x violates, by the quantities of `check`."""
    motion = Motion.to(robot, tuple(x), 1.0)
    path, t = Path(robot, motion), np.linspace(0.0, 1.0, 400)
    found = set()
    if (inverse_kinematics(robot, path.state(t)["x"]).short > 1e-12).any():
        return {"reach"}
    q = path.joints(t)[:, [k for k, joint in enumerate(robot.joints) if joint.actuated]]
    stroke = np.array([joint.limits.stroke for joint in robot.actuators])
    found |= {"stroke"} if ((q < stroke[:, 0] - 1e-12) | (q > stroke[:, 1] + 1e-12)).any() else set()
    cones = [cone for *_, cone in path.shape.cones]
    if any(cone is not None for cone in cones):
        largest = np.array([np.pi if cone is None else cone for cone in cones])
        found |= {"angle"} if (path.cosines(t) < np.cos(largest)).any() else set()
    radii = np.array([pair.radii for pair in path.pairs])
    found |= {"distance"} if (path.squares(t) < radii**2).any() else set()
    signs = np.sign(path.determinant(t))
    return found | ({"det K"} if (signs != signs[0]).any() else set())


@pytest.mark.parametrize(("name", "only"), [("planar3rrr", None), ("hexapod", ["reach", "stroke", "side"])])
def test_what_is_proved_has_no_counterexample(name, only):
    robot = load(name)
    tracer = ray_tracer(robot, conditions_of(robot, only=only))
    p, R = pose_of(robot, np.array(robot.platform.home))
    d = directions(40, 3) * ([1, 1, 0] if name == "planar3rrr" else [1, 1, 1])
    rays = sliding(p, R, d / np.linalg.norm(d, axis=1, keepdims=True), 4.0)
    _, proved = tracer.first_exits(rays)
    assert (proved > 0.05).all()
    for share in np.linspace(0.0, 1.0, 500):
        assert (tracer.margins(rays, share * proved * (1.0 - 1e-9)) > 0.0).all()


def test_a_march_that_steps_over_an_exit_is_put_right(stewart, monkeypatch):
    monkeypatch.setattr("gough.workspaces.rays.STEPS", 2)
    stroke = (2.6, 3.3)
    tracer = ray_tracer(stewart, conditions_of(stewart, {"stroke": stroke}, only=["stroke"]))
    p, R = pose_of(stewart, np.array([0.0, 0.0, 2.7, 0.0, 0.0, 0.0]))
    d = np.array([0.0, 0.0, -1.0]) + 0.1 * directions(200, 5)
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    right = exits(stewart, p, R, d, stroke)
    rays = sliding(p, R, d, 10.8)
    assert (np.abs(tracer.trace(rays).t - right) > 1e-6).any()
    assert np.abs(tracer.first_exits(rays)[0].t - right).max() <= 1e-10


def test_dips_between_steps_end_a_ray(stewart, monkeypatch):
    """Legs that get shorter and longer again pass their least length between two steps."""
    monkeypatch.setattr("gough.workspaces.rays.STEPS", 8)
    stroke = (2.18, 9.0)
    tracer = ray_tracer(stewart, conditions_of(stewart, {"stroke": stroke}, only=["stroke"]))
    p, R = pose_of(stewart, np.array([-1.5, 0.0, 2.2, 0.0, 0.0, 0.0]))
    d = np.array([1.0, 0.0, -0.1]) + 0.15 * directions(3000, 7)
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    right = exits(stewart, p, R, d, stroke)
    rays = sliding(p, R, d, 10.8)
    assert (np.abs(tracer.trace(rays).t - right) > 1e-6).any()
    assert np.abs(tracer.trace(rays, dips=True).t - right).max() <= 1e-10


def test_turns_about_the_tool_keep_it_where_it_is(stewart):
    tool = np.array([0.1, -0.2, 0.3])
    found = gough.workspace(stewart.with_tool(tool), convention="uvw", only=["stroke"])
    row = found.travel[3]
    p, R = pose_of(stewart, np.array(stewart.platform.home))
    tracer = ray_tracer(stewart, found.conditions)
    rays = turning(p, R, tool, [[1.0, 0.0, 0.0]], np.pi)
    c, s = np.cos(row.high), np.sin(row.high)
    Rx = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    at = p + tool - Rx @ tool
    far = np.linalg.norm(at + np.array([leg.end.platform_point for leg in stewart.legs]) @ Rx.T
                         - np.array([leg.position for leg in stewart.legs]), axis=1)  # fmt: skip
    assert np.abs(np.concatenate([far - 1.8, far - 3.3])).min() <= 1e-12
    assert tracer.trace(rays).t[0] == pytest.approx(row.high - row.at, abs=1e-12)


def test_forces_at_rest_and_speeds_of_a_twist_end_travel():
    robot = load("hexapod")
    twist = (0.3, 0.0, 0.0, 0.0, 0.0, 0.0)
    found = gough.workspace(robot, limits={"force": 14.0, "speed": 0.45}, only=["reach", "stroke", "force", "speed"],
                            twist=twist)  # fmt: skip
    seen = set()
    for row in found.travel[:3]:
        for end, limits in ((row.low, row.low_limits), (row.high, row.high_limits)):
            x = np.array(robot.platform.home)
            x[robot.coordinate_names.index(row.axis)] = end
            forces = gough.inverse_dynamics(robot, x).force
            speeds = inverse_kinematics(robot, gough.State(x, [0.3, 0, 0, 0, 0, 0])).qd
            kind = limits[0].kind
            seen.add(kind)
            if kind == "force":
                assert np.abs(forces).max() == pytest.approx(14.0, abs=1e-9)
            if kind == "speed":
                assert np.abs(speeds).max() == pytest.approx(0.45, abs=1e-9)
    assert seen >= {"force", "speed"}


@pytest.mark.parametrize(("kind", "value"), [("singular", 0.6), pytest.param("condition", 4.0, marks=pytest.mark.slow)])
def test_conditioning_ends_travel_at_its_limit(stewart, kind, value):
    found = gough.workspace(stewart, limits={kind: value}, only=["stroke", "side", kind])
    ends = [(row, end, row.at + s) for row in found.travel[:3] for end, s in
            ((row.low_limits, row.low - row.at), (row.high_limits, row.high - row.at))]  # fmt: skip
    met = [(row, at) for row, limits, at in ends if limits[0].kind == kind]
    assert met
    for row, at in met:
        x = np.array(stewart.platform.home)
        x[stewart.coordinate_names.index(row.axis)] = at
        K = inverse_kinematics(stewart, x).K / [1, 1, 1, 0.75, 0.75, 0.75]
        values = np.linalg.svd(K, compute_uv=False)
        got = values[-1] if kind == "singular" else values[0] / values[-1]
        assert got == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "line"),
    [
        ({"pose": "z=3.2"}, "workspace of stewart: the pose x = 0, y = 0, z = 3.2, psi = 0, theta = 0, phi = 0 is "
         "outside its limits: stroke 1, high; stroke 2, high; stroke 3, high and more; start from another "
         "pose, or state other limits"),
        ({"only": ["strokes"]}, "only strokes: no such limit (did you mean stroke?)"),
        ({"only": ["angle"]}, "limit angle: stewart states none; give one, e.g. angle=45deg"),
        ({"limits": {"power": 3.0}}, "limit power: is of motions, not of poses; a workspace takes stroke, "
         "angle, distance, singular, condition, force, margin, speed"),
        ({"limits": {"speed": 3.0}}, "limit speed: needs a twist of the platform; give twist vx,vy,vz,wx,wy,wz"),
        ({"twist": [1.0, 2.0]}, "twist: must be six numbers, not 2"),
        ({"convention": "quaternion"},
         "--convention quaternion: has no axes to travel along; take fixed-xyz, uvw or robot"),
    ],
)  # fmt: skip
def test_bad_calls_get_one_line(stewart, call, line):
    with pytest.raises(InputError) as caught:
        gough.workspace(stewart, **call)
    assert str(caught.value) == line


def test_each_step_of_a_proof_is_announced():
    robot, steps = load("planar3rrr"), []
    x = np.array(robot.platform.home)
    workspace_at(robot, x, conditions_of(robot, {}, ["reach"]), prove=True, progress=steps.append)
    assert steps[0] == "proving the travel of each axis"
    assert "proving the largest cube" in steps


def test_travel_is_that_of_the_tool(stewart, tmp_path):
    # A head whose origin is at the tool tip slides as the tool of the same head does, also where yaw follows z.
    head, tip = (load(head_file(tmp_path, at_tip)) for at_tip in (False, True))
    tool = (0.0, 0.0, -TIP / 1000.0)
    turned = {"pitch": 0.2, "roll": 0.15}
    found = gough.workspace(head.with_tool(tool), {"z": 0.7, **turned}, travel_only=True)
    there = 0.7 - TIP / 1000.0 * np.cos(0.2) * np.cos(0.15)
    wanted = gough.workspace(tip, {"z": there, **turned}, travel_only=True).travel[0]
    row = found.travel[0]
    np.testing.assert_allclose((row.at, row.low, row.high), (wanted.at, wanted.low, wanted.high), rtol=0, atol=1e-13)
    assert found.to_dict()["turns_about"] == {"pitch": [0.0] * 3, "roll": [0.0] * 3}
    # In its own coordinates a robot turns about the tool too, as by a convention.
    own = gough.workspace(stewart.with_tool(tool), travel_only=True)
    uvw = gough.workspace(stewart.with_tool(tool), travel_only=True, convention="uvw")
    order = [0, 1, 2, 5, 4, 3]
    for name in ("at", "low", "high"):
        ends = [getattr(uvw.travel[k], name) for k in order]
        np.testing.assert_allclose([getattr(row, name) for row in own.travel], ends, rtol=0, atol=1e-13)
    assert set(map(tuple, own.to_dict()["turns_about"].values())) == {tool}
    # The ends of a turned tool's own axes are along these.
    turned = stewart.with_tool(tool, {"axis": [0, 0, 1], "angle": "90 deg"})
    quarter = gough.workspace(turned, travel_only=True, convention="uvw").travel
    assert [quarter[k].at for k in (3, 4, 5)] == pytest.approx([0.0, 0.0, 0.5 * np.pi], abs=1e-15)
    for row, other in ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4)):  # u is about the base's x whatever w is
        assert quarter[row].low == pytest.approx(uvw.travel[other].low, abs=1e-12)
    assert quarter[5].low - quarter[5].at == pytest.approx(uvw.travel[5].low - uvw.travel[5].at, abs=1e-12)


def test_a_payload_that_looks_like_millimetres_is_doubted(stewart):
    with pytest.raises(InputError) as caught:
        stewart.with_payload(3.0, (0, 0, -250))
    assert str(caught.value) == (
        'stewart: payload.com: [0, 0, -250]: implausibly large: at most 100 m (mm for m? state [units] length = "mm")'
    )
    with pytest.raises(InputError, match=r"^rotary: payload\.com: .* is more than 50 times the robot's size from the "):
        gough.load("rotary").with_payload(3.0, (0, 0, -9))


def test_a_proof_that_ends_says_why(stewart):
    tracer = ray_tracer(stewart, conditions_of(stewart, {"stroke": STROKE}, only=["stroke"]))
    rays = sliding(*pose_of(stewart, np.array(stewart.platform.home)), np.eye(3), 8.0)
    whole, proved = tracer.first_exits(rays)
    assert whole.undecided == ("", "", "")
    none, nothing = tracer.first_exits(rays, Allowance.of(0.0))
    assert none.undecided == ("time",) * 3
    assert (nothing == 0.0).all()
    assert (proved > 0.0).all()


def test_cables_are_followed_as_far_as_their_frame_is_wide():
    robot = hall()
    down = with_values(robot, legs=tuple(with_stroke(leg) for leg in robot.legs))
    row = next(row for row in gough.workspace(down, travel_only=True).travel if row.axis == "z")
    assert {limit.kind for limit in row.low_limits} == {"stroke"}
    # The upper cables are 14 m long there.
    assert np.sqrt(4.6**2 + 3.6**2 + (5.3 - row.low) ** 2) == pytest.approx(14.0, abs=1e-9)
    region = region_of(down, conditions_of(down), np.array(down.platform.home))
    assert grid_of(region, 12).box[2, 0] < row.low
    with pytest.raises(InputError) as caught:
        grid_of(region_of(robot, conditions_of(robot), np.array(robot.platform.home)), 12)
    assert str(caught.value) == (
        "workspace of hall: no limit ends it within 13.75 m of the pose towards -z; "
        "state the room, e.g. --box z=0:, or other limits"
    )


def with_stroke(leg):
    """The leg with cables of at most 14 m."""
    joints = [replace(j, limits=replace(j.limits, stroke=(0.3, 14.0))) if j.actuated else j for j in leg.joints]
    return replace(leg, joints=tuple(joints))
