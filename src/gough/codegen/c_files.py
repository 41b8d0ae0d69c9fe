"""The header, the source and the page of instructions of exported C code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from gough import __version__
from gough.codegen.c_block import LANE
from gough.codegen.c_body import write_function
from gough.codegen.c_functions import definitions
from gough.codegen.c_interface import comments_of, enums_of, fields_of, interface_of
from gough.codegen.c_module import Interface, Module
from gough.codegen.robot_functions import Exported, RobotFunction
from gough.codegen.single_precision import coarse
from gough.graph import Graph, count, expand, ops
from gough.graph.operation_count import count_nodes
from gough.kinematics.recorded_status import tells
from gough.kinematics.status import Status

_REFUSED = """\
#if defined(__FAST_MATH__)
#error "{name}: compile without -ffast-math: it changes results and loses NaN"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "{name}: {number}s must be computed as {number}s (FLT_EVAL_METHOD 0; on 32-bit x86: -msse2 -mfpmath=sse)"
#endif"""

_OWN_CONTRACTION = """\
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-slp-vectorize")
#endif"""
"""Vectors that gcc makes of neighbouring statements contract sums and products all the same (vfmaddsub, gcc 12)."""

_LANES = """\
/* How far a loop goes: over more than is needed where that fills vectors of four. */
#if defined(__AVX__)
#define {name}(needed, filled) (filled)
#else
#define {name}(needed, filled) (needed)
#endif"""

_ROOTS = """\
#if defined(__GNUC__) && !defined(__cplusplus)
{number} {sqrt}({number}) __attribute__((const)); /* no errno: several legs can have their roots at once */
#endif"""


@dataclass(frozen=True)
class Written:
    """A function in C.

    Attributes:
        function: Which.
        graph: Its graph.
        name: In C.
        interface: Its parameters.
    """

    function: RobotFunction
    graph: Graph
    name: str
    interface: Interface


def write_module(given: Exported, graphs: dict[RobotFunction, Graph], module: Module) -> list[Written]:
    """All functions, written into the module."""
    written = []
    for function, graph in graphs.items():
        name = f"{module.prefix}_{function.name.replace('-', '_')}"
        interface = interface_of(module, function, graph, given)
        flat = expand(graph)
        write_function(module, coarse(flat) if module.single else flat, name, interface)
        written.append(Written(function, graph, name, interface))
    return written


def before_functions(module: Module) -> list[str]:
    """What any C file with the module's functions needs after its includes."""
    parts = [_OWN_CONTRACTION]
    if module.filling:
        parts.append(_LANES.format(name=f"{module.prefix}_lanes".upper()))
    if module.looping:
        parts.append(_ROOTS.format(number=module.number, sqrt=module.library("sqrt")))
    return parts


def source_text(given: Exported, module: Module) -> str:
    """The C file."""
    own = definitions(module)
    fields = fields_of(given)
    parts = [
        f"/* Equations of {given.robot.name}, written by gough {__version__}: see {module.prefix}.h. Do not edit. */",
        f'#include "{module.prefix}.h"\n\n#include <float.h>\n#include <math.h>',
        *before_functions(module),
    ]
    if fields:
        values = ",\n".join(f"    {module.literal(field.value)} /* {field.path} */" for field in fields)
        parts.append(f"const {module.prefix}_parameters {module.prefix}_defaults = {{\n{values}\n}};")
    return "\n\n".join([*parts, *own, *module.functions]) + "\n"


