"""The health check at ``/healthz``, for load balancers and monitors."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from time import monotonic

from starlette.requests import Request
from starlette.responses import Response

from cantstop import __version__
from cantstop.server.database.storage import Unavailable
from cantstop.server.http.error_responses import error_response
from cantstop.server.http.messages import answer
from cantstop.wire.health import Health

PING_TIMEOUT = 2.0
"""Seconds that the database has to answer."""
FRESH_SECONDS = 1.0
"""For how long an answer is good: a ping waits for the disk, and anybody may ask."""


LOW_DISK = 200_000_000
"""With fewer bytes left on the disk of the database, the server is degraded."""


class HealthCheck:
    """Pings the database: one ping at a time, however many requests wait for it."""

    def __init__(
        self,
        ping: Callable[[], Awaitable[None]],
        failing_bots: Callable[[], Mapping[str, str]] = dict,
        idle_pool: Callable[[], str | None] = lambda: None,
        free_bytes: Callable[[], int | None] = lambda: None,
        doubted_clock: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._ping = ping
        self.failing_bots = failing_bots
        self.idle_pool = idle_pool
        """Why the pool cannot work just now, if it cannot."""
        self.free_bytes = free_bytes
        self.doubted_clock = doubted_clock
        """Why the clock is not believed, if it is not."""
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

    A bot that hangs or crashes is named, but another decides in its place; a pool that cannot work
    yet, a disk that is almost full and a clock that cannot be right are named too: the server is
    degraded, and no load balancer has to take it out.
    """
    check: HealthCheck = request.app.state.health
    if not await check.is_healthy():
        return error_response(request, Unavailable())
    failing, pool, free = check.failing_bots(), check.idle_pool(), check.free_bytes()
    clock = check.doubted_clock()
    is_full = free is not None and free < LOW_DISK
    return answer(
        Health(
            "degraded" if failing or pool or clock or is_full else "ok",
            __version__,
            "ok",
            f"only {free // 1_000_000} MB are left" if free is not None and is_full else "ok",
            pool or "ok",
            clock or "ok",
            dict(failing) or "ok",
        )
    )
