"""Lines of gough's functions that the questions of the snapshot run.

    python tools/snapshot.py take FILE --lines FOLDER
    python tools/snapshot_coverage.py FOLDER ... [--functions 40] [--package NAME]

The first writes the lines that ran into FOLDER; the second prints a table by package, and the functions with most lines
that did not run. Lines of what is to be removed are not counted: `tools/snapshot_coverage.toml` lists them with the
reason. Only this process is seen: studies run in it, or on workers that are its threads.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
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

    def __init__(self, path: Path) -> None:
        self.path = path
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
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps(self.lines()))

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


def report(folders: Sequence[Path], shown: int, package: str) -> None:
    """Print lines that ran by package, and the largest functions with lines that did not."""
    ran: Lines = defaultdict(set)
    for folder in folders:
        for path in folder.glob("*.json"):
            for name, numbers in json.loads(path.read_text()).items():
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
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--functions", type=int, default=40, help="so many functions with lines that did not run")
    parser.add_argument("--package", default="*", help="of packages that match this pattern")
    given = parser.parse_args()
    report(given.folders, given.functions, given.package)


if __name__ == "__main__":
    main()
