"""`gough export`: the lines a user sees, and files written whole or not at all."""

from __future__ import annotations

import pytest

from tests.cli.running import outcome


def test_writes_and_says_what_is_left_out(capsys, tmp_path):
    code, out, err = outcome(capsys, "export", "urdf", "rotary", "--out", f"{tmp_path}/r.urdf")
    assert code == 0
    assert out == f"wrote {tmp_path}/r.urdf and {tmp_path}/r.yaml\n"
    first, second = err.splitlines()
    cones = ", ".join(f"leg.{leg}.U{k}.cone" for leg in (1, 2, 3) for k in (1, 2))
    assert first == f"gough: note: {cones[: cones.rindex(',')]} and 7 more: left out, a hinge has no cone"
    assert second.startswith("gough: note: leg.1.end.cone, ")
    assert "<!-- leg.1.U1.cone: left out, a hinge has no cone -->" in (tmp_path / "r.urdf").read_text()


CABLE = "leg.1: a cable has no place in {}; export mjcf, which has tendons"
SEE = "(see gough export {}--help)"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("mjfc delta", f"export: no such target 'mjfc'; did you mean mjcf? {SEE.format('')}"),
        ("step delta", f"export: no such target 'step'; there are mjcf, urdf, sdf, c, fmu {SEE.format('')}"),
        ("sdf delta", f"export sdf: --out FILE is missing: the file to write {SEE.format('sdf ')}"),
        ("sdf delta --out {}/d.xml", "--out {}/d.xml: the file's name must end in .sdf"),
        ("sdf cable8 --out {}/c.sdf", CABLE.format("SDF")),
        ("urdf cable8 --out {}/c.urdf", CABLE.format("URDF")),
    ],
)
def test_bad_input(capsys, tmp_path, words, line):
    assert outcome(capsys, "export", *words.format(tmp_path).split()) == (
        2,
        "",
        f"gough: error: {line.format(tmp_path)}\n",
    )
    assert list(tmp_path.iterdir()) == []
