"""The acceptance report of a calibration: one HTML file that prints well and needs nothing else."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np

from gough import __version__
from gough.calibration.calibration_plots import correction_figure, residual_figure, uncertainty_figure
from gough.calibration.result import Calibration
from gough.calibration.small_units import small, with_unit
from gough.display import Display
from gough.plots import png
from gough.reports.page.html import (
    Content,
    Markup,
    cards,
    code,
    contents,
    facts,
    folded,
    markup,
    paragraph,
    png_figure,
    section,
    table,
)

SI = Display()


def calibration_html(found: Calibration, display: Display = SI) -> str:
    """The page in the units shown. The same calibration gives the same text."""
    robot = found.robot
    sections = [
        _accuracy(found, display),
        _fit(found, display),
        _parameters(found, display),
        _measurements(found),
        section("The corrected robot", folded("Its explicit file", code(found.corrected.to_toml()))),
    ]
    style = (files("gough.reports.page") / "style.css").read_text("utf-8")
    title = f"Calibration of {robot.name}"
    about = f"{len(found.data.m)} poses of {Path(found.measurements.source).name}"
    head = Markup(
        f"<header><p class='kind'>Calibration report</p><h1>{markup(robot.name)}</h1>"
        f"{markup(paragraph(about, 'about'))}</header>"
    )
    parts = [head, _cards(found, display), _verdict(found), contents(sections), *sections]
    body = "\n".join(markup(part) for part in parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"<footer>{escape(title)}. Made with gough {escape(__version__)}.</footer>\n</body>\n</html>\n"
    )


def _cards(found: Calibration, display: Display) -> Markup:
    u, known, half = found.uncertainty, found.determined, "1 sigma, half of the poses about home"
    entries = [
        ("Pose known to", with_unit(float(np.median(u.position)), False, display), half),
        ("At home", with_unit(float(u.position[0]), False, display), "1 sigma"),
    ]
    if u.rotation.max() > 0.0:
        entries.insert(1, ("and to", with_unit(float(np.median(u.rotation)), True, display), half))
    if found.validation is not None:
        v = found.validation
        before, after = (with_unit(v.rms(errors)[0], False, display) for errors in (v.before, v.after))
        entries.append(("Validation", after, f"before {before}"))
    entries.append(("Determined", f"{known.rank} of {known.count}", "unknowns"))
    return cards(entries)


def _verdict(found: Calibration) -> Markup:
    out = len(found.outliers)
    left = f" {out} of {len(found.data.m)} poses do not fit the others and were left out." if out else ""
    text = f"Noise: {found.noise.text}.{left}{_tight(found)}"
    return paragraph(text, "verdict" if found.agrees else "verdict bad")


def _tight(found: Calibration) -> str:
    """What there is to say of tolerances that do not fit; nothing if they do."""
    prior = found.prior
    if not prior.too_tight:
        return ""
    return (
        f" {len(prior.beyond)} of {prior.stated} parameters are beyond the stated tolerances, worst "
        f"{found.parameters[prior.worst].path} by {abs(prior.ratios[prior.worst]):.3g} sigma: the tolerances are too "
        "tight, and the pose is known less well than this page says."
    )


def _accuracy(found: Calibration, display: Display) -> Markup:
    u = found.uncertainty
    rows: list[list[Content]] = []
    for name, share in (("half of the poses about home", 0.5), ("95 % of them", 0.95), ("all poses looked at", 1.0)):
        both = ((u.position, False), (u.rotation, True))
        rows.append([name, *(with_unit(float(np.quantile(v, share)), turns, display) for v, turns in both)])
    blocks: list[Content] = [
        paragraph(
            f"What the uncertainty of the parameters leaves of the platform's pose at exact readings, at {len(u.x)} "
            "poses within all limits of the robot."
        ),
        table(["pose known to (1 sigma) in", "position", "rotation"], rows),
        png_figure(png(uncertainty_figure(found, display), 110), "Pose uncertainty over the workspace"),
    ]
    if found.validation is not None:
        v = found.validation
        rows = [[name, with_unit(p, False, display), with_unit(r, True, display)] for name, (p, r) in v.rows]
        blocks += [
            paragraph(f"{len(v.after)} poses of {Path(v.source).name}, which the fit has not seen:"),
            table(["measured against computed (rms)", "position", "rotation"], rows),
        ]
    return section("How well the pose is known", *blocks)


def _fit(found: Calibration, display: Display) -> Markup:
    sensors = found.model.sensors
    turns = {kind: sensors.is_angle(c) for c, kind in zip(sensors.columns, sensors.kinds, strict=True)}
    rows: list[list[Content]] = []
    for kind, (before, after) in found.residuals.items():
        ratio = found.noise.ratios.get(kind)
        rows.append(
            [
                kind,
                with_unit(before, turns[kind], display),
                with_unit(after, turns[kind], display),
                with_unit(found.deviations[kind], turns[kind], display),
                "-" if ratio is None else f"{ratio[0]:.2f} +- {ratio[1]:.2f}",
            ]
        )
    pairs: dict[str, Content] = {"Noise": found.noise.text}
    if found.held_out is not None:
        parts = found.held_out.folds
        pairs["Held out"] = f"in {parts} parts in turn: residuals {found.held_out.ratio:.2f} times the noise"
    lines = ", ".join(str(found.measurements.lines[k]) for k in found.outliers)
    pairs["Outliers"] = f"lines {lines} of the file, left out" if lines else "none"
    return section(
        "Residuals",
        table(["values", "rms before", "rms after", "noise used", "actual / stated noise"], rows),
        facts(pairs),
        png_figure(png(residual_figure(found), 110), "Residuals by pose, and against the noise"),
    )


def _parameters(found: Calibration, display: Display) -> Markup:
    rows: list[list[Content]] = []
    for k, p in enumerate(found.parameters):
        factor, unit = small(p.turns, display)
        value = (p.nominal + found.changes[k]) * factor
        alone = "not alone" if found.free_share[k] > 1e-6 else ""
        change, spread = found.changes[k] * factor, found.deviation[k] * factor
        name = p.text(found.robot)
        beyond = f"{abs(found.prior.ratios[k]):.3g} sigma" if k in found.prior.beyond else ""
        rows.append([str(k + 1), name, f"{value:.8g}", f"{change:+.4g}", f"{spread:.4g}", unit, alone, beyond])
    known, selection = found.determined, found.selection
    pairs: dict[str, Content] = {"Determined": f"{known.rank} of {known.count} unknowns"}
    if known.words:
        pairs["Not determined"] = "; ".join(known.words)
    for name, some in (("Would lock the machine", selection.locking), ("Do what others do", selection.twins)):
        if some:
            pairs[name] = ", ".join(p.path for p in some)
    return section(
        "Parameters",
        facts(pairs),
        png_figure(png(correction_figure(found, display), 110), "Corrections with two standard deviations"),
        folded(
            "All parameters",
            table(
                ["", "parameter", "corrected", "change", "+-", "unit", "determined", "beyond the tolerance"],
                rows,
            ),
        ),
    )


def _measurements(found: Calibration) -> Markup:
    given, sensors = found.measurements, found.model.sensors
    frames = (("tracker unknown", sensors.tracker), ("target unknown", sensors.target))
    unknown = [name for name, there in frames if there]
    pairs: dict[str, Content] = {
        "File": f"{Path(given.source).name}, SHA-256 of its values {sha256(given.m.tobytes()).hexdigest()[:16]}",
        "Columns": ", ".join(sensors.columns),
        "Frames": ", ".join(unknown) or "the robot's own",
        "gough": __version__,
    }
    return section("Measurements", facts(pairs))
