"""A robot's equations as code for controllers and other programs: C, and functional mock-up units."""

from gough.codegen.export_c import ExportedC, export_c
from gough.codegen.export_fmu import export_fmu

__all__ = ["ExportedC", "export_c", "export_fmu"]
