"""What an actuator must give on this motion: peaks, means, energy and duty, force against speed, a motor."""

from __future__ import annotations

import numpy as np

from gough.design import Demand, Motor, demand
from gough.display import actuator_units
from gough.errors import GoughError
from gough.motion import Motion
from gough.reports.force_speed import force_speed
from gough.reports.page.case import Case
from gough.reports.page.charts import loops, svg
from gough.reports.page.html import Markup, paragraph, section, subtitle, svg_figure, table
from gough.reports.page.numbers import row, short
from gough.robot import Robot


def demand_of(robot: Robot, motion: Motion, motor: Motor | None = None) -> Demand | None:
    """What the motion asks of the actuators, found between samples; None where that cannot be told."""
    try:
        return demand(robot, motion, motor)
    except GoughError:
        return None


def size_section(case: Case) -> Markup:
    """A table found between samples, a diagram, and whether the motor fits; nothing where demand cannot be told."""
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
        *([_diagram(case)] if case.demand.motor is None else _motor(case, case.demand, case.demand.motor)),
    )


def motor_verdict(case: Case) -> list[Markup]:
    """Whether the motor fits, in a line; nothing without one."""
    if case.demand is None or case.demand.motor is None:
        return []
    short_of = [a for a, fit in zip(case.demand.actuators, case.demand.fits, strict=True) if not fit.fits]
    name = case.demand.motor.name
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
    header = ["rotor", "torque, rms [N m]", "speed, rms [rad/s]", "continuous left [N m]", "peak left [N m]"]
    rows = []
    for name, fit in zip(asked.actuators, asked.fits, strict=True):
        values = (fit.rms_torque, fit.rms_speed, fit.continuous_margin, fit.peak_margin, fit.speed_margin)
        rows.append([name, *[short(v) for v in values], "fits" if fit.fits else "does not fit"])
    return [
        subtitle(f"Motor {motor.name}"),
        *motor_verdict(case),
        svg_figure(
            svg(force_speed(asked, case.display)),
            f"{case.effort.capitalize()} against speed of each actuator, inside the motor's curves where it fits; "
            "the dot is the rms of both.",
        ),
        table([*header, "speed left [rad/s]", ""], rows),
        paragraph(
            f"Ratio {short(motor.ratio)} rad of the rotor per {'rad' if all(case.turns) else 'm'}; its inertia of "
            f"{short(motor.rotor_inertia)} kg m² is part of all forces in this report. Continuous: rms torque at rms "
            "speed under the curve; peak: every instant under the curve.",
            "note",
        ),
    ]


def _rows(case: Case, asked: Demand) -> tuple[list[str], list[list[str]]]:
    (push, force), (pace, speed) = actuator_units(asked.robot, case.display)
    second, time = case.display.time
    entries = [
        (f"{case.effort}, peak [{force}]", asked.force * push),
        (f"  at [{time}]", asked.force_t * second),
        (f"{case.effort}, rms [{force}]", asked.rms_force * push),
        (f"speed, peak [{speed}]", asked.speed * pace),
        (f"speed, rms [{speed}]", asked.rms_speed * pace),
        ("power, peak [W]", asked.power),
        ("power, mean [W]", np.where(np.abs(asked.mean_power) < 1e-12 * np.abs(asked.power), 0.0, asked.mean_power)),
        ("energy given [J]", asked.energy),
        ("energy taken back [J]", asked.regenerated),
        ("duty [%]", 100 * asked.duty),
    ]
    return ["actuator", *asked.actuators], [[name, *row(values)] for name, values in entries]
