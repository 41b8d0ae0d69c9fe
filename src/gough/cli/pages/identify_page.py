"""Identifications as pages: how well forces are explained, base parameters, remarks."""

from __future__ import annotations

import numpy as np

from gough.cli.output import facts, table
from gough.display import Display, number
from gough.identification import Excitation, Identification, Payload


def page(result: Identification, written: bool, display: Display) -> str:
    """The page of an identification."""
    robot, found = result.model.robot, result.found
    efforts = [display.effort(joint.turns) for joint in robot.actuators]
    told = {
        "recording": f"{result.recording.source}, {_samples(result)} by {result.recording.given}",
        "noise of the forces": ", ".join(
            f"{name} {number(s * factor, 3)} {unit}"
            for name, s, (factor, unit) in zip(robot.actuator_names, found.sigma.tolist(), efforts, strict=True)
        ),
        "residual forces": f"{_percent(result.residual)}; cross-validated {_percent(result.left_out.share)}",
    }
    if result.recording.smoothing:
        told["smoothing"] = result.recording.smoothing
    if result.validation is not None:
        v = result.validation
        told["validation"] = (
            f"{v.source}: base parameters {_percent(v.share)}, identified robot {_percent(v.written)}, "
            f"file as it was {_percent(v.file)}"
        )
    known = int(result.determined.sum())
    title = f"{robot.name}: {len(result.names)} base parameters, {known} of them determined"
    header = ["parameter", "value", "+-", "file", "unit", "", "it is"]
    rows = []
    for k, name in enumerate(result.names):
        verdict = _verdict(result.determined[k], result.sd[k])
        meaning = result.model.base.text(k, 3)
        values = [number(v, 5) if np.isfinite(v) else "-" for v in (result.values[k], result.sd[k], result.of_file[k])]
        rows.append(
            [name, values[0], values[1], values[2], result.units()[k], verdict, "" if meaning == name else meaning]
        )
    blocks = [title, facts(told), table(header, rows)]
    remarks = [f"{line[:1].upper()}{line[1:]}." for line in result.remarks]
    if written:
        remarks.append("Every written body is physical; numbers that the forces do not determine stay near the file's.")
    return "\n\n".join([*blocks, *(["\n".join(remarks)] if remarks else [])]) + "\n"


def _samples(result: Identification) -> str:
    """How many were used, and of how many."""
    used, given = len(result.equations.rows), len(result.recording)
    if used == given:
        return f"{used} samples"
    return f"{used} of {given} samples (left out: rests, reversals, poses out of reach)"


def _verdict(determined: bool, sd: float) -> str:
    """What its noise says of a value: nothing where it is told from zero."""
    if determined:
        return ""
    return "not told from zero" if np.isfinite(sd) else "not determined"


def payload_page(found: Payload, display: Display) -> str:
    """The page of a payload."""
    rows = []
    for name, v, s, si, good, acts in zip(
        found.table["parameter"],
        found.values,
        found.sd,
        found.table["unit"],
        found.determined,
        found.acts,
        strict=True,
    ):
        factor, unit = display.of(str(si))
        value, spread = (number(v * factor, 5), number(s * factor, 3)) if np.isfinite(s) else ("-", "-")
        rows.append([name, value, spread, unit, _verdict(good, s) if acts else "no effect"])
    by = f"against {found.empty}" if found.empty else "with the robot's file as it is"
    title = f"{found.robot.name}: payload of {found.source}, {by}"
    left = f"Residual forces: {_percent(found.residual)}; without a payload {_percent(found.without)}."
    lines = [left, *_payload_remarks(found), _use(found, display)]
    return "\n\n".join([title, table(["", "value", "+-", "unit", ""], rows), "\n".join(lines)]) + "\n"


def _payload_remarks(found: Payload) -> list[str]:
    """Why numbers are missing, or cannot be meant."""
    remarks = []
    if not found.acts[1:].any():
        remarks.append(
            f"The platform of {found.robot.name} never turns: of a payload only the mass acts on the forces, "
            "wherever its centre is."
        )
    elif not found.acts.all():
        remarks.append(f"No effect: no motion of {found.robot.name} makes its forces depend on this number.")
    if (found.acts & ~np.isfinite(found.sd)).any():
        remarks.append("Not determined: this motion does not show it; plan another (--plan).")
    if not found.physical:
        remarks.append("No body has this inertia: within its noise it may be taken as zero.")
    return remarks


def _use(found: Payload, display: Display) -> str:
    """The option that puts the payload on the platform: a coordinate that is not told from zero is zero there."""
    if not (found.determined[0] and found.mass > 0.0):
        return "The mass is not told from zero: nothing is carried, or the recording is too short or too noisy."
    mass = number(found.mass, 4)
    if not found.determined[1:4].any():
        return f"Use it: --payload {mass}"
    factor, unit = display.length
    told = zip(found.com, found.determined[1:4], strict=True)
    return f"Use it: --payload {mass}," + ",".join(
        f"{number(v * factor if good else 0.0, 4)}{unit}" for v, good in told
    )


def plan_page(found: Excitation, path: str, display: Display) -> str:
    """The page of a planned motion."""
    pace, clock = display.time
    rows = len(found.motion.rows)  # type: ignore[arg-type]
    lines = [
        f"wrote {path}: {number(found.motion.duration * pace)} {clock} from home at rest and back, {rows} rows",
        f"It fits every limit: {', '.join(f.kind for f in found.checked.findings)} (gough check --motion {path}).",
        f"{found.parameters} base parameters; condition of the regressor {number(found.condition, 3)}, "
        f"random motions {number(found.random_condition, 3)}; information per parameter "
        f"{np.exp(found.score - found.random):.3g} times theirs.",
    ]
    return "\n".join(lines) + "\n"


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %"
