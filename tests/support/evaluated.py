"""A graph's outputs in plain floats, by the definition of its operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from gough.graph import Graph, record
from gough.graph.evaluate import evaluate


def evaluated(graph: Graph, **inputs: Any) -> dict[str, Any]:
    """Outputs by name, in their shape: floats for (), arrays otherwise."""
    flat = [float(v) for spec in graph.inputs for v in np.broadcast_to(inputs[spec.name], spec.shape).flat]
    values = iter(evaluate(graph.nodes, graph.inners, graph.output_nodes, flat))
    outputs = {}
    for output in graph.outputs:
        array = np.array([next(values) for _ in output.nodes]).reshape(output.shape)
        outputs[output.name] = array if output.shape else float(array)
    return outputs


def computed(function: Any, **inputs: Any) -> Any:
    """What a recording of `function` gives for these inputs; their shapes are those of the values."""
    result = evaluated(record(function, **{name: np.shape(v) for name, v in inputs.items()}), **inputs)
    return result["out"] if list(result) == ["out"] else result
