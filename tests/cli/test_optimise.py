"""`gough optimise`: page, files, exit codes and error lines."""

import json
import sys

import numpy as np
import pytest

from gough import load
from gough.display import plain_number
from gough.optimisation.optimum_plots import plain_ticks
from gough.plots import figure
from tests.cli.running import outcome
from tests.support.robots import catalogue_text

FILE = """
robot = "delta"
minimise = "peak force"
starts = 3
[poses]
box = { x = [-0.1, 0.1], y = [-0.1, 0.1], z = [-0.8, -0.7] }
points = 16
[task]
acceleration = { x = 5, y = 5, z = 5 }
[[vary]]
number = "platform.mass"
bounds = ["500 g", "2 kg"]
"""


def test_page_and_files(capsys, tmp_path):
    file, best, plot = tmp_path / "best.toml", tmp_path / "better.toml", tmp_path / "starts.png"
    file.write_text(FILE)
    code, out, err = outcome(capsys, "optimise", str(file), "--out", str(best), "--plot", str(plot))
    assert (code, err) == (0, "")
    assert out.startswith("delta: peak force ")
    assert "3 of 3 starts agree." in out
    assert "drawn at random, one of each in 16 states; the worst within their ranges:\ngough size --envelope." in out
    assert load(best).platform.body.mass == 0.5
    own = catalogue_text("delta").replace("mass = 2.916", "mass = 0.5")
    head = "# The best design of best.toml: delta with other numbers.\n# Changed: platform.mass.\n"
    assert best.read_text() == head + own
    assert plot.read_bytes().startswith(b"\x89PNG")
    code, out, _ = outcome(capsys, "optimise", str(file), "--format", "json")
    assert json.loads(out)["numbers"][0]["after"] == 0.5


@pytest.mark.parametrize(
    ("limits", "line", "z"),
    [
        ("", "Home of the best design is moved with the task: z = -0.95 m; before z = -0.85 m.", -0.95),
        (
            "[limits]\nangle = 1.5\n",
            "The task is best about z = -0.95 m; home is still z = -0.85 m: angles are limited from it.",
            -0.85,
        ),
    ],
)
def test_home_is_where_the_task_is_best(capsys, tmp_path, limits, line, z):
    file, best = tmp_path / "best.toml", tmp_path / "better.toml"
    shifted = FILE.replace("[[vary]]", "shift = { z = [-0.1, -0.05] }\n" + limits + "[[vary]]")
    file.write_text(shifted.replace("starts = 3", "starts = 1"))
    code, out, err = outcome(capsys, "optimise", str(file), "--out", str(best))
    assert (code, err) == (0, "")
    assert line in out.splitlines()
    assert load(best).platform.home[2] == pytest.approx(z, rel=1e-6)
    assert ("[[leg.joint]]" in best.read_text()) == (z == -0.95)


def test_a_motion_draws_nothing_at_random(capsys, tmp_path):
    file = tmp_path / "best.toml"
    poses, task = FILE.index("[poses]"), FILE.index("[[vary]]")
    file.write_text(FILE[:poses].replace("starts = 3", "starts = 1") + "[task]\nmotion = 'circle'\n" + FILE[task:])
    code, out, err = outcome(capsys, "optimise", str(file))
    assert (code, err) == (0, "")
    assert "random" not in out


def test_the_page_is_in_the_units_of_the_file(capsys, tmp_path):
    file = tmp_path / "best.toml"
    in_mm = FILE.replace("0.1", "100").replace("[-0.8, -0.7]", "[-800, -700]").replace("= 5", "= 5000")
    vary = '[[vary]]\nnumber = "legs.rod.length"\nbounds = [790, 810]\n[limits]\nstroke = [-170, 170]\n'
    file.write_text(in_mm.replace("starts = 3", "starts = 1") + vary + '[units]\nlength = "mm"\nangle = "deg"\n')
    code, out, err = outcome(capsys, "optimise", str(file))
    assert (code, err) == (0, "")
    code, shown, _ = outcome(capsys, "optimise", str(file), "--format", "json")
    found = json.loads(shown)
    assert f" -> {found['after']:.5g} N m (" in out.splitlines()[0]
    row = next(line for line in out.splitlines() if line.startswith("legs.rod.length")).split()
    assert row[3:6] == ["790", "810", "mm"]
    assert float(row[2]) == pytest.approx(1e3 * found["numbers"][1]["after"], rel=1e-5)
    turned = next(line for line in out.splitlines() if line.startswith("stroke")).split()
    assert turned[4:] == ["-170", "to", "170", "deg"]
    assert float(turned[3]) == pytest.approx(np.degrees(found["reached"][0]["values"][1]), rel=1e-4)


