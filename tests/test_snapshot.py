"""The small snapshot: numbers of five machines are those that are stored; and what a comparison notices.

After a change of numbers that is meant, take the small snapshot again:

    python tools/snapshot.py take tests/data/snapshot/small.npz --small
"""

from __future__ import annotations

import inspect
import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import gough
from tests.support import adapter, questions, snapshot_machines
from tests.support.questions import QUESTIONS, Answer, Question
from tools import snapshot
from tools.snapshot import Change, Moved, Snapshot

ADAPTER = Path(adapter.__file__).parent
NOT_ASKED = {"register_leg_type", "to_python"}
"""Public functions that give no numbers, or are to be removed."""


@pytest.fixture(scope="module")
def stored() -> Snapshot:
    return Snapshot.read(snapshot.SMALL_FILE)


@pytest.mark.parametrize("machine", snapshot.SMALL_ROBOTS)
def test_numbers_are_those_of_the_small_snapshot(stored, machine):
    taken, _ = snapshot.take_machine(machine, snapshot.Selection.of_small().asked(machine), snapshot.SMALL_STATES)
    old = stored.selected(lambda key: key.endswith(f"/{machine}"))
    assert len(old.answers) > 100
    changes, added = snapshot.compare(old, taken)
    lines = [f"{change.size:.2e} {change.key}: {change.what}" for change in changes[:20]]
    assert not changes, "\n".join([f"{len(changes)} keys moved; if they should, see the head of this file:", *lines])
    assert not added, f"keys without stored numbers, take them again: {added[:5]}"


def test_no_stored_answer_is_a_failure_of_the_adapter(stored):
    """A name that is gone raises an AttributeError, which is no answer of gough; nor is that time is up."""
    failed = [key for key, value in stored.answers.items() if str(value.value).startswith(questions.FAILED)]
    assert not failed


def answer(*values: float, **stated: object) -> Answer:
    return Answer(np.array(values), **stated)  # type: ignore[arg-type]


def snapshot_of(processor: str = "this", **fields: Answer) -> Snapshot:
    answers = {f"question/{name}/machine": value for name, value in fields.items()}
    return Snapshot(answers, {"machine": np.ones(3)}, {"processor": processor, "versions": {}})


def moved_keys(old: Snapshot, new: Snapshot, bits: bool = False) -> list[str]:
    return [change.key for change in snapshot.compare(old, new, bits)[0]]


def test_files_give_back_what_was_stored(tmp_path):
    first = snapshot_of(
        numbers=Answer(np.array([[1.0, np.nan], [-0.0, np.inf]]), "vector", "solver 1e-8", 0.5),
        counts=Answer(np.array([1, 2]), "verdict", "verdict"),
        truths=Answer(np.array(True), "verdict", "verdict"),
        words=Answer(np.array([["a", "b c"]]), "names", "names"),
        nothing=Answer(np.zeros((0, 3))),
        no_words=Answer(np.array([], dtype=str), "names", "names"),
    )
    first.save(tmp_path / "file.npz")
    again = Snapshot.read(tmp_path / "file.npz")
    assert again.about == first.about
    assert again.answers.keys() == first.answers.keys()
    assert not moved_keys(first, again, bits=True)
    for key, value in first.answers.items():
        assert replace(again.answers[key], value=value.value) == value
        assert again.answers[key].value.dtype.kind == value.value.dtype.kind


@pytest.mark.parametrize(("change", "moves"), [(1e-10, True), (1e-12, False)])
def test_change_beyond_round_off_is_noticed(change, moves):
    old, new = snapshot_of(force=answer(1.0, 2.0)), snapshot_of(force=answer(1.0, 2.0 * (1 + change)))
    assert bool(moved_keys(old, new)) == moves
    assert moved_keys(old, new, bits=True)


