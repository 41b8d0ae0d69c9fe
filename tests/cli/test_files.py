"""Files are written whole or not at all, and nothing else is touched."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading

import pytest

import gough.files
from gough.cli import out_files as files
from tests.cli.running import outcome

WAY = ("inverse", "delta", "--samples", "2", "--format", "csv")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "out.png"
    path.write_bytes(b"old")

    def full(_handle):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.png"]


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path):
    path = tmp_path / "out.toml"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError):
        files.write_whole(path, b"new", replace=False)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.toml"]


def test_without_links_a_file_is_not_replaced_either(tmp_path, monkeypatch):
    def refused(_source, _target):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "out.toml"
    files.write_whole(path, b"new", replace=False)
    with pytest.raises(FileExistsError):
        files.write_whole(path, b"newer", replace=False)
    assert path.read_bytes() == b"new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.toml"]


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("relative", [False, True])
def test_a_link_stays_and_its_target_is_written(tmp_path, relative):
    target = tmp_path / "real" / "out.csv"
    target.parent.mkdir()
    target.write_bytes(b"old")
    target.chmod(0o640)
    link, again = tmp_path / "link.csv", tmp_path / "again.csv"
    link.symlink_to("real/out.csv" if relative else target)
    again.symlink_to(link)
    files.write_whole(again, b"new")
    assert link.is_symlink()
    assert again.is_symlink()
    assert target.read_bytes() == b"new"
    assert mode_of(target) == 0o640
    assert [entry.name for entry in target.parent.iterdir()] == ["out.csv"]


def test_a_link_to_nothing_makes_its_target(tmp_path):
    (tmp_path / "link").symlink_to("there")
    files.write_whole(tmp_path / "link", b"new", replace=False)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660, 0o755, 0o606])
def test_a_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    files.write_whole(path, b"new")
    assert (path.read_bytes(), mode_of(path)) == (b"new", mode)


def test_a_new_file_gets_the_usual_mode(tmp_path):
    before = os.umask(0o027)
    try:
        files.write_whole(tmp_path / "out", b"new")
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "out") == 0o640


def test_another_user_s_file_stays_theirs(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("needs root to give a file away")
    path = tmp_path / "out"
    path.write_bytes(b"old")
    os.chown(path, 12345, 54321)
    path.chmod(0o600)
    files.write_whole(path, b"new")
    found = path.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (12345, 54321, 0o600)


def test_another_group_gets_no_rights_of_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o660)
    real = os.stat

    def refused(*_arguments):
        raise PermissionError(1, "Operation not permitted")

    def of_another_group(place, **options):
        found = list(real(place, **options))
        found[stat.ST_GID] += 1 if str(place) == str(path) else 0
        return os.stat_result(found)

    monkeypatch.setattr(os, "chown", refused)
    monkeypatch.setattr(os, "stat", of_another_group)
    files.write_whole(path, b"new")
    monkeypatch.undo()
    assert (path.read_bytes(), mode_of(path)) == (b"new", 0o600)


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o000, 0o466])
def test_a_read_only_file_is_refused_also_as_root(capsys, tmp_path, mode):
    path = tmp_path / "out.csv"
    path.write_bytes(b"old")
    path.chmod(mode)
    with pytest.raises(PermissionError, match="is read-only"):
        files.write_whole(path, b"new")
    code, out, err = outcome(capsys, *WAY, "--out", str(path))
    assert (code, out) == (2, "")
    assert err == f"gough: error: --out {path}: is read-only; name another, or allow it: chmod u+w {path}\n"
    path.chmod(0o600)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.csv"]


def test_devices_are_written_directly(capsys, tmp_path):
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    before = os.stat("/dev/null")
    for place in ("/dev/null", str(link)):
        assert outcome(capsys, *WAY, "--out", place) == (0, f"wrote {place}\n", "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert os.stat("/dev/null").st_ino == before.st_ino
    assert link.is_symlink()


def test_a_pipe_is_written_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    files.write_whole(pipe, b"new")
    reader.join()
    assert found == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link"])
def test_standard_output_is_written_through(tmp_path, name):
    """Into a file that is appended to: what is there stays, and the system's link too."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    target = os.readlink("/dev/stdout")
    script = "import sys; from gough.cli import main; sys.exit(main(sys.argv[1:]))"
    with open(tmp_path / "log", "w") as log:
        log.write("before\n")
    with open(tmp_path / "log", "a") as log:
        done = subprocess.run([sys.executable, "-c", script, *WAY, "--out", name], stdout=log, cwd=tmp_path)
    text = (tmp_path / "log").read_text()
    assert done.returncode == 0
    assert text.startswith("before\nt,x,y,z,")
    assert len(text.splitlines()) == 4
    assert os.readlink("/dev/stdout") == target
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["link", "log"]


