"""Distances of cables: lines between anchors by bounded least squares, in every place that tells distances of legs."""

from itertools import combinations

import numpy as np
import pytest
from scipy.optimize import brentq, lsq_linear
from scipy.spatial.transform import Rotation

import gough
from gough import Robot
from gough.analysis.leg_distances import distance_program, pairs_of, shape_of
from gough.analysis.pose_limits import exceeded_limits
from gough.kinematics import inverse_kinematics
from gough.view.browser.panel import faults
from gough.view.browser.reach import Reach
from gough.workspaces.conditions import conditions_of
from gough.workspaces.rays import ray_tracer, turning
from gough.workspaces.tilts import tilts
from gough.workspaces.travel import pose_of
from tests.support.mechanisms import cable_tables, loaded

POSES = [[0.0, 0.0, 1.5, 0.0, 0.0, 0.0], [-1.2, 0.7, 2.2, 0.9, -0.2, 0.4], [0.4, -1.1, 0.9, -1.3, 0.3, -0.6]]


def cables(radius: float | None = None, pulley: float = 0.0, strut: bool = False) -> Robot:
    """Eight cables, the last of which may be a strut."""
    tables = cable_tables()
    for leg in tables["leg"]:
        leg |= {} if radius is None else {"radius": radius}
        leg |= {"pulley": {"radius": pulley, "axis": [0.1, -0.2, 1.0]}} if pulley else {}
    if strut:
        ends = {key: tables["leg"][7][key] for key in ("name", "base", "platform")}
        tables["leg"][7] = ends | {"type": "UPS", "radius": 0.03, "actuator": {"force": 500.0}}
    return loaded(tables)


