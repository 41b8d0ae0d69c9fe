"""What the actuators do: displacement, speed, force and power over time, and how near their limits they come."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gough.analysis.extremes import peaks
from gough.graph import Array
from gough.reports.page.case import Case
from gough.reports.page.charts import Panel, panels
from gough.reports.page.html import Markup, paragraph, row, section, short, subtitle, svg_figure, table
from gough.reports.page.summary import QUANTITIES, limits


def actuator_section(case: Case) -> Markup:
    """Four charts, peaks and means, use of limits."""
    charts = []
    for kind, quantity in QUANTITIES.items():
        values, unit = case.shown(quantity)
        name = {"q": "displacement", "qd": "speed", "force": case.effort}.get(quantity, quantity)
        charts.append(Panel(f"{name} [{unit}]", values, case.result.actuators, _levels(case, kind, values), False))
    blocks = [
        svg_figure(
            panels(*case.time, charts, shared=True, height=2.35),
            "Each actuator over time. Dashed red: a stated limit that the motion comes near.",
        ),
    ]
    if case.demand is None:
        blocks += [
            subtitle("Peaks and means"),
            table(*_peaks(case)),
            paragraph(
                "Energy is the integral of power over the motion: where power is positive the actuator gives it out, "
                "where negative it takes it back. Values are those of the samples.",
                "note",
            ),
        ]
    used = _used(case)
    if used:
        blocks += [subtitle("Use of the stated limits"), table(*used)]
    return section("The actuators", *blocks)


def _levels(case: Case, kind: str, values: Array) -> list[float]:
    """Limits common to all actuators that the curves come near, as shown."""
    finite = values[np.isfinite(values)]
    if len(set(case.turns)) > 1 or not finite.size:
        return []
    of = {"stroke": case.display.travel, "speed": case.display.speed, "force": case.display.effort}
    factor = of[kind](case.turns[0])[0] if kind in of else 1.0
    room = 0.5 * np.ptp(finite)
    found = []
    for bound in limits(case, kind):
        alike = np.isfinite(bound).all() and np.ptp(bound) <= 1e-9 * np.abs(bound).max()
        if alike and finite.min() - room <= bound[0] * factor <= finite.max() + room:
            found.append(float(bound[0] * factor))
    return found


def _peaks(case: Case) -> tuple[list[str], list[list[str]]]:
    result = case.result
    force, force_unit = case.shown("force")
    speed, speed_unit = case.shown("qd")
    travel, travel_unit = case.shown("q")
    given, taken = _energy(result.t, result.power)
    when = case.peak_times("force") * case.display.time[0]
    entries = [
        (f"{case.effort}, peak [{force_unit}]", peaks(force)),
        (f"  at [{case.time[1]}]", when),
        (f"{case.effort}, rms [{force_unit}]", _rms(force)),
        (f"speed, peak [{speed_unit}]", peaks(speed)),
        ("power, peak [W]", peaks(result.power)),
        ("energy given [J]", given),
        ("energy taken back [J]", taken),
        (f"displacement, least [{travel_unit}]", _of(np.nanmin, travel)),
        (f"displacement, largest [{travel_unit}]", _of(np.nanmax, travel)),
    ]
    return ["actuator", *result.actuators], [[name, *row(values)] for name, values in entries]


def _energy(time: Array, power: Array) -> tuple[Array, Array]:
    """(actuators,) energy given out and taken back [J], by the trapezoidal rule."""
    step = np.diff(time)[:, None]
    parts = []
    for side in (np.maximum(power, 0.0), np.maximum(-power, 0.0)):
        parts.append(np.nansum(0.5 * (side[1:] + side[:-1]) * step, axis=0))
    return parts[0], parts[1]


def _rms(values: Array) -> Array:
    return np.sqrt(_of(np.nanmean, values**2))


def _of(reduce: Callable[..., Array], values: Array) -> Array:
    """(k,) of the finite entries of each column, NaN where there is none."""
    some = np.isfinite(values).any(axis=0)
    return np.where(some, reduce(np.where(some, values, 0.0), axis=0), np.nan)


def _used(case: Case) -> tuple[list[str], list[list[str]]] | None:
    """Share of each stated limit that the motion uses, in percent, actuator by actuator."""
    rows = []
    for kind, quantity in QUANTITIES.items():
        low, high = limits(case, kind)
        if not np.isfinite(high).any():
            continue
        middle, half, name = 0.0, high, f"{kind} [%]"
        if kind == "stroke":
            middle, half, name = (low + high) / 2, (high - low) / 2, "stroke, from its middle [%]"
        share = np.max([np.abs(end - middle) / half for end in case.ends(quantity)], axis=0)
        rows.append([name, *[short(100 * s, 3) if np.isfinite(s) and s > 0 else "-" for s in share.tolist()]])
    return (["limit", *case.result.actuators], rows) if rows else None
