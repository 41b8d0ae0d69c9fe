"""Where a robot's platform can be: travel, volume, boundary, largest shapes and tilts, and what ends them."""

from gough.workspaces.bracket import Bracket
from gough.workspaces.inscribed import Inscribed
from gough.workspaces.result import Workspace, workspace
from gough.workspaces.surface import Surface
from gough.workspaces.tilts import Tilts, TiltSets
from gough.workspaces.travel import Travel
from gough.workspaces.volume import Volume

__all__ = ["Bracket", "Inscribed", "Surface", "TiltSets", "Tilts", "Travel", "Volume", "Workspace", "workspace"]
