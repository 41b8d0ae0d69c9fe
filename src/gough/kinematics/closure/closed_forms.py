"""The list of closed forms, and which one fits a leg, decided from its plain numbers.

Only the chain from the base to the platform counts: what hangs beside it has no say in where the leg's end is.
"""

from __future__ import annotations

from gough.kinematics.closure.cable import CableForm
from gough.kinematics.closure.closed_form import ClosedForm, main_chain, without_sides
from gough.kinematics.closure.hinged import HingedForm
from gough.kinematics.closure.rod import RodForm
from gough.kinematics.closure.sru import SruForm
from gough.kinematics.closure.swing import SwingForm
from gough.kinematics.closure.ups import UpsForm
from gough.kinematics.closure.wrist import WristForm
from gough.robot import Leg

CLOSED_FORMS: list[type[ClosedForm]] = [CableForm, UpsForm, SwingForm, RodForm, HingedForm, SruForm, WristForm]
"""The first that fits a leg closes it. Programs are cached: a form added here does not close robots used before."""

ITERATION = "newton"
"""Name of the closure of legs that no closed form fits."""


def closed_form(leg: Leg) -> ClosedForm | None:
    """The closed form of a leg of plain numbers, None where there is none: Newton's method closes it."""
    chain = main_chain(leg)
    sources = [index if (mimic := leg.joints[index].mimic) is None else mimic.joint for index in chain]
    free_sides = [joint for k, joint in enumerate(leg.joints) if k not in chain and joint.mimic is None]
    if free_sides or not set(sources) <= set(chain):
        return None
    main = without_sides(leg, chain)
    return next((found for form in CLOSED_FORMS if (found := form.fit(main)) is not None), None)


def closure_name(leg: Leg) -> str:
    """What closes a leg of plain numbers: the name of its closed form, or "newton"."""
    form = closed_form(leg)
    return ITERATION if form is None else form.name
