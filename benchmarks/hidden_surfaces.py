"""A robot's solids by gough's rasteriser and by Matplotlib's 3D axes: which solid each pixel shows, and the time.

Both draw the same scene in the same view at the same size. Matplotlib gets all triangles in one collection, which is
the best order it can give them: farthest mean depth first. What is right is decided by neither: the depth of every
triangle at the centre of every pixel it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from mpl_toolkits.mplot3d import Axes3D, proj3d
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from scipy.ndimage import maximum_filter, minimum_filter
from scipy.spatial.transform import Rotation

from benchmarks.timing import Variant, interleaved
from gough.kinematics import load
from gough.view.browser.meshes import mesh_of, place_of
from gough.view.drawing.camera import Camera, Window, around
from gough.view.drawing.raster import FINER, look, picture
from gough.view.drawing.scene import Scene, scene
from gough.view.drawing.solids import Solid

AZIMUTH, ELEVATION = 35, 20
RIM = 1
"""Pixels from an outline within which a difference is rounding of the mesh, not an error."""


@dataclass(frozen=True, slots=True)
class Drawings:
    """One scene drawn both ways.

    Attributes:
        ours, theirs: Make the picture; return its pixels.
        wrong: Share of the pixels away from outlines that show another solid than the nearest: ours, theirs.
        covered: Pixels away from outlines where there is a solid.
        triangles: Of Matplotlib's collection.
    """

    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    wrong: tuple[float, float]
    covered: int
    triangles: int


def drawings(name: str, columns: int = 770, rows: int = 640) -> Drawings:
    """A catalogue robot at home, drawn both ways; `theirs` has one flat colour per solid."""
    shown = scene(load(name))
    camera = around(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0]), AZIMUTH, ELEVATION)
    canvas, axes = _axes(shown, columns, rows)
    triangles = [_triangles(solid) for solid in shown.solids]
    numbers = np.repeat(np.arange(len(triangles)), [len(t) for t in triangles])
    faces = np.column_stack([numbers // 16 * 16, numbers % 16 * 16, np.full_like(numbers, 128)]) / 255
    collection = Poly3DCollection(np.vstack(triangles), facecolors=faces, edgecolors="none", antialiased=False)
    axes.add_collection3d(collection, autolim=False)

    def theirs() -> Any:
        canvas.draw()
        return np.asarray(canvas.buffer_rgba())

    def ours() -> Any:
        return picture(look(shown.solids, camera, window, (rows * FINER, columns * FINER)), shown.solids)

    pixels = theirs().astype(int)
    window = _window(axes, camera, columns, rows)
    nearest = _nearest(np.vstack(triangles), numbers, camera, window, (rows, columns))
    around_it = 2 * RIM + 1
    inside = (nearest >= 0) & (minimum_filter(nearest, around_it) == maximum_filter(nearest, around_it))
    seen = look(shown.solids, camera, window, (rows, columns)).which
    painted = np.where(pixels[..., 2] == 128, pixels[..., 0] + pixels[..., 1] // 16, -1)
    first: dict[str, int] = {}  # legs may share a joint: the same ball twice at one place
    same = np.array([*(first.setdefault(repr(solid.shape), k) for k, solid in enumerate(shown.solids)), -1])
    ours_wrong, theirs_wrong = (float(np.mean(same[w[inside]] != same[nearest[inside]])) for w in (seen, painted))
    return Drawings(ours, theirs, (ours_wrong, theirs_wrong), int(inside.sum()), len(numbers))


def rows(names: Sequence[str], rounds: int) -> list[dict[str, Any]]:
    """Milliseconds of each picture, times gough's, and the share of pixels that show a hidden solid."""
    found = []
    for name in names:
        both = drawings(name)
        calls = {"gough": Variant(both.ours), "Matplotlib": Variant(both.theirs)}
        timings = interleaved(calls, rounds, clock=process_time)
        wrong = dict(zip(timings, both.wrong, strict=True))
        for who, timing in timings.items():
            title = f"{name}, {who}" + (f", {both.triangles} triangles, flat colours" if who != "gough" else "")
            times = timing.least / timings["gough"].least
            found.append({"name": title, "ms": timing.least * 1e3, "times": times, "wrong": wrong[who]})
    return found


