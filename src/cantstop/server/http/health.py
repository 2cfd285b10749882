"""Whether the server is well, for whoever watches over it."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cantstop import __version__
from cantstop.server.database.storage import Unavailable
from cantstop.server.http.error_responses import answer

PATIENCE = 2.0
"""Seconds that the database has to answer."""


class Health:
    """Asks the database whether it is there: once at a time, however many want to know."""

    def __init__(self, ping: Callable[[], Awaitable[None]]) -> None:
        self._ping = ping
        self._asking: asyncio.Task[None] | None = None

    async def is_well(self) -> bool:
        """Whether the database has answered in time."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.ensure_future(self._ask())
        # it is not cancelled: a thread that waits for a database cannot be
        done, _ = await asyncio.wait({self._asking}, timeout=PATIENCE)
        return bool(done) and self._asking.exception() is None

    async def _ask(self) -> None:
        await self._ping()


async def health(request: Request) -> Response:
    """The answer for load balancers and monitors."""
    well: Health = request.app.state.health
    if not await well.is_well():
        return answer(request, Unavailable())
    return JSONResponse({"status": "ok", "version": __version__, "database": "ok"})
