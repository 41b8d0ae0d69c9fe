"""Random robots with more actuators than coordinates, all legs different."""

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.random_robots import PLANAR, SIX, _leg, _platform, body, ring
from tests.support.robots import build

KINDS = ("UPS", "SPS", "PUS", "RUS", "RRR")
DRIVE = {"rotor_inertia": 1e-5, "gear": 40.0, "viscous": 0.8, "coulomb": 0.3}


def random_redundant(kind, seed):
    """Seven or eight legs of this type, or four to six of a planar RRR; forces by least norm."""
    return build(redundant_tables(kind, seed))


def redundant_tables(kind, seed):
    """The tables of its file."""
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    tables = _planar(rng, 4 + seed % 3) if kind == "RRR" else _spatial(kind, rng, 7 + seed % 2)
    for k, leg in enumerate(tables["leg"]):
        leg["name"] = f"L{k}"
        leg["actuator"] = {key: float(value * rng.uniform(0.5, 2.0)) for key, value in DRIVE.items()}
    return tables | {"name": f"{kind}-{seed}", "actuation": {"criterion": "least-norm"}}


def _spatial(kind, rng, count):
    home = [0.02, -0.03, 0.6, 0.1, -0.07, 0.05]
    order = np.arange(count)
    order[: count // 2 * 2] = order[: count // 2 * 2].reshape(-1, 2)[:, ::-1].ravel()
    base, platform = ring(rng, count, 0.5, 0.1), ring(rng, count, 0.3, 0.1)[order]
    at_home = np.array(home[:3]) + platform @ Rotation.from_euler("ZYX", home[3:]).as_matrix().T
    distances = np.linalg.norm(at_home - base, axis=1)
    legs = [_leg(kind, rng, b, p, d) for b, p, d in zip(base, platform, distances, strict=True)]
    return {"platform": _platform(SIX, home), "leg": legs}


def _planar(rng, count):
    base, platform = ring(rng, count, 0.55, 0.1), ring(rng, count, 0.2, 0.1)
    base[:, 2] = platform[:, 2] = 0.0
    legs = []
    for b, p in zip(base, platform, strict=True):
        angle = rng.uniform(0, 2 * np.pi)
        leg = {"type": "RRR", "base": b, "platform": p, "branch": int(rng.choice([-1, 1]))}
        leg["rod"] = {"length": rng.uniform(0.4, 0.5), **body(rng, 0.4, False)}
        leg["motor"] = {"axis": [0, 0, 1], "reference": [np.cos(angle), np.sin(angle), 0]}
        leg["crank"] = {"length": rng.uniform(0.3, 0.4), **body(rng, 0.3, False)}
        legs.append(leg)
    return {"platform": _platform(PLANAR, [0.02, -0.01, 0.05]), "gravity": [0, -9.81, 0.5], "leg": legs}
