"""A base that moves: forces and base wrench against Pinocchio with a prescribed free-flyer base."""

import numpy as np
import pinocchio as pin
import pytest

from gough import BaseState, Motion, State, load
from gough.dynamics import FORMULATIONS, forward_dynamics, inverse_dynamics, joint_reactions
from gough.dynamics.base_motion import BaseMotion, base_motion
from gough.dynamics.force_programs import Model, force_graph
from gough.dynamics.reaction_system import sections
from gough.errors import InputError
from gough.run import Program
from gough.simulation import simulate
from gough.simulation.system import system_of
from tests.dynamics.test_springs import sprung
from tests.support.dynamic_cases import case
from tests.support.forces import QUICK, scale, states
from tests.support.given_states import base_state
from tests.support.pinocchio_moving import MovingReactionOracle, expected, random_base
from tests.support.pinocchio_reactions import section

AGREE = 1e-12  # of cond(K) max |tau|


def assert_agrees(name, formulation):
    robot, (x, xd, xdd, wrench), base, found, _ = expected(name)
    program = Program(force_graph(Model(robot, formulation, wrench=True, base=True)), "blocks")
    error = np.abs(program(x=x, xd=xd, xdd=xdd, wrench=wrench, base=base) - found).max(axis=1)
    assert (error <= AGREE * scale(robot, x, found)).all()


NAMES = ("stewart", "stewart loaded", "hexapod", "hexapod loaded", "delta loaded", "sru", "rotary", "SPS", "PSS", "RSS")
NAMES += ("rps3 loaded", "planar4rrr loaded")
SMALL = ("planar3rrr loaded", "spatial3 loaded", "sprung delta")


@pytest.mark.parametrize("formulation", QUICK, ids=lambda f: f.name)
@pytest.mark.parametrize("name", [*NAMES, *SMALL])
def test_forces_are_those_of_pinocchio(name, formulation):
    assert_agrees(name, formulation)


@pytest.mark.parametrize("formulation", [f for f in FORMULATIONS if f not in QUICK], ids=lambda f: f.name)
@pytest.mark.parametrize("name", SMALL)
def test_forces_of_large_formulations_are_those_of_pinocchio(name, formulation):
    assert_agrees(name, formulation)


@pytest.mark.parametrize("name", ["stewart loaded", "hexapod", "delta loaded", "SPS", "sprung delta"])
def test_the_base_wrench_is_what_the_free_flyer_needs(name):
    robot, (x, xd, xdd, wrench), base, _, floor = expected(name)
    found = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench, base=base_state(robot, base))).base_wrench
    bare = inverse_dynamics(robot, State(x, xd, xdd, base=base_state(robot, base))).base_wrench
    assert np.allclose(bare, -floor, rtol=0, atol=1e-12 * np.abs(floor).max())
    p = np.array([Model(robot, FORMULATIONS[0]).motion(*at).pose.platform.p_BP for at in zip(x, xd, xdd, strict=True)])
    moment = wrench[:, 3:] + np.cross(p.astype(float), wrench[:, :3])
    assert np.allclose(found - bare, np.hstack([wrench[:, :3], moment]), rtol=0, atol=1e-12 * np.abs(floor).max())


def test_parts_have_one_of_the_base_and_sum_to_the_force():
    robot, (x, xd, xdd, wrench), base, force, _ = expected("delta loaded")
    moving = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench, base=base_state(robot, base)))
    still = inverse_dynamics(robot, State(x, xd, xdd, wrench=wrench))
    parts = moving.parts()
    assert np.allclose(sum(parts.values()), force, rtol=0, atol=1e-12 * np.abs(force).max())
    assert np.allclose(parts["base"], force - still.force, rtol=0, atol=1e-11 * np.abs(force).max())


