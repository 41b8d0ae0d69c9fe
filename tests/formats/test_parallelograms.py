"""Parallelograms that a file writes as loops within a leg, and loops there that are none."""

from __future__ import annotations

import numpy as np
import pytest

import gough
from gough.formats.xml_text import FormatError
from tests.formats.test_import_files import FOREIGN, urdf_joint, urdf_link

P, Q, ELBOW, KNEE, TIP = (np.array(v) for v in ([0.3, 0.0], [-0.1, 0.0], [0.4, 0.3], [-0.25, 0.35], [0.15, 0.7]))
"""Feet, elbows and tip of the two arms [m], in the plane z = 0."""
LOWER, UPPER = np.array([0.05, 0.02]), np.array([-0.06, 0.03])
"""From the bars of the arm on the right to those beside them [m]."""


def guided(skew=0.0):
    """A planar machine whose tip keeps its direction by two parallelograms; skew [m] makes the first none.

    Arm, forearm and bar of the right leg turn about one pin at the elbow.
    """

    def joint(name, parent, child, v, kind="continuous"):
        return urdf_joint(name, parent, child, f"{v[0]:.17g} {v[1]:.17g} 0", kind)

    heavy = "arm side bar fore beside arm2 fore2 tip".split()
    parts = [urdf_link("ground", 0), *(urdf_link(name, 0.3 + 0.1 * k) for k, name in enumerate(heavy))]
    parts += [urdf_link(name, 0) for name in ("end1", "eye1", "end2", "eye2", "end3", "eye3")]
    parts += [
        joint("drive", "ground", "arm", P),
        joint("elbow", "arm", "fore", ELBOW - P),
        joint("pin", "fore", "bar", np.zeros(2)),
        joint("side_foot", "ground", "side", P + LOWER + [skew, 0.0]),
        joint("side_end", "side", "end1", ELBOW - P - [skew, 0.0]),
        joint("bar_eye", "bar", "eye1", LOWER, "fixed"),
        joint("beside_foot", "bar", "beside", UPPER),
        joint("beside_end", "beside", "end2", TIP - ELBOW),
        joint("tip_eye", "tip", "eye2", UPPER, "fixed"),
        joint("fore_end", "fore", "end3", TIP - ELBOW),
        joint("tip_point", "tip", "eye3", np.zeros(2), "fixed"),
        joint("drive2", "ground", "arm2", Q),
        joint("knee", "arm2", "fore2", KNEE - Q),
        joint("tip_joint", "fore2", "tip", TIP - KNEE),
    ]
    whole = "".join(parts).replace("<inertia ", '<inertia ixy="0" ixz="0" iyz="0" ')
    return f'<robot name="guided">{whole}</robot>'


LOOPS = """closed_loop: [[end1, eye1], [end2, eye2], [end3, eye3]]
type: ["6d", "6d", "6d"]
name_mot: [drive, drive2]
"""


def written(folder, text):
    (folder / "guided.urdf").write_text(text)
    (folder / "guided.yaml").write_text(LOOPS)
    return folder / "guided.urdf"


def test_loops_of_parallelograms_become_joints_that_follow(tmp_path):
    found = gough.import_robot(written(tmp_path, guided()), "tip")
    robot = found.robot
    assert [c.name for c in robot.platform.all_coordinates] == ["x", "y"]
    assert found.agreement is not None
    assert found.agreement.closure < 1e-12
    assert found.agreement.force < 1e-9
    follow = {j.name: j.mimic.ratio for leg in robot.legs for j in leg.joints if j.mimic is not None}
    assert sorted(abs(ratio) for ratio in follow.values()) == [1.0] * 4
    assert {body.name for body in robot.bodies if body.mass} >= {"arm", "side", "bar", "fore", "beside", "tip"}
    told = [line for line in found.remarks if "makes a parallelogram with" in line]
    assert [line.partition(":")[0] for line in told] == ["beside", "side"]


def test_platforms_behind_parallelograms_are_named(tmp_path):
    with pytest.raises(FormatError, match=r"links could be the platform: .*\btip\b.*; name it: --platform \w+"):
        gough.import_robot(written(tmp_path, guided()))


def test_other_four_bars_are_refused_with_the_reason(tmp_path):
    with pytest.raises(FormatError, match="a leg is one chain from base to platform, with a loop in it only where"):
        gough.import_robot(written(tmp_path, guided(skew=0.03)), "tip")


def test_the_foreign_delta_has_two_parallelograms():
    folder = FOREIGN / "gepetto_delta"
    found = gough.import_robot(folder / "robot.urdf", "effector", loops=folder / "robot.yaml")
    assert [j.name for j in found.robot.actuators] == ["mot1_rod2", "mot1_rod1"]
    assert found.agreement is not None
    assert found.agreement.force < 1e-9
