"""Chunks computed by the workers of a dask cluster.

Each chunk is a task of its own. A chunk whose workers died is submitted again from the store's state, however often;
a scheduler that is gone ends the run: its futures would otherwise come back cancelled, as if nothing were left to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from gough.errors import GoughError, InputError, ResourceError
from gough.studies.chunk import Chunk, compute
from gough.studies.study import Study

FIRST_WORKER = 60.0
"""Seconds to wait for a worker, at the start and when all have gone."""
LOST = 5.0
"""Seconds that the scheduler may be out of touch."""
AHEAD = 2
"""Chunks submitted for each thread of the workers: memory stays bounded."""


def check_distributed() -> None:
    """Check that dask.distributed is installed.

    Raises:
        InputError: It is not.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("workers: need dask.distributed; pip install 'gough[study]'") from None


@lru_cache(maxsize=4)
def _study(content: bytes) -> Study:
    """The study of pickled bytes, made once in each worker: it is compiled once."""
    import pickle

    found: Study = pickle.loads(content)
    return found


def worker_chunk(content: bytes, first: int, last: int, on_error: str) -> Chunk:
    """What a worker computes."""
    from dataclasses import replace

    study = _study(content)
    return replace(compute(study, first, last, on_error), test_block=study.test_block)


def worker_test_block(content: bytes) -> str:
    """Digest of the test block on a worker."""
    return _study(content).test_block


def computed_by(
    client: Any, study: Study, plan: Sequence[tuple[int, int]], on_error: str, say: Callable[[str], None], resume: str
) -> Iterator[Chunk]:
    """Chunks of the plan as they are done.

    Raises:
        ResourceError: The scheduler or all workers have gone.
        GoughError: A user's function raised.
    """
    check_distributed()
    import cloudpickle

    run = _Run(client, study, cloudpickle.dumps(study), on_error, say, resume)
    try:
        run.check_workers()
        yield from run.chunks(list(plan))
    except GoughError:
        raise
    except Exception as error:  # a call on a connection that broke fails in many ways; the store is written elsewhere
        if isinstance(error, OSError) or client.status != "running":
            raise run.lost() from None
        raise
    finally:
        run.forget()


class _Run:
    """Tasks of one study on one client."""

    def __init__(
        self, client: Any, study: Study, content: bytes, on_error: str, say: Callable[[str], None], resume: str
    ) -> None:
        self.client, self.study, self.content, self.on_error = client, study, content, on_error
        self.say, self.resume = say, resume
        self.futures: dict[Any, tuple[int, int]] = {}
        self.seen = time.monotonic()
        self.had_workers = time.monotonic()
        self.refused: set[str] = set()

    def check_workers(self) -> None:
        """Refuse workers whose numbers differ, by name."""
        from distributed import TimeoutError as DaskTimeout

        try:
            self.client.wait_for_workers(1, timeout=FIRST_WORKER)
            found = self.client.run(worker_test_block, self.content, on_error="return")
        except (DaskTimeout, TimeoutError):
            raise ResourceError(
                f"no worker connected within {FIRST_WORKER:g} s; start some, then {self.resume}"
            ) from None
        except OSError:
            raise self.lost() from None
        for address, digest in found.items():
            if isinstance(digest, GoughError):
                raise digest
            if digest != self.study.test_block:
                self.refuse(address)

    def refuse(self, address: str) -> None:
        """Take no chunk from a worker."""
        if address in self.refused:
            return
        self.refused.add(address)
        self.say(f"worker {address}: refused: its numbers differ from this machine's on the study's test block")
        others = [a for a in self._workers() if a not in self.refused]
        if not others:
            raise ResourceError(f"no worker is left whose numbers agree; {self.resume}")

    def chunks(self, plan: list[tuple[int, int]]) -> Iterator[Chunk]:
        """All chunks of the plan, in the order in which they are done."""
        plan.reverse()
        while plan or self.futures:
            while plan and len(self.futures) < AHEAD * max(1, self._threads()):
                self._submit(plan.pop())
            for future in self._done():
                stretch = self.futures.pop(future)
                chunk = self._result(future)
                if chunk is None:
                    plan.append(stretch)
                else:
                    yield chunk

    def forget(self) -> None:
        """Cancel what is under way."""
        if self.futures and self.client.status == "running":
            with suppress(OSError):
                self.client.cancel(list(self.futures))
        self.futures.clear()

    def _submit(self, stretch: tuple[int, int]) -> None:
        good = [a for a in self._workers() if a not in self.refused] if self.refused else None
        options = {"workers": good, "allow_other_workers": False} if good else {}
        future = self.client.submit(worker_chunk, self.content, *stretch, self.on_error, pure=False, **options)
        self.futures[future] = stretch

    def _done(self) -> list[Any]:
        """Futures that have ended; none after a while."""
        from distributed import TimeoutError as DaskTimeout
        from distributed import wait

        try:
            ended = list(wait(list(self.futures), timeout=1.0, return_when="FIRST_COMPLETED").done)
        except (DaskTimeout, TimeoutError):
            ended = []
        except Exception:  # a cancelled future raises: looked into one by one
            ended = [future for future in self.futures if future.status != "pending"]
        self._check_alive()
        return ended

    def _result(self, future: Any) -> Chunk | None:
        """The chunk; None where its workers died or were refused, and it must be computed again."""
        from distributed import KilledWorker

        if future.status in ("cancelled", "lost"):
            raise self.lost()
        error = future.exception() if future.status == "error" else None
        if isinstance(error, KilledWorker):
            return None
        if error is not None:
            if isinstance(error, GoughError):
                raise error
            raise ResourceError(f"a worker failed: {type(error).__name__}: {error}; {self.resume}")
        chunk: Chunk = future.result()
        if chunk.test_block != self.study.test_block:
            for address in self.client.who_has([future]).get(future.key, ()):
                self.refuse(address)
            return None
        return chunk

    def _workers(self) -> dict[str, Any]:
        # A scheduler that is just going answers with nothing; whether it is gone is seen by the client's status.
        found: dict[str, Any] = self.client.scheduler_info(n_workers=-1).get("workers", {})
        return found

    def _threads(self) -> int:
        return sum(int(worker["nthreads"]) for worker in self._workers().values())

    def _check_alive(self) -> None:
        now = time.monotonic()
        if self.client.status == "running":
            self.seen = now
        elif now - self.seen > LOST or self.client.status == "closed":
            raise self.lost()
        if self.client.status == "running" and self._workers():
            self.had_workers = now
        elif now - self.had_workers > FIRST_WORKER:
            raise ResourceError(f"no worker has been connected for {FIRST_WORKER:g} s; start some, then {self.resume}")

    def lost(self) -> ResourceError:
        """The error of a scheduler that does not answer."""
        return ResourceError(f"the scheduler is gone; what was stored stays: {self.resume}")
