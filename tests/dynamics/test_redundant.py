"""More actuators than coordinates: forces shared by least norm, and everything else that K with more rows asks for."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares

import gough
from gough import Actuation, Robot, load
from gough.dynamics.contract import FORMULATIONS
from gough.errors import InputError
from tests.support.mechanisms import chain_tables, loaded, planar4rrr, series
from tests.support.random_robots import SIX, body, ring
from tests.support.robots import with_values

STATE = ("x", "xd", "xdd")
NAMES = [formulation.name for formulation in FORMULATIONS]


def eight_ups(**actuation: object) -> Robot:
    """8-UPS without coincidences; every leg has inertia."""
    rng = np.random.default_rng(8)
    base, platform = ring(rng, 8, 0.6, 0.1), ring(rng, 8, 0.3, 0.1)[[1, 0, 3, 2, 5, 4, 7, 6]]
    legs = [
        {
            "name": f"L{k}",
            "type": "UPS",
            "base": base[k].tolist(),
            "platform": platform[k].tolist(),
            "cylinder": body(rng, 0.4, False),
            "piston": body(rng, -0.4, False),
            "actuator": {"rotor_inertia": 1e-4, "gear": 300.0, "viscous": 5.0, "coulomb": 2.0, "force": 50.0 + 10 * k},
        }
        for k in range(8)
    ]
    about = {"coordinates": SIX, "home": [0.0, 0.0, 0.7, 0.0, 0.0, 0.0], "mass": 5.0, "inertia": [0.1, 0.12, 0.2]}
    return loaded(
        {"name": "eight", "platform": about, "leg": legs, "actuation": {"criterion": "least-norm", **actuation}}
    )


def two_in_a_leg() -> Robot:
    """planar3rrr with the elbow of its first leg driven too."""
    robot = load("planar3rrr")
    first = robot.legs[0]
    crank, elbow, *rest = first.joints
    driven = replace(elbow, actuated=True, rotor_inertia=2e-4, gear=20.0, viscous=0.1)
    leg = replace(first, joints=(crank, driven, *rest))
    return with_values(robot, legs=(leg, *robot.legs[1:]), actuation=Actuation())


ROBOTS = {"planar4rrr": planar4rrr, "eight": eight_ups, "two in a leg": two_in_a_leg}


def states(robot: Robot, count: int = 6, seed: int = 3) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(seed)
    x = np.array(robot.platform.home) + 0.05 * rng.uniform(-1, 1, (count, robot.dof))
    return x, rng.normal(size=x.shape), 3.0 * rng.normal(size=x.shape)


def jacobian(robot: Robot, x: np.ndarray) -> np.ndarray:
    return gough.inverse_kinematics(robot, x).K


def fully_driven(robot: Robot, count: int) -> Robot:
    """The same machine with its first `count` actuators only; the others are passive, without what drives them."""
    legs, left = [], count
    for leg in robot.legs:
        joints = []
        for joint in leg.joints:
            kept = joint.actuated and left > 0
            left -= kept
            passive = replace(joint, actuated=False, coulomb=0.0, rotor_inertia=0.0, viscous=0.0, gear=1.0)
            joints.append(joint if kept or not joint.actuated else passive)
        legs.append(replace(leg, joints=tuple(joints)))
    return with_values(robot, legs=tuple(legs), actuation=None)


def undriven(robot: Robot) -> Robot:
    """Without rotors and friction."""
    plain = {"coulomb": 0.0, "rotor_inertia": 0.0, "viscous": 0.0}
    legs = tuple(replace(leg, joints=tuple(replace(j, **plain) for j in leg.joints)) for leg in robot.legs)
    return with_values(robot, legs=legs)


@pytest.mark.parametrize("name", [*NAMES, "virtual_work_full"])
def test_reference_numbers_by_every_formulation(name: str) -> None:
    found = gough.inverse_dynamics(
        planar4rrr(), gough.State(*(series("planar4rrr", key) for key in STATE)), formulation=name
    )
    wanted = series("planar4rrr", "force")
    assert np.abs(found.force - wanted).max() <= 1e-11 * np.abs(wanted).max()
    rates = series("planar4rrr", "velocity")
    assert np.abs(found.power - wanted * rates).max() <= 1e-11 * np.abs(wanted * rates).max()


@pytest.mark.parametrize("name", [name for name in NAMES if name != "virtual_work"])
def test_reference_accelerations(name: str) -> None:
    """Of all formulations that have forward dynamics."""
    x, xd, xdd = (series("planar4rrr", key) for key in STATE)
    found = gough.forward_dynamics(planar4rrr(), gough.State(x, xd), series("planar4rrr", "force"), formulation=name)
    assert np.abs(found.xdd - xdd).max() <= 1e-11 * np.abs(xdd).max()


@pytest.mark.parametrize("name", ROBOTS)
def test_forces_are_the_least_that_do(name: str) -> None:
    """Q comes from the machine with as many actuators as coordinates, the least norm from a pseudoinverse."""
    robot = ROBOTS[name]()
    x, xd, xdd = states(robot)
    K = jacobian(robot, x)
    some = fully_driven(undriven(robot), robot.dof)
    Q = np.einsum("nij,ni->nj", jacobian(some, x), gough.inverse_dynamics(some, gough.State(x, xd, xdd)).force)
    qd = np.einsum("nij,nj->ni", K, xd)
    qdd = gough.inverse_kinematics(robot, gough.State(x, xd, xdd))
    places = [k for k, joint in enumerate(robot.joints) if joint.actuated]
    own = np.array([j.rotor_inertia * j.gear**2 for j in robot.actuators]) * qdd.joint_qdd[:, places]
    own += np.array([j.viscous for j in robot.actuators]) * qd
    own += np.array([j.coulomb for j in robot.actuators]) * np.sign(qd)
    wanted = np.einsum("nij,nj->ni", np.linalg.pinv(np.swapaxes(K, 1, 2)), Q + np.einsum("nij,ni->nj", K, own))
    for formulation in NAMES[:4]:
        found = gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=formulation).force
        assert np.abs(found - wanted).max() <= 1e-11 * np.abs(wanted).max(), formulation


def test_weights_and_preload() -> None:
    """The stationary point of sum w (tau - r)^2 with K^T tau = Q, from its own linear system."""
    weights, reference = np.geomspace(0.1, 30.0, 8), 20.0 * np.cos(np.arange(8.0))
    robot = eight_ups(weights=weights.tolist(), reference=reference.tolist())
    x, xd, xdd = states(robot)
    K, free = (
        jacobian(robot, x),
        gough.inverse_dynamics(with_values(robot, actuation=Actuation()), gough.State(x, xd, xdd)).force,
    )
    found = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    for k in range(len(x)):
        system = np.block([[np.diag(weights), K[k]], [K[k].T, np.zeros((6, 6))]])
        wanted = np.linalg.solve(system, np.concatenate([weights * reference, K[k].T @ free[k]]))[:8]
        assert np.abs(found[k] - wanted).max() <= 1e-10 * np.abs(wanted).max()


def test_weights_from_the_force_limits() -> None:
    stated, limits = eight_ups(weights="force"), [50.0 + 10 * k for k in range(8)]
    assert stated.actuation == replace(eight_ups().actuation, weights=tuple(1.0 / (v * v) for v in limits))


def test_parts_sum_to_the_force_with_the_preload() -> None:
    reference = tuple(20.0 * np.cos(np.arange(8.0)))
    robot = with_values(eight_ups(), actuation=Actuation(reference=reference))
    x, xd, xdd = states(robot)
    found = gough.inverse_dynamics(robot, gough.State(x, xd, xdd, wrench=np.array([3.0, -2.0, 5.0, 0.3, 0.2, -0.1])))
    parts = found.parts()
    assert list(parts)[-1] == "preload"
    assert np.abs(sum(parts.values()) - found.force).max() <= 1e-12 * np.abs(found.force).max()
    K = jacobian(robot, x)
    assert np.abs(np.einsum("nij,ni->nj", K, parts["preload"])).max() <= 1e-12 * np.abs(parts["preload"]).max()
    by_body = found.by_body()
    rest = sum(parts[name] for name in ("inertia", "velocity", "gravity"))
    assert np.abs(sum(by_body.values()) - rest).max() <= 1e-12 * np.abs(rest).max()


def test_matrices_of_actuators_do_not_exist() -> None:
    robot, (x, xd, _) = planar4rrr(), states(planar4rrr())
    with pytest.raises(InputError) as caught:
        gough.dynamics_matrices(robot, gough.State(x, xd), coordinates="actuator")
    assert str(caught.value) == (
        "coordinates 'actuator': M and C do not exist with 4 actuators for 3 coordinates; choose platform"
    )
    with pytest.raises(InputError) as caught:
        gough.dynamics_matrices(robot, gough.State(x, xd), formulation="orthogonal_complement")
    assert str(caught.value) == (
        "formulation 'orthogonal_complement' has M and C in actuator coordinates, which do not exist with 4 actuators "
        "for 3 coordinates; choose generalized_momentum, lagrange, koditschek"
    )
    with pytest.raises(InputError, match="do not exist"):
        gough.angeles_terms(robot, gough.State(x, xd))


@pytest.mark.parametrize("name", ROBOTS)
def test_forward_kinematics_fits_by_least_squares(name: str) -> None:
    robot = ROBOTS[name]()
    x = states(robot, 3)[0]
    zeros = np.array([joint.zero for joint in robot.actuators])
    places = [k for k, joint in enumerate(robot.joints) if joint.actuated]

    def readings(pose: np.ndarray) -> np.ndarray:
        return gough.inverse_kinematics(robot, pose).joint_q[places] - zeros

    for pose in x:
        exact = gough.forward_kinematics(robot, readings(pose))
        assert np.abs(exact.x - pose).max() <= 1e-12
        assert exact.residual <= 1e-13
        q = readings(pose) + 1e-3 * np.cos(np.arange(len(places)))
        found = gough.forward_kinematics(robot, q)
        nearest = least_squares(lambda at, q=q: readings(at) - q, pose, xtol=1e-15, ftol=1e-15, gtol=1e-15)
        assert np.abs(found.x - nearest.x).max() <= 1e-7, "what least_squares leaves"
        assert found.residual == pytest.approx(np.abs(nearest.fun).max(), rel=1e-5)


@pytest.mark.parametrize("name", ["planar4rrr", "two in a leg"])
def test_reactions_carry_the_shared_forces(name: str) -> None:
    """Each driven joint, all of whose axes are along z, transmits its own force."""
    robot = undriven(ROBOTS[name]())
    x, xd, xdd = states(robot, 3)
    found = gough.joint_reactions(robot, gough.State(x, xd, xdd))
    force = gough.inverse_dynamics(robot, gough.State(x, xd, xdd)).force
    driven = [f"{leg.name}.{joint.name}" for leg in robot.legs for joint in leg.joints if joint.actuated]
    moments = found.joint_moment[:, [found.names.index(joint) for joint in driven], 2]
    assert np.abs(moments - force).max() <= 1e-9 * np.abs(force).max()


def test_reactions_of_a_redundant_platform_are_determinate() -> None:
    robot = eight_ups()
    x, xd, xdd = states(robot, 3)
    found = gough.joint_reactions(robot, gough.State(x, xd, xdd))
    assert found.determinate.all()
    ends = [k for k, joint in enumerate(found.names) if joint.endswith(".end")]
    platform = robot.platform.body.mass * (xdd[:, :3] - np.array(robot.gravity))
    assert np.abs(found.joint_force[:, ends].sum(axis=1) - platform).max() <= 1e-10 * np.abs(platform).max()


def test_simulation_follows_a_motion_and_springs_hold() -> None:
    robot = planar4rrr()
    motion = gough.Motion.to(robot, {"x": 0.1, "phi": 0.3}, 0.5)
    run = gough.simulate(robot, input=gough.Controller(gough.ComputedTorque(), motion))
    assert np.abs(run.x[-1] - motion(np.array([0.5])).x[0]).max() <= 1e-9
    joint_space = gough.simulate(robot, input=gough.Controller(gough.ComputedTorque(space="joint"), motion))
    assert np.abs(joint_space.x[-1] - run.x[-1]).max() <= 1e-9
    for law in (gough.PD(), gough.Feedforward()):
        assert np.abs(gough.simulate(robot, input=gough.Controller(law, motion)).x[-1] - run.x[-1]).max() <= 0.02
    noise = gough.Noise(position=1e-5, rate=1e-4)
    sensed = gough.Controller(gough.PD(), motion, sample_time=5e-3, noise=noise)
    assert np.abs(gough.simulate(robot, input=sensed).x[-1] - run.x[-1]).max() <= 0.02
    held = gough.simulate(robot, input=gough.Springs(1e4, 10.0), duration=0.1)
    assert np.abs(held.x).max() <= 1e-9
    many = gough.simulate_many(robot, input=gough.Controller(gough.PD(), motion), count=3, step=5e-3)
    assert np.abs(many.x - run.x[-1]).max() <= 0.02


def test_modes_of_springs_in_four_motors() -> None:
    """omega^2 of M and K^T k K at home, without weight in the plane."""
    robot = planar4rrr()
    found = gough.modes(robot, stiffness=1e4)
    home = np.array(robot.platform.home)
    K = jacobian(robot, home)
    M = gough.dynamics_matrices(robot, gough.State(home, np.zeros(3))).M
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, 1e4 * K.T @ K)).real)
    assert found.frequency == pytest.approx(np.sqrt(squares) / (2 * np.pi), rel=1e-9)


def test_the_file_reads_back_and_states_its_units() -> None:
    tables = chain_tables("planar4rrr", actuation={"criterion": "least-norm", "reference": [1.0, -2.0, 3.0, -4.0]})
    robot = loaded(tables)
    assert robot.actuation == Actuation("least-norm", None, (1.0, -2.0, 3.0, -4.0))
    in_mm = loaded(chain_tables("planar4rrr", units={"torque": "N mm"}, actuation=tables["actuation"]))
    assert in_mm.actuation.reference == pytest.approx((1e-3, -2e-3, 3e-3, -4e-3), rel=1e-15)
    changed = robot.replace({"actuation.reference.1": "5 N m"})
    assert changed.actuation.reference == (1.0, 5.0, 3.0, -4.0)
