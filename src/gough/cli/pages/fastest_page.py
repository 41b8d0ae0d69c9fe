"""The fastest motion as a page: its time, the active limit over time, and the certificate."""

from __future__ import annotations

from gough.analysis.finding_words import name_of
from gough.cli.output import table
from gough.cli.pages.check_page import page as check_page
from gough.display import Display, number
from gough.timing.fastest_result import Fastest
from gough.timing.free_result import FreePath


def page(result: Fastest, display: Display) -> str:
    """The page."""
    second, unit = display.time
    title = f"{result.motion.name}: {number(result.duration * second, 6)} {unit}, "
    title += f"a limit at 99 % or more for {100.0 * result.saturated:.3g} % of the time"
    blocks = [title, "Held back by:", _stretches(result, display)]
    if result.apart > 0.0:
        factor, length = display.length
        blocks.append(f"The path is the motion's own to within {number(result.apart * factor, 2)} {length}.")
    blocks.append("Certificate:")
    return "\n\n".join(blocks) + "\n\n" + check_page(result.certificate, display, advised=False)


def free_page(result: FreePath, display: Display) -> str:
    """The page of a free path."""
    factor, unit = display.of(result.unit)
    name = {"time": "time", "energy": "energy delivered", "force": "largest force"}[result.least]
    title = f"{result.motion.name}: {name} {number(result.value * factor, 6)} {unit}"
    if result.straight is None:
        title += "; the straight line does not fit"
    else:
        title += f", straight {number(result.before * factor, 6)} {unit} ({100.0 * result.gain:+.1f} %)"
    blocks = [title]
    second, seconds = display.time
    if result.timed is not None:
        blocks += ["Held back by:", _stretches(result.timed, display)]
    else:
        blocks.append(f"In {number(result.duration * second, 6)} {seconds}.")
    blocks.append("Certificate:")
    return "\n\n".join(blocks) + "\n\n" + check_page(result.certificate, display, advised=False)


def _stretches(result: Fastest, display: Display) -> str:
    second, unit = display.time
    rows = [
        [number(s.begin * second, 4), number(s.end * second, 4), name_of(s.kind), s.owner or "-", f"{100 * s.used:.2f}"]
        for s in result.stretches
    ]
    return table([f"from [{unit}]", f"to [{unit}]", "limit", "whose", "used [%]"], rows)
