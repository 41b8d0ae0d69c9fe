"""Studies on dask workers: the same bits, whatever dies on the way."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gough
from gough.studies import workers as workers_module
from tests.studies.cases import small, study_file
from tests.support.lanes import SEED, size

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:distributed"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
PYTHON = [sys.executable, "-m"]


def reduced(result: Any) -> str:
    return json.dumps(result.reductions, sort_keys=True)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[gough.Study, str, Any]:
    study = small(tmp_path_factory.mktemp("study"))
    result = study.run()
    return study, reduced(result), result


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    for name in ("distributed", "distributed.nanny", "distributed.worker"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    made = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=logging.CRITICAL
    )
    with made:
        yield made


def test_same_bits_for_workers_chunks_and_restarts(
    plain: tuple[gough.Study, str, Any], cluster: Any, tmp_path: Path
) -> None:
    """1, 2 and 3 workers x three chunk sizes x resumed after 1 to 10 chunks."""
    study, expected, rows = plain
    cases = [(w, c, r) for w in (1, 2, 3) for c in (1, 3, 7) for r in range(1, 11) if r * c < study.leaves]
    random.Random(SEED).shuffle(cases)
    for workers, chunk, after in sorted(cases[: size(len(cases), 6)]):
        cluster.scale(workers)
        with distributed.Client(cluster) as client:
            client.wait_for_workers(workers)
            out = tmp_path / f"{workers}-{chunk}-{after}"
            done: list[int] = []

            def progress(reached: int, _: int, done: list[int] = done, after: int = after) -> None:
                done.append(reached)
                if len(done) > after:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                study.run(client, out=out, chunk=chunk * study.leaf, progress=progress)
            result = study.run(client, out=out, resume=True, chunk=chunk * study.leaf)
            assert result.resumed > (after - 1) * chunk * study.leaf  # the last chunk may be short
            assert reduced(result) == expected
            found = result.read_rows()
            assert (found["machine"] == rows.rows["machine"]).all()
            assert found["position_error"].tobytes() == rows.rows["position_error"].tobytes()


def test_a_worker_whose_numbers_differ_is_refused_by_name(
    plain: tuple[gough.Study, str, Any], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, expected, _ = plain
    cluster.scale(2)
    with distributed.Client(cluster) as client:
        client.wait_for_workers(2)
        bad = sorted(client.scheduler_info(n_workers=-1)["workers"])[0]
        real = client.run

        def run(function: Any, *args: Any, **options: Any) -> Any:
            found = real(function, *args, **options)
            return {a: ("other" if a == bad else d) for a, d in found.items()}

        monkeypatch.setattr(client, "run", run)
        lines: list[str] = []
        assert reduced(study.run(client, tell=lines.append)) == expected
        assert lines == [f"worker {bad}: refused: its numbers differ from this machine's on the study's test block"]
        monkeypatch.setattr(client, "run", lambda *a, **o: dict.fromkeys(real(*a, **o), "other"))
        with pytest.raises(gough.GoughError, match="no worker is left whose numbers agree") as caught:
            study.run(client, tell=lines.append)
        assert caught.value.exit_code == 4


def test_a_scheduler_that_is_going_is_no_traceback(
    plain: tuple[gough.Study, str, Any], cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers with nothing for a moment, or the client is closed under a call."""
    study, expected, _ = plain
    with distributed.Client(cluster) as client:
        real, asked = client.scheduler_info, []

        def without_workers(**options: Any) -> Any:
            asked.append(options)
            return {} if len(asked) % 2 else real(**options)

        monkeypatch.setattr(client, "scheduler_info", without_workers)
        assert reduced(study.run(client)) == expected

        def closed(*_: Any, **__: Any) -> Any:
            client.close()
            raise RuntimeError("closed")

        monkeypatch.setattr(client, "submit", closed)
        with pytest.raises(
            gough.GoughError, match="the scheduler is gone; what was stored stays: gough study"
        ) as caught:
            study.run(client)
        assert caught.value.exit_code == 4


