"""The self-test of exported C code: inputs, and the bits that gough computes from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gough import __version__
from gough.codegen.c_files import Written
from gough.codegen.c_module import Module
from gough.codegen.c_numbers import literal
from gough.codegen.robot_functions import Exported
from gough.codegen.sample_inputs import Inputs
from gough.codegen.single_precision import LEAST, TOLERANCE
from gough.graph import Array, Graph, Output, ieee
from gough.run import Program

_HEAD = """\
/* Self-test of {p}.c, written by gough {version}: inputs from all over the workspace and beyond it, and the results
 * that gough has for them, {how}. Returns 0 if all agree. */
#include "{p}.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

"""

_SAME = """\
static int differs(const char *what, int state, int place, double got, uint64_t want)
{
    uint64_t bits;
    double wanted;
    memcpy(&bits, &got, sizeof bits);
    memcpy(&wanted, &want, sizeof wanted);
    if (bits == want || (got != got && wanted != wanted))
        return 0;
    printf("%s: state %d, element %d: %.17g, expected %.17g\\n", what, state, place, got, wanted);
    return 1;
}
"""

_CLOSE = """\
static int differs(const char *what, int state, int place, float got, double want, double scale)
{
    const double off = (double)got - want;
    if (off <= TOLERANCE * scale && -off <= TOLERANCE * scale)
        return 0;
    printf("%s: state %d, element %d: %.9g, expected %.9g\\n", what, state, place, (double)got, want);
    return 1;
}
"""


def expected(graph: Graph, inputs: Inputs, given: Exported) -> dict[str, Any]:
    """Outputs by name for rows of inputs."""
    rows = len(inputs["x"])
    values = {spec.name: inputs[spec.name] for spec in graph.inputs if spec.name != "p"}
    if any(spec.name == "p" for spec in graph.inputs):
        values["p"] = np.tile(given.defaults, (rows, 1))
    return {name: np.asarray(value, dtype=float) for name, value in Program(graph)(**values).items()}


def self_test_text(given: Exported, module: Module, written: Sequence[Written], inputs: Inputs) -> str:
    """The C file of the self-test."""
    p = module.prefix
    how = f"to {TOLERANCE:g} of their size" if module.single else "bit by bit"
    parts = [_HEAD.format(p=p, version=__version__, how=how) + (_CLOSE if module.single else _SAME)]
    if module.single:
        parts[0] = parts[0].replace("static int differs", f"#define TOLERANCE {TOLERANCE:g}\n\nstatic int differs", 1)
    calls = []
    for entry in written:
        step = max(1, sum(len(o.nodes) for o in entry.graph.outputs) // 60)
        rows = {name: values[::step] for name, values in inputs.items()}
        parts.append(_test(given, module, entry, rows))
        calls.append(f"    faults += test_{entry.name}();")
    main = ["int main(void)", "{", "    int faults = 0;", *calls]
    main += [
        f'    printf("{p}: %s\\n", faults ? "FAILED" : "all results as expected");',
        "    return faults ? 1 : 0;",
        "}",
    ]
    return "\n".join([*parts, "\n".join(main), ""])


def _test(given: Exported, module: Module, entry: Written, inputs: Inputs) -> str:
    """The rows of one function and the loop over them."""
    graph = entry.graph
    found = expected(graph, inputs, given)
    if module.single:
        good = found["status"] == 0.0
        inputs = {key: values[good] for key, values in inputs.items()}
        found = {key: values[good] for key, values in found.items()}
    specs = [spec for spec in graph.inputs if spec.name != "p"]
    outputs = [o for o in graph.outputs if o.name not in ("status", "leg")]
    rows = len(found["status"])
    given_rows = np.hstack([inputs[spec.name] for spec in specs])
    wanted = np.hstack([found[o.name].reshape(rows, -1) for o in outputs])
    codes = np.stack([found["status"], found["leg"]], axis=1).astype(int)
    arguments = [f"&{module.prefix}_defaults"] if given.free else []
    at = 0
    for spec in specs:
        arguments.append(f"g + {at}")
        at += spec.size
    arguments += [o.name for o in outputs]
    tables = _tables(module, entry.name, given_rows, wanted, codes)
    return "\n".join([*tables, "", *_loop(module, entry.name, rows, arguments, outputs), ""])


def _wanted_type(module: Module) -> str:
    """The C type of expected numbers: their bits where every bit is compared."""
    return "double" if module.single else "uint64_t"


def _tables(module: Module, name: str, given_rows: Array, wanted: Array, codes: NDArray[np.int64]) -> list[str]:
    """Lines that define the inputs (rows, ..) of a function, its numbers (rows, ..), and status and leg (rows, 2)."""
    rows, single = len(codes), module.single
    return [
        f"static const {module.number} {name}_given[{rows}][{given_rows.shape[1]}] = {{",
        *(f"    {{{', '.join(literal(float(v), single) for v in row)}}}," for row in given_rows),
        "};",
        f"static const {_wanted_type(module)} {name}_wanted[{rows}][{wanted.shape[1]}] = {{",
        *(f"    {{{', '.join(_number(float(v), single) for v in row)}}}," for row in wanted),
        "};",
        f"static const int {name}_codes[{rows}][2] = {{",
        f"    {', '.join(f'{{{a}, {b}}}' for a, b in codes)}",
        "};",
    ]


def _loop(module: Module, name: str, rows: int, arguments: Sequence[str], outputs: Sequence[Output]) -> list[str]:
    """Lines of the function that calls another with these arguments, row by row, and counts the faults."""
    lines = [
        f"static int test_{name}(void)",
        "{",
        f"    {module.number} {', '.join(f'{o.name}[{len(o.nodes)}]' for o in outputs)};",
        "    int i, k, leg, status, faults = 0;",
        f"    for (i = 0; i < {rows}; ++i) {{",
        f"        const {module.number} *g = {name}_given[i];",
        f"        const {_wanted_type(module)} *w = {name}_wanted[i];",
        f"        status = {name}({', '.join(arguments)}, &leg);",
        f"        if (status != {name}_codes[i][0] || leg != {name}_codes[i][1]) {{",
        f'            printf("{name}: state %d: status %d, leg %d, expected %d, %d\\n", i, status, leg,',
        f"                {name}_codes[i][0], {name}_codes[i][1]);",
        "            ++faults;",
        "        }",
    ]
    at = 0
    for o in outputs:
        count = len(o.nodes)
        if module.single:
            lines.append(f"        {_scale(at, count)}")
        more = ", scale" if module.single else ""
        lines.append(f"        for (k = 0; k < {count}; ++k)")
        lines.append(f'            faults += differs("{name}: {o.name}", i, k, {o.name}[k], w[{at} + k]{more});')
        if module.single:
            lines.append("        }")
        at += count
    return [
        *lines,
        "    }",
        f'    printf("{name}: %d states, %d faults\\n", {rows}, faults);',
        "    return faults;",
        "}",
    ]


def _scale(at: int, count: int) -> str:
    """A block of C, left open, that knows the `scale` of so many expected numbers from place `at` on."""
    return (
        "{ double scale = 0.0;\n"
        f"        for (k = {at}; k < {at + count}; ++k)\n"
        "            scale = fabs(w[k]) > scale ? fabs(w[k]) : scale;\n"
        f"        scale = scale > {LEAST} ? scale : {LEAST};"
    )


def _number(value: float, single: bool) -> str:
    """An expected number in C: its bits, or in single precision the number itself."""
    if single:
        return literal(value)
    if value != value:
        return "0x7ff8000000000000u"
    return f"0x{ieee.bits(value) & (2**64 - 1):016x}u"
