"""Nothing from a file or an option reaches the terminal raw, and no lost stream ends in a traceback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache

import pytest

from gough import RobotError, escape, load, loads
from tests.cli.running import outcome

EVIL = "a\x1b[31mred\x07\x9b2J\u202e\x7f\r\nnext\u2028end"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]")
LONG = "k" * 10_000


@cache
def start():
    return load("planar3rrr").to_toml()


def quoted(text):
    return '"' + "".join(c if c.isalnum() else f"\\U{ord(c):08X}" for c in text) + '"'


FILES = {
    "key": lambda: f"{quoted(EVIL)} = 1\n" + start(),
    "key in a table": lambda: start().replace("[platform]", f"[platform]\n{quoted(EVIL)} = 1"),
    "name of a table": lambda: start() + f"\n[{quoted(EVIL)}]\nx = 1\n",
    "value": lambda: start().replace('name = "planar3rrr"', f"name = {quoted(EVIL)}"),
    "unit": lambda: f"[units]\nlength = {quoted(EVIL)}\n",
    "description": lambda: re.sub("description = .*", lambda _: f"description = {quoted(EVIL)}", start()),
    "not TOML": lambda: EVIL,
    "text": lambda: start() + f"\n# {EVIL}\n[[[\n",
}


@pytest.mark.parametrize("place", FILES)
@pytest.mark.parametrize("length", ["short", "long"])
def test_a_robot_file(capsys, tmp_path, monkeypatch, place, length):
    monkeypatch.chdir(tmp_path)
    text = FILES[place]()
    if length == "long":
        text = text.replace(quoted(EVIL), quoted(LONG)).replace(EVIL, LONG)
    (tmp_path / "robot.toml").write_text(text, encoding="utf-8", newline="")
    for command in (["show"], ["show", "--json"], ["inverse", "--to", "x=0.1", "--duration", "1"], ["robots"]):
        code, out, err = outcome(capsys, *command[:1], "robot.toml", *command[1:])
        assert not RAW.search(out + err)
        assert all(len(line) < 1000 for line in err.splitlines())
        assert code != 2 or all(line.startswith("gough: error: ") for line in err.splitlines())
        if place == "description" and "--json" not in command:
            assert all(len(line) < 1000 for line in out.splitlines())


@pytest.mark.parametrize("evil", [EVIL, LONG], ids=["control characters", "10 000 characters"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("{}",),
        ("--{}",),
        ("show", "{}"),
        ("show", "delta", "--{}"),
        ("show", "delta", "--set", "{}=1"),
        ("show", "delta", "--set", "platform.mass={}"),
        ("ik", "delta", "--pose", "{}=1"),
        ("inverse", "delta", "--motion", "{}"),
        ("inverse", "delta", "--to", "z={}", "--duration", "1"),
        ("inverse", "delta", "--units", "{}"),
        ("inverse", "delta", "--out", "{}/x.csv"),
        ("size", "delta", "--motor", "{}"),
        ("size", "delta", "--envelope", "{}"),
        ("check", "delta", "--limit", "{}=1"),
        ("simulate", "delta", "--vary", "{}=1%"),
        ("verify", "delta", "--states", "{}"),
    ],
    ids=" ".join,
)
def test_a_command_line(capsys, arguments, evil):
    code, out, err = outcome(capsys, *[word.format(evil) for word in arguments])
    assert code == 2
    assert not RAW.search(out + err)
    assert out == ""
    assert len(err.splitlines()) == 1
    assert len(err) < 2500


@pytest.mark.parametrize("kind", ["motor", "envelope", "motion"])
def test_other_files(capsys, tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    for evil in (EVIL, LONG):
        for text in (f"{quoted(evil)} = 1\n", f"name = {quoted(evil)}\n", f"[pose]\n{quoted(evil)} = [0, 1]\n", evil):
            (tmp_path / "file").write_text(f"t,{evil}\n0,0\n1,1\n" if kind == "motion" else text, newline="")
            os.replace("file", "file.csv" if kind == "motion" else "file.toml")
            name = "file.csv" if kind == "motion" else "file.toml"
            code, out, err = outcome(capsys, "size", "delta", f"--{kind}", name)
            assert code == 2
            assert not RAW.search(out + err)
            assert all(line.startswith("gough: error: ") and len(line) < 2500 for line in err.splitlines())


def test_the_error_of_the_library_is_clean_too():
    with pytest.raises(RobotError) as raised:
        loads(FILES["key"](), "robot.toml")
    assert not RAW.search(str(raised.value))
    assert "a\\x1b[31mred\\x07\\x9b2J\\u202e\\x7f\\r\\nnext\\u2028end" in str(raised.value)


def test_a_long_text_keeps_its_ends():
    assert escape.one_line("ab", 10) == "ab"
    short = escape.one_line("a" * 5000 + "\x1b" + "b" * 5000, 100)
    assert len(short) == 100
    assert short.startswith("a" * 60)
    assert short.endswith("b" * 30)
    assert "..." in short


SCRIPT = "import sys; from gough.cli import main; sys.exit(main(sys.argv[1:]))"


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], stderr=subprocess.PIPE, text=True, timeout=60, **options
    )


@pytest.mark.parametrize(
    "closed", [pytest.param("out", marks=pytest.mark.slow), pytest.param("err", marks=pytest.mark.slow), "both"]
)
def test_streams_that_are_closed(closed):
    """`gough robots >&-`: nothing to write to, nothing to complain about."""
    redirect = {"out": ">&-", "err": "2>&-", "both": ">&- 2>&-"}[closed]
    for arguments, code in (("robots", 0), ("show nobody", 2), ("show --help", 0), ("verify planar3rrr --states 3", 0)):
        command = f'exec "$0" -c "$1" {arguments} {redirect}'
        done = subprocess.run(
            ["sh", "-c", command, sys.executable, SCRIPT], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_a_reader_that_has_gone():
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        done = run("robots", stdout=gone)
        assert (done.returncode, done.stderr) == (141, "")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        done = subprocess.run([sys.executable, "-c", SCRIPT, "show", "nobody"], stderr=gone, stdout=subprocess.PIPE)
        assert (done.returncode, done.stdout) == (141, b"")


def test_a_terminal_of_ascii():
    done = run("show", "rotary", stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")


def test_names_that_are_not_text(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, "inverse", "delta", "--samples", "2", "--out", "a\udcffb.csv")
    assert (code, out, err) == (0, "wrote a\\udcffb.csv\n", "")


def test_a_warning_through_python_is_clean(capsys):
    with escape.safe_streams():
        print(EVIL)
        print("umlaut ä, 5°, tab\t.", file=sys.stderr)
    found = capsys.readouterr()
    assert not RAW.search(found.out)
    assert found.err == "umlaut ä, 5°, tab\t.\n"
