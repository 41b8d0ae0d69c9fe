"""A robot in the browser: sliders for the platform, a motion to play, forces as colours and arrows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.display import Display, number, stated_text
from gough.dynamics import InverseDynamics, inverse_dynamics, inverse_dynamics_along
from gough.errors import GoughError, InputError
from gough.graph import Array
from gough.kinematics import Status
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.status import sentence
from gough.motion import Motion
from gough.motion.conventions import Convention
from gough.robot import Robot
from gough.view.browser.mode_choice import ModeChoice
from gough.view.browser.moving import MovingRobot
from gough.view.browser.overlay import Overlay
from gough.view.browser.server import start, stop
from gough.view.browser.stage import Stage


def pose_sliders(gui: Any, robot: Robot, display: Display, extent: float, path: Array | None = None) -> list[Any]:
    """A slider for each coordinate, at home, as far as the machine could ever go.

    Args:
        gui: A viser server's.
        robot: Whose platform.
        display: Units.
        extent: The machine's largest dimension [m].
        path: (N, n) coordinates that must be within, if there are any.
    """
    found = []
    for k, (coordinate, home) in enumerate(zip(robot.platform.coordinates, robot.platform.home, strict=True)):
        turns = coordinate.turns
        factor, unit = display.travel(turns)
        room = np.pi / 3 if turns else 0.5 * extent
        low, high = home - room, home + room
        if path is not None:
            low, high = min(low, path[:, k].min()), max(high, path[:, k].max())
        low, high, step = _nice(low * factor, high * factor)
        found.append(gui.add_slider(f"{coordinate.name} [{unit}]", low, high, step, home * factor))
    return found


def _nice(low: float, high: float) -> tuple[float, float, float]:
    """Round ends and a round step for a slider that holds the range."""
    step = 10.0 ** np.floor(np.log10((high - low) / 100))
    return float(np.floor(low / step) * step), float(np.ceil(high / step) * step), float(step)


POOR = 100.0
"""Condition number from which a pose is called poorly conditioned."""


def actuator_table(result: InverseDynamics, k: int, display: Display) -> str:
    """Markdown: name, displacement, force and use of the stroke of each actuator in sample k."""
    joints = result.robot.actuators
    lines = ["| actuator | displacement | force |", "|:--|--:|--:|"]
    for j, (name, joint) in enumerate(zip(result.actuators, joints, strict=True)):
        travel, push = display.travel(joint.kind == "R"), display.effort(joint.kind == "R")
        displacement, force = result.q[k, j] * travel[0], result.force[k, j] * push[0]
        lines.append(f"| {name} | {_text(displacement, travel[1])} | {_text(force, push[1])} |")
    return "\n".join(lines)


def warnings(result: InverseDynamics, k: int, display: Display) -> list[str]:
    """What is not fine in sample k: out of reach, near singular, poorly conditioned, beyond a stroke."""
    status = Status(int(result.status[k]))
    if status > Status.NEAR_SINGULAR:
        return [sentence(status, result.robot.legs[int(result.leg[k])].name, float(result.amount[k]))]
    found = []
    condition = float(result.condition[k])
    if str(result.status_text[k]) != "fine":
        found.append(f"near singular: condition number {condition:.3g}")
    elif condition > POOR:
        found.append(f"poorly conditioned: condition number {condition:.3g}")
    joints = result.robot.actuators
    return found + list(_beyond(result.actuators, joints, result.q[k], display))


def colour_words(robot: Robot, most: float, display: Display) -> str:
    """What the colours of legs and arrows mean."""
    turns = [joint.turns for joint in robot.actuators]
    if len(set(turns)) > 1:
        return "Red: positive force or torque; blue: negative; grey: little."
    factor, unit = display.effort(turns[0])
    words = ("positive torque", "negative") if turns[0] else ("positive force, a push", "negative, a pull")
    return f"Red: {words[0]}; blue: {words[1]}; grey: little; full colour at {number(most * factor, 3)} {unit}."


def _beyond(names: Sequence[str], joints: Sequence[Any], displacement: Array, display: Display) -> list[str]:
    found = []
    for name, joint, value in zip(names, joints, displacement.tolist(), strict=True):
        low, high = joint.limits.stroke or (-np.inf, np.inf)
        if not low <= value <= high:
            factor, unit = display.travel(joint.kind == "R")
            past = low - value if value < low else value - high
            found.append(f"{name} is {number(past * factor, 3)} {unit} beyond its stroke")
    return found


def _text(value: float, unit: str) -> str:
    return f"{number(value, 5)} {unit}" if np.isfinite(value) else "-"


PER_SECOND = 30
SAMPLES = 401


class LiveView:
    """A running viewer of one robot, with or without a motion. `url` says where.

    What is shown is `x` (n,), at `time` of the motion while that is in use, and `warning`, empty where all is fine.
    """

    def __init__(
        self,
        robot: Robot,
        motion: Motion | None,
        display: Display,
        port: int | None = None,
        stated: Convention | None = None,
    ) -> None:
        """The viewer, serving at once."""
        self.robot, self.motion, self.display = robot, motion, display
        self.stated = stated or Convention()
        self.x = np.array(robot.platform.home, dtype=float)
        self.time, self.playing, self.warning = 0.0, False, ""
        self._lock = threading.RLock()
        self._following = False
        self._path = None if motion is None else inverse_dynamics_along(robot, motion, SAMPLES)
        self._most = self._largest()
        self.server = start(port, f"gough view {robot.name}")
        self.url = f"http://127.0.0.1:{self.server.get_port()}"
        self.stage = Stage(self.server, MovingRobot(robot, None if self._path is None else self._path.x))
        self.overlay = Overlay(self.server, robot)
        self._build()
        self.show_pose(self.x)

    def show_pose(self, x: ArrayLike) -> None:
        """The robot at rest at platform coordinates x (n,): holding forces, and a warning where it cannot be there."""
        with self._lock:
            self.x = np.asarray(x, dtype=float)
            self._modes.forget()
            still = np.zeros((1, len(self.x)))
            self._show(inverse_dynamics(self.robot, self.x[None], still, still), 0)

    def show_time(self, t: float) -> None:
        """The robot at a time of its motion, with the forces that move it [s]."""
        if self._path is None or self.motion is None:
            return
        with self._lock:
            self.time = float(np.clip(t, self.motion.start, self.motion.end))
            k = int(np.argmin(np.abs(self._path.t - self.time)))
            self.x = self._path.x[k]
            self._modes.forget()
            self._show(self._path, k)
            self._follow()

    def find_modes(self) -> None:
        """All assembly modes at the displacements of what is shown, to choose from."""
        self.play(False)
        with self._lock:
            result, k = self._shown
            if result.status[k] > Status.NEAR_SINGULAR:
                raise InputError("assembly modes: a leg does not reach here, so there are no displacements")
            self._modes.find(result.q[k])

    def show_mode(self, k: int | None) -> None:
        """The robot in assembly mode k of those found last, or None: as posed. Forces are those of the robot's own."""
        with self._lock:
            modes = self._modes.modes
            if k is None or modes is None:
                self._show(*self._shown)
                return
            snapshot = self.stage.moving.in_mode(modes, k)
            self.stage.show(snapshot)
            self.stage.colour(None, self._most)
            self.stage.arrows(snapshot, None, self._most)
            stated = stated_text(self.robot, modes.x[k].tolist(), self.stated, self.display, modes.dependent[k])
            limits = "within" if modes.within_limits[k] else "beyond"
            proof = "certified" if modes.certified[k] else "not certified"
            self.warning = "" if modes.within_limits[k] else f"assembly mode {k + 1} is beyond limits of joints"
            self._words.content = (
                f"Assembly mode {k + 1} of {len(modes.sample)}, {limits} limits of joints, {proof}\n\n"
                f"Pose: {stated} ({self.stated.described(*self.display.length)})"
            )
            self.stage.warning.text, self.stage.warning.visible = self.warning or " ", bool(self.warning)

    def run(self) -> None:
        """Serve and play until interrupted."""
        while True:
            self.step(1.0 / PER_SECOND)
            time.sleep(1.0 / PER_SECOND)

    def step(self, seconds: float) -> None:
        """Advance a motion that plays; at its end it begins again."""
        if not self.playing or self.motion is None:
            return
        later = self.time + seconds * float(self._speed.value)
        self.show_time(self.motion.start if later > self.motion.end else later)

    def close(self) -> None:
        """Stop serving."""
        stop(self.server)

    def _show(self, result: InverseDynamics, k: int) -> None:
        found = warnings(result, k, self.display)
        self.warning = "; ".join(found)
        lost = result.status[k] > Status.NEAR_SINGULAR
        forces = result.force[k]
        self._shown = result, k
        if lost:
            self.stage.colour(None, self._most, lost=self.robot.legs[int(result.leg[k])].name)
        else:
            snapshot = self.stage.moving.at(result.x[k])
            self.stage.show(snapshot)
            self.stage.colour(forces if self._coloured.value else None, self._most)
            self.stage.arrows(snapshot, forces if self._forces.value else None, self._most)
        self._table.content = actuator_table(result, k, self.display)
        text = f"**Warning:** {self.warning}" if self.warning else "Within reach, within stated strokes."
        convention = self.stated.described(*self.display.length)
        follows = dependent_coordinates(self.robot, self.x)[0]
        stated = stated_text(self.robot, self.x.tolist(), self.stated, self.display, follows)
        pose = f"{stated} ({convention})"
        number = "" if lost else f"Condition number {float(result.condition[k]):.3g}\n\n"
        self._words.content = f"{text}\n\n{number}Pose: {pose}"
        self.stage.warning.text, self.stage.warning.visible = self.warning or " ", bool(self.warning)

    def _build(self) -> None:
        """All controls."""
        gui = self.server.gui
        gui.set_panel_label(self.robot.name)
        with gui.add_folder("Platform"):
            path = None if self._path is None else self._path.x
            self._sliders = pose_sliders(gui, self.robot, self.display, self.stage.extent, path)
            gui.add_button("Home").on_click(self._safely(lambda: self.pose(self.robot.platform.home)))
        with gui.add_folder("Motion", visible=self.motion is not None):
            low, high = (self.motion.start, self.motion.end) if self.motion is not None else (0.0, 1.0)
            self.time = low
            self._play = gui.add_button("Play")
            self._scrub = gui.add_slider("time [s]", low, high, max((high - low) / 400, 1e-6), low)
            self._speed = gui.add_slider("speed", 0.1, 2.0, 0.1, 1.0)
        with gui.add_folder("Actuators"):
            self._words = gui.add_markdown("")
            self._table = gui.add_markdown("")
        with gui.add_folder("Assembly modes"):
            self._modes = ModeChoice(gui, self.robot)
        with gui.add_folder("Show"):
            self._coloured = gui.add_checkbox("legs coloured by force", True)
            self._forces = gui.add_checkbox("force arrows", True)
            room = gui.add_checkbox("workspace at this orientation", False)
            loose = gui.add_checkbox("det K = 0 at this orientation", False)
            frames = gui.add_checkbox("frames", True)
            names = gui.add_checkbox("names of legs", True)
            gui.add_markdown(colour_words(self.robot, self._most, self.display))
        for slider in self._sliders:
            slider.on_update(self._safely(self._moved))
        self._play.on_click(self._safely(lambda: self.play(not self.playing)))
        self._scrub.on_update(self._safely(self._scrubbed))
        self._modes.listen(self._safely(self.find_modes), self._safely(lambda: self.show_mode(self._modes.chosen)))
        room.on_update(self._safely(lambda: self.overlay.workspace(room.value, self.x)))
        loose.on_update(self._safely(lambda: self.overlay.singular(loose.value, self.x)))
        frames.on_update(self._safely(lambda: self.stage.frames_visible(frames.value)))
        names.on_update(self._safely(lambda: self.stage.names_visible(names.value)))
        for box in (self._coloured, self._forces):
            box.on_update(self._safely(self._again))

    def _safely(self, act: Callable[[], None]) -> Callable[[Any], None]:
        """What a control calls: an impossible value gives a warning, and the viewer continues."""

        def called(_event: object) -> None:
            try:
                act()
            except GoughError as error:
                self._warn(str(error))
            except (ValueError, TypeError, ArithmeticError):
                self._warn("the page sent a value that is not understood")

        return called

    def _warn(self, text: str) -> None:
        with self._lock:
            self.warning = text
            self._words.content = f"**Warning:** {text}"
            self.stage.warning.text, self.stage.warning.visible = text, True

    def play(self, on: bool) -> None:
        """Play or pause the motion."""
        with self._lock:
            self.playing = on and self.motion is not None
            self._play.label = "Pause" if self.playing else "Play"

    def _moved(self) -> None:
        """A slider was moved by hand: the motion stops."""
        if self._following:
            return
        self.play(False)
        self.show_pose([slider.value / self._factor(k) for k, slider in enumerate(self._sliders)])

    def _scrubbed(self) -> None:
        if not self._following:
            self.play(False)
            self.show_time(self._scrub.value)

    def pose(self, x: ArrayLike) -> None:
        """The robot at rest at x (n,), the sliders with it."""
        self.play(False)
        self.show_pose(x)
        self._follow()

    def _again(self) -> None:
        """The same pose with other things shown."""
        with self._lock:
            self._show(*self._shown)

    def _follow(self) -> None:
        """Set the sliders to what is shown."""
        self._following = True
        try:
            for k, slider in enumerate(self._sliders):
                slider.value = float(np.clip(self.x[k] * self._factor(k), slider.min, slider.max))
            if self.motion is not None:
                self._scrub.value = self.time
        finally:
            self._following = False

    def _factor(self, k: int) -> float:
        return self.display.travel(self.robot.platform.coordinates[k].turns)[0]

    def _largest(self) -> float:
        """The scale of forces: the largest of the motion, or of standing at home."""
        if self._path is not None and np.isfinite(self._path.force).any():
            return float(np.nanmax(np.abs(self._path.force)))
        still = np.zeros((1, len(self.x)))
        return float(np.nanmax(np.abs(inverse_dynamics(self.robot, self.x[None], still, still).force), initial=0.0))


def serve(
    robot: Robot,
    motion: Motion | None,
    display: Display,
    port: int | None = None,
    stated: Convention | None = None,
    x: Sequence[float] | None = None,
) -> None:
    """Show a robot until interrupted, at x (n,) or playing its motion; the address is printed first."""
    view = LiveView(robot, motion, display, port, stated)
    try:
        print(f"{robot.name} at {view.url} (stop with Ctrl-C)", flush=True)
        if x is None:
            view.play(motion is not None)
        else:
            view.pose(x)
        view.run()
    finally:
        view.close()
