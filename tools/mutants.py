"""Faults put into gough on purpose: would a test notice?

    python tools/mutants.py run [--package kinematics] [--limit 20] [--jobs 2] [--again]
    python tools/mutants.py table
    python tools/mutants.py check

tools/mutants.toml states each fault by its meaning, so that it can be made again in other code:

    [[mutant]]
    package = "kinematics"
    breaks = "UPS legs: rate of the leg's length"         # in words of the field
    function = "gough.kinematics.closure.ups.close_ups"   # where it is made today
    before = "dot(n, v)"                                  # the one such expression or statement of the function
    after = "dot(v, v)"
    checks = ["tests/kinematics/test_closed_and_newton.py"]   # tests that may notice it, quick ones first
    seam = true                                           # a fault between two parts, not drawn at random
    killed_by = "tests/..."                               # first test that failed, or survives = "why"
    seconds = 3.1                                         # processor time until then

`run` makes each fault that has no record in a process of its own and runs its checks, then the small snapshot, then
tests of its package, of tests/agreement and of tests/crossing, until one fails or 120 s of processor time are used. A
test that fails without a fault too is left out. The file is written after every fault, so that a run can be stopped and
started again. Compiled programs are stored on disk by a hash of their equations: a changed function never gets a stored
program of the unchanged one.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("GOUGH_OPT", "0")  # compiled at LLVM's level 0: the same bits, a third of the time

from tests.support.fresh import Fresh  # noqa: E402
from tests.support.mutants import stated  # noqa: E402

Mutant = dict[str, Any]
FILE = ROOT / "tools" / "mutants.toml"
KEYS = ("package", "breaks", "function", "before", "after", "seam", "checks", "killed_by", "survives", "seconds")
LONGEST = 120.0
"""Processor time that is spent on one fault [s]."""
NOT_READ = "not looked at yet"
"""Reason of a fault that survived a run, until someone has read the function."""
CHECKS_LONGEST = 60.0
"""Checks take a few seconds: ones that are stopped after this have noticed that something does not end [s]."""
SNAPSHOT = tuple(
    f"tests/test_snapshot.py::test_numbers_are_those_of_the_small_snapshot[{machine}]"
    for machine in ("fivebar", "rps3", "redundant_RRR", "stewart", "sprung")
)
FOLDERS = {
    "run and intervals": ("run", "workspaces", "draws"),
    "limits": ("analysis", "calls"),
    "workspace and singularities": ("workspaces", "singular"),
    "design": ("design", "accuracy", "optimisation", "problem"),
    "calibration and identification": ("calibration", "identification"),
    "interop": ("codegen", "formats", "bridges"),
}
"""Folders of tests of a package, where they are not just the one of its name."""


def read(path: Path = FILE) -> list[Mutant]:
    """The faults of the file."""
    mutants: list[Mutant] = tomllib.loads(path.read_text())["mutant"]
    return mutants


def write(mutants: Sequence[Mutant], path: Path = FILE) -> None:
    """Write the file, whole or not at all."""
    blocks = []
    for mutant in mutants:
        lines = ["[[mutant]]"]
        for key in KEYS:
            if key == "checks" and len(mutant[key]) > 1:
                lines += ["checks = [", *[f"    {json.dumps(check)}," for check in mutant[key]], "]"]
            elif key in mutant:
                lines.append(f"{key} = {json.dumps(mutant[key], ensure_ascii=False)}")
        blocks.append("\n".join(lines) + "\n")
    beside = path.with_suffix(".new")
    beside.write_text("# Faults put into gough on purpose: see tools/mutants.py.\n\n" + "\n".join(blocks))
    beside.replace(path)


def errors_of(mutants: Sequence[Mutant]) -> list[str]:
    """Errors of the entries: a change that cannot be made any more, a test or a reason that is not there."""
    errors, seen = [], set()
    for mutant in mutants:
        name = f"{mutant['package']}, {mutant['breaks']}"
        if name in seen:
            errors.append(f"{name}: stated twice")
        seen.add(name)
        try:
            stated(mutant["function"], mutant["before"], mutant["after"])
        except (ValueError, AttributeError, ImportError, SyntaxError, TypeError) as error:
            errors.append(f"{name}: {error}")
        for check in [*mutant["checks"], *([mutant["killed_by"]] if "killed_by" in mutant else [])]:
            if not is_test(check):
                errors.append(f"{name}: no test {check}")
        if "killed_by" in mutant and "survives" in mutant:
            errors.append(f"{name}: killed and survives")
        if len(mutant.get("survives", "reason")) < 5 or set(mutant) - set(KEYS):
            errors.append(f"{name}: a reason that says nothing, or an unknown key")
    return errors


def is_test(check: str) -> bool:
    """Whether there is such a file, and such a function in it."""
    name, _, function = check.split("[")[0].partition("::")
    path = ROOT / name
    return path.is_file() and f"def {function.split('::')[-1]}(" in path.read_text() if function else path.exists()


PASSES: dict[str, bool] = {}
"""Whether a test that failed with a fault passes without one."""


def noticed_by(fresh: Fresh, mutant: Mutant, longest: float = LONGEST) -> tuple[str | None, float]:
    """The first test that fails with a fault, None if none does in time, and the processor time [s]."""
    spent = 0.0
    waiting = list(stages(mutant))
    while waiting and spent < longest:
        tests, checks = waiting[0], waiting[0] == mutant["checks"]
        left_out = [f"--deselect={test}" for test, passes in PASSES.items() if not passes]
        limit = min(CHECKS_LONGEST, longest) if checks else longest - spent
        marks = "" if checks else "not slow"
        answer = fresh.run(*tests, *left_out, change=mutant, longest=limit, marks=marks)
        spent += answer["seconds"]
        if answer["code"] == 4:
            raise ValueError(f"{mutant['breaks']}: one of its checks is not there: {', '.join(tests)}")
        for test in answer["failed"]:
            if test not in PASSES:
                PASSES[test] = fresh.run(test, longest=3600.0)["code"] == 0
            if PASSES[test]:
                return test, spent
        if answer["failed"]:
            continue  # once more, without a test that always fails
        # Nothing could be collected, or it does not end, and without the fault it does.
        if checks and answer["code"] not in (0, 5) and fresh.run(*tests, *left_out, longest=limit)["code"] == 0:
            return tests[0], spent
        waiting.pop(0)
    return None, spent


def stages(mutant: Mutant) -> Iterator[list[str]]:
    """Tests in the order in which they are run: checks, the small snapshot, its package's, those of all packages."""
    if mutant["checks"]:
        yield mutant["checks"]
    yield list(SNAPSHOT)
    package = mutant["package"]
    folders = [f"tests/{name}" for name in FOLDERS.get(package, (package,))]
    yield [*folders, "tests/agreement", "tests/crossing"]


