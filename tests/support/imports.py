"""No robot is made while tests are collected: each worker collects them all, and would make each robot."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Collects with a Robot that cannot be made."""
    import gough.dynamics  # noqa: F401 (it makes a robot without legs for motions of the base)
    from gough import Robot

    def refused(*_values: object, **_named: object) -> None:
        raise RuntimeError("a robot is made when this module is imported: make it in a fixture or a cached function")

    made, read = Robot.__init__, Robot.from_spec
    Robot.__init__ = Robot.from_spec = refused  # type: ignore[method-assign, assignment]
    try:
        return (yield)
    finally:
        Robot.__init__, Robot.from_spec = made, read  # type: ignore[method-assign]