def lines(robot: Robot, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(8, 3) where cables leave the base, and where they end."""
    ends = (
        x[:3]
        + np.array([leg.end.platform_point for leg in robot.legs]) @ Rotation.from_euler("ZYX", x[3:]).as_matrix().T
    )
    starts = [np.array(leg.position) for leg in robot.legs]
    return np.array(
        [leaves(leg, *both) for leg, both in zip(robot.legs, zip(starts, ends, strict=True), strict=True)]
    ), ends


def leaves(leg: gough.Leg, base: np.ndarray, end: np.ndarray) -> np.ndarray:
    """(3,) the point of the pulley at which the way to the end is along it."""
    if leg.cable is None or not leg.cable.pulley:
        return base
    r, k = leg.cable.pulley, np.array(leg.cable.axis)
    out = np.cross(k, np.cross(end - base, k))
    e = out / np.linalg.norm(out)

    def place(angle: float) -> np.ndarray:
        return base + r * (1.0 + np.cos(angle)) * e + r * np.sin(angle) * k

    def off(angle: float) -> float:
        return float((end - place(angle)) @ (np.cos(angle) * e + np.sin(angle) * k))

    return place(brentq(off, 0.0, np.pi - 1e-9, xtol=1e-15))


def apart(robot: Robot, x: list[float] | np.ndarray) -> dict[str, float]:
    """Distance of the axes of each two legs."""
    low, high = lines(robot, np.asarray(x))
    found = {}
    for i, j in combinations(range(len(low)), 2):
        along = np.stack([high[i] - low[i], low[j] - high[j]], axis=1)
        places = lsq_linear(along, low[j] - low[i], (0, 1), tol=1e-15).x
        found[f"{i + 1}-{j + 1}"] = float(np.linalg.norm(low[i] - low[j] + along @ places))
    return found


@pytest.mark.parametrize("given", [{}, {"pulley": 0.3}, {"radius": 0.02, "strut": True}])
def test_cables_are_lines_between_their_anchors(given):
    robot = cables(**given)
    pairs = pairs_of(robot)
    names = [f"{pair.first.leg + 1}-{pair.second.leg + 1}" for pair in pairs]
    points = shape_of(robot).program(x=np.array(POSES))["points"]
    found = np.sqrt(distance_program(pairs, points.shape[1])(points=points))
    for row, x in zip(found, POSES, strict=True):
        expected = apart(robot, x)
        for name, value in expected.items():
            # A strut has a cylinder and a piston: the nearer of both counts. The search is right to 1e-9.
            nearest = min(d for own, d in zip(names, row, strict=True) if own == name)
            assert nearest == pytest.approx(value, abs=1e-9)


def test_cables_that_meet_in_one_point_of_the_platform_are_checked_apart_from_it():
    corners = [[0.0, 0.0, 5.0], [4.0, 0.0, 5.0], [2.0, 4.0, 5.0]]
    legs = [{"name": f"{k}", "type": "cable", "base": at, "platform": [0, 0, 0]} for k, at in enumerate(corners, 1)]
    platform = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [2.0, 1.5, 2.0], "mass": 10.0}
    robot = loaded({"name": "crane", "platform": platform, "legs": {"tension": [0.1, 1000.0]}, "leg": legs})
    found = gough.check(robot, gough.Motion.to(robot, {"x": 2.1}, 8.0), {"distance": 0.01})
    near = [0.05 * np.linalg.norm(np.array(at) - [2.0, 1.5, 2.0]) for at in corners]
    assert near[0] == pytest.approx(near[1], abs=1e-15)
    assert found.notes == (
        f"legs 1 and 2; 1 and 3; 2 and 3 share a joint: not checked against each other within {near[0]:.4g} m of it "
        "(5 % of the first leg's length at home)",
    )
    [worst] = [one for one in found.findings if one.kind == "distance"]
    x = found.motion(worst.t).x
    # Of two lines from one point, what begins so far from it is nearest where both begin.
    u, v = ((np.array(corners[int(name) - 1]) - x) for name in worst.owner.split("-"))
    gap = near[0] * np.linalg.norm(u / np.linalg.norm(u) - v / np.linalg.norm(v))
    assert worst.value == pytest.approx(gap, abs=1e-12)


def test_a_pose_tells_cables_that_overlap():
    robot = cables(0.03)
    x = [0.0, 0.0, 1.5, np.radians(81.0), 0.0, 0.0]
    near = {name: d - 0.06 for name, d in apart(robot, x).items() if d < 0.06}
    found = exceeded_limits(inverse_kinematics(robot, x), np.array(x))
    assert {one.owner: one.value for one in found if one.kind == "distance"} == pytest.approx(near, abs=1e-9)
    assert set(near) == {"1-5"}
    limits = Reach(robot, 1.0).violated(np.array(x))
    result = gough.inverse_dynamics(robot, [x])
    told = faults(result, 0, gough.display.Display(), limits)
    assert {(fault.text, fault.legs) for fault in told} >= {
        (f"legs {name} touch", tuple(name.split("-"))) for name in near
    }


@pytest.mark.parametrize("prove", [False, True])
def test_travel_ends_where_cables_are_as_near_as_allowed_and_check_names_them(prove):
    robot, least = cables(0.004), 0.01
    found = gough.workspace(
        robot, limits={"distance": least}, only=["reach", "distance"], travel_only=True, prove=prove
    )
    seen = 0
    for row in found.travel[3:]:
        assert row.proved or not prove
        for end, (limit,) in ((row.low, row.low_limits), (row.high, row.high_limits)):
            assert limit.kind == "distance"
            x = np.array(robot.platform.home)
            x[robot.coordinate_names.index(row.axis)] = end
            distances = apart(robot, x)
            assert min(distances, key=lambda name: distances[name]) == limit.owner
            assert distances[limit.owner] - 0.008 == pytest.approx(least, abs=1e-12)
            to = {row.axis: end * (1.0 + 1e-6)}
            checked = gough.check(robot, gough.Motion.to(robot, to, 60.0), {"distance": least})
            [worst] = [one for one in checked.findings if one.kind == "distance"]
            assert (worst.owner, worst.fits) == (limit.owner, False)
            seen += 1
    assert seen == 6


def test_thin_cables_do_not_pass_through_one_another_as_the_platform_tilts():
    """Steps of a tilt are longer than cables are thick; a march of many more steps sees what it ends at."""
    robot = cables(0.004)
    conditions = conditions_of(robot, only=["reach", "distance"])
    x = np.array(robot.platform.home)
    found = tilts(robot, conditions, x, np.zeros(3), 24)
    p, R = pose_of(robot, x)
    axes = np.stack([-np.sin(found.azimuth), np.cos(found.azimuth), 0 * found.azimuth], axis=1)
    tracer, rays = ray_tracer(robot, conditions), turning(p, R, np.zeros(3), axes, np.pi)
    for angle in np.linspace(0.0, np.pi, 4001):
        before = found.tilt > angle
        assert (tracer.margins(rays, np.full(24, angle))[before] > 0.0).all()
    assert {limit.kind for limits in found.limits for limit in limits} == {"distance"}


def test_the_angle_of_a_cable_on_the_platform_is_from_where_it_is_at_home():
    robot = cables()
    found = gough.check(robot, gough.Motion.to(robot, {"x": 1.5}, 8.0), {"angle": 1.0})
    [worst] = [one for one in found.findings if one.kind == "angle"]
    x = np.array(robot.platform.home)
    home = np.subtract(*lines(robot, x))
    x[0] = 1.5
    moved = np.subtract(*lines(robot, x))
    cosines = (home * moved).sum(axis=1) / np.linalg.norm(home, axis=1) / np.linalg.norm(moved, axis=1)
    assert worst.value == pytest.approx(np.arccos(cosines.min()), abs=1e-9)
    assert worst.owner == f"{cosines.argmin() + 1}.end"