def test_stated_tolerance_of_a_solver_counts():
    old, new = (snapshot_of(t=answer(value, policy="solver 1e-6")) for value in (1.0, 1.0 + 5e-7))
    far = snapshot_of(t=answer(1.0 + 2e-6, policy="solver 1e-6"))
    assert not moved_keys(old, new)
    assert moved_keys(old, far)


def test_floor_keeps_values_that_cancel_from_false_alarms():
    values = (1e-14, 2e-14)
    assert moved_keys(*(snapshot_of(force=answer(value)) for value in values))
    assert not moved_keys(*(snapshot_of(force=answer(value, size=1e-2)) for value in values))


def test_each_sample_has_its_own_scale_and_condition():
    old = Answer(np.array([[1.0, 1.0], [1e6, 1e6], [1.0, 1.0]]))
    change = np.zeros((3, 2))
    change[0, 0] = 1e-9
    new = Answer(old.value + change)
    assert moved_keys(snapshot_of(f=old), snapshot_of(f=new))
    singular = snapshot_of(f=old)
    singular.conditions["machine"] = np.array([1e3, 1.0, 1.0])
    assert not moved_keys(singular, snapshot_of(f=new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (answer(1.0, np.nan), answer(1.0, 2.0)),
        (answer(1.0, 2.0), answer(1.0, np.nan)),
        (answer(1.0, np.inf), answer(1.0, 2.0)),
        (answer(1.0, 2.0), answer(1.0)),
        (Answer(np.array([1.0])), Answer(np.array([1]))),
        (Answer(np.array(["fine"]), "verdict", "verdict"), Answer(np.array(["out of reach"]), "verdict", "verdict")),
        (Answer(np.array(["a", "b"]), "names", "names"), Answer(np.array(["a"]), "names", "names")),
        (answer(1.0), answer(1.0, policy="solver 1e-6")),
        (answer(1.0), answer(1.0, kind="vector")),
    ],
    ids=["NaN gone", "NaN", "infinite", "shape", "type", "verdict", "names", "policy", "kind"],
)
def test_what_is_no_number_is_noticed(old, new):
    assert moved_keys(snapshot_of(f=old), snapshot_of(f=new)) == ["question/f/machine"]


def test_order_of_names_does_not_count():
    first, second = (Answer(np.array(names), "names", "names") for names in (["a", "b"], ["b", "a"]))
    assert not moved_keys(snapshot_of(f=first), snapshot_of(f=second))


def test_missing_key_is_a_change_and_a_new_one_is_listed():
    old, new = snapshot_of(a=answer(1.0)), snapshot_of(b=answer(1.0))
    changes, added = snapshot.compare(old, new)
    assert [(change.key, change.what) for change in changes] == [("question/a/machine", "missing")]
    assert added == ["question/b/machine"]


def test_bits_are_compared_on_one_machine_only():
    value, other = (answer(number, policy="bits") for number in (1.0, np.nextafter(1.0, 2.0)))
    assert moved_keys(snapshot_of(f=value), snapshot_of(f=other))
    assert not moved_keys(snapshot_of(f=value), snapshot_of("another", f=other))
    with pytest.raises(SystemExit, match="one machine only"):
        snapshot.compare(snapshot_of(f=value), snapshot_of("another", f=other), bits=True)


CHANGES = (Change("check/margin/delta", 1e-6, ""), Change("check/margin/stewart", 1e-9, ""))


@pytest.mark.parametrize(
    ("line", "left", "fault"),
    [
        (Moved("check/margin/*", 2, 2e-6, "reason"), 0, None),
        (Moved("check/margin/delta", 2, 2e-6, "reason"), 1, None),
        (Moved("check/margin/*", 1, 2e-6, "reason"), 0, "2 keys moved, 1 stated"),
        (Moved("check/margin/*", 2, 1e-7, "reason"), 0, "largest change is 1e-06"),
        (Moved("demand/*", 2, 1e-7, "reason"), 2, "covers nothing"),
    ],
    ids=["covered", "in part", "too many keys", "too large", "nothing"],
)
def test_lines_of_expected_changes(line, left, fault):
    changes, faults = snapshot.uncovered(CHANGES, [line])
    assert len(changes) == left
    assert len(faults) == (fault is not None)
    assert fault is None or fault in faults[0]


