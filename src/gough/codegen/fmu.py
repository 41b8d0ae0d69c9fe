"""A robot as a functional mock-up unit (FMI 3.0, co-simulation): its dynamics as a plant, or its inverse dynamics."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

import numpy as np

from gough import __version__
from gough.codegen.c_body import write_function
from gough.codegen.c_files import before_functions
from gough.codegen.c_functions import definitions
from gough.codegen.c_interface import check_prefix, identifier
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.errors import InputError, ResourceError
from gough.files import write_whole
from gough.graph import Graph, Scalar, Vector, array, expand, record, solve, where
from gough.kinematics.configuration import Configuration
from gough.kinematics.recorded_status import of_legs, regular
from gough.kinematics.robot_pose import RobotPose
from gough.kinematics.sampled_call import check_robot
from gough.kinematics.status import Status
from gough.motion.column_names import WRENCH
from gough.robot import Robot
from gough.simulation.events import NEAR_REACH
from gough.simulation.system import system_of
from gough.table.of_robot import actuator_units, coordinate_units

KINDS = ("plant", "inverse")
LONGEST_STEP = 1e-3
"""Longest step of the plant's own integration [s], by Runge and Kutta's method of order four."""
SHORTEST_STEP = 1e-9
"""Where a step of this length [s] is too long still, the plant stops: at the end of its reach a leg has no rates."""
AGREE = 1e-9
"""Difference between one step and its two halves that is accepted, as part of 1 + the number of the state."""


@dataclass(frozen=True)
class Variable:
    """A variable of the unit.

    Attributes:
        name, unit: As simulators show them.
        meaning: A line for people.
        role: "input", "parameter" or "output".
        start: Its start value.
    """

    name: str
    unit: str
    meaning: str
    role: str
    start: float = 0.0


def export_fmu(robot: Robot, path: str | Path, kind: str = "plant", *, name: str | None = None) -> Path:
    """Write a robot as an FMU for co-simulation, FMI 3.0, for this machine, with its C sources.

    Args:
        robot: Any.
        path: The file, .fmu.
        kind: "plant": actuator forces and an external wrench in, platform and actuators out; or "inverse": motion of
            the platform in, actuator forces out.
        name: Of the model; by default the robot's.

    Raises:
        InputError: No such kind, a name that C does not take.
        ResourceError: There is no C compiler.
        OSError: The file cannot be written.
    """
    check_robot(robot)
    if kind not in KINDS:
        raise InputError(f"kind {kind!r}: choose {' or '.join(KINDS)}")
    prefix = check_prefix(identifier(robot.name) if name is None else name)
    given = Exported(robot)
    variables = _plant_variables(robot) if kind == "plant" else _inverse_variables(robot)
    source = _source(given, prefix, kind, variables)
    token = str(uuid5(NAMESPACE_URL, source))
    code = source.replace("@TOKEN@", token)
    file = Path(path)
    write_whole(file, _zipped(prefix, code, _description(robot, prefix, kind, variables, token)))
    return file


def _plant_variables(robot: Robot) -> list[Variable]:
    x, (q, _) = coordinate_units(robot), actuator_units(robot)
    named, driven = list(zip(robot.coordinate_names, x, strict=True)), list(zip(robot.actuator_names, q, strict=True))
    start = zip(named, robot.platform.home, strict=True)
    return [
        *_forces(robot, "input"),
        *_wrench(),
        *(Variable(f"start_{n}", u, f"coordinate {n} at the start", "parameter", home) for (n, u), home in start),
        *(Variable(n, u, f"coordinate {n} of the platform in the base frame", "output") for n, u in named),
        *(Variable(f"{n}_d", f"{u}/s", f"rate of {n}", "output") for n, u in named),
        *(Variable(f"q_{n}", u, f"displacement of actuator {n} from its zero", "output") for n, u in driven),
        *(Variable(f"qd_{n}", f"{u}/s", f"rate of actuator {n}", "output") for n, u in driven),
    ]


def _inverse_variables(robot: Robot) -> list[Variable]:
    named = list(zip(robot.coordinate_names, coordinate_units(robot), strict=True))
    home = zip(named, robot.platform.home, strict=True)
    return [
        *(Variable(n, u, f"coordinate {n} of the platform in the base frame", "input", at) for (n, u), at in home),
        *(Variable(f"{n}_d", f"{u}/s", f"rate of {n}", "input") for n, u in named),
        *(Variable(f"{n}_dd", f"{u}/s2", f"acceleration of {n}", "input") for n, u in named),
        *_wrench(),
        *_forces(robot, "output"),
    ]


def _forces(robot: Robot, role: str) -> list[Variable]:
    named = zip(robot.actuator_names, actuator_units(robot)[1], strict=True)
    return [Variable(f"force_{n}", u, f"actuator {n}, joint side, positive as q grows", role) for n, u in named]


def _wrench() -> list[Variable]:
    return [
        Variable(
            f"wrench_{name}",
            "N" if name[0] == "f" else "N m",
            f"external {'force' if name[0] == 'f' else 'moment'} on the platform at its origin, {name[1]} of the base",
            "input",
        )
        for name in WRENCH
    ]


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


def _plant_graphs(robot: Robot) -> dict[str, Graph]:
    """Start: from x to c and z; rates: of c and z, and the status; seen: from c, z to x, xd, q, qd, and the status."""
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
            from gough.kinematics.pose import platform_pose

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

static void refresh(double *v, Robot *r)
{{
    double status;
    int k;
    {p}_seen(r->s, r->s + SIZE, v + {x}, v + {xd}, v + {q}, v + {qd}, &status);
    v[STATUS] = r->stopped != 0.0 ? r->stopped : status;
    for (k = {x}; k < STATUS; ++k)
        if (v[k] - v[k] != 0.0 && v[STATUS] <= 1.0)
            v[STATUS] = 3.0;
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
    for (k = {force}; k < {start}; ++k)
        if (v[k] - v[k] != 0.0)
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


def _source(given: Exported, prefix: str, kind: str, variables: Sequence[Variable]) -> str:
    """The C file of the unit, all in one."""
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
    starts = ", ".join(module.literal(float(v)) for v in (0.0, *(variable.start for variable in variables), 0.0))
    head = [
        f"/* {robot.name} as an FMU ({kind}), written by gough {__version__}. */",
        "#include <float.h>\n#include <math.h>\n#include <string.h>",
        *before_functions(module),
        f"#define VALUES {len(variables) + 2}\n#define STATUS {len(variables) + 1}",
        f'#define TOKEN "@TOKEN@"\n#define STEP {module.literal(LONGEST_STEP)}',
        f"#define SHORTEST {module.literal(SHORTEST_STEP)}\n#define AGREE {module.literal(AGREE)}",
        "typedef enum { GOES_ON, STOPPED, BAD_INPUT } Advance;",
        f"static const double start_values[VALUES] = {{{starts}}};",
    ]
    interface = (Path(__file__).parent / "fmi3.c").read_text(encoding="utf-8")
    return "\n\n".join([*head, *own, *module.functions, frame, interface])


def _description(robot: Robot, prefix: str, kind: str, variables: Sequence[Variable], token: str) -> str:
    """modelDescription.xml."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<fmiModelDescription fmiVersion="3.0" modelName={quoteattr(prefix)} instantiationToken="{token}"'
        f' description={quoteattr(f"{robot.name}, {kind}")} generationTool="gough {__version__}">',
        f'  <CoSimulation modelIdentifier="{prefix}" canHandleVariableCommunicationStepSize="true"'
        ' canGetAndSetFMUState="true"/>',
        "  <UnitDefinitions>",
        *(
            f"    <Unit name={quoteattr(unit)}>{_base_unit(unit)}</Unit>"
            for unit in sorted({v.unit for v in variables})
        ),
        "  </UnitDefinitions>",
        f'  <DefaultExperiment startTime="0" stopTime="1" stepSize="{LONGEST_STEP}"/>',
        "  <ModelVariables>",
        '    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>',
    ]
    for place, v in enumerate(variables, start=1):
        role = f'causality="{v.role}"'
        more = f' start="{v.start!r}"' if v.role != "output" else ""
        kind_of = ' variability="fixed"' if v.role == "parameter" else ' variability="continuous"'
        initial = ' initial="exact"' if v.role == "parameter" else ' initial="calculated"' if v.role == "output" else ""
        lines.append(
            f'    <Float64 name={quoteattr(v.name)} valueReference="{place}" {role}{kind_of}{initial}'
            f" description={quoteattr(v.meaning)} unit={quoteattr(v.unit)}{more}/>"
        )
    last = len(variables) + 1
    lines += [
        f'    <Int32 name="status" valueReference="{last}" causality="output" variability="discrete"'
        ' initial="calculated" description="0 fine, 1 near singular, 2 out of reach, 3 not converged, ...,'
        ' -1 an input is not finite"/>',
        "  </ModelVariables>",
        "  <ModelStructure>",
    ]
    outputs = [place for place, v in enumerate(variables, start=1) if v.role == "output"] + [last]
    for element in ("Output", "InitialUnknown"):
        lines += [f'    <{element} valueReference="{place}"/>' for place in outputs]
    return "\n".join([*lines, "  </ModelStructure>", "</fmiModelDescription>", ""])


