"""Pages made from gough itself: written to `generated/` before the site is read, only where they have changed."""

from __future__ import annotations

from pathlib import Path

from sphinx.application import Sphinx


def write_page(app: Sphinx, name: str, lines: list[str]) -> None:
    """Write `generated/NAME.md`; a page that is the same stays untouched, so that it is not built again."""
    path = Path(app.srcdir) / "generated" / f"{name}.md"
    text = "\n".join(lines) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")


def cell(text: str) -> str:
    """A text as one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")
