"""`gough verify`: all formulations against each other on one robot, as a certificate."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gough.cli.options import JsonOption, RobotArgument, SettingsOption, whole

StatesOption = Annotated[int, typer.Option("--states", parser=whole(1), metavar="N", help="Number of random states.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the random states.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Also write the certificate: .txt or .json.")
]


def run(
    robot: RobotArgument,
    states: StatesOption = 1000,
    seed: SeedOption = 0,
    out: OutOption = None,
    settings: SettingsOption = [],  # noqa: B006
    json: JsonOption = False,
) -> int:
    """Compare all formulations on all executors on random reachable states; exit code 3 if they disagree.

    The power balance, symmetry and definiteness of M, and skewness of Md - 2 C (where it holds) are checked too; then
    for every formulation forward dynamics, forces on a moving base and the energy balance of a short simulation; and
    rates and accelerations of all joints. What is not run is listed: simulations of more than 60000 operations a step.

    The name "all" prints a line for each robot of the catalogue.

    \b
    Examples:
      gough verify stewart
      gough verify my_robot.toml --states 10000 --out certificate.json
    """
    from gough.cli.loading import load_robot
    from gough.cli.out_files import form_of, write_whole
    from gough.cli.output import steps, to_json
    from gough.cli.pages.verify_page import certificate_values
    from gough.reports.verify import verify

    form = "table" if out is None else form_of("--out", out, None, ["json"])
    if robot == "all":
        return _all(states, seed, json)
    loaded = load_robot(robot, settings)
    with steps() as progress:
        certificate = verify(loaded, states, seed, progress=progress)
    text, values = str(certificate), to_json(certificate_values(certificate))
    print(values if json else text)
    if out is not None:
        write_whole(out, ((values if form == "json" else text) + "\n").encode())
    return 0 if certificate.passed else 3


def _all(states: int, seed: int, json: bool) -> int:
    from gough.cli.output import steps, table, to_json
    from gough.cli.pages.verify_page import AGREEMENT_HEADER, agreement_rows, certificate_values, not_run_page

    with steps() as progress:
        rows, certificates = agreement_rows(states, seed, progress)
    if json:
        print(to_json([certificate_values(c) for c in certificates]))
    else:
        print(table(AGREEMENT_HEADER, rows))
        left_out = not_run_page(certificates)
        if left_out:
            print(f"\n{left_out}")
    return 0 if all(c.passed for c in certificates) else 3
