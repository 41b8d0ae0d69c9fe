"""The physically consistent robot nearest to an estimate, and near the file's bodies where nothing is determined.

Base parameters are fewer than the numbers of a robot's file, and noise may put them where no body is. Of all robots
whose bodies are physical and whose friction and rotors are not negative, the one is taken that is most likely given the
estimate and a normal prior about the file: coordinates of `pseudo_inertia` with a standard deviation of `prior`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gough.errors import NumericalError
from gough.graph import Array
from gough.identification.dynamic_parameters import with_parameters
from gough.identification.estimate import Estimate
from gough.identification.pseudo_inertia import Family, family
from gough.identification.regressor import Regressor
from gough.robot import Robot, RobotError, as_robot
from gough.robot.mechanism import size

PRIOR = 0.5
"""Standard deviation of the coordinates: a body of the file may well be wrong by half."""


class Consistent(NamedTuple):
    """A robot whose numbers are possible.

    Attributes:
        robot: With its bodies, friction and rotors.
        values: (p,) parameters of the regressor.
    """

    robot: Robot
    values: Array


class _Unknowns(NamedTuple):
    """How the numbers that are searched for make up the parameters: those of bodies, then those of drives."""

    bodies: tuple[tuple[int, Family], ...]
    drives: NDArray[np.intp]
    scale: Array

    def parameters(self, z: Array, count: int) -> tuple[Array, Array]:
        """(p,) parameters, and their derivatives (p, z)."""
        p, derivative, at = np.zeros(count), np.zeros((count, len(z))), 0
        for first, bodies in self.bodies:
            own, slope = bodies(z[at : at + bodies.size])
            p[first : first + len(own)] = own
            derivative[first : first + len(own), at : at + bodies.size] = slope
            at += bodies.size
        p[self.drives] = z[at:] * self.scale
        derivative[self.drives, np.arange(at, len(z))] = self.scale
        return p, derivative


def consistent(regressor: Regressor, found: Estimate, prior: float = PRIOR) -> Consistent:
    """The robot that suits an estimate of the regressor's base parameters.

    Args:
        regressor: Whose base parameters were found.
        found: They.
        prior: How far bodies may well be from the file's, relative.

    Raises:
        NumericalError: It was not found.
    """
    from scipy.optimize import least_squares

    robot, base, count = as_robot(regressor.robot), regressor.base, len(regressor.names)
    unknowns = _unknowns(regressor, found)
    bodies = sum(family.size for _, family in unknowns.bodies)
    start = np.concatenate([np.zeros(bodies), regressor.values[unknowns.drives] / unknowns.scale])
    width = np.concatenate([np.full(bodies, prior), np.ones(len(unknowns.drives))])
    lowest = np.concatenate([np.full(bodies, -np.inf), np.zeros(len(unknowns.drives))])

    def residuals(z: Array) -> Array:
        p, _ = unknowns.parameters(z, count)
        return np.concatenate([found.root @ (base.map @ p - found.values), (z - start) / width])

    def slopes(z: Array) -> Array:
        _, derivative = unknowns.parameters(z, count)
        return np.concatenate([found.root @ base.map @ derivative, np.diag(1.0 / width)])

    first = np.maximum(start, lowest + 1e-6)
    within = (lowest, np.full(len(start), np.inf))
    solved = least_squares(residuals, first, slopes, bounds=within, xtol=1e-9, ftol=1e-9, max_nfev=400)
    if not solved.success:
        raise NumericalError(f"no physical robot was found for {robot.name}: {solved.message}")
    values, _ = unknowns.parameters(solved.x, count)
    try:
        return Consistent(robot.with_mechanism(with_parameters(robot, regressor.parameters, values)), values)
    except RobotError as error:
        if "payload" not in robot.spec:
            raise
        why = "the identified platform less the payload of the file is no body (was it recorded without the payload?)"
        raise NumericalError(f"{why}: {error}") from None


def _unknowns(regressor: Regressor, found: Estimate) -> _Unknowns:
    """Of each body with mass the family about the file's; of drives multiples of what would make up all forces."""
    parameters, length = regressor.parameters, size(regressor.robot) or 1.0
    bodies = []
    for block in parameters.blocks:
        own = regressor.values[block.first : block.first + block.size]
        if block.size and own[0] > 0.0:
            bodies.append((block.first, family(own, block.shape, length)))
    drives = np.arange(parameters.drives_first, len(regressor.names))
    effect = np.sqrt(((found.root @ regressor.base.map[:, drives]) ** 2).sum(axis=0))
    scale = np.where(effect > 0.0, found.size / np.maximum(effect, 1e-300), np.maximum(regressor.values[drives], 1.0))
    return _Unknowns(tuple(bodies), drives, scale)
