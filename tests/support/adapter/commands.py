"""Commands of gough on four robots: exit codes, numbers of what they print, and files that they write.

Each line runs in this process, in a folder with the files of INPUTS. Keys of lines are neutral and stay when a command
or an option is renamed. Numbers are compared by value (tests/support/by_value.py), so that names of JSON keys and the
layout of pages may change.
"""

from __future__ import annotations

import io
import re
import shlex
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np

import gough
from gough import cli
from tests.support.adapter.policies import (
    DEMANDED,
    DERIVED,
    EXTREME,
    FITTED,
    INTEGRATED,
    OPTIMISED,
    PRINTED,
    SAMPLED,
    SEARCHED,
    SOLVED,
    THREE_DIGITS,
)  # fmt: skip
from tests.support.by_value import numbers, visible
from tests.support.questions import Answer, Question, States

ROOT = Path(__file__).parents[3]
WORDS = {
    "stewart": {
        "to": "z=2.1,psi=5deg",
        "pose": "x=0.05,z=2.1,psi=5deg",
        "rates": "x=0.2,psi=10deg/s",
        "all": "0.1,0,2,5deg,0,0",
        "limit": "--limit force=25",
        "box": "x=-0.05:0.05,z=1.95:2.05",
        "half": "x=0.1,psi=5deg",
        "map": "x,z",
        "mass": "platform.mass=3",
        "address": "legs.actuator.stroke.1=3",
        "motion": "trig3",
        "stiffness": "1e6",
        "range": "x=-0.3:0.3,z=1.8:2.2",
        "plane": "x,z",
        "near": "theta=-70deg",
    },
    "delta": {
        "to": "x=0.05,z=-800mm",
        "pose": "x=0.1,y=0.05,z=-0.8",
        "rates": "x=0.2,z=100mm/s",
        "all": "0.1,0,-0.8",
        "limit": "--limit force=30",
        "box": "x=-0.05:0.05,z=-0.87:-0.83",
        "half": "x=0.1,z=20mm",
        "map": "x,z",
        "mass": "platform.mass=3",
        "address": "legs.crank.length=0.4",
        "motion": "pick-and-place",
        "stiffness": "2e4",
        "range": "x=-0.3:0.3,z=-0.9:-0.7",
        "plane": "x,z",
        "near": "x=0.9",
    },
    "rps3": {
        "to": "z=0.65,pitch=3deg",
        "pose": "z=0.62,roll=4deg",
        "rates": "z=0.1,pitch=10deg/s",
        "all": "0.62,2deg,3deg",
        "limit": "--limit force=2000 --limit speed=1",
        "box": "z=0.59:0.61,pitch=-2deg:2deg",
        "half": "z=0.02,pitch=2deg",
        "map": "z,pitch",
        "mass": "platform.mass=3",
        "address": "legs.base.radius=0.31",
        "motion": "hold",
        "stiffness": "1e6",
        "range": "pitch=-10deg:10deg,roll=-10deg:10deg",
        "plane": "pitch,roll",
        "near": "pitch=60deg",
    },
    "cable8": {
        "to": "x=0.2,z=1.7",
        "pose": "x=0.2,z=1.7,yaw=3deg",
        "rates": "x=0.2,yaw=5deg/s",
        "all": "0.1,0,1.6,0,0,0",
        "limit": "--limit speed=3",
        "box": "x=-0.2:0.2,z=1.4:1.6",
        "half": "x=0.1,z=0.1",
        "map": "x,z",
        "mass": "platform.mass=30",
        "address": "platform.mass=25",
        "motion": "hold",
        "stiffness": "1e5",
        "range": "x=-1:1,z=1:2",
        "plane": "x,z",
        "near": "x=3",
    },
}
"""Words of the lines, by robot."""
EVERY = tuple(WORDS)
LINES: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {}
"""Lines by command: key -> (line without the program's name, robots)."""
POLICIES = {
    "check": EXTREME, "compare": EXTREME, "size": DEMANDED, "modes": DERIVED, "simulate": INTEGRATED, "study": SAMPLED,
    "workspace": SEARCHED, "singularities": SEARCHED, "time-optimal": SEARCHED, "jerk-limited": SEARCHED,
    "calibrate": FITTED, "identify": FITTED, "optimise": OPTIMISED,
}  # fmt: skip
"""Policies of numbers in JSON, CSV and TOML; those of other commands are SOLVED, those of pages PRINTED,
or THREE_DIGITS where they have fewer."""
SIX, FEW = ("stewart",), ("stewart", "delta")


def _lines(command: str, *rows: tuple[str, str] | tuple[str, str, tuple[str, ...]]) -> None:
    LINES[command] = {row[0]: (row[1], row[2] if len(row) == 3 else EVERY) for row in rows}


