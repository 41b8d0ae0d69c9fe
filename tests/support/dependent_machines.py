"""Machines with dependent motion as tables of a file, without lucky coincidences: named ones, and random ones."""

import numpy as np
from scipy.spatial.transform import Rotation

from gough import Robot
from tests.support.robots import build

SIX = {"x": "x", "y": "y", "z": "z", "yaw": "rz", "pitch": "ry", "roll": "rx"}
MOTOR = {"viscous": 3.0, "coulomb": 0.7, "rotor_inertia": 2e-5, "gear": 300.0}
KINDS = ("rps", "prs", "rrs", "tricept", "exechon", "ankle")


def random_machine(kind: str, seed: int) -> Robot:
    """A machine of this kind, all legs different."""
    return build(dependent_tables(kind, seed))


def dependent_tables(kind: str, seed: int) -> dict:
    """The tables of its file."""
    return _MAKERS[kind](kind, np.random.default_rng([seed, KINDS.index(kind)]))


def body(rng, length):
    """A body of a link along z, with its centre off the line and no axis of symmetry."""
    wide = rng.uniform(2e-3, 4e-3, 2)
    com = [*(0.02 * rng.normal(size=2)), length * rng.uniform(0.3, 0.6)]
    inertia = [*wide, rng.uniform(0.3, 0.6) * wide.sum(), *(1e-4 * rng.normal(size=3))]
    return {"mass": rng.uniform(0.5, 1.5), "com": com, "inertia": inertia}


def platform(rng, home, dependent, coordinates=None):
    """The platform's table."""
    return {
        "coordinates": coordinates or SIX,
        "dependent": dependent,
        "home": home,
        "mass": rng.uniform(3.0, 6.0),
        "com": list(0.03 * rng.normal(size=3)),
        "inertia": [0.1, 0.12, 0.2, *(0.01 * rng.normal(size=3))],
        "origin": {"position": list(0.02 * rng.normal(size=3))},
    }


def frame(z, y):
    """Rows of the rotation with this z axis, and y in the plane of z and `y`."""
    z = z / np.linalg.norm(z)
    y = y - z * (y @ z)
    y = y / np.linalg.norm(y)
    return np.stack([np.cross(y, z), y, z], axis=1).tolist()


def _three(kind, rng):
    """Three legs in planes: R P S, P R S or R R S; z, pitch and roll move, x, y and yaw follow."""
    table = platform(rng, [0.0, 0.0, 0.6, 0.0, 0.05, -0.04], ["x", "y", "yaw"])
    legs = []
    for k in range(3):
        angle = 2 * np.pi * k / 3 + rng.uniform(-0.2, 0.2)
        radial, hinge = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
        base, end = 0.35 * radial * rng.uniform(0.9, 1.1), 0.2 * radial * rng.uniform(0.9, 1.1)
        hinge = hinge + 0.1 * rng.normal(size=3)
        leg = {"name": f"L{k}", "position": base, "rotation": frame(np.array([0.0, 0.0, 1.0]), hinge)}
        leg["joint"] = _JOINTS[kind](rng)
        point = [0.0, 0.0, 0.0] if kind == "rps" else [0.0, 0.0, 0.45]
        legs.append(leg | {"end": {"type": "spherical", "point": point, "platform_point": end}})
    return {"name": kind, "platform": table, "leg": legs}


def _rps(rng):
    return [
        {"name": "hinge", "type": "R", "axis": [0, 1, 0], "viscous": 0.3, "body": body(rng, 0.3)},
        {"name": "slide", "type": "P", "axis": [0, 0, 1], "actuated": True, "body": body(rng, -0.3), **MOTOR},
    ]


def _prs(rng):
    tilt = rng.uniform(-0.3, 0.3)
    axis = [float(np.sin(tilt)), 0.0, float(np.cos(tilt))]
    return [
        {"name": "slide", "type": "P", "axis": axis, "actuated": True, "body": body(rng, 0.1), **MOTOR},
        {"name": "hinge", "type": "R", "axis": [0, 1, 0], "viscous": 0.3, "body": body(rng, 0.45)},
    ]


def _rrs(rng):
    return [
        {"name": "crank", "type": "R", "axis": [0, 1, 0], "actuated": True, "body": body(rng, 0.3), **MOTOR},
        {
            "name": "hinge",
            "type": "R",
            "axis": [0, 1, 0],
            "offset": [0, 0, 0.35],
            "viscous": 0.3,
            "body": body(rng, 0.45),
        },
    ]


_JOINTS = {"rps": _rps, "prs": _prs, "rrs": _rrs}


def _ups(rng, name, base, end):
    leg = {"type": "UPS", "name": name, "base": list(base), "platform": list(end), "actuator": MOTOR}
    bodies = {key: body(rng, 0.3) for key in ("cylinder", "piston")}
    return leg | {key: value | {"com": value["com"][::-1]} for key, value in bodies.items()}


