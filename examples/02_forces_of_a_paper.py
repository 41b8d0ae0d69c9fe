"""The motion of Lopes (2009): actuator forces of the paper's Stewart platform, and what they come from.

The same numbers by command: gough inverse stewart --parts --by-body
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gough

FIGURE = Path("build", "stewart_forces.png")


def main(figure: Path = FIGURE) -> None:
    robot = gough.load("stewart")
    result = gough.inverse_dynamics(robot, gough.Motion.named(robot, "trig3").sample(401))

    peaks = np.abs(result.force).max(axis=0)
    print("largest force of each leg [N]:", np.round(peaks, 2))

    strongest = int(peaks.argmax())
    when = result.t[np.abs(result.force[:, strongest]).argmax()]
    print(f"leg {result.actuators[strongest]} works hardest, at {when:.2f} s")

    # By cause: the parts sum to the force.
    parts = result.parts()
    for name, values in parts.items():
        print(f"  {name:9} up to {np.abs(values[:, strongest]).max():7.3f} N")
    print(f"  their sum is the force to {np.abs(sum(parts.values()) - result.force).max():.0e} N")

    # By body: what the weight and motion of each of them take.
    for name, values in result.by_body().items():
        print(f"  {name:9} up to {np.abs(values[:, strongest]).max():7.3f} N")

    figure.parent.mkdir(parents=True, exist_ok=True)
    figure.write_bytes(gough.plot_forces(result))
    result.to_csv(figure.with_suffix(".csv"), parts=True)
    print(f"figure and table written to {figure.parent.name}/")


if __name__ == "__main__":
    main()
