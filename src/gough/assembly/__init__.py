"""Every pose that the platform can have at given actuator displacements: its assembly modes."""

from gough.assembly.assembly_modes import AssemblyModes, assembly_modes

__all__ = ["AssemblyModes", "assembly_modes"]
