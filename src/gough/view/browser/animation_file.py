"""A motion as one HTML file that plays by itself: numbers are labels in the scene."""

from __future__ import annotations

from textwrap import fill

import numpy as np

from gough.display import Display, plain_number
from gough.dynamics import InverseDynamics
from gough.kinematics import Status
from gough.kinematics.status import sentence
from gough.view.browser.moving import MovingRobot
from gough.view.browser.panel import WIDTH, leg_tensions
from gough.view.browser.server import start, stop
from gough.view.browser.stage import Stage

MOST_FRAMES = 240
PER_SECOND = 24


def frames_for(duration: float) -> int:
    """How many frames a motion is recorded in."""
    return int(np.clip(np.ceil(PER_SECOND * duration), 2, MOST_FRAMES)) + 1


def recorded_html(result: InverseDynamics, display: Display) -> str:
    """The page: the robot along the samples of `result`, in real time, legs in the colours of their forces."""
    moving = MovingRobot(result.robot, result.x)
    server = start(None, result.robot.name)
    try:
        stage = Stage(server, moving)
        stage.readout.visible = stage.warning.visible = True
        most = float(np.nanmax(np.abs(result.force), initial=0.0))
        texts = [str(text) for text in result.status_text]
        serializer = server.get_scene_serializer()
        for k in range(len(result.t)):
            show_frame(stage, result, k, texts[k], most, display)
            step = result.t[k + 1] - result.t[k] if k + 1 < len(result.t) else 1.0
            serializer.insert_sleep(float(step))
        return str(serializer.as_html())
    finally:
        stop(server)


def show_frame(stage: Stage, result: InverseDynamics, k: int, text: str, most: float, display: Display) -> None:
    """One sample on a stage: pose, colours, arrows and words."""
    time = f"{result.robot.name}, {result.motion}, t = {float(result.t[k]):.2f} s"
    if result.status[k] > Status.NEAR_SINGULAR:
        leg = result.robot.legs[int(result.leg[k])].name
        stage.colour(None, most, lost=[leg])
        stage.readout.text = time
        clause = sentence(Status(int(result.status[k])), leg, float(result.amount[k]), display)
        stage.warning.text = fill(clause, WIDTH)
        return
    snapshot = stage.moving.at(result.x[k])
    forces = result.force[k]
    stage.show(snapshot)
    stage.colour(forces, most, cables=leg_tensions(result, k))
    stage.arrows(snapshot, forces, most)
    turns = [joint.turns for joint in result.robot.actuators]
    strongest = int(np.argmax(np.abs(np.where(np.isfinite(forces), forces, 0.0))))
    factor, unit = display.effort(turns[strongest])
    largest = f"{plain_number(forces[strongest] * factor, 4)} {unit} ({result.actuators[strongest]})"
    stage.readout.text = f"{time}, largest {largest}"
    stage.warning.text = "" if text == "fine" else text
    _label_legs(stage, result, k, turns, display)


def _label_legs(stage: Stage, result: InverseDynamics, k: int, turns: list[bool], display: Display) -> None:
    """Each leg's name with its actuators' displacements and forces."""
    owners = [result.robot.legs[k].name for k in result.robot.actuator_legs]
    texts: dict[str, list[str]] = {}
    for j, owner in enumerate(owners):
        travel, push = display.travel(turns[j]), display.effort(turns[j])
        shown = f"{plain_number(result.q[k, j] * travel[0], 4)} {travel[1]}, "
        texts.setdefault(owner, []).append(f"{shown}{plain_number(result.force[k, j] * push[0], 3)} {push[1]}")
    for owner, parts in texts.items():
        stage.names[owner].text = f"{owner}: {'; '.join(parts)}"
