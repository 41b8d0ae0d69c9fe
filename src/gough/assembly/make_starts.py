"""Makes the shipped start system: `python -m gough.assembly.make_starts [SEED]`.

One solution of random equations is easy: choose the pose, and k and m follow. Carried round loops of k and m it comes
back as the others (monodromy), until all 40 are there.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.assembly.certificate import certify, study_point
from gough.assembly.path_ends import polished
from gough.assembly.start_systems import MOST, SHIPPED
from gough.assembly.study_quadrics import CHART, LEGS, even_matrix, skew_matrix
from gough.assembly.tracker import track
from gough.files import write_whole
from gough.graph import Array

SEED = 1954
_LOOPS = 400
_SAME = 1e-8


def solved_by(z: NDArray[np.complex128], points: Array) -> NDArray[np.complex128]:
    """(6,) k and m of which z (7,) is a solution, as far as Study's condition holds."""
    x = np.array([1.0 - z @ np.array(CHART), *z])
    e, g = x[:4], x[4:]
    n = e @ e
    found = []
    for a, b in zip(*points.reshape(2, LEGS, 3), strict=True):
        found.append(-(e @ np.array(skew_matrix(a, b)) @ g + e @ np.array(even_matrix(a, b)) @ e) / n)
    return np.array([*found, g @ g / n])


def first_solution(random: np.random.Generator) -> NDArray[np.complex128]:
    """(7,) random unknowns that meet Study's condition."""
    x = _complex(random, 8)
    e = x[:4]
    x[4:] -= e * (e @ x[4:]) / (e @ e)
    return (x / (x[0] + x[1:] @ np.array(CHART)))[1:]


def start_system(seed: int) -> dict[str, Any]:
    """Points, k and solutions at random complex k."""
    random = np.random.default_rng(seed)
    points = random.normal(size=2 * LEGS * 3) / np.sqrt(3.0)
    first = first_solution(random)
    k = solved_by(first, points)
    found = [first]
    for _ in range(_LOOPS):
        z = np.array(found)
        corners = 10.0 ** random.uniform(-1.0, 1.0) * _complex(random, (2, 6))
        for begin, end in ((k, corners[0]), (corners[0], corners[1]), (corners[1], k)):
            ends = track(z, begin, np.broadcast_to(end, (len(z), 6)), points, tol=1e-5, accept=2e-3)
            z = polished(ends.z[ends.arrived], np.broadcast_to(end, (ends.arrived.sum(), 6)), points)
        for new in z:
            if all(np.abs(new - known).max() > _SAME for known in found):
                found.append(new)
        if len(found) == MOST:
            z = np.array(found)
            many = np.broadcast_to(k, (MOST, 6))
            assert certify(study_point(z), many, points, np.abs(many)).proved.all()
            return {"seed": seed, "points": points, "k": k, "z": z}
    raise SystemExit(f"seed {seed}: {len(found)} solutions after {_LOOPS} loops, expected {MOST}; try another seed")


def _complex(random: np.random.Generator, shape: int | tuple[int, ...]) -> NDArray[np.complex128]:
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def main() -> None:
    """Writes the file."""
    made = start_system(int(sys.argv[1]) if len(sys.argv) > 1 else SEED)
    plain = {
        "seed": made["seed"],
        "points": made["points"].tolist(),
        "k": made["k"].view(float).tolist(),
        "z": made["z"].view(float).reshape(MOST, -1).tolist(),
    }
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in plain.items())
    write_whole(SHIPPED, f"{{\n{lines}\n}}\n".encode())


if __name__ == "__main__":
    main()
