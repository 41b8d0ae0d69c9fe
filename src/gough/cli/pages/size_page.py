"""What actuators must give, as pages: over a motion, and over an envelope."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from gough.analysis.limits import only_turns
from gough.cli.output import table
from gough.design import Demand, Proof, SizeResult
from gough.design.limit_lines import limit_lines
from gough.design.load_inertia import load_inertia
from gough.design.size_result import Margin
from gough.display import Display, actuator_units, number, stated_text
from gough.motion.conventions import OWN
from gough.reports.sizing_rows import MOTOR_NOTE, PEAK_NOTE, demand_rows, efficiency_note, motor_rows
from gough.robot import Coordinate, Motor


def demand_page(found: Demand, display: Display) -> str:
    """Peaks, rms, power and energy of each actuator, and whether the motor fits."""
    second, unit = display.time
    entries = demand_rows(found, display)
    rows = [[name, *[number(float(v), 4) for v in values]] for name, values in entries]
    title = f"{found.robot.name}, motion {found.motion.name}, {number(found.motion.duration * second)} {unit}"
    title += "" if found.motion.base is None else f", the base moves: {found.motion.base.name}"
    blocks = [title, table(["", *found.actuators], rows)]
    notes = ["Duty: share of the time in which an actuator is faster than 1 % of its own peak speed."]
    if any(min(values) < 0.0 for name, values in entries if name.startswith("peak")):
        notes.insert(0, PEAK_NOTE)
    if found.sampled:
        whose = "motion" if not found.motion.analytic else "base's motion"
        notes.append(f"The {whose} is a function: {found.sampled} samples, nothing between them.")
    if found.motion.smoothing:
        notes.append(found.motion.smoothing)
    if len(found.parasitic):
        ways = zip(found.robot.platform.dependent, found.parasitic, found.parasitic_t, strict=True)
        listed = [f"{_way(c, value, display)} at t = {number(t * second, 4)} {unit}" for c, value, t in ways]
        notes.append(f"Parasitic motion, largest from home: {'; '.join(listed)}.")
    notes += limit_lines(found, display)
    blocks.append("\n".join(notes))
    if found.robot.motor is not None:
        blocks.append(_motor(found))
    return "\n\n".join(blocks) + "\n"


def _way(coordinate: Coordinate, value: float, display: Display) -> str:
    """A dependent coordinate's name and its way with the unit."""
    factor, unit = display.travel(coordinate.turns)
    return f"{coordinate.name} {number(value * factor, 4)} {unit}"


def _motor(found: Demand) -> str:
    motor = found.robot.motor
    assert motor is not None
    rows = [[name, *[number(v, 4) if np.isfinite(v) else "-" for v in values]] for name, values in motor_rows(found)]
    weak = [name for name, fit in zip(found.actuators, found.fits, strict=True) if not fit.fits]
    verdict = f"DOES NOT FIT: {', '.join(weak)}." if weak else "Fits every actuator."
    unit = "kg m^2" if all(joint.turns for joint in found.robot.actuators) else "kg"
    inertia = f"rotor {number(motor.rotor_inertia, 4)} kg m^2, reflected {number(motor.reflected, 4)} {unit}"
    loss = "" if motor.lossless else f"efficiency {number(motor.efficiency, 4)}, "
    title = f"motor {motor.name}, ratio {number(motor.ratio, 5)}, {loss}{inertia}"
    notes = [verdict, MOTOR_NOTE, *wrap(efficiency_note(motor), 110)]
    return "\n\n".join([title, table(["rotor", *found.actuators], rows), "\n".join(notes)]) + _inertia_ratio(
        found, motor
    )


def _inertia_ratio(found: Demand, motor: Motor) -> str:
    """How many times the rotor's inertia each actuator moves at home, where one can move alone."""
    load = load_inertia(found.robot)
    if load is None or motor.reflected == 0.0:
        return ""
    ratios = load / motor.reflected - 1.0
    shown = dict.fromkeys(number(float(ratio), 3) for ratio in (ratios.min(), ratios.max()))
    return f"\nInertia ratio at home, load to rotor, one actuator moving: {' to '.join(shown)}."


