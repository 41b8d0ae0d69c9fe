"""Dynamics of a real machine: what its forces tell of masses, friction and rotors."""

from gough.identification.base_parameters import BaseParameters
from gough.identification.regressor import Regressor, regressor

__all__ = ["BaseParameters", "Regressor", "regressor"]
