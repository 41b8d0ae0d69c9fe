"""Cable robots: reference numbers, pulleys, planar and point-mass platforms, cables beside rigid legs."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

import gough
from gough import Actuation, Robot
from gough.design import envelope_of
from gough.design.limited_forces import WithinLimits, freely_shared
from gough.design.worst import Worst
from gough.dynamics.contract import FORMULATIONS
from gough.dynamics.sharing.margin import margins
from gough.errors import InputError
from gough.kinematics.status import Status
from tests.support import lanes
from tests.support.mechanisms import cable8, cable_tables, loaded, reference, series
from tests.support.pinocchio_tree import platform_efforts
from tests.support.robots import with_values

STATE = ("x", "xd", "xdd")
NAMES = [formulation.name for formulation in FORMULATIONS]
SPATIAL = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}


def random_cables(seed: int) -> Robot:
    """4 to 12 cables: a point mass, a platform in a plane or in space, suspended or pulled from all sides."""
    rng = np.random.default_rng(seed)
    kind = ("point", "planar", "spatial")[seed % 3]
    n = {"point": 3, "planar": 3, "spatial": 6}[kind]
    m = n + (1, 2, 3, 6)[seed // 3 % 4]
    angles = 2 * np.pi * (np.arange(m) + 0.2 * rng.uniform(-1, 1, m)) / m
    base = 4.0 * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    ends = 0.4 * np.stack([np.cos(2.0 * angles + 0.7), np.sin(2.0 * angles + 0.7), 0 * angles], axis=1)
    home, coordinates, gravity = [0.1, -0.1, 0.2], {"x": "x", "y": "y", "phi": "rz"}, [0, -9.81, 0]
    mass, inertia = 4.0, [0.2, 0.2, 0.3]
    if kind != "planar":
        base[:, 2], ends[:, 2] = 3.0 * np.where(np.arange(m) % 2, 1.0, -1.0), 0.3 * rng.uniform(-1, 1, m)
        home, coordinates, gravity = [0.1, -0.1, 0.2, 0.05, 0.02, -0.04], SPATIAL, [0, 0, -9.81]
    if kind == "point":
        ends, home, inertia = 0.0 * ends, home[:3], [0.0, 0.0, 0.0]
        coordinates = {"x": "x", "y": "y", "z": "z"}
    cables = []
    for k in range(m):
        cable = {"name": f"c{k}", "type": "cable", "base": base[k].tolist(), "platform": ends[k].tolist()}
        cable |= {"tension": [5.0, 400.0 + 50.0 * rng.uniform()], "reference": 60.0}
        cable["actuator"] = {"rotor_inertia": 1e-4, "gear": 50.0, "viscous": 2.0}
        if seed % 2:
            normal = [0, 0, 1] if kind != "planar" else [-base[k][1], base[k][0], 0]
            cable["pulley"] = {"radius": 0.05 + 0.05 * rng.uniform(), "axis": normal}
        cables.append(cable)
    platform = {"coordinates": coordinates, "home": home, "mass": mass, "inertia": inertia}
    return loaded({"name": "cables", "gravity": gravity, "platform": platform, "leg": cables})


def states(robot: Robot, count: int = 5) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    x = np.array(robot.platform.home) + 0.1 * rng.uniform(-1, 1, (count, robot.dof))
    return x, 0.3 * rng.normal(size=x.shape), 0.5 * rng.normal(size=x.shape)


def by_pinocchio(robot: Robot, x: np.ndarray, xd: np.ndarray, xdd: np.ndarray) -> np.ndarray:
    """(N, n) Q: what Pinocchio says of the platform alone, and what rotors and friction of the winches take."""
    found = gough.inverse_kinematics(robot, gough.State(x, xd, xdd))
    joints = robot.actuators
    own = np.array([j.rotor_inertia * j.gear**2 for j in joints]) * found.joint_qdd
    own = own + np.array([j.viscous for j in joints]) * found.joint_qd
    return platform_efforts(robot, x, xd, xdd) + np.einsum("nij,ni->nj", found.K, own)


@pytest.mark.parametrize("name", [*NAMES, "virtual_work_full"])
def test_reference_numbers_by_every_formulation(name: str) -> None:
    found = gough.inverse_dynamics(cable8(), gough.State(*(series("cable8", key) for key in STATE)), formulation=name)
    tension = series("cable8", "force")
    assert np.abs(-found.force - tension).max() <= 1e-11 * tension.max()
    power = -tension * series("cable8", "velocity")
    assert np.abs(found.power - power).max() <= 1e-11 * np.abs(power).max()


def test_reference_lengths_and_jacobian() -> None:
    x, xd, _ = (series("cable8", key) for key in STATE)
    found = gough.inverse_kinematics(cable8(), gough.State(x, xd))
    assert np.abs(found.joint_q - series("cable8", "displacement")).max() <= 1e-13
    assert np.abs(found.joint_qd - series("cable8", "velocity")).max() <= 1e-13
    assert np.abs(found.K - series("cable8", "K")).max() <= 1e-14


@pytest.mark.parametrize("name", [name for name in NAMES if name != "virtual_work"])
def test_reference_accelerations(name: str) -> None:
    """Of all formulations that have forward dynamics."""
    x, xd, xdd = (series("cable8", key) for key in STATE)
    found = gough.forward_dynamics(cable8(), gough.State(x, xd), -series("cable8", "force"), formulation=name)
    assert np.abs(found.xdd - xdd).max() <= 1e-11 * np.abs(xdd).max()


def test_the_active_bounds_of_the_reference() -> None:
    force = gough.inverse_dynamics(cable8(), gough.State(*(series("cable8", key) for key in STATE))).force
    for sample, row in zip(reference("cable8")["samples"], -force, strict=True):
        at = [k for k in range(8) if min(abs(row[k] - 193.0), abs(row[k] - 450.0)) < 1e-9]
        assert len(at) == len(sample["active_bounds"])


@pytest.mark.parametrize("seed", lanes.sample(range(24), 6, lane="cables"))
def test_random_cable_robots(seed: int) -> None:
    """All formulations agree, forward undoes inverse, K is the slope of the lengths, forces balance within limits."""
    robot = random_cables(seed)
    x, xd, xdd = states(robot)
    found = gough.inverse_dynamics(robot, gough.State(x, xd, xdd))
    fine = found.status == Status.FINE
    K = gough.inverse_kinematics(robot, x).K
    free = with_values(robot, actuation=Actuation())
    wanted = gough.inverse_dynamics(free, gough.State(x, xd, xdd)).force
    needed = np.einsum("nij,ni->nj", K, wanted)
    assert np.abs(needed - by_pinocchio(robot, x, xd, xdd)).max() <= 1e-12 * np.abs(wanted).max() * np.abs(K).max()
    low, high = np.array([leg.cable.tension for leg in robot.legs]).T
    inside = found.margin
    assert ((inside > 0.0) == fine)[np.abs(inside) > 1e-9 * high.max()].all()
    if not fine.any():
        return
    tension = found.tension[fine]
    assert (tension >= low - 1e-9).all()
    assert (tension <= high + 1e-9).all()
    given = np.einsum("nij,ni->nj", K, found.force)
    assert np.abs(given - needed)[fine].max() <= 1e-10 * np.abs(wanted).max() * np.abs(K).max()
    for name in NAMES[1:3]:
        other = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=name)
        assert (other.status == found.status).all()
        assert np.abs(other.force - found.force)[fine].max() <= 1e-9 * high.max(), name
    back = gough.forward_dynamics(robot, gough.State(x[fine], xd[fine]), found.force[fine])
    assert np.abs(back.xdd - xdd[fine]).max() <= 1e-9 * np.abs(xdd).max()
    h = 1e-5
    at = [gough.inverse_kinematics(robot, x + s * h * xd + 0.5 * (s * h) ** 2 * xdd).joint_q for s in (1, 0, -1)]
    moving = gough.inverse_kinematics(robot, gough.State(x, xd, xdd))
    assert np.abs((at[0] - at[2]) / (2 * h) - moving.joint_qd).max() <= 1e-8, "h^2 and round-off / h"
    assert np.abs((at[0] - 2 * at[1] + at[2]) / h**2 - moving.joint_qdd).max() <= 1e-3, "round-off / h^2"
    assert np.abs(np.einsum("nij,nj->ni", K, xd) - moving.joint_qd).max() <= 1e-12
    again = gough.forward_kinematics(robot, moving.joint_q - np.array([j.zero for j in robot.actuators]), x)
    assert np.abs(again.x - x).max() <= 1e-9


def hung(actuator: dict[str, float]) -> Robot:
    """A platform of 12 kg that hangs in eight cables with these winches."""
    corners = [(-1, -1), (-1, 1), (1, 1), (1, -1)]
    ends = [(0.2, -0.2), (-0.2, 0.2), (-0.2, -0.2), (0.2, 0.2), (-0.2, 0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, -0.2)]
    legs = [
        {
            "base": [5.0 * corners[k // 2][0], 4.0 * corners[k // 2][1], 6.0 + 0.1 * (k % 2)],
            "platform": [*end, 0.3 * (k % 2)],
        }
        for k, end in enumerate(ends)
    ]
    cable = {"type": "cable", "tension": [15.0, 350.0], "reference": 60.0, "actuator": actuator}
    platform = {"coordinates": SPATIAL, "home": [0, 0, 3, 0, 0, 0], "mass": 12.0, "inertia": [0.25, 0.25, 0.3]}
    return loaded(
        {"name": "hung", "gravity": [0, 0, -9.81], "platform": platform, "leg": [leg | cable for leg in legs]}
    )


WINCH = {"rotor_inertia": 8e-5, "gear": 33.3, "viscous": 3.0, "coulomb": 25.0}


def test_limits_are_of_the_tension_in_the_cable() -> None:
    """Whatever rotors and friction of the winches take, tensions, statuses and margins are those without them."""
    bare, driven = hung({}), hung(WINCH)
    rng = np.random.default_rng(5)
    x = np.array(bare.platform.home) + 0.2 * rng.uniform(-1, 1, (12, 6))
    xd, xdd = 0.5 * rng.normal(size=x.shape), 3.0 * rng.normal(size=x.shape)
    x[:2], xd[:2], xdd[:2] = bare.platform.home, 0.0, 0.0
    xd[:2, 2], xdd[1, 2] = (-0.5, 0.5), -10.5  # lowered at a steady pace; pushed down, faster than it falls
    plain, found = (gough.inverse_dynamics(robot, gough.State(x, xd, xdd)) for robot in (bare, driven))
    assert Status(found.status[0]) is Status.FINE
    assert Status(found.status[1]) is Status.INFEASIBLE
    assert (found.status == plain.status).all()
    fine = found.status == Status.FINE
    assert np.array_equal(found.tension, plain.tension, equal_nan=True)
    assert np.abs(found.margin - plain.margin).max() <= 1e-12 * 350.0
    moving = gough.inverse_kinematics(driven, gough.State(x, xd, xdd))
    spent = 8e-5 * 33.3**2 * moving.joint_qdd + 3.0 * moving.joint_qd + 25.0 * np.sign(moving.joint_qd)
    assert np.abs(found.force - (spent - plain.tension))[fine].max() <= 1e-12 * 350.0
    assert np.abs(found.least_violating() - (plain.least_violating() + spent)).max() <= 1e-9 * 350.0
    back = gough.forward_dynamics(driven, gough.State(x[fine], xd[fine]), found.force[fine])
    assert np.abs(back.xdd - xdd[fine]).max() <= 1e-11 * np.abs(xdd).max()
    assert np.abs(back.tension - found.tension[fine]).max() <= 1e-11 * 350.0
    shared = with_values(driven, actuation=replace(driven.actuation, criterion="least-norm"))
    split = gough.inverse_dynamics(shared, gough.State(x, xd, xdd))
    assert np.abs(sum(split.parts().values()) - split.force).max() <= 1e-12 * 350.0
    assert np.abs(split.parts()["friction"] - (spent - 8e-5 * 33.3**2 * moving.joint_qdd)).max() <= 1e-12 * 350.0


def test_checks_sizes_and_fastest_moves_keep_to_the_tension() -> None:
    bare, driven = hung({}), hung(WINCH)
    for quantity in ("check", "size", "fastest"):
        values = []
        for robot in (bare, driven):
            move = gough.Motion.to(robot, [0.3, 0.2, 3.3, 0, 0, 0], 2.0)
            if quantity == "check":
                values.append(next(f.value for f in gough.check(robot, move).findings if f.kind == "margin"))
            elif quantity == "size":
                envelope = envelope_of(robot, "[pose]\nx = [-0.1, 0.1]\n[velocity]\nz = 0.5\n[acceleration]\nz = 1")
                worst = Worst(freely_shared(robot), envelope)
                values.append(WithinLimits(robot, envelope, worst).margins(np.array([robot.platform.home]))[0])
            else:
                values.append(gough.fastest(robot, move).motion.duration)
        assert values[0] == pytest.approx(values[1], rel=1e-8), "round-off; of the fastest what its last step changes"


def test_a_winch_has_the_force_limit_that_is_stated() -> None:
    """Tension and force are one without rotor and friction; with them each has its own limit."""
    limits = [hung(given).actuators[0].limits.force for given in ({}, WINCH, WINCH | {"force": 90.0}, {"force": 90.0})]
    assert limits == [350.0, None, 90.0, 90.0]
    for given in ({}, WINCH, WINCH | {"force": 350.0}):
        assert gough.loads(hung(given).to_toml()) == hung(given)


def test_a_pulley_winds_what_the_cable_leaves() -> None:
    """The length is the shortest path around the circle, found by looking for the point where the cable leaves it."""
    r, base, end = 0.3, np.array([1.0, -2.0, 0.5]), np.array([3.0, 0.5, -1.2])
    out = (end - base) * [1, 1, 0]
    e, h = out / np.linalg.norm(out), (end - base)[2]
    b = np.array([np.linalg.norm(out) - r, h])

    def slack(theta: float) -> float:
        leaves = r * np.array([np.cos(theta), np.sin(theta)])
        return float((b - leaves) @ leaves)

    theta = brentq(slack, 0.0, np.pi - 1e-9)
    free = np.linalg.norm(b - r * np.array([np.cos(theta), np.sin(theta)]))
    tables = cable_tables()
    tables["leg"][0] |= {
        "base": base.tolist(),
        "platform": [0.0, 0.0, 0.0],
        "pulley": {"radius": r, "axis": [0, 0, 2]},
    }
    robot = loaded(tables)
    found = gough.inverse_kinematics(robot, [*end, 0.0, 0.0, 0.0])
    assert found.joint_q[0] == pytest.approx(free + r * (np.pi - theta), abs=1e-12)
    assert found.K[0, :3] == pytest.approx([*(np.sin(theta) * e[:2]), -np.cos(theta)], abs=1e-12)
    inside = gough.inverse_kinematics(robot, np.array([[*(base + [0.3, 0.0, 0.1]), 0, 0, 0], [*end, 0, 0, 0]]))
    assert inside.status.tolist() == [Status.OUT_OF_REACH, Status.FINE]


def test_cables_beside_a_rigid_leg() -> None:
    """A post that slides and turns holds what three cables and its own motor share."""
    spokes = 2.0 * np.stack([np.cos([0.3, 2.4, 4.5]), np.sin([0.3, 2.4, 4.5]), [0.5, 0.6, 0.4]], axis=1)
    arms = 0.5 * np.stack([np.cos([1.8, 0.9, 6.0]), np.sin([1.8, 0.9, 6.0]), [0.0, 0.0, 0.0]], axis=1)
    legs = [
        {"name": f"c{k}", "type": "cable", "base": spokes[k].tolist(), "platform": arms[k].tolist(), "tension": [1, 80]}
        for k in range(3)
    ]
    post = [
        {"name": "lift", "type": "P", "axis": [0, 0, 1], "actuated": True, "force": 300.0, "body": {"mass": 2.0}},
        {"name": "turn", "type": "R", "axis": [0, 0, 1]},
    ]
    legs.append({"name": "post", "joint": post, "end": {"type": "rigid"}})
    platform = {"coordinates": {"z": "z", "yaw": "rz"}, "home": [0.1, 0.0], "mass": 3.0, "inertia": [0.1, 0.1, 0.2]}
    robot = loaded({"name": "mast", "platform": platform, "leg": legs})
    assert robot.cables == (0, 1, 2)
    found = gough.inverse_dynamics(robot, gough.State([[0.12, 0.1]], [[0.1, 0.2]], [[0.5, -0.4]]))
    K = gough.inverse_kinematics(robot, [0.12, 0.1]).K
    needed = np.array([5.0 * (0.5 + 9.80665), 0.2 * -0.4])
    assert K.T @ found.force[0] == pytest.approx(needed, rel=1e-10)
    assert (found.force[0, :3] <= -1.0 + 1e-9).all()
    preferred = np.array([-40.5, -40.5, -40.5, 0.0])  # cables at the middle of their range, the motor at nothing
    nearest = preferred + np.linalg.pinv(K.T) @ (needed - K.T @ preferred)
    assert found.force[0] == pytest.approx(nearest, rel=1e-9)


def test_infeasible_is_a_status_and_a_line() -> None:
    robot = cable8()
    x = np.array([[0.0, 0.0, 1.5, 0, 0, 0], [7.0, 0.0, 1.5, 0, 0, 0]])
    found = gough.inverse_dynamics(robot, x)
    assert found.status.tolist() == [Status.FINE, Status.INFEASIBLE]
    assert found.leg.tolist() == [-1, -1]
    assert np.isfinite(found.force[0]).all()
    assert np.isnan(found.force[1]).all()
    with pytest.raises(gough.PoseError) as caught:
        gough.inverse_dynamics(robot, gough.State(x[1], 0 * x[1], 0 * x[1]))
    assert str(caught.value) == "no forces within the actuators' limits give the platform what it needs"


def test_what_is_too_fast_is_infeasible_by_no_amount() -> None:
    """At rest there are forces within the limits; the rates that ask for more are no overflow."""
    robot = cable8()
    x = np.array([[0.0, 0.0, 1.5, 0, 0, 0]])
    found = gough.inverse_dynamics(robot, gough.State(x, 0 * x, np.full((1, 6), 1e3)))
    assert (found.status[0], found.leg[0], found.amount[0]) == (Status.INFEASIBLE, -1, 0.0)


def test_bounded_forces_are_not_split() -> None:
    found = gough.inverse_dynamics(cable8(), gough.State(*(series("cable8", key) for key in STATE)))
    for split in (found.parts, found.by_body):
        with pytest.raises(InputError) as caught:
            split()
        assert str(caught.value) == (
            "parts: forces shared by criterion 'bounded' keep to limits and are not the sum of their parts; "
            'state [actuation] criterion = "least-norm" to split them'
        )


def test_tensions_along_a_path_shrink_their_steps_with_the_sampling() -> None:
    robot = cable8()

    def largest_step(count: int) -> float:
        t = np.linspace(0.0, 1.0, count)[:, None]
        x = np.array([0, 0, 1.5, 0, 0, 0]) + t * [2.0, 1.0, 0.4, 0.1, 0.05, -0.05]
        force = gough.inverse_dynamics(robot, x).force
        assert margins(robot, x[::50], force[::50]).min() > 0.05 * 450.0
        return float(np.abs(np.diff(force, axis=0)).max())

    steps = [largest_step(count) for count in (51, 501, 5001)]
    assert steps[1] < 0.15 * steps[0]
    assert steps[2] < 0.15 * steps[1]


def test_criteria_by_name_and_their_reactions() -> None:
    x, xd, xdd = (series("cable8", key) for key in STATE)
    middle = gough.inverse_dynamics(cable8(criterion="centre"), gough.State(x, xd, xdd))
    assert (-middle.force > 193.0).all()
    assert (-middle.force < 450.0).all()
    least = gough.inverse_dynamics(cable8(criterion="least-norm"), gough.State(x, xd, xdd))
    K = gough.inverse_kinematics(cable8(), x).K
    assert np.abs(np.einsum("nij,ni->nj", K, least.force - middle.force)).max() <= 1e-9
    away = [np.linalg.norm(force + 300.0, axis=1) for force in (least.force, middle.force)]
    assert (away[0] <= away[1]).all()
    reactions = gough.joint_reactions(cable8(), gough.State(x, xd, xdd))
    tension = -gough.inverse_dynamics(cable8(), gough.State(x, xd, xdd)).force
    assert reactions.determinate.all()
    ends = [k for k, name in enumerate(reactions.names) if name.endswith(".end")]
    assert np.abs(np.linalg.norm(reactions.joint_force[:, ends], axis=2) - tension).max() <= 1e-9


def test_the_file_reads_back_and_a_controller_follows() -> None:
    tables = cable_tables()
    tables["leg"][0] |= {"pulley": {"radius": 0.1, "axis": [0, 0, 1]}, "elasticity": 1e6, "radius": 0.01}
    tables["leg"][0]["actuator"] = {"zero": 1.0, "stroke": [0, 20], "speed": 5.0, "rotor_inertia": 1e-3, "gear": 20.0}
    robot = loaded(tables)
    assert gough.loads(robot.to_toml()).mechanism == with_values(robot).mechanism
    motion = gough.Motion.to(cable8(), {"x": 1.0, "yaw": 0.2}, 2.0)
    run = gough.simulate(cable8(), input=gough.Controller(gough.ComputedTorque(), motion))
    assert np.abs(run.x[-1] - motion(np.array([2.0])).x[0]).max() <= 1e-8
    assert (-run.force >= 193.0 - 1e-6).all()
    assert gough.check(cable8(), motion).fits


def test_margin_internal_forces_and_the_least_violation() -> None:
    robot = cable8()
    x = np.array([[0.0, 0.0, 1.5, 0, 0, 0], [7.0, 0.0, 1.5, 0, 0, 0]])
    found = gough.inverse_dynamics(robot, x)
    assert found.margin[0] > 0.0 > found.margin[1]
    assert np.abs(np.einsum("nij,nik->njk", found.K, found.internal)).max() <= 1e-13
    assert np.abs(np.einsum("nij,nik->njk", found.internal, found.internal) - np.eye(2)).max() <= 1e-13
    least = found.least_violating()
    assert np.abs(np.einsum("nij,ni->nj", found.K, least) - found.generalized_force).max() <= 1e-6
    excess = np.maximum(-450.0 - least, least + 193.0).max(axis=1)
    assert excess[0] < 0.0 < excess[1]
    assert found.sharing == (
        "forces shared by bounded, about a reference: K^T force = Q; cables pull: tension = -force, power = force * qd"
    )
    assert found.tension[0] == pytest.approx(-found.force[0])
    assert f"# {found.sharing}" in found.to_csv()


def test_the_margin_is_a_limit_of_check() -> None:
    robot = cable8()
    motion = gough.Motion.to(robot, {"x": 1.0}, 2.0)
    [least] = [f for f in gough.check(robot, motion).findings if f.kind == "margin"]
    t = np.linspace(0.0, 2.0, 201)
    at = motion(t)
    x, xd, xdd = at.x, at.xd, at.xdd
    sampled = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).margin.min()
    assert least.value == pytest.approx(sampled, abs=0.05)
    assert not gough.check(robot, motion, {"margin": sampled + 1.0}).fits
    beyond = gough.check(robot, gough.Motion.to(robot, {"x": 8.0}, 4.0))
    assert not beyond.fits
    assert beyond.lost.status == Status.INFEASIBLE


def test_a_cable_goes_slack_and_has_no_force() -> None:
    """A mass on one cable, thrown up: it flies until it falls back into the cable, whose spring then slows it."""
    legs = [{"name": "rope", "type": "cable", "base": [0, 0, 2], "platform": [0, 0, 0], "tension": [0, 500]}]
    platform = {"coordinates": {"z": "z"}, "home": [0.5], "mass": 2.0}
    robot = loaded({"name": "yoyo", "gravity": [0, 0, -9.81], "platform": platform, "leg": legs})
    k, start, speed = 2000.0, 0.5, 1.0
    springs = gough.Springs(k, rest=[1.5 - 2.0 * 9.81 / k])
    run = gough.simulate(robot, gough.State([start], [speed]), springs, duration=0.25)
    slack = [event for event in run.events if event.kind == "slack"]
    assert [event.leg for event in slack] == ["rope"]
    assert str(slack[0]).endswith("cable rope goes slack")
    w, rise = np.sqrt(k / 2.0), 2.0 * 9.81 / k
    leaves = brentq(lambda t: speed / w * np.sin(w * t) - rise, 0.0, 0.5 * np.pi / w)
    assert slack[0].t == pytest.approx(leaves, abs=1e-6)
    flying = (run.t > leaves + 1e-3) & (run.t < leaves + 0.15)
    assert (run.force[flying] == 0.0).all()
    assert (run.force <= 0.0).all()
    up = speed * np.cos(w * leaves)
    now = run.t[flying] - leaves
    assert run.x[flying, 0] == pytest.approx(start + rise + up * now - 0.5 * 9.81 * now**2, abs=1e-6)


def test_modes_take_the_elasticity_of_cables() -> None:
    tables = cable_tables()
    for leg in tables["leg"]:
        leg["elasticity"] = 1e6
    robot = loaded(tables)
    home = np.array(robot.platform.home)
    length = gough.inverse_kinematics(robot, home).joint_q
    assert gough.modes(robot).frequency == pytest.approx(
        gough.modes(robot, stiffness=1e6 / length).frequency, rel=1e-12
    )


@pytest.mark.parametrize("pulley", [0.0, 0.2])
def test_cables_are_drawn(pulley: float) -> None:
    from gough.view.drawing.scene import scene

    tables = cable_tables()
    for leg in tables["leg"]:
        leg |= {"pulley": {"radius": pulley}} if pulley else {}
    solids = scene(loaded(tables)).solids
    assert {solid.owner for solid in solids} >= {str(k) for k in range(1, 9)}
