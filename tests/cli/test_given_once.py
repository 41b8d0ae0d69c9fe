"""Options that are taken once are refused twice; displacements that are left out are told."""

from tests.cli.running import outcome


def test_an_option_given_twice_is_refused(capsys, tmp_path):
    one, two = tmp_path / "t.pdf", tmp_path / "t.png"
    code, _, told = outcome(capsys, "inverse", "delta", "--plot", str(one), f"--plot={two}")
    assert code == 2
    assert told == f"gough: error: inverse: --plot is given twice, {one} and {two}; give it once\n"
    assert not one.exists()
    assert not two.exists()


def test_options_for_several_values_and_values_that_look_like_options_may_repeat(capsys):
    twice = ("--set", "platform.mass=1kg", "--set", "platform.mass=2kg")
    assert outcome(capsys, "show", "delta", *twice)[0] == 0


def test_displacements_left_out_are_told(capsys):
    code, shown, told = outcome(capsys, "fk", "delta", "--displacement", "A=10deg,B=5deg")
    assert (code, told) == (0, "")
    assert shown.endswith("; C not given, taken as at home\n")
    assert "not given" not in outcome(capsys, "fk", "delta", "--displacement", "A=10deg,B=5deg,C=0")[1]
