"""Files are written whole or not at all."""

from __future__ import annotations

import os

import pytest

from gough.cli import files


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
