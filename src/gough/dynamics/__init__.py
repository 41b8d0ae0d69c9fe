"""Dynamics: one contract, one file per formulation."""

from gough.dynamics.contract import FORMULATIONS, Formulation, WithMatrices
from gough.dynamics.derivatives import force_derivatives
from gough.dynamics.dynamics_matrices import DynamicsMatrices, dynamics_matrices
from gough.dynamics.inverse import InverseDynamics, inverse_dynamics
from gough.dynamics.lecture import LectureTerms, lecture_terms
from gough.dynamics.payload import with_payload

__all__ = [
    "FORMULATIONS",
    "DynamicsMatrices",
    "Formulation",
    "InverseDynamics",
    "LectureTerms",
    "WithMatrices",
    "dynamics_matrices",
    "force_derivatives",
    "inverse_dynamics",
    "lecture_terms",
    "with_payload",
]
