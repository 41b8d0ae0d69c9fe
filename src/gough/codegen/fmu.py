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
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

from gough import __version__
from gough.codegen.c_body import write_function
from gough.codegen.c_files import before_functions
from gough.codegen.c_functions import definitions
from gough.codegen.c_interface import check_prefix, identifier
from gough.codegen.c_module import Interface, Module, Parameter
from gough.codegen.robot_functions import FUNCTIONS, Exported, function_graph
from gough.errors import InputError, ResourceError
from gough.files import write_whole
from gough.graph import Graph, Vector, array, expand, record, solve
from gough.kinematics.configuration import Configuration
from gough.kinematics.sampled_call import check_robot
from gough.motion.column_names import WRENCH
from gough.robot import Robot
from gough.simulation.system import system_of
from gough.table.of_robot import actuator_units, coordinate_units

KINDS = ("plant", "inverse")
LONGEST_STEP = 1e-3
"""Longest step of the plant's own integration [s], by Runge and Kutta's method of order four."""


@dataclass(frozen=True)
class Variable:
    """A variable of the unit: its name, its unit, its role ("input", "parameter", "output") and its start value."""

    name: str
    unit: str
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
    x, (q, force) = coordinate_units(robot), actuator_units(robot)
    names, actuators = robot.coordinate_names, robot.actuator_names
    return [
        *(Variable(f"force_{name}", unit, "input") for name, unit in zip(actuators, force, strict=True)),
        *_wrench(),
        *(
            Variable(f"start_{name}", unit, "parameter", value)
            for name, unit, value in zip(names, x, robot.platform.home, strict=True)
        ),
        *(Variable(name, unit, "output") for name, unit in zip(names, x, strict=True)),
        *(Variable(f"{name}_d", f"{unit}/s", "output") for name, unit in zip(names, x, strict=True)),
        *(Variable(f"q_{name}", unit, "output") for name, unit in zip(actuators, q, strict=True)),
        *(Variable(f"qd_{name}", f"{unit}/s", "output") for name, unit in zip(actuators, q, strict=True)),
    ]


def _inverse_variables(robot: Robot) -> list[Variable]:
    x, (_, force) = coordinate_units(robot), actuator_units(robot)
    named = list(zip(robot.coordinate_names, x, robot.platform.home, strict=True))
    return [
        *(Variable(name, unit, "input", home) for name, unit, home in named),
        *(Variable(f"{name}_d", f"{unit}/s", "input") for name, unit, _ in named),
        *(Variable(f"{name}_dd", f"{unit}/s2", "input") for name, unit, _ in named),
        *_wrench(),
        *(Variable(f"force_{name}", unit, "output") for name, unit in zip(robot.actuator_names, force, strict=True)),
    ]


def _wrench() -> list[Variable]:
    return [Variable(f"wrench_{name}", "N" if name[0] == "f" else "N m", "input") for name in WRENCH]


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
    """Start: from x to c and z; rates: of c and z; seen: from c, z to x, xd, q, qd."""
    system, space, n = system_of(robot), Configuration(robot), robot.dof

    def rates(c: Vector, z: Vector, force: Vector, wrench: Vector) -> dict[str, Any]:
        found = system.rates(c, z, force, wrench)
        return {"cd": found["cd"], "zd": found["zd"]}

    def seen(c: Vector, z: Vector) -> dict[str, Any]:
        c = space.normalised(c)
        x = space.coordinates(c)
        xd = array(z)
        if space.turns:
            from gough.kinematics.pose import platform_pose

            xd = solve(platform_pose(robot.platform, x).chart(), z)
        sensed = system.sensors(c, z)
        return {"x": x, "xd": xd, "q": sensed["q"], "qd": sensed["qd"]}

    return {
        "start": record(lambda x: {"c": space.of_coordinates(x)}, x=n),
        "rates": record(rates, c=space.size, z=n, force=len(robot.actuators), wrench=6),
        "seen": record(seen, c=space.size, z=n),
    }


_PLANT = """\
#define N {n}
#define SIZE {size}
typedef struct {{ double c[SIZE], z[N]; }} Robot;

static void begin(double *v, Robot *r)
{{
    {p}_start(v + {start}, r->c);
}}

static void refresh(double *v, Robot *r)
{{
    int k, fine = 1;
    {p}_seen(r->c, r->z, v + {x}, v + {xd}, v + {q}, v + {qd});
    for (k = {x}; k < STATUS; ++k)
        fine = fine && v[k] - v[k] == 0.0;
    v[STATUS] = fine ? 0.0 : 3.0;
}}

static int advance(double *v, Robot *r, double step)
{{
    const int count = step > STEP ? (int)(step / STEP + 0.999999) : 1;
    const double h = step / count, part[4] = {{0.0, 0.5 * h, 0.5 * h, h}}, weight[4] = {{1.0, 2.0, 2.0, 1.0}};
    double c[SIZE], z[N], cd[SIZE] = {{0}}, zd[N] = {{0}}, csum[SIZE], zsum[N], size = 0.0;
    int i, k, stage;
    for (i = 0; i < count; ++i) {{
        for (k = 0; k < SIZE; ++k) csum[k] = 0.0;
        for (k = 0; k < N; ++k) zsum[k] = 0.0;
        for (stage = 0; stage < 4; ++stage) {{
            for (k = 0; k < SIZE; ++k) c[k] = r->c[k] + part[stage] * cd[k];
            for (k = 0; k < N; ++k) z[k] = r->z[k] + part[stage] * zd[k];
            {p}_rates(c, z, v + {force}, v + {wrench}, cd, zd);
            for (k = 0; k < SIZE; ++k) csum[k] += weight[stage] * cd[k];
            for (k = 0; k < N; ++k) zsum[k] += weight[stage] * zd[k];
        }}
        for (k = 0; k < SIZE; ++k) r->c[k] += h / 6.0 * csum[k];
        for (k = 0; k < N; ++k) r->z[k] += h / 6.0 * zsum[k];
    }}
    for (k = 0; k < N; ++k) size += r->z[k] * r->z[k] + r->c[k] * r->c[k];
    return size - size == 0.0;
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

static int advance(double *v, Robot *r, double step)
{{
    (void)v, (void)r, (void)step;
    return 1;
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
        "#include <float.h>\n#include <math.h>",
        *before_functions(module),
        f"#define VALUES {len(variables) + 2}\n#define STATUS {len(variables) + 1}",
        f'#define TOKEN "@TOKEN@"\n#define STEP {module.literal(LONGEST_STEP)}',
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
            f" unit={quoteattr(v.unit)}{more}/>"
        )
    last = len(variables) + 1
    lines += [
        f'    <Int32 name="status" valueReference="{last}" causality="output" variability="discrete"'
        ' initial="calculated" description="0 fine, 1 near singular, 2 out of reach, 3 not converged, ..."/>',
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