def _base_unit(unit: str) -> str:
    """SI exponents of a unit such as "rad/s2" or "N m"."""
    powers: dict[str, int] = {}
    above, _, below = unit.partition("/")
    parts = {"m": {"m": 1}, "rad": {"rad": 1}, "N": {"kg": 1, "m": 1, "s": -2}}
    for word in above.split():
        for base, power in parts[word].items():
            powers[base] = powers.get(base, 0) + power
    if below:
        powers["s"] = powers.get("s", 0) - (2 if below.endswith("2") else 1)
    return f"<BaseUnit {' '.join(f'{base}={quoteattr(str(power))}' for base, power in powers.items())}/>"


def _zipped(prefix: str, code: str, description: str) -> bytes:
    """The archive, with the library for this machine."""
    machine, ending = _platform()
    build = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiBuildDescription fmiVersion="3.0">\n'
        f'  <BuildConfiguration modelIdentifier="{prefix}">\n    <SourceFileSet language="C99">\n'
        f'      <SourceFile name="{prefix}.c"/>\n    </SourceFileSet>\n  </BuildConfiguration>\n'
        "</fmiBuildDescription>\n"
    )
    content: dict[str, bytes] = {
        "modelDescription.xml": description.encode(),
        f"sources/{prefix}.c": code.encode(),
        "sources/buildDescription.xml": build.encode(),
        f"binaries/{machine}/{prefix}{ending}": _compiled(prefix, code, ending),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in content.items():
            archive.writestr(zipfile.ZipInfo(place, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _platform() -> tuple[str, str]:
    import platform

    machine = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    system = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
    name, ending = system.get(sys.platform, ("linux", ".so"))
    return f"{machine}-{name}", ending


def _compiled(prefix: str, code: str, ending: str) -> bytes:
    compiler = next((found for found in map(shutil.which, ("cc", "gcc", "clang")) if found), None)
    if compiler is None:
        raise ResourceError("fmu: no C compiler (cc, gcc or clang) was found, which builds its library; install one")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / f"{prefix}.c", Path(folder) / f"{prefix}{ending}"
        source.write_text(code, encoding="utf-8")
        flags = ["-std=c99", "-O1", "-ffp-contract=off", "-fvisibility=hidden", "-shared", "-fPIC"]
        done = subprocess.run(
            [compiler, *flags, str(source), "-o", str(library), "-lm"], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise ResourceError(f"fmu: {compiler} failed: {(done.stderr.strip().splitlines() or ['no message'])[0]}")
        return library.read_bytes()
