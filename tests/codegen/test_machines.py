"""The self-test of exported code on other machines, and under tools that look for faults. The same bits everywhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gough
from tests.codegen.compiled import STRICT, run, tool
from tests.support.lanes import FULL, sample

M7 = Path(__file__).parent / "cortex_m7"
SMALL = ["fivebar", "planar3rrr", "rps3", "delta"]
ROBOTS = list(gough.catalogue()) if FULL else sample(SMALL, 1, lane="machines")
PASSED = "all results as expected"


@pytest.fixture(scope="module", params=ROBOTS)
def exported(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    gough.export_c(gough.load(request.param), folder, name="robot")
    return folder


def build(exported: Path, *command: str | Path) -> Path:
    program = exported / f"test_{Path(command[0]).name}"
    run(*command, exported / "robot.c", exported / "robot_selftest.c", "-lm", "-o", program)
    return program


@pytest.mark.slow
@pytest.mark.parametrize(
    ("compiler", "machine"), [("aarch64-linux-gnu-gcc", "qemu-aarch64"), ("arm-linux-gnueabihf-gcc", "qemu-arm")]
)
def test_64_and_32_bit_arm(compiler, machine, exported):
    tool(compiler), tool(machine)
    program = build(exported, compiler, "-O1", "-static", *STRICT, "-ffp-contract=off")
    assert PASSED in run(machine, program)


@pytest.mark.slow
def test_cortex_m7(exported):
    tool("arm-none-eabi-gcc"), tool("qemu-system-arm")
    machine = "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16 --specs=rdimon.specs -nostartfiles".split()
    flags = ["-O1", "-std=c99", "-ffp-contract=off", "-T", M7 / "memory.ld", M7 / "startup.c"]
    program = build(exported, "arm-none-eabi-gcc", *machine, *flags)
    print(run("arm-none-eabi-size", program))
    host = "-semihosting-config enable=on,target=native -nographic -M mps2-an500 -kernel".split()
    assert PASSED in run("qemu-system-arm", *host, program)


@pytest.mark.slow
def test_sanitizers(exported):
    tool("gcc")
    flags = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -ffp-contract=off".split()
    assert PASSED in run(build(exported, "gcc", *flags))


@pytest.mark.parametrize("name", ["stewart", "hexapod"] if FULL else ["fivebar"])
def test_single_precision(name, tmp_path):
    """The self-test compares with double precision; the header states the errors found."""
    tool("tcc")
    written = gough.export_c(gough.load(name), tmp_path, name="single", float32=True)
    run("tcc", tmp_path / "single.c", tmp_path / "single_selftest.c", "-lm", "-o", tmp_path / "t")
    assert PASSED in run(tmp_path / "t")
    assert "Largest errors on 16 states" in " ".join((tmp_path / "single.h").read_text().split())
    assert len(written.functions) >= 5


def test_single_precision_of_cables(tmp_path):
    """Cables have results where the motion is calm: the header states errors there, the self-test holds such states."""
    tool("tcc")
    gough.export_c(gough.load("cable8"), tmp_path, "ik,inverse", name="single", float32=True)
    header = " ".join((tmp_path / "single.h").read_text().replace(" * ", " ").split())
    told = dict(re.findall(r"(ik|inverse) (\d\.\de-\d\d)", header))
    assert all(float(error) < 1e-5 for error in told.values()), told
    assert "single_inverse_given[8]" in (tmp_path / "single_selftest.c").read_text()
    run("tcc", tmp_path / "single.c", tmp_path / "single_selftest.c", "-lm", "-o", tmp_path / "t")
    assert PASSED in run(tmp_path / "t")


def test_single_precision_where_iterations_need_double(tmp_path):
    with pytest.raises(gough.errors.InputError, match="inverse: rps3 does not have it in single precision"):
        gough.export_c(gough.load("rps3"), tmp_path / "new", "inverse", float32=True)
    assert not (tmp_path / "new").exists()