MOVE = "--to {to} --duration 1"
_lines(
    "catalogue",
    ("list", "robots", SIX),
    ("json", "robots --format json", SIX),
    ("versions", "info --format json", SIX),
    ("version", "--version", SIX),
    ("versions as a table", "info", SIX),
)
_lines(
    "description",
    ("page", "show {robot}"),
    ("json", "show {robot} --format json"),
    ("at a pose", "show {robot} --pose {pose_mm} --units mm,deg --png p.png --points p.csv --graph g.svg"),
    ("addresses", "show {robot} --addresses"),
    ("changed", "show {robot} --set {mass} --format json --graph g.dot", FEW),
    ("quaternion", "show {robot} --convention quaternion --points p.csv", FEW),
    ("pivot", "show {robot} --pose x=0.05,z=2.1,rx=5deg --tool 0,0,0.1 --convention fixed-xyz --format json", SIX),
    ("tolerances", "show tolerant.toml --units mm,deg", ("stewart", "delta")),
)
_lines(
    "templates",
    *[
        (kind, f"new --legs {kind} --out r.toml", SIX)
        for kind in "UPS PUS RUS SRU delta PPa UPU RPS PRS tricept RRR cable joints".split()
    ],
    *[
        (kind, f"new --{kind} --robot {{robot}} --out n.toml", FEW)
        for kind in ("motor", "envelope", "study", "optimise")
    ],
    ("measurements", "new --measurements --robot {robot} --out n.csv"),
    ("printed", "new --legs RRR", SIX),
    ("examples", "examples", SIX),
    ("examples copied", "examples here", SIX),
    ("over a file", "new --legs RRR --out {file} --force", SIX),
    ("over a file, refused", "new --legs RRR --out {file}", SIX),
)
_lines(
    "inverse kinematics",
    ("json", "ik {robot} --pose {pose} --velocity {rates} --acceleration {first}=0.5 --format json"),
    ("page", "ik {robot} --pose {all} --joints --velocity {rates}"),
    ("csv", "ik {robot} --pose {pose_mm} --format csv --joints --units mm,deg --csv-units"),
    ("list", "ik {robot} --poses poses.csv --out q.csv"),
    ("list relative", "ik {robot} --poses moves.csv --relative --format json"),
    ("list renamed", "ik {robot} --poses poses.csv --columns {columns} --out q.json", FEW),
    (
        "axes of the platform",
        "ik {robot} --convention uvw --tool 0,0,150mm --pose u=5deg,z={z} --format json",
        ("stewart",),
    ),
    ("quaternion", "ik {robot} --convention quaternion --format json", FEW),
    ("fixed axes", "ik {robot} --convention fixed-xyz --format csv", ("stewart", "cable8")),
    ("changed", "ik {file} --set {mass} --joints", FEW),
    ("out of reach", "ik {robot} --pose {far}"),
)
_lines(
    "forward kinematics",
    ("json", "fk {robot} --displacement {q} --guess {pose} --format json"),
    ("page", "fk {robot} --displacement {q_mm} --units mm,deg"),
    ("csv", "fk {robot} --displacement {q} --format csv"),
    ("all", "fk {robot} --all --format json", ("stewart", "delta", "rps3")),
    ("all at displacements", "fk {robot} --displacement {q} --all --png m.png", ("delta", "rps3")),
    ("complex", "fk {robot} --all --complex --format csv", ("delta",)),
    ("list", "fk {robot} --displacements q.csv --out x.csv"),
    ("list as json", "fk {robot} --displacements q.csv --convention fixed-xyz --format json", FEW),
    ("no pose", "fk {robot} --displacement {q_far}"),
    ("list of another", "fk {robot} --displacements q.csv --out x.csv --set {mass}", FEW),
    ("pivot", "fk {robot} --displacement {q} --convention uvw --tool 0,0,0.1 --format json", SIX),
    ("list relative", "fk {robot} --displacements q_moves.csv --relative --columns {encoders} --format json", FEW),
)
_lines(
    "inverse dynamics",
    ("page", "inverse {robot} " + MOVE + " --samples 11 --plot f.png"),
    ("json", "inverse {robot} " + MOVE + " --samples 5 --format json --parts --payload 2,0,0,0.05 --wrench {wrench}"),
    ("csv", "inverse {robot} " + MOVE + " --samples 5 --format csv --out f.csv --units mm,deg --csv-units"),
    ("base", "inverse {robot} " + MOVE + " --samples 5 --base-motion ship --parts --format json"),
    ("base file", "inverse {robot} " + MOVE + " --samples 5 --base-motion base.csv --format json", FEW),
    ("by body", "inverse {robot} " + MOVE + " --samples 3 --by-body --format json"),
    ("there and back", "inverse {robot} " + MOVE + " --back --law trig3 --samples 5 --format json", FEW),
    ("cosine", "inverse {robot} " + MOVE + " --law cos --times 0,0.3,1 --format json", FEW),
    ("named motion", "inverse {robot} --motion {motion} --samples 7 --format json --formulation virtual_work", FEW),
    ("recording", "inverse {robot} --motion recorded.csv --smooth 50ms --samples 7 --format json"),
    ("noisy recording", "inverse {robot} --motion noisy.csv --smooth auto --samples 7 --format json"),
    (
        "columns",
        "inverse {robot} --motion moves.csv --relative --hold-missing --columns {columns},t=t --samples 5"
        " --format json",
        FEW,
    ),
    ("waypoints", "inverse {robot} --waypoints waypoints.csv --scale 0.5 --samples 7 --format json"),
    (
        "point of the wrench",
        "inverse {robot} " + MOVE + " --samples 3 --wrench fz=-40N --tool 0,0,50mm --format json",
    ),
    ("out of reach", "inverse {robot} --to {far} --duration 1 --samples 9"),
    ("internal forces", "inverse {robot} " + MOVE + " --samples 3 --internal", ("cable8",)),
    ("from a pose", "inverse {robot} " + MOVE + " --from {pose} --set {mass} --samples 3 --format json", FEW),
    ("gap", "inverse {robot} --motion gap.csv --bridge 0.3 --samples 5 --format json", FEW),
    (
        "pivot",
        "inverse {robot} --motion fixed.csv --convention fixed-xyz --tool 0,0,0.1 --samples 5 --format json",
        SIX,
    ),
    ("parquet", "inverse {robot} " + MOVE + " --samples 3 --out f.parquet", SIX),
)
_lines(
    "check",
    ("page", "check {robot} " + MOVE),
    ("json", "check {robot} " + MOVE + " {limit} --limit condition=50 --limit angle=40deg --format json"),
    ("distances", "check {robot} " + MOVE + " --limit distance=20mm --limit platform_speed=1 --format json"),
    (
        "platform",
        "check {robot} " + MOVE + " --limit platform_acceleration=5 --limit turning_speed=1"
        " --limit turning_acceleration=9 --limit power=500 --limit singular=1e-3 --out c.json",
    ),
    ("exceeded", "check {robot} " + MOVE + " --limit force=1 --limit speed=0.01"),
    ("base", "check {robot} " + MOVE + " --base-motion ship --payload 1 --format json", FEW),
    ("tube", "check {robot} --to {to} --duration 1 --tube 2mm --limit singular=0.05 --format json", ("delta",)),
    (
        "parasitic",
        "check {robot} " + MOVE + " --limit parasitic=1mm --limit parasitic_turn=1deg --format json",
        ("rps3",),
    ),
    ("out of reach", "check {robot} --to {far} --duration 1"),
    ("named motion", "check {robot} --motion {motion} --scale 0.5 --units mm,deg", FEW),
    ("waypoints", "check {robot} --waypoints waypoints.csv --wrench {wrench} --tool 0,0,0.05 --format json"),
    ("recording", "check {robot} --motion noisy.csv --smooth 50ms --set {mass} --format json", FEW),
    ("there and back", "check {robot} " + MOVE + " --from {pose} --back --law trig3 {limit} --format json", FEW),
    ("too quick", "check {robot} --to {to} --duration 20ms --limit speed=0.5 --limit platform_acceleration=1"),
)
_lines(
    "time-optimal",
    ("page", "fastest {robot} " + MOVE + " {limit} --cells 100 --plot p.png"),
    ("json", "fastest {robot} " + MOVE + " {limit} --cells 100 --format json"),
    ("csv", "fastest {robot} " + MOVE + " {limit} --cells 100 --limit platform_speed=0.5 --out m.csv", FEW),
    ("motor", "fastest {robot} " + MOVE + " --motor {motor} --limit speed=2 --cells 60 --format json", FEW),
    ("free", "fastest {robot} --to {to} {limit} --free --spans 4 --cells 40 --format json", ("delta",)),
    (
        "least energy",
        "fastest {robot} --to {to} --duration 1 {limit} --free --least energy --spans 4 --plot p.png",
        ("delta",),
    ),
    ("no limit", "fastest {robot} " + MOVE, ("stewart",)),
    ("infeasible", "fastest {robot} " + MOVE + " --limit force=0.01 --cells 40", FEW),
    ("waypoints", "fastest {robot} --waypoints waypoints.csv {limit} --cells 60 --payload 1 --format json", FEW),
    ("wrench", "fastest {robot} " + MOVE + " {limit} --wrench {wrench} --cells 60 --format json", FEW),
    ("free as csv", "fastest {robot} --to {to} {limit} --free --spans 4 --cells 40 --out f.csv", ("delta",)),
    ("margin", "fastest {robot} " + MOVE + " --limit margin=1 --limit speed=1 --cells 40 --format json", ("cable8",)),
)
_lines(
    "jerk-limited",
    ("page", "move {robot} --to {to} {limit} --jerk 100 --step 20ms"),
    ("json", "move {robot} --to {to} {limit} --jerk 100 --step 20ms --format json", FEW),
    (
        "files",
        "move {robot} --to {to} {limit} --limit platform_speed=0.5 --jerk 200 --step 20ms"
        " --out q.csv --motion-out x.csv",
        FEW,
    ),
    ("waypoints", "move {robot} --waypoints waypoints.csv {limit} --jerk 100 --step 20ms --payload 1", FEW),
    ("infeasible", "move {robot} --to {to} --limit force=0.01 --jerk 100 --step 20ms", FEW),
)
_lines(
    "workspace",
    ("travel", "workspace {robot} --travel --format json"),
    ("page", "workspace {robot} --cells 12 --units mm,deg"),
    ("json", "workspace {robot} --cells 16 --aspect 2,2,1 --height 2 --format json", FEW),
    ("tilts", "workspace {robot} --cells 10 --tilt 5deg --format json", SIX),
    ("files", "workspace {robot} --cells 12 --mesh b.ply --picture w.png --out w.csv", FEW),
    ("stl", "workspace {robot} --cells 10 --only reach,stroke,side --mesh b.stl --format json", FEW),
    ("proved", "workspace {robot} --travel --only reach,stroke,side --prove --format json", ("delta",)),
    ("loads", "workspace {robot} --travel --payload 3 --limit force=300 --wrench {wrench} --format json", FEW),
    ("box", "workspace {robot} --cells 10 --box {box} --tool 0,0,-0.1 --format csv", ("stewart", "delta", "cable8")),
    (
        "twist",
        "workspace {robot} --travel --pose {pose} --twist 0.1,0,0,0,0,0.1 --wrench {wrench} --tool 0,0,0.1"
        " --format json",
        FEW,
    ),
    ("pivot", "workspace {robot} --travel --convention fixed-xyz --tool 0,0,0.1 --units mm,deg", SIX),
    ("csv in units", "workspace {robot} --cells 10 --out w.csv --csv-units --units mm,deg --set {mass}", ("delta",)),
    ("little time", "workspace {robot} --travel --only reach,stroke --prove --time 1s --format json", ("rps3",)),
    ("tilts as a page", "workspace {robot} --cells 5 --tilt 2deg", SIX),
)
_lines(
    "singularities",
    ("nearest", "singularities {robot} --format json", ("stewart", "delta", "rps3")),
    ("page", "singularities {robot} --picture s.png", ("delta",)),
    ("proved", "singularities {robot} --prove", ("delta",)),
    ("box", "singularities {robot} --box {box} --prove --format json", ("stewart", "delta")),
    ("line", "singularities {robot} --to {near} --format json", ("stewart", "delta", "rps3")),
    ("path", "singularities {robot} --path waypoints.csv --format json", ("delta",)),
    ("slice", "singularities {robot} --slice s.png --plane {plane} --range {range}", FEW),
    ("pose", "singularities {robot} --pose {pose} --only reach,stroke --units mm,deg", ("delta", "rps3")),
    ("motion", "singularities {robot} --motion waypoints.csv --limit condition=20 --set {mass}", ("delta", "rps3")),
)
_lines(
    "calibrate",
    ("poses", "calibrate {robot} full.csv --noise position=20um,rotation=20urad,encoder=5um --out c.toml", SIX),
    (
        "json",
        "calibrate {robot} full.csv --validate validation.csv --parameters zero,base --format json --folds 0",
        SIX,
    ),
    ("frames", "calibrate {robot} frames.csv --tracker --target --folds 0 --report r.html --plot c.png", SIX),
    ("bars", "calibrate {robot} distance.csv {bars} --folds 0 --format json", SIX),
    (
        "tolerances",
        "calibrate {robot} position.csv --tolerance base=1mm --tolerance platform=1mm --folds 0 --out c.json",
        SIX,
    ),
    ("outliers", "calibrate {robot} outliers.csv --noise position=20um,rotation=20urad --folds 0 --format csv", SIX),
    ("plan", "calibrate {robot} --plan 14 --measure position --out p.csv", FEW),
    ("plan as json", "calibrate {robot} --plan 6 --format json", ("delta", "rps3")),
    ("tolerances of a file", "calibrate {robot} position.csv --tolerances errors.toml --folds 0", SIX),
)
_lines(
    "size",
    ("page", "size {robot} " + MOVE),
    ("json", "size {robot} " + MOVE + " --payload 1,0,0,0.02 --wrench {wrench} --format json"),
    ("motor", "size {robot} " + MOVE + " --motor {motor} --plot s.png --format json", FEW),
    ("motors", "size {robot} " + MOVE + " --motor {motor} --motor {weak}", FEW),
    ("base", "size {robot} " + MOVE + " --base-motion ship --format json", FEW),
    ("envelope", "size {robot} --envelope envelope.toml --cases c.csv --format json"),
    ("envelope page", "size {robot} --envelope envelope.toml --set {mass}", FEW),
    ("proved", "size {robot} --envelope small.toml --prove --format json", ("delta",)),
    ("named motion", "size {robot} --motion {motion} --units mm,deg --wrench {wrench} --tool 0,0,0.05", FEW),
    ("waypoints", "size {robot} --waypoints waypoints.csv --plot s.png", FEW),
    ("too weak", "size {robot} " + MOVE + " --motor {weak} --format json", FEW),
    ("motor as a page", "size {robot} " + MOVE + " --motor {motor} --units mm,deg"),
)
_lines(
    "optimise",
    ("page", "optimise optimise.toml --out best.toml --plot o.png", SIX),
    ("json", "optimise optimise.toml --format json", ("delta",)),
    ("front", "optimise front.toml --format csv --plot o.png --out f.toml", SIX),
    ("proved", "optimise optimise.toml --prove --format json", ("delta",)),
)
_lines(
    "compare",
    ("masses", "compare {robot} {robot} --set {mass} " + MOVE),
    ("json", "compare {robot} {robot} --set {address} " + MOVE + " --format json"),
    ("base", "compare {robot} {robot} --set {mass} " + MOVE + " --base-motion ship --format json", ("delta",)),
    (
        "motion",
        "compare {robot} {robot} --set {mass} --motion {motion} --payload 1 --wrench {wrench} --units mm,deg",
        FEW,
    ),
    ("another robot", "compare {robot} hexapod --to x=0.02 --duration 1 --format json", SIX),
)
_lines(
    "verify",
    ("page", "verify {robot} --states 3 --out v.json"),
    ("json", "verify {robot} --states 3 --seed 1 --format json", FEW),
    ("csv", "verify {robot} --states 2 --out v.csv --set {mass}", ("rps3",)),
)
_lines(
    "operation counts",
    ("page", "count {robot} --plot c.png"),
    ("by body", "count {robot} --by body --plot c.png"),
    ("json", "count {robot} --format json"),
    ("table of a paper", "count {robot} --table lopes", SIX),
    ("changed", "count {robot} --set {mass} --format json", SIX),
)
_lines(
    "simulate",
    ("torque", "simulate {robot} " + MOVE + " --for 0.2 --samples 5 --out run --parquet"),
    ("joint errors", "simulate {robot} " + MOVE + " --for 0.1 --samples 5 --space joint --out run", FEW),
    ("pd", "simulate {robot} " + MOVE + " --for 0.2 --samples 5 --controller pd --bandwidth 8 --out run", FEW),
    (
        "sampled",
        "simulate {robot} " + MOVE + " --for 0.1 --samples 5 --controller feedforward --sample-time 1ms --delay 1ms"
        " --encoder {step} --saturate --out run --csv-units --units mm,deg",
        FEW,
    ),
    (
        "noise",
        "simulate {robot} " + MOVE + " --for 0.1 --samples 5 --sample-time 2ms --noise 1e-5,1e-3 --seed 3 --out run",
        FEW,
    ),
    ("falling", "simulate {robot} --controller none --for 0.1 --samples 5 --out run --on-limit continue", FEW),
    (
        "mismatch",
        "simulate {robot} " + MOVE + " --for 0.1 --samples 5 --mismatch platform.mass=1.2x --payload 1 --out run",
        FEW,
    ),
    ("base", "simulate {robot} " + MOVE + " --for 0.1 --samples 5 --base-motion ship --known-base --out run", FEW),
    (
        "ensemble",
        "simulate {robot} "
        + MOVE
        + " --for 0.05 --samples 5 --ensemble 8 --vary platform.mass=5% --out run --full-history",
        FEW,
    ),
    ("fixed step", "simulate {robot} " + MOVE + " --for 0.05 --samples 5 --step 1ms --slip 0.01 --out run", ("delta",)),
    (
        "named motion",
        "simulate {robot} --motion {motion} --for 0.05 --samples 3 --wrench {wrench} --tool 0,0,0.05 --set {mass}"
        " --out run",
        FEW,
    ),
    ("folder again", "simulate {robot} " + MOVE + " --for 0.02 --samples 3 --out .", SIX),
)
_lines(
    "study",
    ("tolerances", "study tolerances.toml --units um,deg --plot s.png", SIX),
    ("resumed", "study tolerances.toml --out t --chunk 100 --resume --format json", SIX),
    ("designs", "study designs.toml --out d --best 2 --format csv", SIX),
    ("tracking", "study tracking.toml --format json", SIX),
    ("workspace", "study workspace.toml --format json", SIX),
    ("template", "study template.toml --format json", SIX),
    ("failing", "study failing.toml --on-error count --format json", SIX),
    ("failing, stopped", "study failing.toml --on-error stop", SIX),
)
_lines(
    "modes",
    ("page", "modes {robot} --stiffness {stiffness} --units mm,deg --plot m.png"),
    ("json", "modes {robot} --stiffness {stiffness} --pose {pose} --format json"),
    ("elastic", "modes {robot} --elastic errors.toml --format csv", FEW),
    ("pivot", "modes {robot} --stiffness {stiffness} --convention fixed-xyz --tool 0,0,0.1 --set {mass}", SIX),
)
_lines(
    "drawing",
    ("picture", "view {robot} --png v.png --pose {pose}"),
    ("animation", "view {robot} --html v.html --to {to} --duration 0.2"),
    (
        "with loads",
        "view {robot} --html v.html --to {to} --duration 0.2 --wrench {wrench} --payload 1 --units mm,deg",
        ("delta",),
    ),
    ("named motion", "view {robot} --html v.html --motion {motion} --scale 0.5 --set {mass}", ("delta",)),
)
_lines(
    "export",
    *[
        (kind, f"export {kind} {{robot}} --out r.{end} --set {{mass}}", EVERY)
        for kind, end in (("mjcf", "xml"), ("urdf", "urdf"), ("sdf", "sdf"))
    ],
    ("c", "export c {robot} --out c --function ik,fk,inverse,forward --name arm --parameters platform.mass", FEW),
    ("c in single precision", "export c {robot} --out c --float32", ("delta",)),
    ("fmu", "export fmu {robot} --out r.fmu", ("delta",)),
    ("fmu of forces", "export fmu {robot} --kind inverse --out r.fmu", ("delta",)),
    ("targets", "export", SIX),
)
_lines(
    "import",
    ("mjcf", "import given.xml --out r.toml", ("stewart", "delta", "rps3")),
    ("urdf", "import given.urdf --out r.toml --platform platform", ("stewart", "delta", "rps3")),
    ("sdf", "import given.sdf --out r.toml --no-check", ("stewart", "delta")),
    ("wrong platform", "import given.xml --out r.toml --platform nothing", ("delta",)),
    ("choices", "import given.urdf --out r.toml --platform platform --independent x,y,z --no-check", ("delta",)),
    ("motors", "import given.xml --out r.toml --actuated nosuch --independent x,y,z", ("delta",)),
)
_lines(
    "accuracy",
    ("page", "accuracy {robot} --errors errors.toml", ("stewart", "delta", "rps3")),
    (
        "json",
        "accuracy {robot} --errors errors.toml --pose {pose} --wrench {wrench} --tool 0,0,-0.1 --format json",
        ("stewart", "delta", "rps3"),
    ),
    ("box", "accuracy {robot} --errors errors.toml --box {half} --samples 9 --plot a.png --format csv", FEW),
    ("map", "accuracy {robot} --errors errors.toml --map {map} --plot a.png --samples 9", ("stewart",)),
    ("along a motion", "accuracy {robot} --errors errors.toml " + MOVE + " --samples 5 --payload 2 --format json", FEW),
    ("named motion", "accuracy {robot} --errors errors.toml --motion {motion} --samples 3 --units mm,deg", FEW),
    ("changed", "accuracy {robot} --errors errors.toml --set {mass} --format csv", ("delta", "rps3")),
    ("of the file", "accuracy tolerant.toml --pose {pose} --format json", ("stewart", "delta")),
)
_lines(
    "identify",
    ("poses", "identify {robot} identify_motion.csv --out i.toml --plot i.png", SIX),
    (
        "encoders",
        "identify {robot} identify_encoders.csv --validate identify_validation.csv --legs own --format json",
        SIX,
    ),
    ("payload", "identify {robot} identify_motion.csv --loaded identify_payload_forces.csv --format csv", SIX),
    ("plan", "identify {robot} --plan e.csv --duration 2s --limit speed=1", ("delta",)),
    ("full", "identify {robot} identify_motion.csv --bodies full --set {mass}", SIX),
    ("payload as a page", "identify {robot} identify_motion.csv --loaded identify_payload_forces.csv", SIX),
)
_lines(
    "report",
    ("short", "report {robot} " + MOVE + " --samples 9 --states 2 --no-animation --out r.html"),
    (
        "long",
        "report {robot} "
        + MOVE
        + " --samples 9 --states 0 --workspace --mechanism --errors errors.toml --motor {motor}"
        " --envelope envelope.toml {limit} --units mm,deg --out r.html",
        ("delta",),
    ),
    (
        "motion",
        "report {robot} --motion {motion} --samples 5 --states 0 --no-animation --payload 1 --wrench {wrench} {limit}"
        " --set {mass} --out r.html",
        ("stewart",),
    ),
)
_lines(
    "stack",
    ("inverse", "stack tower.toml inverse --samples 5 --format json", SIX),
    ("kinematics", "stack tower.toml ik --format json", SIX),
    ("check", "stack tower.toml check --lower-limit force=5000 --format json", SIX),
    ("page", "stack tower.toml", SIX),
)
_lines("completion", *[(shell, f"completion {shell}", SIX) for shell in ("bash", "zsh", "fish")])
_lines(
    "wrong lines",
    ("no command", "fnord", SIX),
    ("no robot", "ik nosuch", SIX),
    ("option", "ik {robot} --posse 1", SIX),
    ("value", "ik {robot} --pose x=abc", SIX),
    ("unit", "ik {robot} --units furlong", SIX),
    ("limit", "check {robot} --limit fnord=1", SIX),
    ("address", "ik {robot} --set platform.fnord=1", SIX),
    ("format", "ik {robot} --format fnord", SIX),
    ("samples", "inverse {robot} --samples 0", SIX),
    ("motion", "inverse {robot} --motion nosuch", SIX),
    ("no file", "study nosuch.toml", SIX),
    ("formulation", "inverse {robot} --formulation nosuch", SIX),
    ("no folder", "workspace {robot} --travel --out no/such/w.json", SIX),
    ("nothing after an option", "ik {robot} --pose", SIX),
    ("no argument", "ik", SIX),
    ("two robots", "ik {robot} {robot}", SIX),
    ("no option", "--nosuch", SIX),
    ("no target", "export nosuch {robot}", SIX),
    ("setting", "ik {robot} --set platform.mass", SIX),
    ("value of a setting", "ik {robot} --set platform.mass=abc", SIX),
    ("setting twice", "ik {robot} --set platform.mass=1 --set platform.mass=2", SIX),
    ("word for samples", "inverse {robot} --samples abc", SIX),
    ("times", "inverse {robot} --to {to} --duration 1 --times 1,0", SIX),
    ("base", "inverse {robot} --base-motion nosuch", SIX),
    ("columns", "inverse {robot} --motion moves.csv --columns nosuch=x", SIX),
    ("coordinate", "inverse {robot} --motion moves.csv --columns t=t,x=nosuch", SIX),
    ("missing coordinate", "inverse {robot} --motion one.csv", SIX),
    ("convention", "ik {robot} --convention nosuch", SIX),
    ("pivot", "ik {robot} --tool 1,2", SIX),
    ("payload", "inverse {robot} --payload -1", SIX),
    ("wrench", "inverse {robot} --wrench fq=1", SIX),
    ("law", "inverse {robot} --to {to} --duration 1 --law nosuch", SIX),
    ("ending", "inverse {robot} --to {to} --duration 1 --out f.nosuch", SIX),
    ("motor", "size {robot} --motor poses.csv", SIX),
    ("plane", "singularities {robot} --slice s.png --plane x,x", SIX),
    ("stiffness", "modes {robot} --stiffness -1", SIX),
    ("controller", "simulate {robot} --controller nosuch --for 0.1", SIX),
    ("mismatch", "simulate {robot} --mismatch platform.mass=abc --for 0.1", SIX),
    ("spread", "simulate {robot} --ensemble 3 --vary platform.mass=abc --for 0.1", SIX),
)

