"""A C file under way, and how its functions are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gough.codegen.c_numbers import literal
from gough.graph import Count


@dataclass
class Module:
    """A C file under way.

    Attributes:
        prefix: Of all its names.
        single: Whether numbers are floats.
        functions: Text of its functions, in order.
        helpers: Small functions that are called.
        elementary: Names of elementary functions that are called.
        steps: By digest the function of a loop's step, which all loops of the same equations call.
        calls: For each function those it calls, for the depth of its stack.
        pieces: For each function that is split the static ones that have its statements.
        looping: Functions with loops over legs, and their operations without those of iterations.
        filling: Whether loops compute more than is needed where that fills vectors.
    """

    prefix: str
    single: bool = False
    functions: list[str] = field(default_factory=list)
    helpers: set[str] = field(default_factory=set)
    elementary: set[str] = field(default_factory=set)
    steps: dict[str, str] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    pieces: dict[str, list[str]] = field(default_factory=dict)
    looping: dict[str, Count] = field(default_factory=dict)
    filling: bool = False

    @property
    def number(self) -> str:
        """The type of numbers."""
        return "float" if self.single else "double"

    @property
    def largest(self) -> str:
        """The largest number."""
        return "FLT_MAX" if self.single else "DBL_MAX"

    def literal(self, value: float) -> str:
        """A constant."""
        return literal(value, self.single)

    def library(self, name: str) -> str:
        """A function of math.h."""
        return name + "f" if self.single else name


@dataclass(frozen=True)
class Parameter:
    """A parameter of a C function: its name, and how it is declared."""

    name: str
    declared: str


@dataclass(frozen=True)
class Interface:
    """What a C function is called with.

    Attributes:
        parameters: In order.
        inputs: For each element of the graph's flattened inputs its parameter and its expression.
        outputs: For each element of the flattened outputs its parameter and where it is written; the parameter "status"
            stands for what the function returns.
        whole: Parameters of whole numbers.
        signs: By parameter that is written the expression whose sign it gets.
    """

    parameters: tuple[Parameter, ...]
    inputs: tuple[tuple[str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    whole: frozenset[str] = frozenset()
    signs: Mapping[str, str] = field(default_factory=dict)
