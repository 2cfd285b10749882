"""The health check at ``/healthz``, for load balancers and monitors."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from time import monotonic

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cantstop import __version__
from cantstop.server.database.storage import Unavailable
from cantstop.server.http.error_responses import error_response

PING_TIMEOUT = 2.0
"""Seconds that the database has to answer."""
FRESH_SECONDS = 1.0
"""For how long an answer is good: a ping waits for the disk, and anybody may ask."""


class HealthCheck:
    """Pings the database: one ping at a time, however many requests wait for it."""

    def __init__(
        self,
        ping: Callable[[], Awaitable[None]],
        failing_bots: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._ping = ping
        self.failing_bots = failing_bots
        self._pinging: asyncio.Task[None] | None = None
        self._healthy_until = -inf

    async def is_healthy(self) -> bool:
        """Whether the database could be written and read, in time."""
        if monotonic() < self._healthy_until:
            return True
        if self._pinging is None or self._pinging.done():
            self._pinging = asyncio.ensure_future(self._run_ping())
        # not cancelled on timeout: a thread that waits for a database cannot be
        done, _ = await asyncio.wait({self._pinging}, timeout=PING_TIMEOUT)
        return bool(done) and self._pinging.exception() is None

    async def _run_ping(self) -> None:
        await self._ping()
        self._healthy_until = monotonic() + FRESH_SECONDS


async def healthz(request: Request) -> Response:
    """200 if the database answers, else 503.

    A bot that hangs or crashes is named, but another decides in its place: the server is degraded,
    and no load balancer has to take it out.
    """
    check: HealthCheck = request.app.state.health
    if not await check.is_healthy():
        return error_response(request, Unavailable())
    failing = check.failing_bots()
    return JSONResponse(
        {
            "status": "degraded" if failing else "ok",
            "version": __version__,
            "database": "ok",
            "bots": dict(failing) or "ok",
        }
    )