MOTOR = """name = "servo"
rotor_inertia = "0.28 kg cm^2"
{gear}
efficiency = 0.9
continuous = {{ rpm = [0, 3000, 5000], torque = [{size}, {size}, {half}] }}
peak = {{ rpm = [0, 3500, 5000], torque = [{peak}, {peak}, {size}] }}
"""
TOWER = """name = "tower"
lower = "delta"
upper = "planar3rrr"
[units]
length = "mm"
angle = "deg"
[mount]
position = [50, -30, 200]
rotation = { axis = [0, 0, 1], angle = 30 }
"""
OPTIMISE = """robot = "{file}"
minimise = {objective}
starts = 2
seed = 1
[poses]
box = {{ {first} = [{low}, {high}] }}
points = 4
[task]
velocity = {{ {first} = 0.2 }}
acceleration = {{ {first} = 2.0 }}
wrench = {{ fx = "2.8 N", fz = "2.8 N" }}
corners = true
[limits]
condition = 90
[[vary]]
number = "legs.base.radius"
bounds = ["90 %", "110 %"]
[[vary]]
number = "legs.platform.radius"
bounds = ["90 %", "110 %"]
"""
ERRORS = """[tolerances]
base = "0.1 mm"
platform = "0.05 mm"
[stiffness]
actuator = "{stiffness}"
"""


