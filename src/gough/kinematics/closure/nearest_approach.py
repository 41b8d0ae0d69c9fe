"""How near a leg comes to its place on the platform where Newton's method cannot close it.

The square of the closure error, f = (gap^2 + (stiff misalignment)^2) / 2, is brought to its least value over the leg's
coordinates by damped Newton steps with exact derivatives, from home by way of poses between, from the other assemblies
at home and from other starts. What gap is left at a least value is how far the leg falls short; a rigid end keeps its
orientation, which is what `STIFF` holds it to. This is a program of its own, recorded only when a sample needs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array, Scalar, Vector, dot, record
from gough.graph.derive import gradient, jacobian
from gough.kinematics.closure.assembly import assemblies, chosen
from gough.kinematics.closure.close import end_target
from gough.kinematics.closure.newton import REACHED, STAGES, closure_error
from gough.kinematics.pose import platform_pose
from gough.robot import Mechanism, by_mechanism
from gough.run import Program

STIFF = (1.0, 10.0, 100.0, 1e3, 1e4)
"""Gap [m] that a misalignment [sine of an angle] counts as, one after the other: stiff from the beginning, the way down
would be a narrow winding valley. In the end a gap of d is given away by about 1e-8 d."""
STARTS = 8
"""Other starts than home, at random but always the same: a crank has a near and a far side."""
_STEPS = 40
_LEVEL = 1e-12
"""What the next Newton step would still take off f, as a share of it, where it counts as least."""


def nearest(robot: Mechanism, leg: int, x: Array) -> tuple[Array, NDArray[np.bool_]]:
    """(N,) least gap of a leg [m] at poses x (N, n), and whether it is one: level, and with the orientation kept."""
    home = _home(robot, leg)
    at = np.array(robot.platform.home)
    random = np.random.default_rng(1954)
    turns = np.array([joint.kind == "R" for joint in robot.legs[leg].joints if joint.mimic is None])
    others = home + np.where(turns, np.pi, 0.3) * random.uniform(-1.0, 1.0, (STARTS, len(home)))
    led = np.broadcast_to(home, (len(x), len(home)))
    for k in range(1, STAGES):
        led, _ = _descend(robot, leg, led, at + (x - at) * (k / STAGES))
    elsewhere = [np.array(assembly.values) for assembly in assemblies(robot.legs[leg], robot.platform)]
    starts = [led, *(np.broadcast_to(other, led.shape) for other in [*others, *elsewhere])]
    u, least = _descend(robot, leg, np.concatenate(starts), np.concatenate([x] * len(starts)))
    found = _program(robot, leg)(u=u, x=np.concatenate([x] * len(starts)), stiff=STIFF[-1:])
    gap = np.linalg.norm(found["r"][:, :3], axis=1).reshape(len(starts), len(x))
    turned = np.linalg.norm(found["r"][:, 3:], axis=1).reshape(gap.shape)
    closed = (gap <= REACHED) & (turned <= REACHED)
    settled = closed | (least.reshape(gap.shape) & (turned <= 1e-3 * np.maximum(gap, 1e-6)))
    gap = np.where(settled, gap, np.inf)
    best = gap.min(axis=0)
    return best, np.isfinite(best)


@by_mechanism(64)
def _home(robot: Mechanism, k: int) -> Array:
    return np.array(chosen(robot.legs[k], robot.platform).values)


@by_mechanism(64)
def _program(robot: Mechanism, k: int) -> Program:
    """Closure error r, f, its gradient g and its second derivatives H at coordinates u, a pose x and a stiffness."""
    leg = robot.legs[k]
    independent = [i for i, joint in enumerate(leg.joints) if joint.mimic is None]

    def equations(u: Vector, x: Vector, stiff: Scalar) -> dict[str, Any]:
        r = closure_error(leg, independent, *end_target(leg, platform_pose(robot.platform, x)), u)
        f = dot(r[:3], r[:3]) * 0.5
        if len(r) > 3:
            f = f + dot(r[3:], r[3:]) * (0.5 * stiff[0] * stiff[0])
        g = gradient(f, u)
        return {"r": r, "f": f, "g": g, "H": jacobian(g, u)}

    return Program(record(equations, u=len(independent), x=robot.dof, stiff=1))


def _descend(robot: Mechanism, leg: int, u: Array, x: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Coordinates (N, m) of least f near u, and whether no step would make it less (N,)."""
    least = np.zeros(len(u), dtype=bool)
    for stiff in STIFF if robot.legs[leg].end.kind == "rigid" else STIFF[-1:]:
        u, least = _least(_program(robot, leg), u, x, stiff)
    return u, least


def _least(program: Program, u: Array, x: Array, stiff: float) -> tuple[Array, NDArray[np.bool_]]:
    """The same at one stiffness; a sample that has come to rest takes no more steps."""
    u, least, active = np.array(u, dtype=float), np.zeros(len(u), dtype=bool), np.arange(len(u))
    damping = np.zeros(len(u))
    now = program(u=u, x=x, stiff=[stiff])
    for _ in range(_STEPS):
        values, vectors = np.linalg.eigh(now["H"])
        along = np.einsum("nij,ni->nj", vectors, now["g"])
        largest = np.abs(values).max(axis=1)
        steep = np.maximum(np.abs(values), 1e-12 * largest[:, None]) + damping[active, None] + 1e-300
        level = ((along**2 / steep).sum(axis=1) <= _LEVEL * now["f"]) & (values[:, 0] >= -1e-6 * largest)
        least[active[level]] = True
        if level.all():
            break
        keep = ~level
        active, now = active[keep], {name: value[keep] for name, value in now.items()}
        step = np.clip(-np.einsum("nij,nj->ni", vectors[keep], along[keep] / steep[keep]), -1.0, 1.0)
        trial = program(u=u[active] + step, x=x[active], stiff=[stiff])
        better = trial["f"] <= now["f"]
        grown = np.maximum(10.0 * damping[active], 1e-3 * largest[keep])
        damping[active] = np.where(
            better, np.where(damping[active] < 1e-9 * largest[keep], 0.0, 0.1 * damping[active]), grown
        )
        u[active[better]] += step[better]
        for name, value in now.items():
            value[better] = trial[name][better]
    return u, least
