"""The C of a functional mock-up unit: the robot's equations, the plant's steps, and FMI's interface around them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from gough import __version__
from gough.codegen.c_body import write_function
from gough.codegen.c_files import before_functions
from gough.codegen.c_functions import definitions
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.graph import Graph, Scalar, Vector, array, expand, record, solve, where
from gough.kinematics.configuration import Configuration
from gough.kinematics.pose import platform_pose
from gough.kinematics.recorded_status import of_legs, regular
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.status import Status
from gough.robot import Mechanism
from gough.simulation.events import NEAR_REACH
from gough.simulation.system import system_of

LONGEST_STEP = 1e-3
"""Longest step of the plant's own integration [s], by Runge and Kutta's method of order four."""
SHORTEST_STEP = 1e-9
"""Where a step of this length [s] is too long still, the plant stops: at the end of its reach a leg has no rates."""
AGREE = 1e-9
"""Difference between one step and its two halves that is accepted, as part of 1 + the number of the state."""


def unit_source(given: Exported, prefix: str, kind: str, starts: Sequence[float]) -> str:
    """The C file of the unit, all in one, with @TOKEN@ for its token.

    Args:
        given: The robot.
        prefix: What names in C begin with.
        kind: "plant" or "inverse".
        starts: Start values of the unit's variables. Their order is that of `gough.codegen.export_fmu`: forces, wrench,
            start, x, xd, q, qd of a plant; x, xd, xdd, wrench, forces of an inverse.
    """
    robot, module = given.robot, Module(prefix)
    n, m = robot.dof, len(robot.actuators)
    if kind == "plant":
        for name, graph in _plant_graphs(robot).items():
            _function(module, name, graph)
        at = 1 + m + 6 + n
        places = {"force": 1, "wrench": 1 + m, "start": 1 + m + 6, "x": at, "xd": at + n, "q": at + 2 * n}
        places |= {"qd": at + 2 * n + m, "n": n, "size": Configuration(robot).size}
        frame = _PLANT.format(p=prefix, **places)
    else:
        _function(module, "forces", function_graph(next(f for f in FUNCTIONS if f.name == "inverse"), given))
        places = {"x": 1, "xd": 1 + n, "xdd": 1 + 2 * n, "wrench": 1 + 3 * n, "force": 7 + 3 * n}
        frame = _INVERSE.format(p=prefix, **places)
    own = definitions(module)
    values = ", ".join(module.literal(float(v)) for v in (0.0, *starts, 0.0))
    head = [
        f"/* {robot.name} as an FMU ({kind}), written by gough {__version__}. */",
        "#include <float.h>\n#include <math.h>\n#include <string.h>",
        *before_functions(module),
        f"#define VALUES {len(starts) + 2}\n#define STATUS {len(starts) + 1}",
        f'#define TOKEN "@TOKEN@"\n#define STEP {module.literal(LONGEST_STEP)}',
        f"#define SHORTEST {module.literal(SHORTEST_STEP)}\n#define AGREE {module.literal(AGREE)}",
        "typedef enum { GOES_ON, STOPPED, BAD_INPUT } Advance;",
        f"static const double start_values[VALUES] = {{{values}}};",
    ]
    interface = (Path(__file__).parent / "fmi3.c").read_text(encoding="utf-8")
    return "\n\n".join([*head, *own, *module.functions, frame, interface])


def _function(module: Module, name: str, graph: Graph) -> None:
    """Adds a static function with a parameter for each input and output."""
    given = [(spec.name, spec.size) for spec in graph.inputs]
    found = [(f"out_{output.name}", len(output.nodes)) for output in graph.outputs]
    interface = Interface(
        (
            *(Parameter(n, f"const double {n}[{size}]") for n, size in given),
            *(Parameter(n, f"double {n}[{size}]") for n, size in found),
        ),
        tuple((n, f"{n}[{k}]") for n, size in given for k in range(size)),
        tuple((n, f"{n}[{k}]") for n, size in found for k in range(size)),
    )
    write_function(module, expand(graph), f"{module.prefix}_{name}", interface)


def _plant_graphs(robot: Mechanism) -> dict[str, Graph]:
    """Start: from x to c; rates: of c and z, and the status; seen: from c and z to x, xd, q, qd, and the status."""
    system, space, n = system_of(robot), Configuration(robot), robot.dof
    home = system.motion(space.of_coordinates(np.array(robot.platform.home)), np.zeros(n)).pose
    ending = [bool(leg.closure.short < -NEAR_REACH) for leg in home.legs]  # legs that tell how far they reach

    def legs(pose: RobotPose) -> Scalar:
        """The status by the legs; one at the end of its reach, where its rates have no bound, is out of it."""
        status = of_legs(robot, system.ways, pose).status
        for leg in compress(pose.legs, ending):
            status = where(leg.closure.short < -NEAR_REACH, status, float(Status.OUT_OF_REACH))
        return status

    def rates(c: Vector, z: Vector, force: Vector, wrench: Vector) -> dict[str, Any]:
        found = system.rates(c, z, force, wrench)
        return {"cd": found["cd"], "zd": found["zd"], "status": legs(system.motion(c, z).pose)}

    def seen(c: Vector, z: Vector) -> dict[str, Any]:
        c = space.normalised(c)
        x = space.coordinates(c)
        xd = array(z)
        if space.turns:
            xd = solve(platform_pose(robot.platform, x).chart(), z)
        sensed, pose = system.sensors(c, z), system.motion(c, z).pose
        fine = where(regular(robot, pose.jacobian()), float(Status.FINE), float(Status.NEAR_SINGULAR))
        told = legs(pose)
        return {"x": x, "xd": xd, "q": sensed["q"], "qd": sensed["qd"], "status": where(told > 0.0, told, fine)}

    return {
        "start": record(lambda x: {"c": space.of_coordinates(x)}, x=n),
        "rates": record(rates, c=space.size, z=n, force=len(robot.actuators), wrench=6),
        "seen": record(seen, c=space.size, z=n),
    }


_PLANT = """\
#define N {n}
#define SIZE {size}
typedef struct {{ double s[SIZE + N], stopped; }} Robot; /* the state: configuration, rates; why it stopped, or 0 */