FAILING = """robot = "stewart"
machines = 3
measure = ["condition", "mine:mine"]
[[vary]]
number = "platform.mass"
list = [1.0, 2.0, 3.0]
"""


def _failing() -> str:
    """A study with a function of the user that raises for one machine."""
    Path("mine.py").write_text("def mine(machine):\n    return 1.0 / (machine.number - 1)\n")
    return FAILING


def _fixed(robot: gough.Robot) -> str:
    """Six coordinates about fixed axes along a bent way."""
    bend = 0.05 * np.linspace(0.0, 1.0, 21) ** 2
    home = np.asarray(robot.platform.home)
    columns = [20.0 * bend**0.5, home[0] + bend, home[1] + 0 * bend, home[2] - bend, bend, 0 * bend, 2 * bend]
    return _table(["t", "x", "y", "z", "rx", "ry", "rz"], np.column_stack(columns))


def _table(header: list[str], rows: np.ndarray) -> str:
    return "\n".join([",".join(header), *(",".join(f"{value:.12g}" for value in row) for row in rows)]) + "\n"


def _way(robot: gough.Robot, count: int, size: float = 0.02) -> np.ndarray:
    """Smooth poses about home: each coordinate its own sine."""
    phase = np.linspace(0.0, 1.0, count)[:, None] * np.pi
    free = np.arange(1, robot.dof + 1)
    return np.asarray(robot.platform.home[: robot.dof]) + size * np.sin(phase) * np.sin(free + 0.3 * phase)


