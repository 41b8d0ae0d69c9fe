"""Long functions are put in pieces, which have the bits of the whole and hand on what later ones read."""

from __future__ import annotations

import re

import pytest

import gough
from gough.codegen import c_body, c_pieces
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.c_statements import Statement, Variable
from gough.codegen.sample_inputs import sample_inputs
from tests.codegen.compiled import STRICT, Library, differing, run, tool


def functions(text: str) -> dict[str, list[str]]:
    """Lines of each function by its name."""
    found = re.findall(r"^(?:static )?(?:inline )?\w+ (\w+)\(([^{]*\{.*?)^\}", text, re.DOTALL | re.MULTILINE)
    return {name: body.splitlines() for name, body in found}


@pytest.mark.parametrize("name", ["fivebar", "delta"])
def test_small_pieces_have_the_bits(name, tmp_path, monkeypatch):
    """Iterations, loops over legs, truth values, sines and rows that change places, with cuts everywhere."""
    tool("tcc")
    monkeypatch.setattr(c_pieces, "PIECE", 12)
    monkeypatch.setattr(c_body, "WHOLE", 0)
    monkeypatch.setattr(c_body, "STEP", 0)
    robot = gough.load(name)
    library = Library(robot, tmp_path, ["tcc"])
    text = (tmp_path / "r.c").read_text()
    assert len(functions(text)) > 60
    assert re.search(r"\bs\[\d+ \+ lane\]", text)
    assert re.search(r"s\[\d+\] = v\d+ \? 1.0 : 0.0;", text)
    assert re.search(r"s\[\d+ \+ k\] = loop\d+\[k\];", text)
    inputs = sample_inputs(robot, 100)
    for function in library.graphs:
        assert differing(library(function, inputs), library.by_gough(function, inputs)) == 0, function


def test_what_is_handed_on():
    """A number, a truth value, an array and the status; places are used again, what nothing reads later gets none."""
    statements = [
        Statement(("    const double v1 = x[0];",), (Variable("double", "v1"),)),
        Statement(("    const int v2 = v1 < 1.0;",), (Variable("int", "v2"),)),
        Statement(("    double a1[4];", "    f(a1);"), (Variable("double", "a1", 4, "LANES(3, 4)"),)),
        Statement(("    const double v3 = a1[2];",), (Variable("double", "v3"),)),
        Statement(("    y[0] = v2 ? v3 : a1[lane];",)),
    ]
    module = Module("r", calls={"r_g": {"f"}})
    interface = Interface((Parameter("x", "const double x[1]"), Parameter("y", "double y[1]")), (), ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(c_pieces, "PIECE", 1)
        lines, status = c_pieces.in_pieces(module, "r_g", interface, statements, "(int)(v3)")
    assert lines[0] == "    double s[6];"
    assert lines[1:] == [f"    r_g_{k}({call});" for k, call in enumerate(["x, s", "s", "s", "s", "y, s"], start=1)]
    bodies = [text.splitlines() for text in module.functions]
    assert bodies[1] == [
        "static void r_g_2(double s[6])",
        "{",
        "    const int v2 = s[0] < 1.0;",
        "    s[0] = v2 ? 1.0 : 0.0;",
        "}",
    ]
    assert bodies[2][2:-1] == [
        "    double a1[4];",
        "    f(a1);",
        "    for (int k = 0; k < LANES(3, 4); ++k) {",
        "        s[1 + k] = a1[k];",
        "    }",
    ]
    assert bodies[3][2:-1] == ["    const double v3 = s[3];", "    s[5] = v3;"]
    assert bodies[4][0] == "static void r_g_5(double y[1], const double s[6])"
    assert bodies[4][2] == "    y[0] = (s[0] != 0.0) ? s[5] : s[1 + lane];"
    assert status == "(int)(s[5])"
    assert module.pieces == {"r_g": [f"r_g_{k}" for k in range(1, 6)]}


def test_functions_are_as_short_as_is_said(tmp_path):
    """Pieces but for what they hand on, and functions that stay whole."""
    gough.export_c(gough.load("stewart"), tmp_path, "inverse,computed-torque")
    found = functions((tmp_path / "stewart.c").read_text())
    assert len([name for name in found if name.startswith("stewart_computed_torque_")]) > 4
    assert not any(name.startswith("stewart_inverse_") for name in found)
    for name, lines in found.items():
        own = [line for line in lines if not re.match(r" +s\[", line)]
        piece = re.search(r"_\d+$", name) and "_step_" not in name
        assert len(own) <= (c_pieces.PIECE + 10 if piece else c_pieces.STEP + 30), name


def test_stack_of_pieces(tmp_path):
    """All that gcc takes; optimising it puts some pieces into the function that calls them, and makes vectors."""
    tool("gcc")
    gough.export_c(gough.load("stewart"), tmp_path, "reactions")
    words = " ".join((tmp_path / "stewart.h").read_text().replace(" * ", " ").split())
    stated = re.search(r"Stack: at most (\d+) bytes, (\d+) where", words)
    assert stated
    for level, most in zip(("-O0", "-O2"), stated.groups(), strict=True):
        run("gcc", level, *STRICT, "-fstack-usage", "-c", tmp_path / "stewart.c", "-o", tmp_path / "s.o")
        rows = [line.split("\t") for line in next(tmp_path.glob("*.su")).read_text().splitlines()]
        used = {place.split(":")[-1]: int(size) for place, size, _ in rows}
        pieces = [size for name, size in used.items() if name.startswith("stewart_reactions_")]
        assert len(pieces) > 4 if level == "-O0" else pieces
        inner = sum(used.get(f"stewart_{name}", 0) for name in ("sincos", "reduced", "near"))
        assert used["stewart_reactions"] + max(pieces, default=0) + inner <= int(most)
