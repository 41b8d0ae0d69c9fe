"""What is needed to make the report again: the command, versions, and the robot's file in full."""

from __future__ import annotations

from hashlib import sha256

import numpy as np

from gough.reports.page.case import Case
from gough.reports.page.html import Content, Markup, code, facts, folded, markup, section


def inputs_section(case: Case) -> Markup:
    """Command, versions, fingerprints of the inputs, and the robot as TOML."""
    result = case.result
    text = result.robot.to_toml()
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