def _names(robot: gough.Robot) -> list[str]:
    return [c.name for c in robot.platform.coordinates if c.name not in robot.platform.dependent]


def _encoders(robot: gough.Robot) -> list[str]:
    return [f"q_{leg.name}" for leg in robot.legs if leg.cable or any(joint.actuated for joint in leg.joints)]


def _base() -> str:
    t = np.linspace(0.0, 1.0, 21)
    return _table(["t", "z", "roll"], np.column_stack([t, 0.1 * np.sin(t), 0.2 * t * t]))


def _envelope(robot: gough.Robot, half: float) -> str:
    first, home = robot.coordinate_names[0], robot.platform.home[0]
    return (
        f"[pose]\n{first} = [{home - half!r}, {home + half!r}]\n"
        f"[velocity]\n{first} = 0.2\n[acceleration]\n{first} = 1.0\n"
        '[payload]\nmass = ["0 kg", "2 kg"]\n[wrench]\nfz = ["-50 N", "0 N"]\n'
    )


def _motor(robot: gough.Robot, size: float) -> str:
    turns = robot.actuators[0].turns
    return MOTOR.format(gear="gear = 20" if turns else 'lead = "20 mm"', size=size, half=0.6 * size, peak=3 * size)


def _optimise(robot: gough.Robot, objective: str) -> str:
    first, home = robot.coordinate_names[0], robot.platform.home[0]
    return OPTIMISE.format(file=robot.name, objective=objective, first=first, low=home - 0.03, high=home + 0.03)