def test_errors(capsys, tmp_path):
    file = tmp_path / "best.toml"
    file.write_text(FILE + "[limits]\nforce = 0.1\n")
    code, out, err = outcome(capsys, "optimise", str(file))
    assert (code, out) == (1, "")
    assert err.startswith(
        "gough: error: optimise: no design within the bounds keeps all limits: the nearest misses force"
    )
    file.write_text(FILE.replace("[-0.8, -0.7]", "[-800, -700]"))
    code, _, err = outcome(capsys, "optimise", str(file))
    assert code == 2
    assert err.endswith(
        "best.toml:6: poses.box.z: [-800, -700]: is more than 50 times the robot's size from home (millimetres? write "
        'e.g. "50 mm")\n'
    )
    far = FILE.replace("[-0.8, -0.7]", "[-8, -7]").replace("starts = 3", "starts = 1")
    file.write_text(far + '[[vary]]\nnumber = "legs.rod.length"\nbounds = ["90 %", "110 %"]\n')
    code, _, err = outcome(capsys, "optimise", str(file))
    assert code == 1
    assert err.endswith("; are the poses about home, in m and rad? numbers may carry a unit\n")
    file.write_text(FILE.replace("peak force", "peak farce"))
    code, _, err = outcome(capsys, "optimise", str(file))
    assert code == 2
    assert "no such objective (known: peak force, peak power, " in err
    assert err.count("\n") == 1


def test_a_front_writes_every_design(capsys, tmp_path):
    file, out = tmp_path / "best.toml", tmp_path / "front.toml"
    front = FILE.replace('"peak force"', '["peak force", "rms force"]').replace("starts = 3", "starts = 1\nfront = 3")
    file.write_text(front + """[[vary]]\nnumber = "leg.*.crank.mass"\nbounds = [0.3, 0.6]\n""")
    code, text, err = outcome(capsys, "optimise", str(file), "--out", str(out))
    assert (code, err) == (0, "")
    assert "Front:" in text
    assert not out.exists()
    designs = sorted(tmp_path.glob("front-*.toml"))
    assert designs
    assert all(load(design).platform.body.mass == pytest.approx(0.5, rel=1e-4) for design in designs)
    _, text, _ = outcome(capsys, "optimise", str(file), "--format", "csv")
    header, *rows = [line.split(",") for line in text.splitlines()]
    links = [f"leg.{leg}.crank.mass" for leg in "ABC"]
    assert header == ["design", "peak force", "rms force", "platform.mass", *links]
    assert [row[0] for row in rows] == [str(k + 1) for k in range(len(designs))]
    told = json.loads(outcome(capsys, "optimise", str(file), "--format", "json")[1])
    assert [[one["peak force"], one["rms force"]] for one in told["designs"]] == told["front"]
    for design, row, one in zip(map(load, designs), rows, told["designs"], strict=True):
        assert [design.platform.body.mass, design.legs[0].joints[0].body.mass] == [float(v) for v in row[3:5]]
        assert one == {"design": one["design"], **dict(zip(header[1:], map(float, row[1:]), strict=True))}


@pytest.mark.parametrize(
    ("told", "before"), [([], "the first start was finished"), (["1 of 3"], "a design that keeps")]
)
def test_an_early_interrupt_says_that_nothing_is_written(capsys, tmp_path, monkeypatch, told, before):
    def stopped(file, progress, prove):
        for words in told:
            progress(words)
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["gough.optimisation.optimise"], "optimise", stopped)
    code, out, err = outcome(capsys, "optimise", "best.toml", "--out", str(tmp_path / "better.toml"))
    assert (code, out) == (130, "")
    assert f"gough: interrupted before {before}" in err
    assert err.endswith("; nothing written\n")
    assert not list(tmp_path.iterdir())


def test_several_machines_and_what_is_proved(capsys, tmp_path):
    file = tmp_path / "best.toml"
    file.write_text(FILE.replace('"delta"', '["delta", "planar3rrr"]').replace("[poses]", "[unused]"))
    code, out, err = outcome(capsys, "optimise", str(file))
    assert (code, out) == (2, "")
    assert err.count("\n") <= 2
    assert "unused" in err
    file.write_text(
        FILE.replace("[poses]", "[task]\nmotion = 'nothing.csv'\n[poses]").replace("[task]\nacc", "[ask]\nacc")
    )
    code, out, err = outcome(capsys, "optimise", str(file))
    assert code == 2
    assert err.startswith("gough: error: ")


@pytest.mark.slow
def test_proved_bounds(capsys, tmp_path):
    file = tmp_path / "best.toml"
    file.write_text(FILE.replace("starts = 3", "starts = 1"))
    code, out, err = outcome(capsys, "optimise", str(file), "--prove", "--format", "json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert found["proof"]["force"] >= found["after"]
    assert found["proof"]["regular"] is True


@pytest.mark.parametrize(
    ("value", "text"),
    [(2000.4, "2000"), (123456.0, "123500"), (15976123.0, "15980000"), (2e9, "2e+09"), (0.5, "0.5"), (3e-7, "3e-07")],
)
def test_numbers_of_pages_and_pictures_have_no_power_of_ten_up_to_1e9(value, text):
    assert plain_number(value, 4) == text


def test_axes_of_pictures_have_plain_numbers():
    fig, (ax,) = figure(1)
    ax.plot([1.0, 2.0], [12345678.0, 12345679.0])
    fig.canvas.draw()
    assert ax.yaxis.get_offset_text().get_text() != ""
    plain_ticks(ax.yaxis)
    fig.canvas.draw()
    assert ax.yaxis.get_offset_text().get_text() == ""
    texts = [label.get_text() for label in ax.get_yticklabels()]
    assert "12345678" in texts
    assert not any("e" in text for text in texts)
