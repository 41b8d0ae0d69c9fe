"""Studies: overhead and speed-up on workers, cost of draws and reductions, flatness; joblib and multiprocessing.

    python benchmarks/studies.py                # 1e8 machines: 60 s of raw work and more
    python benchmarks/studies.py --machines 400000 --workers 2

The baseline is the same program, draws and reductions in one process, without a store. Wall time where workers run,
processor time elsewhere; start-up apart. What the machine gives is measured beside it: plain processes that share the
same work without a word to each other. Under load of other processes speed-ups mean nothing: it is printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import gough
from gough.studies.chunk import compute
from gough.studies.reductions import Block

ROWS = 50
"""Rows are kept of one in so many machines: they take 360 bytes each."""
STUDY = Path(__file__).parents[1] / "examples" / "studies" / "tolerances.toml"


def study_of(machines: int, keep: bool = False) -> gough.Study:
    study = gough.Study.read(STUDY)
    return replace(study, machines=machines // study.drawing.row * study.drawing.row, keep_rows=keep)


def baseline(study: gough.Study) -> tuple[float, float]:
    """Wall and processor seconds of all leaves in this process."""
    compute(study, 0, 1)
    wall, cpu = time.perf_counter(), time.process_time()
    compute(study, 0, study.leaves)
    return time.perf_counter() - wall, time.process_time() - cpu


def parts(study: gough.Study) -> None:
    """ns per value of draws and of each reduction."""
    first, last = study.span(0, 1)
    count = last - first
    draws = least(lambda: study.drawing.values(first, last)) / (count * len(study.vary))
    block = study.block(first, last)
    program = least(lambda: study.block(first, last)) / count
    print(f"draws                         {draws * 1e9:9.1f} ns per value")
    print(f"draws, program and measures   {program * 1e9:9.1f} ns per machine")
    for reduction in study.reductions:
        own = Block(block.first, block.values)
        once = least(lambda own=own, r=reduction: r.leaf(own)) / count  # type: ignore[misc]
        print(f"{reduction.name[:46]:46} {once * 1e9:9.1f} ns per machine")


def plain_share(machines: int, first: int, last: int, gate: Any) -> None:
    """Some of the leaves, in a process of its own, when all are ready."""
    study = study_of(machines)
    compute(study, 0, 1)
    gate.wait()
    compute(study, first, last)
    gate.wait()


def plain_processes(machines: int, count: int) -> float:
    """Wall seconds of as many processes that share the leaves and nothing else."""
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(count + 1)
    leaves = study_of(machines).leaves
    ends = [k * leaves // count for k in range(count + 1)]
    shares = [
        context.Process(target=plain_share, args=(machines, *ends[k : k + 2], gate), daemon=True) for k in range(count)
    ]
    for share in shares:
        share.start()
    gate.wait()
    began = time.perf_counter()
    gate.wait()
    wall = time.perf_counter() - began
    for share in shares:
        share.join()
    return wall


def least(function: Any, repeats: int = 5) -> float:
    """Least processor time of a few calls [s]."""
    found = []
    for _ in range(repeats):
        began = time.process_time()
        function()
        found.append(time.process_time() - began)
    return min(found)


def on_workers(study: gough.Study, workers: int, raw: float) -> None:
    """Wall time on workers of this machine beside that of plain processes, both against one process."""
    import logging

    from distributed import Client, LocalCluster

    began = time.perf_counter()
    cluster = LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
    )
    with cluster, Client(cluster) as client, tempfile.TemporaryDirectory() as folder:
        client.wait_for_workers(workers)
        small = replace(study, machines=study.leaf)
        small.run(client)
        start = time.perf_counter() - began
        began = time.perf_counter()
        study.run(client, out=Path(folder) / "out")
        wall = time.perf_counter() - began
    plain = plain_processes(study.machines, workers)
    print(
        f"{workers} workers, store: {wall:.2f} s, {raw / wall:.2f}x one process; start-up apart: {start:.1f} s\n"
        f"{workers} plain processes: {plain:.2f} s, {raw / plain:.2f}x: what the machine gives"
    )


def one_error(study: gough.Study, number: int) -> float:
    """The public call for one machine, as joblib and multiprocessing users write it."""
    machine = study.machine(number)
    home = np.array(study.robot.platform.home, dtype=float)
    q = gough.inverse_kinematics(study.robot, home).q
    return float(np.linalg.norm((gough.forward_kinematics(machine, q, guess=home).x - home)[:3]))


def against_pools(each: float) -> None:
    import joblib

    count, workers = 16, 2
    call = partial(one_error, study_of(44))
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        pool.map(call, range(workers))
        began = time.perf_counter()
        pool.map(call, range(workers, workers + count))
    pooled = (time.perf_counter() - began) / count
    print(f"multiprocessing, public call: {pooled * 1e6:.0f} us per machine (study: {each * 1e6:.2f})")
    with joblib.Parallel(n_jobs=workers) as pool:
        pool(joblib.delayed(call)(k) for k in range(workers))
        began = time.perf_counter()
        pool(joblib.delayed(call)(k) for k in range(workers, workers + count))
    print(f"joblib, public call: {(time.perf_counter() - began) / count * 1e6:.0f} us per machine")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", type=int, default=100_000_000)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    study = study_of(options.machines)
    parts(study)
    for size in (100_000, 1_000_000, 10_000_000):
        if size < options.machines:
            _, cpu = baseline(study_of(size))
            print(f"{size:>11} machines: {cpu / size * 1e9:.0f} ns each (processor)")
    wall, cpu = baseline(study)
    print(f"{study.machines:>11} machines: {cpu / study.machines * 1e9:.0f} ns each (processor), the baseline")
    print(f"baseline: {wall:.2f} s ({cpu:.2f} s of processor)")
    began, used = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        study.run(out=Path(folder) / "out")
    used = time.process_time() - used
    print(f"one process with a store: {time.perf_counter() - began:.2f} s, overhead {used / cpu - 1:+.1%} of processor")
    with tempfile.TemporaryDirectory() as folder:
        used = time.process_time()
        rows = study_of(options.machines // ROWS, True)
        rows.run(out=Path(folder) / "out")
        used = time.process_time() - used
        print(f"keep rows: {used / rows.machines * 1e9:.0f} ns per machine (processor)")
    on_workers(study, options.workers, wall)
    against_pools(cpu / study.machines)


if __name__ == "__main__":
    main()
