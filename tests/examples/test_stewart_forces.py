"""`make demo`: it agrees with the reference forces and fits a screen."""

from __future__ import annotations

import re

from examples.stewart_forces import demo


def test_the_demonstration(tmp_path):
    path = tmp_path / "demo" / "forces.png"
    text = demo(path)
    differences = [float(found) for found in re.findall(r" (\d\.\de-\d+)$", text, re.MULTILINE)]
    assert len(differences) == 9
    assert max(differences) < 6e-11
    assert str(path) in text
    assert path.read_bytes().startswith(b"\x89PNG")
    assert max(len(line) for line in text.splitlines() if str(path) not in line) <= 120
    assert len(text.splitlines()) <= 30
