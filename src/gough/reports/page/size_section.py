"""What an actuator must give on this motion: peaks, means, energy and duty, force against speed, a motor."""

from __future__ import annotations

from gough.design import Demand, demand
from gough.errors import GoughError
from gough.motion import Motion
from gough.reports.force_speed import force_speed
from gough.reports.page.case import Case
from gough.reports.page.charts import loops, svg
from gough.reports.page.html import Markup, paragraph, row, section, short, subtitle, svg_figure, table
from gough.reports.sizing_rows import MOTOR_NOTE, demand_rows, efficiency_note, motor_rows
from gough.robot import Motor, Robot


def demand_of(robot: Robot, motion: Motion) -> Demand | None:
    """What the motion requires of the actuators, found between samples; None where that cannot be found."""
    try:
        return demand(robot, motion)
    except GoughError:
        return None


def size_section(case: Case) -> Markup:
    """A table found between samples, a diagram, and whether the motor fits; nothing without a demand."""
    if case.demand is None:
        return Markup("")
    sampled = case.demand.sampled
    exact = f"of {sampled} samples" if sampled else "found between samples"
    return section(
        "Sizing the actuators",
        table(*_rows(case, case.demand)),
        paragraph(
            f"Peaks, means and energies are {exact}. Where power is negative an actuator takes energy back, and a "
            "drive that allows it can regenerate it. Duty is the share of the time in which it moves.",
            "note",
        ),
        *([_diagram(case)] if case.demand.robot.motor is None else _motor(case, case.demand, case.demand.robot.motor)),
    )


def motor_verdict(case: Case) -> list[Markup]:
    """Whether the motor fits, in a line; nothing without one."""
    if case.demand is None or case.demand.robot.motor is None:
        return []
    short_of = [a for a, fit in zip(case.demand.actuators, case.demand.fits, strict=True) if not fit.fits]
    name = case.demand.robot.motor.name
    if short_of:
        return [paragraph(f"Motor {name} does not fit: {', '.join(short_of)}.", "verdict bad")]
    return [paragraph(f"Motor {name} fits every actuator.", "verdict")]


def _diagram(case: Case) -> Markup:
    force, force_unit = case.shown("force")
    speed, speed_unit = case.shown("qd")
    axes = f"speed [{speed_unit}]", f"{case.effort} [{force_unit}]"
    return svg_figure(
        loops(speed, force, case.result.actuators, *axes),
        f"{case.effort.capitalize()} against speed of each actuator: a motor's curve must hold all of it.",
    )


def _motor(case: Case, asked: Demand, motor: Motor) -> list[Markup]:
    rows = [[name, *row(values)] for name, values in motor_rows(asked)]
    return [
        subtitle(f"Motor {motor.name}"),
        *motor_verdict(case),
        svg_figure(
            svg(force_speed(asked, case.display)),
            f"{case.effort.capitalize()} against speed of each actuator, inside the motor's curves where it fits; "
            "the dot is the rms of both.",
        ),
        table(["rotor", *asked.actuators], rows),
        paragraph(
            f"Ratio {short(motor.ratio)} rad of the rotor per {'rad' if all(case.turns) else 'm'}; its inertia of "
            f"{short(motor.rotor_inertia)} kg m² is part of all forces in this report. {MOTOR_NOTE} "
            f"{efficiency_note(motor)}",
            "note",
        ),
    ]


def _rows(case: Case, asked: Demand) -> tuple[list[str], list[list[str]]]:
    entries = demand_rows(asked, case.display, case.effort)
    return ["actuator", *asked.actuators], [[name, *row(values)] for name, values in entries]
