"""Searches: assembly modes, workspace, singularities, time-optimal motions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import gough
from tests.support.adapter import Sizes, each, verdict
from tests.support.adapter.along import loaded, short_motion
from tests.support.adapter.policies import DERIVED, SEARCHED, SOLVED, TRAVELLED
from tests.support.questions import Answer, Array, Question, States
from tests.support.snapshot_machines import CATALOGUE

SMALL = tuple(name for name in CATALOGUE if name not in ("cable8", "rotary", "sru"))


def limit_words(limits: Iterable[Any]) -> str:
    """Limits that end something, as sorted neutral words."""
    return ", ".join(sorted(f"{limit.kind} {limit.owner} {limit.end}".strip() for limit in limits))


def assembly_modes(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """All poses at the actuator displacements of home, as sorted positions and rotation matrices: angles wrap."""
    found = gough.assembly_modes(robot, states["q"][0])
    length = float(states["length"])
    poses = np.concatenate([found.p / length, found.R.reshape(len(found.p), -1)], axis=1)
    order = np.lexsort(np.round(poses, 6).T)
    return {
        "poses": Answer(poses[order], "invariant", SOLVED),
        "singular_value": Answer(found.singular_value[order], "invariant", DERIVED, 1e-3),
        "side": verdict(found.side[order]),
        "branch": verdict(found.branch[order]),
        "within_limits": verdict(found.within_limits[order]),
        "certified": verdict(found.certified[order]),
        "complete": verdict(bool(np.all(found.complete))),
        "complex_count": verdict(found.complex),
    }


def _travel(prefix: str, found: gough.Workspace, states: States) -> dict[str, Answer]:
    ends = np.array([[axis.low, axis.high] for axis in found.travel])
    if prefix == "wrench_at_point_":  # stored of the platform's origin, not of the point where the wrench acts
        ends -= [[0.0 if axis.turns else axis.at - at] for axis, at in zip(found.travel, found.x, strict=True)]
    words = [[limit_words(axis.low_limits), limit_words(axis.high_limits)] for axis in found.travel]
    return {
        f"{prefix}travel": Answer(ends, "coordinate", TRAVELLED, Sizes.of(states).length),
        f"{prefix}axes": verdict([axis.axis for axis in found.travel]),
        f"{prefix}ends": verdict(words),
    }


def workspace_travel(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Travel of each axis with the limits that end it: own and stated limits, a wrench at a point, speeds, a pivot."""
    length, wrench = float(states["length"]), 0.2 * states["wrench"][0]
    rows = {
        "": {},
        "condition_": {"limits": {"condition": 20.0}},
        "wrench_": {"limits": {"force": 20.0 * (float(states["weight"]) or 1.0)}, "wrench": wrench},
        "wrench_at_point_": {
            "limits": {"force": 20.0 * (float(states["weight"]) or 1.0)},
            "wrench": wrench,
            "tool": states["wrench_point"],
        },
        "twist_": {"limits": {"speed": 2.0}, "twist": [0.1 * length, 0.0, 0.05 * length, 0.1, 0.0, 0.2]},
        "pivot_": {"convention": "uvw", "tool": 0.2 * states["wrench_point"]},
        "convention_": {"convention": "fixed-xyz"},
    }
    return each(
        {
            prefix.rstrip("_"): lambda prefix=prefix, options=options: _travel(  # type: ignore[misc]
                prefix, _travelled(robot, **options), states
            )
            for prefix, options in rows.items()
        }
    )


def _travelled(robot: gough.Robot, tool: Array | None = None, **options: Any) -> gough.Workspace:
    """The travel of a robot, of another one with a tool where that is given."""
    return gough.workspace(robot if tool is None else robot.with_tool(tool), travel_only=True, **options)


