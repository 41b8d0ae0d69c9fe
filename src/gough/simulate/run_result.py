"""The result of a run, at any times it has reached."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gough.kinematics.model import actuator_names
from gough.simulate.control.model import targets
from gough.simulate.events import Occurrence
from gough.simulate.forward_kinematics import charts
from gough.simulate.result import Simulation
from gough.simulate.running import Running
from gough.simulate.state_rates import coordinate_rates

Array = NDArray[np.float64]


def run_result(run: Running, times: Array, happened: tuple[Occurrence, ...], why: str, method: str) -> Simulation:
    """The run at those of the times that it reached, and at its end if it ended early."""
    end = run.pieces.end
    kept = times[times <= end]
    if why and (not len(kept) or kept[-1] < end):
        kept = np.append(kept, end)
    return result_at(run, kept, happened, why, method)


def result_at(run: Running, t: Array, happened: tuple[Occurrence, ...], why: str, method: str) -> Simulation:
    """The run at times t."""
    system, robot, motion = run.system, run.system.robot, run.drive.motion
    y = run.pieces(t)
    c, z = (np.ascontiguousarray(part) for part in run.split(y))
    sensed = system.program("sensors")(c=c, z=z)
    energy = system.program("energy")(c=c, z=z)
    c_start, z_start = (part.copy() for part in run.split(run.pieces.start))
    start = system.program("energy")(c=c_start, z=z_start)
    gained = energy["kinetic"] + energy["potential"] - (start["kinetic"] + start["potential"])
    x = np.atleast_2d(charts(robot)[1](c=c))
    with np.errstate(all="ignore"):
        force = run.drive.forces(t, c, z, sensed["q"], sensed["qd"])
    return Simulation(
        robot,
        run.drive.text,
        tuple(coordinate.name for coordinate in robot.platform.coordinates),
        actuator_names(robot),
        t=t,
        x=x,
        xd=coordinate_rates(robot, x, z),
        q=sensed["q"],
        qd=sensed["qd"],
        force=force,
        reference=None if motion is None else targets(motion, t)[0],
        kinetic=energy["kinetic"],
        potential=energy["potential"],
        work=y[:, -2],
        dissipated=y[:, -1],
        balance=gained - y[:, -2] + y[:, -1],
        closure=system.program("watch")(c=c, z=z)["residual"].max(axis=1),
        events=happened,
        complete=why == "",
        why=why,
        method=method,
        steps=len(run.pieces.solutions),
        evaluations=run.evaluations,
        _dense=lambda other: result_at(run, other, happened, why, method),
    )
