"""Exact derivatives: how forces change with the motion and with numbers of the design, and a design changed for it.

Paths name numbers of the robot's file: "legs.base.radius", "platform.mass", "leg.1.piston.mass".
"""

from __future__ import annotations

import numpy as np

import gough

RADIUS = "legs.base.radius"


def main() -> None:
    robot = gough.load("stewart")
    s = gough.Motion.named(robot, "trig3").sample(101)
    force = gough.inverse_dynamics(robot, s).force

    names = (RADIUS, "legs.platform.radius", "platform.mass")
    d = gough.force_derivatives(robot, s, wrt=("x", *names))
    print("d force / d x has shape", d["x"].shape, "(samples, legs, coordinates)")

    k, leg = np.unravel_index(np.abs(force).argmax(), force.shape)
    print(f"largest force {force[k, leg]:.3f} N (leg {leg + 1}, {s.t[k]:.2f} s); it changes")
    for name in names:
        print(f"  by {d[name][k, leg]:+8.3f} N per unit of {name}")

    # The same by finite differences, which lose half of the digits.
    step = 1e-6
    value = 1.5
    wider = robot.replace({RADIUS: value + step})
    other = gough.inverse_dynamics(wider, s).force
    apart = np.abs((other - force) / step - d[RADIUS]).max()
    print(f"finite differences agree to {apart:.0e} N/m")

    # A step of design: does another base radius make the largest force smaller?
    for radius in (value, 1.1 * value, 1.25 * value, 1.5 * value):
        changed = robot.replace({RADIUS: radius})
        most = np.abs(gough.inverse_dynamics(changed, gough.Motion.named(changed, "trig3").sample()).force).max()
        print(f"  base radius {radius:.3f} m: largest force {most:.3f} N")


if __name__ == "__main__":
    main()
