"""Measures how long requests take, by their route, and shows all figures."""

from time import perf_counter

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cantstop.server.http.middleware import UNCOUNTED
from cantstop.server.ops import metrics

_METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


class Measured:
    """Lets the app answer, and takes the time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The time until the whole answer was sent counts."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            seconds = perf_counter() - began
            metrics.REQUESTS.labels(method, _route(scope), str(status)).observe(seconds)


def metrics_page(_request: Request) -> Response:
    """The page that Prometheus reads."""
    return Response(metrics.all_figures(), media_type=CONTENT_TYPE_LATEST)


def _route(scope: Scope) -> str:
    """The template of an address; what is nowhere is all the same."""
    path: str = scope["path"]
    if path in UNCOUNTED:
        return path
    if path.startswith("/static/"):
        return "/static"
    template = getattr(scope.get("route"), "path", None)
    if isinstance(template, str):
        return template
    return "page" if "endpoint" in scope else "other"
