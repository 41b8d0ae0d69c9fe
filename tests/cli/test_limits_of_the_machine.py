"""Work that does not fit or cannot end is refused before it begins; what is lost on the way is one line."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import time

import numpy as np
import pytest

import gough
from gough import resources
from gough.errors import InputError, NumericalError
from gough.simulation import PD, ComputedTorque, Controller, run_time
from tests.cli.running import outcome

ESTIMATE = r"needs about [\d.]+ [KMGTP]iB of memory, [\d.]+ [KMG]iB is free; up to \d+ {} would do"
REFUSED = {
    "verify stewart --states 1e12": r"states 1e\+12: " + ESTIMATE.format("states"),
    "verify all --states 1000000000000": r"states 1e\+12: " + ESTIMATE.format("states"),
    "report delta --states 1e12": r"states 1e\+12: " + ESTIMATE.format("states"),
    "simulate delta --samples 1e12": r"samples 1e\+12: " + ESTIMATE.format("samples"),
    "simulate delta --ensemble 1e12": r"count 1e\+12: " + ESTIMATE.format(r"robots at a time \(.*\)"),
    "simulate delta --ensemble 1000 --step 1e-6 --for 1000 --full-history": r"full history of 1e\+09 steps: "
    + ESTIMATE.format("steps, or a decimated history,"),
    "simulate stewart --bandwidth 1e5": r"bandwidth 100000 Hz: needs about 1e\+07 steps, some [\d.]+ hours and [\d.]+ "
    r"GiB; up to 2e\+04 Hz would do, or a duration up to 0.8 s, or a sample time",
    "simulate stewart --sample-time 1e-9": r"sample time 1e-09 s: needs about 4e\+09 steps, some 93 days and [\d.]+ "
    r"TiB; 2e-06 s or more would do, or a duration up to 0.002 s",
    "simulate stewart --for 1e9": r"bandwidth 5 Hz: needs about 1.3e\+11 steps, some 8 years .*",
    "simulate delta --ensemble 10 --step 1e-12": r"step 1e-12 s: [\d.e+]+ steps of 10 robots take about [\d.]+ years; "
    r"a step of [\d.e-]+ s or more would do, or a duration up to [\d.e-]+ s",
    "inverse delta --samples 1e12": "--samples 1e12: must be a whole number from 2 to 10000000",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_what_cannot_be_done_is_refused_at_once(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    start = time.process_time()
    code, out, err = outcome(capsys, *arguments.split())
    assert (code, out) == (2, "")
    assert re.fullmatch(f"gough: error: {REFUSED[arguments]}\n", err), err
    assert time.process_time() - start < 10.0
    assert list(tmp_path.iterdir()) == []


def test_what_would_do_is_not_refused(monkeypatch):
    """The numbers named in the refusals are taken; the estimate alone is asked, such a run is none for a test."""
    robot = gough.load("stewart")
    moved = gough.Motion.named(robot, "trig3")
    for width, fits in ((1e5, False), (1.9e4, True)):
        for law in (ComputedTorque(bandwidth=width), PD(bandwidth=width)):
            checked(Controller(law, moved), 4.0, fits)
    for period, fits in ((1e-9, False), (2.1e-6, True)):
        checked(Controller(PD(bandwidth=1e5), moved, sample_time=period), 4.0, fits)
    checked(Controller(PD(kp=1e9, kd=1e6), moved), 4.0, True)
    checked(None, 1e9, True)


def checked(input, length, fits):
    if fits:
        run_time.check_single(input, length)
    else:
        with pytest.raises(InputError, match="would do"):
            run_time.check_single(input, length)


def test_a_run_that_turns_out_endless_keeps_what_it_has(monkeypatch):
    monkeypatch.setattr(sys.modules["gough.simulation.simulate"], "MOST_STEPS", 3)
    with pytest.raises(NumericalError, match="it took 3 steps") as raised:
        gough.simulate(gough.load("planar3rrr"), None, None, 0.05)
    assert raised.value.partial.t[-1] > 0.0


def test_memory_that_is_free(monkeypatch):
    assert 2**20 < resources.free_memory() < 2**60
    monkeypatch.setattr(resources, "free_memory", lambda: 1e9)
    resources.check_memory("--states 5", 7e5, 1e3, "states")
    with pytest.raises(
        InputError, match=r"^--states 9e5: needs about 858 MiB of memory, 954 MiB is free; up to 800000 s"
    ):
        resources.check_memory("--states 9e5", 9e5, 1e3, "states")


def test_the_format_of_the_output_counts(capsys, monkeypatch):
    monkeypatch.setattr(resources, "free_memory", lambda: 3e6)
    assert outcome(capsys, "inverse", "delta", "--samples", "800")[0] == 0
    code, _, err = outcome(capsys, "inverse", "delta", "--samples", "1000", "--format", "json")
    assert code == 2
    assert err.startswith("gough: error: --samples 1000: needs about ")


SCRIPT = """
import resource, sys
from gough.cli import main
import gough.reports.verify, gough.dynamics
with open("/proc/self/statm") as file:
    size = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size + {room}, size + {room}))
{before}
sys.exit(main(sys.argv[1:]))
"""


def limited(room, *arguments, before=""):
    script = SCRIPT.format(room=room, before=before)
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
def test_a_limit_on_the_process_counts():
    done = limited(2**30, "verify", "delta", "--states", "1e6")
    assert done.returncode == 2
    assert "of memory, " in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on memory")
def test_memory_lost_on_the_way():
    """The estimate is kept from seeing the limit, so that the arrays themselves find no room."""
    before = "import gough.resources; gough.resources.free_memory = lambda: 1e15"
    done = limited(2**29, "inverse", "delta", "--samples", "1e7", before=before)
    assert (done.returncode, done.stdout) == (4, "")
    assert re.fullmatch(
        r"gough: error: out of memory( \(.*\))?; ask for fewer samples, states or robots\n", done.stderr
    )


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (MemoryError(), "out of memory; ask for fewer samples, states or robots"),
        (OSError(errno.ENOSPC, "No space left on device", "a.csv"), "a.csv: No space left on device"),
        (OSError(errno.EMFILE, "Too many open files", "b.csv"), "b.csv: Too many open files"),
        (OSError(errno.EIO, "Input/output error", "c.csv"), "c.csv: Input/output error"),
    ],
)
def test_resources_lost_on_the_way(capsys, monkeypatch, error, line):
    def lost(*_arguments, **_options):
        raise error

    monkeypatch.setattr("gough.dynamics.inverse.inverse_dynamics", lost)
    assert outcome(capsys, "inverse", "delta") == (4, "", f"gough: error: {line}\n")


def test_an_array_that_finds_no_room_is_told(capsys, monkeypatch):
    monkeypatch.setattr("gough.dynamics.inverse.inverse_dynamics", lambda *_, **__: np.empty(10**16))
    code, out, err = outcome(capsys, "inverse", "delta")
    assert (code, out) == (4, "")
    assert err.startswith("gough: error: out of memory (Unable to allocate ")


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs a file without an end")
@pytest.mark.parametrize(
    "arguments",
    ["show /dev/zero", "inverse delta --motion link.csv"]
    + ["size delta --motor /dev/zero", "size delta --envelope /dev/zero"],
)
def test_a_file_without_an_end_is_refused(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.csv").symlink_to("/dev/zero")
    code, out, err = outcome(capsys, *arguments.split())
    assert (code, out) == (2, "")
    assert re.search(r"cannot be read: it holds more than \d+ megabytes\n$", err), err