def test_a_function_that_raises_on_a_worker_names_the_machine(cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def f(machine):\n    return 1 / (machine.number - 5)\n")
    (tmp_path / "s.toml").write_text(
        'robot = "stewart"\nmachines = 10\nmeasure = ["mine:f"]\n[[vary]]\nnumber = "leg.1.base.x"\nuniform = 0.001\n'
    )
    study = gough.Study.read(tmp_path / "s.toml")
    with distributed.Client(cluster) as client:
        with pytest.raises(gough.InputError, match="mine:f: machine 5: ZeroDivisionError: division by zero"):
            study.run(client)
        result = study.run(client, on_error="count")
    assert result.failed == 1


class Processes:
    """A scheduler and workers as `dask scheduler` and `dask worker` start them, on loopback."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.folder = folder
        self.scheduler = self._start(
            "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(self.file), "--no-jupyter",
        )  # fmt: skip
        for _ in range(200):
            if self.file.exists() and self.file.read_text().strip():
                break
            time.sleep(0.1)
        self.workers = [self.worker() for _ in range(workers)]

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen([*PYTHON, *words], cwd=self.folder, **quiet)  # type: ignore[call-overload]

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start(
            "distributed.cli.dask_worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--host", "127.0.0.1", "--local-directory", str(self.folder), "--death-timeout", "30",
        )  # fmt: skip

    def end(self) -> None:
        for process in [*self.workers, self.scheduler]:
            process.kill()
            process.wait()


def command(folder: Path, file: Path, *more: str) -> subprocess.Popen[str]:
    words = ["gough", "study", str(folder / "study.toml"), "--scheduler-file", str(file), "--out", str(folder / "out")]
    return subprocess.Popen(
        [*PYTHON, *words, "--resume", "--chunk", "4096", "--format", "json", *more],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def chunks(folder: Path) -> int:
    return len(list((folder / "out" / "chunks").glob("*.parquet")))


def wait_for_chunk(folder: Path, beyond: int, process: subprocess.Popen[str], seconds: float = 60.0) -> bool:
    """Whether a chunk beyond so many was stored before the command ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        if chunks(folder) > beyond:
            return True
        time.sleep(0.005)
    return False


ATTEMPTS = 40
"""Of one study in the kill lane: above its chunks, since each kill waits for one more."""


def test_kill_lane(tmp_path: Path) -> None:
    """SIGKILLs of workers, scheduler and client while chunks are under way; the study ends with the same bits."""
    kills = size(200, 10)
    rng = random.Random(SEED)
    machines = 22 * 4096 + 1001
    expected = None
    landed = {"worker": 0, "scheduler": 0, "client": 0}
    round_ = 0
    while sum(landed.values()) < kills:
        round_ += 1
        assert round_ <= 3 * kills + 5, landed
        folder = tmp_path / str(round_)
        folder.mkdir()
        study_file(folder, machines)
        if expected is None:
            plain = gough.Study.read(folder / "study.toml").run()
            expected, rows = json.loads(json.dumps(plain.to_dict())), plain.read_rows()
        processes = Processes(folder, 2)
        try:
            for _ in range(ATTEMPTS):
                client = command(folder, processes.file)
                for _ in range(rng.randint(1, 4)):
                    if sum(landed.values()) >= kills or not wait_for_chunk(folder, chunks(folder), client):
                        break
                    time.sleep(rng.random() * 0.02)
                    if client.poll() is not None:
                        break
                    kind = rng.choice(["worker", "worker", "scheduler", "client"])
                    landed[kind] += 1
                    if kind == "worker":
                        k = rng.randrange(2)
                        processes.workers[k].send_signal(signal.SIGKILL)
                        processes.workers[k].wait()
                        processes.workers[k] = processes.worker()
                    elif kind == "client":
                        client.send_signal(signal.SIGKILL)
                        break
                    else:
                        processes.scheduler.send_signal(signal.SIGKILL)
                        break
                out, err = client.communicate(timeout=600)
                if client.returncode == 0:
                    break
                if client.returncode == 4:
                    assert "the scheduler is gone; what was stored stays: gough study" in err, err
                    assert f"--out {folder / 'out'} --resume" in err
                    processes.end()
                    processes = Processes(folder, 2)
                else:
                    assert client.returncode == -signal.SIGKILL, (client.returncode, err)
            assert client.returncode == 0, err
        finally:
            processes.end()
        assert json.loads(out)["reductions"] == expected["reductions"]
        done = gough.Study.read(folder / "study.toml").run(out=folder / "out", resume=True)
        assert done.resumed == machines
        own = done.read_rows()
        assert (own["machine"] == rows["machine"]).all()
        assert all(own[name].tobytes() == rows[name].tobytes() for name in rows)
    print(f"seed {SEED}: {landed} in {round_} studies")


def hear_interrupts() -> None:
    """For a process started from one that runs in the background of a shell, where SIGINT is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_ends_cleanly_and_says_how_to_resume(tmp_path: Path) -> None:
    study_file(tmp_path, machines=1000 * 4096)
    words = [*PYTHON, "gough", "study", str(tmp_path / "study.toml"), "--workers", "1", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(
        [*words, "--chunk", "4096"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=hear_interrupts,
    )  # fmt: skip
    assert wait_for_chunk(tmp_path, 0, process)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    last = err.strip().splitlines()[-1]
    assert last.startswith("gough: interrupted: ")
    assert last.endswith(f"rows are done; gough study {tmp_path}/study.toml --out {tmp_path}/out --resume")


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from gough import cli
    from gough.studies import cluster as cluster_module

    path = study_file(tmp_path, machines=10)
    old, cluster_module.CONNECT = cluster_module.CONNECT, 0.5
    try:
        assert cli.main(["study", str(path), "--scheduler", "tcp://127.0.0.1:9"]) == 4
    finally:
        cluster_module.CONNECT = old
    assert capsys.readouterr().err == "gough: error: scheduler tcp://127.0.0.1:9: cannot be reached within 0.5 s\n"
    assert cli.main(["study", str(path), "--workers", "2", "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "--scheduler: cannot go with --workers" in capsys.readouterr().err
    assert cli.main(["study", str(path), "--scheduler-file", str(tmp_path / "none")]) == 2


def test_without_dask_the_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(gough.InputError, match=r"workers: need dask.distributed; pip install 'gough\[study\]'"):
        workers_module.check_distributed()
