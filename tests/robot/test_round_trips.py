"""Text -> robot -> text: the same machine to the bit, and every number of a file may be replaced."""

from __future__ import annotations

import copy
import dataclasses
import math
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from gough.robot.spec import leaves as entries
from tests.support import dependent_machines, random_robots, redundant_robots, snapshot_machines
from tests.support.lanes import FULL, ROOT, SEED, sample, size
from tests.support.robots import addresses, build, catalogue_text, read, toml_text, value_at

EXAMPLES = ("agile_eye", "balanced3rrr", "par4")
FILES = tuple(dict.fromkeys((*snapshot_machines.CATALOGUE, *EXAMPLES, *snapshot_machines.names())))
"""Of the catalogue, of the examples and of the snapshot."""
RANDOM = size(200, 6)
NUMBERS = size(25, 8)
"""Numbers of a file that are replaced, one after the other."""
TEXTS = 6
"""Numbers of a machine that are replaced in its text."""
LAST_BITS = 2.0**-51
"""Of numbers that go through another unit: a factor and its inverse, each rounded."""
FOLLOWING = 2.0**-47
"""Of what follows from such numbers by sines and arc cosines: points on rings, frames, joints at home."""
WHOLE = ("branch", "count")
DIRECTIONS = ("axis", "axes", "rotation", "platform_rotation")
"""Keys whose lists are replaced whole: one number of theirs may change all, since what is nearly exact is made so."""


def text_of(name: str) -> str:
    """The file of a machine."""
    if name in EXAMPLES:
        return (ROOT / "examples" / f"{name}.toml").read_text("utf-8")
    return catalogue_text(name) if name in snapshot_machines.CATALOGUE else snapshot_machines.text(name)


def mechanism(robot: gough.Robot) -> dict[str, Any]:
    """Everything that a file says of a machine but its tolerances, by public names: frames, bodies, drives, limits."""
    platform, found = robot.platform, {"gravity": robot.gravity, "length": robot.length, "springs": robot.springs}
    found |= {"actuation": robot.actuation, "names": (robot.name, robot.coordinate_names, robot.dependent_names)}
    found |= {"platform": (platform.body, platform.home, platform.start, platform.position, platform.rotation)}
    found |= {"coordinates": tuple((c.name, c.motion) for c in platform.all_coordinates)}
    for leg in robot.legs:
        found[f"leg.{leg.name}"] = (
            leg.position,
            leg.rotation,
            leg.end,
            leg.branch,
            leg.free_spin,
            leg.cable,
            leg.radius,
        )
    for name, joint in zip(robot.joint_names, robot.joints, strict=True):
        found[name] = {field.name: getattr(joint, field.name) for field in dataclasses.fields(joint)}
    return found