def _tricept(kind, rng):
    """A passive U P leg and three U P S: x, y and z move, roll and pitch follow."""
    coordinates = {"x": "x", "y": "y", "z": "z", "roll": "rx", "pitch": "ry"}
    table = platform(rng, [0.05, -0.04, 0.8, 0.1, 0.1], ["roll", "pitch"], coordinates)
    table["origin"] = {}
    offset = 0.05 * rng.normal(size=3)
    centre = {
        "name": "centre",
        "joint": [
            {"name": "u1", "type": "R", "axis": [1, 0, 0], "viscous": 0.4, "body": body(rng, 0.1)},
            {"name": "u2", "type": "R", "axis": [0, 1, 0], "body": body(rng, 0.3)},
            {"name": "slide", "type": "P", "axis": [0, 0, 1], "viscous": 5.0, "body": body(rng, -0.4)},
        ],
        "end": {"type": "rigid", "point": list(offset), "platform_point": list(0.02 * rng.normal(size=3))},
    }
    legs = [centre]
    for k in range(3):
        angle = 2 * np.pi * k / 3 + rng.uniform(-0.2, 0.2)
        out = np.array([np.cos(angle), np.sin(angle), 0.1 * rng.normal()])
        legs.append(_ups(rng, f"L{k}", 0.4 * out, 0.15 * out))
    return {"name": kind, "platform": table, "leg": legs}


def _exechon(kind, rng):
    """Two U P R legs in a plane that turns about the line of their feet, and one S P R: held five times, not three.

    z, pitch and roll move; x, y and yaw follow.
    """
    width, reach, small = rng.uniform(0.25, 0.35), rng.uniform(0.3, 0.4), rng.uniform(0.12, 0.2)
    home = [0.0, 0.0, 0.7, 0.0, 0.0, 0.0]
    legs = []
    for name, side in (("A", 1.0), ("B", -1.0)):
        u = [
            {"name": "u1", "type": "R", "axis": [1, 0, 0], "body": body(rng, 0.05)},
            {"name": "u2", "type": "R", "axis": [0, 1, 0], "viscous": 0.2, "body": body(rng, 0.3)},
        ]
        legs.append(_ending_in_hinge(rng, name, [side * width, 0.0, 0.0], [side * small, 0.0, 0.0], u, [0, 1, 0]))
    s = [
        {"name": f"s{k}", "type": "R", "axis": axis, "body": body(rng, 0.1 * k)}
        for k, axis in enumerate(([0, 0, 1], [1, 0, 0], [0, 1, 0]))
    ]
    s[0]["start"] = 0.0
    legs.append(_ending_in_hinge(rng, "C", [0.0, reach, 0.0], [0.0, small, 0.0], s, [1, 0, 0]))
    table = platform(rng, home, ["x", "y", "yaw"])
    table["origin"] = {}
    return {"name": kind, "platform": table, "leg": legs}


def _ending_in_hinge(rng, name, base, end, first, axis):
    slide = {"name": "slide", "type": "P", "axis": [0, 0, 1], "actuated": True, "start": 0.7, "body": body(rng, -0.3)}
    hinge = {"name": "hinge", "type": "R", "axis": axis, "body": body(rng, 0.05)}
    rigid = {"type": "rigid", "platform_point": end}
    return {"name": name, "position": base, "joint": [*first, slide | MOTOR, hinge], "end": rigid}


def _ankle(kind, rng):
    """Two axes that neither meet nor are square, and two cranks with rods: pitch and roll move, the rest follows."""
    table = platform(rng, [0.0, 0.0, -0.1, 0.0, 0.02, 0.03], ["x", "y", "z", "yaw"])
    table["origin"] = {}
    table["mass"] = 1.2
    tilt = Rotation.from_rotvec(0.1 * rng.normal(size=3)).as_matrix()
    joint = [
        {"name": "pitch", "type": "R", "axis": (tilt @ [0, 1, 0]).tolist(), "viscous": 0.1, "body": body(rng, 0.02)},
        {
            "name": "roll",
            "type": "R",
            "axis": (tilt.T @ [1, 0, 0]).tolist(),
            "offset": [0.01, rng.uniform(-0.01, 0.01), -0.03],
            "body": body(rng, 0.02),
        },
    ]
    offset = [0.0, 0.0, -0.07]
    legs = [{"name": "shank", "joint": joint, "end": {"type": "rigid", "point": offset}}]
    for name, side in (("left", 1.0), ("right", -1.0)):
        base, end = np.array([-0.02, side * 0.04, 0.2]), np.array([-0.06, side * 0.04, 0.02])
        legs.append(
            {
                "type": "RUS",
                "name": name,
                "base": list(base),
                "platform": list(end),
                "motor": {"axis": [0, 1, 0], "reference": [-1, 0, 0]},
                "crank": {"length": 0.05, **body(rng, 0.05)},
                "rod": {"length": 0.285 + 0.005 * side, **body(rng, 0.25)},
                "actuator": {**MOTOR, "gear": 20.0},
            }
        )
    return {"name": kind, "platform": table, "leg": legs}


_MAKERS = {
    "rps": _three,
    "prs": _three,
    "rrs": _three,
    "tricept": _tricept,
    "exechon": _exechon,
    "ankle": _ankle,
}
