"""A comparison as a page."""

from __future__ import annotations

from gough.cli.output import table
from gough.design.compare import INSTANTS, SAME, Comparison
from gough.display import Display, number
from gough.workspaces.comparison import WorkspaceComparison


def page(result: Comparison, display: Display) -> str:
    """What differs, largest first, then what is the same, then whether the motion fits each."""
    rows, same = [], []
    for d in result.differences:
        if abs(d.relative) <= SAME:
            same.append(d.what)
            continue
        who = "" if not any(d.who) else d.who[0] if d.who[0] == d.who[1] else f"{d.who[0]} | {d.who[1]}"
        factor, unit = display.of(d.unit)
        values = number(d.first * factor, 5), number(d.second * factor, 5)
        rows.append([d.what, *values, unit or "-", _change(d.first, d.second), who])
    header = ["", *result.names, "unit", "change", "actuator"]
    title = f"{result.names[0]} and {result.names[1]}, motion {result.motion}"
    title += f", the base moves: {result.base}" if result.base else ""
    told = (title, _looked(result, display), result.smoothing, _homes(result, display), *_held(result))
    blocks = ["\n".join(filter(None, told))]
    blocks.append(table(header, rows) if rows else "No difference.")
    lines = [f"The same: {', '.join(same)}."] if same and rows else []
    for name, fits, violated in zip(result.names, result.fits, result.violated, strict=True):
        verdict = "states no limits" if fits is None else "the motion fits" if fits else ""
        lines.append(f"{name}: {verdict or 'the motion does not fit: ' + ', '.join(violated)}")
    return "\n\n".join([*blocks, "\n".join(lines)])


def _looked(result: Comparison, display: Display) -> str:
    """At which times."""
    second, unit = display.time
    whole = f"the whole motion, {number(result.duration * second, 5)} {unit}"
    if result.sampled:
        return f"Compared at {result.sampled} samples of {whole}; nothing between them."
    return f"Compared over {whole}: largest values are found between samples too."


def _homes(result: Comparison, display: Display) -> str:
    told = []
    for name, own, value in result.elsewhere:
        factor, unit = display.of(own)
        told.append(f"{name} = {number(value * factor, 5)} {unit}")
    one, other = result.names
    return f"The motion is chosen for {one}; home of {other} is elsewhere: {', '.join(told)}" if told else ""


def _held(result: Comparison) -> list[str]:
    """Which coordinates stay, and at how many instants stiffness and errors are looked at."""
    lines = [
        f"{name} holds {', '.join(own)} at home." for name, own in zip(result.names, result.held, strict=True) if own
    ]
    if {d.what for d in result.differences} & {"least stiffness", "position error, rms"}:
        lines.append(
            f"Stiffness and errors of the platform's origin: the worst at {INSTANTS} instants, as the files state."
        )
    return lines


def _change(first: float, second: float) -> str:
    if first == 0.0:
        return "new" if second else "-"
    ratio = second / first
    return f"{100.0 * (ratio - 1.0):+.3g} %" if 0.2 < ratio < 5.0 else f"{ratio:.3g} times"


def workspace_page(result: WorkspaceComparison, display: Display) -> str:
    """Two workspaces side by side."""
    rows = []
    for figure in result.figures:
        power = {"m^2": 2, "m^3": 3}.get(figure.unit)
        factor, unit = display.of(figure.unit)
        if power is not None:
            factor, unit = display.length[0] ** power, f"{display.length[1]}^{power}"
        cells = ["-" if value is None else number(value * factor, 5) for value in (figure.first, figure.second)]
        change = "" if figure.first is None or figure.second is None else _change(figure.first, figure.second)
        rows.append([figure.what, *cells, unit, change])
    title = f"{result.names[0]} and {result.names[1]}, workspaces from home"
    limits = [
        f"{n}: within {', '.join(w.conditions.kinds)}" for n, w in zip(result.names, result.workspaces, strict=True)
    ]
    rooms = [w.volume for w in result.workspaces if w.volume is not None and w.volume.ends is None]
    sizes = " and ".join(dict.fromkeys(str(room.grid.cells) for room in rooms))
    how = f"{title}; {rooms[0].name} at a grid of {sizes} cells" if rooms else title
    return "\n\n".join([how, table(["", *result.names, "unit", "change"], rows), "\n".join(limits)])
