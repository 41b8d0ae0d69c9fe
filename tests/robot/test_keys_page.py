"""The page on robot files has every key of the file format, each where it belongs, and no other."""

import re
from pathlib import Path

from gough.robot import SHORT_FORMS
from gough.robot.file import leg_schema, schema

PAGE = (Path(__file__).parents[2] / "docs" / "robot_files.md").read_text("utf-8")
SECTIONS = {
    "The file": schema.RobotTable,
    "[units]": schema.UnitsTable,
    "[platform]": schema.PlatformTable,
    "origin": schema.OriginTable,
    "[actuation]": schema.ActuationTable,
    "[[spring]]": schema.SpringTable,
    "anchor": schema.AnchorTable,
    "[tolerances]": schema.TolerancesTable,
    "[heat]": schema.HeatTable,
    "[stiffness]": schema.StiffnessTable,
    "type of a leg": leg_schema.PatternTable,
    "[legs]": leg_schema.LegsTable,
    "[[leg]]": leg_schema.LegTable,
    "ring": leg_schema.RingTable,
    "actuator": leg_schema.DriveTable,
    "joint spring": leg_schema.JointSpringTable,
    "guide": leg_schema.GuideTable,
    "motor": leg_schema.MotorTable,
    "pulley": leg_schema.PulleyTable,
    "body": leg_schema.RodTable,
    "[[leg.joint]]": leg_schema.JointTable,
    "mimic": leg_schema.MimicTable,
    "[leg.end]": leg_schema.EndTable,
}
ELSEWHERE = {"[legs]": "type of a leg", "[[leg]]": "type of a leg", "[[leg.joint]]": "actuator"}
"""Sections that send the reader to another for the keys both have."""


def text_of(title):
    """A section of the page."""
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)[1]


def keys_of(title):
    """The keys in the tables of a section."""
    return re.findall(r"^\| `(\w+)` \|", text_of(title), re.MULTILINE)


def test_every_key_is_in_its_section_and_no_other():
    for title, table in SECTIONS.items():
        other = keys_of(ELSEWHERE[title]) if title in ELSEWHERE else []
        own = keys_of(title)
        assert len(own) == len(set(own)), title
        assert sorted({*own, *other}) == sorted(table.model_fields), title


def test_every_table_has_a_section():
    """Those that a robot's file reaches, besides the ones that others extend."""
    known = {cls for module in (schema, leg_schema) for cls in vars(module).values() if _is_table(cls)}
    assert known - set(SECTIONS.values()) == {leg_schema.BodyTable, leg_schema.Table} & known
    assert set(re.findall(r"^## (.+)$", PAGE, re.MULTILINE)) == set(SECTIONS)


def _is_table(value):
    return isinstance(value, type) and issubclass(value, leg_schema.Table)


def test_every_type_of_leg_is_listed_with_its_keys():
    rows = [row.split("|")[1:4] for row in text_of("type of a leg").splitlines() if row.startswith("|")]
    for form in SHORT_FORMS.values():
        (row,) = [row for row in rows if form.name in re.findall(r"\w+", row[0])]
        for keys, cell in ((form.needed, row[1]), (form.optional, row[2])):
            listed = re.sub("link1 to link5", "link1, link2, link3, link4, link5", cell)
            assert set(keys) <= set(re.findall(r"\w+", listed)), (form.name, cell)


def test_links_lead_somewhere():
    """To sections of the page, by the names that a browser gives them, and to files."""
    names = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in SECTIONS}
    for link in re.findall(r"\]\((.+?)\)", PAGE):
        if link.startswith("#"):
            assert link[1:] in names, link
        else:
            assert (Path(__file__).parents[2] / "docs" / link).exists(), link
