"""The numbers that gough computes, stored, and compared with those of another commit.

    python tools/snapshot.py take FILE [--robots a,b] [--groups arrays,searches] [--questions check] [--jobs 2]
    python tools/snapshot.py take FILE --lines FOLDER --parts FOLDER
    python tools/snapshot.py take tests/data/snapshot/small.npz --small
    python tools/snapshot.py compare OLD NEW [--bits] [--moved tools/moved.toml]

`take` puts the questions of tests/support/questions.py to the machines of tests/data/snapshot, one process per machine.
With `--lines` it also writes which lines of gough ran, for `tools/snapshot_coverage.py`; that takes twice as long.
With `--parts` the answers of each machine are kept; the next `take` of that commit and selection asks only the others.
`compare` prints what moved, worst first, and exits 1 unless each change is covered by a line of the file `--moved`:

    [[moved]]
    key = "modes/frequency/*_loaded"     # pattern of keys "question/field/machine"
    keys = 3                             # at most so many keys
    largest = 2e-6                       # largest change; inf for verdicts, names, shapes and missing keys
    reason = "frequencies take the preload of springs into account"

The change of a number is |a - b| over a scale: the largest value of its sample, or the floor of its answer if that is
larger, times the condition number of the sample where that is above 1. Keys with the policy "bits" are compared bit by
bit if both files were taken on the same processor with the same versions, else as round-off; so are all with --bits.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
# Before NumPy and gough: one thread per process, and programs compiled at LLVM's level 0, which gives the same bits.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("GOUGH_OPT", "0")

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from tests.support import snapshot_machines  # noqa: E402
from tests.support.by_value import missing  # noqa: E402
from tests.support.questions import (  # noqa: E402
    FAILED,
    GROUPS,
    NO_MACHINE,
    QUESTIONS,
    Answer,
    Question,
    answers,
    tolerance,
)
from tools.snapshot_coverage import Tracer  # noqa: E402

Array = NDArray[Any]
MOVED = ROOT / "tools" / "moved.toml"
VERSIONS = ("numpy", "scipy", "llvmlite")
LARGEST_CONDITION = 1e6
"""Condition numbers beyond this do not loosen a comparison any more."""
SHOWN = 40


@dataclass
class Snapshot:
    """Answers by key "question/field/machine", the condition numbers of each machine's samples, and where it was taken.

    The numbers of all keys are stored in one array per type: a file per key would be longer than the numbers.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    conditions: dict[str, Array] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Write the file."""
        rows, flat = [], {"f": [], "i": [], "b": []}  # type: tuple[list[Any], dict[str, list[Array]]]
        for key, answer in self.answers.items():
            value, text = answer.value, None
            kind = value.dtype.kind
            if kind in "US":
                text = value.tolist()
            elif kind in flat:
                flat[kind].append(np.ravel(value))
            else:
                raise TypeError(f"{key}: values of type {value.dtype}")
            rows.append([key, kind, value.shape, answer.kind, answer.policy, answer.size, text])
        types = {"f": np.float64, "i": np.int64, "b": np.bool_}
        arrays: dict[str, Array] = {
            kind: np.concatenate([*parts, np.zeros(0)]).astype(types[kind]) for kind, parts in flat.items()
        }
        arrays |= {f"condition/{name}": values for name, values in self.conditions.items()}
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            head = np.array(json.dumps({"about": self.about, "rows": rows}))
            np.savez_compressed(file, head=np.frombuffer(str(head).encode(), dtype=np.uint8), **arrays)

    @classmethod
    def read(cls, path: Path) -> Snapshot:
        """The snapshot of a file."""
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(arrays.pop("head").tobytes().decode())
        places = dict.fromkeys("fib", 0)
        found = {}
        for key, kind, shape, answer_kind, policy, size, text in head["rows"]:
            if text is not None:
                value = np.array(text, dtype=str).reshape(shape)
            else:
                count = int(np.prod(shape))
                value = arrays[kind][places[kind] : places[kind] + count].reshape(shape)
                places[kind] += count
            found[key] = Answer(value, answer_kind, policy, size)
        prefix = "condition/"
        conditions = {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}
        return cls(found, conditions, head["about"])

    def selected(self, keep: Callable[[str], bool]) -> Snapshot:
        """Only the keys that `keep` accepts."""
        return Snapshot({k: v for k, v in self.answers.items() if keep(k)}, self.conditions, self.about)


SMALL_FILE = ROOT / "tests" / "data" / "snapshot" / "small.npz"
SMALL_ROBOTS = ("fivebar", "rps3", "stewart", "redundant_RRR", "sprung")
SMALL_STATES = 7
SMALL_QUESTIONS = (
    "robot_properties", "written_file", "inverse_kinematics", "forward_kinematics", "inverse_dynamics",
    "force_allocation", "wrench_at_point", "moving_base", "payload", "forward_dynamics", "body_motion",
    "joint_reactions", "link_wrenches", "force_derivatives", "linearised", "bound_functions", "named_motions",
    "motions", "forces_along", "check", "demand", "first_singularity",
)  # fmt: skip
"""The small snapshot of the repository, which is a test: all arrays and searches of its first machine; of the others
the questions that take little time. Each has few of the stored states."""


@dataclass(frozen=True)
class Selection:
    """Machines, groups and questions by name, all where none is named; `small`: those of the small snapshot."""

    robots: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    small: bool = False

    @classmethod
    def of_small(cls) -> Selection:
        """The small snapshot."""
        return cls(SMALL_ROBOTS, ("arrays", "searches"), (), True)

    def machines(self) -> tuple[str, ...]:
        """Machines that have a question, those without a robot last."""
        known = (*snapshot_machines.names(), NO_MACHINE)
        if unknown := set(self.robots) - set(known):
            raise SystemExit(f"unknown machines: {', '.join(sorted(unknown))}; known: {', '.join(known)}")
        return tuple(name for name in known if (not self.robots or name in self.robots) and self.asked(name))

    def asked(self, machine: str) -> list[Question]:
        """Questions that are put to a machine."""
        if unknown := set(self.groups) - set(GROUPS):
            raise SystemExit(f"unknown groups: {', '.join(sorted(unknown))}; known: {', '.join(GROUPS)}")
        if unknown := set(self.questions) - set(QUESTIONS):
            raise SystemExit(f"unknown questions: {', '.join(sorted(unknown))}; known: {', '.join(QUESTIONS)}")
        return [
            question
            for question in QUESTIONS.values()
            if question.asks(machine)
            and (not self.groups or question.group in self.groups)
            and (not self.questions or question.name in self.questions)
            and (not self.small or machine == SMALL_ROBOTS[0] or question.name in SMALL_QUESTIONS)
        ]

    def has(self, key: str) -> bool:
        """True for the key of a selected machine and question; a question that exists no more is in every group."""
        name, machine = key.split("/")[0], key.split("/")[-1]
        group = QUESTIONS[name].group if name in QUESTIONS else None
        return (
            (not self.robots or machine in self.robots)
            and (not self.groups or group is None or group in self.groups)
            and (not self.questions or name in self.questions)
        )

    def options(self) -> list[str]:
        """The selection of groups and questions as options of the command."""
        small = ["--small"] if self.small else []
        return [f"--groups={','.join(self.groups)}", f"--questions={','.join(self.questions)}", *small]


def take_machine(machine: str, questions: Sequence[Question], rows: int | None) -> tuple[Snapshot, dict[str, float]]:
    """Answers of one machine, and the processor time of each question [s]."""
    snapshot, seconds = Snapshot(about=about()), {}
    robot, states = None, {}
    if machine != NO_MACHINE:
        from tests.support.adapter import load_robot

        states = snapshot_machines.states(machine, rows)
        robot = load_robot(snapshot_machines.text(machine))
        snapshot.conditions[machine] = np.clip(states["condition"], 1.0, LARGEST_CONDITION)
    for question in questions:
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, answer in answers(question, robot, states).items():
                snapshot.answers[f"{question.name}/{name}/{machine}"] = answer
        seconds[question.name] = time.process_time() - start
    return snapshot, seconds


def about() -> dict[str, Any]:
    """Commit, processor and versions of this process."""
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    flags = next((line for line in lines if line.startswith(("flags", "Features"))), "")  # models may share a name
    versions = {name: metadata.version(name) for name in VERSIONS}
    return {
        "commit": done.stdout.strip(),
        "processor": [platform.machine(), *models[:1], hashlib.sha256(flags.encode()).hexdigest()[:12]],
        "versions": {"python": platform.python_version(), **versions},
    }


def take(
    path: Path,
    selection: Selection,
    jobs: int,
    rows: int | None,
    lines: Path | None = None,
    parts: Path | None = None,
) -> int:
    """Take a snapshot, one process per machine; 1 if an adapter has failed or a question has run out of its time."""
    begin, total = time.time(), {}  # type: tuple[float, dict[str, float]]
    whole = Snapshot(about=about())
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) if parts is None else parts

        def one(machine: str) -> tuple[str, Snapshot | None, str]:
            part = folder / f"{machine}.npz"
            kept = Snapshot.read(part) if part.exists() else None
            if (
                kept
                and kept.about["commit"] == whole.about["commit"]
                and kept.about["selection"] == selection.options()
            ):
                return machine, kept, ""
            command = [sys.executable, str(Path(__file__).resolve()), "one", str(part), machine, *selection.options()]
            command += [] if rows is None else [f"--states={rows}"]
            command += [] if lines is None else [f"--lines={lines}"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            return machine, None if done.returncode else Snapshot.read(part), done.stderr

        failed = []
        with ThreadPoolExecutor(jobs) as pool:
            for machine, taken, messages in pool.map(one, selection.machines()):
                if taken is None:
                    failed.append(machine)
                    print(f"{machine:20}failed:\n{messages}", flush=True)
                    continue
                whole.answers |= taken.answers
                whole.conditions |= taken.conditions
                seconds = taken.about["seconds"]
                for name, value in seconds.items():
                    total[name] = total.get(name, 0.0) + value
                print(
                    f"{machine:20}{len(taken.answers):6} keys {sum(seconds.values()):7.1f} s",
                    _longest(seconds),
                    flush=True,
                )
    whole.save(path)
    numbers = sum(answer.value.size for answer in whole.answers.values())
    print(
        f"{path}: {len(whole.answers)} keys, {numbers} numbers, {path.stat().st_size / 1000:.0f} kB;"
        f" {time.time() - begin:.0f} s, {sum(total.values()):.0f} s of processor:",
        _longest(total, 8),
    )
    groups = {group: sum(total[name] for name in total if QUESTIONS[name].group == group) for group in GROUPS}
    print("processor time by group [s]:", _longest(groups, len(groups)))
    return max(int(bool(failed)), _errors(whole))


def _errors(whole: Snapshot) -> int:
    """Print the answers that are errors, by their words; 1 if one of them compares nothing."""
    words = {key: str(answer.value) for key, answer in whole.answers.items() if answer.value.dtype.kind == "U"}
    errors = {key: text for key, text in words.items() if key.split("/")[1].endswith("error")}
    print(f"{len(errors)} answers are errors{':' if errors else ''}")
    for text in sorted(set(errors.values())):
        keys = [key for key in errors if errors[key] == text]
        print(f"  {text:16}{len(keys):5}  {', '.join(keys[:4])}{' ...' if keys[4:] else ''}")
    return int(any(text.startswith(FAILED) for text in errors.values()))


def _longest(seconds: dict[str, float], count: int = 4) -> str:
    ordered = sorted(seconds.items(), key=lambda item: -item[1])
    return ", ".join(f"{name} {value:.1f}" for name, value in ordered[:count])


@dataclass(frozen=True)
class Change:
    """A key whose answer is not the same, the size of the change and what it is."""

    key: str
    size: float
    what: str


@dataclass(frozen=True)
class Moved:
    """A line of moved.toml: changes that are expected."""

    key: str
    keys: int
    largest: float
    reason: str


def same_machine(old: Snapshot, new: Snapshot) -> bool:
    """True if both were taken on the same kind of processor with the same versions."""
    return all(old.about.get(name) == new.about.get(name) for name in ("processor", "versions"))


def compare(old: Snapshot, new: Snapshot, bits: bool = False) -> tuple[list[Change], list[str]]:
    """Changes from one snapshot to another, worst first, and the keys that are new."""
    exact = same_machine(old, new)
    if bits and not exact:
        raise SystemExit("bits are compared on one machine only: processor or versions of the two files differ")
    changes = []
    for key, before in old.answers.items():
        after = new.answers.get(key)
        if after is None:
            changes.append(Change(key, float("inf"), "missing"))
            continue
        policy = before.policy
        if policy == "bits" and not exact:
            policy = "round-off"
        elif bits and policy not in ("verdict", "names"):
            policy = "bits"
        condition = old.conditions.get(key.split("/")[-1])
        if what := difference(before, after, policy, condition):
            changes.append(Change(key, *what))
        elif before.policy != after.policy or before.kind != after.kind:
            stated = f"{before.kind}, {before.policy}", f"{after.kind}, {after.policy}"
            changes.append(Change(key, float("inf"), f"stated as {stated[0]}, now as {stated[1]}"))
    changes.sort(key=lambda change: (-change.size, change.key))
    return changes, [key for key in new.answers if key not in old.answers]


def difference(old: Answer, new: Answer, policy: str, condition: Array | None) -> tuple[float, str] | None:
    """Size and description of a change, None where there is none."""
    a, b = old.value, new.value
    if policy == "names":
        gone, come = set(np.ravel(a).tolist()) - set(np.ravel(b).tolist()), set(np.ravel(b)) - set(np.ravel(a))
        listed = ", ".join([f"-{name}" for name in sorted(gone)] + [f"+{name}" for name in sorted(come)])
        return (float("inf"), f"names {listed}") if gone or come else None
    if old.kind == "values":
        lost = missing(a, b, tolerance(policy))
        return (float("inf"), f"{lost.size} of {a.size} numbers not found: {lost[:4]}") if lost.size else None
    if a.shape != b.shape:
        return float("inf"), f"shape {a.shape}, now {b.shape}"
    if a.dtype.kind != b.dtype.kind:
        return float("inf"), f"type {a.dtype.name}, now {b.dtype.name}"
    if a.dtype.kind != "f" or policy == "verdict":
        if np.array_equal(a, b, equal_nan=a.dtype.kind == "f"):
            return None
        place = np.flatnonzero(np.ravel(a) != np.ravel(b))[0]
        return float("inf"), f"{np.ravel(a)[place]!s}, now {np.ravel(b)[place]!s}"
    if (np.isnan(a) != np.isnan(b)).any():
        return float("inf"), f"{int(np.isnan(a).sum())} NaN, now {int(np.isnan(b).sum())}"
    changes = relative_change(a, b, old.size, condition)
    largest = float(changes.max(initial=0.0))
    if policy == "bits":
        moved = int((a.view(np.int64) != b.view(np.int64)).sum()) if a.size else 0
        return (largest, f"{moved} of {a.size} numbers, policy {policy}") if moved else None
    limit = tolerance(policy)
    over = int((changes > limit).sum())
    return (largest, f"{over} of {a.size} numbers, policy {policy}") if over else None


def relative_change(a: Array, b: Array, floor: float, condition: Array | None) -> Array:
    """|a - b| over the scale of each sample: its largest value, at least the floor, times its condition number."""
    a, b = np.atleast_1d(a), np.atleast_1d(b)
    finite = np.where(np.isfinite(a), np.abs(a), 0.0)
    if a.ndim > 1:
        scale = finite.max(axis=tuple(range(1, a.ndim)), keepdims=True, initial=0.0)
    else:
        scale = finite.max(initial=0.0, keepdims=True)
    scale = np.maximum(scale, floor)
    if condition is not None and len(a) == len(condition):
        scale = scale * condition.reshape(-1, *[1] * (a.ndim - 1))
    equal = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(all="ignore"):
        change = np.abs(a - b) / np.where(scale > 0.0, scale, np.finfo(float).tiny)
    return np.where(equal, 0.0, np.nan_to_num(change, nan=np.inf))


def read_moved(path: Path) -> list[Moved]:
    """The lines of a file of expected changes."""
    lines = tomllib.loads(path.read_text()).get("moved", [])
    return [Moved(line["key"], line["keys"], float(line["largest"]), line["reason"]) for line in lines]


def uncovered(changes: Sequence[Change], moved: Sequence[Moved]) -> tuple[list[Change], list[str]]:
    """Changes that no line expects, and faults of the lines: exceeded, or covering nothing."""
    faults, covered = [], set()
    for line in moved:
        matching = [change for change in changes if fnmatch.fnmatchcase(change.key, line.key)]
        covered |= {change.key for change in matching}
        if not matching:
            faults.append(f"{line.key}: covers nothing; remove the line")
        elif len(matching) > line.keys:
            faults.append(f"{line.key}: {len(matching)} keys moved, {line.keys} stated")
        elif matching[0].size > line.largest:
            faults.append(f"{line.key}: the largest change is {matching[0].size:.2g}, {line.largest:g} stated")
    return [change for change in changes if change.key not in covered], faults


def report(old: Snapshot, new: Snapshot, moved: Sequence[Moved], bits: bool) -> int:
    """Print what moved, and return the exit code."""
    changes, added = compare(old, new, bits)
    open_changes, faults = uncovered(changes, moved)
    exact = same_machine(old, new)
    print(f"{len(old.answers)} keys; bits {'compared' if exact else 'not compared: another processor or version'}")
    if added:
        print(f"{len(added)} new keys: {', '.join(_shortened(added))}")
    groups: dict[tuple[str, str], list[Change]] = {}
    for change in open_changes:
        groups.setdefault((change.key.split("/")[0], change.key.split("/")[1]), []).append(change)
    if groups:
        print(
            f"{len(open_changes)} keys moved, {len(changes) - len(open_changes)} more as expected; the worst of each:"
        )
    for (question, name), group in list(groups.items())[:SHOWN]:
        machines = _shortened([change.key.split("/")[-1] for change in group], 6)
        print(f"  {group[0].size:9.2e}  {question}/{name}  {len(group)} keys: {', '.join(machines)}; {group[0].what}")
    if len(groups) > SHOWN:
        print(f"  and {len(groups) - SHOWN} more fields")
    for fault in faults:
        print(f"moved: {fault}")
    if not open_changes and not faults:
        print(f"nothing moved beyond its policy{f', {len(changes)} keys as expected' if changes else ''}")
    return 1 if open_changes or faults else 0


def _shortened(names: Iterable[str], count: int = 8) -> list[str]:
    listed = list(names)
    return listed[:count] + ([f"and {len(listed) - count} more"] if len(listed) > count else [])


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    chosen = argparse.ArgumentParser(add_help=False)
    chosen.add_argument("--robots", type=_names, default=(), help="names of machines, with commas; all by default")
    chosen.add_argument("--groups", type=_names, default=(), help=f"groups of questions: {', '.join(GROUPS)}")
    chosen.add_argument("--questions", type=_names, default=(), help="names of questions")
    taking = argparse.ArgumentParser(add_help=False)
    taking.add_argument("--states", type=int, help="only so many of the stored states of each machine")
    taking.add_argument("--small", action="store_true", help="the selection of the small snapshot of the repository")
    taking.add_argument("--lines", type=Path, help="folder for the lines of gough that ran, a file per machine")
    command = commands.add_parser("take", parents=[chosen, taking], help="take a snapshot")
    command.add_argument("file", type=Path)
    command.add_argument("--jobs", type=int, default=2, help="machines at once")
    command.add_argument("--parts", type=Path, help="folder that keeps the answers of each machine")
    command = commands.add_parser("one", parents=[chosen, taking], help="one machine, in this process")
    command.add_argument("file", type=Path)
    command.add_argument("machine")
    command = commands.add_parser("compare", parents=[chosen], help="compare two snapshots")
    command.add_argument("old", type=Path)
    command.add_argument("new", type=Path)
    command.add_argument("--bits", action="store_true", help="compare all numbers bit by bit")
    command.add_argument("--moved", type=Path, default=MOVED, help="file of expected changes")
    given = parser.parse_args(arguments)
    selection = Selection(given.robots, given.groups, given.questions)
    if given.command != "compare" and given.small:
        selection, given.states = Selection.of_small(), SMALL_STATES
    if given.command == "take":
        return take(given.file, selection, given.jobs, given.states, given.lines, given.parts)
    if given.command == "one":
        with nullcontext() if given.lines is None else Tracer(given.lines / f"{given.machine}.json"):
            snapshot, seconds = take_machine(given.machine, selection.asked(given.machine), given.states)
        snapshot.about |= {"seconds": seconds, "selection": selection.options()}
        snapshot.save(given.file)
        return 0
    old, new = (Snapshot.read(path).selected(selection.has) for path in (given.old, given.new))
    return report(old, new, read_moved(given.moved), given.bits)


if __name__ == "__main__":
    sys.exit(main())
