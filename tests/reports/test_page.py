"""The report's page: complete, self-contained, the same every time, honest about what does not fit."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest

from gough import Motion, inverse_dynamics, load
from gough.accuracy import pose_errors
from gough.analysis.extremes import peaks
from gough.assembly import assembly_modes
from gough.design import demand, envelope_of, size
from gough.display import number
from gough.kinematics import inverse_kinematics
from gough.reports.identity_checks import motion_agreement
from gough.reports.page import charts
from gough.reports.page.charts import Panel, panels
from gough.reports.page.html import Markup, markup, row, short, table
from gough.singular import singularities
from gough.workspaces import workspace
from tests.cli.running import outcome
from tests.design.envelopes import TEXTS
from tests.design.test_demand import MOTOR

SECTIONS = [
    "The robot",
    "The motion",
    "The actuators",
    "Does the motion fit",
    "Sizing the actuators",
    "What the forces come from",
    "Agreement certificate",
    "To make this report again",
]
VOID = {"meta", "link", "img", "br", "path", "use", "rect"}


class Checker(HTMLParser):
    """Collects what a page would fetch, and whether its tags are closed."""

    def __init__(self):
        super().__init__()
        self.open, self.fetched, self.ids = [], [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.fetched += [found[k] for k in ("src", "href") if k in found and tag != "a"]
        self.ids += [found["id"]] if "id" in found else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop() == tag


def report(capsys, path, *arguments):
    code, out, err = outcome(capsys, "report", *arguments, "--states", "0", "--no-animation", "--out", str(path))
    assert out == f"wrote {path}\n"
    return code, err, path.read_text("utf-8")


def test_the_page_is_complete_and_needs_nothing_else(capsys, tmp_path):
    code, err, text = report(capsys, tmp_path / "a.html", "stewart", "--units", "mm,deg")
    assert (code, err) == (0, "")
    assert re.findall("<h2>(.*?)</h2>", text) == SECTIONS
    assert re.findall('<li><a href="#.*?">(.*?)</a></li>', text) == SECTIONS
    assert all(f'<section id="{anchor}">' in text for anchor in re.findall('<li><a href="#(.*?)">', text))
    checker = Checker()
    checker.feed(text)
    assert checker.open == []
    assert all(link.startswith(("data:", "#")) for link in checker.fetched), checker.fetched
    assert len(checker.ids) == len(set(checker.ids))
    assert re.findall(r'(?:src|href)="https?:', text) == []
    assert "@import" not in text
    assert text.count("<svg") == 4
    assert "gough report stewart --units mm,deg --states 0" in text
    again = report(capsys, tmp_path / "b.html", "stewart", "--units", "mm,deg")[2]
    assert again == text.replace("a.html", "b.html")


TIMES = {
    "card": r"<span>Largest force</span><b>[^<]*</b><i>actuator (?P<owner>\w+) at (?P<t>[\d.]+) s</i>",
    "check": r"<td>force</td><td>(?P<owner>\w+)</td><td class=n>(?P<t>[\d.]+)</td>",
}


def test_a_peak_that_several_actuators_have_is_told_at_one_time_everywhere(capsys, tmp_path):
    """Straight up and down a symmetric hexapod: all actuators have the same force at all times, and it four times."""
    path = tmp_path / "updown.csv"
    t = np.linspace(0.0, 4.0, 161)
    z = 2.0 + 0.05 * np.sin(np.pi * t) ** 4
    still = np.zeros_like(t)
    np.savetxt(path, np.column_stack([t, still, still, z, still, still, still]), delimiter=",", comments="",
               header="t,x,y,z,psi,theta,phi")  # fmt: skip
    _, _, text = report(capsys, tmp_path / "a.html", "stewart", "--motion", str(path), "--limit", "force=500")
    found = {name: re.search(pattern, text) for name, pattern in TIMES.items()}
    row_ = re.search(r"<td>  at t \[s\]</td>(.*?)</tr>", text)[1]
    times = [float(cell) for cell in re.findall(r"<td class=n>([\d.]+)</td>", row_)]
    told = {name: (match["owner"], float(match["t"])) for name, match in found.items()}
    assert len(times) == 6
    assert told["card"] == told["check"]
    owner, first = told["card"]
    assert first == pytest.approx(min(times), abs=2e-3)
    assert first < 1.0
    assert f"The force of actuator {owner}, which is the largest" in text


def test_every_section_has_the_extremes_between_samples(capsys, tmp_path):
    """With five samples, which miss every peak: travel, the shares of limits and the check are of one motion."""
    robot = load("delta")
    limits = ["--limit", "force=40", "--limit", "stroke=-2,2", "--limit", "speed=20"]
    _, _, text = report(capsys, tmp_path / "a.html", "delta", "--samples", "5", *limits)
    found = demand(robot, Motion.named(robot))
    travel = np.degrees(np.ptp(found.q_range, axis=1)).max()
    assert f"<span>Largest travel</span><b>{short(travel)} deg</b>" in text
    shares = {
        "force [%]": np.abs(found.force) / 40,
        "speed [%]": np.abs(found.qd) / 20,
        "stroke, from its middle [%]": np.abs(found.q_range).max(axis=1) / 2,
    }
    for name, values in shares.items():
        cells = "".join(f"<td class=n>{short(100 * value, 3)}</td>" for value in values)
        assert f"<td>{name}</td>{cells}" in text
    sampled = inverse_dynamics(robot, Motion.named(robot).sample(5))
    assert np.abs(sampled.force).max() < 0.99 * np.abs(found.force).max()
    assert np.ptp(sampled.q, axis=0).max() < 0.99 * np.ptp(found.q_range, axis=1).max()


def test_smoothing_is_told_once_and_friction_where_the_limits_are(capsys, tmp_path):
    path = tmp_path / "recorded.csv"
    t = np.linspace(0.0, 2.0, 201)
    x = 0.05 * np.sin(np.pi * t) ** 2 + 1e-5 * np.random.default_rng(4).standard_normal(len(t))
    np.savetxt(path, np.column_stack([t, x]), delimiter=",", comments="", header="t,x")
    motion = ["--motion", str(path), "--hold-missing", "--smooth", "auto", "--samples", "21"]
    friction = ["--set", "legs.actuator.viscous=40 N s/m", "--set", "legs.actuator.coulomb=3 N"]
    _, _, text = report(capsys, tmp_path / "a.html", "hexapod", *motion, *friction, "--limit", "force=500")
    assert text.count("Smoothed (auto)") == 1
    shown = re.search(r"<h3>Actuators</h3>.*?</table>", text, re.DOTALL)[0]
    assert shown.count("<td>viscous 40 N s/m, coulomb 3 N</td>") == 6


def test_poses_are_by_the_convention_asked_for(capsys, tmp_path):
    _, _, text = report(capsys, tmp_path / "a.html", "planar3rrr", "--convention", "quaternion", "--samples", "11")
    assert "<th class=n>qw [1]</th>" in text
    assert "unit quaternion qw, qx, qy, qz, scalar first" in text


def test_the_section_on_the_workspace_tells_what_the_command_does(capsys, tmp_path):
    options = ["--motion", "hold", "--samples", "5", "--workspace"]
    code, err, text = report(capsys, tmp_path / "a.html", "fivebar", *options)
    assert (code, err) == (0, "")
    shown = re.search(r"<h2>Workspace</h2>.*?</section>", text, re.DOTALL)[0]
    found = workspace(load("fivebar"), cells=64)
    # The robot's file is in millimetres, and so is its report.
    for axis in found.travel:
        for end in (axis.low, axis.high):
            assert f">{number(1e3 * end, 6)}<" in shown, (axis.axis, end)
        assert all(limit.text in shown for limit in (*axis.low_limits, *axis.high_limits))
    assert f"orientation: {number(1e6 * found.volume.measure, 4)} mm^2 (grid of " in shown
    assert f"Largest circle about home, radius: {number(1e3 * found.shapes[1].size, 5)} mm (" in shown
    assert "data:image/png;base64," in shown


def test_the_workspace_of_a_report_is_within_its_limits_and_under_its_load(capsys, tmp_path):
    options = ["--motion", "hold", "--samples", "5", "--workspace", "--limit", "power=90", "--limit", "speed=9"]
    options += ["--wrench", "0,-10,0,0,0,0"]
    _, _, text = report(capsys, tmp_path / "a.html", "fivebar", *options, "--limit", "force=2")
    shown = re.search(r"<h2>Workspace</h2>.*?</section>", text, re.DOTALL)[0]
    found = workspace(load("fivebar"), limits={"force": 2.0}, wrench=[0, -10, 0, 0, 0, 0], travel_only=True)
    for axis in found.travel:
        assert any(limit.text.startswith("force") for limit in axis.low_limits)
        assert f">{number(1e3 * axis.low, 6)}<" in shown
    assert "in place of the robot&#x27;s own: force." in shown
    assert "left out here: power, speed." in shown
    _, _, text = report(capsys, tmp_path / "a.html", "fivebar", *options, "--limit", "force=0.001")
    assert re.search(r'<h2>Workspace</h2>\s*<p class="verdict bad">None: ', text)


def test_a_robot_at_rest_has_a_report_too(capsys, tmp_path):
    code, err, text = report(capsys, tmp_path / "a.html", "planar3rrr", "--motion", "hold", "--samples", "5")
    assert (code, err) == (0, "")
    assert "nan" not in re.sub(r"<svg.*?</svg>|base64,[^\"]*", "", text, flags=re.DOTALL)


def test_what_does_not_fit_is_said_first(capsys, tmp_path):
    move = ["--to", "z=3.6", "--duration", "1", "--samples", "21"]
    code, err, text = report(capsys, tmp_path / "a.html", "hexapod", *move)
    assert code == 3
    assert "leaves the workspace" in err
    assert re.search(r'class="verdict bad">Does not fit: leg \w+ is out of reach', text)


def test_what_would_fit_is_said_where_it_does_not(capsys, tmp_path):
    limits = ["--set", "legs.actuator.speed=0.9"]
    code, _, text = report(capsys, tmp_path / "a.html", "stewart", "--motion", "trig3", "--samples", "41", *limits)
    assert code == 0
    assert 'class="verdict bad">Does not fit: speed.' in text
    assert "Shortest duration that fits: 4." in text


def test_limits_motor_and_envelope_have_their_places(capsys, tmp_path):
    (tmp_path / "motor.toml").write_text(MOTOR.replace("[0.1, 0.1, 0.06]", "[5, 5, 3]"))
    (tmp_path / "envelope.toml").write_text(TEXTS["spatial3"])
    files = ["--motor", str(tmp_path / "motor.toml"), "--envelope", str(tmp_path / "envelope.toml")]
    limits = ["--limit", "condition=30", "--limit", "force=90"]
    code, err, text = report(capsys, tmp_path / "a.html", "spatial3", "--samples", "21", *limits, *files)
    assert (code, err) == (0, "")
    assert 'class="verdict bad">Does not fit: force.' in text
    assert "in place of the robot&#x27;s own: condition, force." in text
    assert "Motor servo does not fit: A, B, C." in text
    assert "<td>condition</td>" in text
    assert re.findall("<h2>(.*?)</h2>", text) == [*SECTIONS[:5], "Over the envelope", *SECTIONS[5:]]
    forces = re.search(r"<td>force, largest \[N\]</td><td class=n>([\d.]+)<", text)
    robot = load("spatial3").with_motor(tmp_path / "motor.toml")
    found = size(robot, envelope_of(robot, TEXTS["spatial3"]), seeds=(1,))
    assert float(forces[1]) == pytest.approx(found.of("force+")[0], abs=0.05)
    for name in ("A largest", "C smallest"):
        assert text.count(f"<td>{name}</td>") == 4
    assert "rotor_inertia = 2e-5" in text
    assert f"--limit condition=30 --limit force=90 --motor {tmp_path}" in text


@pytest.mark.slow
def test_what_the_mechanism_has_is_told_where_it_is_asked_for(capsys, tmp_path):
    tolerances = tmp_path / "tolerances.toml"
    tolerances.write_text('[tolerances]\nbase = "0.1 mm"\nencoder = "5 um"\n')
    asked = ["--samples", "11", "--mechanism", "--errors", str(tolerances), "--units", "mm,deg"]
    code, err, text = report(capsys, tmp_path / "a.html", "rps3", *asked)
    assert (code, err) == (0, "")
    titles = re.findall("<h2>(.*?)</h2>", text)
    assert titles == [*SECTIONS[:6], "The mechanism", "Accuracy", *SECTIONS[6:]]
    robot = load("rps3")
    nearest = singularities(robot).nearest
    assert f"<td class=n>{number(1e3 * nearest.distance, 4)}</td>" in text
    modes = assembly_modes(robot, inverse_kinematics(robot, robot.platform.home).q)
    assert f"closes in {len(modes.sample)} poses, {modes.within_limits.sum()} within" in text
    told = pose_errors(robot.with_errors(tolerances), np.array([robot.platform.home]))
    worst = re.search(r"<td>worst case</td><td class=n>([\d.]+)<", text)[1]
    assert float(worst) == pytest.approx(1e3 * told.worst[0, 0], abs=1e-3)
    parasitic = demand(robot, Motion.named(robot)).parasitic
    assert "Parasitic motion" in text
    assert f"<td>x</td><td>mm</td><td class=n>{short(1e3 * parasitic[0])}</td>" in text
    tolerances.write_text("[heat]\n")
    code, _, err = outcome(capsys, "report", "rps3", *asked, "--out", str(tmp_path / "b.html"))
    assert code == 2
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "b.html").exists()


def test_cables_have_their_tensions_beside_what_they_may_be(capsys, tmp_path):
    _, _, text = report(capsys, tmp_path / "a.html", "cable8", "--samples", "21")
    table_ = re.search(r'<section id="cable-tensions">.*?</section>', text, re.DOTALL)[0]
    result = inverse_dynamics(load("cable8"), Motion.named(load("cable8")).sample(21))
    for leg, tension in zip(load("cable8").legs, result.tension.T, strict=True):
        low, high = leg.cable.tension
        cells = re.search(rf"<tr><td>{leg.name}</td>(.*?)</tr>", table_)[1]
        found = re.findall(r"<td[^>]*>(.*?)</td>", cells)
        assert found[0] == short(tension.min())
        assert found[2] == short(tension.max())
        assert found[4] == f"{short(low)} to {short(high)}"
        assert found[5] == short(min(tension.min() - low, high - tension.max()))


def test_what_cannot_be_sized_or_read_leaves_nothing(capsys, tmp_path):
    envelope, target = tmp_path / "envelope.toml", tmp_path / "a.html"
    envelope.write_text("[pose]\npsi = [0, 2.2]\n[acceleration]\nz = 1\n")
    quick = ["--states", "0", "--no-animation", "--out", str(target)]
    code, out, err = outcome(capsys, "report", "stewart", "--envelope", str(envelope), *quick)
    assert (code, out) == (3, "")
    assert err.startswith("gough: error: unbounded: the envelope touches a singularity")
    for option, value, line in (
        ("--limit", "forse=3", "--limit forse=3: no limit forse (did you mean force?)"),
        ("--limit", "power=0", "limit power: 0: must be greater than 0"),
        ("--motor", "nowhere.toml", "nowhere.toml: no such file"),
        (
            "--out",
            "r.pdf",
            "--out r.pdf: the file's name must end in .html (write r.html and print that from the browser as PDF)",
        ),
    ):
        more = quick[:-2] if option == "--out" else quick
        assert outcome(capsys, "report", "stewart", option, value, *more) == (2, "", f"gough: error: {line}\n")
    assert list(tmp_path.iterdir()) == [envelope]


def test_times_are_in_the_unit_asked_for(capsys, tmp_path):
    _, _, text = report(capsys, tmp_path / "a.html", "planar3rrr", "--samples", "11", "--units", "ms,mm")
    assert "Motion reach, 2000 ms, 11 samples" in text
    assert "<th>t [ms]</th>" in text
    assert "[s]" not in re.sub(r"<svg.*?</svg>|base64,[^\"]*", "", text, flags=re.DOTALL)


def test_the_forces_shown_are_those_of_every_formulation():
    found, samples = motion_agreement(inverse_dynamics(load("delta"), Motion.named(load("delta")).sample(301)))
    assert samples == 64
    assert len(found) == 4
    assert all(0.0 <= entry.worst < 1e-13 for entry in found)
    assert any(entry.worst > 0.0 for entry in found)


def test_bad_names_leave_nothing(capsys, tmp_path):
    code, _, err = outcome(capsys, "report", "stewart", "--out", str(tmp_path / "a.txt"))
    assert code == 2
    assert "must end in .html (did you mean a.html?)" in err
    assert list(tmp_path.iterdir()) == []


def test_text_is_escaped():
    assert markup(table(["<a>"], [["x & y"], [Markup("<b>1</b>")]])).count("<b>") == 1
    assert "&lt;a&gt;" in markup(table(["<a>"], [["x & y"]]))


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (1234.5, "1234"), (0.012345, "0.01235"), (1e9, "1e+09")])
def test_short_numbers(value, text):
    assert short(value) == text


def test_rows_share_their_decimals_and_peaks_skip_what_is_lost():
    assert row([1.0, 22.5, np.nan]) == ["1.00", "22.50", "-"]
    np.testing.assert_array_equal(peaks(np.array([[1.0, np.nan], [-3.0, np.nan]])), [-3.0, np.nan])


def test_curves_that_coincide_are_one_and_lost_samples_are_no_trouble():
    t = np.linspace(0, 1, 5)
    values = np.column_stack([t, t, 1 - t])
    values[2] = np.nan
    assert panels(t, "s", [Panel("a [m]", values, ["x", "y", "z"])]).startswith("<svg")


def test_legends_of_long_names_stay_clear_of_titles_and_curves(monkeypatch):
    monkeypatch.setattr(charts, "svg", lambda figure: figure)
    names = ["surge of the cabin", "sway of the cabin", "heave of the cabin"]
    t = np.linspace(0.0, 1.0, 11)
    values = np.sin(np.outer(t, [1.0, 2.0, 3.0]))
    panel = charts.Panel("acceleration [deg/s²]", values, names)
    drawn = [charts.panels(t, "s", [panel, panel]), charts.loops(values, values, names, "speed", "force")]
    for figure in drawn:
        renderer = figure.canvas.get_renderer()
        for ax in figure.axes:
            legend = ax.get_legend().get_window_extent(renderer)
            assert not legend.overlaps(ax._left_title.get_window_extent(renderer))
            assert not legend.overlaps(ax.get_window_extent(renderer).padded(-5))
            assert legend.x1 < figure.bbox.width + 5