def header_text(given: Exported, module: Module, written: Sequence[Written], notes: Sequence[str]) -> str:
    """The header: call `source_text` first, which completes the module."""
    prefix, robot = module.prefix, given.robot
    guard = f"{prefix}_H".upper()
    kind = "single precision" if module.single else "double precision"
    intro = [
        f"Functions of the robot {robot.name} in {kind}, written by gough {__version__}.",
        "SI units and radians. B is the base frame, P that of the platform. Every array has the size that is stated; "
        "outputs may not overlap inputs. No function allocates, recurses or keeps anything: all may be interrupted "
        "and called from several threads. Each returns a status; above 1 and below 0 its results are NaN.",
        *notes,
    ]
    parts = [
        _comment([line for text in intro for line in textwrap.wrap(text, 112)]),
        f"#ifndef {guard}\n#define {guard}",
        "#include <float.h>",
        _REFUSED.format(name=prefix, number=module.number),
        '#ifdef __cplusplus\nextern "C" {\n#endif',
        _statuses(prefix, given, module),
    ]
    for name, remark, constants in enums_of(prefix, robot, [w.function for w in written]):
        parts.append(f"/* {remark} */\n" + _enum(name, constants))
    fields = fields_of(given)
    if fields:
        lines = [f"    {module.number} {field.name}; /* {field.path}, SI units and radians */" for field in fields]
        struct = "\n".join(["typedef struct {", *lines, f"}} {prefix}_parameters;"])
        parts.append(f"/* Numbers of the robot that may be adapted online. */\n{struct}")
        parts.append(f"extern const {prefix}_parameters {prefix}_defaults;")
    parts += [_declared(given, module, w) for w in written]
    parts += ["#ifdef __cplusplus\n}\n#endif", f"#endif /* {guard} */"]
    return "\n\n".join(parts) + "\n"


def _statuses(prefix: str, given: Exported, module: Module) -> str:
    lines = [f"{prefix}_{s.name} = {int(s)}".upper() + f" /* {_MEANINGS[s]} */" for s in Status]
    bodies = ",\n".join(f"    {line}" for line in lines)
    bodies = re.sub(r"( /\*.*\*/),$", r",\1", bodies, flags=re.MULTILINE)
    told = "\n".join([f"enum {prefix}_status {{", bodies, "};"])
    return f"{_comment(untold(given, module))}\n{told}"


_MEANINGS = {
    Status.NOT_FINITE: "an input is not a finite number",
    Status.FINE: "all is well",
    Status.NEAR_SINGULAR: "there are results, but small errors make large ones, or none of them is finite",
    Status.OUT_OF_REACH: "a leg is too short or too long for this pose",
    Status.NOT_CONVERGED: "an iteration did not end within its steps",
    Status.OTHER_BRANCH: "a leg closes there, but not as it is assembled",
    Status.PATH_FOLDS: "fk: the platform cannot follow its actuators from the guess to there",
    Status.GUESS_OUT_OF_REACH: "fk: the guess is no pose of the robot",
    Status.OVERFLOW: "numbers too large, or angles beyond 2^30 rad",
    Status.INFEASIBLE: "no forces within the actuators' limits give the platform what it needs",
}


def untold(given: Exported, module: Module) -> list[str]:
    """What the statuses do not tell that Python's do, as lines."""
    robot = given.robot
    open_legs = [k for k in range(len(robot.legs)) if not tells(robot, given.ways, k)]
    texts = ["Statuses, as gough has them in Python. What they do not tell here:"]
    follow = ", ".join(robot.dependent_names)
    for closed, why in (
        (False, "legs {} are closed by iteration: OUT_OF_REACH and OTHER_BRANCH of these are"),
        (True, f"{follow} are found by iteration: OUT_OF_REACH and OTHER_BRANCH of legs {{}} are"),
    ):
        legs = [robot.legs[k].name for k in open_legs if (given.ways.legs[k].form is not None) is closed]
        texts += [f"- {why.format(', '.join(legs))} NOT_CONVERGED;"] if legs else []
    texts.append(
        "- finite rates and loads so large that results are not finite are NEAR_SINGULAR, where Python says OVERFLOW; "
        "angles beyond 2^30 rad are OVERFLOW, where Python computes on;"
    )
    texts.append(
        "- inverse: NEAR_SINGULAR means forces on the platform above 1e6 times what its load takes at home, or a leg "
        "at its fold; ik and computed_torque tell every pose with a condition number above 1e6;"
    )
    texts.append(
        "- fk and computed_torque take a fixed number of steps from the guess (NOT_CONVERGED, or OUT_OF_REACH where a "
        "step leaves the workspace); Python's fk goes on for longer. Give a guess near the pose, such as the last one."
    )
    if module.single:
        texts.append("- in single precision poses count as NEAR_SINGULAR from conditions of about 1e3 on.")
    return [line for text in texts for line in textwrap.wrap(text, 112, subsequent_indent="  ")]


