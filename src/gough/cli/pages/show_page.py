"""The page of `gough show`, identical legs together."""

from __future__ import annotations

from shlex import quote
from textwrap import fill, indent
from typing import Any

from gough.cli.output import facts, table, vector
from gough.cli.pages.show_graph import graph_lines, loops_line
from gough.display import Display, display_units, friction_texts, number, stated_text
from gough.escape import one_line
from gough.motion.conventions import OWN, tool_text
from gough.robot import Robot
from gough.robot.addresses import measured
from gough.robot.file.error_tables import measure_of_error
from gough.robot.file.units import Units
from gough.robot.inertia import body
from gough.robot.quantities import measure

_CLOSURES = {
    "ups": "closed form, leg between two points",
    "swing": "closed form, leg that swings and slides",
    "rod": "closed form, rod of fixed length",
    "hinged": "closed form, rod and a hinged plate",
    "sru": "closed form, knee",
    "wrist": "closed form, one or two hinges",
    "newton": "Newton's method",
}
_MOST = 12
"""Tolerances listed; all are in JSON."""


def page(robot: Robot, shown: dict[str, Any], units: str, called: str) -> str:
    """Text of what `robot_facts` gives of a robot that the command line calls `called`, in units such as "mm,deg"."""
    display, own = display_units(units), file_units(robot)
    sections = [
        _head(robot, shown, display, "" if units else own),
        f"Bodies\n{_bodies(shown, display)}",
        f"Legs\n{_legs(shown, display)}",
        f"Graph\n{graph_lines(shown['graph'])}",
        *_joints(shown, display),
        f"Actuators\n{_actuators(shown, display)}",
        *_springs(shown, display),
        *_errors(robot, shown, display),
        f"Operations of one evaluation, Jacobian and status included\n{_operations(shown)}",
        f"Motions\n{_motions(shown)}",
        f"Ask next\n{_questions(shown, called, units or own)}",
    ]
    return "\n\n".join(sections)


def file_units(robot: Robot) -> str:
    """What `--units` takes for lengths and angles as the robot's file states them; nothing where lengths are in m."""
    if robot.units.length == 1.0:
        return ""
    names = [measure(what, robot.units).unit for what in ("length", "angle")]
    return ",".join(names) if all(names) else ""


def addresses_table(robot: Robot) -> str:
    """Address, value and unit of every number, in the units of the robot's file where these have a usual name."""
    rows = []
    for path, (value, what) in measured(robot).items():
        unit, si = (what.unit, what.named(1.0)) if what else ("", "")
        rows.append([path, f"{value / what.size:.10g}" if what and unit else f"{value:.10g}", unit or si])
    return table(["address", "value", "unit"], rows)


def how_to_set(robot: Robot) -> str:
    """Which unit a number of `--set` has."""
    plain = "is in SI units" if robot.units == Units() else "is refused where the file has another unit than the SI one"
    lengths = ((path, value / what.size, what.unit) for path, (value, what) in measured(robot).items() if what)
    path, value, unit = next((own for own in lengths if own[1] and own[2].isalpha()), ("platform.mass", 1.0, "kg"))
    return f"--set takes numbers with their unit, e.g. --set {path}={value:.10g}{unit}; one without a unit {plain}"


def _motions(shown: dict[str, Any]) -> str:
    """The robot's own motions, the default first."""
    rows = [[motion["name"], number(motion["duration"])] for motion in shown["motions"]]
    return table(["name", "duration s"], rows, "  ")


