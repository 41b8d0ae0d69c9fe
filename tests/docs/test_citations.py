"""Pages of the site lead to what their readers have: no test is cited but by the papers' rows and the decisions."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
FOR_DEVELOPERS = {"papers", "decisions", "_build", "generated"}


def test_no_page_cites_a_test():
    cited, read = [], 0
    for path in sorted(DOCS.rglob("*.md")):
        place = path.relative_to(DOCS)
        if place.parts[0] in FOR_DEVELOPERS or place.name == "release_checklist.md":
            continue
        read += 1
        shown = re.sub(r"<!--.*?-->", "", path.read_text("utf-8"), flags=re.DOTALL)
        cited += [f"{place}: {found}" for found in re.findall(r"tests/[\w/]+\.py|\btest_\w+", shown)]
    assert read > 40
    assert cited == []
