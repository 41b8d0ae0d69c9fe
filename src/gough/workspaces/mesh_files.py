"""A boundary as a mesh file, with the limit of each face: STL, PLY or OBJ."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gough.errors import InputError
from gough.graph import Array
from gough.workspaces.surface import Surface

ENDINGS = (".stl", ".ply", ".obj")
COLORS = {
    "reach": (213, 94, 0),
    "stroke": (0, 114, 178),
    "joint": (86, 180, 233),
    "angle": (0, 158, 115),
    "distance": (204, 121, 167),
    "side": (0, 0, 0),
    "singular": (90, 90, 90),
    "condition": (140, 140, 140),
    "constraint": (115, 55, 20),
    "margin": (170, 90, 160),
    "force": (230, 159, 0),
    "speed": (240, 228, 66),
    "box": (150, 175, 120),
}
"""Of the kinds of limits, as in pictures."""


def mesh_bytes(
    surface: Surface, ending: str, name: str, length: tuple[float, str] = (1.0, "m"), of: str = "the platform's origin"
) -> bytes:
    """The file's content, by its ending: binary STL (limit number in the attribute), PLY and OBJ with names.

    Args:
        surface: The boundary [m].
        ending: Of the file.
        name: Of the robot.
        length: How many of a unit are 1 m, and the unit of the file's numbers.
        of: The point whose positions they are.

    Raises:
        InputError: A boundary in a plane, which is no mesh.
    """
    if surface.vertices.shape[1] != 3:
        raise InputError(f"{ending}: a mesh needs three sliding coordinates; {name} has {surface.vertices.shape[1]}")
    title = f"gough workspace of {name} [{length[1]}], positions of {of}"
    scaled = replace(surface, vertices=surface.vertices * length[0])
    return {".stl": _stl, ".ply": _ply, ".obj": _obj}[ending](scaled, title)


def _stl(surface: Surface, title: str) -> bytes:
    corners = surface.vertices[surface.triangles].astype("<f4")
    a, b, c = (surface.vertices[surface.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("limit", "<u2")])
    rows["normal"] = normal / np.where(length > 0.0, length, 1.0)
    rows["corners"] = corners
    rows["limit"] = np.tile(surface.face_limits, 2)
    head = title.encode("ascii", "replace")[:79].ljust(80, b" ")
    return head + struct.pack("<I", len(rows)) + rows.tobytes()


def _lines(points: Array, form: str) -> list[str]:
    return [form.format(*point) for point in points.tolist()]


def _ply(surface: Surface, title: str) -> bytes:
    colors = [COLORS[limit.kind] for limit in surface.limits]
    head = [
        "ply",
        "format ascii 1.0",
        f"comment {title}",
        *[f"comment limit {k} {limit.text}" for k, limit in enumerate(surface.limits)],
        f"element vertex {len(surface.vertices)}",
        *[f"property double {axis}" for axis in "xyz"],
        f"element face {len(surface.faces)}",
        "property list uchar int vertex_indices",
        *[f"property uchar {color}" for color in ("red", "green", "blue")],
        "property int limit",
        "end_header",
    ]
    faces = [
        f"4 {' '.join(map(str, face))} {' '.join(map(str, colors[limit]))} {limit}"
        for face, limit in zip(surface.faces.tolist(), surface.face_limits.tolist(), strict=True)
    ]
    return _joined(head, _lines(surface.vertices, "{!r} {!r} {!r}"), faces)


def _obj(surface: Surface, title: str) -> bytes:
    lines = [f"# {title}"]
    groups = []
    for k in np.unique(surface.face_limits).tolist():
        groups.append(f"g {surface.limits[k].text.replace(', ', '_').replace(' ', '_')}")
        groups += [f"f {' '.join(map(str, face))}" for face in (surface.faces[surface.face_limits == k] + 1).tolist()]
    return _joined(lines, _lines(surface.vertices, "v {!r} {!r} {!r}"), groups)


def _joined(*parts: Sequence[str]) -> bytes:
    return ("\n".join(line for part in parts for line in part) + "\n").encode()
