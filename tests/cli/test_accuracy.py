"""`gough accuracy` and what `gough modes` makes of a file of stiffness."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.running import outcome

PAGE = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text("utf-8")


@pytest.fixture
def errors(tmp_path):
    """The file of the page."""
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    path = tmp_path / "errors.toml"
    path.write_text(found[1])
    return str(path)


def test_the_page_s_file_gives_errors_stiffness_and_deflection(capsys, errors, tmp_path):
    picture = tmp_path / "errors.png"
    options = ("--box", "x=0.2,psi=10deg", "--samples", "10", "--plot", str(picture), "--wrench", "100,0,0,0,0,0")
    code, text, err = outcome(capsys, "accuracy", "stewart", "--errors", errors, *options)
    assert (code, err) == (0, "")
    assert "what to pay for" in text
    assert "Under the wrench: x " in text
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_json_and_monte_carlo(capsys, errors):
    given = ("--errors", errors, "--format", "json", "--monte-carlo", "500")
    code, text, _ = outcome(capsys, "accuracy", "stewart", *given)
    found = json.loads(text)
    assert code == 0
    assert len(found["compliance"]) == 6
    assert len(found["monte_carlo"]["sd"]) == 6
    assert sum(share[0] for share in found["contributions"].values()) == pytest.approx(1.0)


def test_along_a_motion_with_a_payload(capsys, errors):
    code, text, _ = outcome(
        capsys, "accuracy", "stewart", "--errors", errors, "--motion", "trig3", "--payload", "5", "--samples", "5"
    )
    assert code == 0
    assert "largest deflection" in text


def test_modes_take_the_file(capsys, errors):
    code, text, _ = outcome(capsys, "modes", "stewart", "--elastic", errors)
    assert code == 0
    assert "Hz" in text
    code, _, err = outcome(capsys, "modes", "stewart", "--elastic", errors, "--stiffness", "1e6")
    assert (code, err) == (2, "gough: error: --elastic: cannot go with --stiffness\n")


def test_every_key_is_on_the_page():
    from gough.accuracy.error_sources import _ELASTIC, _HEAT, FORMS

    for key in (*FORMS, *_HEAT, *_ELASTIC, "distribution"):
        assert f"`{key}`" in PAGE


def test_without_a_file_or_with_a_bad_one(capsys, tmp_path):
    code, _, err = outcome(capsys, "accuracy", "stewart")
    assert code == 2
    assert "--errors: name a file" in err
    bad = tmp_path / "bad.toml"
    bad.write_text('[tolerances]\nbse = "1 mm"\n')
    code, _, err = outcome(capsys, "accuracy", "stewart", "--errors", str(bad))
    assert code == 2
    assert f"{bad}: tolerances.bse: no such number" in err
    assert err.count("\n") == 1
