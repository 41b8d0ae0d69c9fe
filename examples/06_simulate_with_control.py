"""Simulate a delta robot that follows its motion: computed torque with a wrong idea of the payload, against PD.

The controller has a model of its own, so what happens when it is wrong can be tried.
"""

from __future__ import annotations

import numpy as np

import gough


def main() -> dict[str, float]:
    robot = gough.load("delta")
    motion = gough.Motion.named(robot, "circle")
    loaded = robot.with_payload(1.0)
    laws = {
        "computed torque, right payload": gough.Controller(gough.ComputedTorque(bandwidth=8), motion),
        "computed torque, payload unknown": gough.Controller(gough.ComputedTorque(bandwidth=8), motion, robot),
        "PD, payload unknown": gough.Controller(gough.PD(bandwidth=8), motion, robot),
    }
    errors = {}
    duration = min(0.3, motion.duration)
    for name, controller in laws.items():
        run = gough.simulate(loaded, input=controller, duration=duration, samples=61, rtol=1e-8, atol=1e-10)
        assert run.error is not None  # the run follows a motion
        errors[name] = float(np.abs(run.error).max())
        lost = np.abs(run.balance).max() / max(np.abs(run.work).max(), 1e-12)
        print(f"{name:34} off by {1e3 * errors[name]:8.4f} mm, energy balance {lost:.0e}, {run.steps} steps")
    return errors


if __name__ == "__main__":
    main()
