"""The benchmark of JAX checks what it times, and prints a row for each way."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="JAX is not installed: its benchmark is not checked")


@pytest.fixture(autouse=True)
def _doubles():
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def test_quick_run(capsys: pytest.CaptureFixture[str]):
    from benchmarks import bridges

    found = bridges.main(["--samples", "20", "fivebar"])
    assert set(found) == {("fivebar", "kernels")}
    assert all(np.isfinite(value) and value > 0.0 for value in found["fivebar", "kernels"].values())
    assert "fivebar   kernels" in capsys.readouterr().out


def test_wrong_forces_are_caught():
    import gough
    from benchmarks import bridges

    def wrong(robot):
        right = bridges.kernels(robot)
        return lambda *given: 1.0000001 * right(*given)

    with pytest.raises(AssertionError):
        bridges.measured(gough.load("fivebar"), wrong, 2)
