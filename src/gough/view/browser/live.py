"""A robot in the browser: sliders for platform and actuators, a motion to play, its modes, forces and faults."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.display import Display, plain_number, stated_text
from gough.dynamics import InverseDynamics, inverse_dynamics
from gough.errors import GoughError, InputError
from gough.graph import Array
from gough.kinematics import Status, forward_kinematics, inverse_kinematics
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.status import PoseError
from gough.motion import Motion
from gough.motion.conventions import Convention
from gough.robot import Robot
from gough.view.browser.controls import Controls
from gough.view.browser.moving import MovingRobot
from gough.view.browser.overlay import Overlay
from gough.view.browser.panel import Fault, actuator_table, faults, leg_tensions, wrapped
from gough.view.browser.reach import Reach, Room
from gough.view.browser.server import safely, start, stop
from gough.view.browser.stage import Stage

PER_SECOND = 30
SAMPLES = 401
SAME = 1e-9
"""Displacements that differ by less, of a meter or radian, are the same."""


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
        """The viewer, serving at once; sliders are bounded once `settle` is called, as `run` and `step` do."""
        self.robot, self.motion, self.display = robot, motion, display
        self.stated = stated or Convention()
        self.x = np.array(robot.platform.home, dtype=float)
        self.time, self.playing, self.warning = 0.0 if motion is None else motion.start, False, ""
        self._lock = threading.RLock()
        self._drawn: Array | None = None  # other than home
        self._path = None if motion is None else inverse_dynamics(robot, motion.sample(SAMPLES))
        self._most = self._largest()
        self.server = start(port, f"gough view {robot.name}")
        self.url = f"http://127.0.0.1:{self.server.get_port()}"
        path = None if self._path is None else self._path.x
        self.stage = Stage(self.server, MovingRobot(robot, path))
        self._reach, self._unsettled, self._bounded = Reach(robot, self.stage.extent), True, False
        self.overlay = Overlay(self.server, robot)
        self.controls = Controls(self.server.gui, robot, motion, display, self.stage.extent, self._most, path)
        self._connect()
        self.show_pose(self.x)

    def show_pose(self, x: ArrayLike) -> None:
        """The robot at rest at platform coordinates x (n,): holding forces, and a warning where it cannot be there."""
        with self._lock:
            self.x = np.asarray(x, dtype=float)
            self._forget()
            self._show(inverse_dynamics(self.robot, self.x[None]), 0)

    def show_joints(self, q: ArrayLike) -> None:
        """The robot at rest with its actuators at q (actuators,), reached from what is shown in the same assembly mode.

        Raises:
            PoseError: The platform cannot follow the actuators that far.
        """
        with self._lock:
            found = forward_kinematics(self.robot, q, self._start())
            self.show_pose(found.x)
            self._follow()

    def show_time(self, t: float) -> None:
        """The robot at a time of its motion, with the forces that move it [s]."""
        if self._path is None or self.motion is None:
            return
        with self._lock:
            self.time = float(np.clip(t, self.motion.start, self.motion.end))
            k = int(np.argmin(np.abs(self._path.t - self.time)))
            self.x = self._path.x[k]
            self._forget()
            self._show(self._path, k)
            self._follow()

    def pose(self, x: ArrayLike) -> None:
        """The robot at rest at x (n,), the sliders with it."""
        self.play(False)
        self.show_pose(x)
        self._follow()

    def find_modes(self) -> None:
        """All assembly modes at the displacements of what is shown, to choose from."""
        self.play(False)
        with self._lock:
            result, k = self._shown
            if result.status[k] > Status.NEAR_SINGULAR:
                raise InputError("assembly modes: a leg does not reach here, so there are no displacements")
            self.controls.modes.find(result.q[k])

    def show_mode(self, k: int | None) -> None:
        """The robot in assembly mode k of those found last, or None: as posed. Forces are those of the robot's own."""
        with self._lock:
            self.controls.vibration.forget()
            modes = self.controls.modes.modes
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
            beyond = [] if modes.within_limits[k] else [Fault(f"assembly mode {k + 1} is beyond limits of joints")]
            self._warn(beyond)
            self.controls.words.content = (
                f"Assembly mode {k + 1} of {len(modes.sample)}, {limits} limits of joints, {proof}\n\n"
                f"Pose: {stated} ({self.stated.described(self.robot, self.display.length, self.display.angle)})"
            )

    def find_vibration(self) -> None:
        """Natural modes at the pose that is shown; the first of them swings."""
        self.play(False)
        with self._lock:
            self.controls.vibration.find(self.x)

    def play(self, on: bool) -> None:
        """Play or pause the motion."""
        with self._lock:
            self.playing = on and self.motion is not None
            self.controls.play.label = "Pause" if self.playing else "Play"

    def run(self) -> None:
        """Serve and play until interrupted."""
        while True:
            self.step(1.0 / PER_SECOND)
            time.sleep(1.0 / PER_SECOND)

    def step(self, seconds: float) -> None:
        """Advance a motion that plays, at its end it begins again, or a mode that swings; else settle what rests."""
        if self.playing and self.motion is not None:
            later = self.time + seconds * float(self.controls.speed.value)
            self.show_time(self.motion.start if later > self.motion.end else later)
        elif self.controls.vibration.chosen is not None:
            self._swing(seconds)
        else:
            self.settle()

    def settle(self) -> None:
        """Bound the sliders by what can be reached from the pose that is shown, and look at all limits there."""
        with self._lock:
            if not self._unsettled:
                return
            self._unsettled, x = False, self.x.copy()
            result, k = self._shown
            lost = bool(result.status[k] > Status.NEAR_SINGULAR)
        rooms: tuple[list[Room] | None, list[Room] | None] = (None, None)
        try:
            if not lost:
                rooms = self._reach.of_platform(x), self._reach.of_actuators(x)
            self._bounded = True
        except GoughError:
            pass
        with self._lock:
            if np.array_equal(x, self.x):
                self.controls.bound(*rooms)
                self._again()

    def close(self) -> None:
        """Stop serving."""
        stop(self.server)

    def _swing(self, seconds: float) -> None:
        with self._lock:
            x = self.controls.vibration.next(seconds)
            if x is None:
                return
            try:
                snapshot = self.stage.moving.at(x)
            except PoseError:
                return
            self.stage.show(snapshot)
            self.stage.arrows(snapshot, None, self._most)

    def _start(self) -> Array:
        """(n,) the pose from which actuators are followed: that of the assembly mode that is shown, if one is.

        Raises:
            InputError: Its legs are on other branches than at home.
        """
        modes, k = self.controls.modes.modes, self.controls.modes.chosen
        if modes is None or k is None:
            return self.x
        if np.abs(inverse_kinematics(self.robot, modes.x[k : k + 1]).q[0] - modes.q).max() < SAME:
            return np.asarray(modes.x[k])
        raise InputError(
            "assembly mode: its legs are on other branches than the robot's own; choose as posed to move on"
        )

    def _forget(self) -> None:
        self.controls.modes.forget()
        self.controls.vibration.forget()
        self._unsettled = True

    def _show(self, result: InverseDynamics, k: int) -> None:
        lost, self._shown = result.status[k] > Status.NEAR_SINGULAR, (result, k)
        limits = self._reach.violated(result.x[k]) if self._bounded and not lost else ()
        found = faults(result, k, self.display, limits)
        drawn = result.status[k] in (Status.FINE, Status.NEAR_SINGULAR, Status.INFEASIBLE)
        if not drawn:
            where = "at home" if self._drawn is None else "at the last pose within reach"
            found = [*found, Fault(f"drawn {where}")]
        at_fault = list(dict.fromkeys(leg for fault in found for leg in fault.legs))
        forces, tensions = result.force[k], leg_tensions(result, k)
        coloured = self.controls.coloured.value and not lost
        self.stage.colour(forces if coloured else None, self._most, at_fault, tensions)
        if drawn:
            self._drawn = None if np.array_equal(result.x[k], self.robot.platform.home) else result.x[k]
            snapshot = self.stage.moving.at(result.x[k])
            self.stage.show(snapshot)
            self.stage.arrows(snapshot, forces if self.controls.forces.value and not lost else None, self._most)
        factor, unit = self.display.effort(False)
        known = {leg: t for leg, t in tensions.items() if np.isfinite(t)}
        self.stage.label_legs({leg: f"{plain_number(t * factor, 3)} {unit}" for leg, t in known.items()})
        self.controls.table.content = actuator_table(result, k, self.display)
        self._warn(found)
        text = f"**Warning:** {self.warning}" if found else "Within reach, within stated strokes."
        follows = dependent_coordinates(self.robot, self.x)[0]
        stated = stated_text(self.robot, self.x.tolist(), self.stated, self.display, follows)
        condition = "" if lost else f"Condition number {float(result.condition[k]):.3g}\n\n"
        convention = self.stated.described(self.robot, self.display.length, self.display.angle)
        self.controls.words.content = f"{text}\n\n{condition}Pose: {stated} ({convention})"

    def _warn(self, found: Sequence[Fault]) -> None:
        """Say in the scene what is not fine, and keep it."""
        self.warning = "; ".join(fault.text for fault in found)
        self.stage.warning.text, self.stage.warning.visible = wrapped(found) or " ", bool(found)

    def _connect(self) -> None:
        """What each control calls."""
        c = self.controls
        calls: list[tuple[Any, Callable[[], None]]] = [
            *((slider, self._moved) for slider in c.sliders.handles),
            *((slider, self._joint_moved) for slider in c.joints.handles),
            (c.scrub, self._scrubbed),
            (c.bounded, self._unsettle),
            (c.room, lambda: self.overlay.workspace(c.room.value, self.x)),
            (c.loose, lambda: self.overlay.singular(c.loose.value, self.x)),
            (c.frames, lambda: self.stage.frames_visible(c.frames.value)),
            (c.names, lambda: self.stage.names_visible(c.names.value)),
            (c.coloured, self._again),
            (c.forces, self._again),
        ]
        for control, act in calls:
            control.on_update(self._safely(act))
        c.home.on_click(self._safely(lambda: self.pose(self.robot.platform.home)))
        c.play.on_click(self._safely(lambda: self.play(not self.playing)))
        c.modes.listen(self._safely(self.find_modes), self._safely(lambda: self.show_mode(c.modes.chosen)))
        c.vibration.listen(self._safely(self.find_vibration), self._safely(self._again))

    def _safely(self, act: Callable[[], None]) -> Callable[[Any], None]:
        return safely(act, self._refuse)

    def _refuse(self, text: str) -> None:
        with self._lock:
            self._warn([Fault(text)])
            self.controls.words.content = f"**Warning:** {text}"

    def _moved(self) -> None:
        """A slider of the platform was moved by hand: the motion stops."""
        if not self.controls.sliders.silent:
            self.play(False)
            self.show_pose(self.controls.sliders.values)
            self._follow()

    def _joint_moved(self) -> None:
        """A slider of an actuator was moved by hand: the motion stops, the platform follows."""
        if not self.controls.joints.silent:
            self.play(False)
            self.show_joints(self.controls.joints.values)

    def _scrubbed(self) -> None:
        if not self.controls.following:
            self.play(False)
            self.show_time(self.controls.scrub.value)

    def _unsettle(self) -> None:
        with self._lock:
            self._unsettled = True

    def _again(self) -> None:
        """The same pose with other things shown."""
        with self._lock:
            self._show(*self._shown)

    def _follow(self) -> None:
        """Set the sliders to what is shown."""
        with self._lock:
            result, k = self._shown
            self.controls.follow(self.x, result.q[k], self.time)

    def _largest(self) -> float:
        """The scale of forces: the largest of the motion, or of standing at home."""
        if self._path is not None and np.isfinite(self._path.force).any():
            return float(np.nanmax(np.abs(self._path.force)))
        return float(np.nanmax(np.abs(inverse_dynamics(self.robot, self.x[None]).force), initial=0.0))


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
