"""Runs the code blocks of every page while the site is built, and puts what they print under them.

The blocks of a page run in order, in a folder of their own:

- `sh`: commands of a shell that stops at the first failure; `python`: Python with one set of names a page.
- `toml FILE`, `text FILE`, `c FILE`, `python FILE`: the block is written to FILE, for the blocks after it; so is one of
  TOML whose first line is `# FILE`.
- `sh show`, `python show`: what it prints is shown under it. `sh exit=1` (also with show): ends with this code.
- Any other language (`text`, `toml` without a file) is only shown.

A page that begins with `<!-- code is run by PATH -->` names a test that runs its code, with files of the test's own; it
is not run here. A picture `![..](made/NAME)` is one that a block of the page wrote as NAME. A block that fails is a
warning, which `make docs` takes as an error. What a page printed is kept in `_build/blocks` until the page or gough
changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util import logging

import gough

LOG = logging.getLogger(__name__)
FENCE = re.compile(r"^(?P<mark>`{3,})(?P<info>[a-z]+(?: [^\n`]*)?)\n(?P<text>.*?)^(?P=mark)$", re.DOTALL | re.MULTILINE)
PICTURE = re.compile(r"\]\(made/([\w.-]+)\)")
LIMIT_S = 300
WIDTH = 92
"""Characters that a page's column holds."""

DRIVER = """
import contextlib, io, json, sys, traceback
names, answers = {"__name__": "__main__"}, sys.stdout
for line in sys.stdin:
    said, code = io.StringIO(), 0
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            exec(compile(json.loads(line), "block", "exec"), names)
        except BaseException:
            code = 1
            traceback.print_exc()
    print(json.dumps([code, said.getvalue()]), file=answers, flush=True)
"""


@dataclass(frozen=True)
class Block:
    """A code block of a page: its language, the words behind it, its text."""

    language: str
    words: tuple[str, ...]
    text: str

    @property
    def file(self) -> str | None:
        """The file that the block is written to, if any."""
        names = [word for word in self.words if "." in word and "=" not in word]
        named = re.match(r"# ([\w-]+\.toml)\n", self.text) if self.language == "toml" else None
        return names[0] if names else named[1] if named else None

    @property
    def shown(self) -> bool:
        """Whether the page shows what it prints."""
        return "show" in self.words

    @property
    def runs(self) -> bool:
        """Whether it is run."""
        return self.language in ("sh", "python") and self.file is None

    @property
    def exit_code(self) -> int:
        """The exit code that it ends with."""
        return next((int(word[5:]) for word in self.words if word.startswith("exit=")), 0)


def blocks_of(text: str) -> list[Block]:
    """The code blocks of a page, in their order."""
    found = []
    for match in FENCE.finditer(text):
        language, *words = match["info"].split()
        found.append(Block(language, tuple(words), match["text"]))
    return found


def run_page(blocks: list[Block], folder: Path) -> list[str]:
    """What each block printed; raises RuntimeError with the block's first line where one fails.

    Args:
        blocks: The blocks of one page.
        folder: Where they run.
    """
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment.update(COLUMNS="100", NO_COLOR="1", MPLBACKEND="Agg", PYTHONWARNINGS="ignore")
    python: subprocess.Popen[str] | None = None
    printed = []
    try:
        for block in blocks:
            code, said = 0, ""
            if block.file is not None:
                (folder / block.file).write_text(block.text, "utf-8")
            elif block.language == "sh":
                done = subprocess.run(
                    ["bash", "-e", "-o", "pipefail", "-c", block.text],
                    cwd=folder, env=environment, text=True, timeout=LIMIT_S, check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                )  # fmt: skip
                code, said = done.returncode, done.stdout
            elif block.language == "python":
                if python is None:
                    python = subprocess.Popen(
                        [sys.executable, "-c", DRIVER],
                        cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    )  # fmt: skip
                assert python.stdin is not None
                assert python.stdout is not None
                python.stdin.write(json.dumps(block.text) + "\n")
                python.stdin.flush()
                code, said = json.loads(python.stdout.readline() or '[1, "Python ended"]')
            if code != block.exit_code:
                raise RuntimeError(f"ends with {code}: {block.text.splitlines()[0]}: {said[-1500:]}")
            printed.append(said)
    finally:
        if python is not None:
            python.kill()
            python.communicate()
    return printed


def shown_lines(said: str) -> str:
    """What was printed, with sentences wider than a page's column wrapped; lines of tables stay as they are."""
    lines = []
    for line in said.splitlines():
        sentence = len(line) > WIDTH and "  " not in line.strip()
        indent = line[: len(line) - len(line.lstrip())] + "    "
        wrapped = textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        lines += wrapped if sentence else [line]
    return "\n".join(lines)


def source_digest() -> str:
    """A digest of gough's own files: pages run again when it changes."""
    root = Path(gough.__file__).parent
    state = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in (".py", ".toml", ".json", ".csv"):
            state.update(path.read_bytes())
    return state.hexdigest()


def run_blocks(app: Sphinx, docname: str, source: list[str]) -> None:
    """Run the blocks of one page, and put what they print and draw into its text."""
    if docname not in app.env.found_docs or app.env.doc2path(docname).suffix == ".ipynb":
        return
    text = source[0]
    if elsewhere := re.match(r"<!-- code is run by (\S+) -->\n", text):
        if not (Path(app.srcdir).parent / elsewhere[1]).exists():
            LOG.warning("%s: there is no %s", docname, elsewhere[1])
        return
    blocks = blocks_of(text)
    if not any(block.runs for block in blocks):
        return
    key = hashlib.sha256((app.config.gough_digest + text).encode()).hexdigest()[:24]
    kept = Path(app.outdir).parent / "blocks" / key
    pictures = PICTURE.findall(text)
    if not (kept / "printed.json").exists():
        with tempfile.TemporaryDirectory() as folder:
            try:
                printed = run_page(blocks, Path(folder))
                kept.mkdir(parents=True, exist_ok=True)
                for name in pictures:
                    shutil.copy(Path(folder) / name, kept / name)
            except (RuntimeError, OSError, subprocess.TimeoutExpired) as failure:
                LOG.warning("block of %s: %s", docname, failure)
                return
        (kept / "printed.json").write_text(json.dumps(printed), "utf-8")
    printed = json.loads((kept / "printed.json").read_text("utf-8"))
    made = Path(app.srcdir) / "generated" / "made" / docname.replace("/", "-")
    for name in pictures:
        made.mkdir(parents=True, exist_ok=True)
        shutil.copy(kept / name, made / name)
    outputs = iter(printed)

    def with_output(match: re.Match[str]) -> str:
        block = Block(match["info"].split()[0], tuple(match["info"].split()[1:]), match["text"])
        said = shown_lines(next(outputs).rstrip())
        head = block.language
        if block.file is not None:
            head = f"{{code-block}} {block.language}\n:caption: {block.file}\n"
        shown = f"{match['mark']}{head}\n{match['text']}{match['mark']}"
        if block.shown and said:
            shown += f"\n\n:::{{container}} printed\n{match['mark']}text\n{said}\n{match['mark']}\n:::"
        return shown

    text = FENCE.sub(with_output, text)
    source[0] = PICTURE.sub(lambda match: f"](/generated/made/{docname.replace('/', '-')}/{match[1]})", text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Join the build."""
    app.add_config_value("gough_digest", source_digest(), "env")
    app.connect("source-read", run_blocks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
