"""gough: parallel robots described once, their equations recorded once, then counted, differentiated, run and exported.

The public names are imported on first use, so that `import gough` and the command's help stay quick.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_HOMES = {
    "Graph": "gough.graph",
    "Motion": "gough.motion",
    "Program": "gough.run",
    "Robot": "gough.robot",
    "choose_motion": "gough.motion",
    "force_derivatives": "gough.dynamics",
    "inverse_dynamics": "gough.dynamics",
    "inverse_dynamics_along": "gough.dynamics",
    "inverse_kinematics": "gough.kinematics",
    "load": "gough.kinematics",
    "motions": "gough.motion",
    "record": "gough.graph",
    "with_payload": "gough.dynamics",
}


def __getattr__(name: str) -> object:
    """The public value called `name`, imported now and kept."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'gough' has no attribute {name!r}; public names: {', '.join(sorted(_HOMES))}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The names in the module, the ones not imported yet included."""
    return sorted({*globals(), *_HOMES})
