"""From the tables of a robot file to its spec: every number in SI units and radians."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gough.robot.checks.fault import Fault
from gough.robot.file.leg_schema import JointTable
from gough.robot.file.reader import Reader, file_units
from gough.robot.file.schema import RobotTable
from gough.robot.file.units import Units
from gough.robot.legs.short_forms import SHORT_FORMS


def spec_in_si(tables: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The spec of a file's tables, of use only without faults, and all faults of form.

    Args:
        tables: As read from TOML, or the same built in Python; lists and dicts only.
    """
    reader = Reader(file_units(tables))
    spec = reader.table(RobotTable, tables)
    if reader.faults:
        return {}, [_of_leg_table(fault, tables) for fault in reader.faults]
    spec.pop("units", None)
    given, platform, actuation = reader.units, spec["platform"], spec.get("actuation", {})
    if "home" in platform:
        platform["home"] = _home(platform, given)
    if "reference" in actuation:
        actuation["reference"] = _efforts(spec, given)
    for leg in spec.get("leg", ()):
        for joint in leg.get("joint", ()):
            if "starts" in joint:
                joint["starts"] = _starts(joint, given)
    return spec, []


def _of_leg_table(fault: Fault, tables: Mapping[str, Any]) -> Fault:
    """A fault of a single `[leg]`, with what was meant: `[legs]` where it has rings, else `[[leg]]`."""
    leg = tables.get("leg")
    if fault.path != ("leg",) or not isinstance(leg, Mapping):
        return fault
    rings = "legs" not in tables and any(isinstance(leg.get(side), Mapping) for side in ("base", "platform"))
    return replace(fault, hint="all legs at once are [legs]" if rings else "each leg is a [[leg]]")


def _home(platform: Mapping[str, Any], given: Units) -> list[float]:
    """Home, each value in the unit of its coordinate; values beyond the last coordinate as they are."""
    factors = [given.angle if motion.startswith("r") else given.length for motion in platform["coordinates"].values()]
    factors += [1.0] * (len(platform["home"]) - len(factors))
    return [value * factor for value, factor in zip(platform["home"], factors, strict=False)]


def _efforts(spec: Mapping[str, Any], given: Units) -> list[float]:
    """Reference forces, each in the unit of its actuator."""
    reference = spec["actuation"]["reference"]
    kinds = _actuator_kinds(spec)
    kinds += kinds[-1:] * (len(reference) - len(kinds))
    return [value * given.factor("effort", kind) for value, kind in zip(reference, kinds, strict=False)]


def _actuator_kinds(spec: Mapping[str, Any]) -> list[str]:
    """Of each actuator whether it slides, "P", or turns; of legs on rings that of the first, which is that of all."""
    shared = spec.get("legs", {}).get("type", "UPS")
    if not spec.get("leg"):
        return [SHORT_FORMS[shared].drive]
    kinds: list[str] = []
    for leg in spec["leg"]:
        driven = [JointTable.joint_kind(joint, "P") for joint in leg.get("joint", ()) if joint.get("actuated")]
        kinds += driven if leg.get("joint") else [SHORT_FORMS[leg.get("type", shared)].drive]
    return kinds or ["P"]


def _starts(joint: Mapping[str, Any], given: Units) -> list[float]:
    """Coordinates at home of a joint that stands for several; a C turns, then slides."""
    if joint["type"] == "C":
        return [value * (given.length if k else given.angle) for k, value in enumerate(joint["starts"])]
    return [value * given.factor("travel", JointTable.joint_kind(joint, "P")) for value in joint["starts"]]
