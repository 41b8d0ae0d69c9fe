"""Random and quasi-random numbers by counter."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from gough.draws.counter import philox, uniforms, whole_numbers
from gough.draws.normal import normal
from gough.draws.sobol import sobol
from gough.errors import InputError


def test_philox_gives_the_authors_known_answers() -> None:
    """Random123's kat_vectors, philox4x32 with ten rounds."""
    ones = 0xFFFFFFFF
    pi = (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344)
    for counter, key, answer in (
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((ones,) * 4, (ones, ones), (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (pi, (0xA4093822, 0x299F31D0), (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
    ):
        assert tuple(int(v) for v in philox(np.array([counter], dtype=np.uint64), key)[0]) == answer


def test_draws_do_not_depend_on_their_neighbours() -> None:
    many = uniforms(7, np.arange(9000), 3, 5, 2)
    assert np.array_equal(many[4100:4200], uniforms(7, np.arange(4100, 4200), 3, 5, 2))
    assert np.array_equal(many[:, :2], uniforms(7, np.arange(9000), 3, 2, 2))
    assert not np.array_equal(many, uniforms(7, np.arange(9000), 3, 5, 3))


def test_normal_numbers_are_normal_and_truncated_ones_stay_within() -> None:
    u = uniforms(1, np.arange(40_000), 0, 1)[:, 0]
    assert stats.kstest(normal(u), "norm").pvalue > 1e-3
    cut = normal(u, -1.0, 2.0)
    assert cut.min() >= -1.0
    assert cut.max() <= 2.0
    assert stats.kstest(cut, stats.truncnorm(-1.0, 2.0).cdf).pvalue > 1e-3
    far = normal(u, 20.0, 21.0)
    assert stats.kstest(far, stats.truncnorm(20.0, 21.0).cdf).pvalue > 1e-3


def test_sobol_points_are_scipys_shifted_and_any_stretch_of_them() -> None:
    plain = stats.qmc.Sobol(5, scramble=False).random(1024)
    mine = sobol(0, 1024, 5, seed=3)
    cells = [np.sort(np.ravel_multi_index(tuple((p[:, :2] * 32).astype(int).T), (32, 32))) for p in (plain, mine)]
    assert np.array_equal(*cells), "one point in each cell of the net, as in the sequence itself"
    assert np.array_equal(mine[700:900], sobol(700, 900, 5, seed=3))
    assert not np.array_equal(mine, sobol(0, 1024, 5, seed=3, replicate=1))
    shift = mine[0] * 2**30
    words = (mine * 2**30).astype(np.uint64) ^ shift.astype(np.uint64)
    ordinary = {tuple(row) for row in (plain * 2**30).astype(np.uint64).tolist()}
    assert {tuple(row) for row in words.tolist()} == ordinary


def test_too_many_sobol_points_are_refused() -> None:
    with pytest.raises(InputError, match="at most 1073741824 of 1000"):
        sobol(0, 2**30 + 1, 3, 0)


def test_whole_numbers_are_below_their_end() -> None:
    found = whole_numbers(5, np.arange(5000), 0, 3, 7)
    assert set(np.unique(found)) == set(range(7))
