"""The web application: routes, sockets, static files and middleware around one runtime."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from cantstop import __version__
from cantstop.bots import PACE
from cantstop.server.calls.options import CallOptions
from cantstop.server.http import (
    calls,
    courtesy,
    daily,
    drills,
    hours,
    insight,
    lobby,
    players,
    profiles,
    routes,
    sockets,
    turns,
)
from cantstop.server.http.call_pages import FEED_PATHS, MAIL_PATH, feed_page, mail_page
from cantstop.server.http.error_responses import add_error_handlers
from cantstop.server.http.health import HealthCheck, healthz
from cantstop.server.http.middleware import (
    AllowedHosts,
    BodyLimit,
    RateLimit,
    SameSite,
    SecurityHeaders,
)
from cantstop.server.http.openapi import OPENAPI_PATH, add_openapi_types, openapi_page
from cantstop.server.http.preview import table_page
from cantstop.server.http.proxies import TrustedProxies
from cantstop.server.http.transport import ConnectionGate
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import Limits
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import LogFormat, RequestLog
from cantstop.server.runtime.master import KEEP
from cantstop.server.runtime.presence import Clocks
from cantstop.server.runtime.runtime import open_runtime
from cantstop.server.runtime.steady_clock import now
from cantstop.server.static.pages import WEB, ClientFiles


@dataclass(frozen=True)
class ServerOptions:
    """How a server runs: what every worker of it has to know."""

    database: str
    """A URL such as ``sqlite:///games.db``."""
    pace: float = PACE
    """Seconds between a bot's actions."""
    bots: tuple[str, ...] = ()
    """Bots that the operator adds, as ``bots.register_bot`` takes them."""
    processes: int = 1
    """Processes for heavy work, of each worker."""
    warm: bool = False
    """Whether they start at once and load the turn solver, rather than with their first work."""
    keep: timedelta = KEEP
    """How long untouched tables are kept."""
    clocks: Clocks = Clocks()  # noqa: RUF009 - frozen
    """Timeouts of heartbeat, presence and absence."""
    clock: Callable[[], datetime] = now
    limits: Limits = Limits()  # noqa: RUF009 - frozen
    """Rate limits and caps per address, socket and table."""
    proxies: tuple[str, ...] = ()
    """Trusted reverse proxies (X-Forwarded-For)."""
    host_names: tuple[str, ...] | None = None
    """The names that the server answers to, besides addresses and ``localhost``; None for any."""
    show_metrics: bool = False
    """Whether there is a page for Prometheus at ``/metrics``."""
    log: LogFormat = LogFormat.TEXT
    daily_secret: bytes | None = field(default=None, repr=False)
    """What the dice of every day follow from; None for the secret in the database."""
    imprint: str | None = None
    """The address of the operator's own page: who they are, and what the server keeps."""
    keep_names: timedelta | None = timedelta(days=365)
    """How long results of daily games keep their names; None for ever."""
    clock_is_right: bool = True
    """Whether to believe a clock that is far ahead of what the database has seen."""
    lobby: bool = False
    """Whether players find each other here."""
    calls: CallOptions = CallOptions()  # noqa: RUF009 - frozen
    """How players are notified that a table waits for them."""
    web: Path = WEB
    """The folder of the browser client."""


def create_app(options: ServerOptions) -> FastAPI:
    """The ASGI application of one worker."""
    files = ClientFiles(options.web, options.imprint, lobby=options.lobby)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_runtime(
            options.database,
            pace=options.pace,
            keep=options.keep,
            clocks=options.clocks,
            clock=options.clock,
            own_bots=options.bots,
            processes=options.processes,
            warm=options.warm,
            daily_secret=options.daily_secret,
            keep_names=options.keep_names,
            clock_is_right=options.clock_is_right,
            lobby=options.lobby,
            calls=options.calls,
        ) as runtime:
            app.state.runtime = runtime
            app.state.health = HealthCheck(
                runtime.storage.ping,
                runtime.bots.failing.reasons,
                lambda: runtime.pool.trouble,
                runtime.storage.free_bytes,
                lambda: runtime.believed.doubt,
            )
            runtime.master.subscribe(metrics.broadcast, own=True)
            if options.warm:
                files.prepare()
            yield

    # FastAPI's own pages of documentation would load scripts from elsewhere
    app = FastAPI(
        title="Can't Stop",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # it would be written and packed again for every request
    )
    app.state.limiter = RateLimiter(options.limits)
    app.state.gate = ConnectionGate(app.state.limiter, options.proxies)
    _add_routes(app, files, show_metrics=options.show_metrics)
    add_error_handlers(app, files)
    # the middleware added last is the outermost
    app.add_middleware(BodyLimit)
    app.add_middleware(SameSite)
    # level 9 takes almost three times as long and saves a twelfth
    app.add_middleware(GZipMiddleware, compresslevel=6)
    app.add_middleware(AllowedHosts, names=options.host_names)
    app.add_middleware(RateLimit, limiter=app.state.limiter)  # what is refused above counts, too
    app.add_middleware(SecurityHeaders)
    app.add_middleware(metrics.RequestMetrics)
    app.add_middleware(RequestLog)
    app.add_middleware(TrustedProxies, trusted=options.proxies)
    return app


def _add_routes(app: FastAPI, files: ClientFiles, *, show_metrics: bool) -> None:
    app.include_router(routes.router)
    app.include_router(insight.router)
    app.include_router(daily.router)
    app.include_router(drills.router)
    app.include_router(players.router)
    app.include_router(courtesy.router)
    app.include_router(courtesy.tables)
    app.include_router(profiles.router)
    app.include_router(lobby.router)
    app.include_router(turns.router)
    app.include_router(hours.router)
    app.include_router(calls.router)
    app.include_router(sockets.router)
    add_openapi_types(app)
    app.add_route(OPENAPI_PATH, openapi_page, include_in_schema=False)
    app.mount("/static", files)

    async def page(request: Request) -> Response:
        if "table_id" in request.path_params:
            return await table_page(request, files)
        return files.page(request)

    for address in files.addresses:
        app.add_route(address, page, include_in_schema=False)
    for address in FEED_PATHS:
        app.add_route(address, feed_page, include_in_schema=False)
    app.add_route(MAIL_PATH, mail_page, ["GET", "POST"], include_in_schema=False)
    app.add_route("/healthz", healthz, include_in_schema=False)
    if show_metrics:
        app.add_route("/metrics", metrics.metrics_page, include_in_schema=False)
