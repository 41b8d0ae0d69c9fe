"""Pieces of HTML: tables, figures, sections, numbers. What comes from outside is escaped here and nowhere else."""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from gough.graph import Array


@dataclass(frozen=True, slots=True)
class Markup:
    """Text that is HTML already."""

    text: str


Content = str | Markup
_WIDE = 9
"""Columns above which a table is set smaller."""


def markup(content: Content) -> str:
    """HTML of a content; plain text is escaped."""
    return content.text if isinstance(content, Markup) else escape(content)


def section(title: str, *blocks: Content, anchor: str = "") -> Markup:
    """A section under its heading."""
    name = anchor or title.lower().replace(" ", "-")
    body = "\n".join(markup(block) for block in blocks)
    return Markup(f'<section id="{escape(name)}">\n<h2>{escape(title)}</h2>\n{body}\n</section>')


def contents(sections: Sequence[Markup]) -> Markup:
    """Links to the sections."""
    found = [re.match(r'<section id="(.*?)">\n<h2>(.*?)</h2>', part.text) for part in sections]
    entries = [f'<li><a href="#{m[1]}">{m[2]}</a></li>' for m in found if m]
    return Markup(f'<nav class="contents"><ol>{"".join(entries)}</ol></nav>')


def subtitle(text: str) -> Markup:
    """A heading within a section."""
    return Markup(f"<h3>{escape(text)}</h3>")


def paragraph(content: Content, kind: str = "") -> Markup:
    """A paragraph, of a class where one is named."""
    named = f' class="{kind}"' if kind else ""
    return Markup(f"<p{named}>{markup(content)}</p>")


def table(header: Sequence[Content], rows: Sequence[Sequence[Content]], caption: str = "") -> Markup:
    """A table; columns whose cells are all numbers go to the right, empty ones are left out."""
    kept = [k for k in range(len(header)) if any(markup(row[k]) for row in rows)]
    right = {k for k in kept[1:] if all(_is_number(markup(row[k])) for row in rows)}

    def cells(tag: str, row: Sequence[Content]) -> str:
        found = [f"<{tag}{' class=n' if k in right else ''}>{markup(row[k])}</{tag}>" for k in kept]
        return "<tr>" + "".join(found) + "</tr>"

    body = "\n".join(cells("td", row) for row in rows)
    titled = f"<caption>{escape(caption)}</caption>" if caption else ""
    inner = f"{titled}<thead>{cells('th', header)}</thead>\n<tbody>{body}</tbody>"
    wide = " wide" if len(kept) > _WIDE else ""
    return Markup(f'<div class="table{wide}"><table>{inner}</table></div>')


def facts(pairs: Mapping[str, Content]) -> Markup:
    """Names and values in two columns."""
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{markup(value)}</dd>" for name, value in pairs.items())
    return Markup(f"<dl>{rows}</dl>")


def svg_figure(svg: str, caption: str) -> Markup:
    """A drawing in vectors with its caption."""
    return Markup(f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>")


def png_figure(content: bytes, caption: str) -> Markup:
    """A picture in the page itself with its caption."""
    source = f"data:image/png;base64,{b64encode(content).decode()}"
    image = f'<img alt="{escape(caption)}" src="{source}">'
    return Markup(f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>")


def cards(entries: Sequence[tuple[str, str, str]]) -> Markup:
    """Title, number and remark of the few things a reader looks for first."""
    found = [
        f'<div class="card"><span>{escape(title)}</span><b>{escape(value)}</b><i>{escape(remark)}</i></div>'
        for title, value, remark in entries
    ]
    return Markup(f'<div class="cards">{"".join(found)}</div>')


def code(text: str, kind: str = "") -> Markup:
    """Text in a fixed font, line by line."""
    named = f' class="{kind}"' if kind else ""
    return Markup(f"<pre{named}>{escape(text)}</pre>")


def folded(title: str, content: Content) -> Markup:
    """Something long that the reader opens."""
    return Markup(f"<details><summary>{escape(title)}</summary>{markup(content)}</details>")


def _is_number(cell: str) -> bool:
    if cell in ("", "-"):
        return True
    try:
        float(cell.replace("\u2212", "-"))
    except ValueError:
        return False
    return True


def short(value: float, digits: int = 4) -> str:
    """A number with about `digits` digits, "-" for what is not finite."""
    if not math.isfinite(value):
        return "-"
    if abs(value) < 1e-12:
        return "0"
    size = math.floor(math.log10(abs(value)))
    if -4 <= size <= 6:
        text = f"{value:.{max(0, digits - 1 - size)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{value:.{digits}g}"


def row(values: Array | Sequence[float], digits: int = 4) -> list[str]:
    """Numbers with the same number of decimals, as many as the largest needs for `digits` digits."""
    flat = np.asarray(values, dtype=float)
    good = np.abs(flat[np.isfinite(flat)])
    size = math.floor(math.log10(good.max())) if good.size and good.max() > 0.0 else 0
    if not -4 <= size <= 6:
        return [short(v, digits) for v in flat.tolist()]
    decimals = max(0, digits - 1 - size)
    rounded = (np.round(flat, decimals) + 0.0).tolist()
    return [f"{v:.{decimals}f}" if math.isfinite(v) else "-" for v in rounded]


def vector(values: Sequence[float], digits: int = 4) -> str:
    """Numbers with commas between them."""
    return ", ".join(short(float(v), digits) for v in values)
