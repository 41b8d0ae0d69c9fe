"""Motions, and what follows along them: limits, demands on actuators, accuracy, simulation."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import gough
from tests.support.adapter import Sizes, each, status_words, verdict
from tests.support.adapter.arrays import NOT_SPINDLES, arms, at_origin, with_stored_payload
from tests.support.adapter.policies import EXTREME, INTEGRATED, LOSING, RATES_OF_ROWS, SOLVED, STEPPED
from tests.support.questions import Answer, Question, States

SAMPLES = 9
OPERATIONS = ("add", "mul", "div", "sqrt", "transcendental", "select")


def short_motion(robot: gough.Robot, states: States) -> gough.Motion:
    """A short move between two stored poses within one second."""
    return gough.Motion.to(robot, states["to"], 1.0, start=states["from"])


def loaded(robot: gough.Robot, states: States) -> tuple[gough.Robot, gough.Motion]:
    """The robot with its tool at a point of the platform, and the short move under a wrench that acts there."""
    tooled = robot.with_tool(states["wrench_point"])
    return tooled, short_motion(tooled, states).with_wrench(0.3 * states["wrench"][1])


def _sampled(name: str, motion: gough.Motion, states: States, count: int = SAMPLES) -> dict[str, Answer]:
    sizes, samples = Sizes.of(states), motion.sample(count)
    of_rows = name.startswith("table")
    fields = {
        f"{name}_t": Answer(samples.t),
        f"{name}_x": Answer(samples.x, "coordinate", size=sizes.length),
        f"{name}_xd": Answer(samples.xd, "coordinate", RATES_OF_ROWS if of_rows else "round-off", sizes.rate),
        f"{name}_xdd": Answer(samples.xdd, "coordinate", RATES_OF_ROWS if of_rows else "round-off", sizes.acceleration),
    }
    if samples.wrench is not None:
        fields[f"{name}_wrench"] = Answer(samples.wrench, "wrench", size=sizes.force)
    return fields


def named_motions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The motions that come with a robot."""
    names = gough.motions(robot)
    answer = {"names": Answer(np.array(names, dtype=str), "names", "names")}
    return answer | each(
        {name: lambda name=name: _sampled(name, gough.Motion.named(robot, name), states) for name in names}  # type: ignore[misc]
    )


def motions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Lines, splines, tables and functions of time through stored poses."""
    start, end = states["from"], states["to"]
    t = np.array([0.0, 0.3, 0.7, 1.2])
    waypoints = start + np.array([0.0, 0.4, -0.3, 1.0])[:, None] * (end - start)
    times = np.linspace(0.0, 2.0, 81)
    shape = np.sin(np.pi * times / 2.0) ** 4
    noise = 1e-4 * np.sin(91.0 * times + 1.0)
    table = start + (shape + noise)[:, None] * (end - start)

    def of_time(now: float) -> tuple[Any, Any, Any]:
        turn, way = 2.0 * now, end - start
        return start + np.sin(turn) * way, 2.0 * np.cos(turn) * way, -4.0 * np.sin(turn) * way

    def line(law: str, back: bool) -> gough.Motion:
        return gough.Motion.to(robot, end, 1.0, start=start, law=law, back=back)

    rough = start + shape[:, None] * (end - start)
    made = {
        "line_minimum_jerk": lambda: line("minimum-jerk", False),
        "line_trig3": lambda: line("trig3", True),
        "line_cos": lambda: line("cos", False),
        "spline_minimum_jerk": lambda: gough.Motion.through(robot, t, waypoints),
        "table": lambda: gough.Motion.from_samples(robot, gough.State(rough, t=times), smooth="none"),
        "table_smoothed": lambda: gough.Motion.from_samples(robot, gough.State(table, t=times), smooth=0.3),
        "table_smoothed_auto": lambda: gough.Motion.from_samples(robot, gough.State(table, t=times), smooth="auto"),
        "function": lambda: gough.Motion.from_function(robot, of_time, 0.0, 1.0),
        "scaled": lambda: line("minimum-jerk", False).scaled(0.5),
    }
    asked = {name: lambda name=name, make=make: _sampled(name, make(), states) for name, make in made.items()}  # type: ignore[misc]
    return each(asked | {"wrench_at_point": lambda: _sampled_at_origin(robot, states)})


def _sampled_at_origin(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """The move under a wrench at a point, whose wrench is told at the platform's origin."""
    name, (_, motion) = "wrench_at_point", loaded(robot, states)
    found, samples = _sampled(name, motion, states), motion.sample(SAMPLES)
    wrench = at_origin(robot, samples.x, samples.wrench, states["wrench_point"])
    return found | {f"{name}_wrench": replace(found[f"{name}_wrench"], value=wrench)}


