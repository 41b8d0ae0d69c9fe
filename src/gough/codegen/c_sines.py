"""Sines and cosines in C, those of small angles that stand next to each other in an array by one loop."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gough.codegen.c_module import Module, Parameter
from gough.graph.elementary import NEAR

VECTOR = 4
"""Numbers that a loop over angles computes at a time, where processors have vectors of so many."""
LEAST = 3
"""Angles from which such a loop pays."""
_ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


@dataclass(frozen=True)
class Neighbours:
    """Angles next to each other in an array.

    Attributes:
        array: Its name.
        start: The first of `VECTOR` elements among which all of them are: loads of whole vectors need no gathering.
        first: Place of the first angle among those.
        angles: Their nodes, in order.
    """

    array: str
    start: int
    first: int
    angles: tuple[int, ...]


def neighbours(angle: int, texts: Mapping[int, str], parameters: Sequence[Parameter]) -> Neighbours | None:
    """The angle and those next to it, or None if they are too few or no vector holds them.

    Args:
        angle: A node.
        texts: Expressions of all nodes that are angles, which are inputs of the function.
        parameters: Of the function.
    """
    places: dict[tuple[str, int], int] = {}
    for node, text in texts.items():
        element = _ELEMENT.fullmatch(text)
        if element:
            places[element[1], int(element[2])] = node
    if angle not in places.values():
        return None
    array, first = next(place for place, node in places.items() if node == angle)
    while (array, first - 1) in places:
        first -= 1
    angles = [places[array, first]]
    while (array, first + len(angles)) in places:
        angles.append(places[array, first + len(angles)])
    size = next((int(n[1]) for p in parameters if p.name == array and (n := re.search(r"\[(\d+)\]$", p.declared))), 0)
    if not LEAST <= len(angles) <= VECTOR <= size:
        return None
    start = min(first, size - VECTOR)
    return Neighbours(array, start, first - start, tuple(angles))


def sines_of_one(function: str, angle: int, text: str) -> str:
    """The statement that computes sine and cosine of any angle."""
    return f"    {function}({text}, &sin{angle}, &cos{angle});"


def sines_of_several(module: Module, near: Neighbours, texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Statements for neighbouring angles: a loop if all are small, as those of platforms mostly are, else `others`."""
    small = f"<= {module.literal(NEAR)}"
    macro, end = f"{module.prefix}_lanes".upper(), near.first + len(near.angles)
    begin = f"{macro}({near.first}, 0)" if near.first else "0"
    bound = f"{macro}({end}, {VECTOR})" if end < VECTOR else f"{VECTOR}"
    element = f"{near.array}[{near.start} + k]" if near.start else f"{near.array}[k]"
    module.filling |= len(near.angles) < VECTOR
    return [
        f"    if ({' && '.join(f'fabs({text}) {small}' for text in texts)}) {{",
        f"        {module.number} sine[{VECTOR}], cosine[{VECTOR}];",
        f"        for (int k = {begin}; k < {bound}; ++k)",
        f"            {module.prefix}_near({element}, &sine[k], &cosine[k]);",
        *(f"        sin{angle} = sine[{k}];" for k, angle in enumerate(near.angles, near.first)),
        *(f"        cos{angle} = cosine[{k}];" for k, angle in enumerate(near.angles, near.first)),
        "    } else {",
        *(f"    {line}" for line in others),
        "    }",
    ]
