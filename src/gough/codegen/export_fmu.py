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
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import quoteattr

from gough import __version__
from gough.codegen.c_interface import check_prefix, identifier
from gough.codegen.fmu_source import LONGEST_STEP, unit_source
from gough.codegen.robot_functions import Exported
from gough.errors import InputError, ResourceError
from gough.files import write_whole
from gough.kinematics.sampled_call import check_robot
from gough.motion.columns import WRENCH
from gough.robot import Mechanism, Robot
from gough.table.result import units_of

KINDS = ("plant", "inverse")


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
    variables = _plant_variables(robot) if kind == "plant" else _inverse_variables(robot)
    source = unit_source(Exported(robot), prefix, kind, [variable.start for variable in variables])
    token = str(uuid5(NAMESPACE_URL, source))
    code = source.replace("@TOKEN@", token)
    file = Path(path)
    write_whole(file, _zipped(prefix, code, _description(robot, prefix, kind, variables, token)))
    return file


def _plant_variables(robot: Mechanism) -> list[Variable]:
    x, q = (units_of(robot, axis, "displacement") for axis in ("coordinate", "actuator"))
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


def _inverse_variables(robot: Mechanism) -> list[Variable]:
    named = list(zip(robot.coordinate_names, units_of(robot, "coordinate", "displacement"), strict=True))
    home = zip(named, robot.platform.home, strict=True)
    return [
        *(Variable(n, u, f"coordinate {n} of the platform in the base frame", "input", at) for (n, u), at in home),
        *(Variable(f"{n}_d", f"{u}/s", f"rate of {n}", "input") for n, u in named),
        *(Variable(f"{n}_dd", f"{u}/s2", f"acceleration of {n}", "input") for n, u in named),
        *_wrench(),
        *_forces(robot, "output"),
    ]


def _forces(robot: Mechanism, role: str) -> list[Variable]:
    named = zip(robot.actuator_names, units_of(robot, "actuator", "force"), strict=True)
    return [Variable(f"force_{n}", u, f"actuator {n}, joint side, positive as q grows", role) for n, u in named]


def _wrench() -> list[Variable]:
    return [
        Variable(
            f"wrench_{name}",
            "N" if name[0] == "f" else "N m",
            f"external {'force' if name[0] == 'f' else 'moment'} on the platform at its tool, {name[1]} of the base",
            "input",
        )
        for name in WRENCH
    ]


def _description(robot: Mechanism, prefix: str, kind: str, variables: Sequence[Variable], token: str) -> str:
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
