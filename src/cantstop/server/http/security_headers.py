"""What a browser is told to forbid, and which pages may connect."""

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""For a picture opened by itself: it has its colours inside, and needs nothing else."""

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

_USUAL_PORTS = {"http": ":80", "https": ":443"}
"""A browser leaves them out; a proxy may not."""


class SecurityHeaders:
    """Adds the headers to every answer that does not bring its own."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, and add to its answer."""

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, secured if scope["type"] == "http" else send)


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether a socket is asked for by our own pages, or by a program that is no browser."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme, _, host = origin.lower().partition("://")
    if scheme == "http" and connection.scope["scheme"] == "wss":
        return False  # anybody on the way may have written that page
    usual = _USUAL_PORTS.get(scheme, "")
    ours = connection.headers.get("host", "").lower()
    return host.removesuffix(usual) == ours.removesuffix(usual) != ""
