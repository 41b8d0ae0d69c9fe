"""Dynamics: one contract, one file per formulation."""

from gough.dynamics.contract import FORMULATIONS, Formulation
from gough.dynamics.derivatives import force_derivatives
from gough.dynamics.inverse import InverseDynamics, inverse_dynamics
from gough.dynamics.payload import with_payload

__all__ = ["FORMULATIONS", "Formulation", "InverseDynamics", "force_derivatives", "inverse_dynamics", "with_payload"]
