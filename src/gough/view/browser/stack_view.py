"""A stack of two robots in the browser, and as one HTML file that plays by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from gough.display import Display
from gough.dynamics import InverseDynamics
from gough.dynamics.stacks.stack_dynamics import StackDynamics, stack_dynamics
from gough.dynamics.stacks.stack_file import Stack
from gough.errors import GoughError
from gough.graph import Array
from gough.kinematics import Status
from gough.motion import State
from gough.view.browser.animation_file import show_frame
from gough.view.browser.live import PER_SECOND
from gough.view.browser.meshes import quaternion
from gough.view.browser.moving import MovingRobot
from gough.view.browser.panel import actuator_table, faults
from gough.view.browser.reach import Reach, Room
from gough.view.browser.server import safely, start, stop
from gough.view.browser.sliders import pose_sliders
from gough.view.browser.stage import Stage
from gough.view.drawing.scene import best_view
from gough.view.drawing.stack_drawing import stack_scene


class StackStage:
    """The nodes of both robots; those of the upper one hang on a node that the lower platform carries.

    Attributes:
        stages: Stages of the lower and the upper robot.
        scales: Largest force of each, for colours and arrows.
    """

    def __init__(self, server: Any, stack: Stack, found: StackDynamics) -> None:
        """Both robots at home; `found` are the samples they will be shown at."""
        self.stack = stack
        lower = Stage(server, MovingRobot(stack.lower, found.lower.x))
        self._mount = server.scene.add_frame("/upper", show_axes=False)
        self.stages = (lower, Stage(server, MovingRobot(stack.upper, found.upper.x), "/upper"))
        self.scales = [
            float(np.nanmax(np.abs(part.force), initial=0.0)) if np.isfinite(part.force).any() else 0.0
            for part in (found.lower, found.upper)
        ]
        both = stack_scene(stack)
        low, high = both.reach(np.eye(3))
        middle, size = (low + high) / 2.0, float(np.linalg.norm(high - low))
        eye = server.initial_camera
        eye.position = tuple(middle + 0.95 * size * best_view(both).view[2])
        eye.look_at = tuple(middle)

    def carry(self, x: Array) -> None:
        """Put the upper robot on the lower platform at the lower's coordinates x (n,).

        Raises:
            PoseError: A leg of the lower robot does not reach.
        """
        at = self.stages[0].moving.at(x)
        self._mount.position = at.p_BP + at.R_BP @ np.array(self.stack.position)
        self._mount.wxyz = quaternion(at.R_BP @ np.array(self.stack.rotation))

    def show(self, found: StackDynamics, k: int, display: Display) -> None:
        """One sample of both."""
        if found.lower.status[k] <= Status.NEAR_SINGULAR:
            self.carry(found.lower.x[k])
        for stage, part, most in zip(self.stages, (found.lower, found.upper), self.scales, strict=True):
            show_frame(stage, part, k, str(part.status_text[k]), most, display)


def stack_html(stack: Stack, found: StackDynamics, display: Display) -> str:
    """The page: both robots along the samples of `found`, in real time, legs in the colours of their forces."""
    server = start(None, stack.name)
    try:
        stage = StackStage(server, stack, found)
        for each in stage.stages:
            each.readout.visible = each.warning.visible = True
        serializer, t = server.get_scene_serializer(), found.lower.t
        for k in range(len(t)):
            stage.show(found, k, display)
            serializer.insert_sleep(float(t[k + 1] - t[k]) if k + 1 < len(t) else 1.0)
        return str(serializer.as_html())
    finally:
        stop(server)


class StackView:
    """A running viewer of a stack along motions of both robots. `url` says where, `warning` what is not fine."""

    def __init__(self, stack: Stack, found: StackDynamics, display: Display, port: int | None = None) -> None:
        """The viewer of the samples `found`, serving at once; sliders are bounded once `settle` is called."""
        self.stack, self.found, self.display = stack, found, display
        self.k, self.playing, self.warning = 0, False, ""
        self._lock, self._following = threading.RLock(), False
        self.server = start(port, f"gough stack {stack.name}")
        self.url = f"http://127.0.0.1:{self.server.get_port()}"
        self.stage = StackStage(self.server, stack, found)
        self._reaches = [Reach(stage.moving.robot, stage.extent) for stage in self.stage.stages]
        self._unsettled = True
        self._build()
        self.show_sample(0)

    def show_sample(self, k: int) -> None:
        """Both robots at sample k of their motions, with the forces that move them."""
        with self._lock:
            self.k = int(np.clip(k, 0, len(self.found.lower.t) - 1))
            self._show(self.found, self.k)
            self._follow(self.found.lower.x[self.k], self.found.upper.x[self.k])

    def show_poses(self, lower: ArrayLike, upper: ArrayLike) -> None:
        """Both robots at rest at their platform coordinates (n,), with the forces that hold them there."""
        with self._lock:
            below, above = (State(np.asarray(x, dtype=float)[None], t=[0.0]) for x in (lower, upper))
            self._show(stack_dynamics(self.stack, below, above), 0)

    def play(self, on: bool) -> None:
        """Play or pause."""
        with self._lock:
            self.playing = on
            self._play.label = "Pause" if on else "Play"

    def step(self, seconds: float) -> None:
        """Advance the motions that play, at their end they begin again; else settle what rests."""
        if self.playing:
            t = self.found.lower.t
            later = float(t[self.k]) + seconds
            self.show_sample(0 if later > t[-1] else max(int(np.searchsorted(t, later)), self.k + 1))
        else:
            self.settle()

    def settle(self) -> None:
        """Bound the sliders of each robot by what its platform can reach from the pose that is shown."""
        with self._lock:
            if not self._unsettled:
                return
            self._unsettled, poses = False, [sliders.values for sliders in self._sliders]
        rooms = [_rooms(reach, x) for reach, x in zip(self._reaches, poses, strict=True)]
        with self._lock:
            if all(np.array_equal(x, sliders.values) for x, sliders in zip(poses, self._sliders, strict=True)):
                self._follow(*poses, rooms=rooms)

    def run(self) -> None:
        """Serve and play until interrupted."""
        while True:
            self.step(1.0 / PER_SECOND)
            time.sleep(1.0 / PER_SECOND)

    def close(self) -> None:
        """Stop serving."""
        stop(self.server)

    def _parts(self, found: StackDynamics) -> tuple[InverseDynamics, InverseDynamics]:
        return found.lower, found.upper

    def _show(self, found: StackDynamics, k: int) -> None:
        self._unsettled = True
        self.stage.show(found, k, self.display)
        lines = []
        for part, table in zip(self._parts(found), self._tables, strict=True):
            lines += [f"{part.robot.name}: {fault.text}" for fault in faults(part, k, self.display)]
            table.content = actuator_table(part, k, self.display)
        self._say("; ".join(lines))

    def _say(self, warning: str) -> None:
        self.warning = warning
        self._words.content = f"**Warning:** {warning}" if warning else "Within reach, within stated strokes."

    def _build(self) -> None:
        """All controls."""
        gui = self.server.gui
        gui.set_panel_label(self.stack.name)
        with gui.add_folder("Motion"):
            t = self.found.lower.t
            self._play = gui.add_button("Play")
            self._scrub = gui.add_slider("time [s]", float(t[0]), float(t[-1]), max(float(np.ptp(t)) / 400, 1e-6), t[0])
            self._words = gui.add_markdown("")
        self._sliders, self._tables = [], []
        for part, stage in zip(self._parts(self.found), self.stage.stages, strict=True):
            with gui.add_folder(part.robot.name):
                self._sliders.append(pose_sliders(gui, part.robot, self.display, stage.extent, part.x))
                self._tables.append(gui.add_markdown(""))
        self._play.on_click(self._safely(lambda: self.play(not self.playing)))
        self._scrub.on_update(self._safely(self._scrubbed))
        for slider in (s for sliders in self._sliders for s in sliders.handles):
            slider.on_update(self._safely(self._moved))

    def _safely(self, act: Callable[[], None]) -> Callable[[Any], None]:
        return safely(act, self._say)

    def _scrubbed(self) -> None:
        if not self._following:
            self.play(False)
            self.show_sample(int(np.argmin(np.abs(self.found.lower.t - self._scrub.value))))

    def _moved(self) -> None:
        """A slider was moved by hand: the motions stop."""
        if not self._following:
            self.play(False)
            lower, upper = (sliders.values for sliders in self._sliders)
            self.show_poses(lower, upper)

    def _follow(self, *poses: Array, rooms: Sequence[list[Room] | None] = (None, None)) -> None:
        """Set the sliders to what is shown, and bound them where it is said how far they go."""
        self._following = True
        try:
            for sliders, x, room in zip(self._sliders, poses, rooms, strict=True):
                sliders.set(x, room)
            self._scrub.value = float(self.found.lower.t[self.k])
        finally:
            self._following = False


def _rooms(reach: Reach, x: Array) -> list[Room] | None:
    """Of each coordinate about x (n,); None where its travel cannot be told."""
    try:
        return reach.of_platform(x)
    except GoughError:
        return None


def serve_stack(stack: Stack, found: StackDynamics, display: Display, port: int | None = None) -> None:
    """Show a stack until interrupted, playing its motions; the address is printed first."""
    view = StackView(stack, found, display, port)
    try:
        print(f"{stack.name} at {view.url} (stop with Ctrl-C)", flush=True)
        view.play(True)
        view.run()
    finally:
        view.close()
