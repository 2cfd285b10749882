"""The web application: the room, its doors, and what guards them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from cantstop import __version__
from cantstop.server import http, sockets
from cantstop.server.answers import answer_errors
from cantstop.server.driver import PACE
from cantstop.server.gate import Gate
from cantstop.server.guards import BodyLimit, RateLimit
from cantstop.server.limits import Limits
from cantstop.server.master import KEEP, now
from cantstop.server.pages import ADDRESSES, WEB, ClientFiles
from cantstop.server.reference import describe
from cantstop.server.room import PATIENCE, open_room
from cantstop.server.security import SecurityHeaders

USUAL = Limits()


def create_app(
    database: str,
    *,
    pace: float = PACE,
    keep: timedelta = KEEP,
    patience: float = PATIENCE,
    clock: Callable[[], datetime] = now,
    limits: Limits = USUAL,
    web: Path = WEB,
) -> FastAPI:
    """The application on a database such as ``sqlite:///games.db``.

    ``pace`` is the time between a bot's events in seconds, ``keep`` how long untouched tables are
    kept, ``patience`` after how many silent seconds a connection is given up, ``limits`` how much
    each address may ask for.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_room(
            database, pace=pace, keep=keep, patience=patience, clock=clock
        ) as app.state.room:
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
    answer_errors(app, files)
    app.add_middleware(BodyLimit)
    app.add_middleware(RateLimit, gate=app.state.gate)
    app.add_middleware(GZipMiddleware)
    app.add_middleware(SecurityHeaders)
    return app
