"""Machines that fail are counted by reason, the first of each with its pose; other measures keep their values."""

import numpy as np
import pytest

import gough
from gough.studies.reductions import Block, Failures
from tests.dynamics.test_cables import WINCH, hung


def _pulled():
    low, high = gough.load("cable8").platform.home[2] - 0.2, 5.5
    return gough.Study.of(
        robot="cable8",
        machines=8,
        seed=3,
        vary=[{"number": "platform.mass", "uniform": "1 kg"}],
        poses={"box": {"x": [0.0, 6.0], "z": [low, high]}, "points": 16},
        measure=["peak_force", "condition"],
        keep="rows",
    )


def test_no_tensions_are_told_with_the_pose_and_the_condition_is_kept():
    study = _pulled()
    found = study.run()
    (entry,) = found.failures["reasons"]
    assert (entry["reason"], entry["machines"], entry["first"]) == ("no tensions within limits", 8, 0)
    x = study.samples()[0]
    forces = gough.inverse_dynamics(study.machine(0), x).force
    assert entry["sample"] == np.flatnonzero(~np.isfinite(forces).all(axis=1))[0]
    assert f"8 no tensions within limits (first: machine 0, pose {entry['sample']}: x = " in found.summary
    assert np.isnan(found.rows["peak_force"]).all()
    assert np.isfinite(found.rows["condition"]).all()
    assert list(found.reductions) == [f"{kind} of {of}" for of in study.measures for kind in ("moments", "extremes")]


def test_reasons_merge_to_the_first_machine_of_each():
    failures = Failures(("a",), ("far", "flat"))
    nan = np.nan
    left = failures.leaf(Block(0, {"a": np.array([1.0, nan, nan])}, np.array([0, 2, 2]), np.array([-1, 7, 3])))
    right = failures.leaf(Block(3, {"a": np.array([nan, nan, 2.0])}, np.array([1, 2, 0]), np.array([4, 0, -1])))
    assert failures.result(failures.merge(left, right)) == {
        "machines": 6,
        "failed": 4,
        "reasons": [
            {"reason": "flat", "machines": 3, "first": 1, "sample": 7},
            {"reason": "far", "machines": 1, "first": 3, "sample": 4},
        ],
    }


def test_all_faults_are_told_at_once_and_measures_are_counted_from_one():
    with pytest.raises(gough.InputError) as caught:
        gough.Study.of(
            robot="cable8",
            machines=10,
            vary=[{"number": "leg.1.nothing", "normal": "5 mm"}],
            measure=["condition", "peakforce"],
        )
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["vary.1.number", "measure.2"]


def test_a_function_that_raises_names_the_argument_in_python():
    study = gough.Study.of(
        robot="delta", machines=2, vary=[{"number": "platform.mass", "uniform": "1%"}], measure=[lambda machine: 1 / 0]
    )
    with pytest.raises(gough.InputError, match=r'on_error="count" counts it as failed'):
        study.run()
    found = study.run(on_error="count")
    assert found.why_failed == ("2 <lambda> raised, or gave no finite number (first: machine 0)",)


def test_usage_of_cables_is_of_their_tensions():
    """At rest winches with rotors and friction pull as those without, which have no limit of their own."""
    found = []
    for actuator in ({}, WINCH):
        study = gough.Study.of(
            robot=hung(actuator),
            machines=4,
            seed=3,
            vary=[{"number": "platform.mass", "uniform": "1 kg"}],
            measure=["usage"],
            keep="rows",
        )
        found.append(study.run().rows["usage"])
    assert found[0] == pytest.approx(found[1], rel=1e-14)
    assert (found[0] > 30.0 / 350.0).all()
