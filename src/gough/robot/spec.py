"""The spec of a robot, the tree of its file in SI units and radians: addresses of its numbers, and changes of them.

An address names keys of the file: `platform.mass`, `legs.base.radius`, `leg.A.actuator.zero`. Legs go by name or by
number, joints and springs by name or by number from 1, entries of vectors by number from 0 or as x, y, z, those of
`home` also by coordinate; `*` stands for every leg, joint or entry. `leg.A` has every key of that leg, also where the
file states it for all legs: a change then adds a table for the leg alone. Of a leg written joint by joint, `base`,
`platform` and `actuator` stand for its `position`, for `end.platform_point` and for its actuated joint.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gough.errors import InputError
from gough.robot.legs.rings import leg_entries
from gough.robot.legs.short_forms import SHORT_FORMS
from gough.robot.motor import drive_of
from gough.robot.names import nearest

Spec = Mapping[str, Any]
Keys = tuple[str | int, ...]
AXES = ("x", "y", "z")
STANDARD_GRAVITY = (0.0, 0.0, -9.80665)
_DRIVE = {"zero": 0.0, "viscous": 0.0, "coulomb": 0.0, "rotor_inertia": 0.0, "gear": 1.0}
_BODY = {"mass": 0.0, "com": (0.0, 0.0, 0.0), "inertia": (0.0, 0.0, 0.0)}
_JOINT = {"offset": (0.0, 0.0, 0.0)}
_POINTS: dict[str, Keys] = {"base": ("position",), "platform": ("end", "platform_point")}
"""Points of a leg, and where a leg written joint by joint states them."""
_DERIVED = ("radial", "platform_radial", "side")
"""What rings say of a leg beside its points: no keys of a file."""


class PathError(InputError):
    """An address that leads to no number of the robot.

    Attributes:
        path: The address.
        nearest: One that leads to a number and is most like it; None where none is.
        hint: What to try.
    """

    def __init__(self, path: str, near: str | None) -> None:
        """No `path`; perhaps `near`."""
        self.path = path
        self.nearest = near
        self.hint = f"did you mean {near}?" if near else "`gough show ROBOT --addresses` lists them all"
        super().__init__(f"{path}: no such number in the robot ({self.hint})")


_OWN_DRIVE = ("rotor_inertia", "gear")
"""Keys of actuators that `[motor]` gives them where they do not state them."""


def motor_drive(spec: Spec) -> dict[str, Any]:
    """What actuators that do not state it have of the spec's motor."""
    return drive_of(spec["motor"]) if "motor" in spec else {}


def complete(spec: Spec) -> dict[str, Any]:
    """The spec with every leg in full, and with the numbers that it leaves at their defaults."""
    tree: dict[str, Any] = {key: value for key, value in spec.items() if key not in ("leg", "legs")}
    tree = {"name": tree.pop("name"), "gravity": list(STANDARD_GRAVITY), **tree}
    platform = {"home": [0.0] * len(tree["platform"]["coordinates"]), **_filled(tree["platform"], _BODY)}
    tree["platform"] = platform
    if "payload" in tree:
        tree["payload"] = _filled(tree["payload"], _BODY)
    drive = motor_drive(spec)
    tree["tool"] = {"position": [0.0] * 3, **tree.get("tool", {})}
    if "legs" in spec:
        tree["legs"] = _with_defaults(spec["legs"], drive)
        for side in ("base", "platform"):
            if "radius" in tree["legs"].get(side, {}):
                tree["legs"][side] = {"z": 0.0, **tree["legs"][side]}
    tree["leg"] = [_with_defaults(entry, drive) for entry in leg_entries(spec)]
    return tree


def _with_defaults(leg: Mapping[str, Any], drive: Mapping[str, Any]) -> dict[str, Any]:
    """The table of a leg, or of all legs, with what its bodies and its actuator have by default and of the motor."""
    own = {key: value for key, value in leg.items() if key not in _DERIVED}
    if "joint" in leg:
        own = {"position": [0.0] * 3, **{key: value for key, value in own.items() if key not in ("base", "platform")}}
        own["joint"] = [_joint_with_defaults(joint, drive) for joint in leg["joint"]]
        own["end"] = {"point": [0.0] * 3, "platform_point": [0.0] * 3, **leg["end"]}
    elif "type" in leg:
        form = SHORT_FORMS[leg["type"]]
        own["actuator"] = _filled(leg.get("actuator", {}), _DRIVE if form.passive else {**_DRIVE, **drive})
        for body in filter(None, form.bodies):
            own[body] = _filled(leg.get(body, {}), _BODY)
    return own


