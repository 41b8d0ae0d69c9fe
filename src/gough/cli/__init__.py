"""The `gough` command: finds the command asked for, runs it, and turns failures into one line and an exit code.

Each command is one file in this folder with a function `run`; `COMMANDS` lists them. Only the one invoked is imported,
so that `gough --help` answers at once.

Exit codes: 0 fine, 1 the analysis says no, 2 bad input, 3 numerical failure, 4 memory or disk ran out, 130
interrupted, 141 the reader of standard output has gone.
"""

from __future__ import annotations

import errno
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Before NumPy: matrices here are small, and threads that wait cost.

from gough import __version__
from gough.errors import GoughError, GoughWarning, InputError, ResourceError
from gough.escape import one_line, safe_streams

COMMANDS = {
    "robots": ("gough.cli.robots", "List the robots that come with gough."),
    "show": ("gough.cli.show", "Show a robot on a page, or draw it."),
    "new": ("gough.cli.new", "Print or write a robot file to start from."),
    "examples": ("gough.cli.examples", "List the example scripts, or copy them into a folder."),
    "ik": ("gough.cli.ik", "Solve the inverse kinematics at a pose, or at a list of poses."),
    "fk": ("gough.cli.fk", "Solve the forward kinematics at actuator displacements."),
    "inverse": ("gough.cli.inverse", "Solve the inverse dynamics: forces along a motion."),
    "check": ("gough.cli.check", "Check a motion against limits, collisions of legs and singularities."),
    "fastest": ("gough.cli.fastest", "Find the shortest time along a path, and the limits that set it."),
    "move": ("gough.cli.move", "Generate a motion with bounded jerk, as set points for a controller."),
    "workspace": ("gough.cli.workspace", "Compute the workspace of the platform and the limits that bound it."),
    "singularities": (
        "gough.cli.singularities",
        "Find singular poses: the actuators cannot hold the platform there.",
    ),
    "calibrate": ("gough.cli.calibrate", "Calibrate a robot's geometry from measurements, or plan them."),
    "size": ("gough.cli.size", "Size the actuators over a motion or an envelope."),
    "optimise": ("gough.cli.optimise", "Find the best design for a task, or the Pareto front of two objectives."),
    "compare": ("gough.cli.compare", "Compare two robots or settings on one motion."),
    "verify": ("gough.cli.verify", "Compare all formulations on random states, as a certificate."),
    "count": ("gough.cli.count", "Count operations by formulation."),
    "paper": ("gough.cli.paper", "Draw a paper's figures and write its tables."),
    "simulate": ("gough.cli.simulate", "Simulate a robot with a controller, or an ensemble of varied robots."),
    "study": ("gough.cli.study", "Run a study: the same analysis of very many machines."),
    "modes": ("gough.cli.modes", "Find natural frequencies and mode shapes."),
    "view": ("gough.cli.view", "View a robot in 3D in the browser, or write it as an animated file."),
    "stack": ("gough.cli.stack", "Solve one robot on the platform of another: ik, inverse, check, view."),
    "export": ("gough.cli.exports", "Export a robot to other programs: MuJoCo, Pinocchio, Gazebo, C, FMU."),
    "import": ("gough.cli.import_", "Import a URDF, MJCF or SDF file with loops as a robot file."),
    "accuracy": ("gough.cli.accuracy", "Compute pose errors from tolerances, stiffness and deflections."),
    "identify": ("gough.cli.identify", "Identify masses, friction and rotors from recorded forces."),
    "report": ("gough.cli.report", "Write a report of a robot along a motion, as one HTML file."),
    "completion": ("gough.cli.completion", "Print a script for completion in bash, zsh or fish."),
    "info": ("gough.cli.info", "Show versions, processor, executor and cache."),
}

GROUPS = {
    "export": {
        "mjcf": ("gough.cli.exports.mjcf", "MJCF, for MuJoCo."),
        "urdf": ("gough.cli.exports.urdf", "URDF, with a YAML file of its loops, for Pinocchio."),
        "sdf": ("gough.cli.exports.sdf", "SDF, for Gazebo."),
        "c": ("gough.cli.exports.c", "C code for a controller."),
        "fmu": ("gough.cli.exports.fmu", "FMU (FMI 3.0), for Simulink, Modelica, fmpy."),
    },
}
"""Commands with subcommands."""

LOST = {errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EFBIG, errno.EAGAIN}
"""Errors of the machine, not of the command line: a resource ran out."""

OPTIONS = {
    "--help": "Show this text, or the help of a command: gough COMMAND --help.",
    "--version": "Show the version.",
}

_SAME = {"max_gap": "--bridge", "hold_missing": "--hold-missing"} | {
    name: f"--{name}" for name in ("smooth", "units", "columns", "relative", "convention")
}
"""Options of commands that say the same as arguments of Python."""
_LAYOUT = re.compile(r'CsvLayout(?:\((\w+)=(?:True|"([^"]*)"|{"([^"]*)": "([^"]*)"})\)|\.(\w+))')
_SMOOTHING = re.compile(r'\b(smooth|max_gap)="([^"]*)"')
_FIRST = re.compile(rf"({'|'.join(_SAME)}): |(smooth|convention) (?=[^:]*: )")


