"""Which poses to measure: the N of many candidates whose information has the largest determinant.

Each pose adds J^T J of its reduced derivatives to the information on the parameters. Poses are exchanged one by one
for the candidate that makes log det larger, until none does (Fedorov's exchange, on the parameters that can be found).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.calibration.calibration_error import CalibrationError
from gough.calibration.determined import Determined, determined
from gough.calibration.first_guess import IDENTITY
from gough.calibration.measurements import known_columns
from gough.calibration.model import Model
from gough.calibration.noise import START, Noise, noise_of
from gough.calibration.selection import to_find
from gough.calibration.sensors import Bar, Point, Sensors
from gough.calibration.solve import Data, predicted, reduced
from gough.calibration.uncertainty import PoseUncertainty, pose_uncertainty, workspace_poses
from gough.graph import Array
from gough.robot import Mechanism, Robot
from gough.robot.actuator_columns import reading_columns
from gough.robot.names import did_you_mean
from gough.table import Block, Result
from gough.table.result import dependent_blocks, robot_block

CANDIDATES = 1000
_ROUNDS = 30
_RANDOM = 5


class Plan(Result):
    """Poses to measure.

    Attributes:
        model: What is to be found, and by which sensors.
        x: (N, n) poses.
        expected: Uncertainty of the pose to expect of them, at poses about home.
        random: That of as many random poses, the median of a few draws.
        determined: What they will determine.
        noise: Standard deviations they are planned for, by kind [m or rad].
    """

    model: Model
    x: Array
    expected: PoseUncertainty
    random: PoseUncertainty
    determined: Determined
    noise: dict[str, float]

    INDEX, LAYOUT, UNDER = "pose", "rows", "poses"

    def _blocks(self) -> list[Block]:
        """A row per pose: coordinates, and the readings that bring the platform there."""
        from gough.kinematics.inverse import inverse_kinematics

        robot = self.model.robot
        found = inverse_kinematics(robot, self.x)
        return [
            Block("pose", np.arange(1, len(self.x) + 1)),
            robot_block(robot, "x", self.x, "coordinate", prefix=""),
            *dependent_blocks(robot, (found.dependent,)),
            robot_block(robot, "q", found.q, "actuator"),
        ]

    def facts(self) -> dict[str, Any]:
        """Facts that go with the poses: what to expect of them, and what they determine."""
        return {
            "robot": self.model.robot.name,
            "expected": dict(zip(("position", "rotation"), self.expected.rms(), strict=True)),
            "random": dict(zip(("position", "rotation"), self.random.rms(), strict=True)),
            "determined": self.determined.rank,
            "unknowns": self.determined.count,
            "not_determined": list(self.determined.words),
            "noise": self.noise,
        }


def columns_of(robot: Mechanism, what: str, points: Sequence[Point] = (), bars: Sequence[Bar] = ()) -> tuple[str, ...]:
    """Columns of "pose", "position", "orientation", "incline", or of a list of columns; encoders always.

    Raises:
        CalibrationError: Something that cannot be measured of this robot.
    """
    known = known_columns(robot, points, bars)
    coordinates = robot.platform.all_coordinates
    groups = {
        "pose": [c.name for c in coordinates],
        "position": [c.name for c in coordinates if not c.turns],
        "orientation": [c.name for c in coordinates if c.turns],
        "incline": ["incline_x", "incline_y"],
        "encoders": [],
    }
    wanted: list[str] = []
    for entry in [part.strip() for part in what.split(",") if part.strip()]:
        own = groups.get(entry, [name for name in known if name == entry or name.startswith(f"{entry}.")])
        if not own and entry != "encoders":
            raise CalibrationError(
                "--measure", entry, None, "is nothing that can be measured", did_you_mean(entry, [*groups, *known])
            )
        wanted += own
    wanted += [bar.name for bar in bars if bar.name not in wanted]
    wanted += [f"{point.name}.{axis}" for point in points for axis in "xyz"]
    read = set(reading_columns(robot))
    return tuple(name for name in known if name in wanted or name in read)


def plan_poses(
    robot: Robot,
    count: int,
    measure: str = "pose",
    *,
    noise: str | Noise | None = None,
    parameters: Sequence[str] = (),
    tolerances: Mapping[str, float] | None = None,
    points: Sequence[Point] = (),
    bars: Sequence[Bar] = (),
    tracker: bool = False,
    target: bool = False,
    seed: int = 0,
    progress: Callable[[str], None] = lambda step: None,
) -> Plan:
    """The poses to measure, within reach and strokes, and the uncertainty to expect.

    Args:
        robot: The robot as its file states it.
        count: Number of poses.
        measure: "pose", "position", "orientation", "incline", or columns such as "x,y,z".
        noise: Standard deviations to expect; what is not stated is taken as 20 um, 20 urad, encoders 10 um.
        parameters, tolerances, points, bars, tracker, target: As in `calibrate`.
        seed: Seed of the candidates.
        progress: Called with a line on what is being done.

    Raises:
        InputError: Too few poses for the parameters, or something that cannot be measured.
    """
    columns = columns_of(robot, measure, points, bars)
    sensors = Sensors(robot, columns, tuple(points), tuple(bars), tracker, target)
    progress("finding which parameters can be distinguished")
    model = Model(robot, to_find(robot, parameters, tolerances).kept, sensors)
    stated = noise_of(noise, sensors)
    sigma = {kind: stated.get(kind, START[kind]) for kind in dict.fromkeys(sensors.kinds)}
    progress("finding poses")
    x = workspace_poses(robot, CANDIDATES, seed)
    g, frames = np.zeros(len(model.names)), np.stack([IDENTITY, IDENTITY])
    deviations = np.tile([sigma[kind] for kind in sensors.kinds], (len(x), 1))
    data = Data(predicted(model, x, g, frames), deviations, frames, np.ones(len(x)))
    J = reduced(model, data, x, g).J
    fine = np.isfinite(J).all(axis=(1, 2))
    x, J = x[fine], J[fine]
    known = determined(model, J, g)
    each = len(columns) - robot.dof
    if count * each < known.rank:
        need = -(-known.rank // max(each, 1)) if each else 0
        hint = f"at least {need}" if need else "measure something beside the encoders"
        raise CalibrationError(
            "--plan", str(count), None, f"too few for {known.rank} parameters with {each} equations a pose", hint
        )
    progress("exchanging poses")
    basis = _basis(model, known)
    A = J @ basis
    rng = np.random.default_rng(seed)
    best = _exchanged(A, _spread_start(A, count))
    poses = workspace_poses(robot)

    def expected(rows: Sequence[int]) -> PoseUncertainty:
        M = np.einsum("nri,nrj->ij", A[rows], A[rows])
        return pose_uncertainty(model, poses, g, basis @ np.linalg.pinv(M, rcond=1e-14, hermitian=True) @ basis.T)

    draws = [expected(rng.choice(len(x), count, replace=False).tolist()) for _ in range(_RANDOM)]
    middle = sorted(draws, key=lambda u: u.rms()[0])[_RANDOM // 2]
    return Plan(model, x[best], expected(best), middle, known, sigma)


def _basis(model: Model, known: Determined) -> Array:
    """(g, rank) directions that can be found, in scaled unknowns."""
    P = np.eye(known.count) - known.free @ known.free.T
    U, _, _ = np.linalg.svd(P)
    return np.asarray(U[:, : known.rank] * model.scales[:, None])


def _spread_start(A: Array, count: int) -> list[int]:
    """Poses chosen one by one, each the one that adds most to log det."""
    M = 1e-6 * np.eye(A.shape[2]) * float((A**2).sum() / (len(A) * A.shape[2]))
    chosen_rows: list[int] = []
    for _ in range(count):
        gain = _gains(A, np.linalg.inv(M))
        gain[chosen_rows] = -np.inf
        k = int(np.argmax(gain))
        chosen_rows.append(k)
        M = M + A[k].T @ A[k]
    return chosen_rows


def _gains(A: Array, inverse: NDArray[np.floating]) -> Array:
    """(N,) log det(1 + A M^-1 A^T) of each pose: what it adds to log det M."""
    inner = A @ inverse @ np.swapaxes(A, 1, 2)
    return np.asarray(np.linalg.slogdet(np.eye(A.shape[1]) + inner)[1])


def _exchanged(A: Array, rows: list[int]) -> list[int]:
    """Rows after exchanges that make log det larger."""
    rows = list(rows)
    base = 1e-9 * np.eye(A.shape[2]) * float((A**2).sum() / (len(A) * A.shape[2]))
    M = base + np.einsum("nri,nrj->ij", A[rows], A[rows])
    value = np.linalg.slogdet(M)[1]
    for _ in range(_ROUNDS):
        changed = False
        for i in range(len(rows)):
            without = M - A[rows[i]].T @ A[rows[i]]
            held = np.linalg.slogdet(without)[1]
            gain = _gains(A, np.linalg.inv(without))
            gain[[row for k, row in enumerate(rows) if k != i]] = -np.inf
            k = int(np.argmax(gain))
            if k != rows[i] and held + gain[k] > value + 1e-6:
                rows[i], changed = k, True
                M = without + A[k].T @ A[k]
                value = np.linalg.slogdet(M)[1]
        if not changed:
            break
    return sorted(rows)
