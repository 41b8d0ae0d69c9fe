"""Mass, centre and inertia of a payload from a recording with it on the platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gough.errors import InputError
from gough.graph import Array
from gough.identification.base_parameters import acting
from gough.identification.dynamic_parameters import QUANTITIES
from gough.identification.estimate import Equations, Estimate, equations, estimate, from_zero
from gough.identification.identify import RecordingLike, taken
from gough.identification.recorded_forces import RecordedForces
from gough.identification.regressor import Regressor, regressor
from gough.robot import Mechanism, Robot
from gough.robot.inertia import steiner
from gough.robot.leg_values import Inertia, tensor_of
from gough.table import Block, Result, column, computed

ROWS = ("mass", "com_x", "com_y", "com_z", "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
UNITS = ("kg", *("m",) * 3, *("kg m^2",) * 6)


class Payload(Result):
    """The result of `identify_payload`: a body on the platform.

    Attributes:
        robot: The robot that carries it, without a payload.
        source: Recording with it.
        empty: Recording without it; "" if the robot's file was used instead.
        values: (10,) mass [kg], centre of mass in P [m], inertia about it: xx, yy, zz, xy, xz, yz [kg m^2]; 0 where
            it has no effect, NaN where it has one that the motion does not show.
        sd: (10,) standard deviations; infinite where the forces tell nothing.
        acts: (10,) whether forces of this machine depend on it at all.
        residual: Relative residual of the forces with it.
        without: Relative residual of the forces without any payload.
    """

    robot: Robot
    source: str
    empty: str
    values: Array = column(name="value")
    sd: Array = column()
    acts: NDArray[np.bool_] = column()
    residual: float
    without: float

    INDEX, LAYOUT, UNDER = "parameter", "rows", "payload"

    @property
    def mass(self) -> float:
        """[kg]."""
        return float(self.values[0])

    @property
    def com(self) -> Array:
        """(3,) in P [m]."""
        return self.values[1:4]

    @property
    def inertia(self) -> Array:
        """(6,) xx, yy, zz, xy, xz, yz about the centre of mass [kg m^2]."""
        return self.values[4:]

    @property
    @computed()
    def determined(self) -> NDArray[np.bool_]:
        """(10,) whether the value is told from zero: it exceeds twice its standard deviation."""
        return from_zero(self.values, self.sd)

    @property
    def physical(self) -> bool:
        """Whether a body can have this inertia, as far as it is known."""
        known = np.isfinite(self.sd[4:])
        if not known.all():
            return bool(self.mass > 0.0 and (self.inertia[:3][known[:3]] >= 0.0).all())
        moments = np.linalg.eigvalsh(np.array(tensor_of(cast(Inertia, tuple(self.inertia.tolist()))), dtype=np.float64))
        return bool(self.mass > 0.0 and moments[0] >= 0.0 and moments[2] <= moments[0] + moments[1])

    def _blocks(self) -> list[Block]:
        """A row per number: value, standard deviation, unit, whether it acts and is determined."""
        value, sd, *others = super()._blocks()
        return [Block("parameter", np.array(ROWS)), value, sd, Block("unit", np.array(UNITS)), *others]

    def facts(self) -> dict[str, Any]:
        """Facts that go with the numbers: the recordings and their residuals."""
        return {
            "robot": self.robot.name,
            "recording": self.source,
            "empty": self.empty or None,
            "residual": self.residual,
            "without": self.without,
            "physical": self.physical,
        }


def identify_payload(
    robot: Robot,
    loaded: RecordingLike,
    empty: RecordingLike | None = None,
    bodies: str = "stated",
    tied: bool = False,
    units: str = "",
    constants: float | Sequence[float] | None = None,
    smooth: str | float = "auto",
) -> Payload:
    """The body that a robot carries.

    Args:
        robot: The machine; a payload that it has is left out.
        loaded: A recording with it, a CSV file or arrays by `recorded_forces`.
        empty: One without it, which tells of the machine itself; without one the robot's file is believed.
        bodies, tied, units, constants, smooth: As in `identify`.

    Raises:
        MotionError: A recording that cannot be meant.
        InputError: The motion tells nothing of the payload's mass.
    """
    robot = robot.with_payload()
    carrying = taken(robot, loaded, units, constants, smooth)
    model, body = regressor(robot, bodies, tied), regressor(robot, friction=False, rotors=False)
    acts = acting(body)[:10]
    with_it = _with_body(model, body, carrying, acts)
    if empty is None:
        known = replace(with_it, A=with_it.A[:, :, -10:], y=with_it.y - with_it.A[:, :, :-10] @ _file(model))
        found, without = estimate([known], np.zeros(10)), np.zeros(10)
        equation, source = known, ""
    else:
        bare = taken(robot, empty, units, constants, smooth)
        alone = equations(model, bare)
        padded = replace(alone, A=np.concatenate([alone.A, np.zeros((*alone.y.shape, 10))], axis=2))
        start = np.concatenate([_file(model), np.zeros(10)])
        found = estimate([padded, with_it], start)
        without = np.concatenate([found.values[:-10], np.zeros(10)])
        equation, source = with_it, bare.source
    values, sd = _as_body(robot, found, acts)
    measured, left = equation.left(found.values)
    bare_left = equation.left(without)[1]
    size = float(np.linalg.norm(measured))
    shares = float(np.linalg.norm(left)) / size, float(np.linalg.norm(bare_left)) / size
    return Payload(robot, carrying.source, source, values, sd, acts, *shares)


def _file(model: Regressor) -> Array:
    return np.asarray(model.base.map @ model.values)


def _with_body(model: Regressor, body: Regressor, recording: RecordedForces, acts: NDArray[np.bool_]) -> Equations:
    """Equations of a recording with ten more columns: those of any body on the platform, zero where it has no effect.

    Columns of round-off would be taken for columns: least squares would find huge numbers for them.
    """
    found = equations(model, recording)
    columns = body.columns(recording.x[found.rows], recording.xd[found.rows], recording.xdd[found.rows]).Q
    return replace(found, A=np.concatenate([found.A, np.where(acts, columns[:, :, :10], 0.0)], axis=2))


def _as_body(robot: Mechanism, found: Estimate, acts: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Mass, centre of mass and central inertia with standard deviations, from the last ten of an estimate."""
    p, C = found.values[-10:], found.covariance[-10:, -10:]
    blind = ~np.isfinite(found.sd[-10:])
    mass, h = float(p[0]), p[1:4]
    if blind[0] or abs(mass) < 1e-12:
        raise InputError(
            f"the motion of {robot.name} does not determine the payload's {QUANTITIES[0]}; plan another (--plan)"
        )
    c = h / mass
    x, y, z = c
    G = _derivatives(mass, c)
    values = np.array([mass, *c, *(p[4:] - np.array(steiner(mass, (float(x), float(y), float(z)))))])
    sd = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", G, C, G), 0.0))
    depends = _derivatives(1.0, np.ones(3)) != 0.0
    unknown = depends[:, blind].any(axis=1)
    values[unknown], sd[unknown] = np.nan, np.inf
    return np.where(acts, values, 0.0), sd


def _derivatives(mass: float, c: Array) -> Array:
    """(10, 10) of mass, centre c (3,) and central inertia by mass, first moment and inertia about the origin."""
    x, y, z = c
    G = np.eye(10)
    G[1:4, 0], G[1:4, 1:4] = -c / mass, np.eye(3) / mass
    G[4:, 0] = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z]
    G[4:, 1:4] = [[0, -2 * y, -2 * z], [-2 * x, 0, -2 * z], [-2 * x, -2 * y, 0], [y, x, 0], [z, 0, x], [0, z, y]]
    return G
