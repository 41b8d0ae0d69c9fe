"""The way out: where each output is computed, and how it reaches the caller in its own type and shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gough.errors import InputError
from gough.graph import Graph, Output
from gough.run.arrays import empty, is_plain
from gough.run.executor import Buffer

_DTYPES = {"float": np.float64, "int": np.int64, "bool": np.bool_}


def targets_by_name(graph: Graph, out: Any, rows: int | None) -> dict[str, Any]:
    """The caller's arrays for the outputs, checked."""
    if out is None:
        return {}
    outputs = {o.name: o for o in graph.outputs}
    if isinstance(out, Mapping):
        targets = dict(out)
    elif len(outputs) == 1:
        targets = {next(iter(outputs)): out}
    else:
        raise InputError(f"out: a dict by output name is needed; there are {', '.join(outputs)}")
    for name, target in targets.items():
        if name not in outputs:
            raise InputError(f"out {name}: no such output; there are {', '.join(outputs)}")
        _check_target(outputs[name], target, rows)
    return targets


def _check_target(output: Output, target: Any, rows: int | None) -> None:
    shape = _shape(output, rows)
    if not isinstance(target, np.ndarray):
        given = type(target).__name__
    elif target.shape != shape:
        given = f"shape {target.shape}"
    elif not target.flags.writeable:
        given = "a read-only one"
    elif target.dtype.kind not in "fiub" or not np.can_cast(_DTYPES[output.dtype], target.dtype, "same_kind"):
        given = f"one of {target.dtype}"
    else:
        return
    what = {"float": "real", "int": "integer", "bool": "bool"}[output.dtype]
    raise InputError(f"out {output.name}: a writeable {what} array of shape {shape} is needed, {given} given")


def _shape(output: Output, rows: int | None) -> tuple[int, ...]:
    return output.shape if rows is None else (rows, *output.shape)


def place_for(output: Output, target: Any, rows: int, taken: Sequence[Buffer]) -> Buffer:
    """A buffer of `rows` rows to compute an output in: the target itself if it is fit and apart from those taken."""
    if target is not None and output.dtype == "float" and is_plain(target):
        buffer: Buffer = target.reshape(rows, len(output.nodes))
        if not any(np.may_share_memory(buffer, other) for other in taken):
            return buffer
    return empty(rows, len(output.nodes))


def delivered(output: Output, raw: Buffer, target: Any, rows: int | None) -> Any:
    """An output as the caller gets it: in the target if there is one."""
    value: Any = raw.reshape(_shape(output, rows))[()]
    if output.dtype == "bool":
        value = value != 0.0
    elif output.dtype == "int":
        value = _whole(value)
    if target is None:
        return value
    if output.dtype != "float" or not np.may_share_memory(raw, target):
        target[...] = value
    return target


def _whole(values: Any) -> Any:
    """Whole numbers; what is none (NaN, beyond 64 bits) becomes the least, on every machine."""
    fits = np.abs(values) < 2.0**63
    return np.where(fits, np.where(fits, values, 0.0).astype(np.int64), np.iinfo(np.int64).min)[()]
