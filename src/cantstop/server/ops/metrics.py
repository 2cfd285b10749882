"""What a host can watch, for Prometheus; no label ever holds a table, a name or an address."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from time import perf_counter

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from cantstop.rules import CantStopError
from cantstop.server.errors import Internal, code_of

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder where workers leave their figures for each other."""

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram(
    "cantstop_request_seconds",
    "Time to answer an HTTP request.",
    ["method", "route", "status"],
    buckets=_SECONDS,
)
SOCKETS = Gauge("cantstop_sockets", "Sockets that are open.", multiprocess_mode="livesum")
TABLES = Gauge(
    "cantstop_tables_in_memory",
    "Tables that need not be read again.",
    multiprocess_mode="livesum",
)
ACTIONS = Counter(
    "cantstop_actions",
    "Actions of players and bots; the result is accepted, or why not.",
    ["by", "kind", "result"],
)
ACTION_SECONDS = Histogram(
    "cantstop_action_seconds",
    "Time from an action's arrival until it was committed, and until everybody here was told.",
    ["until"],
    buckets=_SECONDS,
)
EVENTS = Counter("cantstop_events", "Events committed.", ["kind"])
CONFLICTS = Counter("cantstop_conflicts", "Commits that another worker was quicker with.")
CLOSED = Counter("cantstop_sockets_closed", "Sockets that the server closed.", ["code"])
LIMITED = Counter("cantstop_limited", "What was refused by a limit.", ["limit"])


_began: ContextVar[float | None] = ContextVar("_began", default=None)


@contextmanager
def action(by: str, kind: str) -> Iterator[None]:
    """An action of a player or a bot, from its arrival to its end; its result is counted."""
    token = _began.set(perf_counter())
    result = Internal.code
    try:
        yield
        result = "accepted"
    except CantStopError as error:
        result = code_of(error)
        raise
    finally:
        _began.reset(token)
        ACTIONS.labels(by, kind, result).inc()


def committed(kinds: Iterable[str]) -> None:
    """Events of these kinds are durable."""
    for kind in kinds:
        EVENTS.labels(kind).inc()
    _reached("commit")


def told(_versions: object) -> None:
    """Everybody at a table here has been told of what was committed."""
    _reached("broadcast")


def _reached(until: str) -> None:
    began = _began.get()
    if began is not None:
        ACTION_SECONDS.labels(until).observe(perf_counter() - began)


def all_figures() -> bytes:
    """The figures of all workers, in Prometheus' text."""
    folder = os.environ.get(FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    _bury_the_dead(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _bury_the_dead(folder: Path) -> None:
    """What a worker that was killed had open is open no more."""
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        if not _is_alive(process):
            mark_process_dead(process, folder)  # type: ignore[no-untyped-call]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
