"""A run of one robot under way: the rates for its integration, and what can be seen at any time it has reached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.dynamics.base_motion import BaseMotion
from gough.kinematics.configuration import charts
from gough.simulation.events import Watcher
from gough.simulation.run.adaptive import Pieces
from gough.simulation.run.drive import merged
from gough.simulation.run.loop_drive import drive_of
from gough.simulation.run.options import Wrench
from gough.simulation.state_rates import coordinate_rates
from gough.simulation.system import System

Array = NDArray[np.float64]


class Running:
    """A run under way.

    Attributes:
        system: The robot's equations of motion.
        drive: What moves it.
        edges: Times at which the forces may jump, with start and end.
        pieces: The state (c, z, work, dissipated) over time, as far as it has come.
        evaluations: Of the rates.
    """

    def __init__(
        self,
        system: System,
        x: Array,
        xd: Array,
        input: Any,
        wrench: Wrench | None,
        t0: float,
        t1: float,
        base: BaseMotion | None = None,
    ) -> None:
        """At the start, with programs bound."""
        c, z = start_configuration(system, x, xd)
        self.system, self.wrench, self.base = system, wrench, base
        self.drive = drive_of(input, system, x, c, t0, t1)
        self.edges = merged([t0, *[t for t in self.drive.jumps if t0 < t < t1], t1], 1e-12 * (t1 - t0))
        self.edges[-1] = t1
        self.pieces = Pieces([t0], np.concatenate([c, z, [0.0, 0.0]]))
        self.evaluations = 0
        self.size, self.n = len(c), len(z)
        self._rates = system.program("rates" if base is None else "carried_rates").bind()
        self._sensors = system.program("sensors").bind()

    def split(self, y: Array) -> tuple[Array, Array]:
        """c and z of a state, or of states (T, states)."""
        return y[..., : self.size], y[..., self.size : self.size + self.n]

    def sense(self, y: Array) -> tuple[Array, Array]:
        """Actuator displacements and rates."""
        s = self._sensors
        s.inputs["c"][:], s.inputs["z"][:] = self.split(y)
        s()
        return s.outputs["q"], s.outputs["qd"]

    def rhs(self, t: float, y: Array) -> Array:
        """Rates of (c, z, work, dissipated)."""
        self.evaluations += 1
        c, z = self.split(y)
        r = self._rates
        r.inputs["c"][:], r.inputs["z"][:] = c, z
        r.inputs["force"][:] = self.drive.force(t, c, z, *self.sense(y))
        r.inputs["wrench"][:] = 0.0 if self.wrench is None else self.wrench(t)
        if self.base is not None:
            r.inputs["base"][:] = self.base.rates(self.system.robot, t)[0]
        r()
        o = r.outputs
        out = np.empty(len(y))
        out[: self.size], out[self.size : -2], out[-2], out[-1] = o["cd"], o["zd"], o["work"], o["lost"]
        return out

    def begin(self, t: float, y: Array) -> None:
        """Where a piece begins."""
        self.drive.begin(t, *self.split(y), *(v.copy() for v in self.sense(y)))

    def watched(self, watcher: Watcher, t: Any) -> Array:
        """(N, numbers) what is watched at the times t (N,)."""
        y = self.pieces(t)
        c, z = (np.ascontiguousarray(part) for part in self.split(y))

        def readings() -> Iterator[tuple[Any, ...]]:
            x = charts(self.system.robot)[1](c=c)
            seen = self.system.program("sensors")(c=c, z=z)
            return zip(t, x, coordinate_rates(self.system.robot, x, z), seen["q"], seen["qd"], strict=True)

        found = self.system.program("watch")(c=c, z=z)
        if self.system.robot.cables:
            seen = self.system.program("sensors")(c=c, z=z)
            found["commanded"] = self.drive.forces(np.asarray(t), c, z, seen["q"], seen["qd"])
        return watcher.values(found, readings)


def start_configuration(system: System, x: Array, xd: Array) -> tuple[Array, Array]:
    """c (size,) and z (n,) at platform coordinates and rates."""
    space = system.configuration
    return charts(system.robot)[0](x=x), np.asarray(space.free_rates(x, xd), dtype=float)
