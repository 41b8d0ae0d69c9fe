"""A linkage with its loops closed: where its links are, and how they can move from there.

Unknowns are the coordinates of the tree: one of a hinge or a slide, three turns about world axes of a ball, six of a
free link. They are found from the file's own pose by Gauss-Newton steps of least size, each as long as it closes the
loops further. Joints whose coordinates the file gives stay there: all of them if the loops close so, else the driven
ones, else none. Lengths count in units of the machine's size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from gough.formats.linkage import WORLD, Connection, Linkage
from gough.formats.placement import Floats, Placement, about, cross_matrix, moved

_STEPS = 200
_LONGEST = 0.3
_SHORTEST = 2.0**-20
_SETTLED = 4e-16
_EXACT = 1e-13
"""Largest gap of loops that close with joints where they are given; files with fewer digits leave larger ones."""
RANK = 1e-7
"""Smallest singular value, as a share of the largest, that counts as one."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A linkage at one configuration.

    Attributes:
        linkage: Its `free` links have their placements here.
        values: Coordinate of each hinge and slide of the tree.
        turns: (3, 3) rotation of each ball of the tree.
    """

    linkage: Linkage
    values: dict[str, float]
    turns: dict[str, Floats]

    def motion(self, c: Connection) -> Placement:
        """Motion of a connection of the tree from its zero."""
        if c.kind == "ball":
            return Placement(rotation=self.turns[c.name])
        return Placement() if c.kind == "fixed" else moved(c.kind, c.axis, self.values[c.name])

    def places(self) -> dict[str, Placement]:
        """Placement of each link in the world."""
        found = {WORLD: Placement(), **self.linkage.free}
        for c in in_tree_order(self.linkage):
            found[c.child] = found[c.parent] @ c.at @ self.motion(c) @ c.child_at.inverse()
        return found


def in_tree_order(linkage: Linkage) -> Iterator[Connection]:
    """Connections of the tree, each after the one that carries it."""
    behind: dict[str, list[Connection]] = {}
    for c in linkage.connections:
        if not c.closes:
            behind.setdefault(c.parent, []).append(c)
    todo = [WORLD, *linkage.free]
    while todo:
        for c in behind.get(todo.pop(0), []):
            todo.append(c.child)
            yield c


def start_of(linkage: Linkage) -> Assembly:
    """The linkage at the coordinates that its file states."""
    tree = [c for c in linkage.connections if not c.closes]
    values = {c.name: c.home for c in tree if c.kind in ("R", "P")}
    return Assembly(linkage, values, {c.name: np.eye(3) for c in tree if c.kind == "ball"})


def size_of(linkage: Linkage) -> float:
    """The machine's size [m]: the largest distance of a link's frames from each other."""
    reach = [np.linalg.norm(c.at.position) for c in linkage.connections if c.parent != WORLD]
    reach += [np.linalg.norm(c.child_at.position) for c in linkage.connections if c.child != WORLD]
    apart = [np.linalg.norm(c.at.position) for c in linkage.connections if c.parent == WORLD]
    apart += [np.linalg.norm(rope.first.point - rope.second.point) for rope in linkage.ropes]
    return float(max([*reach, *apart], default=0.0)) or 1.0


class Motions:
    """How the links of an assembly can move: columns of the tree's rates, spatial twists about the world's origin."""

    def __init__(self, assembly: Assembly, size: float, held: Mapping[str, float] | None = None) -> None:
        """Take the tree apart; `held` are coordinates that joints must have."""
        self.assembly, self.size, self.held = assembly, size, held or {}
        linkage = assembly.linkage
        self.places = assembly.places()
        self.columns: list[tuple[str, int]] = []
        twists: list[Floats] = []
        self.carried: dict[str, list[int]] = {WORLD: []}
        for name in linkage.free:
            self.carried[name] = list(range(len(twists), len(twists) + 6))
            twists += [*np.eye(6)]
            self.columns += [(name, k) for k in range(6)]
        for c in in_tree_order(linkage):
            frame = self.places[c.parent] @ c.at
            own = []
            for k, twist in enumerate(_twists(c, frame, size)):
                own.append(len(twists))
                twists.append(twist)
                self.columns.append((c.name, k))
            self.carried[c.child] = [*self.carried[c.parent], *own]
        self.twists = np.array(twists).reshape(-1, 6).T

    def of(self, link: str) -> Floats:
        """(6, rates) spatial twist of a link, lengths in sizes of the machine."""
        J = np.zeros((6, len(self.columns)))
        J[:, self.carried[link]] = self.twists[:, self.carried[link]]
        return J

    def loops(self) -> tuple[Floats, Floats]:
        """(rows,) how far loops, couplings and held joints are from closed, and (rows, rates) the rate of that."""
        gaps, rows = [np.zeros(0)], [np.zeros((0, len(self.columns)))]
        for c in self.assembly.linkage.connections:
            if c.closes:
                gap, take = _gap(c, self.places[c.parent] @ c.at, self.places[c.child] @ c.child_at, self.size)
                gaps.append(gap)
                rows.append(take @ (self.of(c.child) - self.of(c.parent)))
            if c.follows is not None:
                f, lead = c.follows, self._connection(c.follows.leader)
                unit = self.size if c.kind == "P" else 1.0
                (own, by_rates), (other, its_rates) = self._coordinate(c), self._coordinate(lead)
                off = (own - f.ratio * other - f.offset) / unit
                if c.kind == "R" and (c.closes or lead.closes):  # known but for whole turns
                    off = (off + np.pi) % (2 * np.pi) - np.pi
                gaps.append(np.array([off]))
                rows.append((by_rates - f.ratio * its_rates)[None] / unit)
            if c.name in self.held:
                unit = self.size if c.kind == "P" else 1.0
                own, by_rates = self._coordinate(c)
                off = (own - self.held[c.name]) / unit
                gaps.append(np.array([(off + np.pi) % (2 * np.pi) - np.pi if c.kind == "R" and c.closes else off]))
                rows.append(by_rates[None] / unit)
        return np.concatenate(gaps), np.vstack(rows)

    def free_rates(self) -> Floats:
        """(rates, motions) rates that keep the loops closed."""
        _, J = self.loops()
        _, sizes, rows = np.linalg.svd(J)
        return rows[int(np.sum(sizes > RANK * sizes.max(initial=0.0))) :].T

    def moved(self, step: Floats) -> Assembly:
        """The assembly after a small step of the rates (rates,)."""
        assembly, linkage = self.assembly, self.assembly.linkage
        values, turns, free = dict(assembly.values), dict(assembly.turns), dict(linkage.free)
        at = 0
        for name in linkage.free:
            v, w = step[at : at + 3] * self.size, step[at + 3 : at + 6]
            turn = _exponential(w)
            place = free[name]
            free[name] = Placement(turn @ place.position + v, turn @ place.rotation)
            at += 6
        for c in in_tree_order(linkage):
            if c.kind in ("R", "P"):
                values[c.name] += float(step[at]) * (self.size if c.kind == "P" else 1.0)
                at += 1
            elif c.kind == "ball":
                frame = (self.places[c.parent] @ c.at).rotation
                turns[c.name] = frame.T @ _exponential(step[at : at + 3]) @ frame @ turns[c.name]
                at += 3
        return Assembly(replace(linkage, free=free), values, turns)

    def _connection(self, name: str) -> Connection:
        return next(c for c in self.assembly.linkage.connections if c.name == name)

    def _coordinate(self, c: Connection) -> tuple[float, Floats]:
        """Coordinate of a hinge or slide, and (rates,) its rate."""
        unit = self.size if c.kind == "P" else 1.0
        if not c.closes:
            return self.assembly.values[c.name], unit * (np.array(self.columns, dtype=object)[:, 0] == c.name)
        frame = self.places[c.parent] @ c.at
        turned = frame.rotation @ c.axis
        twist = self.of(c.child) - self.of(c.parent)
        if c.kind == "R":
            return coordinate(c, self.places), turned @ twist[3:]
        p = (self.places[c.child] @ c.child_at).position / self.size
        return coordinate(c, self.places), unit * turned @ (twist[:3] - cross_matrix(p) @ twist[3:])


def coordinate(c: Connection, places: dict[str, Placement]) -> float:
    """Coordinate of a hinge or slide, from where its links are."""
    first, second = places[c.parent] @ c.at, places[c.child] @ c.child_at
    X = first.inverse() @ second
    if c.kind == "P":
        return float(c.axis @ X.position)
    across = np.cross(np.eye(3)[int(np.argmin(np.abs(c.axis)))], c.axis)
    across /= np.linalg.norm(across)
    turned = X.rotation @ across
    return float(np.arctan2(c.axis @ np.cross(across, turned), across @ turned))


def closed_at_home(linkage: Linkage, size: float) -> tuple[Assembly, float]:
    """The linkage assembled from where its file has it, and the largest gap left, as of `closed`."""
    start = start_of(linkage)
    given = [c for c in linkage.connections if c.given]
    for joints in filter(None, (given, [c for c in given if c.driven])):
        found, gap = closed(start, size, {c.name: c.home for c in joints})
        if gap <= _EXACT:
            return found, gap
    return closed(start, size)


def closed(assembly: Assembly, size: float, held: Mapping[str, float] | None = None) -> tuple[Assembly, float]:
    """The assembly with its loops closed as far as they go, and the largest gap left [sizes of the machine or rad].

    Args:
        assembly: Where to begin.
        size: Of the machine [m].
        held: Coordinates that joints must have; what they miss of them counts as a gap.
    """
    motions = Motions(assembly, size, held)
    gap, J = motions.loops()
    for _ in range(_STEPS):
        worst = np.abs(gap).max(initial=0.0)
        if worst <= _SETTLED:
            break
        step = np.array(-np.linalg.lstsq(J, gap, rcond=1e-9)[0], dtype=np.float64)
        share = min(1.0, _LONGEST / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        while share > _SHORTEST:
            trial = Motions(motions.moved(share * step), size, held)
            found, slope = trial.loops()
            if np.linalg.norm(found) < np.linalg.norm(gap):
                break
            share *= 0.5
        else:
            break
        motions, gap, J = trial, found, slope
    return motions.assembly, float(np.abs(gap).max(initial=0.0))


def _twists(c: Connection, frame: Placement, size: float) -> list[Floats]:
    """Spatial twists of the rates of a connection whose frame stands there in the world."""
    p = frame.position / size
    if c.kind == "fixed":
        return []
    if c.kind == "ball":
        return [np.concatenate([np.cross(p, axis), axis]) for axis in np.eye(3)]
    a = frame.rotation @ c.axis
    return [np.concatenate([a, np.zeros(3)] if c.kind == "P" else [np.cross(p, a), a])]


def _gap(c: Connection, first: Placement, second: Placement, size: float) -> tuple[Floats, Floats]:
    """(rows,) what keeps two frames from meeting as a connection wants it, (rows, 6) its rate by the second's twist."""
    apart = (second.position - first.position) / size
    point = np.hstack([np.eye(3), -cross_matrix(second.position / size)])
    turn = np.hstack([np.zeros((3, 3)), np.eye(3)])
    if c.kind == "ball":
        return apart, point
    if c.kind == "R":
        a, b = first.rotation @ c.axis, second.rotation @ c.axis
        across = cross_matrix(a) @ -cross_matrix(b)
        return np.concatenate([apart, np.cross(a, b)]), np.vstack([point, across @ turn])
    off = _logarithm(second.rotation @ first.rotation.T)
    if c.kind == "P":
        a = first.rotation @ c.axis
        across = np.eye(3) - np.outer(a, a)
        return np.concatenate([across @ apart, off]), np.vstack([across @ point, turn])
    return np.concatenate([apart, off]), np.vstack([point, turn])


def _exponential(w: Floats) -> Floats:
    angle = float(np.linalg.norm(w))
    return about(w / angle, angle) if angle > 0.0 else np.eye(3)


def _logarithm(R: Floats) -> Floats:
    """(3,) rotation vector of a rotation."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_matrix(R).as_rotvec())
