"""Load a robot, ask where its legs are, and what it takes to hold a pose and to move through it.

A robot is a value: a name from the catalogue or a TOML file. Platform coordinates are metres and radians, in the order
in which the robot lists them.
"""

from __future__ import annotations

import numpy as np

import gough


def main() -> None:
    robot = gough.load("stewart")
    print(f"{robot.name}: coordinates {', '.join(c.name for c in robot.platform.coordinates)}")

    x = [0.1, 0.0, 2.1, np.deg2rad(10), 0.0, 0.0]
    legs = gough.inverse_kinematics(robot, x)
    print("leg lengths [m]:", np.round(legs.q, 4))
    print(f"condition of the Jacobian: {legs.condition:.2f}")

    hold = gough.inverse_dynamics(robot, x)
    print("forces to hold it [N]:", np.round(hold.force, 3))

    up = gough.inverse_dynamics(robot, gough.State(x, [0, 0, 0.5, 0, 0, 0], [0, 0, 3.0, 0, 0, 0]))
    print("forces to go up at 3 m/s^2 [N]:", np.round(up.force, 3))
    print(f"power at 0.5 m/s: {up.power.sum():.1f} W")

    # Many poses at once: one row each, and a status each instead of an exception.
    hexapod = gough.load("hexapod")
    heights = np.linspace(0.3, 0.9, 5)
    many = gough.inverse_kinematics(hexapod, [[0, 0, z, 0, 0, 0] for z in heights])
    for z, status, travel in zip(heights, many.status, many.q[:, 0], strict=True):
        print(f"hexapod at z = {z:.2f} m: {gough.Status(status).text}, slider A at {travel:.3f} m")

    # What cannot be is one clear line that carries its data.
    try:
        gough.inverse_kinematics(gough.load("delta"), [0, 0, -3.0])
    except gough.PoseError as error:
        print(f"refused: {error} (leg {error.leg}, by {error.amount:.2f} m)")


if __name__ == "__main__":
    main()
