"""The object cache runs machine code: nobody else's, nothing that others could have changed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gough.graph import record, sin
from gough.run import Program, cache, info
from gough.run.llvm import jit, kernel

GRAPH = record(lambda x: sin(x[0]) * x[1] + 0.25, x=2)
FORGED = record(lambda x: sin(x[0]) * x[1] + 666.0, x=2)
X = np.array([0.5, 2.0])
RIGHT = float(np.sin(0.5) * 2.0 + 0.25)
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
SOMEBODY = 12345

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs owners and modes")


@pytest.fixture
def forged(folder, monkeypatch):
    """The cache with an entry under the key of GRAPH that is whole in every way but computes something else."""
    written = kernel.write_kernel
    monkeypatch.setattr(kernel, "write_kernel", lambda _graph, *machine: written(FORGED, *machine))
    jit.compiled(GRAPH, 2, jit.native_width())
    monkeypatch.setattr(kernel, "write_kernel", written)
    (entry,) = folder.glob("gough-*.o")
    return entry


def value():
    return float(Program(GRAPH, "llvm", opt=2)(x=X))


def test_the_forged_entry_would_run(forged):
    """Otherwise the tests below would say nothing."""
    assert value() == pytest.approx(RIGHT - 0.25 + 666.0)


@pytest.mark.parametrize("what", ["entry", "folder"])
@pytest.mark.parametrize("mode", [0o020, 0o002, 0o022])
def test_what_others_may_write_to_does_not_run(forged, what, mode):
    path = forged if what == "entry" else forged.parent
    path.chmod(path.stat().st_mode | mode)
    assert value() == pytest.approx(RIGHT)
    if what == "folder":
        assert info()["cache"].endswith("not used: its group or others may write to it (chmod go-w would do)")


@pytest.mark.skipif(not ROOT, reason="needs root to give files away")
@pytest.mark.parametrize("what", ["entry", "folder"])
def test_another_user_s_does_not_run(forged, what):
    os.chown(forged if what == "entry" else forged.parent, SOMEBODY, -1)
    before = sorted(path.stat().st_mtime_ns for path in forged.parent.iterdir())
    assert value() == pytest.approx(RIGHT)
    if what == "folder":
        assert sorted(path.stat().st_mtime_ns for path in forged.parent.iterdir()) == before
        assert info()["cache"].endswith(f"not used: it belongs to user {SOMEBODY}, not to root")


@pytest.mark.parametrize("what", ["entry", "folder"])
@pytest.mark.parametrize("seen", [{"uid": SOMEBODY}, {"mode": 0o666}, {"uid": SOMEBODY, "mode": 0o666}])
def test_the_opened_file_is_what_is_checked(forged, monkeypatch, what, seen):
    """By a stand-in for fstat: whatever the name leads to by now, the handle decides."""
    real = os.fstat

    def stand_in(handle):
        found = list(real(handle))
        if stat.S_ISDIR(found[stat.ST_MODE]) == (what == "folder"):
            found[stat.ST_UID] = seen.get("uid", found[stat.ST_UID])
            found[stat.ST_MODE] |= seen.get("mode", 0)
        return os.stat_result(found)

    monkeypatch.setattr(os, "fstat", stand_in)
    assert value() == pytest.approx(RIGHT)


@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_only_regular_files(forged, kind):
    aside = forged.parent.parent / "aside.o"
    forged.rename(aside)
    {"link": lambda: forged.symlink_to(aside), "pipe": lambda: os.mkfifo(forged), "folder": forged.mkdir}[kind]()
    assert value() == pytest.approx(RIGHT)


def test_root_s_folder_serves_a_user_who_cannot_write_there(forged, monkeypatch):
    """A read-only folder still serves: the owner may be root, whoever asks."""
    real = os.fstat

    def of_root(handle):
        found = list(real(handle))
        found[stat.ST_UID] = 0
        return os.stat_result(found)

    monkeypatch.setattr(os, "geteuid", lambda: SOMEBODY)
    monkeypatch.setattr(os, "fstat", of_root)
    forged.parent.chmod(0o555)
    forged.chmod(0o444)
    try:
        assert value() == pytest.approx(RIGHT - 0.25 + 666.0)
    finally:
        forged.parent.chmod(0o755)


def as_user(user, home):
    """The value and what `gough info` says, computed by a process of `user` with HOME `home`."""
    script = (
        "import os, sys; os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1]))\n"
        "from tests.run.test_cache_trust import value; from gough.run import info\n"
        "print(value()); print(info()['cache'])"
    )
    names = {name: text for name, text in os.environ.items() if name not in ("GOUGH_CACHE", "XDG_CACHE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", script, str(user)],
        env=names | {"HOME": str(home)},
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr
    number, words = done.stdout.splitlines()
    return float(number), words


@pytest.mark.skipif(not ROOT, reason="needs root and another user")
@pytest.mark.parametrize("there", ["nothing", "the user's cache", "a cache made by root"])
def test_root_with_another_user_s_home_neither_reads_nor_writes(forged, tmp_path, there):
    home = tmp_path / "home"
    home.mkdir()
    if there != "nothing":
        (home / ".cache").mkdir()
        forged.parent.rename(home / ".cache" / "gough")
    os.chown(home, SOMEBODY, SOMEBODY)
    if there == "the user's cache":
        for path in home.rglob("*"):
            os.chown(path, SOMEBODY, SOMEBODY)
    before = sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*"))
    number, words = as_user(0, home)
    assert number == pytest.approx(RIGHT)
    assert words == f"{home}/.cache/gough not used: {home} belongs to user {SOMEBODY}, and this is root"
    assert sorted((str(path), path.stat().st_mtime_ns) for path in home.rglob("*")) == before


def test_root_is_kept_out_by_owners_alone(tmp_path, monkeypatch):
    """The same where the tests do not run as root: a stand-in says who asks and whose the folders are."""
    real = os.stat

    def stand_in(path, **options):
        found = list(real(path, **options))
        found[stat.ST_UID] = SOMEBODY if str(path) == str(tmp_path) else 0
        return os.stat_result(found)

    monkeypatch.setenv("GOUGH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "stat", stand_in)
    assert value() == pytest.approx(RIGHT)
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []


def test_a_link_into_another_s_folder_keeps_root_out_too(tmp_path, monkeypatch):
    if not ROOT:
        pytest.skip("needs root")
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    theirs.mkdir()
    mine.mkdir(mode=0o700)
    os.chown(theirs, SOMEBODY, SOMEBODY)
    (theirs / "link").symlink_to(mine)
    monkeypatch.setenv("GOUGH_CACHE", str(theirs / "link"))
    value()
    assert list(mine.iterdir()) == []
    assert f"{theirs} belongs to user {SOMEBODY}" in cache.state()


def test_info_says_why(tmp_path, monkeypatch):
    monkeypatch.setenv("GOUGH_CACHE", "")
    assert info()["cache"] == "disabled (GOUGH_CACHE is empty)"
    monkeypatch.setenv("GOUGH_CACHE", "here/cache")
    assert info()["cache"] == "not used: GOUGH_CACHE here/cache is not an absolute path"
    monkeypatch.chdir(tmp_path)
    assert value() == pytest.approx(RIGHT)
    assert list(tmp_path.iterdir()) == []
    place = tmp_path / "cache"
    monkeypatch.setenv("GOUGH_CACHE", str(place))
    assert info()["cache"] == f"{place} (empty)"
    value()
    assert info()["cache"] == f"{place} (0.0 MiB)"
    monkeypatch.setenv("GOUGH_CACHE", str(place / "file"))
    (place / "file").write_text("mine")
    assert info()["cache"] == f"{place}/file not used: not a directory"


def test_the_folder_is_made_for_this_user_alone(folder):
    before = os.umask(0)
    try:
        value()
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