def run(mutants: list[Mutant], chosen: Sequence[Mutant], jobs: int, path: Path = FILE) -> None:
    """Make the chosen faults, and record what noticed them."""
    lock, free = Lock(), SimpleQueue[Fresh]()
    with tempfile.TemporaryDirectory() as folder:
        processes = [Fresh(Path(os.environ.get("XDG_CACHE_HOME", folder))) for _ in range(jobs)]
        for process in processes:
            free.put(process)

        def make(mutant: Mutant) -> None:
            fresh = free.get()
            test, seconds = noticed_by(fresh, mutant)
            free.put(fresh)
            with lock:
                record(mutant, test, seconds)
                write(mutants, path)
                print(f"{seconds:6.1f} s  {mutant['package']}: {mutant['breaks']}: {test or 'SURVIVES'}", flush=True)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(make, chosen))
        for process in processes:
            process.close()
    for test in [test for test, passes in PASSES.items() if not passes]:
        print(f"fails without a fault, and was left out: {test}")


def record(mutant: Mutant, test: str | None, seconds: float) -> None:
    """Note what noticed a fault."""
    if test is None:
        mutant.pop("killed_by", None)
        mutant.setdefault("survives", NOT_READ)
    else:
        mutant.pop("survives", None)
        mutant["killed_by"] = test
    mutant["seconds"] = round(seconds, 1)


def table(mutants: Sequence[Mutant]) -> str:
    """Kills by package."""
    lines = [f"{'package':32}{'faults':>7}{'killed':>8}{'survive':>8}{'not run':>8}{'seconds':>8}"]
    groups = {mutant["package"]: [m for m in mutants if m["package"] == mutant["package"]] for mutant in mutants}
    groups |= {
        "drawn": [m for m in mutants if "seam" not in m],
        "at the seams": [m for m in mutants if "seam" in m],
        "all": list(mutants),
    }
    for name, group in groups.items():
        killed, alive = (sum(key in m for m in group) for key in ("killed_by", "survives"))
        seconds = sum(m.get("seconds", 0.0) for m in group)
        lines.append(f"{name:32}{len(group):7}{killed:8}{alive:8}{len(group) - killed - alive:8}{seconds:8.0f}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("run", help="make faults and record which tests notice them")
    command.add_argument("--package", help="only those of a package")
    command.add_argument("--breaks", default="", help="only those with this in their words")
    command.add_argument("--limit", type=int, help="at most so many")
    command.add_argument("--jobs", type=int, default=2, help="processes at once")
    command.add_argument("--again", action="store_true", help="also those with a record")
    commands.add_parser("table", help="kills by package")
    commands.add_parser("check", help="whether each fault can still be made")
    given = parser.parse_args(arguments)
    mutants = read()
    if given.command == "run":
        chosen = [
            mutant
            for mutant in mutants
            if given.package in (None, mutant["package"])
            and given.breaks in mutant["breaks"]
            and (given.again or not ("killed_by" in mutant or "survives" in mutant))
        ]
        run(mutants, chosen[: given.limit], given.jobs)
    if given.command != "check":
        print(table(mutants))
        return 0
    errors = errors_of(mutants)
    print("\n".join(errors or ["every fault can be made"]))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
