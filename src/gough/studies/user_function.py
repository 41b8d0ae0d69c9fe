"""A user's function as a measure: `module:function`, called with one machine at a time."""

from __future__ import annotations

import hashlib
import importlib
import math
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gough.errors import InputError
from gough.graph import Array
from gough.robot import Robot

if TYPE_CHECKING:
    from gough.studies.study import Study


class Machine:
    """One machine, as a user's function gets it.

    Attributes:
        number: From 0.
        numbers: The varied numbers by name, SI units.
        samples: x, xd, xdd (P, n) at which it is looked at.
    """

    def __init__(self, study: Study, number: int) -> None:
        self._study, self.number = study, number
        self.numbers = study.numbers_of(number)

    @cached_property
    def robot(self) -> Robot:
        """The robot it is; made and checked when asked for."""
        return self._study.machine(self.number)

    @property
    def samples(self) -> tuple[Array, Array, Array]:
        """See the class."""
        return self._study.samples()


class FunctionError(InputError):
    """A user's function that raised, with the machine.

    Attributes:
        machine: Its number.
        numbers: Its varied numbers.
    """

    def __init__(self, name: str, machine: int, numbers: dict[str, float], cause: str) -> None:
        """The line."""
        self.name, self.machine, self.numbers, self.cause = name, machine, numbers, cause
        shown = ", ".join(f"{key} = {value:.9g}" for key, value in list(numbers.items())[:6])
        more = f" and {len(numbers) - 6} more" if len(numbers) > 6 else ""
        super().__init__(f'{name}: machine {machine}: {cause} ({shown}{more}; on_error="count" counts it as failed)')

    def __reduce__(self) -> Any:
        """Workers send it to the client."""
        return FunctionError, (self.name, self.machine, self.numbers, self.cause)


@dataclass(frozen=True)
class UserFunction:
    """A function of one machine that gives a number.

    Attributes:
        name: "module:function".
        source: Text of the module where it lies beside the study; workers need no file then.
        given: The function itself where it was handed over in Python.
    """

    name: str
    source: str = ""
    given: Callable[[Machine], float] | None = field(default=None, compare=False)

    @property
    def digest(self) -> str:
        """Of its name and text."""
        return hashlib.sha256(f"{self.name}\0{self.source}".encode()).hexdigest()

    def function(self) -> Callable[[Machine], Any]:
        """The function, imported.

        Raises:
            InputError: There is none.
        """
        if self.given is not None:
            return self.given
        module, _, name = self.name.partition(":")
        try:
            if self.source:
                place = f"_gough_study_{self.digest[:16]}"
                if place not in sys.modules:
                    made = types.ModuleType(place)
                    exec(compile(self.source, f"{module}.py", "exec"), made.__dict__)
                    sys.modules[place] = made
                found: Any = getattr(sys.modules[place], name)
            else:
                found = getattr(importlib.import_module(module), name)
        except Exception as error:
            raise InputError(f"measure {self.name}: cannot be imported: {type(error).__name__}: {error}") from None
        if not callable(found):
            raise InputError(f"measure {self.name}: is not a function")
        return found

    def values(self, study: Study, first: int, last: int, on_error: str) -> Array:
        """(N,) of machines first to last - 1; NaN for one that raised.

        Raises:
            FunctionError: It raised, or gave no number, and `on_error` is "stop".
        """
        function = self.function()
        found = np.full(last - first, math.nan)
        for number in range(first, last):
            machine = Machine(study, number)
            try:
                found[number - first] = float(function(machine))
            except Exception as error:
                if on_error != "count":
                    cause = f"{type(error).__name__}: {error}"
                    raise FunctionError(self.name, number, machine.numbers, cause) from None
        return found


def user_function(name: str, folder: Path) -> UserFunction:
    """The function `module:function`, of a module beside the study or of an installed one.

    Raises:
        InputError: There is none.
    """
    module, _, _ = name.partition(":")
    path = folder / f"{module.replace('.', '/')}.py"
    found = UserFunction(name, path.read_text() if path.is_file() else "")
    found.function()
    return found
