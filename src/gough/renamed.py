"""Names of earlier releases: they work for one more release, with a warning, and are removed in 0.3.

The one vocabulary of results: t, x, xd, xdd of the platform, q, qd, qdd, force, power of the actuators, joint_q,
joint_qd, joint_qdd, joint_force, joint_moment of the joints, and status.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

NEW_NAMES = {"lecture_terms": "angeles_terms", "LectureTerms": "AngelesTerms"}
"""Public names of the release before, and what they are called now."""

_ACTUATORS = {"displacement": "q", "displacement_d": "qd", "displacement_dd": "qdd"}
NEW_ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "Kinematics": {"position": "joint_q", "velocity": "joint_qd", "acceleration": "joint_qdd"}
    | _ACTUATORS
    | {"dependent_d": "dependent_xd", "dependent_dd": "dependent_xdd"},
    "InverseDynamics": {"displacement": "q", "velocity": "qd", "time": "t"},
    "JointReactions": {"force": "joint_force", "moment": "joint_moment"},
    "Finding": {"time": "t"},
    "ReachError": {"time": "t"},
    "Demand": {
        **{"force_time": "force_t", "speed_time": "qd_t", "power_time": "power_t"},
        **{"speed": "qd", "speed_t": "qd_t", "rms_speed": "rms_qd"},
    },
    "Proof": {"speed": "qd"},
    "Fit": {"peak_time": "peak_t"},
    "SizeResult": {"displacement": "q_range"},
}
"""Attributes of results by the name of their class, and what they are called now."""

NEW_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "inverse_kinematics": NEW_ATTRIBUTES["Kinematics"],
    "inverse_dynamics": NEW_ATTRIBUTES["InverseDynamics"],
    "joint_reactions": NEW_ATTRIBUTES["JointReactions"],
}
"""Arguments of functions, and arrays of calls that are bound, by the name of the function."""


def value_of(name: str, public: Sequence[str]) -> object:
    """The value that an old public name stands for.

    Raises:
        AttributeError: It never was a public name; the nearest stand in the message.
    """
    new = NEW_NAMES.get(name)
    if new is None:
        near = get_close_matches(name, public, 3)
        hint = f"did you mean {' or '.join(near)}?" if near else "dir(gough) lists the public names"
        raise AttributeError(f"module 'gough' has no attribute {name!r} ({hint})")
    _warn(f"gough.{name}", f"gough.{new}", 4)
    return getattr(import_module("gough"), new)


class OldAttributes:
    """Gives a result the attributes it had under their old names."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a type checker knows new names only

        def __getattr__(self, name: str) -> Any:
            """The value of an old attribute."""
            owner = type(self).__name__
            new = NEW_ATTRIBUTES.get(owner, {}).get(name)
            if new is None:
                raise AttributeError(f"{owner!r} object has no attribute {name!r}")
            _warn(f"{owner}.{name}", new, 3)
            return getattr(self, new)


class NamedArrays(dict[str, Any]):
    """Arrays of a function by name, also by their old names."""

    def __init__(self, function: str, arrays: Mapping[str, Any]) -> None:
        """The arrays of the function."""
        super().__init__(arrays)
        self.function = function

    def __missing__(self, name: str) -> Any:
        """The array of an old name."""
        new = new_argument(self.function, name)
        if new == name:
            raise KeyError(name)
        return self[new]


def new_argument(function: str, name: str) -> str:
    """What an argument or array of a function is called now; a warning if that is not how it was given."""
    new = NEW_ARGUMENTS.get(function, {}).get(name, name)
    if new != name:
        _warn(f"{name} of {function}", new, 4)
    return new


def _warn(old: str, new: str, level: int) -> None:
    warnings.warn(f"{old} is now {new}; the old name is removed in 0.3", DeprecationWarning, stacklevel=level)