def dead_process():
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_what_a_dead_process_left_is_removed_and_nothing_else(tmp_path, monkeypatch):
    mine = gough.files.new_name("out.csv")
    dead = mine.replace(f".{os.getpid()}.", f".{dead_process()}.")
    machine = gough.files._machine()
    elsewhere = dead.replace(machine, "0" * 8)
    other = dead.replace("out.csv", "other.csv")
    kept = [mine, mine.replace(f".{os.getpid()}.", f".{os.getppid()}."), elsewhere, other, ".out.csv.part", "out.part"]
    for name in (dead, *kept):
        (tmp_path / name).write_bytes(b"part")
    (tmp_path / "victim").write_bytes(b"mine")
    trap = dead[:-13] + "0" * 8 + ".part"
    (tmp_path / trap).symlink_to("victim")
    files.write_whole(tmp_path / "out.csv", b"new")
    assert {entry.name for entry in tmp_path.iterdir()} == {*kept, trap, "victim", "out.csv"}


def test_a_temporary_file_names_target_and_process(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(os, "fsync", lambda _handle: seen.extend(entry.name for entry in tmp_path.iterdir()))
    files.write_whole(tmp_path / "out.csv", b"new")
    (name,) = seen
    assert name.startswith(".out.csv.")
    assert f".{os.getpid()}." in name
    assert not gough.files.is_left_over(name)


def test_known_endings_are_the_real_thing(capsys, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.chdir(tmp_path)
    way = ("inverse", "delta", "--samples", "3")
    for name in ("f.parquet", "f.csv", "f.json", "f.txt", "f"):
        assert outcome(capsys, *way, "--out", name) == (0, f"wrote {name}\n", "")
    header = (tmp_path / "f.csv").read_text().splitlines()[0].split(",")
    assert parquet.read_table("f.parquet").column_names == header
    assert (tmp_path / "f.txt").read_text() == (tmp_path / "f").read_text()
    assert outcome(capsys, "check", "delta", "--limit", "condition=10", "--out", "c.json")[0] == 0
    assert (tmp_path / "c.json").read_text().startswith("{")
    for name, start in {"m.png": b"\x89PNG", "m.svg": b"<?xml", "m.pdf": b"%PDF"}.items():
        assert outcome(capsys, "modes", "planar3rrr", "--plot", name)[0] == 0
        assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    "arguments",
    [
        "inverse delta --out {}",
        "check delta --out {}",
        "verify planar3rrr --out {}",
        "new --out {}",
        "report delta --out {}",
        "simulate delta --out {}",
        "paper spatial3 --out {}",
        "size delta --plot {}",
        "size delta --envelope e.toml --cases {}",
        "inverse delta --plot {}",
        "count delta --plot {}",
        "modes delta --plot {}",
        "show delta --png {}",
        "view delta --html {}",
        "view delta --png {}",
    ],
)
def test_unknown_endings_are_refused_before_the_work(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    code, out, err = outcome(capsys, *arguments.format("f.xlsx").split())
    assert (code, out) == (2, "")
    assert "f.xlsx: " in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_one_file_is_not_table_and_picture(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").symlink_to("a.png")
    line = "gough: error: --plot a.png: is the file of --out too; name another\n"
    assert outcome(capsys, "inverse", "delta", "--plot", "a.png", "--out", "a.csv") == (2, "", line)


def test_a_read_only_file_in_the_folder_of_a_simulation_is_told_before_the_work(capsys, tmp_path):
    (tmp_path / "run.json").write_text("old")
    (tmp_path / "run.json").chmod(0o444)
    code, out, err = outcome(capsys, "simulate", "planar3rrr", "--for", "0.01", "--out", str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith(f"gough: error: --out {tmp_path / 'run.json'}: is read-only")
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.json"]
