"""Forward kinematics: from actuator displacements to the pose at the end of the path from a guess."""

from gough.kinematics.forward.forward_kinematics import ForwardKinematics, forward_kinematics

__all__ = ["ForwardKinematics", "forward_kinematics"]