def _study(name: str, machines: int) -> str:
    text = (ROOT / "examples" / "studies" / f"{name}.toml").read_text()
    text = re.sub(r"(?m)^machines = \d+", f"machines = {machines}", text)
    return re.sub(r"(?m)^points = \d+", "points = 512", re.sub(r"(?m)^replicates = \d+", "replicates = 4", text))


def _exported(robot: gough.Robot, ending: str) -> None:
    gough.export_robot(robot, f"given.{ending}")


def _noisy(robot: gough.Robot) -> np.ndarray:
    draw = np.random.default_rng(7)
    way = _way(robot, 101)
    return np.column_stack([np.linspace(0.0, 1.0, 101), way + 2e-6 * draw.standard_normal(way.shape)])


INPUTS: dict[str, Callable[[gough.Robot], str | None]] = (
    {
        "poses.csv": lambda r: _table(_names(r), _way(r, 4)),
        "moves.csv": lambda r: _table(
            ["t", *_names(r)], np.column_stack([np.linspace(0, 1, 9), _way(r, 9) - _way(r, 2)[0]])
        ),
        "waypoints.csv": lambda r: _table(["t", *_names(r)], np.column_stack([np.linspace(0, 1, 4), _way(r, 4)])),
        "recorded.csv": lambda r: _table(["t", *_names(r)], np.column_stack([np.linspace(0, 1, 41), _way(r, 41)])),
        "noisy.csv": lambda r: _table(["t", *_names(r)], _noisy(r)),
        "q_moves.csv": lambda r: _table(
            _encoders(r), gough.inverse_kinematics(r, _way(r, 4)).q - gough.inverse_kinematics(r, _way(r, 1)).q
        ),
        "gap.csv": lambda r: _table(
            ["t", *_names(r)], np.delete(np.column_stack([np.linspace(0, 1, 41), _way(r, 41)]), slice(20, 24), axis=0)
        ),
        "fixed.csv": lambda r: _fixed(r),
        "one.csv": lambda r: _table(["t", _names(r)[0]], np.column_stack([np.linspace(0, 1, 9), _way(r, 9)[:, 0]])),
        "tolerant.toml": lambda r: f'{r.to_toml()}\n[tolerances]\nbase = "0.1 mm"\nplatform = "0.05 mm"\n',
        "failing.toml": lambda r: _failing(),
        "q.csv": lambda r: _table(_encoders(r), gough.inverse_kinematics(r, _way(r, 4)).q),
        "base.csv": lambda r: _base(),
        "envelope.toml": lambda r: _envelope(r, 0.01),
        "small.toml": lambda r: _envelope(r, 0.002),
        "motor.toml": lambda r: _motor(r, 10.0),
        "weak.toml": lambda r: _motor(r, 0.05),
        "errors.toml": lambda r: ERRORS.format(stiffness="1e5 N m/rad" if r.actuators[0].turns else "20 N/um"),
        "optimise.toml": lambda r: _optimise(r, '"peak force"'),
        "front.toml": lambda r: _optimise(r, '["peak force", "condition"]').replace("starts = 2", "starts = 1"),
        "tower.toml": lambda r: TOWER,
        "tolerances.toml": lambda r: _study("tolerances", 500),
        "designs.toml": lambda r: _study("designs", 300),
        "tracking.toml": lambda r: _study("tracking", 8).replace("step = 0.005", "step = 0.02"),
        "workspace.toml": lambda r: _study("workspace", 500),
        "template.toml": lambda r: _printed("new --study").replace("20000", "300"),
        "given.xml": lambda r: _exported(r, "xml"),
        "given.urdf": lambda r: _exported(r, "urdf"),
        "given.sdf": lambda r: _exported(r, "sdf"),
    }
    | {
        f"{name}.csv": lambda r, name=name: (ROOT / "examples" / "calibration" / f"{name}.csv").read_text()
        for name in ("full", "frames", "distance", "position", "orientation", "outliers", "validation")
    }
    | {
        f"identify_{name}.csv": lambda r, name=name: _recorded(name)
        for name in ("motion", "encoders", "payload_forces", "validation")
    }
)
"""Texts of files that lines name, made when a line needs them; None: the function has written it."""


