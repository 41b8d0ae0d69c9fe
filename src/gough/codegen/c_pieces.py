"""Long C functions in pieces: static functions that hand on values in an array.

What checkers of code do grows with the square of a function's length or more: cppcheck gave no answer on the 3200 lines
of cable8's inverse dynamics in ten minutes, and has it in half a minute if no function has more than some hundred.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gough.codegen.c_module import Interface, Module
from gough.codegen.c_statements import Statement, Variable, names_in

WHOLE = 520
"""Lines up to which a function is not split."""
STEP = 1200
"""Lines up to which the step of an iteration is not split: cable8's forward kinematics would take a fifth longer."""
PIECE = 400
"""Lines of a piece, but for the statement that alone has more."""

_USE = re.compile(r"\b([A-Za-z_]\w*)(?:\[(\w+)\])?")


def in_pieces(
    module: Module, name: str, interface: Interface, statements: Sequence[Statement], status: str
) -> tuple[list[str], str]:
    """Lines of a function that calls its pieces, which are added to the module, and its status.

    Args:
        module: Where it stands.
        name: Of the function.
        interface: Its parameters.
        statements: All of them, in order.
        status: The expression that the function returns.
    """
    pieces = _cut(statements)
    kept = _Kept(module, pieces, status)
    own_pieces = module.pieces[name] = [f"{name}_{turn + 1}" for turn in range(len(pieces))]
    lines = [f"    {module.number} s[{max(kept.size, 1)}];"]
    for turn, (function, piece) in enumerate(zip(own_pieces, pieces, strict=True)):
        own = [kept.read(turn, line) for statement in piece for line in statement.lines]
        stores = kept.stores(turn)
        words = names_in(own)
        wanted = [p for p in interface.parameters if p.name in words]
        given, call = [p.declared for p in wanted], [p.name for p in wanted]
        if stores or "s" in words:
            given.append(f"{'' if stores else 'const '}{module.number} s[{kept.size}]")
            call.append("s")
        head = f"static void {function}({', '.join(given) or 'void'})"
        module.functions.append("\n".join([head, "{", *own, *stores, "}"]))
        lines.append(f"    {function}({', '.join(call)});")
    return lines, kept.read(len(pieces), status)


def _cut(statements: Sequence[Statement]) -> list[Sequence[Statement]]:
    """Statements in pieces, cut where the fewest values are handed on."""
    handed = _handed_on(statements)
    pieces, start = [], 0
    while start < len(statements):
        ends: list[tuple[int, int]] = []
        lines = 0
        for end in range(start + 1, len(statements) + 1):
            lines += len(statements[end - 1].lines)
            if lines > PIECE and ends:
                break
            ends.append((end, lines))
        if ends[-1][0] == len(statements):
            end = len(statements)
        else:
            late = [end for end, lines in ends if 2 * lines > PIECE] or [ends[-1][0]]
            end = min(late, key=lambda end: (handed[end], -end))
        pieces.append(statements[start:end])
        start = end
    return pieces


def _handed_on(statements: Sequence[Statement]) -> list[int]:
    """For each place between statements how many numbers declared before it are used after it."""
    made: dict[str, tuple[int, int]] = {}
    last: dict[str, int] = {}
    for place, statement in enumerate(statements):
        last.update((name, place) for name in names_in(statement.lines) & made.keys())
        made.update((variable.name, (place, variable.entries or 1)) for variable in statement.declared)
    change = [0] * (len(statements) + 1)
    for name, used in last.items():
        place, size = made[name]
        change[place + 1] += size
        change[used + 1] -= size
    found = [0]
    for step in change[1:]:
        found.append(found[-1] + step)
    return found


@dataclass(frozen=True)
class _Place:
    """Where the array keeps a variable that later pieces read.

    Attributes:
        variable: Which.
        turn: Of the piece that declares it.
        slot: The first of the array.
    """

    variable: Variable
    turn: int
    slot: int


class _Kept:
    """What pieces hand on in the array s.

    Attributes:
        size: Of the array.
    """

    def __init__(self, module: Module, pieces: Sequence[Sequence[Statement]], status: str) -> None:
        self.module, self.size = module, 0
        self._places: dict[str, _Place] = {}
        last: dict[str, int] = {}
        for turn, piece in enumerate(pieces):
            last.update(dict.fromkeys(names_in(line for statement in piece for line in statement.lines), turn))
        last.update(dict.fromkeys(names_in([status]), len(pieces)))
        free: dict[int, list[int]] = {}
        until: dict[int, list[_Place]] = {}
        for turn, piece in enumerate(pieces):
            for place in until.pop(turn, []):
                free.setdefault(place.variable.entries, []).append(place.slot)
            for variable in (v for statement in piece for v in statement.declared):
                end = last.get(variable.name, turn)
                if end > turn:
                    place = _Place(variable, turn, self._slot(free.get(variable.entries, []), variable))
                    self._places[variable.name] = place
                    until.setdefault(end, []).append(place)

    def _slot(self, free: list[int], variable: Variable) -> int:
        """One that nothing reads any more, or a new one."""
        if free:
            return free.pop()
        self.size += variable.entries or 1
        return self.size - (variable.entries or 1)

    def stores(self, turn: int) -> list[str]:
        """Statements at the end of a piece that keep what later ones read."""
        own = [place for place in self._places.values() if place.turn == turn]
        lines = [
            f"    s[{place.slot}] = {self._number(place.variable, place.variable.name)};"
            for place in own
            if not place.variable.entries
        ]
        arrays = [place for place in own if place.variable.entries]
        for bound in dict.fromkeys(place.variable.bound or str(place.variable.entries) for place in arrays):
            lines.append(f"    for (int k = 0; k < {bound}; ++k) {{")
            for place in arrays:
                variable = place.variable
                if (variable.bound or str(variable.entries)) == bound:
                    lines.append(f"        s[{place.slot} + k] = {self._number(variable, f'{variable.name}[k]')};")
            lines.append("    }")
        return lines

    def _number(self, variable: Variable, text: str) -> str:
        one, zero = self.module.literal(1.0), self.module.literal(0.0)
        return f"{text} ? {one} : {zero}" if variable.kind == "int" else text

    def read(self, turn: int, line: str) -> str:
        """A line of a piece that takes what earlier ones declare from the array."""

        def taken(found: re.Match[str]) -> str:
            place = self._places.get(found[1])
            if place is None or place.turn == turn:
                return found[0]
            index = found[2] or "0"
            text = f"s[{place.slot + int(index)}]" if index.isdigit() else f"s[{place.slot} + {index}]"
            return f"({text} != {self.module.literal(0.0)})" if place.variable.kind == "int" else text

        return _USE.sub(taken, line)
