"""The result of inverse dynamics: forces, powers and what they come from, with names on the axes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gough.dynamics.force_programs import Model
from gough.dynamics.parts import bodies_program, parts_program
from gough.kinematics.dependent.values import dependent_coordinates
from gough.kinematics.programs import kinematics_program
from gough.kinematics.singularity import SINGULAR
from gough.kinematics.status import Status, condition_number
from gough.motion.recording import Recording
from gough.renamed import OldAttributes
from gough.robot import Robot


@dataclass(frozen=True)
class InverseDynamics(OldAttributes):
    """Actuator forces of N samples, or of one without the leading axis. NaN where a sample has no solution.

    Attributes:
        robot: Whose forces.
        formulation: Name of the formulation that was used.
        coordinates, actuators: Names on the axes.
        x, xd, xdd: (N, n) motion, as given [m or rad, per s, per s^2].
        wrench: (N, 6) or (6,) external force and moment, or None.
        q, qd: (N, actuators) from each actuator's zero [m or rad, per s].
        force: (N, actuators) joint-side [N or N m].
        power: (N, actuators) force times qd [W].
        status: (N,) of `Status`.
        leg: (N,) index of the leg that fails, -1 if none.
        amount: (N,) how far it falls short [m]; not converged, its closure error; overflow, the largest number given.
        t: (N,) of the samples [s], or None where it was not given.
        motion: Name of the motion; empty for arrays.
        recording: Of the motion, where it is one: its rows and how they were smoothed.
    """

    robot: Robot
    formulation: str
    coordinates: tuple[str, ...]
    actuators: tuple[str, ...]
    x: Any
    xd: Any
    xdd: Any
    wrench: Any
    q: Any
    qd: Any
    force: Any
    power: Any
    status: Any
    leg: Any
    amount: Any
    t: Any
    motion: str
    _model: Model = field(repr=False)
    _K: Any = field(repr=False)
    recording: Recording | None = field(default=None, repr=False)

    @cached_property
    def condition(self) -> Any:
        """(N,) condition of K, with turning columns divided by the characteristic length."""
        K = kinematics_program(self.robot, 0)(x=self.x)["K"] if self._K is None else self._K
        condition = condition_number(self.robot, K.reshape(-1, *K.shape[-2:]))
        found = np.where(np.atleast_1d(self.status) > Status.NEAR_SINGULAR, np.nan, condition)
        return found.reshape(np.shape(self.status))

    @cached_property
    def dependent(self) -> tuple[Any, Any, Any]:
        """(N, k) platform coordinates that follow the others, their rates and accelerations; NaN where there are none.

        They are in the order of `robot.dependent_names`, and computed when asked for.
        """
        values = dependent_coordinates(self.robot, self.x, self.xd, self.xdd)
        lost = np.asarray(self.status) > Status.NEAR_SINGULAR
        return tuple(np.where(lost[..., None], np.nan, value) for value in values)  # type: ignore[return-value]

    @property
    def status_text(self) -> Any:
        """(N,) "fine", "near singular" (also where there are forces but K is ill-conditioned), "out of reach", ..."""
        near = (np.asarray(self.status) == Status.FINE) & ~(self.condition <= SINGULAR)
        texts = np.array([Status(k).text if k in Status.__members__.values() else "" for k in range(max(Status) + 1)])
        return texts[np.where(near, Status.NEAR_SINGULAR, self.status)]

    @property
    def smoothing(self) -> str:
        """One line on how the motion was smoothed; empty where nothing was asked for."""
        return "" if self.recording is None else self.recording.text(self.coordinates)

    def parts(self, platform_coordinates: bool = False) -> dict[str, Any]:
        """By cause (the sum is the force): inertia, velocity, gravity, spring, friction, rotor, external."""
        return self._masked(parts_program(self._model, platform_coordinates)(**self._inputs()))

    def by_body(self) -> dict[str, Any]:
        """(N, actuators) by body group: what the motion and weight of each takes."""
        return self._masked(bodies_program(self._model)(**self._inputs()))

    def to_csv(
        self, path: str | Path | None = None, *, parts: bool = False, by_body: bool = False, units: str | None = None
    ) -> str:
        """CSV text in full precision; written to `path` too, whole or not at all, if one is given.

        SI units and radians; with `units`, e.g. "mm,deg", in those, and the header names the unit of each column.
        """
        from gough.dynamics.result_text import csv_text

        return _written(csv_text(self, parts, by_body, units), path)

    def to_json(self, path: str | Path | None = None, *, parts: bool = False, by_body: bool = False) -> str:
        """JSON text, as `to_csv`; a row of a sample that has no value is null."""
        from gough.dynamics.result_text import json_text

        return _written(json_text(self, parts, by_body), path)

    def to_parquet(self, path: str | Path, *, parts: bool = False, by_body: bool = False) -> None:
        """A Parquet file of the columns of `to_csv`, written whole or not at all; needs the extra `parquet`."""
        from gough.files import write_whole

        write_whole(Path(path), self.parquet_bytes(parts=parts, by_body=by_body))

    def parquet_bytes(self, *, parts: bool = False, by_body: bool = False) -> bytes:
        """Content of the file that `to_parquet` writes."""
        from gough.dynamics.result_text import columns
        from gough.parquet import parquet_bytes

        facts = {"robot": self.robot.name, "motion": self.motion or None, "formulation": self.formulation}
        if self.smoothing:
            facts["smoothing"] = self.smoothing
        return parquet_bytes(columns(self, parts, by_body), facts)

    def _inputs(self) -> dict[str, Any]:
        inputs = {"x": self.x, "xd": self.xd, "xdd": self.xdd}
        return inputs if self.wrench is None else inputs | {"wrench": self.wrench}

    def _masked(self, results: dict[str, Any]) -> dict[str, Any]:
        lost = ~np.isfinite(self.force)
        return {name: np.where(lost, np.nan, value) for name, value in results.items()}


def _written(text: str, path: str | Path | None) -> str:
    if path is not None:
        from gough.files import write_whole

        write_whole(Path(path), text.encode())
    return text
