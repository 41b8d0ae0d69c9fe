"""Known wrong answers of pages, reports and papers: each test states what is right and is expected to fail."""

from __future__ import annotations

import html
import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gough
from tests.cli.running import outcome
from tests.crossing.known import known, require
from tests.support.robots import catalogue_text

TOLERANCES = '\n[tolerances]\nbase = "0.1 mm"\nplatform = "0.05 mm"\n'


def _plain(page: str) -> str:
    """The text of a page of HTML."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.fixture(scope="module")
def tolerances_off_centre(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A Stewart platform with tolerances whose home is off the centre, and the text of its report."""
    from gough import cli

    folder = tmp_path_factory.mktemp("report")
    text = catalogue_text("stewart")
    home = "home = [0, 0, 2, 0, 0, 0]"
    require(home in text, "the file states its home")
    robot = folder / "robot.toml"
    robot.write_text(text.replace(home, "home = [0.4, 0.1, 2, 20, 10, 0]") + TOLERANCES)
    require(cli.main(["report", str(robot), "--motion", "hold", "--out", str(folder / "report.html")]) < 2, "a report")
    return robot, _plain((folder / "report.html").read_text())


@known("the report shows errors in metres, 0.0000803, where the page of `accuracy` has 80.29 um")
def test_report_and_page_show_pose_errors_in_the_same_unit(
    tolerances_off_centre: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tolerances_off_centre
    code, page, stderr = outcome(capsys, "accuracy", str(file))
    require(code == 0, stderr)
    unit = next(line.split()[1] for line in page.splitlines() if line.startswith("x "))
    heading = re.search(r"at home x \[([^]]*)\]", report)
    require(heading is not None, "the report has a section on accuracy")
    assert heading is not None
    assert heading[1] == unit


@known("the report ranks tolerances by their share of displacement, the page by that of displacement and rotation")
def test_report_and_page_rank_tolerances_by_one_rule(
    tolerances_off_centre: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tolerances_off_centre
    _, page, _ = outcome(capsys, "accuracy", str(file))
    rows = page.split("of rotation\n")[1].splitlines()[:3]
    named = re.search(r"most of the error of position: ([^)]*\), [^)]*\), [^)]*\))", report)
    require(named is not None, "the report names three tolerances")
    assert named is not None
    assert re.findall(r"leg\.\S+", named[1]) == [row.split()[0] for row in rows]


@pytest.mark.slow
@known("a comparison takes 64 cells for the volume, `workspace` 96: 0.87598 and 0.87619 m^3")
def test_a_volume_is_the_same_by_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, page, stderr = outcome(capsys, "workspace", "delta")
    require(code == 0, stderr)
    found = re.search(r"cells: ([0-9.]+) m\^3", page)
    require(found is not None, page)
    assert found is not None
    _, other, _ = outcome(capsys, "compare", "delta", "delta", "--workspace")
    volumes = re.findall(r"0\.87\d+", other)
    require(volumes, "the volume is shown")
    assert set(volumes) == {found[1]}


@known("poses of the box that no leg reaches are left out without a word: 14 of 40 poses remain")
def test_errors_over_a_box_say_which_poses_cannot_be_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "delta.toml"
    file.write_text(catalogue_text("delta") + '\n[tolerances]\nbase = "0.1 mm"\n')
    code, page, stderr = outcome(capsys, "accuracy", str(file), "--box", "x=1.5,y=1.5", "--samples", "40")
    require("over 40 poses" not in page, "some poses are out of reach")
    assert code != 0 or "reach" in page + stderr, page.splitlines()[0]


@known("the certificate of a robot whose forces are limited is that of a copy without limits, and does not say so")
def test_a_certificate_says_that_limits_of_tensions_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    _, page, _ = outcome(capsys, "verify", "cable8", "--states", "10")
    require("cable8" in page, page)
    assert re.search(r"least[- ]norm|limits of (forces|tensions)|without (their )?limits", page)


# What the papers describe.


CALLS = {
    "linear momentum of a body": ["papers.compute_lopes_matrices.q", "lopes_matrices.q"],
    "generalised momentum of a body": ["papers.compute_lopes_matrices.Q", "lopes_matrices.Q"],
    "angular momentum of a body": ["papers.compute_lopes_matrices.H", "lopes_matrices.H"],
    "matrix V of the cylinder's translation": ["papers.compute_lopes_matrices.V_C_tra", "lopes_matrices.V_C_tra"],
    "matrix V of the cylinder's rotation": ["papers.compute_lopes_matrices.V_C_rot", "lopes_matrices.V_C_rot"],
    "matrix V of the piston's translation": ["papers.compute_lopes_matrices.V_S_tra", "lopes_matrices.V_S_tra"],
    "matrix V of the piston's rotation": ["papers.compute_lopes_matrices.V_S_rot", "lopes_matrices.V_S_rot"],
    "J_A of the generalised momentum": ["papers.compute_lopes_matrices.J_A", "lopes_matrices.J_A"],
    "J_B of the generalised momentum": ["papers.compute_lopes_matrices.J_B", "lopes_matrices.J_B"],
    "J_D of the generalised momentum": ["papers.compute_lopes_matrices.J_D", "lopes_matrices.J_D"],
    "J_G of the generalised momentum": ["papers.compute_lopes_matrices.J_G", "lopes_matrices.J_G"],
    "kinetic energy": ["compute_energy.kinetic"],
    "potential energy": ["compute_energy.potential"],
    "dissipation": ["compute_energy.dissipation"],
    "generalised momenta of the machine": ["compute_energy.momenta", "compute_energy.momentum"],
    "stacked M of the lecture": ["papers.compute_angeles_terms.stacked_M", "angeles_terms.stacked_M"],
    "stacked W of the lecture": ["papers.compute_angeles_terms.W", "angeles_terms.W"],
    "actuator accelerations of inverse dynamics": ["inverse_dynamics.qdd"],
    "actuator accelerations of forward dynamics": ["forward_dynamics.qdd"],
    "terms of virtual work by actuator and link": ["papers.compute_link_wrenches.terms", "link_wrenches.terms"],
}
"""What a paper states, and the fields of results of public calls that would be it."""


def _offered(way: str) -> bool:
    """Whether a public call has a result with this field."""
    *path, field = way.split(".")
    call: Any = gough
    for name in path:
        if name not in dir(call):
            return False
        call = getattr(call, name)
    result = str(inspect.signature(call).return_annotation).strip("'\"")
    homes = [gough, *([gough.results] if "results" in dir(gough) else [])]
    return any(field in dir(getattr(home, result)) or field in getattr(home, result).__annotations__ for home in homes)


def test_fields_of_results_are_found() -> None:
    """The test of the tests below: fields that exist are seen."""
    assert _offered("inverse_dynamics.force")
    assert _offered("lopes_matrices.V_P")
    assert not _offered("inverse_dynamics.none")


@pytest.mark.parametrize("what", CALLS)
@known("the papers state it, and no public call gives it")
def test_what_a_paper_states_is_given_by_a_public_call(what: str) -> None:
    assert any(_offered(way) for way in CALLS[what]), f"{what}: none of {CALLS[what]}"


@known("a leg with a prismatic fourth joint has no short type, so its Y, Z, u cannot be had from a short file")
def test_the_lecture_s_leg_with_a_prismatic_joint_has_a_short_type() -> None:
    assert "SPU" in gough.SHORT_FORMS


@known("guide, offset and home are numbers of their own: another base radius leaves the paper's formulas, unsaid")
def test_a_changed_base_radius_follows_the_paper_s_formulas_or_is_said_not_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, before, _ = outcome(capsys, "show", "hexapod")
    code, page, stderr = outcome(capsys, "show", "hexapod", "--set", "legs.base.radius=0.7")
    require(code == 0, stderr)
    homes = [next(line for line in text.splitlines() if line.startswith("home")) for text in (before, page)]
    assert homes[0] != homes[1] or "stay" in page + stderr


@pytest.mark.parametrize("option", [("--set", "platform.mass=5"), ("--motion", "hold")], ids=["robot", "motion"])
@known("a paper is computed for its own robot and motion only")
def test_a_paper_is_computed_for_another_robot_or_motion(
    option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, stderr = outcome(capsys, "paper", "spatial3", "--out", str(tmp_path), "--formats", "csv", *option)
    assert code == 0, stderr


@pytest.mark.parametrize(
    "paper", ["spatial3", *(pytest.param(name, marks=pytest.mark.slow) for name in ("stewart", "hexapod", "sru"))]
)
@known("a paper's claims are not among its tables: statement, our number, whether it holds")
def test_a_paper_comes_with_a_table_of_its_claims(
    paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, stderr = outcome(capsys, "paper", paper, "--out", str(tmp_path), "--formats", "csv")
    require(code == 0, stderr)
    assert [file.name for file in tmp_path.iterdir() if "claims" in file.name], sorted(
        p.name for p in tmp_path.iterdir()
    )


@known("z points up in the picture of a workspace, also where gravity points along z: the machine hangs upside down")
def test_up_in_the_picture_of_a_workspace_is_against_gravity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d import proj3d

    drawn: list[Figure] = []
    save = Figure.savefig

    def kept(figure: Figure, *arguments: Any, **options: Any) -> None:
        drawn.append(figure)
        save(figure, *arguments, **options)

    monkeypatch.setattr(Figure, "savefig", kept)
    gravity = np.array(gough.load("hexapod").gravity)
    require(gravity[2] > 0.0, "gravity points along z")
    code, _, stderr = outcome(
        capsys, "workspace", "hexapod", "--cells", "16", "--picture", str(tmp_path / "picture.png")
    )
    require(code == 0, stderr)
    axes = [ax for figure in drawn for ax in figure.get_axes() if ax.name == "3d"]
    require(axes, "the picture has views of the machine")
    for ax in axes:
        middle = np.array([np.mean(limits) for limits in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())])
        place, below = middle, middle + 0.1 * gravity / np.linalg.norm(gravity)
        heights = [proj3d.proj_transform(*point, ax.get_proj())[1] for point in (place, below)]
        assert heights[1] < heights[0]
