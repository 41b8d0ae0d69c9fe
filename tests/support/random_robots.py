"""Robots without lucky coincidences: unequal legs, tilted guides, random axes, frames turned at random."""

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from gough import load
from gough.graph.triples import matrix, vector
from tests.support.robots import build, with_values

SIX = {"x": "x", "y": "y", "z": "z", "a": "rz", "b": "ry", "c": "rx"}
PLANAR = {"x": "x", "y": "y", "phi": "rz"}
KINDS = ("UPS", "SPS", "PUS", "PSS", "RUS", "RSS", "SRU", "RRR", "PRR", "RPa", "PPa", "PRU", "RRU")


def turn(rng, size=np.pi):
    """(3, 3) random rotation by up to `size` [rad]."""
    axis = rng.normal(size=3)
    return Rotation.from_rotvec(axis / np.linalg.norm(axis) * rng.uniform(0.2, 1.0) * size).as_matrix()


def ring(rng, count, radius, spread):
    """(count, 3) points about a circle, each moved at random."""
    angles = 2 * np.pi * np.arange(count) / count
    points = radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    return points + spread * radius * rng.uniform(-1, 1, (count, 3))


def body(rng, length, round_about_x):
    """A body of a rod along x."""
    thick, wide = rng.uniform(1e-4, 2e-4), rng.uniform(2e-3, 4e-3)
    com = [length * rng.uniform(0.3, 0.6), 0.0, 0.0]
    if not round_about_x:
        com = [com[0], *(0.02 * rng.normal(size=2))]
    uneven = 0.0 if round_about_x else rng.uniform(0, 1e-4)
    return {"mass": rng.uniform(0.2, 0.6), "com": com, "inertia": [thick, wide, wide + uneven]}


def random_robot(kind, seed):
    """A robot of legs of this type, all different."""
    return build(random_tables(kind, seed))


def random_tables(kind, seed):
    """The tables of its file."""
    return _SHAPES.get(kind, _six)(kind, np.random.default_rng([seed, KINDS.index(kind)]))


def _six(kind, rng):
    home = [0.02, -0.03, 0.6, 0.1, -0.07, 0.05]
    base, platform = ring(rng, 6, 0.5, 0.1), ring(rng, 6, 0.3, 0.1)
    platform = platform[[1, 0, 3, 2, 5, 4]]
    at_home = np.array(home[:3]) + platform @ Rotation.from_euler("ZYX", home[3:]).as_matrix().T
    distances = np.linalg.norm(at_home - base, axis=1)
    legs = [_leg(kind, rng, b, p, d) for b, p, d in zip(base, platform, distances, strict=True)]
    return {"name": kind, "platform": _platform(SIX, home), "leg": legs}


def _leg(kind, rng, base, platform, distance):
    round_ = kind in ("SPS", "PSS", "RSS")
    leg = {"type": kind, "base": base, "platform": platform}
    reach = rng.uniform(1.05, 1.15) if kind[0] == "P" else rng.uniform(0.95, 1.05)
    rod = {"length": distance * reach, **body(rng, 0.6, round_)}
    if kind in ("UPS", "SPS"):
        leg |= {"cylinder": body(rng, 0.4, round_), "piston": body(rng, -0.4, round_)}
    elif kind == "SRU":
        leg |= {"lower": rng.uniform(0.45, 0.6), "upper": rng.uniform(0.45, 0.6), "branch": int(rng.choice([-1, 1]))}
        leg |= {
            f"link{k}": {"mass": 0.3, "com": 0.02 * rng.normal(size=3), "inertia": [3e-3, 4e-3, 5e-3]} for k in (3, 4)
        }
    elif kind[0] == "P":
        direction = np.array([0, 0, 1.0]) + rng.uniform(-0.4, 0.4, 3)
        leg |= {"guide": {"direction": direction, "offset": rng.uniform(-0.1, 0.1)}, "rod": rod}
        leg["slider"] = {"mass": 0.2}
    else:
        axis = np.cross(base + 0.2 * rng.uniform(-1, 1, 3), [0, 0, 1.0])
        axis /= np.linalg.norm(axis)
        reference = np.cross(axis, rng.normal(size=3))
        leg |= {"motor": {"axis": axis, "reference": reference / np.linalg.norm(reference)}, "rod": rod}
        leg |= {
            "crank": {"length": rng.uniform(0.15, 0.2), **body(rng, 0.1, False)},
            "branch": int(rng.choice([-1, 1])),
        }
    if kind in ("UPS", "PUS", "RUS"):
        leg["cross"] = {"mass": 0.05, "inertia": [1e-5, 2e-5, 2e-5]}
    return leg


