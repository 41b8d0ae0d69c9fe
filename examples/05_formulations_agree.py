"""Five formulations, derived independently of one another, give the same forces to round-off, at different cost.

The full certificate is a command: gough verify stewart
"""

from __future__ import annotations

import numpy as np

import gough


def main(robot_name: str = "planar3rrr") -> float:
    robot = gough.load(robot_name)
    rng = np.random.default_rng(1)
    n = len(robot.platform.home)
    x = np.array(robot.platform.home) + 0.02 * rng.uniform(-1, 1, (200, n))
    xd, xdd = rng.normal(size=(2, 200, n))

    forces = {
        f.name: gough.inverse_dynamics(robot, gough.State(x, xd, xdd), formulation=f).force for f in gough.FORMULATIONS
    }
    operations = {found.formulation: found.total.flops for found in gough.operation_counts(robot)}

    middle = np.median(list(forces.values()), axis=0)
    scale = np.abs(middle).max()
    worst = 0.0
    print(f"{robot.name}, {len(x)} random states, relative to the largest force {scale:.3g}:")
    for name, found in forces.items():
        apart = np.abs(found - middle).max() / scale
        worst = max(worst, apart)
        print(f"  {name:22} differs by {apart:.1e}, {operations[name]:6} operations")

    cheapest = min(operations, key=lambda name: operations[name])
    print(f"used by default: {gough.inverse_dynamics(robot, robot.home).formulation}; fewest operations: {cheapest}")
    return worst


if __name__ == "__main__":
    main()