def base_motions(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Gravity less acceleration, w and wd of named motions of the base, in base axes."""
    times = np.linspace(0.0, 3.0, SAMPLES)
    return {name: Answer(_felt(robot, name, times), "vector", size=1e-3) for name in ("ship", "vehicle", "shaker")}


def _felt(robot: gough.Robot, name: str, times: Any) -> Any:
    """Gravity less acceleration, w and wd of a base that moves while the robot is at home."""
    base = gough.Motion.hold(robot, duration=float(times[-1])).on_base(name).sample(times).base
    assert base is not None
    return base.felt(robot.gravity)


def forces_along(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Actuator forces along a motion, under a wrench at a point, and on a ship."""
    size = Sizes.of(states).force
    tooled, motion = loaded(robot, states)
    found = gough.inverse_dynamics(tooled, motion.sample(SAMPLES))
    ship = gough.inverse_dynamics(tooled, motion.on_base("ship").sample(SAMPLES))
    own = gough.inverse_dynamics(robot, motion.with_wrench(states["wrench"][2]).sample(SAMPLES))
    return {
        "force": Answer(found.force, "actuator", size=size),
        "force_on_ship": Answer(ship.force, "actuator", size=size),
        "force_of_constant_wrench": Answer(own.force, "actuator", size=size),
        "status": status_words(found.status),
    }


def floors_of_limits(sizes: Sizes) -> dict[str, float]:
    """Floors of scales of the values of limits, by kind."""
    lengths = dict.fromkeys(("stroke", "distance"), sizes.length)
    return lengths | {"speed": sizes.rate, "force": sizes.force, "margin": sizes.force, "power": sizes.power}


def _checked(prefix: str, found: gough.CheckResult, sizes: Sizes) -> dict[str, Answer]:
    """Worst value of each limit of each owner. A time is compared only where its extreme is sharp, so not at all.

    Strokes, speeds and distances are compared with their like too: next to forces they are small.
    """
    every = sorted(found.every, key=lambda finding: (finding.kind, finding.owner, finding.upper))
    of_kind = {kind: np.array([f.value for f in every if f.kind == kind]) for kind in ("stroke", "speed", "distance")}
    floors = floors_of_limits(sizes)
    return {
        f"{prefix}{kind}_value": Answer(values, "invariant", EXTREME, floors[kind])
        for kind, values in of_kind.items()
        if len(values)
    } | {
        f"{prefix}value": Answer(np.array([finding.value for finding in every]), "invariant", EXTREME, 1e-6),
        f"{prefix}margin": Answer(np.array([finding.margin for finding in every]), "invariant", EXTREME, 1e-6),
        f"{prefix}limits": verdict([f"{f.kind} {f.owner} {'high' if f.upper else 'low'}" for f in every]),
        f"{prefix}fits": verdict([finding.fits for finding in every]),
        f"{prefix}unchecked": Answer(np.array(sorted(found.unchecked), dtype=str), "names", "names"),
        f"{prefix}singular_at": Answer(np.array([*found.crossings, *found.touched]), "invariant", EXTREME, 1e-3),
    }


def _limits(states: States) -> dict[str, float]:
    """Limits that every machine can be checked against."""
    weight, length = float(states["weight"]) or 1.0, float(states["length"])
    return {"condition": 50.0, "force": 10.0 * weight * max(length, 1.0), "speed": 10.0}


def check(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Margins of all limits along a motion: the robot's own, stated ones, with a payload, on a ship."""
    (tooled, motion), limits, sizes = loaded(robot, states), _limits(states), Sizes.of(states)
    carrying = with_stored_payload(tooled, states)
    return each(
        {
            "own": lambda: _checked("own_", gough.check(tooled, motion), sizes),
            "stated": lambda: _checked("stated_", gough.check(tooled, motion, limits), sizes),
            "payload": lambda: _checked("payload_", gough.check(carrying, motion, limits), sizes),
            "ship": lambda: _checked("ship_", gough.check(tooled, motion.on_base("ship"), limits), sizes),
        }
    )


MOTOR = {
    "name": "servo",
    "rotor_inertia": 2.8e-5,
    "gear": 50,
    "efficiency": 0.9,
    "continuous": {"rpm": [0, 3000, 5000], "torque": [1.3, 1.3, 0.8]},
    "peak": {"rpm": [0, 3500, 5000], "torque": [3.8, 3.8, 2.2]},
}


def motor_for(robot: gough.Robot) -> gough.Motor:
    """The motor with a gear, and with a spindle where actuators are prismatic."""
    return gough.motor_of(MOTOR if robot.actuators[0].turns else MOTOR | {"gear": 2, "lead": 0.01})


def demand(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Peaks, rms values and energies of each actuator along a motion, without and with a motor, on a ship."""
    sizes, (robot, motion) = Sizes.of(states), loaded(robot, states)
    floors = {
        "force": sizes.force, "rms_force": sizes.force, "force_range": sizes.force, "qd": sizes.rate,
        "rms_qd": sizes.rate, "q_range": sizes.length, "power": sizes.power, "mean_power": sizes.power,
        "energy": sizes.power, "regenerated": sizes.power, "duty": 1e-3, "parasitic": sizes.length,
    }  # fmt: skip

    def fields(prefix: str, found: gough.Demand) -> dict[str, Answer]:
        answer = {
            f"{prefix}{name}": Answer(getattr(found, name), "actuator", EXTREME, floor)
            for name, floor in floors.items()
        }
        return answer

    def fits(prefix: str, found: gough.Demand, *names: str) -> dict[str, Answer]:
        """Figures of the motors; sums over the motion hold to what they lose or not near its rests."""
        of_fit = {name: np.array([getattr(fit, name) for fit in found.fits], dtype=float) for name in names}
        sums = ("rms_torque", "continuous_margin")
        return {
            f"{prefix}motor_{name}": Answer(value, "actuator", LOSING if name in sums else EXTREME, 1e-3)
            for name, value in of_fit.items()
        }

    def with_motor() -> dict[str, Answer]:
        found = gough.demand(robot.with_motor(motor_for(robot)), motion)
        names = ("rms_torque", "rms_speed", "continuous_margin", "speed_margin", "power")
        return fields("motor_", found) | fits("motor_", found, *names)

    def without_losses() -> dict[str, Answer]:
        """Peaks: those of a motor with losses may be at a rest, where round-off of the speed decides about them."""
        motor = replace(motor_for(robot), efficiency=1.0)
        return fits("lossless_", gough.demand(robot.with_motor(motor), motion), "peak_margin", "torque")

    return each(
        {
            "plain": lambda: fields("", gough.demand(robot, motion)),
            "motor": with_motor,
            "lossless": without_losses,
            "ship": lambda: fields("ship_", gough.demand(robot, motion.on_base("ship"))),
        }
    )


def comparison(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Figures of a robot with and without a payload on the same motion."""
    found = gough.compare(robot, with_stored_payload(robot, states), short_motion(robot, states))
    rows = [np.array([d.first, d.second], dtype=float) for d in found.differences]
    return {
        "values": Answer(np.array(rows), "invariant", EXTREME, 1e-6),
        "names": Answer(np.array([d.what for d in found.differences]), "names", "names"),
    }


def _elastic(robot: gough.Robot) -> gough.Robot:
    turning = all(actuator.turns for actuator in robot.actuators)
    stiffness = {"actuator": "1e5 N m/rad" if turning else "20 N/um"}
    tolerances = {"base": "0.1 mm", "platform": "0.05 mm"}
    return robot.with_errors({"tolerances": tolerances, "stiffness": stiffness})


def accuracy(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Pose errors of tolerances, compliance, deflection along a motion, structural modes."""
    sizes, elastic = Sizes.of(states), _elastic(robot)
    poses, tool = states["x"][:3], 0.2 * states["payload_com"]
    wrench, tooled = states["wrench"][0], elastic.with_tool(tool)

    def tolerances() -> dict[str, Answer]:
        found = gough.pose_errors(tooled, poses)
        return {
            "map": Answer(found.map, "wrench", SOLVED),
            "sd": Answer(found.sd, "wrench", SOLVED),
            "rms": Answer(found.rms, "invariant", SOLVED),
            "worst": Answer(found.worst, "wrench", SOLVED),
            "largest": Answer(found.largest, "invariant", SOLVED),
            "covariance": Answer(found.covariance, "wrench", SOLVED),
        }

    def compliance() -> dict[str, Answer]:
        found = gough.elasticity(tooled, poses[1])
        at_tool = at_origin(robot, poses[1:2], wrench[None], -tool)[0]  # of a wrench at the origin, at the tool
        return {
            "compliance": Answer(found.compliance, "wrench", SOLVED),
            "under_wrench": Answer(found.deflection(at_tool), "wrench", SOLVED),
            "under_wrench_at_tool": Answer(found.deflection(wrench), "wrench", SOLVED),
        }

    def deflection() -> dict[str, Answer]:
        # Stored of another point than that where the wrench acts: the platform moves as a rigid body.
        loaded_robot, motion = loaded(elastic, states)
        found = gough.deflection_along(with_stored_payload(loaded_robot, states), motion, 5)
        arm = arms(robot, found.x, tool - states["wrench_point"])
        moved = found.deflection.copy()
        moved[:, :3] += np.cross(moved[:, 3:], arm)
        return {
            "load": Answer(found.load, "wrench", size=sizes.force),
            "deflection": Answer(moved, "wrench", SOLVED),
        }

    def structure() -> dict[str, Answer]:
        stiffness = gough.structure(elastic)
        found = gough.modes(robot, structure=stiffness)
        return {
            "structure": Answer(stiffness, "coordinate", SOLVED),
            "frequency": Answer(found.frequency, "invariant", EXTREME),
        }

    def random_machines() -> dict[str, Answer]:
        return {"monte_carlo": Answer(gough.monte_carlo(elastic, count=6, seed=3), "wrench", EXTREME)}

    parts = (tolerances, compliance, deflection, structure, random_machines)
    return each({part.__name__: part for part in parts})


def _simulated(prefix: str, run: gough.Simulation, states: States) -> dict[str, Answer]:
    sizes = Sizes.of(states)
    energy = sizes.moment
    answer = {
        "x": Answer(run.x, "coordinate", INTEGRATED, sizes.length),
        "xd": Answer(run.xd, "coordinate", INTEGRATED, sizes.rate),
        "q": Answer(run.q, "actuator", INTEGRATED, sizes.length),
        "force": Answer(run.force, "actuator", INTEGRATED, sizes.force),
        "kinetic": Answer(run.kinetic, "invariant", INTEGRATED, energy),
        "potential": Answer(run.potential - run.potential[:1], "invariant", INTEGRATED, energy),
        "work": Answer(run.work, "invariant", INTEGRATED, energy),
        "dissipated": Answer(run.dissipated, "invariant", INTEGRATED, energy),
        "complete": verdict(run.complete),
        "events": verdict([event.kind for event in run.events]),
    }
    return {f"{prefix}_{name}": value for name, value in answer.items()}


def moving_start(states: States) -> gough.State:
    """A pose and rates off the motion and off rest, so that gains, damping and integrators count."""
    return gough.State(states["from"] + 0.1 * (states["to"] - states["from"]), 0.02 * states["xd"][1])


def simulate(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Runs of 0.1 s under control laws, springs and given forces, with wrench, payload and a moving base."""
    own, (robot, motion) = robot, loaded(robot, states)
    still = gough.inverse_dynamics(robot, states["from"]).force
    stiffness = 100.0 * (float(states["weight"]) or 1.0)
    start = moving_start(states)

    def controlled(law: Any, duration: float = 0.1, **options: Any) -> gough.Simulation:
        model = options.pop("model", robot)
        base = options.pop("base", None)
        followed = motion if base is None else motion.on_base(base)
        return gough.simulate(
            robot, start, gough.Controller(law, followed, robot=model, **options), duration, samples=4
        )

    sampled = {"sample_time": 0.01, "delay": 0.002, "noise": gough.Noise(position=1e-6, rate=1e-5, seed=4)}
    runs = {
        "computed_torque": lambda: controlled(gough.ComputedTorque(bandwidth=5)),
        "computed_torque_joint": lambda: controlled(gough.ComputedTorque(bandwidth=5, space="joint")),
        "feedforward": lambda: controlled(gough.Feedforward(bandwidth=5)),
        "pd": lambda: controlled(gough.PD(bandwidth=5)),
        "pd_sampled": lambda: controlled(gough.PD(bandwidth=5), 0.05, **sampled),
        "ship": lambda: controlled(gough.ComputedTorque(bandwidth=5), base="ship"),
        "springs": lambda: gough.simulate(robot, start, gough.Springs(stiffness, 0.01 * stiffness), 0.05, samples=4),
        "springs_wrench": lambda: gough.simulate(
            own,
            start,
            gough.Springs(stiffness, 0.01 * stiffness),
            0.05,
            samples=4,
            wrench=0.2 * states["wrench"][1],
            formulation="newton_euler",
        ),
        "forces": lambda: gough.simulate(
            robot,
            start,
            gough.Forces([0.0, 0.02, 0.05], np.outer([1.0, 1.1, 0.95], still), hold=False),
            0.05,
            samples=4,
        ),
        "payload": lambda: gough.simulate(
            with_stored_payload(robot, states), start, gough.Springs(stiffness, 0.01 * stiffness), 0.05, samples=4
        ),
    }
    return each({name: lambda name=name, run=run: _simulated(name, run(), states) for name, run in runs.items()})  # type: ignore[misc]


def ensemble(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Several varied robots simulated together; with shorter steps where light legs need them, then softer springs.

    Springs of 100 times the weight per radian on short cranks (`rotary`) decay at 4e5/s, which needs steps of 5 us.
    """
    sizes = Sizes.of(states)

    def run(step: float, softer: float = 1.0) -> gough.Ensemble:
        stiffness = softer * 100.0 * (float(states["weight"]) or 1.0)
        return gough.simulate_many(
            robot,
            moving_start(states),
            gough.Springs(stiffness, 0.01 * stiffness),
            0.02,
            count=3,
            step=step,
            vary={"platform.mass": "5%"},
            seed=2,
            tell=lambda line: None,
        )

    try:
        found = run(0.001)
    except gough.NumericalError:
        try:
            found = run(0.00005)
        except gough.NumericalError:
            found = run(0.00005, 0.01)
    return {
        "values": Answer(found.values, "invariant"),
        "x": Answer(found.x, "coordinate", STEPPED, sizes.length),
        "xd": Answer(found.xd, "coordinate", STEPPED, sizes.rate),
        "mean": Answer(found.mean, "coordinate", STEPPED, sizes.length),
        "diverged": verdict(found.diverged),
    }


def stack(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """A planar robot on the platform of this one: kinematics, forces and limits of both."""
    sizes = Sizes.of(states)
    size = sizes.force
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "lower.toml").write_text(str(states["text"]))
        text = 'name = "tower"\nlower = "lower.toml"\nupper = "fivebar"\n[mount]\nposition = [0.05, -0.03, 0.2]\n'
        (Path(folder) / "stack.toml").write_text(text)
        tower = gough.load_stack(Path(folder) / "stack.toml")
    upper = np.array(tower.upper.platform.home)
    motion, above = short_motion(robot, states), gough.Motion.to(tower.upper, upper + [0.02, -0.03], 1.0)
    kinematics = gough.stack_kinematics(tower, states["from"], upper)
    loaded_above = above.with_wrench(0.1 * states["wrench"][1])
    forces = gough.stack_dynamics_along(tower, motion.on_base("vehicle"), loaded_above, 5)
    of_states = gough.stack_dynamics(tower, motion.sample(3), loaded_above.sample(3))
    checked = gough.check_stack(tower, motion, above, _limits(states), _limits(states))
    return {
        "position": Answer(np.asarray(kinematics.p), "vector", size=1e-3),
        "rotation": Answer(np.asarray(kinematics.R)),
        "lower_q": Answer(kinematics.lower.q, "actuator"),
        "upper_q": Answer(kinematics.upper.q, "actuator"),
        "lower_force": Answer(forces.lower.force, "actuator", size=size),
        "upper_force": Answer(forces.upper.force, "actuator", size=size),
        "lower_force_of_states": Answer(of_states.lower.force, "actuator", size=size),
        "upper_force_of_states": Answer(of_states.upper.force, "actuator", size=size),
        **_checked("lower_", checked.lower, sizes),
        **_checked("upper_", checked.upper, sizes),
    }


def operation_counts(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Operations of the inverse dynamics by each formulation."""
    return {
        f"count_{counts.formulation}": verdict([getattr(counts.total, name) for name in OPERATIONS])
        for counts in gough.operation_counts(robot)
    }


def _question(
    name: str, honours: str = "", machines: tuple[str, ...] | None = NOT_SPINDLES, seconds: float = 60.0
) -> Question:
    return Question(name, "arrays", machines, frozenset(honours.split()), f"along:{name}", seconds)


TABLE = {
    question.name: question
    for question in (
        _question("named_motions"),
        _question("motions", "wrench wrench_point"),
        _question("base_motions", "base gravity", ("stewart", "delta")),
        _question("forces_along", "wrench wrench_point base gravity"),
        _question("check", "payload wrench wrench_point base gravity limits"),
        _question("demand", "wrench wrench_point base gravity motor"),
        _question("comparison", "payload gravity", ("stewart", "delta", "fivebar", "rps3", "tricept", "planar4rrr")),
        _question("accuracy", "payload wrench wrench_point gravity tolerances stiffness"),
        _question("simulate", "payload wrench wrench_point base gravity stiffness", seconds=180.0),
        _question("ensemble", "gravity stiffness"),
        _question("stack", "wrench base gravity limits", ("stewart", "delta")),
        _question("operation_counts", "", ("fivebar", "stewart", "planar3rrr", "delta", "rps3")),
    )
}
