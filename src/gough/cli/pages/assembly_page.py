"""What `gough fk --all` shows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gough.assembly import AssemblyModes, assembly_modes
from gough.cli.out_files import announce, write_whole
from gough.cli.output import table
from gough.display import Display, number
from gough.motion.conventions import Convention, Value
from gough.robot import Robot
from gough.table.formats import json_text, plain


def print_modes(
    robot: Robot,
    q: ArrayLike,
    form: str,
    stated: Convention,
    display: Display,
    csv_units: str | None,
    complex_modes: bool,
    png: Path | None,
) -> int:
    """Prints all modes at displacements q, writes their picture, and returns the exit code."""
    found = assembly_modes(robot, np.array(q))
    if form == "json":
        print(json_text(_document(found, stated, complex_modes)), end="")
    elif form == "csv":
        print(found.to_csv(units=csv_units), end="")
    else:
        print(_page(found, stated, display, complex_modes))
    if not found.count:
        print("gough: no pose has these displacements", file=sys.stderr)
        return 3
    if png is not None:
        from gough.view.assembly_sheet import DPI, draw_modes
        from gough.view.theme import small_png

        write_whole(png, small_png(draw_modes(found), DPI))
        announce(png)
    return 0


def _page(found: AssemblyModes, stated: Convention, display: Display, complex_modes: bool) -> str:
    robot = found.robot
    values = (*stated.values(robot), *(Value(c.name, c.motion) for c in robot.platform.dependent))
    units = [("" if value.motion == "q" else display.travel(value.turns)[1]) for value in values]
    header = ["mode", *(f"{v.name} [{u}]" if u else v.name for v, u in zip(values, units, strict=True))]
    rows = []
    for k in range(found.count):
        at = [*stated.stated(robot, found.x[k]), *found.dependent[k]]
        factors = [1.0 if value.motion == "q" else display.travel(value.turns)[0] for value in values]
        rows.append(
            [
                str(k + 1),
                *(number(float(x) * factor, 6) for x, factor in zip(at, factors, strict=True)),
                " ".join(str(branch) if branch else "-" for branch in found.branch[k]),
                "yes" if found.within_limits[k] else "no",
                number(float(found.singular_value[k]), 4),
                f"{found.side[k]:+d}" if found.side[k] else "-",
                "yes" if found.certified[k] else "no",
            ]
        )
    header += ["branches", "within limits", "singular value", "side", "certified"]
    lines = [
        f"{robot.name}: {found.count_text}",
        f"Poses by {stated.described(robot, display.length, display.angle)}.",
        "",
    ]
    lines += [table(header, rows), ""] if rows else []
    if complex_modes and found.complex:
        cells = [
            [str(k + 1), *map(_complex, found.complex_p[k]), *map(_complex, found.complex_e[k])]
            for k in range(len(found.complex_p))
        ]
        lines += [table(["complex", "x [m]", "y [m]", "z [m]", "e0", "e1", "e2", "e3"], cells), ""]
    return "\n".join([*lines, found.claim_text])


def _complex(value: complex) -> str:
    return f"{value.real:.4g}{value.imag:+.4g}i"


def _document(found: AssemblyModes, stated: Convention, complex_modes: bool) -> dict[str, Any]:
    robot, document = found.robot, found.to_dict()
    names = [value.name for value in stated.values(robot)]
    document["convention"] = {"name": stated.name, "tool": robot.tool.position, "text": stated.described(robot)}
    for mode, x in zip(document["modes"], found.x, strict=True):
        mode["pose"] = dict(zip(names, plain(list(stated.stated(robot, x))), strict=True))
    if complex_modes:
        document["complex_modes"] = [
            {"p": _parts(p), "e": _parts(e)} for p, e in zip(found.complex_p, found.complex_e, strict=True)
        ]
    return document


def _parts(values: NDArray[np.complex128]) -> list[list[float]]:
    """Real and imaginary parts of each."""
    return [[float(value.real), float(value.imag)] for value in values]
