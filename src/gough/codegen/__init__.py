"""A robot's equations as code for controllers and other programs: C, and functional mock-up units."""

from gough.codegen.export_c import ExportedC, export_c

__all__ = ["ExportedC", "export_c"]
