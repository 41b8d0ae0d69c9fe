"""Exported files as the engines read them: MuJoCo, Pinocchio, and Pinocchio on what libsdformat reads."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pinocchio as pin
import yaml

from gough.formats.engines.mujoco_engine import MujocoEngine
from gough.formats.engines.names_in_file import Names
from gough.formats.engines.pinocchio_engine import PinocchioEngine
from gough.formats.from_robot import link_names, spun

REVOLUTE, PRISMATIC, BALL, FIXED = 6, 5, 1, 3
"""libsdformat's numbers of joint types."""


def exported_names(robot):
    """What an exported robot's things are called in the file: stated here, not read from it."""
    spinning = {leg.name: (link_names(leg)[spun(leg)[0]], np.zeros(3)) for leg in robot.legs if leg.free_spin}
    drives = tuple(
        leg.name if leg.cable else f"{leg.name}.{joint.name}"
        for leg in robot.legs
        for joint in leg.joints
        if joint.actuated
    )
    joints = {} if robot.cables else {name: name for name in robot.joint_names}
    return Names("platform", joints, drives, spinning, {f"{name}.spin": 0.0 for name in spinning})


def mujoco_engine(file: Path):
    return MujocoEngine(file)


def pinocchio_engine(file: Path):
    return PinocchioEngine.opened(file, yaml.safe_load(file.with_suffix(".yaml").read_text()))


class SdfEngine(PinocchioEngine):
    """A Pinocchio model of what libsdformat read: nothing of gough's reader or of its frames enters.

    Joints that turn or slide make the tree, with the world as the body where links stand in the file; ball and fixed
    joints close it. Coordinates are zero where the file has the links.
    """

    reads_rotors = True

    def __init__(self, reader: Path, file: Path, homes):
        read = json.loads(subprocess.run([reader, file], capture_output=True, text=True, check=True).stdout)
        self.homes = homes
        model = pin.Model()
        model.gravity.linear = np.array(read["gravity"])
        links = {link["name"]: link for link in read["links"]}
        poses = {name: pin.XYZQUATToSE3(np.array(link["pose"])) for name, link in links.items()}
        poses["world"] = pin.SE3.Identity()
        moving = [joint for joint in read["joints"] if joint["type"] in (REVOLUTE, PRISMATIC)]
        at, inside = {"world": 0}, {"world": pin.SE3.Identity()}

        def give(name, joint, place):
            link = links[name]
            xx, yy, zz, xy, xz, yz = link["inertia"]
            own = pin.XYZQUATToSE3(np.array(link["inertial"]))
            body = pin.Inertia(link["mass"], np.zeros(3), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
            model.appendBodyToJoint(joint, own.act(body), place)
            model.addFrame(pin.Frame(name, joint, 0, place, pin.FrameType.BODY))
            at[name], inside[name] = joint, place

        def add(parent):
            for joint in (j for j in moving if j["parent"] == parent):
                frame = pin.XYZQUATToSE3(np.array(joint["pose"]))
                axis = frame.rotation.T @ np.array(joint["axis"])
                turns = joint["type"] == REVOLUTE
                kind = (pin.JointModelRevoluteUnaligned if turns else pin.JointModelPrismaticUnaligned)(axis)
                place = inside[parent] * poses[parent].inverse() * frame
                made = model.addJoint(at[parent], kind, place, joint["name"])
                give(joint["child"], made, frame.inverse() * poses[joint["child"]])
                add(joint["child"])

        add("world")
        free = next(name for name in links if name not in at)
        give(free, model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), free), pin.SE3.Identity())
        pairs = []
        for joint in read["joints"]:
            if joint["type"] in (BALL, FIXED):
                frame = pin.XYZQUATToSE3(np.array(joint["pose"]))
                ids = [
                    model.addFrame(
                        pin.Frame(
                            f"{joint['name']} {end}",
                            at[joint[end]],
                            0,
                            inside[joint[end]] * poses[joint[end]].inverse() * frame,
                            pin.FrameType.OP_FRAME,
                        )
                    )
                    for end in ("parent", "child")
                ]
                pairs.append((*ids, joint["type"] == FIXED))
        mimics = [(j["name"], *j["mimic"]) for j in moving if "mimic" in j]
        super().__init__(model, pairs, mimics)
        self.added = [np.zeros(model.nv) for _ in range(3)]
        for joint in moving:
            place = model.joints[model.getJointId(joint["name"])].idx_v
            for row, key in zip(self.added, ("damping", "friction", "rotor"), strict=True):
                row[place] = joint.get(key, 0.0)

    def configuration(self, values, free):
        return super().configuration({name: value - self.homes[name] for name, value in values.items()}, free)

    def inverse(self, q, v, a):
        damping, friction, rotor = self.added
        effort = np.array(pin.rnea(self.model, self.data, q, v, a))
        return effort + damping * v + friction * np.sign(v) + rotor * a
