"""gough: parallel robots described once, their equations recorded once, then counted, differentiated, run and exported.

The public names are imported on first use, so that `import gough` and the command's help stay quick.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "CheckResult": "gough.analyse",
    "ComputedTorque": "gough.simulate",
    "Controller": "gough.simulate",
    "Custom": "gough.simulate",
    "Event": "gough.simulate",
    "Feedforward": "gough.simulate",
    "Forces": "gough.simulate",
    "Graph": "gough.graph",
    "Motion": "gough.motion",
    "Noise": "gough.simulate",
    "PD": "gough.simulate",
    "Program": "gough.run",
    "Robot": "gough.robot",
    "Springs": "gough.simulate",
    "check": "gough.analyse",
    "choose_motion": "gough.motion",
    "dynamics_matrices": "gough.dynamics",
    "force_derivatives": "gough.dynamics",
    "forward_dynamics": "gough.dynamics.forward_dynamics",
    "forward_kinematics": "gough.simulate",
    "inverse_dynamics": "gough.dynamics",
    "inverse_dynamics_along": "gough.dynamics",
    "inverse_kinematics": "gough.kinematics",
    "joint_reactions": "gough.dynamics",
    "lecture_terms": "gough.dynamics",
    "linearise": "gough.simulate",
    "load": "gough.kinematics",
    "lopes_matrices": "gough.dynamics",
    "modes": "gough.simulate",
    "motions": "gough.motion",
    "operation_counts": "gough.report",
    "record": "gough.graph",
    "simulate": "gough.simulate",
    "simulate_many": "gough.simulate",
    "verify": "gough.report",
    "with_payload": "gough.dynamics",
}


def __getattr__(name: str) -> object:
    """The public value called `name`, imported now and kept."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'gough' has no attribute {name!r}; public names: {', '.join(sorted(_HOMES))}")
    found = import_module(home)
    value = found if home == f"gough.{name}" else getattr(found, name)  # the package simulate is called itself
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The names in the module, the ones not imported yet included."""
    return sorted({*globals(), *_HOMES})
