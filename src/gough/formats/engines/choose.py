"""The engine that can judge a robot read from a file."""

from __future__ import annotations

from pathlib import Path

from gough.formats.engines.engine import Engine
from gough.formats.xml_text import FormatError


def engine_of(path: Path, form: str, loops: str | Path | None) -> tuple[Engine | None, str]:
    """The engine with the file opened, or None and why there is none."""
    try:
        if form == "URDF":
            return _pinocchio(path, loops), ""
        if form == "MJCF":
            from gough.formats.engines.mujoco_engine import MujocoEngine

            return MujocoEngine(path), ""
    except ImportError as error:
        return None, f"{error.name} is not installed"
    except FormatError as error:
        return None, str(error)
    return None, "none in Python reads SDF"


def _pinocchio(path: Path, loops: str | Path | None) -> Engine:
    import yaml

    from gough.formats.engines.pinocchio_engine import PinocchioEngine
    from gough.formats.xml_text import read_text

    beside = path.with_suffix(".yaml") if loops is None else Path(loops)
    stated = yaml.safe_load(read_text(beside)) if beside.is_file() else {}
    return PinocchioEngine.opened(path, stated)
