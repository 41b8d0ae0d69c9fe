"""Where in a spec each part of its mechanism comes from, so that a fault names the key its author wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gough.robot.checks.fault import Path
from gough.robot.legs.chain import elementary
from gough.robot.legs.leg_keys import DRIVE
from gough.robot.legs.rings import leg_entries
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.spec import Spec


class Places:
    """Keys in a spec of the legs, joints and bodies of the mechanism that it describes.

    Attributes:
        spec: The spec.
        entries: Table of each leg, with its defaults and its places on rings.
    """

    def __init__(self, spec: Spec) -> None:
        """Places in `spec`."""
        self.spec = spec
        self.entries = leg_entries(spec)

    def leg(self, leg: int, *keys: str) -> Path:
        """Path of a key of a leg: in its own table where it is stated there, else in `[legs]`."""
        listed = "leg" in self.spec
        if not keys:
            return ("leg", leg) if listed else ("legs",)
        shared = _states(self.spec.get("legs", {}), keys)
        return ("legs", *keys) if not listed or (shared and not self.states(leg, *keys)) else ("leg", leg, *keys)

    def states(self, leg: int, *keys: str) -> bool:
        """Whether the table of a leg itself has a key."""
        return "leg" in self.spec and _states(self.spec["leg"][leg], keys)

    def joint(self, leg: int, joint: int, key: str) -> Path:
        """Path of a key of a joint."""
        if "joint" not in self.entries[leg]:
            return self.leg(leg, "actuator", key) if key in DRIVE else self.leg(leg, key)
        return ("leg", leg, "joint", self._stated(leg, joint), key)

    def body(self, leg: int, joint: int, key: str) -> Path:
        """Path of a key of the body that a joint moves."""
        entry = self.entries[leg]
        if "joint" not in entry:
            return self.leg(leg, SHORT_FORMS[entry["type"]].bodies[joint] or "rod", key)
        return ("leg", leg, "joint", self._stated(leg, joint), "body", key)

    def bodies(self) -> Iterator[tuple[int | None, Path, Mapping[str, Any]]]:
        """Of each body that is stated: its leg, None for the platform; the path of its inertia; its table."""
        yield from ((None, (key, "inertia"), self.spec[key]) for key in ("platform", "payload") if key in self.spec)
        for leg, entry in enumerate(self.entries):
            for key in dict.fromkeys(SHORT_FORMS[entry["type"]].bodies if "type" in entry else ()):
                if key in entry:
                    yield leg, self.leg(leg, key, "inertia"), entry[key]
            for k, joint in enumerate(entry.get("joint", ())):
                for key in ("body", "second", "closing"):
                    if key in joint:
                        yield leg, ("leg", leg, "joint", k, key, "inertia"), joint[key]

    def _stated(self, leg: int, joint: int) -> int:
        """Index of the stated joint from which elementary joint `joint` was expanded."""
        seen = 0
        for k, stated in enumerate(self.entries[leg]["joint"]):
            seen += len(elementary(stated))
            if joint < seen:
                return k
        return joint


def _states(table: Any, keys: tuple[str, ...]) -> bool:
    for key in keys:
        table = table.get(key) if isinstance(table, Mapping) else None
    return table is not None
