"""Clients of a dask scheduler: local processes by default, another one by its address or file."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gough.errors import InputError, ResourceError
from gough.studies.workers import check_distributed

CONNECT = 20.0
"""Seconds to reach a scheduler."""


@contextmanager
def client_of(workers: int | None, scheduler: str, scheduler_file: str, tell: Callable[[str], None]) -> Iterator[Any]:
    """A client of one of these, or None where none is asked for; ended afterwards, local workers too.

    Raises:
        InputError: More than one is given, or one that cannot be.
        ResourceError: The scheduler cannot be reached.
    """
    options = {"--workers": workers, "--scheduler": scheduler or None, "--scheduler-file": scheduler_file or None}
    given = [name for name, value in options.items() if value is not None]
    if len(given) > 1:
        raise InputError(f"{given[1]}: cannot go with {given[0]}")
    if not given:
        yield None
        return
    check_distributed()
    for name in ("distributed", "distributed.nanny", "distributed.worker", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    maker = _local(workers) if workers is not None else _remote(scheduler, scheduler_file)
    with maker as client:
        if client.dashboard_link:
            tell(f"dashboard: {client.dashboard_link}")
        yield client


@contextmanager
def _local(workers: int | None) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    if workers is None or not 1 <= workers <= 4096:
        raise InputError(f"--workers {workers}: must be a whole number from 1 on")
    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )
    with cluster, Client(cluster) as client:
        yield client


@contextmanager
def _remote(address: str, file: str) -> Iterator[Any]:
    from distributed import Client

    if file and not Path(file).is_file():
        raise InputError(f"--scheduler-file {file}: no such file")
    try:
        client = Client(scheduler_file=file, timeout=CONNECT) if file else Client(address, timeout=CONNECT)
    except (OSError, TimeoutError):
        raise ResourceError(f"scheduler {address or file}: cannot be reached within {CONNECT:g} s") from None
    except ValueError as error:
        raise InputError(f"--scheduler {address}: {str(error).splitlines()[0]}") from None
    with client:
        yield client
