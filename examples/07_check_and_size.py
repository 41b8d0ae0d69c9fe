"""Does a motion fit the machine, by how much, what would fit, and what must the actuators give?

The same by command: gough check stewart --limit force=11.2, whose exit code tells whether it fits;
gough size stewart.
"""

from __future__ import annotations

import gough


def main() -> None:
    robot = gough.load("stewart")

    own = gough.check(robot, gough.Motion.named(robot, "trig3"))
    print(f"{robot.name}, motion trig3: {'fits' if own.fits else 'does not fit'} the limits in its file")
    for found in own.findings:
        where = f"{found.kind:9} {found.owner or 'all':6} worst at {found.t:.3f} s"
        print(f"  {where}, margin {100 * found.relative:.1f} %")
    print("  not checked:", ", ".join(own.unchecked) or "nothing")

    # Other limits, SI units: smaller actuators, and a bound on the condition of the Jacobian.
    tight = gough.check(
        robot, gough.Motion.named(robot, "trig3"), limits={"force": 11.2, "speed": 1.0, "condition": 5.0}
    )
    print(f"with 11.2 N and 1 m/s: {'fits' if tight.fits else 'violated: ' + ', '.join(tight.violated)}")
    worst = next(found for found in tight.findings if found.kind == "force")
    print(f"  actuator {worst.owner} needs {worst.value:.4f} N at {worst.t:.4f} s, found between samples")

    advice = tight.advice
    if advice.amplitude is not None:
        print(f"  {advice.amplitude:.3f} times the amplitude would fit (then {advice.meets or 'nothing'} is met)")
    if advice.duration:
        print(f"  so would a duration of {advice.duration:.3f} s instead of {tight.motion.duration:g} s")

    # What a catalogue of drives asks for, exact between samples.
    needed = gough.demand(robot, gough.Motion.named(robot, "trig3"))
    print("actuator  peak [N]  rms [N]  peak [m/s]  peak [W]  energy [J]  duty [%]")
    columns = (needed.force, needed.rms_force, needed.qd, needed.power, needed.energy, 100 * needed.duty)
    for name, *values in zip(needed.actuators, *columns, strict=True):
        print(f"{name:8}" + "".join(f"{abs(v):{w}.2f}" for v, w in zip(values, (10, 9, 12, 10, 12, 10), strict=True)))


if __name__ == "__main__":
    main()