static void begin(double *v, Robot *r)
{{
    {p}_start(v + {start}, r->s);
}}

static int finite_input(const double *v)
{{
    int k;
    for (k = {force}; k < {start}; ++k)
        if (v[k] - v[k] != 0.0)
            return 0;
    return 1;
}}

static void refresh(double *v, Robot *r)
{{
    double status;
    int k;
    {p}_seen(r->s, r->s + SIZE, v + {x}, v + {xd}, v + {q}, v + {qd}, &status);
    v[STATUS] = r->stopped != 0.0 ? r->stopped : status;
    for (k = {x}; k < STATUS; ++k)
        if (v[k] - v[k] != 0.0 && v[STATUS] <= 1.0)
            v[STATUS] = 3.0;
    if (!finite_input(v))
        v[STATUS] = -1.0;
}}

/* A step of Runge and Kutta's from s to end; the status of the first of its four states that has no rates, or 0. */
static double stride(const double *v, const double *s, double h, double *end)
{{
    const double part[4] = {{0.0, 0.5 * h, 0.5 * h, h}}, weight[4] = {{1.0, 2.0, 2.0, 1.0}};
    double at[SIZE + N], rate[SIZE + N] = {{0}}, sum[SIZE + N] = {{0}}, status;
    int k, stage;
    for (stage = 0; stage < 4; ++stage) {{
        for (k = 0; k < SIZE + N; ++k) at[k] = s[k] + part[stage] * rate[k];
        {p}_rates(at, at + SIZE, v + {force}, v + {wrench}, rate, rate + SIZE, &status);
        if (status > 0.0)
            return status;
        for (k = 0; k < SIZE + N; ++k) sum[k] += weight[stage] * rate[k];
    }}
    for (k = 0; k < SIZE + N; ++k) end[k] = s[k] + h / 6.0 * sum[k];
    return 0.0;
}}

/* Steps are halved until one and two halves agree; where that takes steps too small to go on, the machine stops. */
static Advance advance(double *v, Robot *r, double step)
{{
    double whole[SIZE + N], half[SIZE + N], end[SIZE + N], h = STEP, done = 0.0;
    int k;
    if (!finite_input(v))
        return BAD_INPUT;
    while (done < step && r->stopped == 0.0) {{
        const double left = step - done, now = h < left ? h : left;
        double status = stride(v, r->s, now, whole), error = 0.0;
        if (status == 0.0) status = stride(v, r->s, 0.5 * now, half);
        if (status == 0.0) status = stride(v, half, 0.5 * now, end);
        for (k = 0; k < SIZE + N && status == 0.0; ++k) {{
            const double off = fabs(end[k] - whole[k]) / (1.0 + fabs(end[k]));
            if (!(off <= error)) error = off; /* NaN too */
        }}
        if (status == 0.0 && error <= AGREE) {{
            memcpy(r->s, end, sizeof end);
            done = now == left ? step : done + now;
            if (error < AGREE / 64.0 && h < STEP) h = 2.0 * h;
        }} else if (now > SHORTEST) {{
            h = 0.5 * now;
        }} else {{
            r->stopped = status > 0.0 ? status : 3.0;
        }}
    }}
    return r->stopped == 0.0 ? GOES_ON : STOPPED;
}}
"""

_INVERSE = """\
typedef struct {{ int leg; }} Robot;

static void begin(double *v, Robot *r)
{{
    (void)v, (void)r;
}}

static void refresh(double *v, Robot *r)
{{
    double status, leg;
    {p}_forces(v + {x}, v + {xd}, v + {xdd}, v + {wrench}, v + {force}, &status, &leg);
    r->leg = (int)leg;
    v[STATUS] = status;
}}

static Advance advance(double *v, Robot *r, double step)
{{
    (void)v, (void)r, (void)step;
    return GOES_ON;
}}
"""
