"""Timing of one call, and of several that run in turns within one loop, so that all meet the same machine."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of one call [s]: the least, the median, and how many were taken."""

    least: float
    median: float
    samples: int


@dataclass(frozen=True, slots=True)
class Variant:
    """Something to time.

    Args:
        call: Runs once and returns its result; one element of it is read before the clock stops.
        inner: Calls per reading of the clock, for calls of microseconds.
        every: Takes part in every how many-th round, for calls of seconds.
    """

    call: Callable[[], Any]
    inner: int = 1
    every: int = 1


def consume(result: Any) -> float:
    """One element of the result, read: nothing lazy or unfinished is timed."""
    return float(np.asarray(result).flat[-1])


def once(call: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of one call, and its result."""
    start = perf_counter()
    result = call()
    consume(result)
    return perf_counter() - start, result


def least_time(call: Callable[[], Any], rounds: int) -> tuple[float, Any]:
    """The least processor time of so many calls [s], and the result; a first call compiles."""
    found = call()
    times = []
    for _ in range(rounds):
        start = process_time()
        found = call()
        times.append(process_time() - start)
    return min(times), found


_TICK = 1e-9
"""What a call takes at least: a clock that has not moved would make ratios infinite."""


def interleaved(
    variants: Mapping[str, Variant], rounds: int, turn: float = 0.01, clock: Clock = perf_counter
) -> dict[str, Timing]:
    """Timings of all variants.

    After a warm-up that is not timed, each round gives each variant a turn, in an order that rotates; in its turn a
    variant is called, each call timed apart, once at least and until `turn` seconds have passed. The collector of
    garbage waits. With `process_time` as clock, what other processes take from calls on one core does not count.
    """
    times: dict[str, list[float]] = {name: [] for name in variants}
    for variant in variants.values():
        consume(variant.call())
    names = list(variants)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for k in range(rounds):
            for name in names[k % len(names) :] + names[: k % len(names)]:
                if k % variants[name].every == 0:
                    times[name] += _take_turn(variants[name], turn, clock)
    finally:
        if collecting:
            gc.enable()
    return {name: Timing(min(t), median(t), len(t)) for name, t in times.items()}


def _take_turn(variant: Variant, turn: float, clock: Clock) -> list[float]:
    times: list[float] = []
    call, inner = variant.call, variant.inner
    while not times or sum(times) * inner < turn:
        start = clock()
        for _ in range(inner - 1):
            call()
        consume(call())
        times.append(max(clock() - start, _TICK) / inner)
    return times
