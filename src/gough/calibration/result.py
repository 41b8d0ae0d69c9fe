"""The result of a calibration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.calibration.determined import Determined
from gough.calibration.geometric_parameters import Parameter
from gough.calibration.measurements import Measurements
from gough.calibration.model import Model
from gough.calibration.prior import PriorVerdict
from gough.calibration.selection import Selection
from gough.calibration.sensors import KINDS
from gough.calibration.solve import Data, Solution
from gough.calibration.statistics import NoiseVerdict, used_rows
from gough.calibration.uncertainty import PoseUncertainty
from gough.files import write_whole
from gough.graph import Array
from gough.robot import Robot
from gough.table import Block, Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class HeldOut:
    """Poses held out in turn.

    Attributes:
        folds: In how many parts.
        ratio: Rms of their residuals over the stated noise; about 1 where the model is right.
        r: (N, columns) residuals in units of the noise; NaN of outliers.
    """

    folds: int
    ratio: float
    r: Array


@dataclass(frozen=True)
class Validation:
    """Measured poses that were not used, and those that the model gives at their readings.

    Attributes:
        source: The file.
        before, after: (N, 6) twists between the two, with the file's robot and with the corrected one [m, rad].
        expected: What the parameters' uncertainty lets expect.
        measured: What the noise of these measurements adds to it; None where that noise is not known.
    """

    source: str
    before: Array
    after: Array
    expected: PoseUncertainty
    measured: PoseUncertainty | None = None

    @property
    def rows(self) -> list[tuple[str, tuple[float, float]]]:
        """Errors in words, of position [m] and rotation [rad]: before, after, and what to expect."""
        found = [("before", self.rms(self.before)), ("after", self.rms(self.after))]
        if self.measured is not None:
            found.append(("expected, with the noise of these measurements", self.measured.rms()))
        return [*found, ("expected of the model alone", self.expected.rms())]

    @staticmethod
    def rms(twists: Array) -> tuple[float, float]:
        """Of the distance [m] and of the angle [rad]."""
        squares = (twists**2).reshape(-1, 2, 3).sum(axis=2).mean(axis=0)
        return float(np.sqrt(squares[0])), float(np.sqrt(squares[1]))


class Calibration(Result):
    """The result of a calibration: a corrected robot, its uncertainty and the residuals.

    Attributes:
        robot: The robot of the file; `corrected` is the calibrated one.
        model: Parameters and sensors.
        measurements: What was read.
        selection: Parameters that were found, and those left out.
        solution: Poses, parameters and residuals.
        data: Values with their noise and weights.
        before: Residuals of the file's robot, its poses fitted.
        covariance: (g, g) of the unknowns, without what nothing determines [m and rad].
        determined: How many of the unknowns are determined, and a text on those that are not.
        prior: Whether the parameters are where the tolerances have them.
        noise: Whether it is as stated.
        deviations: Standard deviations used, by kind [m or rad].
        uncertainty: Uncertainty of the pose, at poses about home; `where` tells how far they go.
        held_out, validation: Poses that were not used; None where there are none.
    """

    robot: Robot
    model: Model
    measurements: Measurements
    selection: Selection
    solution: Solution
    data: Data
    before: Solution
    covariance: Array
    determined: Determined
    prior: PriorVerdict
    noise: NoiseVerdict
    deviations: dict[str, float]
    uncertainty: PoseUncertainty
    held_out: HeldOut | None
    validation: Validation | None

    INDEX, LAYOUT, UNDER = "parameter", "rows", "parameters"

    @cached_property
    def corrected(self) -> Robot:
        """The robot as measured.

        Raises:
            RobotError: No such machine can be: measurements of another one, most likely.
        """
        return self.model.corrected(self.solution.g)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What was found of the robot."""
        return self.model.parameters

    @property
    def agrees(self) -> bool:
        """Whether stated noise explains all residuals and stated tolerances all changes, without outliers."""
        return not self.outliers and self.noise.as_stated and not self.prior.too_tight

    @property
    def changes(self) -> Array:
        """(p,) corrected less nominal [m or rad]."""
        return self.solution.g[: len(self.parameters)]

    @property
    def deviation(self) -> Array:
        """(p,) standard deviations of the parameters [m or rad]."""
        return np.sqrt(np.maximum(np.diag(self.covariance)[: len(self.parameters)], 0.0))

    @property
    def free_share(self) -> Array:
        """(p,) how much of each parameter nothing determines, 0 to 1."""
        return np.asarray((self.determined.free[: len(self.parameters)] ** 2).sum(axis=1))

    @property
    def outliers(self) -> list[int]:
        """Rows left out, counted from 0."""
        return [int(k) for k in np.flatnonzero(~used_rows(self.data))]

    @cached_property
    def residuals(self) -> dict[str, tuple[float, float]]:
        """For each kind of value the rms residual before and after, outliers left out [m or rad]."""
        kinds, used = np.array(self.model.sensors.kinds), used_rows(self.data)
        found = {}
        for kind in KINDS:
            columns = kinds == kind
            if columns.any():
                sigma = np.where(np.isfinite(self.data.sigma), self.data.sigma, 0.0)[used][:, columns]
                count = max(int((sigma > 0).sum()), 1)
                both = [s.r[used][:, columns] * sigma for s in (self.before, self.solution)]
                found[kind] = tuple(float(np.sqrt((r**2).sum() / count)) for r in both)
        return found  # type: ignore[return-value]

    def write(self, path: str | Path) -> None:
        """Write the corrected robot to a TOML file, whole or not at all.

        It is the robot's own file, its units and its comments, with the corrected numbers.
        """
        name = Path(self.robot.source.name).name
        head = f"# {name} as calibrated by {self.measurements.source}.\n"
        write_whole(Path(path), (head + self.corrected.to_toml()).encode())

    def _blocks(self) -> list[Block]:
        """A row per parameter: nominal, corrected, change, deviations after, before [m or rad], share that is free."""
        names = np.array([p.path for p in self.parameters])
        nominal = np.array([p.nominal for p in self.parameters])
        units = np.array([p.unit for p in self.parameters])
        return [
            Block("parameter", names),
            Block("unit", units),
            Block("nominal", nominal),
            Block("corrected", nominal + self.changes),
            Block("change", self.changes),
            Block("deviation", self.deviation),
            Block("prior", self.model.priors[: len(self.parameters)]),
            Block("free_share", self.free_share),
        ]

    def facts(self) -> dict[str, Any]:
        """What is said beside the parameters, SI units and radians."""
        position, rotation = self.uncertainty.rms()
        worst = int(np.argmax(self.uncertainty.position))
        facts: dict[str, Any] = {
            "robot": self.robot.name,
            "measurements": self.measurements.source,
            "poses": len(self.data.m),
            "unknowns": self.determined.count,
            "determined": self.determined.rank,
            "not_determined": list(self.determined.words),
            "pose_deviation": {
                "position": position,
                "rotation": rotation,
                "home": [float(self.uncertainty.position[0]), float(self.uncertainty.rotation[0])],
                "worst": [float(self.uncertainty.position[worst]), float(self.uncertainty.rotation[worst])],
                "worst_x": self.uncertainty.x[worst].tolist(),
                "from": self.uncertainty.x.min(axis=0).tolist(),
                "to": self.uncertainty.x.max(axis=0).tolist(),
            },
            "noise": {
                "used": self.deviations,
                "chi_square": self.noise.squares,
                "freedom": self.noise.freedom,
                "p": self.noise.p,
                "actual_over_stated": {kind: ratio for kind, (ratio, _) in self.noise.ratios.items()},
                "verdict": self.noise.text,
            },
            "prior": {
                "stated": self.prior.stated,
                "beyond": [self.parameters[k].path for k in self.prior.beyond],
                "worst_sigma": float(np.abs(self.prior.ratios).max(initial=0.0)),
                "p": self.prior.p,
                "too_tight": self.prior.too_tight,
                "chi_square_without": self.prior.free_squares,
            },
            "residuals": {kind: {"before": a, "after": b} for kind, (a, b) in self.residuals.items()},
            "outliers": [self.measurements.lines[k] for k in self.outliers],
            "left_out": {
                "locking": [p.path for p in self.selection.locking],
                "same_as_others": [p.path for p in self.selection.twins],
            },
            "unknown_frames": {u: float(v) for u, v in self.frames.items()},
        }
        if self.held_out is not None:
            facts["held_out"] = {"folds": self.held_out.folds, "rms_over_noise": self.held_out.ratio}
        if self.validation is not None:
            v = self.validation
            both = dict(zip(("before", "after"), (v.rms(v.before), v.rms(v.after)), strict=True))
            facts["validation"] = {"file": v.source, **both, "expected": v.expected.rms()}
            facts["validation"]["expected_with_noise"] = None if v.measured is None else v.measured.rms()
        return facts

    @property
    def frames(self) -> dict[str, float]:
        """Changes of the unknowns beside the robot, from their first guesses [m or rad]."""
        names = [u.name for u in self.model.sensors.unknowns]
        return dict(zip(names, self.solution.g[len(self.parameters) :].tolist(), strict=True))

    def figure(self) -> Figure:
        """Residuals before and after, the pose's uncertainty, corrections with their deviations."""
        from gough.calibration.calibration_plots import overview

        return overview(self)
