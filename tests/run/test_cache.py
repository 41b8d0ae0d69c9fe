"""The object cache: quick when it is whole, harmless when it is not."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import types
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from gough import files
from gough.graph import record, sin
from gough.run import Program, cache
from gough.run.llvm import jit, kernel
from tests.run.same_bits import assert_same

GRAPH = record(lambda x: sin(x[0]) * x[1] + 0.25, x=2)
OTHER = record(lambda x: sin(x[0]) * x[1] + 0.75, x=2)
X = np.random.default_rng(0).normal(size=(9, 2))


@pytest.fixture
def compilations(monkeypatch):
    """The list of graphs that were compiled."""
    graphs = []
    write = kernel.write_kernel

    def counted(graph, *machine):
        graphs.append(graph)
        return write(graph, *machine)

    monkeypatch.setattr(kernel, "write_kernel", counted)
    return graphs


def value(graph=GRAPH, **options):
    return Program(graph, "llvm", **options)(x=X)


def entries(folder):
    return sorted(folder.glob("gough-*.o"))


def test_a_second_program_is_not_compiled(folder, compilations):
    fresh = value()
    assert len(entries(folder)) == 1
    assert_same(value(), fresh)
    assert len(compilations) == 1


def test_an_equal_graph_recorded_again_is_found(folder, compilations):
    value()
    value(record(lambda x: sin(x[0]) * x[1] + 0.25, x=2))
    assert len(compilations) == 1


def test_the_key_depends_on_graph_width_level_and_machine(folder, monkeypatch):
    keys = {jit.cache_key(graph, opt, width) for graph in (GRAPH, OTHER) for opt in range(4) for width in (2, 4, 8)}
    assert len(keys) == 2 * 4 * 3
    key = jit.cache_key(GRAPH, 2, 8)
    for name, other in {
        "_source_digest": lambda: "another version of gough",
        "describe": lambda: ("another triple", "cpu", "features"),
    }.items():
        with monkeypatch.context() as patch:
            patch.setattr(jit, name, other)
            assert jit.cache_key(GRAPH, 2, 8) != key
    assert jit.cache_key(GRAPH, 2, 8) == key


def imported_by(module: str, found: dict[str, Path]) -> dict[str, Path]:
    """Files of all modules of gough that a module's source imports, at any depth, with the module itself."""
    if module in found or not module.startswith("gough.") or (spec := _spec(module)) is None:
        return found
    found[module] = Path(spec.origin)
    for node in ast.walk(ast.parse(found[module].read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names)):
                imported_by(name, found)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                imported_by(alias.name, found)
    return found


def _spec(module: str) -> ModuleSpec | None:
    try:
        return find_spec(module)
    except ModuleNotFoundError:
        return None  # the name of a class or a function


def test_a_change_of_any_module_that_lowering_imports_changes_the_key(monkeypatch):
    """Wherever the modules stand: a kernel of another gough must never be found."""
    modules = imported_by(kernel.__name__, {})
    assert {"gough.run.schedule", "gough.run.llvm.elementary", "gough.graph.linear", "gough.graph.ieee"} <= set(modules)
    read = Path.read_bytes

    def key(changed: Path | None) -> str:
        jit._source_digest.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", lambda file: read(file) + (b"# changed" if file == changed else b""))
            return jit.cache_key(GRAPH, 2, 8)

    own = key(None)
    assert key(None) == own
    assert [name for name, file in modules.items() if key(file) == own] == []
    jit._source_digest.cache_clear()


