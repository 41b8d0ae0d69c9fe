"""How soon a robot's forces are ready in JAX, and what a sample costs there: calls into gough's kernels, or XLA's code.

    .venv/bin/python -m benchmarks.bridges [--straight] [stewart sru]

With --straight also the same equations node by node, which XLA compiles: minutes for sru. Times to be ready are
processor time from an empty cache of kernels, others the least wall time of a few calls. Results are checked first.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gough
from benchmarks import costs
from benchmarks.peers.translated import translate
from gough.kinematics.random_states import random_states

REPEATS = 7
MODULE = SimpleNamespace(sqrt=jnp.sqrt, fabs=jnp.abs, sin=jnp.sin, cos=jnp.cos)

Force = Callable[..., Any]


def kernels(robot: Any) -> Force:
    """Forces by gough's kernels."""
    function = gough.to_jax(gough.graph_of(robot))
    return lambda x, xd, xdd: function(x=x, xd=xd, xdd=xdd)


def straight(robot: Any) -> Force:
    """Forces by operations of JAX, one for each node."""
    graph = gough.graph_of(robot)

    def force(x: Any, xd: Any, xdd: Any) -> Any:
        given = [*x, *xd, *xdd]
        return jnp.stack(translate(graph, given, MODULE, jnp.where))

    return force


def measured(robot: Any, make: Callable[[Any], Force], samples: int) -> dict[str, float]:
    """Seconds until value and gradient are ready, microseconds per sample of both by vmap."""
    states = random_states(robot, 100, 1)
    rows = [np.tile(a, (-(-samples // 100), 1))[:samples] for a in (states.x, states.xd, states.xdd)]
    one = [a[0] for a in rows]
    start = time.process_time()
    force = make(robot)
    first = jax.jit(force)(*one).block_until_ready()
    value = time.process_time() - start
    expected = gough.inverse_dynamics(robot, gough.State(*(a[:1] for a in rows))).force[0]
    np.testing.assert_allclose(first, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    start = time.process_time()
    slope = jax.grad(lambda *given: jnp.sum(force(*given) ** 2))
    jax.jit(slope)(*one).block_until_ready()
    gradient = time.process_time() - start
    return {
        "value": value,
        "gradient": gradient,
        "vmap": best(jax.jit(jax.vmap(force)), rows) / samples * 1e6,
        "vmap of grad": best(jax.jit(jax.vmap(slope)), rows) / samples * 1e6,
    }


def best(call: Force, given: list[Any]) -> float:
    """Least wall time of a call [s], after a first one."""
    call(*given).block_until_ready()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call(*given).block_until_ready()
        times.append(time.perf_counter() - start)
    return min(times)


def main(arguments: list[str] | None = None) -> dict[tuple[str, str], dict[str, float]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=["stewart", "sru"])
    parser.add_argument("--straight", action="store_true")
    parser.add_argument("--samples", type=int, default=10_000)
    options = parser.parse_args(arguments)
    jax.config.update("jax_enable_x64", True)
    ways = {"kernels": kernels} | ({"straight": straight} if options.straight else {})
    found = {}
    print("robot     by         value ready [s]  gradient ready [s]  vmap [us]  vmap of grad [us]")
    for name in options.robots:
        for way, make in ways.items():
            with tempfile.TemporaryDirectory() as folder, costs.cache_folder(folder):
                f = found[name, way] = measured(gough.load(name), make, options.samples)
            print(f"{name:8}  {way:9}  {f['value']:15.2f}  {f['gradient']:18.2f}", end="")
            print(f"  {f['vmap']:9.3g}  {f['vmap of grad']:17.3g}")
    return found


if __name__ == "__main__":
    main()
