"""`gough robots`: the machines that come with gough."""

from __future__ import annotations

from gough.cli.loading import machine_type, short_source, source
from gough.cli.options import JsonOption
from gough.cli.output import table, to_json
from gough.robot import catalogue, load


def run(json: JsonOption = False) -> None:
    """List the robots that come with gough: name, legs, platform coordinates, source.

    \b
    Examples:
      gough robots
      gough show stewart
    """
    robots = {name: load(name) for name in catalogue()}
    if json:
        print(
            to_json(
                [
                    {
                        "name": name,
                        "type": machine_type(robot),
                        "coordinates": list(robot.coordinate_names),
                        "description": robot.description,
                        "source": source(name),
                    }
                    for name, robot in robots.items()
                ]
            )
        )
        return
    rows = [
        [name, machine_type(robot), " ".join(c.name for c in robot.platform.coordinates), short_source(name)]
        for name, robot in robots.items()
    ]
    print(table(["name", "legs", "coordinates", "source"], rows))
