"""A controller's loop: a program bound to fixed arrays is called in about a microsecond, with no allocation.

Write into `inputs`, call, read from `outputs`. One bound program per thread.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

import gough
from gough.dynamics.default import formulation_for
from gough.dynamics.model import Model, inverse_program

PERIOD = 1e-3


def main(ticks: int = 4000) -> float:
    robot = gough.load("stewart")
    motion = gough.choose_motion(robot, "trig3")
    program = inverse_program(Model(robot, formulation_for(robot, "auto"), False))
    tick = program.bind()
    x, xd, xdd = (tick.inputs[name] for name in ("x", "xd", "xdd"))
    force, short = tick.outputs["force"], tick.outputs["short"]

    times = np.minimum(PERIOD * np.arange(ticks), motion.end)
    path = motion.sampled(times[times <= motion.end])
    sent = np.empty((ticks, len(force)))
    longest = spent = 0.0
    for k in range(ticks):
        x[:], xd[:], xdd[:] = path.x[k], path.xd[k], path.xdd[k]
        start = perf_counter()
        tick()
        took = perf_counter() - start
        if (short > 0).any():
            raise SystemExit("a leg is out of reach: stop the machine")
        sent[k] = force
        longest, spent = max(longest, took), spent + took

    reference = gough.inverse_dynamics(robot, path.x, path.xd, path.xdd).force
    apart = np.abs(sent - reference).max()
    print(f"{ticks} ticks: {1e6 * spent / ticks:.2f} us each, the longest {1e6 * longest:.0f} us")
    print(f"the same forces as one call on all samples, to {apart:.0e} N")
    return float(apart)


if __name__ == "__main__":
    main()
