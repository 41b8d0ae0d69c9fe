"""The forces of one motion by several formulations: a small certificate of the very numbers that are shown."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gough.dynamics import InverseDynamics
from gough.dynamics.contract import FORMULATIONS
from gough.dynamics.force_programs import Model, force_graph
from gough.run import Program
from gough.run.choose import size_of

MOST = 64
"""Samples that are compared."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A formulation beside the one that was used.

    Attributes:
        formulation: Its name.
        operations: Of its program.
        worst: Largest difference in force, over cond(K) max |tau|.
    """

    formulation: str
    operations: int
    worst: float


def motion_agreement(result: InverseDynamics) -> tuple[tuple[Beside, ...], int]:
    """Every formulation but the yardsticks, which take as long as all else; and how many samples were compared.

    Samples without a solution are left out.
    """
    fine = np.flatnonzero(np.isfinite(result.force).all(axis=1))
    chosen = fine[np.unique(np.linspace(0, len(fine) - 1, min(MOST, len(fine))).round().astype(int))]
    if not len(chosen):
        return (), 0
    many = len(result.time)
    given = {"x": result.x, "xd": result.xd, "xdd": result.xdd, "wrench": result.wrench}
    inputs = {
        name: np.broadcast_to(values, (many, np.shape(values)[-1]))[chosen]
        for name, values in given.items()
        if values is not None
    }
    ours = result.force[chosen]
    scale = result.condition[chosen] * np.maximum(np.abs(ours).max(axis=1), 1e-300)
    found = []
    for formulation in FORMULATIONS:
        if formulation.yardstick:
            continue
        graph = force_graph(Model(result.robot, formulation, wrench=result.wrench is not None))
        theirs = Program(graph, "blocks")(**inputs)
        worst = float((np.abs(theirs - ours) / scale[:, None]).max())
        found.append(Beside(formulation.name, size_of(graph), worst))
    return tuple(found), len(chosen)
