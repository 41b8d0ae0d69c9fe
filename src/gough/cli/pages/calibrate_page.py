"""A calibration as a page: how well the pose is known first, then what was found and what not."""

from __future__ import annotations

import numpy as np

from gough.calibration.geometric_parameters import names_of
from gough.calibration.plan import Plan
from gough.calibration.result import Calibration
from gough.calibration.small_units import small, with_unit
from gough.cli.output import facts, table
from gough.display import Display, stated_text
from gough.motion.conventions import OWN

_MOST = 12
"""Parameters shown; all are in CSV and JSON."""


def page(found: Calibration, display: Display, tolerances: str = "tolerances") -> str:
    """The text of `gough calibrate`; `tolerances` says where they were stated."""
    robot, known = found.robot, found.determined
    parts = [f"{robot.name}: {len(found.data.m)} poses of {found.measurements.source}\n", _pose_table(found, display)]
    if found.prior.too_tight or not found.noise.as_stated:
        parts.append(f"only if the {'tolerances are' if found.prior.too_tight else 'noise is'} right: {_doubt(found)}")
    lines = {
        "poses": found.uncertainty.where(robot),
        **_frame(found),
        "determined": f"{known.rank} of {known.count} unknowns",
    }
    for k, words in enumerate(known.words):
        lines["not determined" if k == 0 else " " * (k + 1)] = words
    lines["prior"] = _prior(found, tolerances)
    lines["noise"] = found.noise.text
    lines["deviations"] = ", ".join(
        f"{kind} {with_unit(value, _turns(found, kind), display)}" for kind, value in found.deviations.items()
    )
    out = found.outliers
    places = ", ".join(str(found.measurements.lines[k]) for k in out)
    lines["outliers"] = f"{len(out)} left out: line{'s' if len(out) > 1 else ''} {places}" if out else "none"
    if found.held_out is not None:
        lines["held out"] = f"in {found.held_out.folds} parts: residuals {found.held_out.ratio:.2f} times the noise"
    selection = found.selection
    if selection.locking:
        lines["left out"] = f"{len(selection.locking)} that would lock the machine: {names_of(selection.locking)}"
    if selection.twins:
        lines["also left out"] = (
            f"{len(selection.twins)} that have the same effect as others: {names_of(selection.twins)}"
        )
    parts += ["", facts(lines), "", _residuals(found, display)]
    if found.validation is not None:
        parts += ["", _validation(found, display)]
    parts += ["", _parameters(found, display)]
    return "\n".join(parts) + "\n"


def _turns(found: Calibration, kind: str) -> bool:
    sensors = found.model.sensors
    return next(sensors.is_angle(c) for c, own in zip(sensors.columns, sensors.kinds, strict=True) if own == kind)


def _pose_table(found: Calibration, display: Display) -> str:
    u = found.uncertainty
    rows = []
    for name, of in (
        ("at home", lambda v: v[0]),
        ("half of the poses", np.median),
        ("95 % of them", lambda v: np.quantile(v, 0.95)),
        ("worst of them", np.max),
    ):
        both = ((u.position, False), (u.rotation, True))
        rows.append([name, *(with_unit(float(of(values)), turns, display) for values, turns in both)])
    turning = bool(u.rotation.max() > 0.0)
    header = ["pose known to (1 sigma)", "position", "rotation" if turning else ""]
    return table(header, [row if turning else [*row[:2], ""] for row in rows])


def _frame(found: Calibration) -> dict[str, str]:
    """In which frame the pose is known, where those of a tracker or a target are unknown."""
    sensors = found.model.sensors
    unknown = [name for name, there in (("tracker's", sensors.tracker), ("target's", sensors.target)) if there]
    if not unknown:
        return {}
    found_too = f"the {' and the '.join(unknown)} {'are' if len(unknown) > 1 else 'is'} found too"
    return {"frame": f"pose of the robot's own platform in its base frame, as the file places them; {found_too}"}


def _doubt(found: Calibration) -> str:
    """Why the pose may be less well known than the parameters' deviations say."""
    if found.prior.too_tight:
        return f"{len(found.prior.beyond)} parameters are beyond them, see prior"
    return "residuals are not as the noise stated, see noise"


def _prior(found: Calibration, tolerances: str) -> str:
    """What was known of the parameters before, and how many are not where it has them."""
    prior = found.prior
    if not prior.stated:
        return "none: no tolerances are stated"
    beyond = len(prior.beyond)
    text = f"{tolerances}; {beyond} of {prior.stated} parameters beyond it"
    if beyond:
        text += f", worst {found.parameters[prior.worst].path} by {abs(prior.ratios[prior.worst]):.3g} sigma"
    if prior.too_tight:
        text += ": the tolerances are too tight, try wider ones: --tolerances FILE.toml or --tolerance base=1mm"
    return text


def _residuals(found: Calibration, display: Display) -> str:
    rows = [
        [kind, with_unit(before, _turns(found, kind), display), with_unit(after, _turns(found, kind), display)]
        for kind, (before, after) in found.residuals.items()
    ]
    return table(["residual (rms)", "before", "after"], rows)


def _validation(found: Calibration, display: Display) -> str:
    v = found.validation
    assert v is not None
    rows = [
        [name, with_unit(position, False, display), with_unit(rotation, True, display)]
        for name, (position, rotation) in v.rows
    ]
    return table([f"{v.source}, pose (rms)", "position", "rotation"], rows)


def _parameters(found: Calibration, display: Display) -> str:
    order = np.argsort(-np.abs(found.changes) / found.model.scales[: len(found.parameters)], kind="stable")
    rows = []
    for k in order[:_MOST]:
        p = found.parameters[k]
        factor, unit = small(p.turns, display)
        free = found.free_share[k] > 1e-6
        change, spread = found.changes[k] * factor, found.deviation[k] * factor
        beyond = f"{abs(found.prior.ratios[k]):.3g} sigma" if k in found.prior.beyond else ""
        alone = "not alone" if free else ""
        rows.append([p.path, p.text(found.robot), f"{change:+.4g}", f"{spread:.4g}", unit, alone, beyond])
    text = table(["parameter", "", "change", "+-", "unit", "determined", "beyond the tolerance"], rows)
    more = len(order) - _MOST
    return text + (f"\nand {more} smaller ones: --format csv lists all" if more > 0 else "")


def plan_head(found: Plan, display: Display) -> str:
    """What poses to measure will tell: the accuracy to expect, and what stays undetermined."""
    robot = found.model.robot
    what = ", ".join(c for c in found.model.sensors.columns if c not in found.model.sensors.encoders)
    lines = [f"{robot.name}: measure {what or 'encoders'} and read the encoders at {len(found.x)} poses\n"]
    rows = [
        [name, with_unit(u.rms()[0], False, display), with_unit(u.rms()[1], True, display)]
        for name, u in (("these poses", found.expected), ("as many random poses", found.random))
    ]
    lines += [table(["pose will be known to (1 sigma)", "position", "rotation"], rows), ""]
    words = {"determined": f"{found.determined.rank} of {found.determined.count} unknowns"}
    for k, text in enumerate(found.determined.words):
        words["not determined" if k == 0 else " " * (k + 1)] = text
    return "\n".join([*lines, facts(words)])


def plan_page(found: Plan, display: Display) -> str:
    """The text of `gough calibrate --plan`."""
    robot = found.model.robot
    poses = [f"{k + 1:3d}  {stated_text(robot, x, OWN, display)}" for k, x in enumerate(found.x)]
    return "\n".join([plan_head(found, display), "", *poses]) + "\n"
