"""Dynamics: one contract, one file per formulation."""

from gough.dynamics.contract import FORMULATIONS, Formulation, WithMatrices
from gough.dynamics.derivatives import force_derivatives
from gough.dynamics.dynamics_matrices import DynamicsMatrices, dynamics_matrices
from gough.dynamics.inverse import inverse_dynamics, inverse_dynamics_along
from gough.dynamics.lecture import LectureTerms, lecture_terms
from gough.dynamics.lopes_matrices import LopesMatrices, lopes_matrices
from gough.dynamics.payload import with_payload
from gough.dynamics.reactions import JointReactions, joint_reactions
from gough.dynamics.result import InverseDynamics

__all__ = [
    "FORMULATIONS",
    "DynamicsMatrices",
    "Formulation",
    "InverseDynamics",
    "JointReactions",
    "LectureTerms",
    "LopesMatrices",
    "WithMatrices",
    "dynamics_matrices",
    "force_derivatives",
    "inverse_dynamics",
    "inverse_dynamics_along",
    "joint_reactions",
    "lecture_terms",
    "lopes_matrices",
    "with_payload",
]
