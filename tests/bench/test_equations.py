"""The equations that the engine's benchmark times are those of the paper, and how it times them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks import costs, stewart_equations, stewart_numpy, stewart_states, throughput, tour
from benchmarks.frame import Goal
from benchmarks.timing import Variant, interleaved


@pytest.fixture(scope="module", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with costs.cache_folder(str(tmp_path_factory.mktemp("cache"))):
        yield


def test_parameters_are_those_of_the_paper():
    expected, machine = stewart_states.reference(), stewart_equations.LOPES
    np.testing.assert_allclose(machine.b, expected["base_joints"], atol=1e-11)
    np.testing.assert_allclose(machine.p, expected["platform_joints"], atol=1e-12)
    given = expected["parameters"]
    assert (machine.m_P, machine.m_C, machine.m_S) == (given["mP"], given["mC"], given["mS"])
    assert (machine.b_C, machine.b_S, machine.g) == (given["bC"], given["bS"], given["g"])
    assert [*machine.I_P] == given["IP"]
    assert given["IC"] == [0.0, machine.I_C, machine.I_C]
    assert given["IS"] == [0.0, machine.I_S, machine.I_S]


@pytest.mark.parametrize("law", ["trig3", "trig3-fast"])
def test_motion_is_that_of_the_reference(law: str):
    case = stewart_states.reference()[law]
    motion = stewart_states.trig3(np.array([sample["t"] for sample in case["samples"]]), case["T"])
    for name, values in zip(("x", "xd", "xdd"), motion, strict=True):
        np.testing.assert_allclose(values, [sample[name] for sample in case["samples"]], rtol=1e-11, atol=1e-11)


def test_equations_on_floats_give_the_reference_forces():
    motion, expected = stewart_states.reference_states()
    tau = np.array([stewart_equations.inverse_dynamics(*state) for state in zip(*motion, strict=True)])
    assert stewart_states.worst_error(tau, expected) <= stewart_states.REFERENCE_TOLERANCE


def test_equations_and_numpy_agree_on_a_machine_without_coincidences():
    motion, machine = stewart_states.states(40), stewart_equations.GENERAL
    tau = np.array([stewart_equations.inverse_dynamics(*state, machine) for state in zip(*motion, strict=True)])
    assert stewart_states.worst_error(tau, stewart_numpy.inverse_dynamics(*motion, machine)) <= 1e-13


def test_every_timed_variant_computes_the_reference_forces():
    pytest.importorskip("numba")
    named, expected, _ = throughput.variants(50)
    assert set(named) == {
        throughput.NUMPY,
        throughput.NUMBA,
        throughput.FLOATS,
        throughput.BLOCKS,
        throughput.LLVM,
        throughput.GENERAL_LLVM,
    }
    throughput.check(named, expected)


@pytest.mark.parametrize("wrong", [1e-9, np.nan])
def test_a_wrong_variant_is_caught(wrong: float):
    motion = stewart_states.states(30)
    right = stewart_numpy.inverse_dynamics(*motion)
    spoiled = right.copy()
    spoiled[-1, 2] += wrong * np.abs(right[-1]).max()
    with pytest.raises(ArithmeticError, match="is off by"):
        throughput.check({throughput.LLVM: Variant(spoiled.copy)}, {throughput.LLVM: right})


def test_a_wrong_derivative_is_caught(monkeypatch: pytest.MonkeyPatch):
    right = costs.record_first_derivatives
    monkeypatch.setattr(costs, "record_first_derivatives", lambda: scaled(right()))
    with pytest.raises(ArithmeticError, match="off by"):
        costs.large_graph(second=False)


def scaled(graph: stewart_equations.Graph) -> stewart_equations.Graph:
    def equations(x: object, xd: object, xdd: object) -> object:
        return graph(x=x, xd=xd, xdd=xdd)["out"] * 1.00001

    return stewart_equations.record(equations, x=6, xd=6, xdd=6)


def test_goals_read_ratios_upwards_and_times_downwards():
    assert Goal("ratio", 51, 50, "x").reached
    assert not Goal("ratio", 49, 50, "x").reached
    assert Goal("time", 9, 10, "ms").reached
    assert not Goal("time", 11, 10, "ms").reached


def test_interleaving_gives_every_variant_its_turns():
    calls: list[str] = []

    def called(name: str) -> float:
        calls.append(name)
        return 0.0

    named = {
        "a": Variant(lambda: called("a")),
        "b": Variant(lambda: called("b"), inner=3),
        "c": Variant(lambda: called("c"), every=2),
    }
    timings = interleaved(named, rounds=4, turn=0.0)
    assert "".join(calls) == "abc" + "abbbc" + "bbba" + "cabbb" + "abbb"
    assert {name: timing.samples for name, timing in timings.items()} == {"a": 4, "b": 4, "c": 2}
    assert all(0.0 <= timing.least <= timing.median for timing in timings.values())


def test_tour_shows_the_reference_forces_and_fits_a_screen():
    text = tour.tour(samples=50, rounds=1)
    (_, _, _), expected = stewart_states.reference_states()
    shown = tour.numbers(expected[13])
    assert text.count(shown) == 3
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 120
