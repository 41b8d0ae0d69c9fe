"""`Robot`: the spec of its file and where it comes from; its mechanism, its tolerances and its text are derived."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, field, replace
from functools import cached_property, lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, NoReturn, ParamSpec, TypeVar

import numpy as np

from gough.brief import brief
from gough.errors import GoughWarning, InputError
from gough.files import write_whole
from gough.graph import Array
from gough.robot.error_sources import ERROR_TABLES, TOLERANCE_WORDS, ErrorSources
from gough.robot.file.units import Units
from gough.robot.leg_values import Leg, Vector
from gough.robot.legs.expand import expand
from gough.robot.mechanism import Actuation, Frame, Mechanism, Platform, PointSpring
from gough.robot.motor import Motor, motor_of_table
from gough.robot.spec import (
    STANDARD_GRAVITY,
    Keys,
    Spec,
    changed,
    find,
    leaves,
    listed_legs,
    matches,
    motor_drive,
    with_motor,
)

if TYPE_CHECKING:
    from gough.robot.checks.fault import Place


@dataclass(frozen=True)
class Source:
    """Where a spec comes from.

    Attributes:
        name: File name, or what was read instead.
        text: Text of the file; empty where there is none.
        units: Units in which it states numbers.
        spec: The spec as it was read.
    """

    name: str = "robot"
    text: str = ""
    units: Units = field(default_factory=Units)
    spec: Spec = field(default_factory=dict)

    def place(self, spec: Spec) -> Place:
        """Lines and values of this text for faults of a spec: only those that the text states."""
        from gough.robot.checks.fault import Place
        from gough.robot.file.toml_tables import tables_of

        legs = [str(leg.get("name", k + 1)) for k, leg in enumerate(spec.get("leg", ()))]
        if spec is not self.spec:
            return Place(str(spec.get("name", self.name)), names=legs, tables=spec)
        place = tables_of(self.text, self.name, "a robot")[1] if self.text else Place(self.name)
        return replace(place, names=legs)


class Robot(Mechanism):
    """A parallel robot as its file describes it; a mechanism that knows its file.

    Only the spec and its source are stored. Robots are equal if their specs are: every number, name and table of their
    files in SI units.

    Attributes:
        spec: The tree of its file, SI units and radians.
        source: The file and its units.
    """

    spec: Spec
    source: Source

    def __init__(
        self,
        name: str,
        platform: Platform,
        legs: Iterable[Leg],
        gravity: Vector = STANDARD_GRAVITY,
        length: float | None = None,
        actuation: Actuation | None = None,
        springs: Sequence[PointSpring] = (),
        tool: Frame | None = None,
    ) -> None:
        """A robot of plain numbers, put together from values; see `Mechanism` for what they are.

        Raises:
            RobotError: With every fault that a file would have, one line each; whether it moves is not looked at.
        """
        from gough.robot.file.read import robot_of_spec
        from gough.robot.file.write import mechanism_spec

        values = Mechanism(name, platform, tuple(legs), gravity, length, actuation, tuple(springs), tool or Frame())
        made = robot_of_spec(mechanism_spec(values), Source(name))
        self.__dict__.update(spec=made.spec, source=Source(), expanded=made.expanded)

    @classmethod
    def from_spec(cls, spec: Spec, source: Source | None = None, expanded: Mechanism | None = None) -> Robot:
        """The robot of a spec that has been checked, and expanded if it was."""
        made = object.__new__(cls)
        known = {} if expanded is None else {"expanded": expanded}
        made.__dict__.update(spec=spec, source=source or Source(spec=spec), **known)
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuse to be changed: what was derived before would be that of another robot."""
        raise FrozenInstanceError(
            f"{name}: a robot does not change; robot.replace({{address: value}}) returns another one"
        )

    def __getstate__(self) -> dict[str, object]:
        """Spec and source: all else is derived."""
        return {"spec": self.spec, "source": self.source}

    @property
    def __dataclass_fields__(self) -> NoReturn:  # type: ignore[override]
        """Not there: a robot has a spec, so that `dataclasses.replace` on it would lose what its fields do not hold."""
        raise TypeError("a robot is changed by robot.replace({address: value}), not by dataclasses.replace")

    def __repr__(self) -> str:
        """Its mechanism, briefly."""
        return f"Robot{brief(self.mechanism).removeprefix('Mechanism')}"

    def __eq__(self, other: object) -> bool:
        """Whether the specs are equal."""
        return self is other or (type(other) is Robot and self.spec == other.spec)

    def __hash__(self) -> int:
        """Of all that the spec holds."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(frozenset(leaves(self.spec)))

    @cached_property
    def expanded(self) -> Mechanism:
        """The mechanism as the spec says; dependent coordinates at home and branches that it leaves open are open."""
        return expand(self.spec)

    @cached_property
    def mechanism(self) -> Mechanism:
        """What equations read: the spec expanded, dependent coordinates at home and each leg's branch solved for."""
        from gough.kinematics.stated_assemblies import assembled

        return assembled(self.spec, self.expanded)

    @cached_property
    def without_source(self) -> Robot:
        """The same spec without its file."""
        return Robot.from_spec(self.spec)

    @cached_property
    def without_errors(self) -> Robot:
        """The same spec without its file, tolerances, heat and stiffness, which no equation reads."""
        return Robot.from_spec({key: value for key, value in self.spec.items() if key not in ERROR_TABLES})

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.spec["name"])

    @property
    def description(self) -> str:
        """What its file says it is; empty where it says nothing."""
        return str(self.spec.get("description", ""))

    @property
    def units(self) -> Units:
        """Units in which its file states numbers."""
        return self.source.units

    @property
    def platform(self) -> Platform:
        """The moving body and its coordinates."""
        return self.mechanism.platform

    @property
    def legs(self) -> tuple[Leg, ...]:
        """Its legs."""
        return self.mechanism.legs

    @property
    def gravity(self) -> Vector:
        """(3,) acceleration of free fall in B [m/s^2]."""
        return self.mechanism.gravity

    @property
    def length(self) -> float | None:
        """Characteristic length that its file states [m]."""
        return self.mechanism.length

    @property
    def actuation(self) -> Actuation | None:
        """How forces are allocated to more actuators than coordinates."""
        return self.mechanism.actuation

    @property
    def springs(self) -> tuple[PointSpring, ...]:
        """Springs between bodies."""
        return self.mechanism.springs

    @property
    def home(self) -> Array:
        """(n,) platform coordinates at home [m or rad]."""
        return np.array(self.platform.home, dtype=float)

    def pose(self, text: str = "home", /, *, convention: str = "robot", **values: float | str) -> Array:
        """(n,) platform coordinates of a pose in words or by name; what is not named is as at home.

        Args:
            text: "z=650mm,pitch=5deg", or all values in order, "0, 0, 0.65, 0, 5deg, 0".
            convention: In which it is stated: robot, fixed-xyz, uvw or quaternion.
            values: By name in place of the text, `z="650 mm"`; SI units where none is given.

        Raises:
            InputError: Unknown names, numbers or units; a pose that the coordinates cannot make up.
        """
        from gough.motion.conventions import Convention
        from gough.motion.pose import parse_pose

        return np.array(parse_pose(self, values or text, convention=Convention(convention)))

    @property
    def tool(self) -> Frame:
        """Frame of the platform where wrenches act and that pose conventions, travel and errors refer to."""
        return self.mechanism.tool

    @cached_property
    def motor(self) -> Motor | None:
        """The motor on every actuator; None where its file states none."""
        return motor_of_table(self.spec["motor"]) if "motor" in self.spec else None

    @cached_property
    def errors(self) -> ErrorSources:
        """Tolerances, heat and stiffness that its file states."""
        from gough.robot.file.error_tables import sources

        return sources(self.spec, self.spec)

    def _repr_html_(self) -> str:
        """Its picture and facts, for a notebook."""
        from gough.view.notebook import robot_html

        return robot_html(self)

    def replace(self, changes: Mapping[str, Any]) -> Robot:
        """A robot with the numbers at some addresses changed, and checked again.

        As in a file, an axis and the rows of a rotation that are exact to 1e-6 are made exact as a whole.

        Args:
            changes: Address, "leg.1.base.x", to value, a number or a list, SI units and radians; or a text with its
                unit, "300 g". `gough show ROBOT --addresses` lists the addresses.

        Raises:
            SettingError: A unit of something else.
            PathError: An address leads nowhere.
            RobotError: The new values are not allowed.
        """
        from gough.robot.addresses import changes_in_si

        return self.with_spec(changed(self.spec, changes_in_si(self, changes)))

    def with_spec(self, spec: Spec) -> Robot:
        """The robot with another spec, checked.

        Raises:
            RobotError: With every fault, one line each.
        """
        from gough.robot.file.read import robot_of_spec

        return robot_of_spec(spec, self.source)

    def _with_table(self, name: str, table: Mapping[str, Any] | None) -> Robot:
        """The robot with another table, whose numbers may be texts with units, at the top of its file, or without it.

        Raises:
            InputError: A unit of something else.
            RobotError: With every fault, one line each.
        """
        from gough.robot.addresses import in_si

        rest = {key: value for key, value in self.spec.items() if key != name}
        return self.with_spec(rest if table is None else {**rest, name: in_si(self.spec, (name,), table)})

    def with_tool(
        self,
        position: Sequence[float | str],
        rotation: Mapping[str, Any] | Sequence[Sequence[float]] | None = None,
    ) -> Robot:
        """The robot with another tool frame on its platform; one that is the platform's own takes the table away.

        Args:
            position: (3,) its origin in the platform's frame [m], or texts with their units, "100 mm".
            rotation: Its orientation in that frame, as a file states it: 3 rows, {"axis": .., "angle": ..} or
                {"sequence": "zyx", "angles": [..]} [rad, or texts with their units]; none if left out.

        Raises:
            InputError: A unit of something else.
            RobotError: Numbers that are no point or no rotation, or a point implausibly far from the robot.
        """
        made = self._with_table("tool", {"position": position} | ({} if rotation is None else {"rotation": rotation}))
        return self._with_table("tool", None) if made.tool.is_identity else made

    def with_numbers(self, changes: Mapping[str, Any], at_joints: Mapping[str, Any] | None = None) -> Mechanism:
        """The mechanism with numbers at some addresses changed, plain or traced, not checked.

        Home is that of this robot.

        Args:
            changes: By address.
            at_joints: By address of legs written joint by joint, changed when the legs have been built: a base point
                that moves then turns no axis that its leg takes from it.

        Raises:
            PathError: An address that leads nowhere.
        """
        from gough.robot.file.write import leg_table

        if not changes and not at_joints:
            return self.mechanism
        home = [*self.mechanism.platform.whole().home]
        spec = {**self.spec, "platform": {**self.spec["platform"], "home": home}}
        built = expand(changed(spec, _keyed(spec, changes)))
        if not at_joints:
            return built
        legs = [leg_table(leg, whole=True) for leg in built.legs]
        joined = {"name": built.name, "platform": spec["platform"], "leg": legs}
        return replace(built, legs=expand(changed(joined, _keyed(joined, at_joints))).legs)

    def with_payload(
        self,
        mass: float | str | None = None,
        com: Sequence[float | str] | Array = (0.0, 0.0, 0.0),
        inertia: Sequence[float | str] | Array = (0.0,) * 6,
    ) -> Robot:
        """The robot that carries this body, fixed to its platform, in place of its payload; without a mass, none.

        Any of these numbers may be a text with its unit, "300 g".

        Args:
            mass: Positive [kg].
            com: (3,) centre of mass in P [m].
            inertia: xx, yy, zz, xy, xz, yz about the centre of mass, axes of P [kg m^2].

        Raises:
            InputError: A unit of something else.
            RobotError: A mass that is not positive, an inertia no body has, numbers that are not finite or not as many.
        """
        from gough.robot.file.toml_tables import plain_lists

        if mass is None:
            return self._with_table("payload", None)
        zeros, table = ([0.0] * 3, [0.0] * 6), plain_lists({"mass": mass, "com": com, "inertia": inertia})
        return self._with_table("payload", {key: value for key, value in table.items() if value not in zeros})

    def with_motor(self, motor: Motor | str | Path | Mapping[str, Any] | None) -> Robot:
        """The robot with a motor on every actuator, in place of rotors and gears of its own; None removes the motor.

        Args:
            motor: A motor, the path of a motor's file, or a mapping with the keys of one.

        Raises:
            RobotError: With every fault of the file or of the keys, one line each; a gear on actuators that slide, or
                a lead on actuators that turn.
        """
        from gough.robot.file.motor_file import motor_table, read_motor_table

        if isinstance(motor, Motor):
            table: Mapping[str, Any] | None = motor.table(all(joint.turns for joint in self.mechanism.actuators))
        elif isinstance(motor, Mapping):
            table = motor_table(motor)
        else:
            table = None if motor is None else read_motor_table(motor)
        return self.with_spec(with_motor(self.spec, table))

    def with_limits(
        self,
        stroke: Sequence[float | str] | None = None,
        speed: float | str | None = None,
        force: float | str | None = None,
        power: float | str | None = None,
    ) -> Robot:
        """The robot with other limits on all actuators; those that are left out stay as they are.

        Args:
            stroke: Smallest and largest displacement [m or rad].
            speed: Largest speed [m/s or rad/s].
            force: Largest force or torque [N or N m].
            power: Largest power [W]. Any of these numbers may be a text with its unit, "750 mm/s".

        Raises:
            InputError: A unit of something else.
            RobotError: Values that are not allowed.
        """
        stated = {"stroke": stroke, "speed": speed, "force": force, "power": power}
        places = ["legs"] if "leg" not in self.spec else [f"leg.{self.legs[k].name}" for k in self.actuator_legs]
        return self.replace(
            {f"{at}.actuator.{kind}": value for at in places for kind, value in stated.items() if value is not None}
        )

    def with_gravity(self, gravity: Sequence[float | str] | Array) -> Robot:
        """The robot under another acceleration of free fall (3,) in B [m/s^2], numbers or texts with their unit.

        Raises:
            InputError: A unit of something else.
            RobotError: Values that are not allowed.
        """
        return self.replace({"gravity": gravity})

    def with_errors(self, errors: Mapping[str, Any] | str | Path) -> Robot:
        """The robot with other tolerances, heat and stiffness, in place of all that it has of them.

        Args:
            errors: Tables such as {"tolerances": {"base": "0.1 mm"}}, or the path of a TOML file with `[tolerances]`,
                `[heat]` and `[stiffness]`. Numbers without a unit are SI unless "units" says so; a file must state
                their units where the robot's file is in others.

        Raises:
            RobotError: With every fault, one line each.
        """
        from gough.robot.file.error_tables import error_tables

        kept = {key: value for key, value in self.spec.items() if key not in ERROR_TABLES}
        return self.with_spec({**kept, **error_tables(self, errors)})

    def with_mechanism(self, other: Mechanism) -> Robot:
        """The robot with the bodies, joints and ends of a changed mechanism, checked.

        Legs whose types cannot say them are written joint by joint.

        Raises:
            InputError: A change of something else.
            RobotError: With every fault, one line each.

        Warns:
            GoughWarning: Tolerances are stated of numbers that such a leg no longer has.
        """
        from gough.robot.file.write import spec_with

        return self._without_lost_tolerances(spec_with(self, other))

    def explicit(self, legs: Iterable[int] | None = None) -> Robot:
        """The same robot with some legs, or all, written joint by joint.

        Args:
            legs: Numbers of the legs from 0.

        Raises:
            InputError: There is no such leg.

        Warns:
            GoughWarning: Tolerances are stated of numbers that such a leg no longer has.
        """
        from gough.robot.file.write import leg_table

        count = len(self.legs)
        chosen = set(range(count)) if legs is None else set(legs)
        if unknown := chosen - set(range(count)):
            raise InputError(f"legs: {sorted(map(str, unknown))[0]}: must be from 0 to {count - 1}")
        own = listed_legs(self.spec)
        tables = [
            leg_table(leg, drive=motor_drive(self.spec)) if k in chosen else own[k] for k, leg in enumerate(self.legs)
        ]
        spec = {key: value for key, value in self.spec.items() if key != "legs" or len(chosen) < len(own)}
        return self._without_lost_tolerances({**spec, "leg": tables})

    def _without_lost_tolerances(self, spec: Spec) -> Robot:
        """The robot with another spec, checked, without tolerances of numbers that this one has not."""
        stated = spec.get("tolerances")
        if not stated:
            return self.with_spec(spec)
        kept = {key: half for key, half in stated.items() if key in TOLERANCE_WORDS or matches(spec, key)}
        others = {key: table for key, table in spec.items() if key != "tolerances"}
        made = self.with_spec({**others, "tolerances": kept} if kept else others)
        if lost := sorted(self.errors.by_address.keys() - made.errors.by_address.keys()):
            which = lost[0] + (f" and {len(lost) - 1} more" if len(lost) > 1 else "")
            line = f"{self.name}: tolerances of {which} are left out: a leg written joint by joint has no such number"
            warnings.warn(line, GoughWarning, stacklevel=3)
        return made

    def to_toml(self) -> str:
        """The text of its file with what was changed since it was read, comments and units as they were.

        A robot without a file, and one whose file cannot say the change, is written in SI units. `gough.loads` of the
        text equals the robot.
        """
        from gough.robot.file.edit import edited_text
        from gough.robot.file.write import spec_text

        edited = edited_text(self.source, self.spec) if self.source.text else None
        return spec_text(self.spec) if edited is None else edited

    def write(self, path: str | Path) -> None:
        """Write `to_toml` to a file, whole or not at all; `gough.load` of it equals the robot.

        Raises:
            InputError: The file does not end in .toml.
            OSError: The file cannot be written.
        """
        if Path(path).suffix != ".toml":
            raise InputError(f"{path}: a robot file ends in .toml")
        write_whole(Path(path), self.to_toml().encode())


