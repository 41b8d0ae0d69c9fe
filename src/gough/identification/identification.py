"""The result of an identification: base parameters with their standard deviations, what they leave, and a robot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough.graph import Array
from gough.identification.consistent import Consistent, consistent
from gough.identification.estimate import Equations, Estimate, equations, from_zero
from gough.identification.recorded_forces import RecordedForces
from gough.identification.regressor import Regressor
from gough.robot import Robot
from gough.table import Block, Result

CORRELATED = 0.3
"""Correlation of neighbouring residuals from which on standard deviations are said to be too small."""


@dataclass(frozen=True)
class Validation:
    """How well forces were predicted.

    Attributes:
        source: File or name of the recording.
        force: (actuators,) root mean square of the measured forces less known ones [N or N m].
        error: (actuators,) of what the base parameters leave.
        share: Left, as a share of the forces, all actuators together.
        written: The same for the robot that is written; NaN where it was not asked for.
        file: The same for the robot's file as it was.
    """

    source: str
    force: Array
    error: Array
    share: float
    written: float = float("nan")
    file: float = float("nan")

    @classmethod
    def of(cls, source: str, measured: Array, left: Array) -> Validation:
        """From forces (N, actuators) and what is left of them."""
        return cls(source, rms(measured), rms(left), share(measured, left))


def rms(values: Array) -> Array:
    """(actuators,) root mean square of (N, actuators)."""
    return np.asarray(np.sqrt((values**2).mean(axis=0)))


def share(measured: Array, left: Array) -> float:
    """What is left of the forces, all actuators together."""
    return float(np.sqrt((left**2).sum() / (measured**2).sum()))


class Identification(Result):
    """The result of an identification: base parameters of a robot, their uncertainty and residuals.

    Attributes:
        model: The linear map of the parameters.
        recording: What they come from.
        equations: Those of the recording.
        found: The estimate: values, covariance, noise of the forces.
        left_out: Parts of the recording, predicted by the others.
        validation: Prediction of a recording that was not used; None if none was given.
        legs_alike: Probability of residuals this large if legs that share parameters are alike; None where none share.
        prior: Relative standard deviation of the written robot's masses from the file's.
    """

    model: Regressor
    recording: RecordedForces
    equations: Equations
    found: Estimate
    left_out: Validation
    validation: Validation | None
    legs_alike: float | None
    prior: float

    INDEX, LAYOUT, UNDER = "parameter", "rows", "parameters"

    @property
    def names(self) -> tuple[str, ...]:
        """(r,) of the parameters that lead the base parameters."""
        return self.model.base.labels

    @property
    def values(self) -> Array:
        """(r,) base parameters [kg, kg m, kg m^2, N s/m ...]."""
        return self.found.values

    @property
    def sd(self) -> Array:
        """(r,) their standard deviations; infinite where the recording tells nothing."""
        return self.found.sd

    @property
    def of_file(self) -> Array:
        """(r,) what they are in the robot's file."""
        return self.model.base.map @ self.model.values

    @property
    def determined(self) -> NDArray[np.bool_]:
        """(r,) whether the value is told from zero: it exceeds twice its standard deviation."""
        return from_zero(self.found.values, self.found.sd)

    @cached_property
    def left(self) -> tuple[Array, Array]:
        """(N, actuators) measured forces less known ones, and what the base parameters leave of them [N or N m]."""
        return self.equations.left(self.values)

    @property
    def residual(self) -> float:
        """What is left of the forces of the recording itself, as a share."""
        return share(*self.left)

    @cached_property
    def neighbours(self) -> float:
        """Correlation of residuals with those of the next sample: of white noise about zero."""
        left = self.left[1] - self.left[1].mean(axis=0)
        return float((left[1:] * left[:-1]).sum() / max(float((left**2).sum()), 1e-300))

    @cached_property
    def consistent(self) -> Consistent:
        """The robot that is physical and has these base parameters, and its parameters."""
        return consistent(self.model, self.found, self.prior)

    @property
    def robot(self) -> Robot:
        """The identified robot; every body of it is physical."""
        return self.consistent.robot

    def with_validation(self, found: Validation) -> Identification:
        """The same result, validated."""
        same = replace(self, validation=found)
        if "consistent" in self.__dict__:
            same.__dict__["consistent"] = self.consistent
        return same

    def units(self) -> list[str]:
        """(r,) SI units of the base parameters."""
        parameters, actuators = self.model.parameters, self.model.robot.actuators
        drives = [actuators[together[0]] for _, together in parameters.drives]
        named = dict(zip(parameters.names[parameters.drives_first :], drives, strict=True))
        return [_unit(name, named) for name in self.names]

    @property
    def remarks(self) -> list[str]:
        """What one should know before using the numbers."""
        told = []
        base, rank = self.model.base, self.found.rank
        if rank < len(base):
            told.append(f"the motion tells of {rank} of {len(base)} combinations only: plan a better one (--plan)")
        if self.neighbours > CORRELATED:
            factor = np.sqrt((1.0 + self.neighbours) / (1.0 - self.neighbours))
            told.append(
                f"neighbouring residuals are alike (correlation {self.neighbours:.2f}): something is not modelled, or "
                f"forces were filtered; standard deviations are about {factor:.1f} times larger than stated"
            )
        if self.legs_alike is not None and self.legs_alike < 1e-4:
            told.append("legs that are alike in the file differ here: give them parameters of their own (--legs own)")
        return told

    def _blocks(self) -> list[Block]:
        """A row per base parameter: name, value, standard deviation, value in the file, whether it is determined."""
        base = self.model.base
        return [
            Block("parameter", np.array(self.names)),
            Block("value", self.values),
            Block("sd", self.sd),
            Block("file", self.of_file),
            Block("unit", np.array(self.units())),
            Block("determined", self.determined),
            Block("meaning", np.array([base.text(k) for k in range(len(base))])),
        ]

    def facts(self) -> dict[str, Any]:
        """Facts that go with the base parameters: the recording, its residuals, a validation."""
        robot = self.model.robot
        facts: dict[str, Any] = {
            "robot": robot.name,
            "recording": self.recording.source,
            "samples": len(self.equations.rows),
            "noise": dict(zip(robot.actuator_names, self.found.sigma.tolist(), strict=True)),
            "residual": self.residual,
            "left_out": self.left_out.share,
            "legs_alike": self.legs_alike,
            "remarks": self.remarks,
        }
        if self.validation is not None:
            told = self.validation
            facts["validation"] = {
                "recording": told.source,
                "base": told.share,
                "written": told.written,
                "file": told.file,
            }
        return facts


def validated(result: Identification, recording: RecordedForces) -> Validation:
    """How well base parameters, the written robot and the file predict another recording's forces."""
    found = equations(result.model, recording)
    measured, left = found.left(result.values)
    base = result.model.base.map
    written = found.left(base @ result.consistent.values)[1]
    before = found.left(result.of_file)[1]
    told = Validation.of(recording.source, measured, left)
    return replace(told, written=share(measured, written), file=share(measured, before))


def _unit(name: str, drives: dict[str, Any]) -> str:
    quantity = name.rpartition(".")[2]
    if quantity in ("viscous", "coulomb", "rotor"):
        turns = drives[name].turns
        return {
            "viscous": "N m s/rad" if turns else "N s/m",
            "coulomb": "N m" if turns else "N",
            "rotor": "kg m^2" if turns else "kg",
        }[quantity]
    return "kg" if quantity == "mass" else "kg m" if quantity.startswith("h") else "kg m^2"
