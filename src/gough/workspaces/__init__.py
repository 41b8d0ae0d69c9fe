"""Where a robot's platform can be: travel, volume, boundary, largest shapes and tilts, and what ends them."""

from gough.workspaces.bracket import Bracket
from gough.workspaces.comparison import Figure, WorkspaceComparison, compare_workspaces
from gough.workspaces.inscribed import Inscribed
from gough.workspaces.margins import Limit
from gough.workspaces.result import Workspace, workspace
from gough.workspaces.solid_angle import SolidAngle
from gough.workspaces.surface import Surface
from gough.workspaces.tilts import Tilts, TiltSets
from gough.workspaces.travel import Travel
from gough.workspaces.volume import Volume

__all__ = [
    "Bracket",
    "Figure",
    "Inscribed",
    "Limit",
    "SolidAngle",
    "Surface",
    "TiltSets",
    "Tilts",
    "Travel",
    "Volume",
    "Workspace",
    "WorkspaceComparison",
    "compare_workspaces",
    "workspace",
]
