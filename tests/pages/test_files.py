"""The report and the animated file open from disk, without the network and without an error."""

from __future__ import annotations

from tests.cli.running import outcome


def test_the_report_opens_from_disk(capsys, tmp_path, visit):
    path = tmp_path / "report.html"
    arguments = ["--samples", "51", "--states", "3", "--out", str(path)]
    assert outcome(capsys, "report", "planar3rrr", *arguments)[0] == 0
    visit.page.goto(path.as_uri())
    assert visit.page.locator("h1").inner_text() == "planar3rrr"
    assert visit.page.locator("section").count() == 8
    assert "Passed: nothing may exceed 1e-09." in visit.page.locator("#agreement-certificate").inner_text()
    for element in visit.page.locator("figure svg, figure img").all():
        box = element.bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
    image = visit.page.locator("figure img").first
    assert image.evaluate("element => element.complete && element.naturalWidth") == 1200
    wide = visit.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    link = visit.page.locator(".animation a").get_attribute("href")
    assert (tmp_path / link).stat().st_size > 100_000
    assert visit.errors == []
    assert visit.outside("file://") == []


def test_the_animated_file_plays_from_disk(capsys, tmp_path, visit):
    path = tmp_path / "delta.html"
    code, out, _ = outcome(capsys, "view", "delta", "--html", str(path))
    assert (code, out) == (0, f"wrote {path}\n")
    visit.page.goto(path.as_uri())
    visit.page.locator("canvas").first.wait_for()
    clock = visit.page.locator("input").first
    clock.wait_for()
    before = clock.input_value()
    visit.page.wait_for_function(
        "before => [...document.querySelectorAll('input')][0].value !== before", arg=before, polling=200
    )
    assert visit.errors == []
    assert visit.outside("file://") == []
