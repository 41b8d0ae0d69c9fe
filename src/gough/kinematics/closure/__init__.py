"""Closure: platform pose to joint coordinates, one file per closed form, Newton's method for any other chain."""

from gough.kinematics.closure.close import close_leg
from gough.kinematics.closure.closed_form import ClosedForm
from gough.kinematics.closure.closed_forms import CLOSED_FORMS

__all__ = ["CLOSED_FORMS", "ClosedForm", "close_leg"]
