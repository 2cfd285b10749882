"""The web application: the runtime, its doors, and what guards them."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from cantstop import __version__
from cantstop.bots import PACE
from cantstop.server.http import routes as http
from cantstop.server.http import sockets
from cantstop.server.http.error_responses import answer_errors
from cantstop.server.http.health import Health, health
from cantstop.server.http.middleware import BodyLimit, RateLimit
from cantstop.server.http.proxies import Proxies
from cantstop.server.http.security_headers import SecurityHeaders
from cantstop.server.limits.limiter import Gate
from cantstop.server.limits.policy import Limits
from cantstop.server.ops import metrics
from cantstop.server.ops.logs import RequestLog
from cantstop.server.ops.request_metrics import Measured, metrics_page
from cantstop.server.protocol.openapi import describe
from cantstop.server.runtime.master import KEEP, now
from cantstop.server.runtime.presence import DEFAULT_CLOCKS, Clocks
from cantstop.server.runtime.runtime import open_runtime
from cantstop.server.static.pages import ADDRESSES, WEB, ClientFiles

USUAL = Limits()


def create_app(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    clocks: Clocks = DEFAULT_CLOCKS,
    clock: Callable[[], datetime] = now,
    limits: Limits = USUAL,
    proxies: Sequence[str] = (),
    show_metrics: bool = False,
    web: Path = WEB,
) -> FastAPI:
    """The application on a database such as ``sqlite:///games.db``.

    ``pace`` is the time between a bot's events in seconds, ``keep`` how long untouched tables are
    kept, ``clocks`` when connections, presence and absence end, ``limits`` how much
    each address may ask for, ``proxies`` who is believed about who is asking; with
    ``show_metrics`` there is a page for Prometheus.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_runtime(
            database, pace=pace, keep=keep, clocks=clocks, clock=clock
        ) as runtime:
            app.state.runtime = runtime
            app.state.health = Health(runtime.storage.ping)
            runtime.master.subscribe(metrics.told, own=True)
            yield

    # the usual pages of documentation would load scripts from elsewhere
    app = FastAPI(
        title="Can't Stop",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.gate = Gate(limits)
    files = ClientFiles(web)
    app.include_router(http.router)
    app.include_router(sockets.router)
    describe(app)
    app.mount("/static", files)

    async def page(request: Request) -> Response:
        return files.page(request)

    for address in ADDRESSES:
        app.add_route(address, page, include_in_schema=False)
    app.add_route("/healthz", health, include_in_schema=False)
    if show_metrics:
        app.add_route("/metrics", metrics_page, include_in_schema=False)
    answer_errors(app, files)
    # the one that is added last sees a request first
    app.add_middleware(BodyLimit)
    app.add_middleware(RateLimit, gate=app.state.gate)
    app.add_middleware(GZipMiddleware)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Measured)
    app.add_middleware(RequestLog)
    app.add_middleware(Proxies, trusted=proxies)
    return app