def _planar(kind, rng):
    base, platform = ring(rng, 3, 0.55, 0.1), ring(rng, 3, 0.2, 0.1)
    base[:, 2] = platform[:, 2] = 0.0
    legs = []
    for b, p in zip(base, platform, strict=True):
        leg = {"type": kind, "base": b, "platform": p, "branch": int(rng.choice([-1, 1]))}
        leg["rod"] = {"length": rng.uniform(0.4, 0.5), **body(rng, 0.4, False)}
        angle = rng.uniform(0, 2 * np.pi)
        if kind[0] == "R":
            leg["motor"] = {"axis": [0, 0, 1], "reference": [np.cos(angle), np.sin(angle), 0]}
            leg["crank"] = {"length": rng.uniform(0.3, 0.4), **body(rng, 0.3, False)}
        else:
            tangent = np.array([-b[1], b[0], 0]) + 0.1 * rng.normal(size=3) * [1, 1, 0]
            leg |= {"guide": {"direction": tangent}, "hinge": [0, 0, 1], "slider": {"mass": 0.2}}
        legs.append(leg)
    return {"name": kind, "platform": _platform(PLANAR, [0.02, -0.01, 0.05]), "leg": legs}


def _delta(kind, rng):
    base, platform = ring(rng, 3, 0.3, 0.1), ring(rng, 3, 0.1, 0.1)
    legs = []
    for b, p in zip(base, platform, strict=True):
        out = b * [1, 1, 0] / np.linalg.norm(b[:2])
        tangent = np.cross(out, [0, 0, 1.0]) + 0.1 * rng.normal(size=3)
        leg = {
            "type": kind,
            "base": b,
            "platform": p,
            "spread": rng.uniform(0, 0.1),
            "branch": int(rng.choice([-1, 1])),
        }
        leg["rod"] = {"length": rng.uniform(0.7, 0.9), **body(rng, 0.8, False)}
        leg |= {"crossbar": {"mass": 0.1, "inertia": [1e-3, 1e-4, 1e-3]}, "closing": {"mass": 0.1}}
        if kind[0] == "R":
            axis = tangent / np.linalg.norm(tangent)
            reference = np.cross(axis, rng.normal(size=3))
            leg["motor"] = {"axis": axis, "reference": reference / np.linalg.norm(reference)}
            leg["crank"] = {"length": rng.uniform(0.25, 0.35), **body(rng, 0.3, False)}
            leg["hinge"] = axis
        else:
            leg["guide"] = {"direction": out + 0.3 * rng.normal(size=3)}
            leg |= {"hinge": tangent, "slider": {"mass": 0.3}}
        legs.append(leg)
    platform_table = {"coordinates": {"x": "x", "y": "y", "z": "z"}, "home": [0.02, -0.01, -0.6], "mass": 2.0}
    return {"name": kind, "platform": platform_table, "leg": legs}


def _two_and_one(kind, rng):
    """Like spatial3, with unequal legs; the two in the plane x = 0 slide or crank."""
    h = 0.37
    tables = {"coordinates": {"y": "y", "z": "z", "theta": "ry"}, "origin": {"position": [0, 0, -h]}}
    tables |= {"home": [0.01, 0.02, 0.05], "mass": 3.0, "com": [0.01, 0.02, 0.03], "inertia": [0.02, 0.03, 0.04]}
    legs = []
    for side in (-1, 1):
        rod = {"length": rng.uniform(0.38, 0.45), **body(rng, 0.4, False)}
        leg = {"type": kind, "base": [0, side * 0.26, 0.01 * side], "platform": [0, side * 0.1, 0], "rod": rod}
        leg["platform_hinge"] = [0, 1, 0]
        if kind[0] == "P":
            lean = 0.2 * rng.normal()
            leg |= {"hinge": [1, 0, 0], "guide": {"direction": [0, lean, 1]}, "slider": {"mass": 0.4}, "branch": -1}
        else:
            leg |= {"motor": {"axis": [1, 0, 0], "reference": [0, 1, 0]}, "crank": {"length": 0.12, "mass": 0.1}}
            leg |= {"hinge": [1, 0, 0], "branch": side}
        legs.append(leg)
    rod = {"length": 0.42, **body(rng, 0.4, False)}
    third = {"type": "PPa", "base": [-0.25, 0.01, 0], "platform": [-0.1, 0.02, 0.01], "hinge": [0, 1, 0], "branch": -1}
    third |= {"guide": {"direction": [0.1, 0.05, 1]}, "rod": rod, "spread": 0.04}
    return {"name": kind, "platform": tables, "leg": [*legs, third]}


