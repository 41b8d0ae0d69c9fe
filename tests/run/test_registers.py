"""Registers of the NumPy executor: where they begin, and which of them are written over."""

from __future__ import annotations

import numpy as np
import pytest

from gough.graph import expand, less, record, sin, where
from gough.run import Program
from gough.run.blocks import Frame
from gough.run.routine import Instruction, Routine
from tests.run.same_bits import assert_same


@pytest.mark.parametrize("rows", [16, 64, 4096])
def test_registers_begin_with_a_line_of_the_cache_and_do_not_touch(rows):
    graph = expand(record(lambda x: where(less(x[0], x[1]), sin(x[2]), x[0] * x[1]), x=3))
    registers = [r for r in Frame(Routine(graph), rows).registers if r.ndim == 1]
    assert {r.dtype for r in registers} == {np.dtype(float), np.dtype(bool)}
    for register in registers:
        assert register.ctypes.data % 64 == 0
        assert register.shape == (rows,)
        assert register.flags.c_contiguous
    for k, register in enumerate(registers):
        assert not any(np.may_share_memory(register, other) for other in registers[k + 1 :])


def swapped(x):
    """The second of two numbers that change places is needed no more, the first is."""
    a, b, first = x[0] * 2.0, x[1] - 1.0, less(x[2], 0.0)
    return [where(first, a, b), where(first, b, a), where(first, x[0] + 1.0, 5.0), where(first, -x[0], x[1])]


def test_a_choice_is_written_over_what_is_needed_no_more():
    routine = Routine(expand(record(swapped, x=3)))
    choices = [i for i in routine.instructions if _name(i) == "_select"]
    over = [i.registers[2] == i.registers[3] for i in choices]
    assert over == [False, True, False, False]
    assert all(i.registers[1] != i.registers[3] for i in choices)
    x = np.random.default_rng(3).normal(size=(50, 3))
    x[4, 0], x[5, 1], x[6, 2] = np.nan, -0.0, np.nan
    expected = Program(record(swapped, x=3), "floats")(x=x)
    assert_same(Program(record(swapped, x=3), "blocks")(x=x), expected)


def _name(instruction: Instruction) -> str:
    return getattr(instruction.operation, "__name__", "")
