"""Arrays of kinematics, dynamics, motions, limits, accuracy and simulation on fixed states."""

from __future__ import annotations

from tests.support.questions import Question

TABLE: dict[str, Question] = {}
