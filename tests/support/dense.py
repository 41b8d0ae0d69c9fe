"""Peaks along a motion by dense sampling and scalar search, independent of the Chebyshev pieces of `gough.analysis`."""

from itertools import combinations

import numpy as np
from scipy.optimize import brentq, minimize_scalar

from gough import State
from gough.dynamics import inverse_dynamics
from gough.kinematics import inverse_kinematics
from tests.support.velocity_jacobians import on_velocities

SAMPLES = 1501


def quantity(robot, motion, kind):
    """Function of times (N,) that gives (N, k): what is to be small, one column per owner."""

    def drive(name):
        def function(t):
            result = inverse_dynamics(robot, motion(t), formulation="newton_euler")
            return np.abs(getattr(result, name))

        return function

    if kind in ("speed", "force", "power"):
        return drive({"speed": "qd"}.get(kind, kind))
    if kind == "stroke":
        return lambda t: inverse_kinematics(robot, motion(t).x).q
    if kind == "condition":
        return lambda t: _singular_values(robot, motion(t).x)[:, :1] / _singular_values(robot, motion(t).x)[:, -1:]
    if kind == "singular":
        return lambda t: -_singular_values(robot, motion(t).x)[:, -1:]
    if kind == "distance":
        return lambda t: -_distances(robot, motion(t).x)
    if kind == "joint":
        return lambda t: inverse_kinematics(robot, motion(t).x).joint_q[:, [k for k, _ in passive_joints(robot)]]
    assert kind == "angle"
    return lambda t: np.array([_angles(robot, x) for x in motion(t).x])


def _singular_values(robot, x):
    K = np.array([on_velocities(robot, at, K) for at, K in zip(x, inverse_kinematics(robot, x).K, strict=True)])
    return np.sqrt(np.abs(np.linalg.eigvalsh(np.swapaxes(K, 1, 2) @ K)))[:, ::-1]


def _frame(robot, x):
    """p and R of a platform whose turning coordinates come in the order rz, ry, rx."""
    from scipy.spatial.transform import Rotation

    names = [c.motion for c in robot.platform.coordinates]
    turn = "".join(name[1].upper() for name in names[3:])
    return x[:3], Rotation.from_euler(turn, x[3:]).as_matrix()


def leg_ends(robot, x):
    """(legs, 3) base points and platform points of a UPS robot in B."""
    p, R = _frame(robot, x)
    return np.array([leg.position for leg in robot.legs]), np.array(
        [p + R @ leg.end.platform_point for leg in robot.legs]
    )


def _angles(robot, x):
    """Angles of both joints of each leg of a UPS robot from the leg's direction at home, leg by leg."""
    found = []
    for R, a, b in ((_frame(robot, x)[1], *leg_ends(robot, x)),):
        base, end = leg_ends(robot, np.array(robot.platform.home))
        home = (end - base) / np.linalg.norm(end - base, axis=1)[:, None]
        now = (b - a) / np.linalg.norm(b - a, axis=1)[:, None]
        for h, n in zip(home, now, strict=True):
            found += [_between(h, n), _between(h, R.T @ n)]
    return found


def passive_joints(robot):
    """Place among all joints and name of every passive joint that does not follow another."""
    joints = [(leg.name, joint) for leg in robot.legs for joint in leg.joints]
    return [(k, f"{leg}.{j.name}") for k, (leg, j) in enumerate(joints) if not j.actuated and j.mimic is None]


def leg_pairs(robot):
    """Indices of all pairs of legs."""
    return list(combinations(range(len(robot.legs)), 2))


def _distances(robot, x):
    """(N, pairs) between the axes of the legs of a UPS robot; near a joint that two legs share they are cut by 5 %."""
    ends = np.array([leg_ends(robot, pose) for pose in x])
    home = np.array(leg_ends(robot, np.array(robot.platform.home)))
    i, j = np.array(leg_pairs(robot)).T
    length = np.linalg.norm(home[1] - home[0], axis=1)[i]
    cut = [np.where(np.linalg.norm(home[k, i] - home[k, j], axis=1) < 1e-9, 0.05 * length, 0.0) for k in (0, 1)]
    lines = []
    for leg in (i, j):
        a, b = ends[:, 0, leg], ends[:, 1, leg]
        n = (b - a) / np.linalg.norm(b - a, axis=-1, keepdims=True)
        lines += [a + cut[0][:, None] * n, b - cut[1][:, None] * n]
    return _segments(*lines)


def _segments(a, b, c, d):
    """Distances of segments: the distance to the second is convex along the first, by golden section."""
    u, v = b - a, d - c
    v /= np.linalg.norm(v, axis=-1, keepdims=True) ** 2

    def square(s):
        w = a - c + s[..., None] * u
        gap = w - np.clip(np.einsum("...i,...i->...", w, v), 0.0, 1.0)[..., None] * (d - c)
        return np.einsum("...i,...i->...", gap, gap)

    low, high, share = np.zeros(a.shape[:-1]), np.ones(a.shape[:-1]), (np.sqrt(5.0) - 1.0) / 2.0
    for _ in range(45):
        left, right = high - share * (high - low), low + share * (high - low)
        nearer = square(left) < square(right)
        low, high = np.where(nearer, low, left), np.where(nearer, right, high)
    return np.sqrt(np.minimum.reduce([square(0.5 * (low + high)), square(0.0 * low), square(1.0 + 0.0 * low)]))


def _between(a, b):
    return 2.0 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b))


def peaks(robot, motion, kind):
    """For each column its largest value and when, (k,) each."""
    function = quantity(robot, motion, kind)
    span = motion.duration
    times = [np.linspace(motion.start, motion.end, SAMPLES), motion.breakpoints]
    if kind in ("force", "power") and any(j.coulomb for leg in robot.legs for j in leg.joints):
        times += _flips(robot, motion)
    t = np.unique(np.concatenate(times))
    values = function(t)
    best, when = values.max(axis=0), t[values.argmax(axis=0)]
    for k in np.flatnonzero(best >= best.max() - 0.1 * abs(best.max()) - 1e-3):  # others cannot be the largest
        column = values[:, k]
        inner = np.flatnonzero((column[1:-1] >= column[:-2]) & (column[1:-1] >= column[2:])) + 1
        for j in inner[np.argsort(column[inner])[-3:]]:
            if column[j] < best[k] - 0.05 * abs(best[k]) - 1e-3:
                continue
            found = minimize_scalar(
                lambda s, k=k: -function(np.array([s]))[0, k],
                bounds=(t[j - 1], t[j + 1]),
                method="bounded",
                options={"xatol": 1e-11 * span},
            )
            if -found.fun > best[k]:
                best[k], when[k] = -found.fun, found.x
    return best, when


def _flips(robot, motion):
    """Times just before and after an actuator turns round."""
    t = np.linspace(motion.start, motion.end, SAMPLES)

    def speed(s):
        at = motion(np.atleast_1d(s))
        x, xd = at.x, at.xd
        return inverse_kinematics(robot, State(x, xd)).qd

    v, found = speed(t), []
    for j, k in np.argwhere(v[1:] * v[:-1] < 0):
        root = brentq(lambda s, k=k: speed(s)[0, k], t[j], t[j + 1], xtol=1e-15)
        found += [root - 1e-13 * motion.duration, root + 1e-13 * motion.duration]
    return [np.array(found)] if found else []