def numbers(value: Any) -> list[Any]:
    """All numbers and words of nested values, in order."""
    if dataclasses.is_dataclass(value):
        value = [getattr(value, field.name) for field in dataclasses.fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    return [n for entry in value for n in numbers(entry)] if isinstance(value, (tuple, list)) else [value]


def assert_same(found: gough.Robot, expected: gough.Robot, units: bool = False) -> None:
    """The same machine to the bit; but for the rounding of units where its file has others than SI.

    Raises:
        AssertionError: It is not.
    """
    mine, yours = mechanism(found), mechanism(expected)
    if not units:
        assert mine == yours
        return
    assert_same_file(found, expected)
    mine, yours = numbers(mine), numbers(yours)
    assert len(mine) == len(yours)
    for a, b in zip(mine, yours, strict=True):
        same = abs(a - b) <= FOLLOWING * max(abs(b), 1.0) if isinstance(b, float) else a == b
        assert same, (a, b)


def assert_same_file(found: gough.Robot, expected: gough.Robot) -> None:
    """Everything that their files state is the same but for the rounding of units, numbers as a share of their size.

    Raises:
        AssertionError: It is not.
    """
    mine, yours = dict(entries(found.spec)), dict(entries(expected.spec))
    assert mine.keys() == yours.keys()
    for keys, value in yours.items():
        number = isinstance(value, float)
        same = math.isclose(mine[keys], value, rel_tol=LAST_BITS) if number else mine[keys] == value
        assert same, (keys, mine[keys], value)


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_written_and_read_is_the_same_machine(name: str) -> None:
    robot = gough.loads(text_of(name))
    text = robot.to_toml()
    again = gough.loads(text)
    assert_same(again, robot)
    assert again == robot
    assert again.to_toml() == text


@pytest.mark.parametrize("name", sample(FILES, 6, lane="round trips of answers"))
def test_a_machine_that_is_written_and_read_gives_the_same_bits(name: str) -> None:
    robot = gough.loads(text_of(name))
    again = gough.loads(robot.to_toml())
    rng = np.random.default_rng(SEED)
    home = np.array(robot.platform.home)
    x, xd, xdd = home + 1e-3 * rng.uniform(-1, 1, (4, len(home))), *rng.uniform(-0.1, 0.1, (2, 4, len(home)))
    first, second = (gough.inverse_dynamics(one, gough.State(x, xd, xdd)) for one in (robot, again))
    assert np.isfinite(first.force).all()
    for field in ("q", "qd", "force", "power"):
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field))
    one, other = (gough.inverse_kinematics(machine, gough.State(x, xd, xdd)) for machine in (robot, again))
    for field in ("joint_q", "joint_qd", "joint_qdd", "K", "status"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


@pytest.mark.parametrize("name", sample(FILES, 6, lane="read by load"))
def test_a_file_and_its_text_are_the_same_machine_but_for_what_home_decides(name: str, tmp_path: Path) -> None:
    """`load` moves dependent coordinates stated to a few digits where they belong, and states starts and branches."""
    path = tmp_path / "robot.toml"
    path.write_text(text_of(name), "utf-8")
    robot, again = gough.load(path), gough.loads(text_of(name))
    assert [dataclasses.replace(joint, start=None) for joint in robot.joints] == [
        dataclasses.replace(joint, start=None) for joint in again.joints
    ]
    robot.write(tmp_path / "again.toml")
    assert gough.load(tmp_path / "again.toml") == robot


def leaves(value: Any, keys: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Keys of every number in a file's tables."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from leaves(entry, (*keys, key))
    if isinstance(value, (int, float)) and not isinstance(value, bool) and keys[-1] not in WHOLE:
        yield keys


def address_of(tables: dict[str, Any], keys: tuple[Any, ...]) -> str:
    """The address of a number: legs by name, joints and springs from 1, entries of lists from 0."""
    parts, inside = [], tables
    for key in keys:
        named = isinstance(inside, list) and isinstance(inside[key], dict)
        if named and parts == ["leg"]:
            parts.append(str(inside[key].get("name", key + 1)))
        else:
            parts.append(str(key + 1 if named else key))
        inside = inside[key]
    return ".".join(parts)


def value_of(tables: dict[str, Any], keys: tuple[Any, ...]) -> Any:
    """What is at these keys of a file's tables."""
    for key in keys:
        tables = tables[key]
    return tables


def changed(tables: dict[str, Any], keys: tuple[Any, ...]) -> dict[str, Any]:
    """The tables with one number a little larger."""
    tables = copy.deepcopy(tables)
    inside = value_of(tables, keys[:-1])
    inside[keys[-1]] = inside[keys[-1]] * 1.001 + (0.0 if inside[keys[-1]] else 1e-6)
    return tables


def replaced(tables: dict[str, Any], count: int, seed: str) -> tuple[int, int]:
    """Replace numbers of a file by address, each alone; how many were tried, and how many files were refused.

    The robot with the number replaced must be that of the file with the number changed in its text.
    """
    text = toml_text(tables)
    robot, places = read(text), list(leaves(tables))
    random.Random(seed).shuffle(places)
    refused = 0
    for keys in places[:count]:
        address, other = address_of(tables, keys), changed(tables, keys)
        assert_same(robot.replace({address: value_at(robot, address)}), robot)
        try:
            expected = build(other)
        except gough.RobotError:
            refused += 1
            continue
        whole = keys[: next(k for k, key in reversed([*enumerate(keys, 1)]) if isinstance(key, str))]
        if whole[-1] in DIRECTIONS:
            change = {address_of(tables, whole): value_of(other, whole)}
        else:
            change = {address: value_at(expected, address)}
        found = robot.replace(change)
        assert_same(found, expected)
        assert_same(read(found.to_toml()), expected, units="units" in tables)
    assert_same(robot, read(text))
    return len(places[:count]), refused


def drawn(number: int) -> dict[str, Any]:
    """The tables of a random machine: every type of leg, dependent motion, redundant actuators, in turn."""
    kinds = (
        *((random_robots.random_tables, kind) for kind in random_robots.KINDS),
        *((dependent_machines.dependent_tables, kind) for kind in dependent_machines.KINDS),
        *((redundant_robots.redundant_tables, kind) for kind in redundant_robots.KINDS),
    )
    rng = random.Random(f"{SEED} {number}")
    while True:  # some have bodies that are not physical, or legs that are too short
        make, kind = rng.choice(kinds)
        tables = tomllib.loads(toml_text(make(kind, rng.randrange(10**6))))
        try:
            build(tables)
        except gough.RobotError:
            continue
        return tables


@pytest.mark.filterwarnings("ignore::gough.GoughWarning")
@pytest.mark.parametrize("number", range(RANDOM))
def test_every_number_of_a_random_machine_may_be_replaced(number: int) -> None:
    tried, refused = replaced(drawn(number), NUMBERS, f"{SEED} {number}")
    assert refused <= 0.6 * tried


@pytest.mark.filterwarnings("ignore::gough.GoughWarning")
@pytest.mark.parametrize("name", sample(FILES, 6, lane="numbers of files"))
def test_every_number_of_a_file_may_be_replaced(name: str) -> None:
    tried, refused = replaced(tomllib.loads(text_of(name)), 10**6 if FULL else NUMBERS, f"{SEED} {name}")
    assert refused < tried


def test_comments_units_and_short_forms_survive() -> None:
    text = catalogue_text("fivebar")
    lines = text.splitlines()
    (place,) = [k for k, line in enumerate(lines) if line.startswith("crank = ")]
    lines[place] += "  # as measured"
    robot = gough.loads("# Mine\n" + "\n".join(lines) + "\n")
    assert "# as measured" in robot.replace({"platform.mass": 3.0}).to_toml()


def commented(text: str) -> str:
    """The text with a comment behind each of its lines."""
    return "\n".join(f"{line}  # {k}." for k, line in enumerate(text.splitlines())) + "\n"


@pytest.mark.filterwarnings("ignore::gough.GoughWarning")
@pytest.mark.parametrize(
    "machine", sample([*gough.catalogue(), *range(100)], 60, lane="texts with other numbers"), ids=str
)
def test_a_number_replaced_by_its_address_is_replaced_in_the_text(machine: str | int) -> None:
    """Of any machine, any number: what was written is read again, and every comment is kept."""
    if isinstance(machine, str):
        text = catalogue_text(machine)
    else:  # legs on one line each, or joint by joint in tables of their own
        tables = drawn(machine)
        text = build(tables).explicit().to_toml() if machine % 2 else toml_text(tables)
    text = commented(text)
    robot, rng = read(text), random.Random(f"{SEED} {machine}")
    places, kept = list(addresses(robot).items()), 0
    rng.shuffle(places)
    for address, value in places if FULL else places[:TEXTS]:
        if address.split(".")[-1] in WHOLE:
            continue
        try:
            changed = robot.replace({address: value * rng.uniform(0.999, 1.001) or 1e-6})
        except gough.RobotError:
            continue
        found = changed.to_toml()
        again = read(found)
        if "[units]" in text or '"units"' in text:
            assert_same_file(again, changed)
        else:
            assert again == changed, address
        assert re.findall(r"# \d+\.", found) == re.findall(r"# \d+\.", text), address
        kept += 1
    assert kept
