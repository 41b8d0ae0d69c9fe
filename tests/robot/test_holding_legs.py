"""Short forms of legs that hold the platform: the forces of independent computations, and machines that load."""

import numpy as np
import pytest

from gough import State
from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from tests.support.dependent_references import document, samples
from tests.support.mechanisms import reference
from tests.support.robots import load_tables

TRANSLATIONS = {"x": "x", "y": "y", "z": "z"}


def along_x(body):
    """A body given with z along its leg and y along the hinge, in the frame with x along the leg."""
    x, y, z = body["com"]
    xx, yy, zz, *_ = body["inertia"]
    assert (x, y) == (0, 0)
    return {"mass": body["mass"], "com": [z, 0.0, 0.0], "inertia": [zz, xx, yy]}


def head(kind, made):
    """The head of a reference with legs of a short form."""
    tables = document(kind)
    return {key: value for key, value in tables.items() if key != "leg"} | {
        "leg": [made(leg) | {"name": f"L{k}"} for k, leg in enumerate(reference(kind)["geometry"]["legs"])]
    }


def rps(leg):
    bodies = {key: along_x(leg[key]) for key in ("cylinder", "piston")}
    return {"type": "RPS", **{key: leg[key] for key in ("base", "platform", "hinge")}, **bodies}


def prs(leg):
    rod = {"length": leg["rod_length"], **along_x(leg["rod"])}
    slider = {"mass": leg["slider"]["mass"]}
    ends = {key: leg[key] for key in ("base", "platform", "hinge")}
    return {"type": "PRS", **ends, "guide": {"direction": leg["guide"]}, "rod": rod, "slider": slider}


def tricept():
    """The Tricept with a passive UP leg and UPS legs."""
    tables = document("tricept")
    centre, *legs = tables["leg"]
    cross, tube, slide = (joint["body"] for joint in centre["joint"])
    first = {"type": "UP", "name": "centre", "base": [0, 0, 0], "platform": [0, 0, 0], "axes": [[1, 0, 0], [0, 1, 0]]}
    first |= {"cross": cross, "cylinder": along_x(tube), "piston": along_x(slide)}
    others = []
    for leg in legs:
        _, cylinder, piston = leg["joint"]
        axis = np.array(leg["rotation"]) @ leg["joint"][0]["axis"]
        ends = {"name": leg["name"], "base": leg["position"], "platform": leg["end"]["platform_point"]}
        bodies = {"cylinder": cylinder["body"], "piston": piston["body"]}
        others.append({"type": "UPS", **ends, "axes": [axis.tolist()], **bodies})
    return tables | {"leg": [first, *others]}


MACHINES = {"3rps": lambda: head("3rps", rps), "3prs": lambda: head("3prs", prs), "tricept": tricept}


@pytest.mark.parametrize("name", MACHINES)
def test_short_forms_have_the_forces_of_the_independent_computation(name):
    robot = load_tables(MACHINES[name]())
    found = inverse_dynamics(robot, State(*(samples(name, key) for key in ("x", "xd", "xdd"))))
    wanted = samples(name, "force")
    np.testing.assert_allclose(found.force, wanted, rtol=0, atol=1e-13 * np.abs(wanted).max())


def ring(kind, **more):
    """A machine of three equal legs on rings."""
    legs = {"type": kind, "base": {"radius": 0.4}, "platform": {"radius": 0.2}, **more}
    six = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
    platform = {"mass": 2.0, "inertia": [0.02, 0.02, 0.03]}
    if kind.endswith("UU") or kind == "UPU":
        platform |= {"coordinates": TRANSLATIONS, "home": [0.0, 0.0, 0.5]}
    else:
        platform |= {"coordinates": six, "dependent": ["x", "y", "yaw"], "home": [0.01, 0.0, 0.5, 0.0, 0.1, 0.05]}
    return {"name": "ring", "platform": platform, "legs": legs}


ROD = {"length": 0.5, "mass": 0.2, "com": [0.25, 0, 0], "inertia": [1e-5, 4e-3, 4e-3]}
CRANK = {"motor": {"yaw": 0.0}, "crank": {"length": 0.25}, "rod": ROD}
RINGS = {
    "RPS": {"piston": {"mass": 0.3}},
    "PRS": {"guide": {"tilt": 0.2}, "rod": ROD},
    "RRS": CRANK,
    "UPU": {"piston": {"mass": 0.3}},
    "PUU": {"guide": {"tilt": 0.0}, "rod": ROD},
    "RUU": CRANK,
}


@pytest.mark.parametrize("kind", RINGS)
def test_rings_of_them_close_move_and_are_held(kind):
    robot = load_tables(ring(kind, **RINGS[kind]))
    x = np.array(robot.platform.home) + 0.01
    found = inverse_kinematics(robot, x)
    assert float(found.residual.max()) < 1e-13
    assert found.condition < 20.0