def test_empty_disables(tmp_path, monkeypatch, compilations):
    monkeypatch.setenv("GOUGH_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    value()
    value()
    assert len(compilations) == 2
    assert list(tmp_path.iterdir()) == []
    assert cache.folder() is None
    assert cache.size() == 0


@pytest.mark.parametrize(
    ("platform", "variables", "place"),
    [
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/gough"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": "/fast"}, "/fast/gough"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": "fast"}, "/home/me/.cache/gough"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": "./fast"}, "/home/me/.cache/gough"),
        ("linux", {"HOME": "/home/me", "XDG_CACHE_HOME": ""}, "/home/me/.cache/gough"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/gough"),
        ("win32", {"HOME": "/me", "LOCALAPPDATA": "/me/Local"}, "/me/Local/gough"),
    ],
)
def test_the_user_s_folder(monkeypatch, platform, variables, place):
    for name in ("GOUGH_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, content in variables.items():
        monkeypatch.setenv(name, content)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache.folder() == Path(place)


def test_no_home_no_cache(monkeypatch):
    def no_home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("GOUGH_CACHE")
    monkeypatch.setattr(Path, "home", no_home)
    assert cache.folder() is None


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 16]) + data[place + 1 :]


DAMAGE = {
    "empty": lambda data: b"",
    "magic only": lambda data: data[:15],
    "half": lambda data: data[: len(data) // 2],
    "last byte missing": lambda data: data[:-1],
    "a byte more": lambda data: data + b"\0",
    "wrong magic": lambda data: b"gough object 0\n" + data[15:],
    "bit flipped in the checksum": lambda data: flipped(data, 20),
    "bit flipped in the size": lambda data: flipped(data, 48),
    "bit flipped in the code": lambda data: flipped(data, len(data) // 2),
    "bit flipped at the end": lambda data: flipped(data, len(data) - 1),
    "other contents": lambda data: b"hello",
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_entries_are_rebuilt(folder, compilations, kind):
    fresh = value()
    (path,) = entries(folder)
    whole = path.read_bytes()
    path.write_bytes(DAMAGE[kind](whole))
    assert_same(value(), fresh)
    assert len(compilations) == 2
    assert path.read_bytes() == whole


def test_an_entry_under_another_s_name_is_rebuilt(folder, compilations):
    value()
    (mine,) = entries(folder)
    fresh = value(OTHER)
    (other,) = set(entries(folder)) - {mine}
    other.write_bytes(mine.read_bytes())
    assert_same(value(OTHER), fresh)
    assert len(compilations) == 3


def test_an_entry_that_is_a_folder(folder, compilations):
    value()
    (path,) = entries(folder)
    path.unlink()
    path.mkdir()
    value()
    assert path.is_dir()
    assert [p.name for p in folder.iterdir()] == [path.name]
    assert len(compilations) == 2


def test_the_folder_is_a_file(tmp_path, monkeypatch):
    place = tmp_path / "file"
    place.write_text("mine")
    monkeypatch.setenv("GOUGH_CACHE", str(place))
    value()
    assert place.read_text() == "mine"
    monkeypatch.setenv("GOUGH_CACHE", str(place / "below"))
    value()
    assert cache.size() == 0


@pytest.mark.parametrize(
    "call",
    ["os.open", "os.fdopen", "os.fstat", "os.replace", "pathlib.Path.mkdir", "os.utime", "pathlib.Path.iterdir"],
)
@pytest.mark.parametrize("error", [PermissionError(13, "Permission denied"), OSError(28, "No space left on device")])
def test_a_folder_that_refuses_is_tolerated(folder, monkeypatch, call, error, capfd):
    """Read-only and full folders, at every step (the tests may run as root, whom no permissions stop)."""

    def refuse(*arguments, **options):
        raise error

    module, name = call.split(".", 1)
    if module == "os":
        stand_in = types.SimpleNamespace(**vars(os))
        setattr(stand_in, name, refuse)
        monkeypatch.setattr(cache, "os", stand_in)
    else:
        monkeypatch.setattr(call, refuse)
    first = value()
    assert_same(value(), first)
    assert list(os.scandir(folder) if folder.exists() else []) == [] or call in ("os.utime", "pathlib.Path.iterdir")
    assert capfd.readouterr() == ("", "")


def test_a_disk_that_fills_up_while_writing(folder, monkeypatch):
    real = os.fdopen

    def full(handle, mode):
        file = real(handle, mode)

        class Full:
            def __enter__(self):
                return self

            def __exit__(self, *_):
                file.close()

            def write(self, data):
                file.write(data[:100])
                raise OSError(28, "No space left on device")

        return Full()

    monkeypatch.setattr(os, "fdopen", full)
    value()
    assert list(folder.iterdir()) == []


def test_a_read_only_folder_still_serves(folder, compilations):
    fresh = value()
    (path,) = entries(folder)
    path.chmod(0o400)
    folder.chmod(0o500)
    try:
        assert_same(value(), fresh)
        value(OTHER)
    finally:
        folder.chmod(0o700)
    assert len(compilations) == 2


def test_bounded_in_size_and_the_latest_stay(folder, monkeypatch):
    for k in range(8):
        cache.store(f"key{k}", bytes(1000))
        os.utime(folder / f"gough-key{k}.o", (k, k))
    assert cache.load("key0") is not None  # used now, so that key1 is the oldest
    monkeypatch.setattr(cache, "LARGEST", 8 * 1050)
    cache.store("key8", bytes(1000))
    assert cache.size() <= 8 * 1050 * 3 // 4
    kept = {path.stem.removeprefix("gough-") for path in entries(folder)}
    assert kept == {"key0", "key8", "key7", "key6", "key5", "key4"}


def test_an_entry_larger_than_the_bound_is_not_kept(folder, monkeypatch):
    monkeypatch.setattr(cache, "LARGEST", 100)
    value()
    assert cache.size() == 0
    value()


def test_other_files_in_the_folder_stay(folder, monkeypatch):
    folder.mkdir(mode=0o700)
    mine = [folder / name for name in ("main.o", "notes.tmp", "gough-thesis.pdf", "gough")]
    for path in mine:
        path.write_bytes(bytes(1000))
        os.utime(path, (0, 0))
    monkeypatch.setattr(cache, "LARGEST", 100)
    value()
    assert sorted(folder.iterdir()) == sorted(mine)
    assert cache.size() == 0


def test_what_dead_processes_left_is_removed(folder):
    folder.mkdir(mode=0o700)
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    new = folder / files.new_name("gough-key.o")
    old = folder / new.name.replace(f".{os.getpid()}.", f".{done.pid}.")
    other = folder / old.name.replace("gough-key", "thesis")
    for path in (old, new, other):
        path.write_bytes(b"part")
    value()
    assert not old.exists()
    assert new.exists()
    assert other.exists()


SCRIPT = """
import sys
import numpy as np
from gough.graph import record, sin
from gough.run import Program, cache
print("ready", flush=True)
sys.stdin.readline()
{before}
graph = record(lambda x: sin(x[0]) * x[1] + 0.25, x=2)
print(Program(graph, "llvm")(x=[0.5, 2.0]).hex(), flush=True)
"""


def process(before=""):
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(before=before)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


def test_processes_at_once(folder):
    processes = [process() for _ in range(3)]
    for p in processes:
        assert p.stdout.readline() == "ready\n"
    for p in processes:
        p.stdin.write("go\n")
        p.stdin.flush()
    results = {p.communicate()[0] for p in processes}
    assert results == {float(Program(GRAPH, "llvm")(x=[0.5, 2.0])).hex() + "\n"}
    assert [p.returncode for p in processes] == [0, 0, 0]
    assert [p.name for p in folder.iterdir()] == [p.name for p in entries(folder)]
    assert len(entries(folder)) == 1


@pytest.mark.parametrize("call", ["os.replace", "os.fdopen", "cache._prune"])
def test_killed_while_writing(folder, compilations, call):
    """kill -9 before the entry is written, before it gets its name, and after."""
    killed = process(f"import os, signal\n{call} = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)")
    out, _ = killed.communicate("go\n")
    assert killed.returncode == -signal.SIGKILL
    assert out == "ready\n"
    assert len(list(folder.iterdir())) == 1
    fresh = value()
    assert len(compilations) == (0 if call == "cache._prune" else 1)
    assert_same(value(), fresh)
    value(OTHER)
    assert list(folder.glob(".*")) == []
