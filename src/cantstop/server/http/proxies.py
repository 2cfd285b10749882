"""Trusted reverse proxies (X-Forwarded-For), and the client's address behind them."""

import ipaddress
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import cast

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn._types import ASGI3Application
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from cantstop.rules import CantStopError

_PROXY_HEADERS = (b"x-forwarded-for", b"x-forwarded-proto", b"x-request-id")

_IPV6_NETWORK_BITS = 64
"""The part of an IPv6 address that identifies a household; it may choose the rest freely."""


class InvalidProxy(CantStopError):
    """A text that is neither an address nor a network."""


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
            raise InvalidProxy(
                "“{address}” is not the address of a proxy, nor a network such as {example}.",
                address=address,
                example="10.0.0.0/8",
            ) from None
    return found


class TrustedProxies:
    """Middleware: applies the headers of trusted reverse proxies, removes those of others."""

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app = ProxyHeadersMiddleware(cast("ASGI3Application", app), list(trusted))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request as the client's own, not the proxy's."""
        if scope["type"] != "lifespan" and not self._is_trusted(scope):
            kept = [header for header in scope["headers"] if header[0] not in _PROXY_HEADERS]
            scope = {**scope, "headers": kept}
        await self._app(scope, receive, send)  # type: ignore[arg-type]

    def _is_trusted(self, scope: Scope) -> bool:
        client = scope.get("client")
        return client is not None and client[0] in self._app.trusted_hosts


@lru_cache(1024)
def is_proxy(host: str, trusted: tuple[str, ...]) -> bool:
    """Whether a peer is a trusted reverse proxy; one without an address (a Unix socket) is."""
    if not host:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return any(address in ipaddress.ip_network(network) for network in trusted)


def client_address(connection: HTTPConnection) -> str:
    """The key that a client is rate-limited by.

    Connections without an address (a Unix socket) share one key.
    """
    return address_key(connection.client.host if connection.client else "")


@lru_cache(4096)
def address_key(host: str) -> str:
    """An IPv4 address, or the network of an IPv6 address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), _IPV6_NETWORK_BITS), strict=False))
