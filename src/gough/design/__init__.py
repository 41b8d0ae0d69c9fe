"""Sizing and comparison: what the actuators of a machine must provide over a motion or an envelope of motions."""

from gough.design.branch_and_bound import Proof
from gough.design.cases import load_cases
from gough.design.compare import Comparison, compare
from gough.design.demand import Demand, demand
from gough.design.envelope import Envelope, envelope_of, read_envelope
from gough.design.motor_fit import Fit
from gough.design.prove_envelope import prove
from gough.design.size import UnboundedError, size
from gough.design.size_result import SizeResult

__all__ = [
    "Comparison",
    "Demand",
    "Envelope",
    "Fit",
    "Proof",
    "SizeResult",
    "UnboundedError",
    "compare",
    "demand",
    "envelope_of",
    "load_cases",
    "prove",
    "read_envelope",
    "size",
]
