"""An optimisation as a page: before and after, design parameters, active limits, agreement of starts and proofs."""

from __future__ import annotations

import math

from gough.cli.output import table
from gough.display import number
from gough.optimisation.proof import Proof
from gough.optimisation.result import Optimised


def page(result: Optimised) -> str:
    """The page; SI units and radians."""
    wanted, best = result.wanted, result.best
    title = f"{wanted.robot.name}: {result.judged.objective} {number(result.before, 5)} -> {number(result.value, 5)}"
    title += "" if math.isnan(result.gain) else f" ({100.0 * result.gain:+.1f} %)"
    title += f", {len(wanted.states)} states, {len(best.states)} of them mattered"
    rows = [
        [v.name, number(v.nominal, 6), number(float(p), 6), number(v.low, 6), number(v.high, 6), v.unit or "-", at]
        for v, p, at in zip(wanted.variables.all, best.p, result.table["at"].tolist(), strict=True)
    ]
    blocks = [title, table(["number", "before", "after", "least", "greatest", "unit", "at"], rows)]
    blocks += _homes(result)
    if result.reached:
        blocks.append(f"Over the task:\n{table(['limit', 'reached', 'stated', 'unit'], _reached(result))}")
    if best.active:
        lines = [f"  {name}: {number(price, 4)}" for name, price in best.active]
        blocks.append(
            "\n".join(["Active limits (gain of the objective per share of the limit or of the bounds):", *lines])
        )
    sure = f"{result.agreeing} of {len(result.found)} starts agree"
    missed = sum(1 for one in result.found if not one.feasible)
    if missed:
        sure += f", {missed} found no design that keeps all limits"
    local = [one for one in result.local if result.improves(one)]
    if local:
        listed = ", ".join(number(one.value, 5) for one in local[:8])
        sure += f"; local optima: {listed}" + (" ..." if len(local) > 8 else "")
    useless = sum(1 for one in result.found if one.feasible and not result.improves(one))
    if useless:
        sure += f"; {useless} ended no better than before"
    blocks.append(sure + ".")
    if wanted.task is not None and wanted.task.any() and set(wanted.needs) & {"force", "power", "speed"}:
        blocks.append(
            f"Velocities and loads are drawn at random, one of each in {len(wanted.states)} states; the worst within "
            "their ranges:\ngough size --envelope."
        )
    if result.others:
        ranked = ", ".join(f"{one.wanted.robot.name} {number(one.value, 5)}" for one in result.others)
        blocks.append(f"Best of the machines: {wanted.robot.name}; others: {ranked}.")
    if result.proof is not None:
        blocks.append(_proved(result.proof))
    if result.interrupted:
        blocks.append("Interrupted: this is the best design so far.")
    if result.front:
        first, second = wanted.objectives
        pairs = [
            [number(one.value, 5), number(other, 5)] for one, other in zip(result.front, result.second, strict=True)
        ]
        blocks.append(f"Front:\n{table([first, second], pairs)}")
    return "\n\n".join(blocks) + "\n"


def _reached(result: Optimised) -> list[list[str]]:
    def ends(values: tuple[float, ...]) -> str:
        return " to ".join(number(v, 5) for v in values) or "-"

    return [[one.name, ends(one.values), ends(one.limits), one.unit or "-"] for one in result.reached]


def _homes(result: Optimised) -> list[str]:
    """Where the best design's home is, if the task was moved."""
    wanted = result.wanted
    shifts, places = [float(s) for s in wanted.variables.shift(result.best.p)], wanted.robot.platform
    rows = list(zip(places.coordinates, places.home, shifts, strict=True))
    moved = [f"{c.name} = {number(at + s, 6)} {'rad' if c.turns else 'm'}" for c, at, s in rows if s]
    own = [f"{c.name} = {number(at, 6)} {'rad' if c.turns else 'm'}" for c, at, s in rows if s]
    if not moved:
        return []
    if result.robot.platform.home != places.home:
        return [f"Home of the best design is moved with the task: {', '.join(moved)}; before {', '.join(own)}."]
    why = "angles are limited from it" if "angle" in wanted.limits else "the legs do not close at the moved one"
    return [f"The task is best about {', '.join(moved)}; home is still {', '.join(own)}: {why}."]


def _proved(proof: Proof) -> str:
    """What is proved, and what is not."""
    lines = []
    if proof.regular:
        lines.append(f"no pose of the box is singular ({proof.boxes} part{'s' * (proof.boxes != 1)})")
    if proof.force is not None and proof.speed is not None:
        lines.append(f"no force beyond {number(proof.force, 6)}, no speed beyond {number(proof.speed, 6)}")
    text = f"Proved over the whole task: {'; '.join(lines)}." if lines else "Nothing is proved."
    return " ".join([text, *(f"Not proved: {remark}." for remark in proof.remarks)])
