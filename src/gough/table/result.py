"""Results: a frozen dataclass declares which of its fields and properties are columns, and all forms follow from that.

    class Forces(Result):
        robot: Robot
        force: Array = column("actuator", "force")
        status: Any = column(show=status_texts)

        FACTS = ("robot",)

A column is declared with its axes, by names of `AXES`, and with the quantity that it measures: a word of `QUANTITIES`
or an SI unit. A value that is None, or of an axis that the robot has not got, is no column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar, dataclass_transform

import numpy as np

from gough.brief import brief
from gough.motion import Motion
from gough.motion.columns import RATES, WRENCH
from gough.robot import Mechanism
from gough.table.table import Block, Exports, Table

Function = TypeVar("Function", bound=Callable[..., Any])

QUANTITIES = {
    "displacement": ("m", "rad"),
    "rate": ("m/s", "rad/s"),
    "acceleration": ("m/s^2", "rad/s^2"),
    "force": ("N", "N m"),
}
"""SI units of a quantity along a translation and about a rotation."""


class Axis(NamedTuple):
    """An axis of arrays.

    Attributes:
        name: Its name in data sets.
        labels: Labels along it, of a robot.
        rotations: Whether each label belongs to a rotation.
    """

    name: str
    labels: Callable[[Mechanism], Sequence[str]]
    rotations: Callable[[Mechanism], Sequence[bool]] = lambda robot: ()


_SPATIAL = (False,) * 3 + (True,) * 3
AXES = {
    "coordinate": Axis(
        "coordinate", lambda robot: robot.coordinate_names, lambda robot: [c.turns for c in robot.platform.coordinates]
    ),
    "dependent": Axis(
        "dependent_coordinate",
        lambda robot: robot.dependent_names,
        lambda robot: [c.turns for c in robot.platform.dependent],
    ),
    "actuator": Axis(
        "actuator", lambda robot: robot.actuator_names, lambda robot: [joint.turns for joint in robot.actuators]
    ),
    "cable": Axis("actuator", lambda robot: tuple(robot.actuator_names[k] for k in robot.cables)),
    "joint": Axis("joint", lambda robot: robot.joint_names, lambda robot: [joint.turns for joint in robot.joints]),
    "leg": Axis("leg", lambda robot: tuple(leg.name for leg in robot.legs)),
    "xyz": Axis("axis", lambda robot: ("x", "y", "z")),
    "body_xyz": Axis("body_axis", lambda robot: ("x", "y", "z")),
    "wrench": Axis("component", lambda robot: WRENCH, lambda robot: _SPATIAL),
    "twist": Axis("axis", lambda robot: ("x", "y", "z", "rx", "ry", "rz"), lambda robot: _SPATIAL),
    "part": Axis("part", lambda robot: ("displacement", "rotation"), lambda robot: (False, True)),
    "end": Axis("end", lambda robot: ("least", "largest")),
}
"""Axes by the word that declares them."""


def units_of(robot: Mechanism, axis: str, quantity: str) -> list[str]:
    """SI unit of a quantity for each label of an axis of `AXES`."""
    return [QUANTITIES[quantity][turns] for turns in AXES[axis].rotations(robot)]


def robot_block(
    robot: Mechanism, name: str, values: Any, axis: str, quantity: str = "displacement", prefix: str | None = None
) -> Block:
    """A block of arrays (rows, labels) along an axis of a robot, such as its coordinates or actuators."""
    own = AXES[axis]
    return Block(name, values, units_of(robot, axis, quantity), {own.name: own.labels(robot)}, prefix)


def dependent_blocks(robot: Mechanism, values: Sequence[Any]) -> list[Block]:
    """Dependent coordinates, their rates and accelerations, as many as given; none if the robot has none of them."""
    if not robot.dependent_names:
        return []
    orders = zip(RATES, ("displacement", "rate", "acceleration"), values, strict=False)
    return [
        robot_block(robot, f"dependent_{prefix}".rstrip("_"), rows, "dependent", quantity, prefix)
        for prefix, quantity, rows in orders
    ]


def record_blocks(records: Sequence[Any], units: Mapping[str, str] | None = None) -> list[Block]:
    """A block for each key of mappings that all have the same ones; a tuple in them is an axis counted from 1."""
    found = []
    for key in records[0] if records else ():
        values = np.array([np.nan if record[key] is None else record[key] for record in records])
        found.append(Block(key, values, (units or {}).get(key, ""), _counted(key, values.shape[1:])))
    return found


def _counted(name: str, shape: Sequence[int]) -> dict[str, Sequence[str]]:
    """Axes whose labels are counted from 1."""
    return {f"{name}_{k}": tuple(str(i + 1) for i in range(size)) for k, size in enumerate(shape)}


@dataclass(frozen=True, slots=True)
class Column:
    """Declaration of a column; see `column` and `records`."""

    axes: tuple[str, ...] = ()
    quantity: str = ""
    name: str = ""
    prefix: str | None = None
    show: Callable[[Any], Any] | None = None
    units: Mapping[str, str] | None = None

    def blocks(self, result: Any, attribute: str) -> list[Block]:
        """The blocks of a result's value."""
        if any(axis in AXES and not AXES[axis].labels(result.robot) for axis in self.axes):
            return []
        value, name = getattr(result, attribute), self.name or attribute
        if value is None:
            return []
        if self.units is not None:
            return record_blocks([one.to_dict() for one in value], self.units)
        if isinstance(value, tuple) and self.axes == ("dependent",):
            return dependent_blocks(result.robot, value)
        named = {f"{name}_{key}": v for key, v in value.items()} if isinstance(value, Mapping) else {name: value}
        return [self._block(result, name, v if self.show is None else self.show(v)) for name, v in named.items()]

    def _block(self, result: Any, name: str, values: Any) -> Block:
        shape = np.shape(values)
        axes = _counted(name, shape[len(shape) - len(self.axes) :]) if "counted" in self.axes else {}
        for axis in self.axes if not axes else ():
            own, _, labels = axis.partition(":")
            known = AXES.get(axis)
            axes |= {known.name: known.labels(result.robot)} if known else {own: getattr(result, labels)}
        return Block(name, values, self._units(result), axes, self.prefix)

    def _units(self, result: Any) -> str | list[str]:
        if self.quantity not in QUANTITIES:
            return self.quantity
        units = units_of(result.robot, self.axes[-1], self.quantity) if self.axes else []
        alike = set(units_of(result.robot, "actuator", self.quantity))
        return units or (alike.pop() if len(alike) == 1 else "")