def test_a_base_at_rest_and_upright_changes_nothing():
    robot = load("hexapod")
    along = inverse_dynamics(robot, Motion.named(robot).sample(11))
    base = np.tile(np.r_[robot.gravity, np.zeros(6)], (11, 1))
    same = inverse_dynamics(robot, State(along.x, along.xd, along.xdd, base=base_state(robot, base)))
    assert np.allclose(same.force, along.force, rtol=0, atol=1e-12 * np.abs(along.force).max())
    with pytest.raises(InputError):
        BaseState(None, base[:, :6])


def test_a_shaker_lifts_the_whole_machine():
    """z = 5 mm sin(20 pi t): the floor carries (g + zdd) times all mass, whatever holds the platform."""
    robot = load("stewart")
    t = np.linspace(0.0, 0.1, 9)
    hold = inverse_dynamics(robot, Motion.named(robot, "hold").on_base("shaker").sample(t))
    mass = sum(body.mass for body in robot.bodies)
    zdd = -0.005 * (20.0 * np.pi) ** 2 * np.sin(20.0 * np.pi * t)
    assert np.allclose(hold.base_wrench[:, 2], mass * (robot.gravity[2] - zdd), rtol=1e-12)


def test_rates_of_a_recorded_base_are_those_of_its_orientation(tmp_path):
    """Against differences of R0, which see nothing of Euler angles' rates."""
    t = np.linspace(0.0, 2.0, 401)
    rows = [f"{s},{0.1 * np.sin(s)},{0.2 * np.sin(2 * s)},{0.3 * np.cos(s)},{0.1 * s}" for s in t]
    path = tmp_path / "ship.csv"
    path.write_text("t,x,roll,pitch,yaw\n" + "\n".join(rows) + "\n")
    base = base_motion(path, smooth="none")
    gravity = load("stewart").gravity
    s, h = 0.7, 1e-4
    around = s + h * np.array([-1.0, 0.0, 1.0])
    x = base.motion(around).x
    turned = [pin.rpy.rpyToMatrix(row[5], row[4], row[3]) for row in x]
    w = pin.log3(turned[0].T @ turned[2]) / (2.0 * h)
    found = base.state(np.array([s])).felt(gravity)[0]
    assert np.allclose(found[3:6], w, atol=1e-6)  # second order in h
    before, after = base.state(np.array([s - h, s + h])).felt(gravity)
    assert np.allclose(found[6:], (after[3:6] - before[3:6]) / (2.0 * h), atol=1e-5)
    a = np.array([(x[0] - 2.0 * x[1] + x[2])[0] / h**2, 0.0, 0.0])
    assert np.allclose(found[:3], turned[1].T @ (np.array(gravity) - a), atol=1e-5)


def test_base_motions_that_are_none():
    with pytest.raises(InputError) as caught:
        base_motion("shakr")
    assert str(caught.value) == (
        "base motion shakr: choose ship, vehicle, shaker or a CSV file of t and some of x, y, z, yaw, pitch, roll "
        "(did you mean shaker?)"
    )
    robot = load("stewart")
    with pytest.raises(InputError, match=r"^base motion hold: has coordinates x, y, z, psi, theta, phi: must be x, y"):
        base_motion(inverse_motion(robot))
    assert isinstance(base_motion(base_motion("ship")), BaseMotion)


def inverse_motion(robot):

    return Motion.named(robot, "hold")


@pytest.mark.parametrize("formulation", ["newton_euler", "generalized_momentum", "orthogonal_complement"])
def test_accelerations_come_back(formulation):
    """Forces of Pinocchio, less what the simulation treats apart, give the accelerations they were made of."""
    robot, (x, xd, xdd, wrench), base, force, _ = expected("sprung delta")
    program = system_of(robot, formulation).program("carried_rates")
    found = program(c=x, z=xd, force=force, wrench=wrench, base=base)["zd"]
    assert np.allclose(found, xdd, rtol=0, atol=1e-11 * np.abs(xdd).max())


def test_a_simulation_on_a_vehicle_keeps_its_books():
    robot = sprung("delta")
    run = simulate(robot, duration=0.1, base="vehicle", samples=5)
    still = simulate(robot, duration=0.1, samples=5)
    assert run.complete
    assert np.abs(run.x - still.x).max() > 1e-6
    assert np.abs(run.balance).max() < 1e-8 * np.ptp(run.kinetic)


