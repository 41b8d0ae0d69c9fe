"""The measured machine, and the robot its file says it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import gough

DATA = Path(__file__).parents[2] / "examples" / "calibration"
NOISE = "position=20um,rotation=20urad,encoder=5um,distance=2um"


@pytest.fixture(scope="session")
def stewart() -> gough.Robot:
    return gough.load("stewart")


@pytest.fixture(scope="session")
def truth() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "truth.json").read_text())
    return found


@pytest.fixture(scope="session")
def bars(truth: dict[str, Any]) -> list[gough.Bar]:
    ends = zip(truth["ball_bars"]["base"], truth["ball_bars"]["platform"], strict=True)
    return [gough.Bar(f"d{k + 1}", tuple(a), tuple(b)) for k, (a, b) in enumerate(ends)]
