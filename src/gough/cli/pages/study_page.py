"""The page of a study's result."""

from __future__ import annotations

from typing import Any

from gough.cli.output import table
from gough.display import number
from gough.studies.result import StudyResult

MOST = 12


def study_page(result: StudyResult) -> str:
    """Summary, then each reduction."""
    units = result.study.units()
    lines = [result.summary]
    for name, own in list(result.reductions.items())[1:]:
        lines += ["", name, *_section(own, _unit(name, units))]
    return "\n".join(lines)


def _unit(name: str, units: dict[str, str]) -> str:
    measure = name.split(" of ")[-1].split(" ")[0]
    return units.get(measure, "")


def _section(own: dict[str, Any], unit: str) -> list[str]:
    if "front" in own:
        points = zip(*own["front"].values(), strict=True)
        rows = [[str(m), *(number(v, 6) for v in point)] for m, point in zip(own["machines"], points, strict=True)]
        return _listed(["machine", *own["front"]], rows)
    if "values" in own:
        rows = [[str(m), number(v, 6)] for m, v in zip(own["machines"], own["values"], strict=True)]
        return _listed(["machine", f"value [{unit}]" if unit else "value"], rows)
    if "numbers" in own:
        return _indices(own)
    if "edges" in own:
        inside = sum(own["counts"])
        ends = f"{number(own['edges'][0], 5)} to {number(own['edges'][-1], 5)}{f' {unit}' if unit else ''}"
        return [f"  {inside} within {ends}, {own['below']} below, {own['above']} above"]
    rows = [[key.replace("_", " "), _value(value, unit if key in _MEASURED else "")] for key, value in _flat(own)]
    return table(["", ""], rows, "  ").split("\n")[1:]


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


def _value(value: Any, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, list):
        return f"{number(value[0], 6)} to {number(value[1], 6)}"
    shown = str(value) if isinstance(value, int) else number(value, 6)
    return f"{shown} {unit}" if unit else shown


def _listed(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = table(header, rows[:MOST], "  ").split("\n")
    return [*lines, f"  and {len(rows) - MOST} more"] if len(rows) > MOST else lines
