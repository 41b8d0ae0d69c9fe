"""Elementary functions and other small ones in C: the recorded equations that all executors run."""

from __future__ import annotations

from dataclasses import replace

from gough.codegen.c_body import write_function
from gough.codegen.c_module import Interface, Module, Parameter
from gough.graph.elementary import FARTHEST, FUNCTIONS, LARGEST, LEAST, NEAR, Elementary
from gough.graph.elementary_graph import elementary_graph
from gough.graph.graph import Graph, finish
from gough.graph.tape import Tape

_HELPERS = {
    "choose": "static inline {number} {p}_choose(int yes, {number} a, {number} b)\n{{\n    return yes ? a : b;\n}}",
    "min": "static {number} {p}_min({number} a, {number} b)\n{{\n    return ((b < a) | (b != b)) ? b : a;\n}}",
    "max": "static {number} {p}_max({number} a, {number} b)\n{{\n    return ((b > a) | (b != b)) ? b : a;\n}}",
    "sign": "static {number} {p}_sign({number} a)\n{{\n    return a > {zero} ? {one} : a < {zero} ? -{one} : a;\n}}",
    "finite": (
        "static int {p}_finite(const {number} *values, int count)\n{{\n    int fine = 1;\n"
        "    for (int k = 0; k < count; ++k)\n        fine &= {fabs}(values[k]) <= {most};\n    return fine;\n}}"
    ),
    "floor": (
        "static {number} {p}_floor({number} a)\n{{\n    {number} whole;\n"
        "    if (!({fabs}(a) < {whole}))\n        return a;\n"
        "    whole = {fabs}(a) + {whole};\n    whole = {copysign}(whole - {whole}, a);\n"
        "    return whole > a ? whole - {one} : whole;\n}}"
    ),
}
"""As the executors have them: a NaN stays one, and the first of equals is taken."""

_OUTSIDE_ATAN2 = """\
/* The angle of the point (x, y), also of those so small or large that products of their coordinates are not numbers. */
static double {p}_atan2(double y, double x)
{{
    double height = fabs(y), width = fabs(x), angle;
    if (y != y || x != x)
        return y + x;
    if (height > {largest} || width > {largest}) {{
        const int steep = height > DBL_MAX, flat = width > DBL_MAX;
        height = steep ? 1.0 : flat ? 0.0 : height * {smaller};
        width = flat ? 1.0 : steep ? 0.0 : width * {smaller};
    }} else if (height < {least} && width < {least}) {{
        height *= {larger};
        width *= {larger};
    }}
    if (height < {least} && width < {least})
        width = 1.0;
    if (height > 0.0 && height < {least} && copysign(1.0, x) > 0.0)
        return copysign(height / width, y);
    height = height < {least} ? 0.0 : height;
    width = width < {least} ? 0.0 : width;
    {p}_angle(height, copysign(width, x), &angle);
    return copysign(angle, y);
}}"""


def definitions(module: Module) -> list[str]:
    """Text of the helpers and elementary functions that the functions written so far call."""
    number, single = module.number, module.single
    facts = {
        "number": number,
        "p": module.prefix,
        "zero": module.literal(0.0),
        "one": module.literal(1.0),
        "whole": module.literal(2.0**23 if single else 2.0**52),
        "fabs": module.library("fabs"),
        "most": module.largest,
        "copysign": module.library("copysign"),
    }
    own = Module(module.prefix)
    for function in FUNCTIONS:
        if function.name in module.elementary:
            _write(own, function)
    module.calls |= own.calls
    text = [_HELPERS[name].format(**facts) for name in sorted(module.helpers | own.helpers)]
    return [*text, *own.functions]


def _write(module: Module, function: Elementary) -> None:
    """Adds an elementary function; beyond the numbers that its equations are for, a sine is NaN."""
    prefix, name = module.prefix, function.name
    values = ("sine", "cosine") if name == "sincos" else ("value",)
    graph = _values(elementary_graph(function), len(values))
    arguments = [f"a{k}" for k in range(function.arguments)]
    equations = {"sincos": "reduced", "atan2": "angle"}.get(name, f"{name}_equations")
    interface = Interface(
        (
            *(Parameter(a, f"double {a}") for a in arguments),
            *(Parameter(v, f"double *{v}") for v in values),
        ),
        tuple((a, a) for a in arguments),
        tuple((v, f"*{v}") for v in values),
    )
    write_function(module, graph, f"{prefix}_{equations}", interface, _REMARKS[name])
    module.calls[f"{prefix}_{name}"] = {f"{prefix}_{equations}"}
    if function.near is not None:
        near = elementary_graph(replace(function, equations=function.near, inside=None))
        remark = f"The same of an angle up to {NEAR} [rad]."
        signed = replace(interface, signs={values[0]: arguments[0]})
        write_function(module, near, f"{prefix}_near", signed, remark, inline=True)
        module.calls[f"{prefix}_{name}"].add(f"{prefix}_near")
    if name == "atan2":
        module.functions.append(
            _OUTSIDE_ATAN2.format(
                p=prefix,
                least=module.literal(LEAST),
                largest=module.literal(LARGEST),
                larger=module.literal(2.0**600),
                smaller=module.literal(2.0**-600),
            )
        )
        return
    lines = []
    if name == "sincos":
        lines.append(f"static inline void {prefix}_sincos(double a, double *sine, double *cosine)\n{{")
        lines.append(f"    if (fabs(a) <= {module.literal(NEAR)})\n        {prefix}_near(a, sine, cosine);")
        lines.append(f"    else if (fabs(a) <= {module.literal(FARTHEST)})\n        {prefix}_reduced(a, sine, cosine);")
        lines.append("    else\n        *sine = *cosine = (double)NAN;\n}")
    else:
        found = "copysign(value, a)" if function.signed else "value"
        if function.inside is not None:
            found = f"fabs(a) <= {module.literal(FARTHEST)} ? {found} : (double)NAN"
        lines.append(f"static double {prefix}_{name}(double a)\n{{\n    double value;")
        lines.append(f"    {prefix}_{equations}(a, &value);\n    return {found};\n}}")
    module.functions.append("\n".join(lines))


_REMARKS = {
    "sincos": "Sine and cosine of an angle up to 2^30 [rad]; errors stay below 1 ulp.",
    "tan": "The tangent of an angle up to 2^30 [rad].",
    "asin": "The arc sine of |a0|, from 0 to 1.",
    "acos": "The arc cosine.",
    "atan": "The arc tangent of |a0|.",
    "atan2": "The angle of the point (a1, a0) without its sign.",
}


def _values(graph: Graph, count: int) -> Graph:
    """The graph without its output "inside"."""
    tape = Tape()
    tape.nodes, tape.labels = list(graph.nodes), list(graph.labels)
    return finish(tape, graph.inputs, list(graph.outputs[:count]))
