"""The graph of a mechanism, as text and as a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gough.escape import one_line
from gough.robot.system_graph import BASE, PLATFORM, SystemGraph

ENDINGS = (".dot", ".svg", ".png", ".pdf")
HINT = "* driven, ~ follows another joint, o a link without mass"


def graph_file(graph: SystemGraph, title: str, path: str) -> bytes:
    """Contents of a .dot, .svg, .png or .pdf file with the graph."""
    ending = Path(path).suffix.lower()
    if ending == ".dot":
        return bytes(graph.to_dot().encode())
    from gough.plots import picture
    from gough.reports.graph_drawing import graph_figure

    return picture(graph_figure(graph, title), ending if ending in ENDINGS else ".png")


def loops_line(shown: dict[str, Any]) -> str:
    """How many independent loops, by which count, and how many groups of joints stand for loops of their own."""
    joints, bodies = len(shown["joints"]), len(shown["bodies"])
    inner = len({joint["mimic"] for joint in shown["joints"]} - {""})
    more = f", besides {inner} in joints that follow another" if inner else ""
    return f"{shown['loops']} independent ({joints} joints - {bodies} bodies + 1){more}"


def graph_lines(shown: dict[str, Any]) -> str:
    """A line for each set of identical legs from base to platform, and one for its side branches."""
    names = {body["name"]: body["body"] or "o" for body in shown["bodies"]}
    alike: dict[tuple[str, ...], list[str]] = {}
    for leg in dict.fromkeys(joint["leg"] for joint in shown["joints"]):
        alike.setdefault(_leg_lines([j for j in shown["joints"] if j["leg"] == leg], names), []).append(leg)
    width = max(len(", ".join(legs)) for legs in alike.values())
    lines = []
    for texts, legs in alike.items():
        for k, text in enumerate(texts):
            lines.append(one_line(f"  {', '.join(legs) if k == 0 else '':{width}}  {text}"))
    return "\n".join([*lines, f"  ({HINT})"])


def _leg_lines(joints: list[dict[str, Any]], names: dict[str, str]) -> tuple[str, ...]:
    by_carried = {joint["carried"]: joint for joint in joints}
    way = [by_carried[PLATFORM]]
    while way[-1]["carrier"] != BASE:
        way.append(by_carried[way[-1]["carrier"]])
    main = names[BASE] + "".join(f" {_bond(joint)} {names[joint['carried']]}" for joint in reversed(way))
    sides = [
        f"beside: {names[joint['carrier']]} {_bond(joint)} {names[joint['carried']]}"
        for joint in joints
        if joint not in way
    ]
    return (main, *sides)


def _bond(joint: dict[str, Any]) -> str:
    """A joint in a line; the spherical one on the platform is S."""
    own = "S" if joint["kind"] == "S" else joint["name"].removeprefix(f"{joint['leg']}.")
    mark = "*" if joint["actuated"] else "~" if joint["mimic"] else ""
    return f"-{own}{mark}-"