def column(
    axes: str = "",
    quantity: str = "",
    *,
    name: str = "",
    prefix: str | None = None,
    show: Callable[[Any], Any] | None = None,
    default: Any = MISSING,
    repr: bool = True,
) -> Any:
    """A field of a result that is a column of its table, or one for each entry where it is a mapping.

    Args:
        axes: Axes behind that of the samples, in words of `AXES`; "link:names" is an axis called link, whose labels are
            the result's own `names`, and "counted" one whose labels count from 1.
        quantity: A word of `QUANTITIES`, of the labels along the last axis, or of the actuators where these are no
            motions, if all are of one kind; or an SI unit.
        name: Name of the quantity in the table, by default that of the field.
        prefix: Prefix of the columns' names, as of `Block`.
        show: What the table shows of the values.
        default, repr: As of `dataclasses.field`.
    """
    own = Column(tuple(axes.split()), quantity, name, prefix, show)
    return field(default=default, repr=repr, metadata={"column": own})


def records(**units: str) -> Any:
    """A field of a result that holds the rows of its table: values with `to_dict`, whose keys are the columns."""
    return field(metadata={"column": Column(units=units)})


def computed(
    axes: str = "", quantity: str = "", *, name: str = "", prefix: str | None = None
) -> Callable[[Function], Function]:
    """Declare that a property of a result is a column; arguments as of `column`."""

    def declare(function: Function) -> Function:
        vars(function)["column"] = Column(tuple(axes.split()), quantity, name, prefix)
        return function

    return declare


@dataclass_transform(frozen_default=True, field_specifiers=(field, column, records))
class Result(Exports):
    """An answer: a frozen dataclass whose table is declared."""

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    """Fields and properties in the order of the columns, where that is not the order in which they are declared."""
    FACTS: ClassVar[tuple[str, ...]] = ()
    """Fields and properties that are facts; of a robot and a motion the name."""
    INDEX: ClassVar[str] = ""
    DRAWN: ClassVar[tuple[str, ...]] = ()
    LAYOUT: ClassVar[Literal["columns", "rows", "arrays"]] = "columns"
    UNDER: ClassVar[str] = "columns"
    """`index`, `shown`, `layout` and `under` of the table."""

    def __init_subclass__(cls) -> None:
        """Make the class a dataclass that shows itself briefly."""
        super().__init_subclass__()
        cls.__repr__ = brief  # type: ignore[method-assign]
        dataclass(frozen=True)(cls)

    @classmethod
    def declared(cls) -> dict[str, Column]:
        """Declared columns by the fields and properties that hold them."""
        own_fields = fields(cls)  # type: ignore[arg-type]  # a subclass is a dataclass
        found: dict[str, Column] = {one.name: one.metadata["column"] for one in own_fields if "column" in one.metadata}
        for name, value in vars(cls).items():
            own = getattr(getattr(value, "fget", None) or getattr(value, "func", None), "column", None)
            found |= {} if own is None else {name: own}
        return {name: found[name] for name in cls.COLUMNS or found}

    @property
    def table(self) -> Table:
        """The result as named columns with units."""
        blocks = tuple(self._blocks())
        arrays = [(np.shape(block.values), len(block.axes)) for block in blocks]
        rows = next((shape[0] for shape, axes in arrays if len(shape) > axes), min(1, len(blocks)))
        index = self.INDEX if any(block.quantity == self.INDEX for block in blocks) else ""
        settings = (index, self.DRAWN, self._remarks(), self.LAYOUT, self.UNDER)
        return Table(rows, blocks, self.facts(), *settings)

    def _blocks(self) -> Sequence[Block]:
        """Blocks of the table; a result whose rows are no fields of its own has others than those declared."""
        return [block for name, own in self.declared().items() for block in own.blocks(self, name)]

    def facts(self) -> dict[str, Any]:
        """Facts that go with the columns, by name."""
        values = {name: getattr(self, name) for name in self.FACTS}
        return {k: v.name if isinstance(v, (Mechanism, Motion)) else v for k, v in values.items()}

    def _remarks(self) -> tuple[str, ...]:
        """Lines before the CSV text."""
        return ()

    def _repr_html_(self) -> str:
        return f"<h4>{type(self).__name__}</h4>{super()._repr_html_()}"
