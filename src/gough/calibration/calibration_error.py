"""What is wrong with measurements: one line, `place: what: value: what is allowed (likely cause, what to try)`."""

from __future__ import annotations

from gough.motion.faults import MotionError


class CalibrationError(MotionError):
    """Measurements, or what is asked of them, that no calibration can be made of."""