def _questions(shown: dict[str, Any], called: str, units: str) -> str:
    """Commands that answer the first questions about a robot, along its default motion or to a pose near home."""
    display, shown_in = display_units(units), f" --units {quote(units)}" if units else ""
    first = shown["coordinates"][0]
    turns = first["unit"] == "rad"
    moved = first["home"] + 0.02 * (1.0 if turns else shown["length"])
    factor, unit = display.travel(turns)
    pose = f"{first['name']}={number(moved * factor, 3)}{unit}"
    motion = "" if len(shown["motions"]) > 1 else f" --to {pose} --duration 1"
    questions = {
        f"gough ik {called} --pose {pose}{shown_in}": "actuators at a pose",
        f"gough inverse {called}{motion}{shown_in}": "forces along a motion",
        f"gough check {called}{motion}{shown_in}": "does the motion fit the machine?",
        f"gough workspace {called}{shown_in}": "where can it go?",
        f"gough view {called}{motion}{shown_in}": "the machine in motion, in the browser",
    }
    return indent(facts(questions), "  ")


def driven_text(mobility: dict[str, int]) -> str:
    """How many coordinates and actuators there are."""
    if mobility["actuators"] == mobility["coordinates"]:
        return f"{mobility['mobility']}, as many coordinates and actuators"
    return f"{mobility['mobility']}, as many coordinates, {mobility['actuators']} actuators"


def _head(robot: Robot, shown: dict[str, Any], display: Display, own: str) -> str:
    m = shown["mobility"]
    slides = [c["name"] for c in shown["coordinates"] if c["unit"] == "m"]
    turns = [f"{c['name']} (about {c['motion'][1]})" for c in shown["coordinates"] if c["unit"] == "rad"]
    over = f", {m['overconstrained']} times overconstrained" if m["overconstrained"] else ""
    lines = {
        "type": f"{shown['type']}, {len(shown['legs'])} legs",
        "coordinates": "; ".join(filter(None, [", ".join(slides), ", ".join(turns)])),
        "home": stated_text(robot, robot.platform.home, OWN, display, robot.platform.start),
        "pose": stated_text(robot, list(shown["pose"].values()), OWN, display, list(shown["dependent"].values())),
        "mobility": f"{driven_text(m)} ({m['joints']} joint freedoms, {m['equations']} closure equations{over})",
        "payload": _payload(robot, display),
        "motor": "" if robot.motor is None else f"{robot.motor.name}, ratio {number(robot.motor.ratio, 5)}",
        "sharing": "" if robot.actuation is None else f"{robot.actuation.text}: K^T force = Q",
        "at rest": _held(robot, shown["held"], display),
        "loops": loops_line(shown["graph"]),
        "gravity": f"{vector(shown['gravity'])} m/s^2",
        "length": f"{number(shown['length'] * display.length[0])} {display.length[1]} (for condition numbers)",
    }
    if not robot.tool.is_identity:
        lines["tool"] = tool_text(robot.tool, display.length, display.angle)
    if own:
        lines["units"] = f"output is in m and deg, CSV and JSON in m and rad, unless --units {own}"
    if lines["pose"] == lines["home"]:
        del lines["pose"]
    for name in ("payload", "motor", "sharing", "at rest"):
        if not lines[name]:
            del lines[name]
    title = f"{shown['name']}: {one_line(shown['description'], 300)}" if shown["description"] else shown["name"]
    text = f"{title}\n\n{facts(lines)}"
    if shown["source"]:
        text += "\n\n" + fill(f"Source: {shown['source']}", 100)
    return text


def _payload(robot: Robot, display: Display) -> str:
    """The payload, if there is one; it is part of the platform's body."""
    if "payload" not in robot.spec:
        return ""
    load, (size, unit) = body(robot.spec["payload"], "payload"), display.length
    return f"{number(load.mass)} kg at {vector([v * size for v in load.com])} {unit}, part of the platform's body below"


def _held(robot: Robot, held: dict[str, Any] | None, display: Display) -> str:
    """What holds the platform at rest at the pose shown, of actuators that share forces within limits."""
    if held is None:
        return ""
    what = "tensions" if len(robot.cables) == len(robot.actuators) else "forces"
    factor, unit = display.effort(all(c.turns for c in robot.platform.coordinates))
    margin = "" if held["margin"] is None else f", margin {number(held['margin'] * factor, 5)} {unit}"
    return f"{'no ' if held['force'] is None else ''}{what} within the limits hold the platform{margin}"


