"""What the source tree is made of: modules, lines, importers, public names, `Any`, words of the old dialect.

    python tools/count_code.py            # the table
    python tools/count_code.py --json     # the same, to compare two states
    python tools/count_code.py --names    # the modules behind the counts
    python tools/count_code.py --lower    # lower the bounds of tools/size.toml to today's figures, where these are less
    python tools/count_code.py --move     # today's figures as bounds, if none of their sums rises: code moved packages
    python tools/count_code.py --write    # today's figures as bounds, higher ones too: when the file is first made

Imports under `TYPE_CHECKING` and inside functions count as imports. A command's modules are those in which a function
was called, except by what an import runs: class bodies, constants that are computed. `tests/test_ratchets.py` compares
the bounds with the tree.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import dialect

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
BOUNDS = ROOT / "tools" / "size.toml"
KINDS = {
    "lines": "Code lines per package, without comments and docstrings; `gough` is the modules outside packages.",
    "modules": "Modules per package.",
    "words": "Words of the old dialect (tools/dialect.py) per package, in tests and in pages.",
}
"""Tables of `tools/size.toml`."""
SHORT = 60
"""A module of fewer code lines that only one other imports may be part of that one."""
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
    annotations: int = 0
    any_annotations: int = 0

    @property
    def package(self) -> str:
        """The package directly in gough; `gough` for a module outside packages."""
        parts = self.path.relative_to(SOURCE).parts
        return parts[1] if len(parts) > 2 else parts[0]


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
    annotations = list(_annotations(tree))
    module.annotations = len(annotations)
    module.any_annotations = sum(map(_has_any, annotations))
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


def _annotations(tree: ast.Module) -> Iterator[ast.expr]:
    """Annotations of arguments, of what functions return, and of attributes and other names."""
    for node in ast.walk(tree):
        found = None
        if isinstance(node, ast.arg | ast.AnnAssign):
            found = node.annotation
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found = node.returns
        if found is not None:
            yield found


def _has_any(annotation: ast.expr) -> bool:
    """Whether `Any` occurs in an annotation, as a whole or inside: `dict[str, Any]`."""
    return any(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(annotation))


def _docstring_lines(tree: ast.Module) -> set[int]:
    """Lines of string statements: docstrings of modules, classes and functions, and of the values above them."""
    return {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def run_by(command: list[str]) -> list[str]:
    """Files in which the command calls a function, with no programs stored by an earlier run."""
    with tempfile.TemporaryDirectory() as cache:
        traced = subprocess.run(
            [sys.executable, "-c", _TRACE, str(SOURCE), *command],
            env=os.environ | {"GOUGH_CACHE": cache},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    return traced.stdout.split()


def public_names() -> int:
    """How many public names `gough/__init__.pyi` states."""
    stub = (SOURCE / "gough" / "__init__.pyi").read_text()
    return sum(len(node.names) for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom) and node.module)


def figures(found: dict[str, Module], names: bool) -> dict[str, object]:
    """All counts; with `names` the names behind those that have them."""
    importers = Counter(target for module in found.values() for target in module.imports if target != module.name)
    plain = {name: m for name, m in found.items() if m.path.name != "__init__.py"}
    single = sorted(name for name in plain if importers[name] == 1)
    short = [name for name in single if found[name].code < SHORT]
    stems = Counter(m.path.stem for m in plain.values())
    repeated = sorted(stem for stem, count in stems.items() if count > 1)
    executed = {name: run_by(command) for name, command in COMMANDS.items()}
    annotations = sum(m.annotations for m in found.values())
    any_annotations = sum(m.any_annotations for m in found.values())
    words = bounded(found)["words"]
    counts: dict[str, object] = {
        "modules": len(found),
        "code lines": sum(m.code for m in found.values()),
        "docstring lines": sum(m.docstrings for m in found.values()),
        "modules with a single importer": len(single),
        f"of them below {SHORT} code lines": len(short),
        "imports between modules": importers.total(),
        "file names in several packages": len(repeated),
        "public names": public_names(),
        "annotations": annotations,
        "annotations with Any": any_annotations,
        "annotations with Any, per cent": round(100 * any_annotations / annotations, 1),
        "dialect words in src": sum(number for place, number in words.items() if place not in dialect.PLACES),
        "dialect words in tests, docs, README": sum(words.get(place, 0) for place in dialect.PLACES),
    } | {f"modules run by gough {name}": len(files) for name, files in executed.items()}
    if names:
        counts["single importers"] = single
        counts[f"single importers below {SHORT} code lines"] = short
        counts["repeated names"] = repeated
        counts |= {f"run by gough {name}": files for name, files in executed.items()}
    return counts


def bounded(found: dict[str, Module]) -> dict[str, dict[str, int]]:
    """Today's figures that have bounds in `tools/size.toml`: by kind, then by package."""
    lines: Counter[str] = Counter()
    for module in found.values():
        lines[module.package] += module.code
    words: Counter[str] = Counter()
    for path, number in dialect.count(dialect.texts_of_files())[1].items():
        place = path.split("/")
        words[place[0] if place[0] != "src" else place[2] if len(place) > 3 else "gough"] += number
    counts = {"lines": lines, "modules": Counter(m.package for m in found.values()), "words": words}
    return {kind: dict(sorted(count.items())) for kind, count in counts.items()}


def bounds() -> dict[str, dict[str, int]]:
    """The bounds of `tools/size.toml`: by kind, then by package."""
    return tomllib.loads(BOUNDS.read_text())


def lowered(old: dict[str, dict[str, int]], now: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """The lesser of bound and figure of each package; without packages that are gone, and without new ones."""
    return {
        kind: {package: min(bound, now[kind][package]) for package, bound in table.items() if package in now[kind]}
        for kind, table in old.items()
    }


def moved(old: dict[str, dict[str, int]], now: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    """Today's figures; ends the program if the sum of a kind has risen."""
    for kind, table in old.items():
        before, after = sum(table.values()), sum(now[kind].values())
        if after > before:
            sys.exit(f"{kind}: {after} in all, the bounds of tools/size.toml allow {before}")
    return now


def bounds_text(tables: dict[str, dict[str, int]]) -> str:
    """The text of `tools/size.toml`."""
    parts = [
        "# Upper bounds on the size of the tree, which only fall: tests/test_ratchets.py fails above a bound, and\n"
        "# more than 2 % below it until `python tools/count_code.py --lower` has lowered it.\n"
    ]
    for kind, meaning in KINDS.items():
        rows = "".join(f"{json.dumps(k) if '.' in k else k} = {v}\n" for k, v in sorted(tables[kind].items()))
        parts.append(f"\n# {meaning}\n[{kind}]\n{rows}")
    return "".join(parts)


def main() -> None:
    """Prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--names", action="store_true", help="print the names behind the counts too")
    parser.add_argument("--lower", action="store_true", help="lower the bounds of tools/size.toml")
    parser.add_argument("--move", action="store_true", help="today's figures as bounds, if no sum rises")
    parser.add_argument("--write", action="store_true", help="today's figures as bounds, whatever they were")
    options = parser.parse_args()
    found = modules()
    if options.lower or options.move or options.write:
        now = bounded(found)
        tables = now if options.write else (moved if options.move else lowered)(bounds(), now)
        BOUNDS.write_text(bounds_text(tables))
        return
    counts = figures(found, options.names)
    if options.json:
        print(json.dumps(counts, indent=1))
        return
    for name, value in counts.items():
        if isinstance(value, list):
            print(f"\n{name}:", *value, sep="\n  ")
        else:
            print(f"{name:40}{value:>8}")


if __name__ == "__main__":
    main()
