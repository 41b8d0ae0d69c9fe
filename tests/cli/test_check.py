"""`gough check`: page, JSON, exit codes and error lines."""

import json
import re

import pytest

from tests.cli.running import outcome
from tests.support.robots import catalogue_text


def test_a_motion_that_fits(capsys):
    code, out, err = outcome(capsys, "check", "stewart")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "stewart, motion trig3, 4 s: fits"
    assert lines[2].split() == ["limit", "worst", "t", "[s]", "value", "allowed", "margin", "unit"]
    assert "det K keeps its sign: no singularity is passed." in lines
    assert any(line.startswith("Not checked: power (no limit)") for line in lines)
    assert "What to try:" in lines


def test_a_motion_that_does_not(capsys):
    code, out, err = outcome(capsys, "check", "planar3rrr", "--limit", "speed=20deg/s")
    assert (code, err) == (1, "")
    assert out.startswith("planar3rrr, motion reach, 2 s: does not fit: speed\n")
    assert "VIOLATED" in out


def test_json(capsys, tmp_path):
    target = tmp_path / "check.json"
    code, out, _ = outcome(capsys, "check", "hexapod", "--limit", "condition=2", "--json", "--out", str(target))
    assert (code, out) == (1, f"wrote {target}\n")
    found = json.loads(target.read_text())
    assert found["violated"] == ["condition"]
    assert found["characteristic_length"] == pytest.approx(0.3)
    assert {entry["kind"] for entry in found["findings"]} == {"stroke", "speed", "force", "distance", "condition"}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--limit", "forse=3"), "--limit forse=3: no limit forse (did you mean force?)"),
        (("--limit", "force"), "--limit force: must be KIND=VALUE, e.g. force=100 or stroke=0.1,0.4"),
        (
            ("--limit", "force=ten"),
            "--limit force=ten: ten is not a number, with or without a unit (N, kN, lbf or kgf)",
        ),
        (("--limit", "force=3mm"), "--limit force=3mm: its unit must be N, kN, lbf or kgf, not mm"),
        (("--limit", "stroke=3"), "--limit stroke=3: stroke takes two values, LOW,HIGH"),
        (("--limit", "speed=1,2"), "--limit speed=1,2: speed takes one value"),
        (("--limit", "speed=1", "--limit", "speed=2"), "--limit speed=2: speed is given twice"),
        (("--limit", "angle=45"), "--limit angle=45: more than half a turn; for degrees write 45deg"),
        (("--limit", "condition=5m"), "--limit condition=5m: is a plain number, without a unit"),
        (("--limit", "power=0"), "limit power: 0: must be greater than 0"),
        (("--out", "/nowhere/a.txt"), "--out /nowhere/a.txt: no such folder /nowhere"),
    ],
)
def test_error_lines(capsys, arguments, line):
    assert outcome(capsys, "check", "stewart", *arguments) == (2, "", f"gough: error: {line}\n")


def test_no_limit_at_all(capsys, tmp_path):
    text = catalogue_text("stewart")
    bare = tmp_path / "bare.toml"
    bare.write_text("\n".join(line for line in text.splitlines() if not line.startswith(("actuator", "radius"))))
    code, out, err = outcome(capsys, "check", str(bare), "--to", "z=2.1", "--duration", "1")
    assert (code, out) == (2, "")
    assert err.startswith("gough: error: check: stewart states no limit and none is given; give e.g. limit force")
    assert err.count("\n") == 1


def test_out_of_reach(capsys):
    code, out, err = outcome(capsys, "check", "delta", "--to", "z=-2", "--duration", "1")
    assert code == 3
    begins = "gough: error: motion minimum-jerk leaves the workspace at t = 0.516562 s: leg A is out of reach"
    assert err == f"{begins}; at worst by 0.5355 m at t = 1 s\n"
    lines = out.splitlines()
    assert lines[0].startswith("delta, motion minimum-jerk, 1 s: does not fit: reach")
    assert lines[1] == "Leg A is out of reach at t = 0.516562 s (at worst by 0.5355 m at t = 1 s): checked up to there."
    assert [line.split()[0] for line in lines[4:7]] == ["stroke", "speed", "force"]
    amplitude = float(re.search(r"amplitude: up to (\S+) times about the first pose fits", out)[1])
    assert f"fits (then stroke): --scale {amplitude}" in out
    for factor, codes in ((amplitude, (0,)), (1.002 * amplitude, (1, 3))):
        code, out_, _ = outcome(capsys, "check", "delta", "--to", "z=-2", "--duration", "1", "--scale", repr(factor))
        assert code in codes
        assert out_.startswith(f"delta, motion minimum-jerk scaled by {factor:.12g}, 1 s: ")
    smaller, duration = re.search(r"at (\S+) times the amplitude (\S+) s or longer fits", out).groups()
    home = -0.85
    for share, seconds in ((amplitude, 1.0), (float(smaller), float(duration))):
        to = f"z={home + share * (-2.0 - home)!r}"
        assert outcome(capsys, "check", "delta", "--to", to, "--duration", str(seconds))[0] == 0
        to = f"z={home + 1.002 * share * (-2.0 - home)!r}"
        assert outcome(capsys, "check", "delta", "--to", to, "--duration", str(seconds))[0] in (1, 3)


def test_out_of_reach_as_json(capsys):
    code, out, err = outcome(capsys, "check", "delta", "--to", "z=-2", "--duration", "1", "--json")
    found = json.loads(out)
    assert code == 3
    assert found["lost"]["leg"] == "A"
    assert err == f"gough: error: {found['lost']['line']}\n"
    assert found["violated"][0] == "reach"
    assert 0.0 < found["largest_amplitude"] <= found["reachable_amplitude"] < 1.0


@pytest.mark.parametrize("name", ["check", "size", "compare"])
def test_help_has_examples(capsys, name):
    code, out, _ = outcome(capsys, name, "--help")
    assert code == 0
    examples = out.split("Examples:\n")[1].split("\n\n")[0].splitlines()
    assert len(examples) >= 3
    assert all(line.strip().startswith(f"gough {name} ") for line in examples)


def test_limits_that_would_fit_are_told(capsys):
    """Both ends of the stroke over all legs, though only the worst end of the worst leg is in the table."""
    limits = ("--limit", "stroke=2300,2900", "--limit", "speed=500", "--limit", "force=8")
    code, out, _ = outcome(capsys, "check", "stewart", "--units", "mm", *limits)
    assert code == 1
    lines = [line.strip() for line in out.splitlines() if line.endswith("would fit")]
    assert lines == [
        "stroke: 2285 to 3097.5 mm (812.5 mm) would fit",
        "speed: 961.14 mm/s would fit",
        "force: 11.294 N would fit",
    ]
    enough = ("--limit", "stroke=2285,3097.5", "--limit", "speed=961.14", "--limit", "force=11.294")
    code, out, _ = outcome(capsys, "check", "stewart", "--units", "mm", *enough)
    assert (code, "would fit" in out) == (0, False)


def test_a_limit_violated_by_little_is_told_apart_from_the_value(capsys):
    """The peak of minimum jerk is 15/8 of the mean: 0.1875 m/s."""
    given = ("check", "stewart", "--to", "z=2.1", "--duration", "1s")
    code, out, _ = outcome(capsys, *given, "--limit", "platform_speed=0.1874999")
    assert code == 1
    (row,) = (line.split() for line in out.splitlines() if line.endswith("VIOLATED"))
    assert row[4:8] == ["0.1875", "at", "most", "0.1874999"]
