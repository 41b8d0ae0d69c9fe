"""Lines of gough's functions that the questions of the snapshot run.

    python tools/snapshot_coverage.py run FOLDER [--groups commands,data] [--machines stewart,delta] [--questions a,b]
    python tools/snapshot_coverage.py report FOLDER [--functions 40] [--package NAME]

`run` asks the questions, one process for each machine and group, and writes the lines that ran into FOLDER; `report`
prints a table by package and the largest functions that did not run. Lines of what is to be removed are not counted:
`tools/snapshot_coverage.toml` lists them with the reason. Lines of worker processes are not seen.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "gough"
Lines = dict[str, set[int]]
CALLS = 400
"""Calls of a function without a line that is new, after which it is traced no more."""


class Tracer:
    """Records the lines of gough that run; a function that has run all its lines, or repeats itself, costs no more."""

    def __init__(self) -> None:
        self.ran: defaultdict[CodeType, set[int]] = defaultdict(set)
        self.left: dict[CodeType, set[int]] = {}
        self.calls: defaultdict[CodeType, int] = defaultdict(int)
        self.folder = str(SOURCE)

    def __enter__(self) -> Tracer:
        threading.settrace(self.call)
        sys.settrace(self.call)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        left = self.left.get(code)
        if left is None:
            own = code.co_filename.startswith(self.folder)
            left = self.left[code] = set(lines_of(code)) if own else set()
        if not left or self.calls[code] > CALLS:
            return None
        self.calls[code] += 1

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if frame.f_lineno in left:
                left.remove(frame.f_lineno)
                self.ran[code].add(frame.f_lineno)
                self.calls[code] = 0
            return line

        return line

    def lines(self) -> dict[str, list[int]]:
        """Numbers of the lines that ran, by file."""
        found: defaultdict[str, set[int]] = defaultdict(set)
        for code, numbers in self.ran.items():
            found[str(Path(code.co_filename).relative_to(SOURCE))] |= numbers
        return {name: sorted(numbers) for name, numbers in sorted(found.items())}


def lines_of(code: CodeType) -> set[int]:
    """Lines of a function's body."""
    return {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}


def functions(code: CodeType, inside: str = "") -> Iterator[tuple[str, set[int]]]:
    """Functions of a compiled file with their lines; lambdas and comprehensions belong to what they are in."""
    for part in code.co_consts:
        if not isinstance(part, CodeType):
            continue
        name = f"{inside}{part.co_name}"
        optimised = bool(part.co_flags & 0x1)
        if optimised and not part.co_name.startswith("<"):
            own = lines_of(part)
            for inner in part.co_consts:
                if isinstance(inner, CodeType) and inner.co_name.startswith("<"):
                    own |= {line for _, _, line in inner.co_lines() if line is not None} - {part.co_firstlineno}
            yield name, own
        yield from functions(part, f"{name}.")


def ask(machine: str, groups: list[str], only: list[str], out: Path) -> None:
    """Ask one machine's questions under the tracer and write the lines that ran."""
    sys.path.insert(0, str(ROOT))
    from tests.support import snapshot_machines
    from tests.support.questions import NO_MACHINE, QUESTIONS, answers

    tracer, seconds = Tracer(), {}
    with tracer:
        text, states = None, {}
        if machine != NO_MACHINE:
            text, states = snapshot_machines.text(machine), snapshot_machines.states(machine)
        for question in QUESTIONS.values():
            if question.group in groups and question.asks(machine) and (not only or question.name in only):
                before = time.process_time()
                answers(question, text, states)
                seconds[question.name] = round(time.process_time() - before, 1)
                out.write_text(json.dumps({"lines": tracer.lines(), "seconds": seconds}))


def run(folder: Path, groups: list[str], machines: list[str], only: list[str], jobs: int) -> None:
    """Ask all questions, one process for each machine and group."""
    sys.path.insert(0, str(ROOT))
    from tests.support import snapshot_machines
    from tests.support.questions import NO_MACHINE, QUESTIONS

    machines = machines or [*snapshot_machines.names(), NO_MACHINE]
    folder.mkdir(parents=True, exist_ok=True)
    pairs = sorted(
        {
            (machine, question.group)
            for question in QUESTIONS.values()
            for machine in machines
            if question.group in groups and question.asks(machine) and (not only or question.name in only)
        }
    )

    def one(pair: tuple[str, str]) -> None:
        machine, group = pair
        name = f"{machine}-{group}" + (f"-{'-'.join(only)}" if only else "")
        command = [sys.executable, __file__, "ask", str(folder / f"{name}.json"), "--machines", machine]
        started = time.monotonic()
        done = subprocess.run([*command, "--groups", group, "--questions", ",".join(only)], check=False)
        print(f"{name}: {time.monotonic() - started:.0f} s, exit code {done.returncode}", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, pairs))


def report(folder: Path, shown: int, package: str) -> None:
    """Print lines that ran by package, and the largest functions with lines that did not."""
    ran: Lines = defaultdict(set)
    for path in folder.glob("*.json"):
        for name, numbers in json.loads(path.read_text())["lines"].items():
            ran[name] |= set(numbers)
    leaving = tomllib.loads((ROOT / "tools" / "snapshot_coverage.toml").read_text())["leaving"]
    rows: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    missed, used = [], set()
    for path in sorted(SOURCE.rglob("*.py")):
        name = str(path.relative_to(SOURCE))
        head = name.split("/")[0].removesuffix(".py") if "/" in name else "(top)"
        for function, lines in functions(compile(path.read_text(), str(path), "exec")):
            key = f"{name}:{function}"
            goes = [pattern for pattern in leaving if fnmatch(key, pattern)]
            used |= set(goes)
            row = rows[head]
            if goes:
                row[2] += len(lines)
                continue
            row[0] += len(lines)
            row[1] += len(lines & ran[name])
            if lines - ran[name] and fnmatch(head, package):
                missed.append((len(lines - ran[name]), len(lines), key))
    print(f"{'package':16}{'function lines':>16}{'run':>8}{'share':>9}{'leaving':>9}")
    for head, (count, done, gone) in sorted(rows.items()):
        print(f"{head:16}{count:16}{done:8}{done / max(count, 1):9.1%}{gone:9}")
    count, done, gone = (sum(row[k] for row in rows.values()) for k in range(3))
    print(f"{'all':16}{count:16}{done:8}{done / count:9.1%}{gone:9}\n")
    for pattern in leaving.keys() - used:
        print(f"tools/snapshot_coverage.toml: {pattern}: matches no function")
    for lacking, count, key in sorted(missed, reverse=True)[:shown]:
        print(f"{lacking:5} of {count:4}  {key}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("run", "report", "ask"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--groups", default="arrays,searches,exports,data,design,papers,files,commands")
    parser.add_argument("--machines", default="")
    parser.add_argument("--questions", default="")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--functions", type=int, default=40)
    parser.add_argument("--package", default="*")
    given = parser.parse_args()
    groups, only = given.groups.split(","), [name for name in given.questions.split(",") if name]
    machines = [name for name in given.machines.split(",") if name]
    if given.what == "ask":
        ask(machines[0], groups, only, given.folder)
    elif given.what == "run":
        run(given.folder, groups, machines, only, given.jobs)
    else:
        report(given.folder, given.functions, given.package)


if __name__ == "__main__":
    main()
