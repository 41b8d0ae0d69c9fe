"""The robot: drawn, and its data."""

from __future__ import annotations

from gough.display import friction_texts, stated_text
from gough.motion.conventions import OWN, tool_text
from gough.reports.page.case import Case
from gough.reports.page.html import Markup, facts, paragraph, png_figure, section, short, subtitle, table, vector
from gough.view.drawing.draw import png


def robot_section(case: Case) -> Markup:
    """Drawing, facts, bodies, legs and actuators."""
    shown, robot = case.facts, case.result.robot
    home = stated_text(robot, robot.platform.home, OWN, case.display, robot.platform.start)
    blocks = [
        png_figure(png(case.drawn or robot, display=case.display), f"{robot.name} at home, {home}."),
        facts(_facts(case)),
        subtitle("Bodies"),
        table(*_bodies(case)),
        subtitle("Legs"),
        table(*_legs(case)),
        subtitle("Actuators"),
        table(*_actuators(case)),
    ]
    if shown["source"]:
        blocks.append(paragraph(f"Where the numbers come from: {shown['source']}", "note"))
    return section("The robot", *blocks)


def _facts(case: Case) -> dict[str, str]:
    shown, mobility = case.facts, case.facts["mobility"]
    size, unit = case.display.length
    slides = [c["name"] for c in shown["coordinates"] if c["unit"] == "m"]
    turns = [f"{c['name']} about {c['motion'][1]}" for c in shown["coordinates"] if c["unit"] == "rad"]
    found = {
        "Type": f"{shown['type']}, {len(shown['legs'])} legs",
        "Coordinates": "; ".join(filter(None, [", ".join(slides), ", ".join(turns)])),
        "Mobility": f"{mobility['mobility']}, as many coordinates"
        + (
            " and actuators"
            if mobility["actuators"] == mobility["coordinates"]
            else f", {mobility['actuators']} actuators"
        ),
        "Gravity": f"({vector(shown['gravity'])}) m/s²",
        "Length": f"{short(shown['length'] * size)} {unit}, by which condition numbers weigh turning against sliding",
    }
    if not case.result.robot.tool.is_identity:
        found["Tool"] = tool_text(case.result.robot.tool, case.display.length, case.display.angle)
    if case.convention:
        found["Orientation"] = case.convention
    return found


def _bodies(case: Case) -> tuple[list[str], list[list[str]]]:
    rows = []
    size, unit = case.display.length
    for body in case.facts["bodies"]:
        inertia, products = body["inertia"][:3], body["inertia"][3:]
        off = vector(products) if any(products) else ""
        rows.append(
            [
                body["name"] or "-",
                str(body["count"]),
                short(body["mass"]),
                vector([size * v for v in body["com"]]),
                vector(inertia),
                off,
            ]
        )
    header = ["body", "number", "mass [kg]", f"centre of mass [{unit}]", "inertia xx, yy, zz [kg m²]", "xy, xz, yz"]
    return header, rows


def _legs(case: Case) -> tuple[list[str], list[list[str]]]:
    size, unit = case.display.length
    rows = [
        [
            leg["name"],
            leg["type"],
            vector([size * v for v in leg["position"]]),
            vector([size * v for v in leg["platform_point"]]),
            "" if leg["radius"] is None else short(leg["radius"] * size),
        ]
        for leg in case.facts["legs"]
    ]
    header = ["leg", "type", f"at the base [{unit}]", f"on the platform [{unit}]", f"radius [{unit}]"]
    return header, rows


def _actuators(case: Case) -> tuple[list[str], list[list[str]]]:
    rows = []
    for entry, joint, turns in zip(case.facts["actuators"], case.joints, case.turns, strict=True):
        factor, unit = case.display.travel(turns)
        push, newton = case.display.effort(turns)
        stroke = entry["stroke"]
        rows.append(
            [
                entry["name"],
                "turns" if turns else "slides",
                f"{short(entry['q'] * factor)} {unit}",
                "-" if stroke is None else f"{short(stroke[0] * factor)} to {short(stroke[1] * factor)} {unit}",
                _stated(entry["speed"], factor, f"{unit}/s"),
                _stated(entry["force"], push, newton),
                _stated(entry["power"], 1.0, "W"),
                ", ".join(friction_texts(joint.viscous, joint.coulomb, turns, case.display)),
            ]
        )
    return ["actuator", "", "at home", "stroke", "speed", case.effort, "power", "friction"], rows


def _stated(value: float | None, factor: float, unit: str) -> str:
    return "-" if value is None else f"{short(value * factor)} {unit}"
