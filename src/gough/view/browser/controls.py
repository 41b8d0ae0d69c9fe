"""The panel of the live viewer: every control, in folders; `live` says what they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gough.display import Display
from gough.graph import Array
from gough.kinematics import inverse_kinematics
from gough.motion import Motion
from gough.robot import Robot
from gough.view.browser.mode_lists import ModeChoice, Vibration
from gough.view.browser.panel import colour_words, travel_table
from gough.view.browser.reach import Room
from gough.view.browser.sliders import joint_sliders, pose_sliders

_FITTED = "More actuators than coordinates: the platform goes where all displacements fit best."


class Controls:
    """Sliders, buttons and boxes of one robot's viewer."""

    def __init__(
        self, gui: Any, robot: Robot, motion: Motion | None, display: Display, extent: float, most: float,
        path: Array | None,
    ) -> None:  # fmt: skip
        """At home.

        Args:
            gui: A viser server's.
            robot, motion, display: What is shown, and in which units.
            extent: The machine's largest dimension [m].
            most: The largest force, that of the fullest colour [N or N m].
            path: (N, n) poses of the motion, if there is one.
        """
        self._robot, self._display, self.following = robot, display, False
        gui.set_panel_label(robot.name)
        with gui.add_folder("Platform"):
            self.sliders = pose_sliders(gui, robot, display, extent, path)
            self.home = gui.add_button("Home")
            self.bounded = gui.add_checkbox("stop at limits", True, hint="Sliders end where a limit or the reach does.")
        with gui.add_folder("Motion", visible=motion is not None):
            low, high = (motion.start, motion.end) if motion is not None else (0.0, 1.0)
            self.play = gui.add_button("Play")
            self.scrub = gui.add_slider("time [s]", low, high, max((high - low) / 400, 1e-6), low)
            self.speed = gui.add_slider("speed", 0.1, 2.0, 0.1, 1.0)
        with gui.add_folder("Actuators"):
            q = inverse_kinematics(robot, np.array(robot.platform.home, dtype=float)).q
            self.joints = joint_sliders(gui, robot, q, display, extent)
            if len(q) > robot.dof:
                gui.add_markdown(_FITTED)
            self.words = gui.add_markdown("")
            self.table = gui.add_markdown("")
        with gui.add_folder("Travel from here", expand_by_default=False):
            self.travel = gui.add_markdown("")
        with gui.add_folder("Assembly modes", visible=not robot.cables):
            self.modes = ModeChoice(gui, robot)
        with gui.add_folder("Natural modes"):
            self.vibration = Vibration(gui, robot, extent)
        with gui.add_folder("Show"):
            self.coloured = gui.add_checkbox("legs coloured by force", True)
            self.forces = gui.add_checkbox("force arrows", True)
            self.room = gui.add_checkbox("workspace at this orientation", False)
            self.loose = gui.add_checkbox("det K = 0 at this orientation", False)
            self.frames = gui.add_checkbox("frames", True)
            self.names = gui.add_checkbox("names of legs", True)
            gui.add_markdown(colour_words(robot, most, display))

    def follow(self, x: Array, q: Array, t: float) -> None:
        """Set the sliders to a pose x (n,), displacements q (actuators,) and a time, without a user's doing."""
        self.following = True
        try:
            self.sliders.set(x)
            self.joints.set(q)
            if self.scrub.value != t and self.scrub.min <= t <= self.scrub.max:
                self.scrub.value = t
        finally:
            self.following = False

    def bound(self, platform: Sequence[Room] | None, actuators: Sequence[Room] | None) -> None:
        """Let sliders go as far as is said, or None: as far as they do now; wide where the user wants no bounds."""
        if not self.bounded.value:
            self.sliders.set(self.sliders.values, self.sliders.wide)
            self.joints.set(self.joints.values, self.joints.wide)
        elif platform is not None and actuators is not None:
            self.sliders.set(self.sliders.values, platform)
            self.joints.set(self.joints.values, actuators)
        tables = []
        for rooms, names, turns in (
            (platform, self._robot.coordinate_names, [c.turns for c in self._robot.platform.coordinates]),
            (actuators, self._robot.actuator_names, [joint.turns for joint in self._robot.actuators]),
        ):
            if rooms is not None:
                tables.append(travel_table(names, turns, rooms, self._display))
        self.travel.content = "\n\n".join(tables) or "Not within the limits here."