_SHAPES = {"RRR": _planar, "PRR": _planar, "RPa": _delta, "PPa": _delta, "PRU": _two_and_one, "RRU": _two_and_one}


def _platform(coordinates, home):
    return {
        "coordinates": coordinates,
        "home": home,
        "mass": 2.0,
        "com": [0.01, -0.02, 0.03],
        "inertia": [0.03, 0.04, 0.05],
    }


def moved(robot, R, p):
    """The whole machine moved: turned by R, then shifted by p; its coordinates stay."""
    gravity = vector(R @ robot.gravity)
    platform = replace(
        robot.platform, position=_point(R, p, robot.platform.position), rotation=_turned(R, robot.platform)
    )
    legs = tuple(replace(leg, position=_point(R, p, leg.position), rotation=_turned(R, leg)) for leg in robot.legs)
    return with_values(robot, platform=platform, legs=legs, gravity=gravity)


def _point(R, p, r):
    return _floats(R @ np.array(r) + p)


def _turned(R, value):
    return _matrix(R @ np.array(value.rotation))


def _floats(values):
    return vector([float(v) for v in values])


def _matrix(values):
    return matrix([[float(v) for v in row] for row in values])


def reframed(robot, seed):
    """The same machine with every leg's and joint's frame turned at random: joint coordinates stay the same."""
    rng = np.random.default_rng(seed)
    return with_values(robot, legs=tuple(_reframed(leg, rng) for leg in robot.legs))


def _reframed(leg, rng):
    Q = [turn(rng) for _ in range(len(leg.joints) + 1)]
    joints = []
    for k, joint in enumerate(leg.joints):
        before, here = Q[joint.parent + 1], Q[k + 1]
        inertia = here.T @ joint.body.tensor @ here
        xx, yy, zz = np.diag(inertia)
        com = _floats(here.T @ np.array(joint.body.com))
        tensor = tuple(float(v) for v in (xx, yy, zz, inertia[0, 1], inertia[0, 2], inertia[1, 2]))
        joints.append(
            replace(
                joint,
                axis=_floats(here.T @ np.array(joint.axis)),
                offset=_floats(before.T @ np.array(joint.offset)),
                rotation=_matrix(before.T @ np.array(joint.rotation) @ here),
                body=replace(joint.body, com=com, inertia=tensor),
            )
        )
    last = Q[leg.end.joint + 1]
    end = replace(
        leg.end, point=_floats(last.T @ np.array(leg.end.point)), rotation=_matrix(last.T @ np.array(leg.end.rotation))
    )
    return replace(leg, joints=tuple(joints), end=end, rotation=_matrix(np.array(leg.rotation) @ Q[0]))


def odd_robot(name):
    """A robot whose legs fit no closed form."""
    robot = load("stewart" if name != "arm" else "sru")
    change = {"offset_universal": _offset_universal, "slanted": _slanted, "skew": _skew, "arm": _arm}[name]
    legs = tuple(change(leg, k) for k, leg in enumerate(robot.legs))
    return with_values(robot, name=name, legs=legs)


def _with_joint(leg, k, **changes):
    joints = list(leg.joints)
    joints[k] = replace(joints[k], **changes)
    return replace(leg, joints=tuple(joints), branch=None)


def _offset_universal(leg, k):
    """The second axis of the universal joint misses the first by some centimetres."""
    return _with_joint(leg, 1, offset=(0.01 * (k + 1), 0.03, -0.01 * k))


def _slanted(leg, k):
    """The slide does not pass through the joint's centre."""
    return _with_joint(leg, 2, offset=(0.0, 0.05 + 0.01 * k, -0.04))


def _skew(leg, k):
    """The axes of the universal joint are not perpendicular."""
    angle = 0.2 + 0.05 * k
    return _with_joint(leg, 1, axis=(0.0, float(np.sin(angle)), float(np.cos(angle))))


def _arm(leg, k):
    """The wrist's axes miss each other."""
    return _with_joint(leg, 5, offset=(0.0, 0.01 * (k + 1), 0.02))
