"""Lopes' matrices at many states, by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gough.dynamics.lopes import J_C, T, body_matrices, machine_of, potential
from gough.graph import factor, gradient, record, solve_transposed
from gough.robot import Robot
from gough.run import Program

BODIES = ("C_tra", "C_rot", "S_tra", "S_rot")


@dataclass(frozen=True)
class LopesMatrices:
    """Lopes' terms for N samples, or for one without the leading axis.

    Attributes:
        T, J_C: (N, 6, 6) of (23) and (6).
        I_P, V_P: (N, 6, 6) of the platform.
        I, V: (N, 6, 6) by leg body, summed over the legs: "C_tra", "C_rot", "S_tra", "S_rot".
        f_gra: (N, 6) by "platform", "cylinders", "pistons", on the Euler coordinates, (78)-(80).
        f_gra_B: The same in base axes, T^-T f_gra: (83) as the power balance demands.
    """

    T: Any
    J_C: Any
    I_P: Any
    V_P: Any
    I: dict[str, Any]
    V: dict[str, Any]
    f_gra: dict[str, Any]
    f_gra_B: dict[str, Any]

    def force(self, xd: Any, xdd: Any) -> Any:
        """(N, 6) tau = J_C^-T (I xdd + V xd + f_gra). Lopes2009 (81), (84)."""
        inertia = self.I_P + sum(self.I.values())
        velocity = self.V_P + sum(self.V.values())
        f = (inertia @ np.asarray(xdd)[..., None] + velocity @ np.asarray(xd)[..., None])[..., 0]
        f = f + sum(self.f_gra_B.values())
        return np.linalg.solve(np.swapaxes(self.J_C, -1, -2), f[..., None])[..., 0]


def lopes_matrices(robot: Robot, x: Any, xd: Any) -> LopesMatrices:
    """Lopes' own matrices of a 6-UPS platform at x (6,) or (N, 6) and rates xd.

    Raises:
        InputError: The robot is of another kind; see `machine_of`.
    """
    raw = _program(robot)(x=x, xd=xd)
    groups = ("platform", "cylinders", "pistons")
    return LopesMatrices(
        **{name: raw[name] for name in ("T", "J_C", "I_P", "V_P")},
        I={name: raw[f"I_{name}"] for name in BODIES},
        V={name: raw[f"V_{name}"] for name in BODIES},
        f_gra={name: raw[f"gra {name}"] for name in groups},
        f_gra_B={name: raw[f"gra B {name}"] for name in groups},
    )


@lru_cache(maxsize=8)
def _program(robot: Robot) -> Program:
    machine = machine_of(robot)

    def equations(x: Any, xd: Any) -> dict[str, Any]:
        out: dict[str, Any] = {"T": T(x), "J_C": J_C(machine, x)}
        for i in range(len(machine.b)):
            for name, value in body_matrices(machine, x, xd, i).items():
                if name not in ("I_P", "V_P") or i == 0:
                    out[name] = out[name] + value if name in out else value
        f = factor(out["T"])
        energies = potential(machine, x, -robot.gravity[2])
        for name, energy in zip(("platform", "cylinders", "pistons"), energies, strict=True):
            slope = gradient(energy, x)
            out |= {f"gra {name}": slope, f"gra B {name}": solve_transposed(f, slope)}
        return out

    return Program(record(equations, x=6, xd=6))
