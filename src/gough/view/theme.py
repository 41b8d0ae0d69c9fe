"""Colours of drawings: few, told apart by colour-blind readers and in grey print."""

from __future__ import annotations

PAPER = "#ffffff"
INK = "#1b1f24"
SOFT = "#5b6570"
BASE = "#c9ced4"
GUIDE = "#a3abb5"
DRIVEN = "#e69f00"
PISTON = "#eceff2"
ROD = "#2f7fb8"
PLATFORM = "#8fd0c0"
JOINT = "#4a525c"

LEGEND = {"driven": DRIVEN, "link": ROD, "platform": PLATFORM, "base": BASE}


def rgb(colour: str) -> tuple[float, float, float]:
    """Red, green and blue of a colour such as "#1b1f24", each 0 to 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue
