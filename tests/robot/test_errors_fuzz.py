"""Errors lane: whatever is changed in a good file, it is a robot or an error with lines, never anything else."""

import copy
import random
import re
import tomllib

import pytest

from gough import Robot, RobotError, catalogue
from tests.robot.test_errors_table import BASES
from tests.support.lanes import with_dear_ones_slow
from tests.support.robots import build, catalogue_text, read

STRANGE = [0, -1, 1e300, -1e-300, 7, 3.5, True, "", "x", "base", "P", [], [1], [0, 0, 0], [1e200, 1, 1], {}, {"x": 1}]
STRANGE += [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [{}], [[0, 0, 1]], "UPS", "RPa", "rz", {"joint": "rail"}]


def places(value, path=()):
    """Every path into nested tables and lists."""
    found = [path] if path else []
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        found += places(entry, (*path, key))
    return found


def changed(tables, rng):
    tables = copy.deepcopy(tables)
    for _ in range(rng.choice((1, 1, 2, 4))):
        *way, last = rng.choice(places(tables))
        inside = tables
        for key in way:
            inside = inside[key]
        what = rng.random()
        if what < 0.2:
            del inside[last]
        elif what < 0.3 and isinstance(inside, dict):
            inside[rng.choice(["name", "type", "axis", "rod", "guide", "joint", "base", "zzz"])] = rng.choice(STRANGE)
        else:
            inside[last] = copy.deepcopy(rng.choice(STRANGE))
        if not places(tables):
            break
    return tables


def start(name):
    """Tables of a robot file."""
    return tomllib.loads(BASES[name] if name in BASES else catalogue_text(name))


def outcome(make):
    """The robot, or the lines and faults of the error that says why there is none."""
    try:
        return make(), []
    except RobotError as error:
        lines = str(error).split("\n")
        return lines, error.faults


@pytest.mark.filterwarnings("ignore::gough.GoughWarning")
@pytest.mark.parametrize("name", with_dear_ones_slow(sorted({*BASES, *catalogue()})))
def test_changed_tables(name):
    rng, tables_of_file = random.Random(name), start(name)
    for _ in range(300):
        tables = changed(tables_of_file, rng)
        result, faults = outcome(lambda tables=tables: build(tables))
        if isinstance(result, Robot):
            assert read(result.to_toml()) == result
        else:
            folded = [int(found[1]) for line in result if (found := re.search(r" and (\d+) more: the same \(", line))]
            assert len(result) + sum(folded) == len(faults)
            assert all(re.match(r"robot(:\d+)?: ", line) for line in result)


@pytest.mark.parametrize("name", sorted(BASES))
def test_changed_text(name):
    rng = random.Random(name)
    text = BASES[name]
    for _ in range(300):
        at = rng.randrange(len(text))
        damaged = text[:at] + rng.choice(["", '"', "[", "}", "\n", "=", "nan", "0", ".", "#"]) + text[at + 1 :]
        result, _ = outcome(lambda damaged=damaged: read(damaged, "robot.toml"))
        assert isinstance(result, Robot) or all(line.startswith("robot.toml") for line in result)
