"""The starter's 3-PRS head as robot files: with its origin in the plane of the joints, or at a tool tip below."""

from pathlib import Path

from gough.cli.new import starter

TIP = 250.0
"""How far the tool tip is below the joints [mm]."""


def head_file(folder: Path, at_tip: bool = False) -> str:
    """The file, written."""
    text = starter("PRS")
    if at_tip:
        for old, new in (
            ("platform = { radius = 200,", f"platform = {{ z = {TIP}, radius = 200,"),
            ("home = [0, 0, 700,", f"home = [0, 0, {700 - TIP},"),
            ("com = [0, 0, 50]", f"com = [0, 0, {50 + TIP}]"),
        ):
            assert text.count(old) == 1
            text = text.replace(old, new)
    path = folder / ("tip.toml" if at_tip else "head.toml")
    path.write_text(text, "utf-8")
    return str(path)
