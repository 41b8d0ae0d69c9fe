"""What the source tree is made of: modules, lines, importers, repeated names, `Any` arguments, modules commands run.

    python tools/count_code.py            # the table
    python tools/count_code.py --json     # the same, to compare two states
    python tools/count_code.py --names    # the modules behind the counts

Imports under `TYPE_CHECKING` and inside functions count as imports. A command's modules are those in which a function
was called, except by what an import runs: class bodies, constants that are computed.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import subprocess
import sys
import tokenize
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
COMMANDS = {
    "inverse": ["inverse", "stewart"],
    "simulate": ["simulate", "stewart", "--for", "0.05"],
    "check": ["check", "stewart"],
}
_TRACE = """
import contextlib, io, os, sys
package = os.path.join(sys.argv[1], "gough") + os.sep
names, importing = set(), 0
def profile(frame, event, argument):
    global importing
    code = frame.f_code
    if not code.co_filename.startswith(package):
        return
    if code.co_name == "<module>":
        importing += (event == "call") - (event == "return")
    elif event == "call" and not importing:
        names.add(code.co_filename[len(package):])
from gough import cli
sys.setprofile(profile)
with contextlib.redirect_stdout(io.StringIO()):
    code = cli.main(sys.argv[2:])
sys.setprofile(None)
assert code == 0, code
print("\\n".join(sorted(names)))
"""


@dataclass
class Module:
    """One file: its dotted name, what it imports, and its counts."""

    name: str
    path: Path
    imports: set[str] = field(default_factory=set)
    code: int = 0
    docstrings: int = 0
    arguments: int = 0
    any_arguments: int = 0


def modules() -> dict[str, Module]:
    """All modules of the package, by dotted name."""
    found = {}
    for path in sorted((SOURCE / "gough").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = Module(name, path)
    for module in found.values():
        _read(module, found)
    return found


def _read(module: Module, known: dict[str, Module]) -> None:
    text = module.path.read_text()
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                module.imports.add(inner if inner in known else node.module)
        elif isinstance(node, ast.Import):
            module.imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            annotated = [a.annotation for a in given if a.annotation is not None]
            module.arguments += len(annotated)
            module.any_arguments += sum(isinstance(a, ast.Name) and a.id == "Any" for a in annotated)
    module.imports &= set(known)
    documented = _docstring_lines(tree)
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _BLANK
        for line in range(token.start[0], token.end[0] + 1)
    }
    module.docstrings = len(documented)
    module.code = len(lines - documented)


_BLANK = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def _docstring_lines(tree: ast.Module) -> set[int]:
    """Lines of string statements: docstrings of modules, classes and functions, and of the values above them."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def run_by(command: list[str]) -> list[str]:
    """Files in which the command calls a function."""
    traced = subprocess.run(
        [sys.executable, "-c", _TRACE, str(SOURCE), *command], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return traced.stdout.split()


def figures(found: dict[str, Module], names: bool) -> dict[str, object]:
    """All counts; with `names` the names behind those that have them."""
    importers = Counter(target for module in found.values() for target in module.imports if target != module.name)
    plain = {name: m for name, m in found.items() if m.path.name != "__init__.py"}
    single = sorted(name for name in plain if importers[name] == 1)
    stems = Counter(m.path.stem for m in plain.values())
    repeated = sorted(stem for stem, count in stems.items() if count > 1)
    executed = {name: run_by(command) for name, command in COMMANDS.items()}
    counts: dict[str, object] = {
        "modules": len(found),
        "code lines": sum(m.code for m in found.values()),
        "docstring lines": sum(m.docstrings for m in found.values()),
        "modules with a single importer": len(single),
        "file names in several packages": len(repeated),
        "annotated arguments": sum(m.arguments for m in found.values()),
        "arguments of type Any": sum(m.any_arguments for m in found.values()),
    } | {f"modules run by gough {name}": len(files) for name, files in executed.items()}
    if names:
        counts["single importers"] = single
        counts["repeated names"] = repeated
        counts |= {f"run by gough {name}": files for name, files in executed.items()}
    return counts


def main() -> None:
    """Prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--names", action="store_true", help="print the names behind the counts too")
    options = parser.parse_args()
    counts = figures(modules(), options.names)
    if options.json:
        print(json.dumps(counts, indent=1))
        return
    for name, value in counts.items():
        if isinstance(value, list):
            print(f"\n{name}:", *value, sep="\n  ")
        else:
            print(f"{name:36}{value:>8}")


if __name__ == "__main__":
    main()
