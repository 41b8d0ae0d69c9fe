"""The README's table of structures: every type of leg is in it, every picture is there, and each is small."""

import re
from pathlib import Path

from gough import SHORT_FORMS

ROOT = Path(__file__).parents[2]
ROWS = re.findall(
    r"^\| !\[\]\((docs/images/structures/\w+\.png)\) \|(.+)$", (ROOT / "README.md").read_text(), re.MULTILINE
)


def test_every_type_of_leg_and_every_picture():
    named = set(re.findall(r"`(\w+)`", " ".join(text for _, text in ROWS)))
    assert set(SHORT_FORMS) <= named
    drawn = sorted((ROOT / "docs" / "images" / "structures").glob("*.png"))
    assert sorted(ROOT / path for path, _ in ROWS) == drawn
    assert max(path.stat().st_size for path in drawn) < 5000
    for link in re.findall(r"\]\((examples/[^)]+)\)", " ".join(text for _, text in ROWS)):
        assert (ROOT / link).exists()
