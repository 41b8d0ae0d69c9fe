"""A leg whose bodies move as its joints do: any chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, final

from gough.graph import array
from gough.kinematics.chain import Twist, TwistRate, chain_twist_rates, chain_twists
from gough.kinematics.leg import EndMotion, LegPose, Place, Velocities
from gough.kinematics.spatial import point_acceleration, point_velocity


def by_joints(leg: LegPose) -> ChainLeg:
    """A leg of any kind, told joint by joint."""
    return ChainLeg(*[getattr(leg, field.name) for field in fields(ChainLeg)])


@final
@dataclass(frozen=True, slots=True)
class ChainLeg(LegPose):
    """A leg joint by joint."""

    def twists(self, v: Any, w: Any) -> list[Twist]:
        """Twists of all links for the platform twist (v, w)."""
        return chain_twists(self.leg, self.links, self.rates(v, w))

    def twist_rates(self, v: Any, w: Any, a: Any, wd: Any) -> list[TwistRate]:
        """Twist rates of all links for the platform twist (v, w) and twist rate (a, wd)."""
        rates, second = self.rates(v, w), self.accelerations(v, w, a, wd)
        return chain_twist_rates(self.leg, self.links, chain_twists(self.leg, self.links, rates), rates, second)

    def position(self, k: int, r: Any) -> Any:
        """(3,) in B of the point r (3,) in the frame of body k."""
        return self.links[k].p + self.links[k].R @ array(r)

    def place(self, k: int) -> Place:
        """Where body k is."""
        return Place(self.position(k, self.leg.joints[k].body.com), self.links[k].R)

    def body_velocities(self, bodies: Sequence[int], v: Any, w: Any) -> Velocities:
        """Velocities of these bodies for the platform twist (v, w): linear in it."""
        twists = self.twists(v, w)
        return [(point_velocity(twists[k].v, twists[k].w, self._arm(k)), twists[k].w) for k in bodies]

    def body_accelerations(self, bodies: Sequence[int], v: Any, w: Any, a: Any, wd: Any) -> Velocities:
        """Accelerations of these bodies for the platform twist (v, w) and twist rate (a, wd)."""
        twists, rates = self.twists(v, w), self.twist_rates(v, w, a, wd)
        return [(point_acceleration(rates[k].a, rates[k].wd, twists[k].w, self._arm(k)), rates[k].wd) for k in bodies]

    def drive_motion(self, moved: EndMotion) -> list[tuple[Any, Any]]:
        """Rate and acceleration of each actuated joint."""
        rates = self.joint_rates(moved.v_end, moved.w)
        second = self.joint_accelerations(rates, moved.v_end, moved.a_end, moved.wd)
        return [(rates[k], second[k]) for k, joint in enumerate(self.leg.joints) if joint.actuated]

    def unspun_axis(self, _k: int) -> None:
        """None: all bodies turn as their joints say."""
        return

    def _arm(self, k: int) -> Any:
        """(3,) from the origin of link k to its centre of mass, in B."""
        return self.links[k].R @ array(self.leg.joints[k].body.com)
