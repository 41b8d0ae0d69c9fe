"""Dynamics: one contract, one file per formulation."""

from gough.dynamics.angeles import AngelesTerms, angeles_terms
from gough.dynamics.contract import DEFAULT, FORMULATIONS, Formulation, WithMatrices
from gough.dynamics.dynamics_matrices import DynamicsMatrices, dynamics_matrices
from gough.dynamics.force_programs import force_derivatives
from gough.dynamics.forward import ForwardDynamics, forward_dynamics
from gough.dynamics.generalized_momentum import GeneralizedMomentum
from gough.dynamics.inverse import inverse_dynamics
from gough.dynamics.lagrange import Lagrange
from gough.dynamics.link_wrenches import LinkWrenches, link_wrenches
from gough.dynamics.lopes import LopesMatrices, lopes_matrices
from gough.dynamics.newton_euler import NewtonEuler
from gough.dynamics.orthogonal_complement import OrthogonalComplement
from gough.dynamics.reactions import JointReactions, joint_reactions
from gough.dynamics.result import InverseDynamics
from gough.dynamics.virtual_work import VirtualWork

__all__ = [
    "DEFAULT",
    "FORMULATIONS",
    "AngelesTerms",
    "DynamicsMatrices",
    "Formulation",
    "ForwardDynamics",
    "GeneralizedMomentum",
    "InverseDynamics",
    "JointReactions",
    "Lagrange",
    "LinkWrenches",
    "LopesMatrices",
    "NewtonEuler",
    "OrthogonalComplement",
    "VirtualWork",
    "WithMatrices",
    "angeles_terms",
    "dynamics_matrices",
    "force_derivatives",
    "forward_dynamics",
    "inverse_dynamics",
    "joint_reactions",
    "link_wrenches",
    "lopes_matrices",
]
