"""A sample that is not finite is refused, and the line says how to leave it out."""

import numpy as np
import pytest

import gough


def test_samples_that_are_not_finite_are_refused_with_what_to_do():
    robot = gough.load("delta")
    x = np.tile(robot.platform.home, (2, 1))
    x[1, 2] = 50.0
    q = gough.inverse_kinematics(robot, x).q
    with pytest.raises(gough.InputError, match=r"sample 1.*must be finite \(leave such samples out: q\[") as caught:
        gough.forward_kinematics(robot, q)
    kept = eval(str(caught.value).split("out: ")[1].removesuffix(")"), {"numpy": np, "q": q})
    assert gough.forward_kinematics(robot, kept).x == pytest.approx(x[:1], abs=1e-9)
    with pytest.raises(gough.InputError, match=r"must be finite$"):
        gough.forward_kinematics(robot, q[1])