def size_page(result: SizeResult, display: Display, payload: str | None = None) -> str:
    """Required force, speed and power of each actuator over an envelope, and where.

    Args:
        result: Over an envelope.
        display: Units.
        payload: As `--payload` states it, on the robot's platform everywhere; None without one.
    """
    (push, force), (pace, speed) = actuator_units(result.robot, display)
    columns = [result.of("force+") * push, result.of("force-") * push, result.of("speed") * pace, result.of("power")]
    values = np.column_stack(columns).tolist()
    rows = [[name, *[number(v, 5) for v in row]] for name, row in zip(result.actuators, values, strict=True)]
    header = ["actuator", f"largest force [{force}]", f"smallest force [{force}]", f"speed [{speed}]", "power [W]"]
    e = result.envelope
    shape = [f"{word} {'ellipsoid' if ball else 'box'}" for word, ball in _shapes(result)]
    of = "the twist (base axes)" if e.twist else "coordinates"
    blocks = [f"{result.robot.name} over an envelope: {', '.join(shape)} of {of}", table(header, rows)]
    worst = max((r for r in result.requirements if r.kind.startswith("force")), key=lambda r: abs(r.value))
    local = sum(len(r.optima) - 1 for r in result.requirements)
    lines = [
        f"Largest of all: {number(abs(worst.value) * push[worst.actuator], 5)} {force}, actuator "
        f"{result.actuators[worst.actuator]}, at {stated_text(result.robot, worst.pose.tolist(), OWN, display)}",
        f"Unreachable: {number(100.0 * result.unreachable, 3)} % of the pose box; largest condition number "
        f"{number(result.condition, 4)}",
        f"Search: {result.poses} poses and local polish, {len(result.seeds)} seeds agree to "
        f"{result.spread:.1g}; {local} other local optima found",
    ]
    if payload is not None:
        low, high = e.payload[0]
        own = f", added to [payload] of the envelope, {number(low)} to {number(high)} kg" if high > 0.0 else ""
        lines.append(f"Carried at every pose: --payload {payload}{own}")
    lines += limit_lines(result, display)
    if len(result.parasitic):
        ways = zip(result.robot.platform.dependent, result.parasitic, strict=True)
        listed = [f"{_way(c, low, display)} to {_way(c, high, display).partition(' ')[2]}" for c, (low, high) in ways]
        lines.append(f"Parasitic motion from home: {'; '.join(listed)}")
    if result.margin is not None:
        lines += _margin(result, result.margin, display)
    elif not result.exact:
        lines.append("Forces are upper bounds: dry friction and viscous friction of passive joints are added up.")
    if result.proof is not None:
        lines.append(_proved(result.proof))
    return "\n\n".join([*blocks, "\n".join(lines)]) + "\n"


def _margin(result: SizeResult, margin: Margin, display: Display) -> list[str]:
    """What is said of forces that keep to limits."""
    assert result.robot.actuation is not None
    factor, unit = display.effort(only_turns(result.robot, "margin"))
    lines = [f"Forces by criterion {result.robot.actuation.criterion}: the largest found, never beyond the limits"]
    if np.isfinite(margin.value):
        where = stated_text(result.robot, margin.pose.tolist(), OWN, display)
        lines.append(f"Least force margin: {number(margin.value * factor, 5)} {unit}, at {where}")
    if not margin.feasible:
        share = f"{number(100.0 * margin.without, 3)} % of the examined states have none"
        lines.append(f"NO FORCES WITHIN THE LIMITS do everywhere in the envelope: {share}")
    return lines


def _proved(proof: Proof) -> str:
    count = f"branch and bound over {proof.boxes} boxes"
    if not np.isfinite(proof.gap):
        return f"Not proved: {count} found no bound; the envelope may touch a singularity or the edge of reach"
    power = (
        "power is not" if not np.isfinite(proof.power_gap) else f"no power by more than {100.0 * proof.power_gap:.2g} %"
    )
    return f"Proved: no force or speed is larger by more than {100.0 * proof.gap:.2g} %, {power} ({count})"


def _shapes(result: SizeResult) -> list[tuple[str, bool]]:
    e = result.envelope
    return [("velocity", e.velocity_ball), ("acceleration", e.acceleration_ball)]
