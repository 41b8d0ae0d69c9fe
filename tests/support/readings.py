"""Other readings of a paper: robots with other bodies, and how badly their forces fail the power balance."""

from dataclasses import replace

import numpy as np

from gough import Motion, State
from gough.dynamics import inverse_dynamics
from gough.reports.identity_checks import power_program
from tests.support.robots import with_values


def with_bodies(robot, **changes):
    """The robot with every body of these names changed: name=function(body); "platform" is the platform's."""
    legs = tuple(
        replace(
            leg,
            joints=tuple(
                replace(j, body=changes[j.body.name](j.body)) if j.body.name in changes else j for j in leg.joints
            ),
        )
        for leg in robot.legs
    )
    platform = robot.platform
    if platform.body.name in changes:
        platform = replace(platform, body=changes[platform.body.name](platform.body))
    return with_values(robot, legs=legs, platform=platform)


def samples(robot, motion, count=401):
    """x, xd, xdd of a named motion."""
    law = Motion.named(robot, motion)
    return law.law(np.linspace(law.start, law.end, count))


def forces(robot, motion, formulation="auto", count=401):
    """(count, actuators) along a named motion."""
    return inverse_dynamics(robot, State(*samples(robot, motion, count)), formulation=formulation).force


def power_failure(robot, motion, tau, count=401):
    """Largest failure of the power balance of the forces `tau` along a named motion, over the largest power."""
    x, xd, xdd = samples(robot, motion, count)
    power = power_program(robot)(x=x, xd=xd, xdd=xdd, wrench=np.zeros((len(x), 6)))
    given = (tau * power["rates"]).sum(axis=1)
    return np.abs(given - power["needed"][:, 0]).max() / np.abs(power["needed"]).max()
