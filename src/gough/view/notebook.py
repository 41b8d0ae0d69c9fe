"""A robot in a notebook: its picture and its facts."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from gough.display import number
from gough.errors import GoughError
from gough.robot import Limits, Robot


def robot_html(robot: Robot) -> str:
    """The drawing at home, and coordinates, legs, actuators, limits, mass."""
    lines = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th><td style="text-align:left">{escape(text)}</td></tr>'
        for name, text in _facts(robot).items()
        if text
    )
    return f"<div><h4>{escape(robot.name)}</h4>{_picture(robot)}<table>{lines}</table></div>"


def _picture(robot: Robot) -> str:
    """The drawing as an image; nothing where there is none: recorded numbers, a home that is out of reach."""
    from gough.view.drawing.draw import png

    try:
        content = b64encode(png(robot)).decode()
    except (GoughError, TypeError, ValueError):
        return ""
    return f'<img src="data:image/png;base64,{content}" style="max-width:56em;width:100%" alt="drawing">'


def _facts(robot: Robot) -> dict[str, str]:
    coordinates = zip(robot.platform.coordinates, robot.platform.home, strict=True)
    home = ", ".join(f"{c.name} = {_text(value)} {'rad' if c.turns else 'm'}" for c, value in coordinates)
    drives = {True: "turn", False: "slide"}
    kinds = ", ".join(dict.fromkeys(drives[joint.turns] for joint in robot.actuators))
    limited = sum(any(v is not None for v in _values(joint.limits)) for joint in robot.actuators)
    return {
        "description": robot.description,
        "coordinates, home": home,
        "legs": f"{len(robot.legs)}: {', '.join(leg.name for leg in robot.legs)}"[:200],
        "actuators": f"{len(robot.actuators)} that {kinds}; {limited or 'none'} with stated limits",
        "joints": f"{len(robot.joints)}",
        "moving mass": f"{_text(sum(body.mass for body in robot.bodies))} kg",
        "gravity": f"({', '.join(_text(g) for g in robot.gravity)}) m/s^2",
    }


def _values(limits: Limits) -> list[object]:
    return [limits.stroke, limits.speed, limits.force, limits.power]


def _text(value: object) -> str:
    return number(float(value)) if isinstance(value, (int, float)) else "recorded"
