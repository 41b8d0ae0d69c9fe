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
        verdict = "" if result.determined[k] else "not determined"
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


def payload_page(found: Payload, display: Display) -> str:
    """The page of a payload."""
    rows = []
    for name, v, s, si, good in zip(
        found.table["parameter"], found.values, found.sd, found.table["unit"], found.determined, strict=True
    ):
        factor, unit = display.of(str(si))
        spread = number(s * factor, 3) if np.isfinite(s) else "-"
        rows.append([name, number(v * factor, 5), spread, unit, "" if good else "not determined"])
    by = f"against {found.empty}" if found.empty else "with the robot's file as it is"
    title = f"{found.robot.name}: payload of {found.source}, {by}"
    left = f"Residual forces: {_percent(found.residual)}; without a payload {_percent(found.without)}."
    factor, unit = display.length
    place = ",".join(f"{number(v * factor, 4)}{unit}" for v in found.com)
    use = f"Use it: --payload {number(found.mass, 4)},{place}"
    lines = [
        left,
        *([] if found.physical else ["No body has this inertia: within its noise it may be taken as zero."]),
        use,
    ]
    return "\n\n".join([title, table(["", "value", "+-", "unit", ""], rows), "\n".join(lines)]) + "\n"


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
