"""What measurements determine, and what not, in words.

Columns of the reduced derivatives are scaled by the machine's size (lengths) or 1 rad (angles). Singular values below
a gap are round-off: their directions change nothing that is measured. Those that are motions of a whole frame (base,
platform, tracker, target) are named as such.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.calibration.geometric_parameters import Parameter, moved
from gough.calibration.model import Model
from gough.graph import Array
from gough.robot import Leg, Mechanism

_ROUND_OFF = 1e-9
"""Share of the largest singular value below which one may be round-off."""
_SAME = 1e-6
_BODIES = ("base", "platform", "tracker", "target")
_WORDS = {"tracker": "the tracker's frame", "target": "the target"}
_AXES = "xyz"


@dataclass(frozen=True)
class Determined:
    """How much of the unknowns measurements tell.

    Attributes:
        rank: Number of combinations that are determined.
        count: Number of unknowns.
        gap: Smallest singular value that counts over the largest that does not; infinite where all count.
        free: (g, count - rank) directions that nothing determines, orthonormal in scaled unknowns.
        words: One line for each, or for several.
    """

    rank: int
    count: int
    gap: float
    free: Array
    words: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """Whether everything is determined."""
        return self.rank == self.count


def determined(model: Model, J: Array, g: Array) -> Determined:
    """What reduced derivatives J (N, rows, g), in units of the noise, determine at g."""
    count = J.shape[2]
    R = np.linalg.qr(J.reshape(-1, count) * model.scales, mode="r")
    _, s, V = np.linalg.svd(np.concatenate([R, np.zeros((count, count))])[:count])
    rank = _rank(s)
    gap = np.inf if rank == count else float(s[rank - 1] / max(s[rank], 1e-300)) if rank else 0.0
    free = V[rank:].T
    return Determined(rank, count, gap, free, tuple(_words(model, g, free)))


def _rank(s: Array) -> int:
    """Number of singular values above the widest gap that ends in what may be round-off."""
    if len(s) == 0 or s[0] <= 1e-9:
        return 0
    small = np.flatnonzero(s < _ROUND_OFF * s[0])
    if len(small) == 0:
        return len(s)
    first = max(int(small[0]) - 1, 0)
    ratios = s[first : len(s) - 1] / np.maximum(s[first + 1 :], 1e-13 * s[0])
    return first + 1 + int(np.argmax(ratios)) if len(ratios) else int(small[0])


def _generators(model: Model, g: Array) -> tuple[Array, list[tuple[str, str, int]]]:
    """(g, k) scaled changes of the unknowns by motions of frames, and for each its body, "shift" or "turn", and axis.

    A motion that the unknowns cannot make up is left out.
    """
    columns, named = [], []
    robot = moved(model.robot, model.parameters, [float(v) for v in g[: len(model.parameters)]])
    lengths = np.array([_length(model, g, k) for k in range(len(g))])
    if np.abs(lengths).max() > 0.0:
        columns.append(lengths / model.scales)
        named.append(("all lengths", "grow", 0))
    for body in _BODIES:
        for how in ("turn", "shift"):
            for axis in range(3):
                column = _generator(model, robot, g, body, how, axis)
                if column is not None:
                    columns.append(column / model.scales)
                    named.append((body, how, axis))
    return (np.array(columns).T if columns else np.empty((len(model.names), 0))), named


def _length(model: Model, g: Array, k: int) -> float:
    """Value of an unknown that is a length, 0 of an angle or a part of a frame."""
    if k < len(model.parameters):
        p = model.parameters[k]
        return 0.0 if p.turns or p.leg < 0 else p.at_joints + float(g[k])
    u = model.sensors.unknowns[k - len(model.parameters)]
    return 0.0 if u.place is None else u.place[u.axis] + float(g[k])


def _generator(model: Model, robot: Mechanism, g: Array, body: str, how: str, axis: int) -> Array | None:
    """(g,) change of the unknowns with a unit shift or turn of a frame about its own origin."""
    unit = np.eye(3)[axis]
    change = np.zeros(len(model.names))
    for k, p in enumerate(model.parameters):
        if p.role == body and p.leg >= 0:
            leg = robot.legs[p.leg]
            point = np.array(leg.position if body == "base" else leg.end.platform_point)
            change[k] = unit[p.axis] if how == "shift" else np.cross(unit, point)[p.axis]
        elif p.role == "turn" and body == "base" and how == "turn":
            change[k] = (np.array(robot.legs[p.leg].rotation).T @ unit)[p.axis]
        elif p.role == "zero" and body == "base" and how == "turn":
            change[k] = _turned_zero(robot.legs[p.leg], p, unit)
    for k, u in enumerate(model.sensors.unknowns, len(model.parameters)):
        if u.body != body or u.axis == 3:
            continue
        if u.place is not None:
            point = np.array(u.place) + g[k - u.axis : k - u.axis + 3]
            change[k] = unit[u.axis] if how == "shift" else np.cross(unit, point)[u.axis]
        elif u.turns == (how == "turn"):
            change[k] = unit[u.axis]
    return change if np.abs(change).max(initial=0.0) > 0.0 else None


def _turned_zero(leg: Leg, zero: Parameter, unit: Array) -> float:
    """Change of the zero of an actuator that turns on the base, when the base turns about a unit vector."""
    for joint in leg.joints if zero.turns else ():
        if joint.actuated and joint.parent < 0 and zero.path.endswith((f"{joint.name}.zero", ".actuator.zero")):
            return float((np.array(leg.rotation) @ np.array(joint.axis)) @ unit)
    return 0.0


def _words(model: Model, g: Array, free: Array) -> list[str]:
    if free.shape[1] == 0:
        return []
    if free.shape[1] == len(model.names):
        return ["nothing: the readings fit any of these numbers as well"]
    G, named = _generators(model, g)
    lines: list[str] = []
    explained = np.empty((len(free), 0))
    if G.shape[1]:
        off = G - free @ (free.T @ G)
        _, s, V = np.linalg.svd(off)
        s = np.concatenate([s, np.zeros(V.shape[0] - len(s))])
        combinations = V[s <= _SAME * max(1.0, float(s.max(initial=0.0)))]
        if len(combinations):
            combinations = _sparse(combinations)
            explained = G @ combinations.T
            lines = _grouped([_motion(row, named) for row in combinations])
    rest = free
    if explained.shape[1]:
        Q, _ = np.linalg.qr(explained)
        rest = free - Q @ (Q.T @ free)
    left = np.linalg.svd(rest, full_matrices=False)
    more = int(np.sum(left[1] > 1e-4))
    if more:
        weight = (left[0][:, :more] ** 2).sum(axis=1)
        most = [model.names[k] for k in np.argsort(-weight)[:3]]
        count = f"{more} more combinations" if more > 1 else "one more combination"
        lines.append(f"{count} of single numbers, mostly of {', '.join(most)}")
    return lines


def _sparse(rows: Array) -> Array:
    """The same space by rows with a one at a place of their own: reduced echelon form with the largest pivots."""
    rows, done = rows.copy(), 0
    for column in range(rows.shape[1]):
        if done == len(rows):
            break
        k = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[k, column]) < 1e-5:
            continue
        rows[[done, k]] = rows[[k, done]]
        rows[done] /= rows[done, column]
        for other in range(len(rows)):
            if other != done:
                rows[other] -= rows[other, column] * rows[done]
        done += 1
    rows[np.abs(rows) < 1e-5] = 0.0
    return rows


def _motion(row: Array, named: list[tuple[str, str, int]]) -> tuple[str, str]:
    """Who moves, and how, of a combination of motions."""
    if named[0][1] == "grow":
        if row[0] != 0.0:
            return "all lengths", "may grow together"
        row, named = row[1:], named[1:]
    moves: dict[str, Array] = {}
    for value, (body, how, axis) in zip(row, named, strict=True):
        moves.setdefault(body, np.zeros(6))[axis + (3 if how == "turn" else 0)] += value
    moves = {body: v for body, v in moves.items() if np.abs(v).max() > 0.0}
    who = " and ".join(_WORDS.get(body, body) for body in moves)
    together = " together" if len(moves) > 1 else ""
    turning = [v for v in moves.values() if np.abs(v[3:]).max() > 0.0]
    if not turning:
        return who, f"may shift{together} along {_direction(next(iter(moves.values()))[:3])}"
    v = turning[0]
    where = ""
    if len(turning) == 1 and np.abs(v[:3]).max() > 1e-5:
        w = v[3:]
        at = np.cross(w, v[:3]) / (w @ w)
        where = f" through ({', '.join(f'{0.0 if abs(c) < 1e-9 else c:.4g}' for c in at)}) m"
    return who, f"may turn{together} about {_direction(v[3:])}{where}"


def _direction(v: Array) -> str:
    unit = v / np.linalg.norm(v)
    for k in range(3):
        if abs(abs(unit[k]) - 1.0) < 1e-6:
            return _AXES[k]
    return f"({', '.join(f'{0.0 if abs(c) < 1e-9 else c:.3g}' for c in unit)})"


def _grouped(motions: list[tuple[str, str]]) -> list[str]:
    """Motions of the same body along or about the axes x, y and z in one line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for who, what in motions:
        start, _, last = what.rpartition(" ")
        if last in ("x", "y", "z"):
            groups.setdefault((who, start), []).append(last)
        else:
            groups.setdefault((who, what), [])
    return [
        f"{who} {what}"
        + (f" {', '.join(axes[:-1])} and {axes[-1]}" if len(axes) > 1 else f" {axes[0]}" if axes else "")
        for (who, what), axes in groups.items()
    ]
