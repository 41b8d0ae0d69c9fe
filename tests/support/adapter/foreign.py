"""Files of other programs, read; and drawings of machines, by the grey of their parts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np

import gough
from tests.support.adapter import each, verdict
from tests.support.adapter.commands import run
from tests.support.adapter.policies import GREY, IMPORTED, SOLVED
from tests.support.questions import NO_MACHINE, Answer, Question, States

FOREIGN = Path(__file__).parents[2] / "data" / "foreign"
MADE = Path(__file__).parents[2] / "data" / "imported"
"""Small mechanisms with what other programs write: parallelograms, several joints of a body, loops by two parents."""


def imported(robot: Any, states: States) -> dict[str, Answer]:
    """Files of other programs: coordinates, motors, masses, and forces about home; or the class of what is refused."""
    bar5, delta = FOREIGN / "gepetto_5bar", FOREIGN / "gepetto_delta"
    lighter = (bar5 / "robot.urdf").read_text()
    lighter = lighter.replace("654498.46949787356425", "0.6").replace("163.62461737446", "0.00000000163624617374")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        shutil.copytree(MADE, ".", dirs_exist_ok=True)
        texts = {"lighter.urdf": lighter, "empty.urdf": "", "words.xml": "<mujoco>", "none.sdf": "<sdf version='1.9'/>"}
        for name, text in texts.items():
            Path(name).write_text(text)

        def one(name: str, file: str | Path, *more: Any, **options: Any) -> dict[str, Answer]:
            made = gough.import_robot(file, *more, **options).robot
            home = np.asarray(made.platform.home, dtype=float)[: made.dof]
            rate = 0.1 * np.sin(np.arange(1, made.dof + 1))
            found = gough.inverse_dynamics(made, gough.State(home, rate, rate))
            return {
                f"{name}.force": Answer(np.asarray(found.force)[None], "actuator", IMPORTED, 1e-3),
                f"{name}.home": Answer(home, "coordinate", IMPORTED, 1e-3),
                f"{name}.masses": Answer(np.sort([body.mass for body in made.bodies]), policy=SOLVED),
                f"{name}.motors": Answer(np.array(made.actuator_names), "names", "names"),
                f"{name}.coordinates": Answer(np.array(made.coordinate_names), "names", "names"),
            }

        cases: dict[str, Callable[[], dict[str, Answer]]] = {
            "five bars": lambda: one("five bars", "five.urdf", "tip", actuated=["a", "b"]),
            "lever": lambda: one("lever", "lever.xml", "plate"),
            "four bars": lambda: one("four bars", "bars.sdf", "coupler"),
            "guided": lambda: one("guided", "guided.urdf", "tip"),
            "other five bars": lambda: one("other five bars", "lighter.urdf", "end_rod", loops=bar5 / "robot.yaml"),
            "other delta": lambda: one("other delta", delta / "robot.urdf", "effector", loops=delta / "robot.yaml"),
            "heavy": lambda: one("heavy", bar5 / "robot.urdf", "end_rod"),
            "tree": lambda: one("tree", FOREIGN / "drake_four_bar" / "four_bar.sdf"),
            "no platform": lambda: one("no platform", "guided.urdf"),
            "skew": lambda: one("skew", "skew.urdf", "tip"),
            "large": lambda: one("large", "large.urdf", "tip", actuated=["a", "b"]),
            "balls": lambda: one("balls", "balls.sdf", "coupler"),
            "screws": lambda: one("screws", "screws.sdf", "coupler"),
            "no motor": lambda: one("no motor", "five.urdf", "tip", actuated=["nosuch"]),
            "no base": lambda: one("no base", "five.urdf", "tip", base="nosuch"),
            "not free": lambda: one("not free", "five.urdf", "tip", actuated=["a", "b"], independent=["nosuch"]),
            "empty": lambda: one("empty", "empty.urdf"),
            "words": lambda: one("words", "words.xml"),
            "none": lambda: one("none", "none.sdf"),
        }
        return each(cases)


def pictures(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Drawings at home and of all assembly modes, and the page of a notebook: grey of 16 by 16 parts."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        Path("machine.toml").write_text(str(states["text"]))

        def drawn(name: str, line: str) -> dict[str, Answer]:
            code = run(f"{line} --png {name}.png")[0]
            if not Path(f"{name}.png").exists():  # refused: all poses of a machine with cables
                return {f"{name}.exit": verdict(str(code))}
            picture = matplotlib.image.imread(f"{name}.png")[..., :3].mean(axis=2)
            rows, columns = (np.array_split(np.arange(size), 16) for size in picture.shape)
            grey = np.array([[picture[np.ix_(r, c)].mean() for c in columns] for r in rows])
            return {f"{name}.grey": Answer(grey, policy=GREY), f"{name}.exit": verdict(str(code))}

        def notebook() -> dict[str, Answer]:
            page = robot._repr_html_()
            return {"notebook": verdict([page.count("<tr>"), page.count("<img")])}

        def forces() -> dict[str, Answer]:
            move = gough.Motion.to(robot, states["to"], 1.0, start=states["from"])
            found = gough.inverse_dynamics(robot, move.sample(9))
            return {"forces": verdict([gough.plot_forces(found, end)[:4].hex() for end in (".png", ".pdf")])}

        return each(
            {
                "home": lambda: drawn("home", "view machine.toml"),
                "modes": lambda: drawn("modes", "fk machine.toml --all"),
                "notebook": notebook,
                "forces": forces,
            }
        )


DRAWN = ("agile_eye", "hall", "sprung", "sprung_bodies", "puu4", "star", "random_PRR", "ankle", "planar3rrr", "tricept")
TABLE = {
    "files of other programs": Question(
        "files of other programs", "exports", (NO_MACHINE,), frozenset(), "foreign:imported", 60.0
    ),
    "drawings": Question("drawings", "files", DRAWN, frozenset(), "foreign:pictures", 60.0),
}