def _words(robot: gough.Robot, states: States) -> dict[str, str]:
    """What stands for the names in braces."""
    name = str(states["name"])
    first, home = robot.coordinate_names[0], float(robot.platform.home[0])
    q = gough.inverse_kinematics(robot, _way(robot, 4)[1]).q
    turns = np.array([actuator.turns for actuator in robot.actuators])
    in_mm = [np.rad2deg(v) if t else 1e3 * v for v, t in zip(q, turns, strict=True)]
    listed = ",".join
    return WORDS[name] | {
        "robot": name,
        "file": f"{robot.name}.toml",
        "pose_mm": re.sub(r"([xyz]=)([-\d.]+)(?=,|$)", lambda m: f"{m[1]}{m[2]}m", WORDS[name]["pose"]),
        "q_mm": listed(f"{value:.10g}" for value in in_mm),
        "q": listed(f"{value:.10g}" for value in q),
        "q_far": listed(f"{value:.10g}" for value in [3.0 * q[0] + 2.0, *q[1:]]),
        "far": f"{first}={home + 9.0:g}",
        "first": first,
        "z": f"{home:g}" if first == "z" else "2.1",
        "wrench": "10,5,-40,0.5,0.2,-0.3",
        "columns": ",".join(f"{n}={n}" for n in _names(robot)[:2]),
        "motor": "motor.toml",
        "weak": "weak.toml",
        "encoders": ",".join(f"{n}={n.removeprefix('q_')}" for n in _encoders(robot)),
        "step": "0.01deg" if robot.actuators[0].turns else "0.01mm",
        "bars": "--bar d1=0.4,0.2,0:0.1,-0.2,0.1 --bar d2=-0.5,0.3,0.1:-0.15,0.1,0"
        " --bar d3=0.1,-0.6,0:0.05,0.2,0.1:free",
    }