def _keyed(spec: Spec, changes: Mapping[str, Any]) -> dict[Keys, Any]:
    return {keys: value for path, value in changes.items() for keys in find(spec, path)}


def as_robot(mechanism: Mechanism) -> Robot:
    """The mechanism itself, if it is a robot.

    Raises:
        TypeError: It is none: its numbers have no addresses.
    """
    if not isinstance(mechanism, Robot):
        raise TypeError(f"{mechanism.name}: a mechanism without a spec has no addresses")
    return mechanism


def content(robot: Mechanism, free: Sequence[str] = ()) -> Mechanism:
    """What programs of a robot are found by: its mechanism, or its spec where numbers at addresses are free."""
    return robot.without_errors if free and isinstance(robot, Robot) else robot.mechanism


P = ParamSpec("P")
T = TypeVar("T")


def by_spec(maxsize: int) -> Callable[[Callable[Concatenate[Robot, P], T]], Callable[Concatenate[Robot, P], T]]:
    """Keep what a function makes of a robot, found by its spec; the function gets a robot without its file."""

    def decorate(function: Callable[Concatenate[Robot, P], T]) -> Callable[Concatenate[Robot, P], T]:
        kept = lru_cache(maxsize)(function)

        @wraps(function)
        def found(robot: Robot, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return kept(robot.without_source, *args, **kwargs)  # type: ignore[arg-type]

        return found

    return decorate
