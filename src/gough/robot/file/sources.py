"""Where in a document each part of the explicit robot comes from, so that a fault names the key its author wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.robot.checks.fault import Path
from gough.robot.legs.chain import elementary
from gough.robot.legs.rings import leg_entries
from gough.robot.legs.short_form import DRIVE
from gough.robot.legs.short_forms import SHORT_FORMS


class Places:
    """Paths in a document of the legs, joints and bodies of the robot expanded from it; without one, explicit paths."""

    def __init__(self, document: Mapping[str, Any] | None) -> None:
        """Places in `document`."""
        self.document = document
        self.entries = leg_entries(document) if document is not None else []

    def entry(self, leg: int) -> Mapping[str, Any] | None:
        """Table of a leg of a known type with its defaults, or None."""
        return self.entries[leg] if self.entries and "joint" not in self.entries[leg] else None

    def leg(self, leg: int, *keys: str) -> Path:
        """Path of a key of a leg: in its own table where it is stated there, else in `[legs]`."""
        if self.document is None or not keys:
            return ("leg", leg, *keys) if self.document is None or "leg" in self.document else ("legs",)
        own: Any = self.document["leg"][leg] if "leg" in self.document else None
        shared: Any = self.document.get("legs", {})
        for key in keys:
            own = own.get(key) if isinstance(own, Mapping) else None
            shared = shared.get(key) if isinstance(shared, Mapping) else None
        if "leg" not in self.document or (own is None and shared is not None):
            return ("legs", *keys)
        return ("leg", leg, *keys)

    def joint(self, leg: int, joint: int, key: str) -> Path:
        """Path of a key of a joint."""
        if self.entry(leg) is not None:
            return self.leg(leg, "actuator", key) if key in DRIVE else self.leg(leg, key)
        return ("leg", leg, "joint", self._stated(leg, joint), key)

    def body(self, leg: int, joint: int) -> tuple[Path, Mapping[str, Any] | None]:
        """Path of the body a joint moves, and its table."""
        entry = self.entry(leg)
        if entry is not None:
            key = SHORT_FORMS[entry["type"]].bodies[joint] or "rod"
            return self._body_path(leg, key), entry.get(key)
        stated = self._stated(leg, joint)
        table = self.entries[leg]["joint"][stated].get("body") if self.entries else None
        return ("leg", leg, "joint", stated, "body"), table

    def _body_path(self, leg: int, key: str) -> Path:
        path = self.leg(leg, key, "inertia")
        return path[:-1] if path[0] == "legs" else self.leg(leg, key, "mass")[:-1]

    def _stated(self, leg: int, joint: int) -> int:
        """Index of the stated joint from which elementary joint `joint` was expanded."""
        if not self.entries:
            return joint
        seen = 0
        for k, stated in enumerate(self.entries[leg]["joint"]):
            seen += len(elementary(stated))
            if joint < seen:
                return k
        return joint
