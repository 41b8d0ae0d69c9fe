"""The benchmark of checks: `python -m benchmarks.check`.

Every robot of the catalogue moves from home along each of its coordinates to 50, 90, 99 and 101 % of its reach in a
second. What is timed is the whole command, `gough check ROBOT --to ... --duration 1`, in a process of its own whose
compiled programs are in the object cache and whose modules have their bytecode, as after an installation: its wall
time, its own time and the most memory it held.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import gough
from benchmarks.frame import Figures, Goal, goal_lines, goal_rows, machine, run
from gough.kinematics import inverse_kinematics
from gough.kinematics.programs import characteristic_length
from gough.kinematics.status import Status
from gough.robot import Robot, catalogue

SHARES = (0.5, 0.9, 0.99, 1.01)
LENGTHS = 4.0
"""How far a coordinate that slides is followed, in lengths of the machine; one that turns, half a turn."""

RUN = """
import io, json, sys, time
from contextlib import redirect_stderr, redirect_stdout
from gough.cli import main
out, err = io.StringIO(), io.StringIO()
with redirect_stdout(out), redirect_stderr(err):
    code = main(sys.argv[1:])
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"code": code, "out": out.getvalue(), "err": err.getvalue(), "MB": int(peak) / 1024,
                  "own": time.process_time()}))
"""


def reach(robot: Robot, k: int) -> float:
    """How far up from home coordinate k can go before a leg is lost or, where none is, a stroke ends."""
    turns = robot.platform.coordinates[k].motion.startswith("r")
    end = np.pi if turns else LENGTHS * characteristic_length(robot)
    home = np.array(robot.platform.home)
    strokes = [joint.limits.stroke for leg in robot.legs for joint in leg.joints if joint.actuated]
    low, high = np.array([s or (-np.inf, np.inf) for s in strokes], dtype=float).T

    def kept(distances: Any) -> tuple[Any, Any]:
        found = inverse_kinematics(robot, home + np.multiply.outer(distances, np.eye(len(home))[k]))
        q = found.q
        return found.status <= Status.NEAR_SINGULAR, ((q >= low) & (q <= high)).all(axis=1)

    for which in (0, 1):
        good, bad = 0.0, end
        for _ in range(5):
            scan = np.linspace(good, bad, 201)
            fine = kept(scan)[which]
            if fine.all():
                break
            first = int(np.argmin(fine))
            good, bad = float(scan[max(first - 1, 0)]), float(scan[first])
        else:
            return good
    return end


def cases(quick: bool) -> list[tuple[str, str, float, float]]:
    """Robot, coordinate, share of its reach and value to go to [m or rad]."""
    listed = []
    for name in ["delta"] if quick else catalogue():
        robot = gough.load(name)
        coordinates = robot.platform.coordinates
        for k in range(len(coordinates))[-1:] if quick else range(len(coordinates)):
            far = reach(robot, k)
            home = float(robot.platform.home[k])
            shares = SHARES[-2:] if quick else SHARES
            listed += [(name, coordinates[k].name, share, home + share * far) for share in shares]
    return listed


def timed(arguments: Sequence[str]) -> Figures:
    """Wall time, own time [s], memory [MB], exit code and text of one command in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=True, env=environment
    )
    wall = perf_counter() - start
    return {"wall": wall, **json.loads(done.stdout)}


def measure(samples: int, rounds: int, quick: bool) -> Figures:
    """All cases, and the worst of them against the goals."""
    rows = []
    for name, coordinate, share, value in cases(quick):
        arguments = ["check", name, "--to", f"{coordinate}={value!r}", "--duration", "1", "--json"]
        if not quick:
            timed(arguments)  # fills the cache
        runs = [timed(arguments) for _ in range(1 if quick else rounds)]
        answer = json.loads(runs[0]["out"])
        rows.append(
            {
                "robot": name,
                "coordinate": coordinate,
                "share": share,
                "value": value,
                "code": runs[0]["code"],
                "wall": median(r["wall"] for r in runs),
                "own": median(r["own"] for r in runs),
                "MB": max(r["MB"] for r in runs),
                "violated": answer["violated"],
                "largest_amplitude": answer["largest_amplitude"],
                "shortest_duration": answer["shortest_duration"],
                "reachable_amplitude": answer["reachable_amplitude"],
                "reachable_duration": answer["reachable_duration"],
            }
        )
    slowest, largest = max(rows, key=lambda r: r["wall"]), max(rows, key=lambda r: r["MB"])
    goals = [
        Goal("check, slowest case", slowest["wall"], 2.0, "s", _name(slowest)),
        Goal("check, most memory", largest["MB"], 300.0, "MB", _name(largest)),
    ]
    return {"machine": machine(), "rows": rows, "goals": goal_rows(goals)}


def _name(row: Figures) -> str:
    return f"{row['robot']} {row['coordinate']} at {100 * row['share']:g} %"


def report(figures: Figures) -> str:
    """A line per robot and share, the slowest coordinate of each, then the goals."""
    lines = [f"{'':12}{'share':>7}{'wall [s]':>10}{'own [s]':>10}{'MB':>7}  slowest of"]
    rows = figures["rows"]
    for key in dict.fromkeys((r["robot"], r["share"]) for r in rows):
        same = [r for r in rows if (r["robot"], r["share"]) == key]
        worst = max(same, key=lambda r: r["wall"])
        lines.append(
            f"{key[0]:12}{100 * key[1]:>6g}%{worst['wall']:>10.2f}{worst['own']:>10.2f}"
            f"{max(r['MB'] for r in same):>7.0f}  {', '.join(r['coordinate'] for r in same)}"
        )
    return "\n".join([*lines, "", *goal_lines(figures["goals"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    return run("check", __doc__, 3, measure, report, arguments)


if __name__ == "__main__":
    sys.exit(main())
