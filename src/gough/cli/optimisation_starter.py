"""The starter file of an optimisation, in a robot's own coordinates and free numbers."""

from __future__ import annotations

import math
import re
from string import Template

import numpy as np

from gough.cli.envelope_starter import speeds_of
from gough.cli.new import starter
from gough.display import plain_number
from gough.errors import InputError
from gough.kinematics import inverse_kinematics
from gough.kinematics.programs import characteristic_length
from gough.robot import Robot
from gough.robot.addresses import measured

_OF_ALL_LEGS = (
    r"legs\.base\.radius",
    r"legs\.platform\.radius",
    r"legs\.\w+\.length",
    r"legs\.(base|platform)\.half_angle",
)
_OF_ONE_LEG = (
    r"leg\.[^.]+\.(base|platform)\.[xyz012]",
    r"leg\.[^.]+\.joint\.\d+\.offset\.\d",
    r"leg\.[^.]+\.end\.(platform_)?point\.\d",
)
"""Numbers that shape a machine, the most telling first; those of one leg where there are none of all."""
MOST = 3


def optimisation_of(robot: Robot, named: str) -> str:
    """The file: a small box about home, loads by the platform's weight, three numbers varied by a fifth.

    Args:
        robot: Whose.
        named: How the file names it.

    Raises:
        InputError: It has no number to vary.
    """
    far = 0.05 * characteristic_length(robot)
    slide, turn = speeds_of(robot)
    # Forces shared within limits, as of cables, often suffice for little more than the weight.
    gentle = 0.1 if robot.actuation is not None and robot.actuation.limited else 1.0
    box, velocity, acceleration = [], [], []
    for c, home in zip(robot.platform.coordinates, robot.platform.home, strict=True):
        if c.turns:
            middle = math.degrees(home)
            box.append(f'{c.name} = ["{middle - 3:.4g} deg", "{middle + 3:.4g} deg"]')
            velocity.append(f'{c.name} = "{plain_number(math.degrees(turn), 2)} deg/s"')
            acceleration.append(f'{c.name} = "{plain_number(5 * gentle * math.degrees(turn), 2)} deg/s^2"')
        else:
            box.append(f'{c.name} = ["{1e3 * (home - far):.4g} mm", "{1e3 * (home + far):.4g} mm"]')
            velocity.append(f'{c.name} = "{plain_number(slide, 2)} m/s"')
            acceleration.append(f'{c.name} = "{plain_number(10 * gentle * slide, 2)} m/s^2"')
    at_home = inverse_kinematics(robot, robot.platform.home)
    weight = 0.2 * gentle * robot.platform.body.mass * math.hypot(*robot.gravity) or 1.0
    head = Template(starter("optimise")).substitute(
        robot=named,
        box=", ".join(box),
        velocity=", ".join(velocity),
        acceleration=", ".join(acceleration),
        wrench=f'fx = "{plain_number(weight, 2)} N", fz = "{plain_number(weight, 2)} N"',
        condition=max(5, math.ceil(3.0 * float(at_home.condition))),
        stroke=[round(end, 4) for end in robot.actuators[0].limits.stroke or (0.5, 1.0)],
    )
    return head + "\n".join(_varied(robot))


def _varied(robot: Robot) -> list[str]:
    numbers = measured(robot)
    sized = [path for path, (value, _) in numbers.items() if np.isfinite(value) and value != 0.0]
    for forms in (_OF_ALL_LEGS, _OF_ONE_LEG):
        found = [path for form in forms for path in sized if re.fullmatch(form, path)][:MOST]
        if found:
            break
    else:
        raise InputError(f"--robot {robot.name}: has no dimension to vary")
    lines, note = [], '  # of what it is; or ["0.8 m", "1.2 m"]'
    for path in found:
        ends = '"80 %", "120 %"' if numbers[path][0] > 0.0 else '"120 %", "80 %"'
        lines += ["[[vary]]", f'number = "{path}"', f"bounds = [{ends}]{note}", ""]
        note = ""
    return lines
