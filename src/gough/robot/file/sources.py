"""Where in a spec each part of its mechanism comes from, so that a fault names the key its author wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gough.robot.checks.fault import Path
from gough.robot.legs.chain import elementary
from gough.robot.legs.leg_keys import DRIVE
from gough.robot.legs.rings import leg_entries
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.spec import Spec


class Places:
    """Keys in a spec of the legs, joints and bodies of the mechanism that it describes."""

    def __init__(self, spec: Spec) -> None:
        """Places in `spec`."""
        self.spec = spec
        self.entries = leg_entries(spec)

    def entry(self, leg: int) -> Mapping[str, Any] | None:
        """Table of a leg of a known type with its defaults, or None."""
        return self.entries[leg] if "joint" not in self.entries[leg] else None

    def leg(self, leg: int, *keys: str) -> Path:
        """Path of a key of a leg: in its own table where it is stated there, else in `[legs]`."""
        listed = "leg" in self.spec
        if not keys:
            return ("leg", leg) if listed else ("legs",)
        own: Any = self.spec["leg"][leg] if listed else None
        shared: Any = self.spec.get("legs", {})
        for key in keys:
            own = own.get(key) if isinstance(own, Mapping) else None
            shared = shared.get(key) if isinstance(shared, Mapping) else None
        if not listed or (own is None and shared is not None):
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
        table = self.entries[leg]["joint"][stated].get("body")
        return ("leg", leg, "joint", stated, "body"), table

    def _body_path(self, leg: int, key: str) -> Path:
        path = self.leg(leg, key, "inertia")
        return path[:-1] if path[0] == "legs" else self.leg(leg, key, "mass")[:-1]

    def _stated(self, leg: int, joint: int) -> int:
        """Index of the stated joint from which elementary joint `joint` was expanded."""
        seen = 0
        for k, stated in enumerate(self.entries[leg]["joint"]):
            seen += len(elementary(stated))
            if joint < seen:
                return k
        return joint
