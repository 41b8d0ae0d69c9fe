"""Possible next words of a command line, for completion in shells: commands, options, robots, motions, coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from gough.cli import COMMANDS, GROUPS, OPTIONS

if TYPE_CHECKING:
    from gough.robot import Mechanism

FILES = ":files"
"""Stands for names of files, which the shell completes by itself."""
POSES = ("--pose", "--from", "--to", "--guess", "--velocity")
"""Options whose value names coordinates of the robot."""
CHOICES = {
    "--law": ("minimum-jerk", "trig3", "cos"),
    "--convention": ("fixed-xyz", "uvw", "quaternion"),
    "--units": ("mm,deg", "mm", "deg"),
    "--smooth": ("auto", "none"),
}
FORMATS = ("table", "csv", "json")
"""What --format may be; the help of the option names those that a command has."""


def completions(words: Sequence[str]) -> list[str]:
    """What may stand in place of the last word.

    Args:
        words: Of the command line after `gough`; the last one is being written and may be empty.
    """
    *before, current = words or [""]
    return [entry for entry in _candidates(before, current) if entry == FILES or entry.startswith(current)]


def _candidates(before: list[str], current: str) -> Iterable[str]:
    if not before:
        return [*COMMANDS, *OPTIONS]
    name, *given = before
    if name not in COMMANDS:
        return []
    module = COMMANDS[name][0]
    if name in GROUPS:
        if not given:
            return GROUPS[name]
        target, *given = given
        if target not in GROUPS[name]:
            return []
        name, module = f"{name} {target}", GROUPS[name][target][0]
    from gough.cli.invoke import command_of

    parameters = command_of(name, module).params
    if given and (taken := _option(parameters, given[-1])) is not None and not getattr(taken, "is_flag", False):
        if given[-1] == "--format":
            return [form for form in FORMATS if form in taken.help]
        return _values(name, given[-1], _robot(given[:-1]), current)
    if current.startswith("-"):
        seen = [parameter for parameter in parameters if not getattr(parameter, "hidden", False)]
        return [option for parameter in seen for option in parameter.opts if option.startswith("--")] + ["--help"]
    return _positional(parameters)


def _option(parameters: Iterable[Any], word: str) -> Any:
    """The option of this name, if there is one."""
    return next((parameter for parameter in parameters if word.startswith("-") and word in parameter.opts), None)


def _positional(parameters: Iterable[Any]) -> list[str]:
    from gough.robot import catalogue

    names = {parameter.name for parameter in parameters if parameter.param_type_name == "argument"}
    if "shell" in names:
        return ["bash", "zsh", "fish"]
    if "paper" in names:
        from gough.cli.paper import BY_AUTHOR, NAMES

        return [*NAMES, *BY_AUTHOR]
    robots = [*catalogue()] if names & {"robot", "first", "second", "robots"} else []
    return [*robots, *(["all"] if "robots" in names else []), FILES] if names else []


def _robot(words: Iterable[str]) -> Any:
    """The robot that the command line names so far, None if there is none."""
    from gough.errors import GoughError
    from gough.kinematics import load
    from gough.robot import catalogue

    for word in words:
        if word in catalogue() or word.endswith(".toml"):
            try:
                return load(word)
            except (GoughError, OSError):
                return None
    return None


def _values(name: str, option: str, robot: Mechanism | None, current: str) -> list[str]:
    """What an option may be given."""
    if option in CHOICES:
        return [*CHOICES[option]]
    if option == "--controller":
        from gough.cli.simulate import CONTROLLERS

        return [*CONTROLLERS]
    if option == "--formulation":
        from gough.dynamics.contract import FORMULATIONS

        return ["auto", *(formulation.name for formulation in FORMULATIONS)]
    if option == "--limit":
        from gough.analysis.limits import STATED

        return [f"{kind}=" for kind in STATED]
    if option == "--legs" and name == "new":
        from gough.cli.new import KINDS

        return [*KINDS]
    if option == "--motion" and robot is not None:
        from gough.motion import motions

        return [*motions(robot), FILES]
    if option in POSES and robot is not None:
        stated = current.rpartition(",")[0]
        head = f"{stated}," if stated else ""
        return [f"{head}{coordinate}=" for coordinate in robot.coordinate_names]
    return [FILES]
