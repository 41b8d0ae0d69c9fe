"""`gough.bind`: a function of a robot on fixed arrays, with a status, for control loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gough.calls.actuator_limits import ActuatorLimits, ExceededLimit
from gough.dynamics.contract import Formulation, choose
from gough.dynamics.determined_reactions import is_determined, reaction_call
from gough.dynamics.dynamics_matrices import check_exists, matrices_call, with_matrices
from gough.dynamics.force_programs import Model, watched_call
from gough.dynamics.forward import forward_call, with_forward_dynamics
from gough.errors import InputError
from gough.kinematics.forward.forward_kinematics import forward_kinematics_call
from gough.kinematics.inverse import kinematics_call
from gough.kinematics.sampled_call import Call, check_robot, not_finite
from gough.kinematics.status import Status, sentence
from gough.robot import Mechanism, Robot
from gough.robot.names import did_you_mean
from gough.run import Bound, Program
from gough.run.executor import Buffer


@dataclass(frozen=True, slots=True)
class Function:
    """A function that can be bound.

    Attributes:
        name: Name of the public function.
        call: (robot, **options) -> its call; the options are those of the public function that are no numbers.
        options: Names of the options.
        short: Another name, or "".
    """

    name: str
    call: Callable[..., Call]
    options: tuple[str, ...] = ()
    short: str = ""


def _inverse_kinematics(robot: Mechanism, order: int = 0) -> Call:
    if order not in (0, 1, 2):
        raise InputError(f"order: {order!r} given, expected 0 (x), 1 (x, xd) or 2 (x, xd, xdd)")
    return kinematics_call(robot, order)


def _inverse_dynamics(
    robot: Robot, formulation: str | Formulation = "auto", wrench: bool = False, base: bool = False
) -> Call:
    return watched_call(Model(robot, choose(formulation), wrench, base=base))


def _forward_dynamics(
    robot: Mechanism, formulation: str | Formulation = "auto", wrench: bool = False, base: bool = False
) -> Call:
    return forward_call(robot, with_forward_dynamics(formulation), wrench, base)


def _dynamics_matrices(
    robot: Robot, formulation: str | Formulation = "generalized_momentum", coordinates: str = "platform"
) -> Call:
    chosen = with_matrices(formulation)
    check_exists(robot, chosen, coordinates)
    return matrices_call(Model(robot, chosen), coordinates)


def _joint_reactions(robot: Mechanism) -> Call:
    if not is_determined(robot):
        raise InputError(f"joint_reactions: {robot.name} is overconstrained or redundant; call gough.joint_reactions")
    return reaction_call(robot)


FUNCTIONS: tuple[Function, ...] = (
    Function("inverse_kinematics", _inverse_kinematics, ("order",), "ik"),
    Function("forward_kinematics", forward_kinematics_call, (), "fk"),
    Function("inverse_dynamics", _inverse_dynamics, ("formulation", "wrench", "base")),
    Function("forward_dynamics", _forward_dynamics, ("formulation", "wrench", "base")),
    Function("dynamics_matrices", _dynamics_matrices, ("formulation", "coordinates")),
    Function("joint_reactions", _joint_reactions),
)


_FINE = Status.FINE


class BoundCall:
    """Write into `inputs`, call, look at the status that comes back, read from `outputs`. Use one per thread.

    A call on samples that are fine allocates nothing. Others are looked into as the public function does, which may
    take milliseconds; the outputs of a sample without a solution become NaN, and those of one with an input that is not
    finite, whose status is NOT_FINITE: no number raises an error. The status tells whether the legs reach the pose and
    whether it is near a singular one; `exceeded` compares the numbers with the actuators' limits.

    Attributes:
        inputs, outputs: float64 arrays by name, see the page "Names in results". Truth values are 0.0 and 1.0 in them.
        status: Status of the last call: a `Status`; for a call on rows (N,) values of it.
        leg, amount: As in the result of the public function.
    """

    __slots__ = (
        "_bound",
        "_call",
        "_fine",
        "_limits",
        "_run",
        "_single",
        "_sound",
        "amount",
        "inputs",
        "leg",
        "outputs",
        "status",
    )

    def __init__(self, function: str, call: Call, bound: Bound) -> None:
        self._call, self._run, self._limits = call, bound.run, ActuatorLimits.of(call.robot)
        self.inputs: dict[str, Buffer] = bound.inputs
        outputs = {name: value for name, value in bound.outputs.items() if name != "sound"}
        self.outputs: dict[str, Buffer] = outputs
        self._sound = bound.outputs["sound"]
        self._single = self._sound.ndim == 0
        self._fine = self._sound.item if self._single else self._sound.all
        rows = len(np.atleast_1d(self._sound))
        self.status: Any = _FINE if self._single else np.zeros(rows, dtype=np.int64)
        self.leg: Any = -1 if self._single else np.full(rows, -1)
        self.amount: Any = 0.0 if self._single else np.zeros(rows)

    def __repr__(self) -> str:
        """Its arrays, and the status of the last call."""
        arrays = (", ".join(f"{k} {v.shape}" for k, v in given.items()) for given in (self.inputs, self.outputs))
        status = self.status.text if self._single else f"{len(self.status)} rows"
        return f"BoundCall({' -> '.join(arrays)}; {status})"

    def __call__(self) -> Any:
        """The status, after the outputs were computed from what the inputs hold now."""
        self._run()
        if not self._fine():
            return self._looked_into()
        if self._single:
            self.status = _FINE
            return _FINE
        self.status.fill(0)
        return self.status

    @property
    def program(self) -> Program:
        """What is run, with its graph."""
        return self._call.narrow if self._single else self._call.program

    def sentence(self) -> str:
        """Cause of failure of the last sample, in words; of the first row that failed, which it names."""
        k = int(np.argmax(np.atleast_1d(self.status) != _FINE))
        status, leg, amount = (np.atleast_1d(v)[k] for v in (self.status, self.leg, self.amount))
        if status == _FINE:
            return _FINE.text
        cause = self._cause(k, Status(status), int(leg), float(amount))
        return cause if self._single else f"row {k}: {cause}"

    def _cause(self, k: int, status: Status, leg: int, amount: float) -> str:
        """Why sample k failed."""
        robot = self._call.robot
        if status == Status.NOT_FINITE:
            row = {name: values if self._single else values[k] for name, values in self.inputs.items()}
            return not_finite(robot, row) or "an input was not a finite number"
        if status == Status.NEAR_SINGULAR:
            return status.text
        return sentence(status, robot.legs[leg].name if leg >= 0 else "", amount)

    def exceeded(self) -> tuple[ExceededLimit, ...]:
        """Limits of the actuators that the arrays exceed as they are now; empty where all are kept. NaN exceeds any.

        Strokes are compared with q, speeds with qd, forces with force and powers with power, as far as the function has
        these arrays and the robot's file states limits. It takes a few microseconds.
        """
        return self._limits.exceeded({**self.inputs, **self.outputs})

    def _looked_into(self) -> Any:
        if self._single and not all(np.isfinite(values).all() for values in self.inputs.values()):
            return self._refused()
        graph = self._call.graph
        values = {
            o.name: self.outputs[o.name] != 0.0 if o.dtype == "bool" else self.outputs[o.name]
            for o in graph.outputs
            if o.name != "sound"
        }
        verdict = self._call.look_into(self.inputs, values, np.atleast_1d(self._sound) != 0.0)
        wrong = verdict.status == Status.NOT_FINITE
        lost = wrong | (verdict.status > Status.NEAR_SINGULAR)
        for output in graph.outputs:
            if output.name != "sound":
                keeps = output.name == "short" or output.dtype != "float"
                self.outputs[output.name].reshape(len(lost), -1)[wrong if keeps else lost] = np.nan
        if self._single:
            self.status = Status(int(verdict.status[0]))
            self.leg, self.amount = int(verdict.leg[0]), float(verdict.amount[0])
        else:
            self.status[:], self.leg[:], self.amount[:] = verdict.status, verdict.leg, verdict.amount
        return self.status

    def _refused(self) -> Status:
        """The status of a single sample that is not finite, soon: a loop meets it when a sensor fails."""
        for values in self.outputs.values():
            values.fill(np.nan)
        self.status, self.leg, self.amount = Status.NOT_FINITE, -1, 0.0
        return Status.NOT_FINITE


def bind(robot: Robot, function: str, rows: int | None = None, /, **given: object) -> BoundCall:
    """A function of a robot bound to fixed arrays: no checks of shapes, no allocation, with a status.

    Args:
        robot: Any robot.
        function: "inverse_kinematics" or "ik", "forward_kinematics" or "fk", "inverse_dynamics",
            "forward_dynamics", "dynamics_matrices", "joint_reactions" where the robot is neither overconstrained nor
            redundant.
        rows: Number of samples; None for a single one without the leading axis.
        given: The function's options by name (`formulation`, `wrench=True` for an external wrench, `order` of ik: 0, 1
            or 2), and float64 arrays in C order to read from and write to, by the names of inputs and outputs; those
            not given are made.

    Raises:
        InputError: No such function or array; an array of another shape or type.
    """
    check_robot(robot)
    chosen = _chosen(function)
    options = {name: value for name, value in given.items() if name in chosen.options and not _is_array(value)}
    call = chosen.call(robot, **options)
    arrays = {name: value for name, value in given.items() if name not in options}
    return BoundCall(chosen.name, call, call.bind(rows, arrays))


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray)


def _chosen(name: object) -> Function:
    for known in FUNCTIONS:
        if name in (known.name, known.short) and name:
            return known
    names = [n for known in FUNCTIONS for n in (known.name, known.short) if n]
    hint = did_you_mean(name, names, listed=False) if isinstance(name, str) else ""
    raise InputError(f"function {name!r}: choose {', '.join(names)}{f' ({hint})' if hint else ''}")
