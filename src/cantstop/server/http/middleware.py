"""What a request has to pass before the application sees it."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cantstop.server.errors import TooMany
from cantstop.server.http.error_responses import answer
from cantstop.server.limits.limiter import Gate, address_of
from cantstop.server.limits.policy import LARGEST_BODY
from cantstop.server.ops import metrics

UNCOUNTED = ("/healthz", "/metrics")
"""A monitor is never told that it asks too often."""


class RateLimit:
    """Refuses requests from addresses that ask for too much."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self._app = app
        self._gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, or say after how many seconds it will."""
        if scope["type"] == "http" and scope["path"] not in UNCOUNTED:
            request = Request(scope)
            try:
                self._check(request)
            except TooMany as refused:
                metrics.LIMITED.labels(refused.limit).inc()
                await answer(request, refused)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, request: Request) -> None:
        address = address_of(request)
        self._gate.check_request(address)
        if request.method == "POST" and request.scope["path"] == "/api/tables":
            self._gate.check_opening(address)


class BodyLimit:
    """Stops reading a request's body where it gets too large."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, counting what it reads."""
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LARGEST_BODY:
                raise HTTPException(413)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)
