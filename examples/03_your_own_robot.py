"""A robot of your own in Python: six legs in a loop, each universal joint, cylinder, piston, spherical joint.

A file says the same in twenty lines (gough new --legs UPS); Python serves where geometry comes from a calculation.
"""

from __future__ import annotations

import numpy as np

import gough
from gough import Body, Coordinate, End, Joint, Leg, Limits, Platform, Robot, kinematic_faults

HEIGHT = 0.5


def corner(radius: float, k: int, half_angle: float) -> np.ndarray:
    """One of six points in pairs about three directions, in its own plane [m]."""
    angle = np.deg2rad(120 * (k // 2) + (half_angle if k % 2 == 0 else -half_angle))
    return radius * np.array([np.cos(angle), np.sin(angle), 0.0])


def leg(k: int) -> Leg:
    """Leg frame 0 has its x axis along the leg at home: the universal joint turns about y, then z."""
    foot, head = corner(0.4, k, 12), corner(0.25, k, 48)
    along = head + [0, 0, HEIGHT] - foot
    length = float(np.linalg.norm(along))
    x = along / length
    y = np.cross([0, 0, 1], x) / np.linalg.norm(np.cross([0, 0, 1], x))
    cylinder = Body("cylinder", mass=1.5, com=(0.15, 0, 0), inertia=(0.001, 0.012, 0.012, 0, 0, 0))
    piston = Body("piston", mass=0.6, com=(-0.12, 0, 0), inertia=(0.0002, 0.005, 0.005, 0, 0, 0))
    joints = (
        Joint("pitch", "R", axis=(0, 1, 0)),
        Joint("yaw", "R", axis=(0, 0, 1), parent=0, body=cylinder),
        Joint(
            "slide", "P", axis=(1, 0, 0), parent=1, body=piston, actuated=True,
            limits=Limits(stroke=(0.8 * length, 1.25 * length), speed=0.8, force=400),
        ),
    )  # fmt: skip
    first, second, third = map(tuple, np.column_stack([x, y, np.cross(x, y)]).tolist())
    end = End("spherical", joint=2, platform_point=tuple(head.tolist()))
    return Leg(str(k + 1), joints, end, position=tuple(foot.tolist()), rotation=(first, second, third))


def main() -> Robot:
    platform = Platform(
        body=Body("table", mass=8.0, com=(0, 0, 0.02), inertia=(0.15, 0.15, 0.28, 0, 0, 0)),
        coordinates=tuple(Coordinate(n, n) for n in ("x", "y", "z", "rz", "ry", "rx")),
        home=(0, 0, HEIGHT, 0, 0, 0),
    )
    robot = Robot("mine", platform, tuple(leg(k) for k in range(6)))
    faults = kinematic_faults(robot)
    print("faults:", [str(fault) for fault in faults] or "none")

    print("weight on each leg [N]:", np.round(gough.inverse_dynamics(robot, platform.home).force, 2))
    print("explicit file:", len(robot.to_toml().splitlines()), "lines of TOML")
    return robot


if __name__ == "__main__":
    main()
