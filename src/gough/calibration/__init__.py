"""Calibration: the geometry of a real machine from measurements, with its uncertainty."""

from gough.calibration.calibrate import calibrate
from gough.calibration.measurements import Measurements, read_measurements
from gough.calibration.plan import Plan, plan_poses
from gough.calibration.result import Calibration
from gough.calibration.sensors import Bar, Point

__all__ = ["Bar", "Calibration", "Measurements", "Plan", "Point", "calibrate", "plan_poses", "read_measurements"]
