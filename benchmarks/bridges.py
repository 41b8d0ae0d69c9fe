"""How soon a robot's forces are ready in JAX, and what a sample costs there.

python benchmarks/bridges.py [stewart sru]
"""

from __future__ import annotations

import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

import gough
from gough.kinematics.random_states import random_states

SAMPLES = 10_000
REPEATS = 7


def report(name: str) -> None:
    robot = gough.load(name)
    states = random_states(robot, 100, 1)
    rows = [np.tile(a, (SAMPLES // 100, 1)) for a in (states.x, states.xd, states.xdd)]
    start = time.process_time()
    function = gough.to_jax(gough.graph_of(robot))

    def force(x, xd, xdd):
        return function(x=x, xd=xd, xdd=xdd)

    one = jax.jit(force)
    first = one(*(a[0] for a in rows)).block_until_ready()
    value = time.process_time() - start
    expected = gough.inverse_dynamics(robot, *(a[:1] for a in rows)).force[0]
    assert np.array_equal(first, expected)
    start = time.process_time()
    slope = jax.jit(jax.grad(lambda *given: jnp.sum(force(*given) ** 2)))
    slope(*(a[0] for a in rows)).block_until_ready()
    gradient = time.process_time() - start
    print(f"{name}: value ready in {value:.2f} s, gradient in {gradient:.2f} s of processor time")
    many, slopes = jax.jit(jax.vmap(force)), jax.jit(jax.vmap(jax.grad(lambda *given: jnp.sum(force(*given) ** 2))))
    for what, call, given in (("vmap", many, rows), ("vmap of grad", slopes, rows)):
        print(f"  {what}: {best(call, given) / SAMPLES * 1e6:.2f} us per sample")
    print(f"  single call: {best(one, [a[0] for a in rows]) * 1e6:.0f} us")


def best(call, given) -> float:
    """Least wall time of a call [s], after a first one."""
    call(*given).block_until_ready()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call(*given).block_until_ready()
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    for robot in sys.argv[1:] or ("stewart", "sru"):
        report(robot)
