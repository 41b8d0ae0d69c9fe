"""The site builds without a warning, all its code runs, its links lead somewhere and nothing comes from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx")
DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
from api_pages import entry, markdown  # noqa: E402
from command_pages import command_page  # noqa: E402
from run_blocks import blocks_of, run_page, shown_lines  # noqa: E402

FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
"""What a browser loads by itself."""


class Page(HTMLParser):
    """Links, names of places and what is loaded, of one page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.names, self.loaded = [], {""}, []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.names.update(filter(None, (given.get("id"), given.get("name"))))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in FETCHED and given.get(FETCHED[tag]) and given.get("rel") not in ("search", "index", "next", "prev"):
            self.loaded.append(given[FETCHED[tag]])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "html"
    words = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", str(DOCS), str(out)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-6000:]
    return out


@pytest.mark.slow
def test_links_lead_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    pages = {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}
    assert len(pages) > 60
    for name, page in pages.items():
        for address in page.loaded:
            assert not urlsplit(address).netloc, f"{name} loads {address}"
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            assert target.exists(), f"{name}: {link}"
            place = target.resolve().relative_to(site.resolve()).as_posix()
            if place in pages:
                assert unquote(parts.fragment) in pages[place].names, f"{name}: {link}"


@pytest.mark.slow
def test_styles_load_nothing_from_elsewhere(site):
    for path in [*site.rglob("*.css")]:
        assert not re.findall(r"url\([\"']?https?:", path.read_text("utf-8")), path


@pytest.mark.slow
def test_every_command_and_every_public_name_has_its_place(site):
    import gough
    from gough.cli import COMMANDS, GROUPS

    for command in COMMANDS:
        for page in [f"{command}-{target}" for target in GROUPS.get(command, {})] or [command]:
            text = (site / "generated" / "commands" / f"{page}.html").read_text("utf-8")
            assert "&amp;#" not in text, "an escape is shown as it is written"
            assert "\u2013" not in text, "options begin with two hyphens"
    text = "".join(path.read_text("utf-8") for path in (site / "generated" / "api").glob("*.html"))
    for name in gough.__all__:
        assert f'id="gough.{name}"' in text, name


def test_a_block_that_fails_is_told(tmp_path):
    good, bad = "```sh show\necho hello\n```\n", "```python\nraise ValueError('no')\n```\n"
    assert run_page(blocks_of(good), tmp_path) == ["hello\n"]
    with pytest.raises(RuntimeError, match=r"ends with 1: raise ValueError"):
        run_page(blocks_of(good + bad), tmp_path)
    with pytest.raises(RuntimeError, match=r"ends with 0: true"):
        run_page(blocks_of("```sh exit=1\ntrue\n```\n"), tmp_path)


def test_names_and_files_last_for_the_page(tmp_path):
    text = (
        "```toml mine.toml\na = 1\n```\n```python\nx = open('mine.toml').read()\n```\n```python show\nprint(x)\n```\n"
    )
    assert run_page(blocks_of(text), tmp_path) == ["", "", "a = 1\n\n"]


def test_long_sentences_are_wrapped_and_tables_are_not():
    sentence, row = ("gough: error: " + "word " * 30).strip(), ("x  " + "1.0  " * 30).strip()
    first, second, *others = shown_lines(f"{sentence}\n{row}\nshort").splitlines()
    assert len(first) <= 92
    assert f"{first} {second.strip()}" == sentence
    assert second.startswith("    word")
    assert others == [row, "short"]


def test_each_attribute_has_its_line_and_what_follows_is_a_paragraph():
    lines = markdown(
        "Values.\n\n    Attributes:\n        a: One,\n            and more.\n        b: Two.\n\n    After.\n    "
    )
    assert [line for line in lines if line] == [
        "Values.",
        "*Attributes*",
        "- `a`: One, and more.",
        "- `b`: Two.",
        "After.",
    ]
    assert "- `NEAR_SINGULAR` = 1" in entry("Status")


def test_commands_lead_to_pages():
    from gough.cli import COMMANDS, GROUPS

    text = "\n".join(command_page("fk", *COMMANDS["fk"]))
    assert "[Assembly modes: all poses at given actuator displacements](../../assembly_modes.md)" in text
    for name, (module, line) in COMMANDS.items():
        if name not in GROUPS:
            assert "in the documentation" not in "\n".join(command_page(name, module, line))
    assert "(../../bases_screws_stacks.md)" in "\n".join(command_page("stack", *COMMANDS["stack"]))