def workspace_volume(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Volume on a coarse grid, largest shapes, tilts, solid angle, and volumes of tilted platforms."""

    def room() -> dict[str, Answer]:
        found = gough.workspace(robot.with_tool(0.2 * states["payload_com"]), cells=24)
        answer = {"missing": Answer(np.array(sorted(found.missing), dtype=str), "names", "names")}
        if found.volume is not None:
            answer["volume"] = Answer(np.array(found.volume.measure), "invariant", SEARCHED)
            answer["extent"] = Answer(np.array(list(found.volume.largest_extent.values())), "length", SEARCHED)
        for shape in found.shapes:
            answer[f"{shape.shape}_size"] = Answer(np.array(shape.size), "length", SEARCHED)
            answer[f"{shape.shape}_limits"] = verdict(limit_words(shape.limits))
        if found.tilts is not None:
            answer["tilt"] = Answer(found.tilts.tilt, "invariant", SEARCHED)
            answer["least_tilt"] = Answer(np.array([found.tilts.least]), "invariant", SEARCHED)
        if found.solid_angle is not None:
            answer["solid_angle"] = Answer(np.array(found.solid_angle.value), "invariant", SEARCHED)
        return answer

    def tilted() -> dict[str, Answer]:
        found = gough.workspace(robot, cells=16, tilt=0.1)
        sets = found.sets
        if sets is None:
            return {"tilted_missing": verdict(len(found.missing))}
        volumes = np.array([sets.reachable, sets.every, sets.given, sets.upright])
        return {"tilted_volumes": Answer(volumes, "invariant", SEARCHED)}

    turning = sum(coordinate.turns for coordinate in robot.platform.all_coordinates)
    return each({"room": room} | ({"tilted": tilted} if turning > 1 else {}))


def workspace_comparison(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Travel under two conditions, compared figure by figure."""
    first = gough.workspace(robot, travel_only=True)
    second = gough.workspace(robot, limits={"condition": 20.0}, travel_only=True)
    figures = gough.compare_workspaces(first, second).figures
    values = np.array([[figure.first, figure.second] for figure in figures], dtype=float)
    return {"values": Answer(values, "invariant", SEARCHED, Sizes.of(states).length)}


def singularities(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Nearest singularities of each kind about home."""
    found = gough.singularities(robot)
    answer = {
        "kinds": verdict([nearest.kind for nearest in found.found]),
        "singular_value": Answer(np.array(found.singular_value), "invariant", SOLVED),
    }
    for nearest in found.found:
        answer[f"distance_{nearest.kind}"] = Answer(np.array(nearest.distance), "length", SEARCHED)
    return answer


def first_singularity(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The first singularity on straight lines from home, and up to where it is proved that there is none."""
    answer = {}
    home = states["from"]
    for row, factor in ((1, 3.0), (2, -2.0)):
        found = gough.first_singularity(robot, home, home + factor * (states["x"][row] - home))
        share = np.nan if found.share is None else found.share
        end = np.nan if found.end is None else found.end
        answer[f"share_{row}"] = Answer(np.array([share, end]), "invariant", SEARCHED)
        answer[f"end_legs_{row}"] = Answer(np.array(sorted(found.end_legs), dtype=str), "names", "names")
    return answer


def time_optimal(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Shortest duration along a path within limits of force and speed, and with bounded jerk."""
    weight, length = float(states["weight"]) or 1.0, float(states["length"])
    limits = {"force": 5.0 * weight * max(length, 1.0), "speed": 2.0}

    def fastest() -> dict[str, Answer]:
        found = gough.fastest(*loaded(robot, states), limits, cells=200)
        return {
            "duration": Answer(np.array(found.duration), "invariant", SEARCHED),
            "fits": verdict(bool(found.fits)),
        }

    def jerk_limited() -> dict[str, Answer]:
        found = gough.move(robot, short_motion(robot, states), limits, jerk=100.0)
        return {
            "jerk_limited_duration": Answer(np.array(found.duration), "invariant", SEARCHED),
            "jerk_limited_largest": Answer(np.array(found.largest), "invariant", SEARCHED),
        }

    return each({"fastest": fastest, "jerk_limited": jerk_limited})


def singularity_slice(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Numbers behind the picture of poses in two coordinates: levels of its contours and the length of their lines."""
    axes = gough.singularity_slice(robot).axes[0]
    answer = {"window": Answer(np.array([*axes.get_xlim(), *axes.get_ylim()]), "length", SEARCHED)}
    for number, contours in enumerate(axes.collections):
        lengths = [
            sum(float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines)
            for lines in contours.allsegs
        ]
        answer[f"levels_{number}"] = Answer(np.asarray(contours.levels, dtype=float), "invariant", SEARCHED)
        answer[f"line_length_{number}"] = Answer(np.array(lengths), "length", SEARCHED)
    return answer


def _question(
    name: str, honours: str = "", machines: tuple[str, ...] | None = None, seconds: float = 120.0
) -> Question:
    return Question(name, "searches", machines, frozenset(honours.split()), f"searches:{name}", seconds)


WITH_ALL_POSES = tuple(name for name in CATALOGUE if name != "cable8") + (
    "par4", "agile_eye", "balanced3rrr", "random_UPS", "random_RUS", "random_PRR", "random_RPa", "random_RRU",
    "dependent_exechon", "dependent_prs", "dependent_ankle", "puu4", "star",
)  # fmt: skip
"""Machines without cables whose poses are found by continuation or elimination within the time of a question."""
TABLE = {
    question.name: question
    for question in (
        _question("assembly_modes", "limits", WITH_ALL_POSES),
        _question(
            "workspace_travel",
            "wrench wrench_point gravity limits",
            (
                *CATALOGUE,
                "par4",
                "agile_eye",
                "balanced3rrr",
                "random_RPa",
                "dependent_exechon",
                "redundant_RRR",
                "hall",
            ),
        ),
        _question("workspace_volume", "gravity limits", (*SMALL, "agile_eye", "par4")),
        _question("workspace_comparison", "limits", ("stewart", "delta", "fivebar")),
        _question("singularities", "limits", (*SMALL, "dependent_exechon", "redundant_RRR")),
        _question("first_singularity", "", (*SMALL, "agile_eye", "par4", "random_UPS")),
        _question("time_optimal", "wrench wrench_point gravity limits", (*CATALOGUE, "par4", "redundant_RRR")),
        _question("singularity_slice", "limits", ("fivebar", "planar3rrr")),
    )
}
