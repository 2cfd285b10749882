"""Proxies in front of the server: whom to believe about who is asking."""

import ipaddress
from collections.abc import Iterable, Sequence
from typing import cast

from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from cantstop.rules import CantStopError

_SAID_BY_PROXIES = (b"x-forwarded-for", b"x-forwarded-proto", b"x-request-id")


class UnusableProxy(CantStopError):
    """What is neither an address nor a network."""


def read_proxies(texts: Iterable[str]) -> tuple[str, ...]:
    """Addresses and networks, each text one of them or several with commas.

    >>> read_proxies(["127.0.0.1, ::1", "10.0.0.0/8"])
    ('127.0.0.1', '::1', '10.0.0.0/8')
    """
    found = tuple(part.strip() for text in texts for part in text.split(","))
    for address in found:
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise UnusableProxy(
                "“{address}” is not the address of a proxy, nor a network such as {example}.",
                address=address,
                example="10.0.0.0/8",
            ) from None
    return found


class Proxies:
    """Believes what these proxies say about a request, and nobody else."""

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app = ProxyHeadersMiddleware(cast("ASGI3Application", app), list(trusted))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer whoever is really asking."""
        if scope["type"] != "lifespan" and not self._is_trusted(scope):
            kept = [header for header in scope["headers"] if header[0] not in _SAID_BY_PROXIES]
            scope = {**scope, "headers": kept}
        await self._app(scope, receive, send)  # type: ignore[arg-type]

    def _is_trusted(self, scope: Scope) -> bool:
        client = scope.get("client")
        return client is not None and client[0] in self._app.trusted_hosts
