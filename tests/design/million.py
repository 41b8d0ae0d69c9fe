"""The largest forces over very many poses, each with its exact inner maximum, apart from the search.

Run `python -m tests.design.million [robot ...]` to compare what `size` finds with a million poses of each robot.
"""

import sys
import time
from itertools import product

import numpy as np

from gough import load
from gough.design import size
from gough.design.prove_envelope import force_polynomial
from gough.design.velocity_maxima import ball_maximum, box_maximum, linear_maximum
from gough.design.worst import Worst
from gough.run import Program
from tests.design.envelopes import TEXTS, envelope

BLOCK = 10_000


def corners(e):
    return np.array(list(product(*[ends if ends[0] < ends[1] else ends[:1] for ends in e.pose])))


def largest_over(robot, e, count, seed):
    """(2 m,) largest forces up, then down, over the corners of the pose box and `count` random poses.

    The coefficients come from exact derivatives of another formulation than the search takes. Poses at which a bound of
    the inner maximum is below the largest so far cannot change it; at all others it is taken exactly.
    """
    program = Program(force_polynomial(robot, e))
    dry = Worst(robot, e).coulomb
    rng = np.random.default_rng(seed)
    low, high = np.array(e.pose).T
    first = np.concatenate([corners(e), low + (high - low) * rng.uniform(size=(500, len(low)))])
    best = largest_of(program, e, dry, first, np.full(2 * len(dry), -np.inf))
    for begin in range(0, count, BLOCK):
        x = low + (high - low) * rng.uniform(size=(min(BLOCK, count - begin), len(low)))
        best = largest_of(program, e, dry, x, best)
    return best


def largest_of(program, e, dry, x, best):
    """The larger of `best` and the exact values at poses x (N, n)."""
    raw = program(x=x, threads=1)
    assert (raw["short"] <= 0.0).all()
    best = best.copy()
    m, n = len(dry), raw["L"].shape[-1]
    push = linear_maximum(raw["A"].reshape(-1, raw["A"].shape[-1]), e.acceleration_ball)[0].reshape(raw["G"].shape)
    around = push + np.abs(raw["W"]).sum(axis=-1) + dry
    diagonal = np.diagonal(raw["Q"], axis1=-2, axis2=-1)
    beside = np.abs(raw["Q"]).reshape(*raw["G"].shape, -1).sum(axis=-1) - np.abs(diagonal).sum(axis=-1)
    beside += np.abs(raw["L"]).sum(axis=-1)
    for side, sign in enumerate((1.0, -1.0)):
        values = sign * raw["G"] + around
        bounds = values + beside + np.maximum(sign * diagonal, 0.0).sum(axis=-1)
        for k in range(m):
            column = side * m + k
            left = np.nonzero(bounds[:, :, k] > best[column])
            Q, L = sign * raw["Q"][:, :, k][left], sign * raw["L"][:, :, k][left]
            moved = (ball_maximum if e.velocity_ball else box_maximum)(Q, L)[0] if n else 0.0
            best[column] = max(best[column], (values[:, :, k][left] + moved).max(initial=-np.inf))
    return best


def found_forces(result):
    return np.concatenate([result.of("force+"), -result.of("force-")])


def main(names):
    for name in names:
        robot = load(name)
        e = envelope(robot)
        begin = time.perf_counter()
        result = size(robot, e, seeds=(1, 2), power=9)
        sized = time.perf_counter()
        best = largest_over(robot, e, 1_000_000, 12)
        found = found_forces(result)
        above = (found - best) / np.abs(found).max()
        print(
            f"{name}: size {sized - begin:.0f} s, a million poses {time.perf_counter() - sized:.0f} s; found is above "
            f"them by {above.min():.1e} to {above.max():.1e} of the largest force; seeds agree to {result.spread:.1e}; "
            f"{sum(len(r.optima) - 1 for r in result.requirements)} other local optima",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:] or sorted(TEXTS))
