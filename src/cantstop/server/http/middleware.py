"""Middleware of every request: rate limit, body size limit, security headers."""

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cantstop.server.errors import LimitExceeded, Malformed
from cantstop.server.http.error_responses import error_response
from cantstop.server.http.proxies import client_address
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import head_cost, max_body_bytes
from cantstop.server.ops import metrics

PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the engine's module; no script of any text
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""The Content-Security-Policy of an SVG opened by itself: its styles are inline."""

_SECURITY_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class AllowedHosts:
    """Refuses requests for another name than the server's own.

    A page of another site can have its own name point to this machine (DNS rebinding) and would
    then be of the same origin. An address cannot be made to point elsewhere: those are allowed.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] | None) -> None:
        self._app = app
        self._names = None if names is None else {name.lower().rstrip(".") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it."""
        if scope["type"] == "lifespan" or self._names is None or self._is_allowed(scope):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            refused = Malformed(
                "This server does not answer to the name “{name}”; its operator may allow it "
                "(--host-name).",
                name=_host(scope)[:80],
            )
            await error_response(Request(scope), refused)(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        assert self._names is not None
        host = _host(scope)
        if host in self._names or host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            address = ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            return False
        # of an IPv4 address nothing follows; an IPv6 one may name the network card (“%eth0”)
        return isinstance(address, ipaddress.IPv6Address) == host.startswith("[")


class SameSite:
    """Refuses requests of other sites' pages that write something or cost much.

    Such a page cannot read the answer, but its visitors' browsers would do the asking. Browsers say
    where a request comes from: in Sec-Fetch-Site where the connection is safe, else in Origin.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it."""
        if scope["type"] == "http" and _is_costly(scope) and _is_foreign(scope):
            refused = Malformed(
                "This server does not take such requests from pages of other sites."
            )
            await error_response(Request(scope), refused)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _is_costly(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith("/api/") and (
        scope["method"] not in ("GET", "HEAD")
        or path == "/api/analysis"
        or path.endswith(("/review", "/hint"))
    )


def _is_foreign(scope: Scope) -> bool:
    """Whether a page of another site has sent a request; only browsers say so.

    >>> headers = [(b"host", b"play.example:8000"), (b"origin", b"http://evil.example")]
    >>> _is_foreign({"type": "http", "headers": headers})
    True
    """
    headers = Headers(scope=scope)
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("cross-site", "same-site")
    origin = headers.get("origin")
    if origin is None:
        return False
    try:
        return urlsplit(origin).hostname != urlsplit(f"//{headers.get('host', '')}").hostname
    except ValueError:
        return True


def _host(scope: Scope) -> str:
    """The name in the Host header, without its port."""
    host = Headers(scope=scope).get("host", "").strip().lower()
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).rstrip(".")


class RateLimit:
    """Answers 429 to addresses that exceed their rate limit.

    A socket is counted by whoever accepts it; here only one that is refused.
    """

    def __init__(self, app: ASGIApp, limiter: RateLimiter) -> None:
        self._app = app
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, or refuse it with Retry-After."""
        if scope["type"] == "websocket":
            await self._app(scope, receive, self._charging_refusal(scope, send))
            return
        if scope["type"] == "http":
            request = Request(scope)
            try:
                self._check(request)
            except LimitExceeded as refused:
                metrics.LIMITED.labels(refused.limit).inc()
                response = error_response(request, refused)
                if self._limiter.is_flooding(client_address(request)):
                    response.headers["Connection"] = "close"
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _charging_refusal(self, scope: Scope, send: Send) -> Send:
        accepted = False

        async def charging(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.accept":
                accepted = True
            elif not accepted and message["type"] == "websocket.close":
                self._limiter.charge_malformed(client_address(HTTPConnection(scope)))
            await send(message)

        return charging

    def _check(self, request: Request) -> None:
        address = client_address(request)
        if request.scope["path"] in metrics.MONITORING_PATHS:
            self._limiter.check_monitoring(address)
            return
        self._limiter.check_request(address)
        if cost := head_cost(_head_bytes(request.scope)):
            self._limiter.charge_request(address, cost)
        if request.method == "POST" and request.scope["path"] in ("/api/tables", "/api/daily"):
            self._limiter.check_opening(address)


def _head_bytes(scope: Scope) -> int:
    """About how long the head of a request is."""
    lines = sum(len(name) + len(value) for name, value in scope["headers"])
    return len(scope["path"]) + len(scope["query_string"]) + lines


class BodyLimit:
    """Answers 413 to requests whose body is too large."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, counting the bytes of its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        size, most = 0, max_body_bytes(scope["path"])

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise HTTPException(413)
            return message

        await self._app(scope, counted, send)


class SecurityHeaders:
    """Adds security headers to every response that does not set its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request, and add the headers to its response."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)
