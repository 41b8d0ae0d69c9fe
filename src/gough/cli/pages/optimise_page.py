"""An optimisation as a page: before and after, design parameters, active limits, agreement of starts and proofs."""

from __future__ import annotations

import math

from gough.cli.output import table
from gough.display import Display, plain_number, table_units
from gough.optimisation.minimax import Optimum
from gough.optimisation.proof import Proof
from gough.optimisation.result import Optimised
from gough.robot.mechanism import Coordinate


def page(result: Optimised) -> str:
    """The page, in the units that the file states, else SI units and radians."""
    wanted, best = result.wanted, result.best
    display = table_units(wanted.units)
    size, unit = display.of(result.unit_of(result.judged.objective))
    change = f"{plain_number(size * result.before, 5)} -> {plain_number(size * result.value, 5)} {unit}".rstrip()
    title = f"{wanted.robot.name}: {result.judged.objective} {change}"
    title += "" if math.isnan(result.gain) else f" ({100.0 * result.gain:+.1f} %)"
    title += f", {len(wanted.states)} states, {len(best.states)} of them mattered"
    rows = [
        [
            v.name,
            *(plain_number(display.of(v.unit)[0] * float(value), 6) for value in (v.nominal, p, v.low, v.high)),
            display.of(v.unit)[1] or "-",
            at,
        ]
        for v, p, at in zip(wanted.variables.all, best.p, result.table["at"].tolist(), strict=True)
    ]
    blocks = [title, table(["number", "before", "after", "least", "greatest", "unit", "at"], rows)]
    blocks += _homes(result, display)
    blocks += _length(result, display)
    if result.reached:
        blocks.append(f"Over the task:\n{table(['limit', 'reached', 'stated', 'unit'], _reached(result, display))}")
    if best.active:
        lines = [f"  {_bound(name, result, display)}: {plain_number(size * price, 4)}" for name, price in best.active]
        blocks.append(
            "\n".join(["Active limits (gain of the objective per share of the limit or of the bounds):", *lines])
        )
    blocks.append(_agreement(result, size))
    if wanted.task is not None and wanted.task.any() and set(wanted.needs) & {"force", "power", "speed"}:
        blocks.append(
            f"Velocities and loads are drawn at random, one of each in {len(wanted.states)} states; the worst within "
            "their ranges:\ngough size --envelope."
        )
    if result.others:
        ranked = ", ".join(f"{one.wanted.robot.name} {plain_number(size * one.value, 5)}" for one in result.others)
        blocks.append(f"Best of the machines: {wanted.robot.name}; others: {ranked}.")
    if result.proof is not None:
        blocks.append(_proved(result, result.proof, display))
    if result.interrupted:
        blocks.append("Interrupted: this is the best design so far.")
    if result.front:
        blocks.append(_front(result, display))
    return "\n\n".join(blocks) + "\n"


def _agreement(result: Optimised, size: float) -> str:
    """How many starts agree, and what the others found; values of the objective are shown times `size`."""
    sure = f"{result.agreeing} of {len(result.found)} starts agree"
    missed = sum(1 for one in result.found if not one.feasible)
    if missed:
        sure += f", {missed} found no design that keeps all limits"
    local = [one for one in result.local if result.improves(one)]
    if local:
        listed = ", ".join(plain_number(size * one.value, 5) for one in local[:8])
        sure += f"; local optima: {listed}" + (" ..." if len(local) > 8 else "")
    useless = sum(1 for one in result.found if one.feasible and not result.improves(one))
    if useless:
        sure += f"; {useless} ended no better than before"
    return sure + "."


def _front(result: Optimised, display: Display) -> str:
    """The table of the designs along the front, one in each column: both objectives, all free numbers."""
    rows, units = [], result.designs.si_units()
    for name, values in result.designs.columns().items():
        if name != "design":
            size, unit = display.of(units.get(name, ""))
            rows.append([name, unit or "-", *(plain_number(size * v, 5) for v in values.tolist())])
    numbers = [str(k + 1) for k in range(result.designs.rows)]
    return f"Front:\n{table(['design', 'unit', *numbers], rows)}"


def _reached(result: Optimised, display: Display) -> list[list[str]]:
    rows = []
    for one in result.reached:
        size, unit = display.of(one.unit)
        ends = [" to ".join(plain_number(size * v, 5) for v in values) or "-" for values in (one.values, one.limits)]
        rows.append([one.name, *ends, unit or "-"])
    return rows


def exceeded_lines(result: Optimised, one: Optimum) -> list[str]:
    """A line for each limit of the robot's own file that a design exceeds over the task."""
    lines, display = [], table_units(result.wanted.units)
    for found in result.exceeded(one):
        size, unit = display.of(found.unit)
        reached, stated = (
            " to ".join(plain_number(size * v, 5) for v in ends) for ends in (found.values, found.limits)
        )
        lines.append(f"the file's own {found.name} {stated} {unit} is exceeded over the task: {reached} {unit}")
    return lines


def _homes(result: Optimised, display: Display) -> list[str]:
    """Where the best design's home is, if the task was moved."""
    wanted = result.wanted
    shifts, places = [float(s) for s in wanted.variables.shift(result.best.p)], wanted.robot.platform
    rows = list(zip(places.coordinates, places.home, shifts, strict=True))

    def told(c: Coordinate, value: float) -> str:
        size, unit = display.travel(c.turns)
        return f"{c.name} = {plain_number(size * value, 6)} {unit}"

    moved, own = [told(c, at + s) for c, at, s in rows if s], [told(c, at) for c, at, s in rows if s]
    if not moved:
        return []
    if result.robot.platform.home != places.home:
        return [f"Home of the best design is moved with the task: {', '.join(moved)}; before {', '.join(own)}."]
    why = "angles are limited from it" if "angle" in wanted.limits else "the legs do not close at the moved one"
    return [f"The task is best about {', '.join(moved)}; home is still {', '.join(own)}: {why}."]


def _length(result: Optimised, display: Display) -> list[str]:
    """What condition numbers count turns by."""
    length, (size, unit) = result.length(result.best), display.length
    if length is None:
        return []
    variables, told = result.wanted.variables, f"{plain_number(size * length, 6)} {unit}"
    if "length" in variables.names:
        return [f"Condition numbers and singular values count turns by the free length {told}."]
    kept = "the same for all designs; files of --out state it" if "length" in result.changes(result.best) else "fixed"
    return [f"Condition numbers and singular values count turns by {told}, {kept}."]


def _bound(name: str, result: Optimised, display: Display) -> str:
    """An active limit; of a bound its value in the units shown."""
    for v in result.wanted.variables.all:
        for words, value in (("at least", v.low), ("at most", v.high)):
            if name.startswith(f"{v.name} {words} "):
                return f"{v.name} {words} {plain_number(display.of(v.unit)[0] * value, 6)}"
    return name


def _proved(result: Optimised, proof: Proof, display: Display) -> str:
    """What is proved, and what is not."""
    lines = []
    force, speed = (display.of(result.unit_of(name)) for name in ("peak force", "peak speed"))
    if proof.regular:
        lines.append(f"no pose of the box is singular ({proof.boxes} part{'s' * (proof.boxes != 1)})")
    if proof.force is not None and proof.speed is not None:
        most = f"no force beyond {plain_number(force[0] * proof.force, 6)} {force[1]}"
        lines.append(f"{most}, no speed beyond {plain_number(speed[0] * proof.speed, 6)} {speed[1]}")
    text = f"Proved over the whole task: {'; '.join(lines)}." if lines else "Nothing is proved."
    return " ".join([text, *(f"Not proved: {remark}." for remark in proof.remarks)])
