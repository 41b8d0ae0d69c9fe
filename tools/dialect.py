"""Count words of the old dialect in names, docstrings, messages and pages: a place to look, not a verdict.

    python tools/dialect.py                # the tree, per word, and the files with most of them
    python tools/dialect.py --files 30     # more files
    python tools/dialect.py --change REV   # only lines added since a revision

`tools/size.toml` bounds the counts per package; `tests/test_ratchets.py` compares.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACES = ("src", "tests", "docs", "README.md")
SUFFIXES = (".py", ".pyi", ".md")
WORDS = frozenset(
    """told tell tells telling giving held apart asked wanted meant sound judge judged settled felt met loose stretched
    silent sparing keyed yardstick ways doubt doubts doubted stands kinder untold betray betrays rubbing goes lately
    nobody dearer spares eased leant leans leaning mends mended beside""".split()
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_PART = re.compile(r"_|(?<=[a-z])(?=[A-Z])")


def words_in(text: str) -> Counter[str]:
    """Words of the dialect in a text and how often each occurs, parts of names included: `as_asked`, `LegHeld`."""
    parts = (part.lower() for name in _NAME.findall(text) for part in _PART.split(name))
    return Counter(part for part in parts if part in WORDS)


def files() -> list[Path]:
    """Files whose words are counted: modules, stubs and pages, without those that a build of the site generates."""
    found = []
    for place in PLACES:
        path = ROOT / place
        found += [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES)
    generated = [ROOT / "docs" / name for name in ("_build", "generated", "jupyter_execute")]
    return [path for path in found if not any(path.is_relative_to(folder) for folder in generated)]


def texts_of_files() -> Iterator[tuple[str, str]]:
    """Texts of the tree, each with the path of its file."""
    for path in files():
        yield path.relative_to(ROOT).as_posix(), path.read_text("utf-8")


def lines_added(revision: str) -> Iterator[tuple[str, str]]:
    """Lines added since a revision, each with the path of its file."""
    command = ["git", "-C", str(ROOT), "diff", "-U0", revision, "--", *PLACES]
    path = ""
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if line.startswith("+++ "):
            path = line.removeprefix("+++ ").removeprefix("b/")
        elif line.startswith("+") and path.endswith(SUFFIXES):
            yield path, line[1:]


def count(texts: Iterable[tuple[str, str]]) -> tuple[Counter[str], Counter[str]]:
    """Words by how often they occur, and files by how many words of the dialect they have."""
    by_word: Counter[str] = Counter()
    by_file: Counter[str] = Counter()
    for path, text in texts:
        found = words_in(text)
        by_word += found
        by_file[path] += found.total()
    return by_word, by_file


def main() -> None:
    """Prints the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=12, help="how many files to list")
    parser.add_argument("--change", metavar="REV", help="count lines added since this revision only")
    options = parser.parse_args()
    by_word, by_file = count(lines_added(options.change) if options.change else texts_of_files())
    in_source = sum(number for path, number in by_file.items() if path.startswith("src/"))
    print(f"dialect words: {by_word.total()} ({in_source} in src)")
    print("  " + ", ".join(f"{word} {number}" for word, number in by_word.most_common(24)))
    for path, number in by_file.most_common(options.files):
        if number:
            print(f"  {number:5d} {path}")


if __name__ == "__main__":
    main()