def _bodies(shown: dict[str, Any], display: Display) -> str:
    size, unit = display.length
    rows = [
        [
            b["name"] or "-",
            str(b["count"]),
            number(b["mass"]),
            vector([v * size for v in b["com"]]),
            vector(b["inertia"][:3]),
            _products(b),
        ]
        for b in shown["bodies"]
    ]
    header = ["name", "number", "mass kg", f"centre of mass {unit}", "inertia xx yy zz kg m^2", "xy xz yz"]
    return table(header, rows, "  ")


def _products(body: dict[str, Any]) -> str:
    return vector(body["inertia"][3:]) if any(body["inertia"][3:]) else ""


def _legs(shown: dict[str, Any], display: Display) -> str:
    size, unit = display.length
    rows = [
        [
            leg["name"],
            leg["type"],
            _CLOSURES.get(leg["closure"], leg["closure"]),
            "-" if leg["branch"] is None else f"{leg['branch']:+d}",
            vector([v * size for v in leg["position"]]),
            vector([v * size for v in leg["platform_point"]]),
            _end(leg, display),
        ]
        for leg in shown["legs"]
    ]
    header = ["name", "type", "closure", "branch", f"leg frame {unit}", f"on the platform {unit}", "end"]
    return table(header, rows, "  ")


def _end(leg: dict[str, Any], display: Display) -> str:
    """How a leg ends, and how far it turns there."""
    if leg["end_cone"] is None:
        return str(leg["end"])
    return f"{leg['end']} up to {number(leg['end_cone'] * display.angle[0], 4)} {display.angle[1]}"


def _errors(robot: Robot, shown: dict[str, Any], display: Display) -> list[str]:
    """Tolerances, heat and stiffness of the file, each in a line; none without them."""
    lines = {}
    for name, stated in shown["errors"].items():
        words = []
        for key, value in stated.items():
            what = measure_of_error(robot.spec, (name, key))
            if what is None:
                unit = {"temperature": " K", "expansion": " 1/K", "scale_expansion": " 1/K"}.get(key, "")
                words.append(f"{key} {value if isinstance(value, str) else number(value)}{unit}")
            elif name == "tolerances":
                factor, unit = display.error(what.dimension == measure("angle").dimension)
                words.append(f"{key} {number(value * factor)} {unit}")
            else:
                words.append(f"{key} {number(value)} {what.named(1.0)}")
        more = len(words) - _MOST
        lines[name] = ", ".join(words[:_MOST]) + (f" and {more} more" if more > 0 else "")
    return [f"Errors and stiffness (gough accuracy)\n{indent(facts(lines), '  ')}"] if lines else []


def _joints(shown: dict[str, Any], display: Display) -> list[str]:
    """A table of joints for each set of identical legs."""
    alike: dict[str, list[str]] = {}
    tables: dict[str, str] = {}
    for leg in shown["legs"]:
        rows = [_joint_row(joint, display) for joint in leg["joints"]]
        key = str([row[:6] for row in rows])
        alike.setdefault(key, []).append(leg["name"])
        tables.setdefault(
            key, table(["name", "kind", "carried by", "body", "role", "friction, rotor, spring"], rows, "  ")
        )
    return [
        f"Joints of leg{'s' if len(names) > 1 else ''} {', '.join(names)}\n{tables[key]}"
        for key, names in alike.items()
    ]


