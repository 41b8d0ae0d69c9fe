"""A controller's loop: a function bound to fixed arrays takes about a microsecond, allocates nothing and has a status.

Write into the arrays, call, look at the status, read the forces. One bound call per thread.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import gough

PERIOD = 1e-3


def main(ticks: int = 4000) -> float:
    robot = gough.load("stewart")
    motion = gough.Motion.named(robot, "trig3")
    x, xd, xdd, force = np.zeros((4, 6))
    tick = gough.bind(robot, "inverse_dynamics", x=x, xd=xd, xdd=xdd, force=force)

    times = np.minimum(PERIOD * np.arange(ticks), motion.end)
    path = motion.sample(times)
    sent = np.empty((ticks, len(force)))
    longest = spent = 0.0
    for k in range(ticks):
        x[:], xd[:], xdd[:] = path.x[k], path.xd[k], path.xdd[k]
        start = perf_counter()
        status = tick()
        took = perf_counter() - start
        if status:
            raise SystemExit(f"stop the machine: {tick.sentence()}")
        sent[k] = force
        longest, spent = max(longest, took), spent + took

    reference = gough.inverse_dynamics(robot, gough.State(path.x, path.xd, path.xdd)).force
    apart = np.abs(sent - reference).max()
    print(f"{ticks} ticks: {1e6 * spent / ticks:.2f} us each, the longest {1e6 * longest:.0f} us")
    print(f"the same forces as one call on all samples, to {apart:.0e} N")
    return float(apart)


if __name__ == "__main__":
    main()