@pytest.mark.parametrize("formulation", ["newton_euler", "generalized_momentum", "orthogonal_complement"])
@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.slow) for name in ("hexapod loaded", "SPS")), "planar3rrr loaded"],
)
def test_forward_dynamics_gives_the_accelerations_back(name, formulation):
    robot, (x, xd, xdd, wrench), base, force, _ = expected(name)
    found = forward_dynamics(
        robot, State(x, xd, wrench=wrench, base=base_state(robot, base)), force, formulation=formulation
    )
    assert np.allclose(found.xdd, xdd, rtol=0, atol=1e-10 * np.abs(xdd).max())
    one = forward_dynamics(
        robot, State(x[0], xd[0], wrench=wrench[0], base=base_state(robot, base[0])), force[0], formulation=formulation
    )
    assert np.array_equal(one.xdd, found.xdd[0])


@pytest.mark.parametrize("name", ["sru loaded", "delta loaded", "SPS"])
def test_reactions_are_those_of_pinocchio(name):
    """Of a robot that statics determine, of one they do not, and of legs that do not turn with the base."""
    robot = case(name)
    x, xd, xdd, wrench = states(robot, 2, 41, size=0.05)
    oracle, rng = MovingReactionOracle(robot), np.random.default_rng(9)
    for k in range(len(x)):
        prescribed, base = random_base(robot, rng)
        oracle.put(*prescribed)
        one = slice(k, k + 1)
        (found,) = oracle.reactions(x[one], xd[one], xdd[one], wrench[one])
        mine = joint_reactions(robot, State(x[k], xd[k], xdd[k], wrench=wrench[k], base=base_state(robot, base)))
        still = joint_reactions(robot, State(x[k], xd[k], xdd[k], wrench=wrench[k]))
        largest = max(np.abs(w).max() for w in found.wrenches.values())
        assert np.nanmax(np.abs(mine.joint_force - still.joint_force)) > 1e-3 * largest
        for s, (_, leg, joints) in enumerate(sections(robot)):
            expected_wrench, _ = section(found, leg, joints, mine.points[s])
            own = np.concatenate([mine.joint_force[s], mine.joint_moment[s]])
            assert np.abs(own - expected_wrench)[mine.determinate[s]].max(initial=0.0) <= 1e-12 * largest


BAD = {
    "column": (
        "t,z,heave\n0,0,0\n1,0,1\n",
        'deck.csv:1: "heave": no such column (known: t, x, y, z, yaw, pitch, roll, rates xd_ and xdd_, wrench fx to '
        "mz)",
    ),
    "no time": ("z,roll\n0,0\n1,0\n", "deck.csv:1: t: is missing (header: z,roll)"),
    "time twice": (
        "t,z\n0,0\n1,0.1\n1,0\n2,0\n",
        "deck.csv:4: t: 1: is the time of the row before too (remove one of the two rows)",
    ),
    "text": ("t,z\n0,0\n1,x\n2,0\n", 'deck.csv:3: z: "x": must be a number'),
    "not a number": (
        "t,z\n0,0\n1,nan\n2,0\n",
        'deck.csv:3: z: "nan": must be a finite number (fill the gap or remove the row)',
    ),
    "empty": ("", "deck.csv: is empty (it needs the header t,x,y,z,yaw,pitch,roll and at least 2 rows)"),
    "one row": ("t,z\n0,0\n", "deck.csv: has one row: a motion needs at least 2"),
    "forces": (
        "t,z,fx\n0,0,0\n1,0.1,2\n2,0,0\n3,0,0\n",
        "base motion deck.csv: has forces (fx to mz), which do nothing to a base; leave them out",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_of_base_motions(name, tmp_path, monkeypatch):
    text, line = BAD[name]
    (tmp_path / "deck.csv").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        base_motion("deck.csv", smooth="none")
    assert str(caught.value) == line