def _joint_row(joint: dict[str, Any], display: Display) -> list[str]:
    role = "driven" if joint["actuated"] else ""
    if joint["mimic"]:
        role = f"{number(joint['mimic']['ratio'])} x {joint['mimic']['joint']}"
    if joint["cone"] is not None:
        role = f"{role} up to {number(joint['cone'] * display.angle[0], 4)} {display.angle[1]}".strip()
        role += " from across its bolt" if joint["bolt"] is not None else ""
    turns = joint["kind"] == "R"
    scale, unit = display.travel(turns)
    if joint["stroke"] is not None and not joint["actuated"]:
        low, high = (number(end * scale) for end in joint["stroke"])
        role = f"{role} {low} to {high} {unit}".strip()
    extras = friction_texts(joint["viscous"], joint["coulomb"], turns, display)
    if joint["rotor_inertia"]:
        gear = number(joint["gear"]) if turns else f"({number(joint['gear'] / scale)} rad/{unit})"
        extras.append(f"rotor {number(joint['rotor_inertia'])} kg m^2 x {gear}^2")
    if joint["spring"]:
        extras.append(_joint_spring(joint["spring"], joint["kind"] == "R", display))
    kind = "turns" if joint["kind"] == "R" else "slides"
    return [joint["name"], kind, joint["parent"], joint["body"] or "-", role, ", ".join(extras)]


def _joint_spring(spring: dict[str, float], turns: bool, display: Display) -> str:
    scale, unit = display.travel(turns)
    push, effort = display.effort(turns)
    stiffness = f"spring {number(spring['stiffness'] * push / scale)} {effort}/{unit}"
    preload = f", preload {number(spring['preload'] * push)} {effort}" if spring["preload"] else ""
    return f"{stiffness} from {number(spring['rest'] * scale)} {unit}{preload}"


def _springs(shown: dict[str, Any], display: Display) -> list[str]:
    """A table of the springs between bodies, if there are any."""
    size, unit = display.length
    push, effort = display.effort(False)
    rows = [
        [
            spring["name"],
            *[
                f"{end['body']} at {vector([v * size for v in end['point']])}"
                for end in (spring["first"], spring["second"])
            ],
            number(spring["stiffness"] * push / size),
            number(spring["free_length"] * size),
        ]
        for spring in shown["springs"]
    ]
    header = ["name", f"from {unit}", f"to {unit}", f"stiffness {effort}/{unit}", f"free length {unit}"]
    return [f"Springs\n{table(header, rows, '  ')}"] if rows else []


def _actuators(shown: dict[str, Any], display: Display) -> str:
    rows = []
    for entry in shown["actuators"]:
        scale, unit = display.travel(entry["kind"] == "R")
        push, effort = display.effort(entry["kind"] == "R")
        stroke = entry["stroke"]
        rows.append(
            [
                entry["name"],
                f"{number(entry['q'] * scale)} {unit}",
                "-" if stroke is None else f"{number(stroke[0] * scale)} to {number(stroke[1] * scale)} {unit}",
                _limit(entry["speed"], scale, f"{unit}/s"),
                _limit(entry["force"], push, effort),
                _limit(entry["power"], 1.0, "W"),
            ]
        )
    beyond = [
        str(entry["name"])
        for entry in shown["actuators"]
        if entry["stroke"] is not None and not entry["stroke"][0] <= entry["q"] <= entry["stroke"][1]
    ]
    causes = "check its unit and zero, the leg's branch, or the pose"
    note = f"\n  (q is beyond the stroke of {', '.join(beyond)}: {causes})" if beyond else ""
    return table(["name", "q", "stroke", "speed", "force", "power"], rows, "  ") + note


def _limit(value: float | None, scale: float, unit: str) -> str:
    return "-" if value is None else f"{number(value * scale)} {unit}"


def _operations(shown: dict[str, Any]) -> str:
    titles = {
        "position": "positions",
        "velocity": "positions, rates",
        "acceleration": "positions, rates, accelerations",
    }
    keys = ("flops", "add", "mul", "div", "sqrt", "transcendental", "select")
    rows = [[titles[name], *[str(counts[key]) for key in keys]] for name, counts in shown["operations"].items()]
    return table(["for", "flops", "+ -", "*", "/", "sqrt", "sin cos ..", "selects"], rows, "  ")
