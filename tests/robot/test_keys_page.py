"""The page on robot files is what the models of the format say: every key has a text, and an example that is read."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import gough
from gough import SHORT_FORMS
from gough.design import envelope
from gough.optimisation import schema as optimisation
from gough.problem import schema as problem
from gough.robot.file import leg_schema, motor_file, schema
from gough.robot.file.reader import Reader
from gough.robot.file.units import Units
from gough.robot.legs import cable, driven, leg_keys, sru, struts
from gough.studies import schema as studies

ROOT = Path(__file__).parents[2]
_found = importlib.util.spec_from_file_location("robot_file_page", ROOT / "tools" / "robot_file_page.py")
tool = importlib.util.module_from_spec(_found)
_found.loader.exec_module(tool)
PAGE, OTHER_PAGE = tool.PAGE.read_text("utf-8"), tool.OTHER_PAGE.read_text("utf-8")
TABLES = {table for table, _ in tool.SECTIONS.values()} | {leg_keys.BodyTable}
OTHER_TABLES = {table for table, _ in tool.OTHER_SECTIONS.values()}


def test_the_pages_are_up_to_date():
    assert tool.page() == PAGE, "run python tools/robot_file_page.py"
    assert tool.other_page() == OTHER_PAGE, "run python tools/robot_file_page.py"


def test_every_table_has_a_section():
    """Those that a robot's file reaches, besides the ones that others extend."""
    modules = (schema, leg_schema, leg_keys, cable, driven, sru, struts)
    known = {cls for module in modules for cls in vars(module).values() if _is_table(cls)}
    known -= {leg_keys.SharedKeys, *(form.keys for form in SHORT_FORMS.values())}
    assert known == TABLES | {leg_schema.Table, motor_file.MotorFile}


def test_every_table_of_the_other_files_has_a_section():
    modules = (envelope, motor_file, studies, optimisation, problem)
    known = {cls for module in modules for cls in vars(module).values() if _is_table(cls)}
    assert known == OTHER_TABLES | {leg_schema.Table, schema.UnitsTable}
    robot = gough.load("rps3")
    assert set(envelope.envelope_keys(robot, robot.coordinate_names)) == set(tool.ENVELOPE)
    example = "\n".join(f"[{table}]\n{line}" for table, (_, line) in tool.ENVELOPE.items())
    assert gough.envelope_of(gough.load("stewart"), example).pose[0] == (-0.1, 0.1)


def _is_table(value):
    return isinstance(value, type) and issubclass(value, leg_schema.Table)


@pytest.mark.parametrize(
    "table", sorted(TABLES | OTHER_TABLES, key=lambda table: table.__name__), ids=lambda t: t.__name__
)
def test_every_key_has_a_text_and_an_example_that_is_read(table):
    for name, key in table.keys().items():
        holds, default = tool.text_of(table, name)
        assert holds.endswith(".")
        assert len(holds) > 8, name
        assert not holds.startswith(("Of ", "In ", "Its ")), f"{name}: say what it is"
        assert key.needed <= (default == ""), name
        assert tool.default_of(table, name, key) or key.needed, f"{name}: state the default"
        example = tomllib.loads(f"value = {tool.example_of(table, name, key)}")["value"]
        reader = Reader(Units())
        assert reader.value(key, example, (name,)) is not None
        assert not reader.faults


def test_a_key_without_a_text_is_missed():
    class Untold(leg_schema.Table):
        length = leg_schema.RingTable.radius

    with pytest.raises(KeyError):
        tool.text_of(Untold, "length")


def test_every_type_of_leg_is_listed_with_its_keys():
    rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in PAGE.splitlines() if row.startswith("|")]
    for form in SHORT_FORMS.values():
        ((_, needed, optional),) = [row for row in rows if row[0].removesuffix(" (passive)") == form.name]
        assert needed.split(", ") == (list(form.needed) or [""])
        assert optional.split(", ") == (list(form.optional) or [""])


@pytest.mark.parametrize(("page", "own"), [(PAGE, "robot_files.md"), (OTHER_PAGE, "other_files.md")])
def test_links_lead_somewhere(page, own):
    """To sections of the pages, by the names that a browser gives them, and to files."""
    sections = {"robot_files.md": tool.SECTIONS, "other_files.md": tool.OTHER_SECTIONS}
    for link in re.findall(r"\]\((.+?)\)", page):
        file, _, section = link.partition("#")
        assert (ROOT / "docs" / (file or own)).exists(), link
        if section:
            names = {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in sections[file or own]}
            assert section in names, link
