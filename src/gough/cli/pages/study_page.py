"""The page of a study's result."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.cli.output import table
from gough.display import Display, number
from gough.studies.reductions.frequencies import Histogram, Yield
from gough.studies.result import StudyResult

MOST = 12


def study_page(result: StudyResult, display: Display) -> str:
    """Summary, then each reduction, in the units shown."""
    si = result.study.units()
    shown = {name: display.of(unit) if unit else (1.0, "") for name, unit in si.items()}
    lines = [result.summary]
    if result.study.length is not None:
        size, unit = display.length
        told = f"{number(size * result.study.length, 6)} {unit}"
        lines.append(
            f"condition and sigma_min count turns by {told}, the same for all machines; files of --best state it"
        )
    for reduction in result.study.reductions[1:]:
        measure = reduction.name.split(" of ")[-1].split(" ")[0]
        scale, unit = shown.get(measure, (1.0, ""))
        lines += ["", _title(reduction, shown), *_section(result.reductions[reduction.name], scale, unit, shown)]
    return "\n".join(lines)


def _title(reduction: Any, shown: dict[str, tuple[float, str]]) -> str:
    """The reduction's name; limits of a yield in the units shown."""
    if isinstance(reduction, Histogram):
        return f"histogram of {reduction.of}"
    if not isinstance(reduction, Yield):
        return str(reduction.name)
    parts = []
    for of, low, high in zip(reduction.of, reduction.least, reduction.most, strict=True):
        scale, unit = shown.get(of, (1.0, ""))
        least = f"{number(low * scale, 6)} <= " if np.isfinite(low) else ""
        most = f" <= {number(high * scale, 6)}" if np.isfinite(high) else ""
        parts.append(f"{least}{of}{most} {unit}".rstrip())
    return f"yield of {' and '.join(parts)}"


def _section(own: dict[str, Any], scale: float, unit: str, shown: dict[str, tuple[float, str]]) -> list[str]:
    if "front" in own:
        scales = [shown.get(name, (1.0, ""))[0] for name in own["front"]]
        header = [_headed(name, shown.get(name, (1.0, ""))[1]) for name in own["front"]]
        points = zip(*own["front"].values(), strict=True)
        rows = [
            [str(m), *(number(v * s, 6) for v, s in zip(point, scales, strict=True))]
            for m, point in zip(own["machines"], points, strict=True)
        ]
        return _listed(["machine", *header], rows)
    if "values" in own:
        rows = [[str(m), number(v * scale, 6)] for m, v in zip(own["machines"], own["values"], strict=True)]
        return _listed(["machine", _headed("value", unit)], rows)
    if "numbers" in own:
        return _indices(own)
    if "edges" in own:
        inside = sum(own["counts"])
        low, high = (number(own["edges"][k] * scale, 5) for k in (0, -1))
        return [f"  {inside} within {low} to {high} {unit}".rstrip() + f", {own['below']} below, {own['above']} above"]
    rows = []
    for key, value in _flat(own):
        measured = (scale, unit) if key in _MEASURED or _share(key) else (1.0, "")
        if key == "variance":
            measured = (scale**2, _squared(unit))
        rows.append([key.replace("_", " "), _value(value, *measured)])
    return table(["", ""], rows, "  ").split("\n")[1:]


def _squared(unit: str) -> str:
    return f"({unit})^2" if set(unit) & set(" /") else f"{unit}^2" if unit else ""


def _headed(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _indices(own: dict[str, Any]) -> list[str]:
    """Sobol indices, the largest total first."""
    if own["total"] is None:
        return ["  nothing varies"]
    rows = []
    for k in sorted(range(len(own["numbers"])), key=lambda k: -own["total"][k]):
        ends = [f"{low:.4f} to {high:.4f}" for low, high in (own["first_interval"][k], own["total_interval"][k])]
        rows.append([own["numbers"][k], f"{own['first'][k]:.4f}", f"{own['total'][k]:.4f}", *ends])
    sure = f"{own['confidence']:.0%}"
    return _listed(["number", "first", "total", f"first, {sure}", f"total, {sure}"], rows)


_MEASURED = {"mean", "deviation", "min", "max", "interval"}


def _flat(own: dict[str, Any]) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in own.items():
        if isinstance(value, dict):
            found += [(f"{float(share):.6g}", entry) for share, entry in value.items()]
        elif key != "replicates":
            found.append((key, value))
    return found


def _share(key: str) -> bool:
    """Whether a key is the share of a quantile."""
    return key.replace(".", "", 1).isdigit()


def _value(value: Any, scale: float, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return f"{number(value[0] * scale, 6)} to {number(value[1] * scale, 6)} {unit}".rstrip()
    shown = str(value) if isinstance(value, int) else number(value * scale, 6)
    return f"{shown} {unit}".rstrip()


def _listed(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = table(header, rows[:MOST], "  ").split("\n")
    return [*lines, f"  and {len(rows) - MOST} more"] if len(rows) > MOST else lines
