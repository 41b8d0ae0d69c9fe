"""Microseconds per sample of the same inverse dynamics: every executor, NumPy by hand, numba."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import stewart_numpy
from benchmarks.stewart_equations import GENERAL, LOPES, Machine, record_inverse_dynamics
from benchmarks.stewart_states import REFERENCE_TOLERANCE, States, reference_states, states, worst_error
from benchmarks.timing import Timing, Variant, interleaved, once
from gough.run import Program

Array = NDArray[np.float64]

AGREEMENT = 1e-12
"""Between variants, relative to the largest force of each state."""

NUMPY, NUMBA, LLVM, BLOCKS, FLOATS, GENERAL_LLVM = (
    "NumPy by hand, (N, 6, 3)",
    "numba",
    "gough llvm",
    "gough blocks",
    "gough floats",
    "gough llvm, machine without coincidences",
)


def numba_call(motion: States, out: Array) -> tuple[Callable[[], Array], float]:
    """The peer in numba and the seconds of its first call, most of which compile it."""
    from benchmarks import stewart_numba

    def call() -> Array:
        return stewart_numba.inverse_dynamics(*motion, out)

    seconds, _ = once(call)
    return call, seconds


def program_call(executor: str, motion: States, out: Array, machine: Machine = LOPES) -> Callable[[], Array]:
    """A gough program on one core, into a buffer of ours."""
    program: Any = Program(record_inverse_dynamics(machine), executor=executor)
    x, xd, xdd = motion
    return lambda: program(x=x, xd=xd, xdd=xdd, out=out, threads=1)


def variants(count: int) -> tuple[dict[str, Variant], dict[str, Array], float]:
    """What is timed at `count` samples, the forces each must give, and the seconds numba took to compile.

    Without numba its row is left out and the seconds are NaN.
    """
    motion = states(count)
    buffers = iter([np.empty((count, 6)) for _ in range(5)])
    numba_compile = float("nan")
    named = {NUMPY: Variant(lambda: stewart_numpy.inverse_dynamics(*motion))}
    if find_spec("numba"):
        call, numba_compile = numba_call(motion, next(buffers))
        named[NUMBA] = Variant(call)
    named |= {
        FLOATS: Variant(program_call("floats", motion, next(buffers)), every=10),
        BLOCKS: Variant(program_call("blocks", motion, next(buffers))),
        LLVM: Variant(program_call("llvm", motion, next(buffers))),
        GENERAL_LLVM: Variant(program_call("llvm", motion, next(buffers), GENERAL)),
    }
    expected = dict.fromkeys(named, stewart_numpy.inverse_dynamics(*motion))
    expected[GENERAL_LLVM] = stewart_numpy.inverse_dynamics(*motion, GENERAL)
    return named, expected, numba_compile


def check(named: dict[str, Variant], expected: dict[str, Array]) -> dict[str, float]:
    """Worst error of each variant against the reference forces (against NumPy by hand for the other machine).

    Raises:
        ArithmeticError: A variant computes something else.
    """
    _, reference = reference_states()
    errors = {}
    for name, variant in named.items():
        tau = variant.call()
        against_peer = worst_error(tau, expected[name])
        errors[name] = against_peer if name == GENERAL_LLVM else worst_error(tau, reference[: len(tau)])
        tau[...] = np.nan
        if not (against_peer <= AGREEMENT and errors[name] <= REFERENCE_TOLERANCE):
            raise ArithmeticError(
                f"{name} is off by {against_peer:.1e} from its peer, {errors[name]:.1e} from the paper"
            )
    return errors


def measure(count: int, rounds: int) -> tuple[dict[str, Timing], dict[str, float], float]:
    """Timings per call at `count` samples, errors, and the seconds numba took to compile; checked before and after."""
    named, expected, numba_compile = variants(count)
    check(named, expected)
    timings = interleaved(named, rounds)
    return timings, check(named, expected), numba_compile
