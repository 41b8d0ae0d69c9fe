"""Errors lane: what is not a robot file at all."""

import re

import pytest

import gough
from gough import RobotError, load, loads
from tests.cli.running import ROBOTS

GOOD = """name = "arm"
platform = { coordinates = { y = "y" }, mass = 1.0 }

[[leg]]
joint = [{ type = "P", axis = [0, 1, 0], actuated = true }]
end = { type = "rigid" }
"""


def line_of(path, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RobotError) as caught:
        load(path)
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    return str(caught.value)


TOML = "a robot is a TOML file; `gough new` prints one to start from"
NO_EQUALS = "robot.toml:1: not valid TOML: expected '=' after a key in a key/value pair"
AFTER = "robot.toml:{}: not valid TOML: expected newline or end of document after a statement"
BYTES = {
    "empty": (b"", "robot.toml: is empty (a robot needs name, [platform] and [legs] or [[leg]])"),
    "spaces": (b" \n\t\n", "robot.toml: is empty (a robot needs name, [platform] and [legs] or [[leg]])"),
    "comment": (b"# later\n", "robot.toml: is empty (a robot needs name, [platform] and [legs] or [[leg]])"),
    "latin-1": (
        'name = "schl\xe4ger"\n'.encode("latin-1"),
        "robot.toml: is not UTF-8 text (byte 12) (save it as UTF-8)",
    ),
    "utf-16": ("name = 1\n".encode("utf-16"), "robot.toml: is not UTF-8 text (byte 0) (save it as UTF-8)"),
    "binary": (bytes(range(256)), "robot.toml: is not UTF-8 text (byte 128) (save it as UTF-8)"),
    "zip": (b"PK\x03\x04\x14\x00", f"{NO_EQUALS} ({TOML})"),
    "json": (
        b'{"name": "arm"}',
        f"robot.toml:1: not valid TOML: invalid statement ({TOML})",
    ),
    "xml": (
        b'<robot name="arm"/>',
        f"robot.toml:1: not valid TOML: invalid statement ({TOML})",
    ),
    "yaml": (b"name: arm\n", f"{NO_EQUALS} ({TOML})"),
    "csv": (b"t,x,y\n0,1,2\n", f"{NO_EQUALS} ({TOML})"),
    "no-value": (
        b'name = "a"\nmass =\n',
        "robot.toml:2: not valid TOML: invalid value",
    ),
    "twice": (b'name = "a"\nname = "b"\n', "robot.toml:2: not valid TOML: cannot overwrite a value"),
    "table-twice": (b"[platform]\n[platform]\n", "robot.toml:2: not valid TOML: cannot declare ('platform',) twice"),
    "old-line-ends": (
        b'name = "a"\rmass = 2\r',
        f"{AFTER.format(1)} ({TOML})",
    ),
    "unquoted": (b"name = arm\n", f"robot.toml:1: not valid TOML: invalid value ({TOML})"),
    "curly-quotes": (
        "name = \u201carm\u201d\n".encode(),
        f"robot.toml:1: not valid TOML: invalid value ({TOML})",
    ),
    "fraction": (b"\nmass = 1/2\n", AFTER.format(2)),
    "unit": (b"\nmass = 2.5 kg\n", AFTER.format(2)),
    "bare-point": (b"mass = .5\n", f"robot.toml:1: not valid TOML: invalid value ({TOML})"),
    "digits": (
        b"name = 'a'\nmass = " + b"9" * 5000 + b"\n\n\n",
        "robot.toml:2: not valid TOML: a number with too many digits",
    ),
    "cut-string": (b'name = "ar', f"robot.toml:1: not valid TOML: unterminated string ({TOML})"),
    "cut-array": (b"home = [1, 2", f"robot.toml:1: not valid TOML: unclosed array ({TOML})"),
    "comma-number": (
        b"mass = 1,5\n",
        f"{AFTER.format(1)} ({TOML})",
    ),
}


@pytest.mark.parametrize("name", sorted(BYTES))
def test_file_that_is_no_robot(name, tmp_path, monkeypatch):
    content, line = BYTES[name]
    (tmp_path / "robot.toml").write_bytes(content)
    assert line_of("robot.toml", monkeypatch, tmp_path) == line


def test_good_file_is_good(tmp_path):
    (tmp_path / "robot.toml").write_text(GOOD)
    assert gough.inverse_kinematics(load(tmp_path / "robot.toml"), [0.1]).q.tolist() == [0.1]


def test_every_truncation_is_refused_with_lines():
    for end in range(len(GOOD) - 3):
        with pytest.raises(RobotError) as caught:
            loads(GOOD[:end], "robot.toml")
        assert all(line.startswith("robot.toml") for line in str(caught.value).split("\n"))


def test_huge_file_is_refused_unread(tmp_path, monkeypatch):
    with (tmp_path / "robot.toml").open("wb") as file:
        file.truncate(5_000_000_000)
    line = line_of("robot.toml", monkeypatch, tmp_path)
    assert line == "robot.toml: too large: 5000.0 MB, at most 4 MB"


def test_deeply_nested_file(tmp_path, monkeypatch):
    (tmp_path / "robot.toml").write_text("a = " + "[" * 100_000)
    assert line_of("robot.toml", monkeypatch, tmp_path) == "robot.toml: nested too deeply to be a robot"


def test_many_keys_in_a_big_file_are_found_quickly(tmp_path, monkeypatch):
    (tmp_path / "robot.toml").write_text(GOOD + "".join(f"k{n} = {n}\n" for n in range(4_000)))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RobotError) as caught:
        load("robot.toml")
    lines = str(caught.value).split("\n")
    assert len(lines) == 4_000
    assert re.match(r"robot\.toml:7: leg\.1\.k0: unknown key", lines[0])


def test_directory(tmp_path, monkeypatch):
    (tmp_path / "robot.toml").mkdir()
    assert line_of("robot.toml", monkeypatch, tmp_path) == "robot.toml: is a folder (name the file in it)"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("stuart", "stuart: no such file or catalogue robot (did you mean stewart?)"),
        ("Stewart", "Stewart: no such file or catalogue robot (did you mean stewart?)"),
        (
            "zzz",
            f"zzz: no such file or catalogue robot (known: {', '.join(ROBOTS)})",
        ),
        (
            "",
            f"no such file or catalogue robot (known: {', '.join(ROBOTS)})",
        ),
        ("a\0b", "a\\x00b: cannot be a file's name"),
    ],
)
def test_missing_file(name, line, tmp_path, monkeypatch):
    assert line_of(name, monkeypatch, tmp_path) == line


def test_file_that_cannot_be_opened(tmp_path, monkeypatch):
    (tmp_path / "robot.toml").symlink_to("robot.toml")
    line = line_of("robot.toml", monkeypatch, tmp_path)
    assert line == "robot.toml: cannot be read: too many levels of symbolic links"