def test_compare_exits_1_unless_a_line_covers_the_change(tmp_path, capsys):
    old, new, lines = tmp_path / "old.npz", tmp_path / "new.npz", tmp_path / "moved.toml"
    snapshot_of(f=answer(1.0)).save(old)
    snapshot_of(f=answer(1.1)).save(new)
    lines.write_text("")
    command = ["compare", str(old), str(new), "--moved", str(lines)]
    assert snapshot.main(command) == 1
    assert "question/f" in capsys.readouterr().out
    lines.write_text('[[moved]]\nkey = "question/f/*"\nkeys = 1\nlargest = 0.2\nreason = "tested"\n')
    assert snapshot.main(command) == 0
    assert snapshot.main(["compare", str(old), str(old), "--moved", str(lines)]) == 1


def test_lines_of_the_repository_can_be_read():
    assert all(line.reason and line.keys > 0 for line in snapshot.read_moved(snapshot.MOVED))


def test_exception_is_an_answer(monkeypatch):
    def refuse(robot: object, states: object) -> dict[str, Answer]:
        raise gough.InputError("no")

    monkeypatch.setattr(adapter, "refuse", refuse, raising=False)
    monkeypatch.setattr(questions, "_ADAPTER", "tests.support")
    question = Question("refuse", "arrays", None, frozenset(), "adapter:refuse")
    monkeypatch.setattr(questions.importlib, "import_module", lambda name: adapter)
    assert str(questions.answers(question, None, {})["error"].value) == "input refused"


def test_question_that_takes_too_long_is_ended(monkeypatch):
    def wait(robot: object, states: object) -> dict[str, Answer]:
        start = time.process_time()
        while time.process_time() - start < 5.0:
            pass
        return {}

    monkeypatch.setattr(adapter, "wait", wait, raising=False)
    monkeypatch.setattr(questions.importlib, "import_module", lambda name: adapter)
    question = Question("wait", "arrays", None, frozenset(), "adapter:wait", seconds=0.05)
    assert str(questions.answers(question, None, {})["error"].value) == "more than 0.05 s"


def test_numbers_of_text_are_found_by_value_in_any_order():
    page = snapshot_of(page=answer(1.23456, 2.34567, kind="values", policy="solver 1e-4"))
    longer = snapshot_of(page=answer(9.87654, 2.34567, 1.234561, kind="values", policy="solver 1e-4"))
    assert moved_keys(page, longer) == []
    assert moved_keys(longer, page) == ["question/page/machine"]


def test_machines_of_all_questions_are_stored():
    known = {*snapshot_machines.names(), questions.NO_MACHINE}
    unknown = {name: set(q.machines or ()) - known for name, q in QUESTIONS.items() if set(q.machines or ()) - known}
    assert not unknown


def test_every_public_function_with_numbers_is_asked():
    source = "\n".join(path.read_text() for path in ADAPTER.glob("*.py") if path.name != "draw_machines.py")
    used = set(re.findall(r"\bgough\.(\w+)", source))
    functions = {name for name in gough.__all__ if inspect.isfunction(getattr(gough, name))}
    assert functions - used - NOT_ASKED == set()
    assert functions.issuperset(NOT_ASKED), "a name that is no public function any more"


def test_policies_are_stated_once_with_the_error_that_they_admit():
    sources = {path.name: path.read_text() for path in ADAPTER.glob("*.py")}
    stated = sources.pop("policies.py")
    assert not [name for name, text in sources.items() if re.search(r"""["']solver """, text)]
    assert re.findall(r"(?m)^[A-Z_]+ = .*\n(?!\"{3})", stated.split("import annotations")[1]) == []