def _declared(given: Exported, module: Module, written: Written) -> str:
    graph = written.graph
    c, flat = count(graph), expand(graph)
    if written.name in module.looping:
        c = c - count_nodes(flat.nodes) + module.looping[written.name]
    loops = [flat.inners[node[1]] for node in flat.nodes if node[0] == ops.LOOP]
    deepest = f"{stack(module, written.name)} bytes"
    if written.name in module.looping:
        deepest += f", {stack(module, written.name, vectors=True)} where compilers make vectors of loops over legs"
    cost = (
        f"Cost: {c.flops} flops, of which {c.div} divisions and {c.sqrt} square roots; {c.transcendental} elementary "
        f"functions; {c.select} choices. {_loops(loops, written.name in module.looping)} Stack: at most {deepest}."
    )
    lines = [written.function.line, *comments_of(module, graph, given), *textwrap.wrap(cost, 112)]
    given_as = ",\n    ".join(p.declared for p in written.interface.parameters)
    return f"{_comment(lines)}\nint {written.name}(\n    {given_as});"


def _loops(loops: Sequence[object], legs: bool) -> str:
    if not loops:
        return "No loops but over legs." if legs else "No loops."
    bounds = ", ".join(str(getattr(inner, "max_iter", 0)) for inner in loops)
    return f"{len(loops)} loop{'s' if len(loops) > 1 else ''} of at most {bounds} steps (one step of each is counted)."


_FRAME = 256
"""Bytes of a stack frame beside variables: return address, saved registers, temporaries."""
_VARIABLES = re.compile(r"^ +(?:const )?(double|float|int) ([^=;()]*)(?:=[^;]*)?;", re.MULTILINE)
_LANES_OF_VECTORS = 8
"""Lanes of the widest vectors."""


def stack(module: Module, name: str, vectors: bool = False) -> int:
    """Bytes of stack that a function takes at most with all it calls, if every variable has a place of its own.

    Args:
        module: All functions.
        name: Which.
        vectors: Whether variables in loops over legs are vectors.
    """
    frames = _frames(module, _LANES_OF_VECTORS if vectors else 1)

    def deep(function: str) -> int:
        return frames.get(function, _FRAME) + max(
            [deep(called) for called in module.calls.get(function, ())], default=0
        )

    return -(-deep(name) // 16) * 16


def _frames(module: Module, lanes: int) -> dict[str, int]:
    size = {"double": 8, "float": 4, "int": 4}
    frames = {}
    for text in module.functions:
        name = re.search(r"^(?:int|static (?:inline )?\w+) (\w+)\(", text, re.MULTILINE)
        total = _FRAME + 8 * text.partition("{")[0].count(",")
        for found in _VARIABLES.finditer(text):
            for variable in found[2].split(","):
                entries = re.search(r"\[(\d+)\]", variable)
                several = lanes if variable.lstrip().startswith(LANE) else 1
                total += size[found[1]] * (int(entries[1]) if entries else several)
        if name:
            frames[name[1]] = total
    for whole, pieces in module.pieces.items():  # compilers may put any of them into the function that calls them
        frames[whole] += sum(frames[piece] for piece in pieces)
    return frames


def _comment(lines: Sequence[str]) -> str:
    return "\n".join(["/*", *(f" * {line}".rstrip() for line in lines), " */"])


def _enum(name: str, constants: Sequence[str]) -> str:
    body = ", ".join(constants)
    return "\n".join(
        [f"enum {name} {{", *textwrap.wrap(body, 112, initial_indent="    ", subsequent_indent="    "), "};"]
    )


def readme_text(given: Exported, module: Module, written: Sequence[Written]) -> str:
    """Ten lines that say how to compile and test."""
    p = module.prefix
    names = ", ".join(f"`{w.name}`" for w in written)
    more = " and its float functions" if module.single else ""
    bits = (
        "It compares results with those of double precision."
        if module.single
        else "It compares all bits with those of gough: one wrong bit fails it."
    )
    return f"""\
# {p}: {given.robot.name} in C

Written by gough {__version__}: `{p}.h` (what is called, with units, frames and sizes), `{p}.c`, `{p}_selftest.c`.
Functions: {names}. C99, no dependency but sqrt, fabs and copysign of math.h{more}.

    cc -std=c99 -O2 -ffp-contract=off -c {p}.c
    cc -std=c99 -O2 -ffp-contract=off {p}.c {p}_selftest.c -lm -o {p}_selftest && ./{p}_selftest

Run the self-test once on your target with your compiler and flags. {bits}
"""
