"""Metrics for Prometheus; no label ever holds a table, a name or an address."""

import os
from collections.abc import Iterable
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from time import perf_counter

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cantstop.processes import is_alive
from cantstop.rules import CantStopError
from cantstop.server.errors import code_of
from cantstop.wire.errors import ErrorCode

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder in which workers share their metrics."""

MONITORING_PATHS = ("/healthz", "/metrics")
"""For monitors: without a rate limit, and measured under their own names."""

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")

REQUESTS = Histogram(
    "cantstop_request_seconds",
    "Time to answer an HTTP request.",
    ["method", "route", "status"],
    buckets=_BUCKETS,
)
SOCKETS = Gauge("cantstop_sockets", "Sockets that are open.", multiprocess_mode="livesum")
OPEN_FILES = Gauge(
    "cantstop_open_files",
    "Files and connections that are open.",
    multiprocess_mode="livesum",
)
TABLES = Gauge(
    "cantstop_tables_in_memory",
    "Tables that need not be read again.",
    multiprocess_mode="livesum",
)
CACHE_BYTES = Gauge(
    "cantstop_cache_bytes", "What a cache holds, about.", ["cache"], multiprocess_mode="livesum"
)
CACHE_LIMIT = Gauge(
    "cantstop_cache_limit_bytes", "The bound of a cache.", ["cache"], multiprocess_mode="livesum"
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
    buckets=_BUCKETS,
)
EVENTS = Counter("cantstop_events", "Events committed.", ["kind"])
CONFLICTS = Counter("cantstop_conflicts", "Commits retried after a conflict.")
CLOSED = Counter("cantstop_sockets_closed", "Sockets that the server closed.", ["code"])
LIMITED = Counter("cantstop_limited", "What was refused by a limit.", ["limit"])
WRONG_CODES = Counter(
    "cantstop_wrong_codes",
    "Codes and words for a player's second device that were wrong.",
    ["what"],
)
CALLS = Counter(
    "cantstop_calls",
    "Calls to players that a table waits for them, by channel and by what came of each try.",
    ["channel", "result"],
)
CALL_SECONDS = Histogram(
    "cantstop_call_seconds",
    "Time from when a call was due until its service took it.",
    ["channel"],
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600),
)
CLEANUP_REFUSED = Gauge(
    "cantstop_cleanup_refused",
    "Tables that look expired, but are too many to be deleted without the operator.",
    multiprocess_mode="livemax",
)
WORK_QUEUED = Gauge(
    "cantstop_work_queued", "Heavy work that waits for a process.", multiprocess_mode="livesum"
)
WORK_LOST = Counter("cantstop_work_lost", "Processes that died or were killed at their deadline.")
INSIGHT = Counter(
    "cantstop_insight",
    "Analyses, hints and reviews that were asked for: from the cache, or to be worked out.",
    ["kind", "from"],
)
TURNS_MISSED = Counter("cantstop_turns_missed", "Turns at slow tables whose time was up.")
BOT_FAILURES = Counter("cantstop_bot_failures", "Decisions that another bot had to make instead.")


# Actions

_action_began: ContextVar[float | None] = ContextVar("_action_began", default=None)


# Finding the child of a metric by its labels costs more than counting with it, so they are kept.
_actions, _events = cache(ACTIONS.labels), cache(EVENTS.labels)
_action_seconds = cache(ACTION_SECONDS.labels)


class action:
    """Measures an action of a player or a bot from its arrival, and counts its result."""

    __slots__ = ("_by", "_kind", "_token")

    def __init__(self, by: str, kind: str) -> None:
        self._by, self._kind = by, kind

    def __enter__(self) -> None:
        self._token = _action_began.set(perf_counter())

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        _action_began.reset(self._token)
        if error is None:
            result = "accepted"
        else:
            code = code_of(error) if isinstance(error, CantStopError) else ErrorCode.INTERNAL
            result = code.value
        _actions(self._by, self._kind, result).inc()


def committed(kinds: Iterable[str]) -> None:
    """Count events that were committed, and the time since their action arrived."""
    for kind in kinds:
        _events(kind).inc()
    _observe_action("commit")


def broadcast(_versions: object) -> None:
    """Measure the time until everybody at a table, on this worker, was sent what happened."""
    _observe_action("broadcast")


def _observe_action(until: str) -> None:
    began = _action_began.get()
    if began is not None:
        _action_seconds(until).observe(perf_counter() - began)


# HTTP requests


class RequestMetrics:
    """Middleware: measures how long requests take, by route."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request; the time until the whole response was sent counts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def with_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, with_status)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            seconds = perf_counter() - began
            REQUESTS.labels(method, _route(scope), str(status)).observe(seconds)


def _route(scope: Scope) -> str:
    """The template of the path; all unknown paths are one, or labels would grow without end."""
    path: str = scope["path"]
    if path in MONITORING_PATHS:
        return path
    if path.startswith("/static/"):
        return "/static"
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return "page" if "endpoint" in scope else "other"


# The page that Prometheus scrapes


def metrics_page(_request: Request) -> Response:
    """The response at ``/metrics``."""
    return Response(render_metrics(), media_type=CONTENT_TYPE_LATEST)


def render_metrics() -> bytes:
    """The metrics of all workers in Prometheus' text format."""
    folder = os.environ.get(MULTIPROCESS_FOLDER)
    if folder is None:
        return generate_latest(REGISTRY)
    _drop_dead_workers(Path(folder))
    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


def _drop_dead_workers(folder: Path) -> None:
    """Remove the gauges of workers that were killed: what they had open is closed."""
    for file in folder.glob("gauge_live*_*.db"):
        process = int(file.stem.rpartition("_")[2])
        if not is_alive(process):
            mark_process_dead(process, folder)  # type: ignore[no-untyped-call]
