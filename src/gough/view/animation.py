"""A robot in motion as one HTML page: shown in a notebook, or written to a file."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from gough.display import display_units
from gough.dynamics import inverse_dynamics
from gough.files import write_whole
from gough.motion import Motion
from gough.robot import Robot

HEIGHT = 480
"""Height in a notebook [px]."""


@dataclass(frozen=True, repr=False)
class Animation:
    """A page that plays a motion by itself, in 3D; a notebook shows it inline."""

    name: str
    html: str

    def save(self, path: str | Path) -> None:
        """Write the page as a file that any browser opens, also without a network."""
        write_whole(Path(path), self.html.encode())

    def _repr_html_(self) -> str:
        page = escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:{HEIGHT}px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"Animation of {self.name}: {len(self.html) / 1e6:.1f} MB of HTML; save(path) writes it"


def animate(robot: Robot, motion: Motion, units: str = "") -> Animation:
    """The robot along a motion in real time, legs in the colours of their forces. Needs `gough[view]`.

    Args:
        robot: The machine.
        motion: Its motion.
        units: Units of the labels, as --units takes them: "mm,deg".

    Raises:
        MotionError: It is a motion of other coordinates.
    """
    from gough.view.browser.animation_file import frames_for, recorded_html
    from gough.view.drawing.scene import is_small

    moved = Motion.of(robot, motion)
    result = inverse_dynamics(robot, moved.sample(frames_for(moved.duration)))
    return Animation(f"{robot.name}, {moved.name}", recorded_html(result, display_units(units, is_small(robot))))