def run(line: str) -> tuple[int | str, str, str]:
    """Exit code, standard output and standard error of a command line in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: int | str = cli.main(shlex.split(line))
        except Exception as error:  # a failure that is no message is an answer too
            code = f"failed: {type(error).__name__}"
    return code, out.getvalue(), err.getvalue()


def _recorded(name: str) -> str:
    """A recording of forces; the one with a payload takes the motion of the one without."""
    folder = ROOT / "tests" / "data" / "identification"
    if name != "payload_forces":
        return (folder / f"{name}.csv").read_text()
    motion = [line.split(",") for line in (folder / "motion.csv").read_text().split()]
    forces = [line.split(",") for line in (folder / "payload_forces.csv").read_text().split()]
    return "\n".join(",".join([*m[:19], *f[1:]]) for m, f in zip(motion, forces, strict=True)) + "\n"


def _printed(line: str) -> str:
    return run(line)[1]


def _contents(folder: Path) -> dict[str, float]:
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in sorted(folder.rglob("*")) if p.is_file()}


TIMES = re.compile(r"(?im)^.*\b(seconds|elapsed|took|processor time|cpu|version|python|numpy|llvm|created|date)\b.*$")
"""Lines of output that differ from run to run or from machine to machine."""


OF_THE_COMPUTER = ("versions", "versions as a table")
"""Lines that print numbers of this computer."""


def _answer(text: str, written: bool, policy: str, digits: int = 5) -> Answer:
    """Numbers of a text; pages have few digits, so that the last of them may be rounded the other way.

    Of pages without any number of five digits those of three count, so that they are compared by their numbers too.
    """
    text = TIMES.sub("", text)
    found = numbers(text, digits)
    if not written and not found.size:
        return Answer(numbers(text, 3), "values", THREE_DIGITS)
    return Answer(found, "values", policy if written else PRINTED)


def answered(robot: gough.Robot, states: States, command: str) -> dict[str, Answer]:
    """Answers of all lines of a command for this robot."""
    name, found = str(states["name"]), {}
    words, policy = _words(robot, states), POLICIES.get(command, SOLVED)
    for key, (line, machines) in LINES[command].items():
        if name not in machines:
            continue
        line = line.format(**words)
        with tempfile.TemporaryDirectory() as place, chdir(place):
            folder = Path(place)
            (folder / f"{robot.name}.toml").write_text(str(states["text"]))
            for file, text_of in INPUTS.items():
                if re.search(rf"(?<![\w.]){re.escape(file)}\b", line):
                    text = text_of(robot)
                    if text is not None:
                        (folder / file).write_text(text)
            before = _contents(folder)
            code, out, err = run(line)
            found[f"{key}.exit"] = Answer(np.array(str(code)), "verdict", "verdict")
            counts = command == "operation counts"
            exact = "--format json" in line or "--format csv" in line
            if key not in OF_THE_COMPUTER:
                found[f"{key}.printed"] = _answer(out, exact or counts, policy, 3 if counts else 5)
            if code not in (0, 1, 3):
                found[f"{key}.place"] = Answer(np.array(place_of(err)), "verdict", "verdict")
            files = [file for file, time in _contents(folder).items() if before.get(file) != time]
            found[f"{key}.files"] = Answer(np.array(sorted(map(file_word, files)), dtype=str), "names", "names")
            for file in files:
                if (ending := file.rsplit(".", 1)[-1]) in (
                    "csv",
                    "json",
                    "toml",
                    "txt",
                    "html",
                    "xml",
                    "urdf",
                    "sdf",
                    "yaml",
                ):
                    text = (folder / file).read_text()
                    html = ending == "html"
                    number = _answer(visible(text) if html else text, not html and ending != "txt", policy)
                    if not (html and "3d" in file) and number.value.size:
                        found[f"{key}.file.{file_word(file)}"] = number
    return found


def file_word(file: str) -> str:
    """The name of a written file without digits of hashes."""
    return re.sub(r"[0-9a-f]{8,}", "hash", file)


def place_of(message: str) -> str:
    """File and line, option or key that a message begins with: its words are free to change."""
    line = message.strip().splitlines()[0] if message.strip() else ""
    parts = line.removeprefix("gough: error: ").split(": ")
    kept = [part for part in parts[:-1] if re.fullmatch(r"[\w./*-]+(:\d+)?|--[\w-]+.*", part)]
    return " ".join(kept)


def options(robot: gough.Robot, states: States) -> dict[str, Answer]:
    """Names of commands and of their options."""
    text = _printed("--help")
    commands = re.findall(r"(?m)^  ([a-z]+) {2,}\S", text)
    found = {"commands": Answer(np.array(commands), "names", "names")}
    targets = re.findall(r"(?m)^  ([a-z0-9]+) {2,}\S", _printed("export --help"))
    for command in [*commands, *(f"export {target}" for target in targets)]:
        names = sorted(
            set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", _printed(f"{command} --help").split("\nOptions:")[-1]))
        )
        found[command] = Answer(np.array(names, dtype=str), "names", "names")
    for words in COMPLETED:
        found[f"words after {words}"] = Answer(np.array(_printed(f"__complete {words} ''").split()), "names", "names")
    return found


COMPLETED = (
    "", "ik", "ik stewart --pose", "export", "export c", "inverse stewart --law", "check stewart --format",
    "inverse stewart --motion", "nosuch", "workspace stewart --limit", "show stewart --set",
)  # fmt: skip
"""Beginnings of lines whose next words a shell proposes."""


def __getattr__(name: str) -> Callable[[gough.Robot, States], dict[str, Answer]]:
    """The function of a command's question: its name with underscores."""
    command = name.replace("_", " ").replace("time optimal", "time-optimal").replace("jerk limited", "jerk-limited")
    if command not in LINES:
        raise AttributeError(name)
    return lambda robot, states: answered(robot, states, command)


def _machines(command: str) -> tuple[str, ...]:
    return tuple(name for name in EVERY if any(name in machines for _, machines in LINES[command].values()))


def _questions() -> Iterator[Question]:
    for command in LINES:
        function = re.sub(r"[ -]", "_", command)
        yield Question(f"command {command}", "commands", _machines(command), frozenset(), f"commands:{function}", 300.0)
    yield Question("command options", "commands", ("stewart",), frozenset(), "commands:options", 60.0)


TABLE = {question.name: question for question in _questions()}
