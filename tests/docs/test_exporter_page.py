"""The page on exporters: what it writes for genhexkins moves the machine as gough does, or is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gough

PAGE = (Path(__file__).parents[2] / "docs" / "extending" / "exporter.md").read_text("utf-8")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The names that the blocks of the page define, after its own checks."""
    folder = tmp_path_factory.mktemp("page")
    path = folder / "screws.toml"
    path.write_text(re.search(r"```toml screws\.toml\n(.*?)```", PAGE, re.DOTALL)[1])
    names: dict[str, object] = {}
    for block in re.findall(r"```python show\n(.*?)```", PAGE, re.DOTALL):
        exec(block.replace('"screws.toml"', repr(str(path))), names)
    return names


def test_leads_of_either_hand_are_written_with_the_axes_that_they_need(page):
    """The page's check reads them back at a turned pose; left out, the lead is missed by its twist."""
    for lead in (0.005, -0.008):
        robot = page["screws"].replace({"legs.lead": lead})
        text = page["to_genhexkins"](robot)
        assert f"setp genhexkins.screw-lead {1e3 * lead:.9f}\n" in text
        assert (text.count("base-n."), text.count("platform-n.")) == (18, 18)
        page["check"](robot, text)
        with pytest.raises(AssertionError):
            page["check"](robot, re.sub(r"(screw-lead) \S+", rf"\1 {-1e3 * lead}", text))
    assert "base-n" not in page["to_genhexkins"](gough.load("stewart"))


def test_what_genhexkins_cannot_move_is_refused(page):
    several = page["screws"].replace({"leg.1.lead": 0.004})
    with pytest.raises(ValueError, match=r"screws: genhexkins has one lead for all struts, these have \[0\.004"):
        page["to_genhexkins"](several)
    for name in ("hexapod", "rotary", "delta"):
        with pytest.raises(ValueError, match=f"{name}: genhexkins moves six struts that change their length"):
            page["to_genhexkins"](gough.load(name))