def _joint_with_defaults(joint: Mapping[str, Any], drive: Mapping[str, Any]) -> dict[str, Any]:
    own = _filled(joint, {**_JOINT, **_DRIVE, **drive} if joint.get("actuated") else _JOINT)
    return {**own, "body": _filled(joint["body"], _BODY)} if "body" in joint else own


def _filled(table: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    missing = {key: value for key, value in defaults.items() if key not in table}
    return {**table, **{key: list(value) if isinstance(value, tuple) else value for key, value in missing.items()}}


def leaves(tree: object, keys: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """Keys and value of everything in a tree that is no table or list."""
    if isinstance(tree, Mapping):
        for key, value in tree.items():
            yield from leaves(value, (*keys, key))
    elif isinstance(tree, (list, tuple)):
        for k, value in enumerate(tree):
            yield from leaves(value, (*keys, k))
    else:
        yield keys, tree


def number_at(tree: Any, keys: Keys) -> Any:
    """What is at these keys of a tree."""
    for key in keys:
        tree = tree[key]
    return tree


def is_number(value: object) -> bool:
    """Whether a value of a spec is a number, plain or traced."""
    return not isinstance(value, (str, bool, Mapping, list, tuple)) and value is not None


def address(tree: Spec, keys: Keys) -> str:
    """The address of a number: legs and joints by name, points of legs as `base` and `platform`, entries from 0."""
    parts: list[str] = []
    node: Any = tree
    for name, point in (_POINTS if keys[0] == "leg" and "joint" in tree["leg"][keys[1]] else {}).items():
        if keys[2 : 2 + len(point)] == point:
            return ".".join(map(str, ("leg", tree["leg"][keys[1]]["name"], name, *keys[2 + len(point) :])))
    key: Any
    for key in keys:
        inner = node[key]
        named = isinstance(key, int) and isinstance(inner, Mapping)
        parts.append(str(inner.get("name", key + 1)) if named else str(key))
        node = inner
    return ".".join(parts)


def numbers(spec: Spec) -> dict[str, tuple[Keys, Any]]:
    """Keys and value of every number by its address."""
    tree = complete(spec)
    return {address(tree, keys): (keys, value) for keys, value in leaves(tree) if is_number(value)}


def find(spec: Spec, path: str) -> list[Keys]:
    """Keys in `complete(spec)` of all numbers that an address or a pattern names.

    Raises:
        PathError: It names none.
    """
    found = matches(spec, path)
    if not found:
        raise PathError(path, nearest_address(spec, path))
    return found


def matches(spec: Spec, path: str) -> list[Keys]:
    """Keys as of `find`; none where the address or the pattern names none."""
    return [keys for keys, value in steps(complete(spec), path.split(".")) if is_number(value)]


def nearest_address(spec: Spec, path: str) -> str | None:
    """The address most like one that leads nowhere; None where nothing is alike."""
    known = [*numbers(spec)]
    coordinates = [name.lower() for name in spec["platform"]["coordinates"]]
    *before, last = path.lower().split(".")
    if last in coordinates and before in (["home"], ["platform"], ["platform", "home"], []):
        return f"platform.home.{coordinates.index(last)}"
    ends = [entry for entry in known if entry.endswith(f".{path}")]
    if ends:
        return ends[0]
    first, *rest = path.split(".")
    shared, tree = ".".join(("legs", *rest[1:])), complete(spec)
    if shared in known and first == "leg" and any(steps(tree, ["leg", *rest[:1]])):
        return shared
    if first == "legs" and any(is_number(value) for _, value in steps(tree, ["leg", *rest])):
        return ".".join(("leg", *rest))
    if last in AXES and before:
        near = nearest_address(spec, ".".join([*path.split(".")[:-1], str(AXES.index(last))]))
        stem, _, entry = (near or "").rpartition(".")
        return f"{stem}.{last}" if entry == str(AXES.index(last)) else near
    table = path.partition(".")[0]
    return nearest(path, [entry for entry in known if entry.startswith(f"{table}.")] or known) or nearest(path, known)


def steps(tree: Any, parts: Sequence[str], keys: Keys = (), root: Any = None) -> Iterator[tuple[Keys, Any]]:
    """Keys and values that the parts of an address lead to, from a part of the tree at `keys`."""
    root = tree if root is None else root
    if not parts:
        yield keys, tree
        return
    if keys == ("tolerances",):  # whose keys are addresses themselves
        own = ".".join(parts)
        yield from [((*keys, own), tree[own])] if own in tree else []
        return
    for more in _named(tree, parts[0], keys, root):
        yield from steps(number_at(tree, more), parts[1:], (*keys, *more), root)


def _named(node: Any, part: str, keys: Keys, root: Any) -> Iterator[Keys]:
    """Keys below a table or list that a part of an address names."""
    if isinstance(node, Mapping):
        if keys[:1] == ("leg",) and len(keys) == 2 and "joint" in node:
            yield from _joint_by_joint(node, part)
        elif part in node:
            yield (part,)
        return
    if not isinstance(node, (list, tuple)):
        return
    if part == "*":
        yield from ((k,) for k in range(len(node)))
        return
    tables = bool(node) and isinstance(node[0], Mapping)
    names = [str(entry.get("name")) for entry in node if isinstance(entry, Mapping)]
    if keys == ("platform", "home"):
        names = list(root["platform"]["coordinates"])
    elif not tables and len(node) == len(AXES):
        names = list(AXES)
    if part in names:
        yield (names.index(part),)
    elif part.isdecimal() and 0 <= int(part) - tables < len(node):
        yield (int(part) - tables,)


def _joint_by_joint(leg: Mapping[str, Any], part: str) -> Iterator[Keys]:
    """Keys of a leg written joint by joint that a part of an address names."""
    if part in leg:
        yield (part,)
    elif part in _POINTS:
        yield _POINTS[part]
    elif part == "actuator":
        yield from (("joint", k) for k, joint in enumerate(leg["joint"]) if joint.get("actuated"))


def changed(spec: Spec, changes: Mapping[Keys, Any]) -> dict[str, Any]:
    """The spec with other values at these keys of `complete(spec)`; numbers may be traced.

    A key of one leg that the file states for all legs becomes a table of that leg.
    """
    result = dict(spec)
    for keys in sorted(changes, key=lambda keys: keys[0] == "leg"):
        if keys[0] == "leg":
            entry = _with_defaults(leg_entries(result)[int(keys[1])], motor_drive(result))
            own = listed_legs(result)
            own[int(keys[1])] = _set(own[int(keys[1])], entry, keys[2:], changes[keys])
            result["leg"] = own
        else:
            result = _set(result, complete(result), keys, changes[keys])
    return result


def with_motor(spec: Spec, motor: Mapping[str, Any] | None) -> dict[str, Any]:
    """The spec with another motor, or without one; actuators state no rotor inertia and gear of their own."""
    result: dict[str, Any] = {key: value for key, value in spec.items() if key != "motor"}
    return result if motor is None else {**_without_drive(result), "motor": motor}


def _without_drive(node: Any, name: str = "") -> Any:
    """What stands at a key of this name, its actuators without keys that the motor gives them."""
    if isinstance(node, (list, tuple)):
        return [_without_drive(entry, name) for entry in node]
    if not isinstance(node, Mapping):
        return node
    driven = name == "actuator" or (name == "joint" and node.get("actuated"))
    return {key: _without_drive(own, key) for key, own in node.items() if not (driven and key in _OWN_DRIVE)}


def listed_legs(spec: Spec) -> list[dict[str, Any]]:
    """The tables of single legs; of a file that lists none, tables with nothing but their names."""
    return [dict(leg) for leg in spec.get("leg") or ({"name": entry["name"]} for entry in leg_entries(spec))]


def _set(table: Any, full: Any, keys: Keys, value: Any) -> Any:
    """A copy of a table or list with another value at some keys; what it leaves out on the way is taken from `full`."""
    if not keys:
        return value
    key = keys[0]
    if isinstance(key, int):
        entries = list(table if isinstance(table, (list, tuple)) else full)
        entries[key] = _set(entries[key], full[key], keys[1:], value)
        return entries
    below = full.get(key) if isinstance(full, Mapping) else None
    own = table.get(key, {} if isinstance(below, Mapping) else below) if isinstance(table, Mapping) else below
    if own is None and keys[1:]:  # a table that the file leaves out
        own = {}
    return {**table, key: _set(own, below, keys[1:], value)}
