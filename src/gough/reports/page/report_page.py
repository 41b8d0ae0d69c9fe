"""The report of a robot along a motion: one HTML file that needs nothing else."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from importlib.resources import files

import numpy as np

from gough.reports.page.actuator_section import actuator_section
from gough.reports.page.cable_section import cable_section
from gough.reports.page.case import Case
from gough.reports.page.certificate_section import certificate_section
from gough.reports.page.check_section import check_section
from gough.reports.page.envelope_section import envelope_section
from gough.reports.page.html import Content, Markup, code, contents, facts, folded, markup, section
from gough.reports.page.mechanism_section import accuracy_section, mechanism_section
from gough.reports.page.motion_section import motion_section
from gough.reports.page.robot_section import robot_section
from gough.reports.page.share_section import share_section
from gough.reports.page.size_section import size_section
from gough.reports.page.summary import head
from gough.reports.page.workspace_section import workspace_section
from gough.robot import as_robot


def report_html(case: Case) -> str:
    """The page. The same case gives the same text."""
    sections = [
        robot_section(case),
        motion_section(case),
        actuator_section(case),
        check_section(case),
        size_section(case),
        envelope_section(case),
        share_section(case),
        cable_section(case),
        workspace_section(case),
        mechanism_section(case),
        accuracy_section(case),
        certificate_section(case),
        inputs_section(case),
    ]
    style = (files("gough.reports.page") / "style.css").read_text("utf-8")
    title = f"{case.facts['name']}, motion {case.motion.name}"
    body = "\n".join(markup(part) for part in [head(case), _animation(case), contents(sections), *sections])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"<footer>{escape(title)}. Made with gough {escape(case.versions.get('gough', ''))}.</footer>\n"
        "</body>\n</html>\n"
    )


def _animation(case: Case) -> Markup:
    if not case.animation:
        return Markup("")
    link = escape(case.animation, quote=True)
    return Markup(f'<p class="animation"><a href="{link}">See it move: {link}</a></p>')


def inputs_section(case: Case) -> Markup:
    """Command, versions, fingerprints of the inputs, and the robot as TOML."""
    result = case.result
    text = as_robot(result.robot).to_toml()
    motion = np.ascontiguousarray(np.column_stack([result.t, result.x, result.xd, result.xdd]))
    pairs: dict[str, Content] = {
        "Command": Markup(f"<code>{markup(case.command)}</code>"),
        "Formulation": f"{result.formulation} (all agree; this one has the fewest operations)"
        if case.certificate is None or case.certificate.passed
        else result.formulation,
        **case.versions,
        "Robot": f"SHA-256 {_hash(text)} of the explicit file below",
        "Samples": f"SHA-256 {sha256(motion.tobytes()).hexdigest()[:16]} of {motion.shape[0]} x {motion.shape[1]} "
        "numbers t, x, xd, xdd",
    }
    files = [folded(f"{name}, SHA-256 {_hash(content)}", code(content)) for name, content in case.files.items()]
    robot = folded("The robot's explicit file", code(text))
    return section("To make this report again", facts(pairs), robot, *files)


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