def main(argv: Sequence[str] | None = None) -> int:
    """The exit code of the command line `argv` (default: the process's own)."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    with safe_streams(), shown_warnings():
        try:
            return _main(arguments)
        except BrokenPipeError:  # the reader (head, less) has gone, of standard error too
            _silence()
            return 141


@contextmanager
def shown_warnings() -> Iterator[None]:
    """Warnings of gough as one line each on standard error, each once, in place of Python's own form."""
    told: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("always", GoughWarning)
        other = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *rest: Any, **more: Any) -> None:
            line = f"gough: warning: {one_line(with_options(str(message)))}"
            if issubclass(category, GoughWarning):
                if line not in told:
                    print(line, file=sys.stderr)
                told.add(line)
            else:
                other(message, category, *rest, **more)

        warnings.showwarning = show
        yield


def with_options(message: str) -> str:
    """The message with the names of options in place of those of arguments: smooth="auto" becomes --smooth auto."""
    message = _LAYOUT.sub(_of_layout, message.replace("Motion.read_csv", "--motion"))
    message = _SMOOTHING.sub(lambda found: f"{_SAME[found[1]]} {found[2]}", message)
    first = _FIRST.match(message)
    if first is None:
        return message
    name = first[1] or first[2]
    return _SAME[name] + message[len(name) :]


def _of_layout(found: re.Match[str]) -> str:
    name, text, key, value, attribute = found.groups()
    option = _SAME.get(name or attribute)
    if option is None:
        return found[0]
    if key is not None:
        return f"{option} {key}={value}"
    return f"{option} {text}" if text is not None else option


def _main(arguments: list[str]) -> int:
    try:
        code = dispatch(arguments)
        sys.stdout.flush()
    except GoughError as error:
        faults = str(error).split("\n") if hasattr(error, "faults") else [str(error)]
        for fault in faults:
            _fail(f"error: {with_options(fault)}", error.exit_code)
        return error.exit_code
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except BrokenPipeError:
        raise
    except MemoryError as error:
        why = f" ({error})" if str(error) else ""
        return _fail(f"error: out of memory{why}; ask for fewer samples, states or robots", ResourceError.exit_code)
    except OSError as error:
        if error.errno is None:
            raise
        if error.filename is None:
            _silence()
        code = ResourceError.exit_code if error.errno in LOST else InputError.exit_code
        return _fail(f"error: {error.filename or 'standard output'}: {error.strerror}", code)
    return code


def dispatch(arguments: list[str]) -> int:
    """The exit code of one command line; failures are raised."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(help_text())
        return 0
    first, *rest = arguments
    if first == "--version":
        print(f"gough {__version__}")
        return 0
    if first == "__complete":
        from gough.cli.completions import completions

        print("\n".join(completions(rest)))
        return 0
    if first.startswith("-"):
        raise InputError(f"no such option {first}{suggestion(first, OPTIONS)} (see gough --help)")
    if first not in COMMANDS:
        raise InputError(f"no such command {first!r}{suggestion(first, COMMANDS)} (see gough --help)")
    if first in GROUPS:
        return _dispatch_group(first, rest)
    from gough.cli.invoke import invoke

    return invoke(first, COMMANDS[first][0], rest)


def _dispatch_group(group: str, arguments: list[str]) -> int:
    """The exit code of a command line that starts with a group's own command."""
    members = GROUPS[group]
    if not arguments or arguments[0] in ("-h", "--help"):
        width = max(map(len, members))
        listed = [f"  {name:{width}}  {line}" for name, (_, line) in members.items()]
        examples = [f"  gough {group} {name} --help" for name in members]
        lines = [f"Usage: gough {group} TARGET [ARGUMENTS]", "", COMMANDS[group][1], "", "Targets:", *listed]
        print("\n".join([*lines, "", "Examples:", *examples]))
        return 0
    first, *rest = arguments
    if first not in members:
        known = suggestion(first, members) or f"; there are {', '.join(members)}"
        raise InputError(f"{group}: no such target {first!r}{known} (see gough {group} --help)")
    from gough.cli.invoke import invoke

    return invoke(f"{group} {first}", members[first][0], rest)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A question naming the known name nearest to `name`, or nothing."""
    from difflib import get_close_matches

    bare = {entry.lstrip("-"): entry for entry in known}  # dashes make all options alike
    near = get_close_matches(name.lstrip("-"), list(bare), n=1, cutoff=0.65)
    return f"; did you mean {bare[near[0]]}?" if near else ""


def help_text() -> str:
    """The text of `gough --help`."""
    width = max(map(len, [*COMMANDS, *OPTIONS]))
    commands = [f"  {name:{width}}  {line}" for name, (_, line) in COMMANDS.items()]
    options = [f"  {name:{width}}  {line}" for name, line in OPTIONS.items()]
    return "\n".join(
        [
            "Usage: gough COMMAND [ARGUMENTS]",
            "",
            "Parallel robots: equations recorded once, then counted, differentiated and run.",
            "",
            "Commands:",
            *commands,
            "",
            "Options:",
            *options,
        ]
    )


def _silence() -> None:
    """Keep the interpreter quiet at exit about outputs that cannot be written to."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError, AttributeError):  # a stand-in for a stream has no number
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(message: str, code: int) -> int:
    """The exit code, after one line on standard error."""
    print("gough:", one_line(" ".join(message.split("\n"))), file=sys.stderr)
    return code