def _axes(shown: Scene, columns: int, rows: int) -> tuple[FigureCanvasAgg, Axes3D]:
    """Empty 3D axes that fill a canvas, with a parallel view of the scene."""
    figure = Figure(figsize=(columns / 100, rows / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0, 0, 1, 1), projection="3d")
    axes.set_axis_off()
    axes.set_proj_type("ortho")
    axes.view_init(elev=ELEVATION, azim=AZIMUTH)
    low, high = shown.reach(np.eye(3))
    middle, half = (low + high) / 2, (high - low).max() / 2
    axes.set(**{f"{name}lim": (c - half, c + half) for name, c in zip("xyz", middle, strict=True)})
    axes.set_box_aspect((1, 1, 1))
    return canvas, axes


def _window(axes: Any, camera: Camera, columns: int, rows: int) -> Window:
    """The part of the view that the drawn axes show."""

    def pixel(p: Any) -> Any:
        x, y, _ = proj3d.proj_transform(*p, axes.get_proj())
        return axes.transData.transform((x, y))

    origin = pixel(np.zeros(3))
    right, up = pixel(camera.view[0])[0] - origin[0], pixel(camera.view[1])[1] - origin[1]
    return Window(-origin[0] / right, (columns - origin[0]) / right, -origin[1] / up, (rows - origin[1]) / up)


def _nearest(triangles: Any, numbers: Any, camera: Camera, window: Window, shape: tuple[int, int]) -> Any:
    """(rows, columns) number of the solid whose triangle is nearest to the viewer at each pixel's centre, else -1."""
    rows, columns = shape
    per_x, per_y = columns / (window.right - window.left), rows / (window.top - window.bottom)
    x, y, z = np.moveaxis(triangles @ camera.view.T, -1, 0)  # each (triangles, 3 corners)
    x, y = (x - window.left) * per_x - 0.5, (window.top - y) * per_y - 0.5
    depth, which = np.full(shape, -np.inf), np.full(shape, -1)
    for k, (xk, yk, zk) in enumerate(zip(x, y, z, strict=True)):
        twice_area = (xk[1] - xk[0]) * (yk[2] - yk[0]) - (xk[2] - xk[0]) * (yk[1] - yk[0])
        i0, j0 = max(0, int(np.ceil(yk.min()))), max(0, int(np.ceil(xk.min())))
        i, j = np.ogrid[i0 : min(rows, int(yk.max()) + 1), j0 : min(columns, int(xk.max()) + 1)]
        if not (i.size and j.size and twice_area):
            continue
        b = ((j - xk[0]) * (yk[2] - yk[0]) - (xk[2] - xk[0]) * (i - yk[0])) / twice_area
        c = ((xk[1] - xk[0]) * (i - yk[0]) - (j - xk[0]) * (yk[1] - yk[0])) / twice_area
        here = zk[0] + b * (zk[1] - zk[0]) + c * (zk[2] - zk[0])
        box = np.s_[i0 : i0 + i.size, j0 : j0 + j.size]
        nearer = (b >= 0) & (c >= 0) & (b + c <= 1) & (here > depth[box])
        depth[box][nearer] = here[nearer]
        which[box][nearer] = numbers[k]
    return which


def _triangles(solid: Solid) -> Any:
    """(n, 3, 3) corners of a solid's triangles in B [m]."""
    mesh, place = mesh_of(solid.shape), place_of(solid.shape, solid.shape)
    R = Rotation.from_quat(np.roll(place.wxyz, -1)).as_matrix()
    return ((mesh.corners * place.scale) @ R.T + place.position)[mesh.triangles]
