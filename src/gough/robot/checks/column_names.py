"""Names that coordinates and actuators must not have, as columns of results, of files and of models have them.

Values of a platform coordinate are a column of its name alone, next to the time, the status and columns such
as `q_A` of actuators. A test compares those listed here with the columns of all results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gough.robot.checks.fault import Fault, Path

_WRENCH = ("fx", "fy", "fz", "mx", "my", "mz")
_AXES = ("x", "y", "z", "rx", "ry", "rz")
_TWIST = ("vx", "vy", "vz", "wx", "wy", "wz")
ANYWHERE = ("t", "time", "status")
"""Columns of files in which displacements of actuators have the actuators' names alone, too."""
SINGLE = (
    *ANYWHERE,
    *(prefix + name for prefix in ("", "base_", "load_", "wrench_") for name in _WRENCH),
    *("condition", "dependent_condition", "steps", "residual", "share"),
    *("kinetic", "potential", "work", "dissipated", "balance", "closure", "robot", "worst_error", "diverged"),
    *("sample", "p_x", "p_y", "p_z", "within_limits", "singular_value", "side", "certified", "pose"),
    *(f"{prefix}_{name}" for prefix in ("deflection", "sd", "worst") for name in _AXES),
    *(f"{prefix}_{name}" for prefix in ("rms", "largest") for name in ("displacement", "rotation")),
    *("mode", "frequency", "kind", "distance", "px", "py", "pz", "turn_x", "turn_y", "turn_z"),
    *(f"twist_{name}" for name in _TWIST),
    *("case", "actuator", *_TWIST, *(f"{name}d" for name in _TWIST), "payload_mass"),
    *(f"payload_{name}" for name in ("mx", "my", "mz", "xx", "yy", "zz", "xy", "xz", "yz")),
)
"""Columns in tables that have coordinates as columns."""
OF_COORDINATES = ("xd_{}", "xdd_{}", "reference_{}", "start_{}", "{}_d", "{}_dd")
OF_ACTUATORS = ("q_{}", "qd_{}", "qdd_{}", "force_{}", "power_{}", "tension_{}")
OF_LEGS = ("branch_{}",)
"""Columns of each coordinate, each actuator and each leg, next to a coordinate's own."""
PARTS = ("inertia", "velocity", "gravity", "spring", "friction", "rotor", "external")
"""Parts of an actuator's force, which has a column "force_gravity_A" for each; it has one for each body, too."""


def other_columns(
    coordinates: Sequence[str], actuators: Sequence[str], legs: Sequence[str], bodies: Sequence[str]
) -> set[str]:
    """Columns of a robot's results, of its files and of models of it that are not those of a coordinate alone."""
    parts = [f"{part}_{name}" for part in (*PARTS, *bodies) for name in actuators]
    patterns = ((OF_COORDINATES, coordinates), (OF_ACTUATORS, [*actuators, *parts]), (OF_LEGS, legs))
    return {*SINGLE, *(text.format(name) for texts, names in patterns for text in texts for name in names)}


def column_faults(
    coordinates: Sequence[str], actuators: Sequence[str], legs: Sequence[str], bodies: Sequence[str]
) -> Iterator[Fault]:
    """Faults of coordinates and legs whose names clash with those of columns.

    Args:
        coordinates: Names of all platform coordinates.
        actuators: Names of the actuators: those of their legs, or "leg.joint".
        legs: Names of the legs.
        bodies: Names of the bodies.
    """
    taken = other_columns(coordinates, actuators, legs, bodies)
    parts = {f"{part}_{name}" for part in (*PARTS, *bodies) for name in actuators}
    named: list[tuple[Path, str]] = [(("platform", "coordinates"), name) for name in coordinates if name in taken]
    clashing = {*ANYWHERE, *parts}.intersection(actuators)
    named += [(("leg", k, "name"), name) for k, name in enumerate(legs) if name in clashing]
    for path, name in named:
        free = next(own for k in range(1, 100) if (own := f"{name}-{k}") not in taken | parts)
        yield Fault(path, f"must not be called {name}, as a column of results is", name, f"try {free}")
