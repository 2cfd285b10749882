"""The one door for requests to addresses that players name: never into the operator's network.

An address is resolved once, every address found is looked at, and the connection is made to one of
those very addresses: a name that resolves otherwise a moment later changes nothing. Redirects are
not followed, and what is read is bounded in time and size.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import urlsplit

import h11

from cantstop.threads import BoundedThreads

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LONGEST_URL = 1000
SECONDS = 10.0
"""For everything: the name, the connection, the request and the head of the answer."""
THREADS = 16
"""Names that are looked up at the same time."""
MAX_ANSWER_BYTES = 16 * 1024
_LOWEST_PORT = 1024
"""Besides 443: what listens on other low ports speaks no HTTPS, and is not there to be probed."""

_NAT64 = ip_network("64:ff9b::/96")


class Forbidden(ValueError):
    """An address that this server does not connect to."""


class NoAnswer(OSError):
    """An address that did not answer, or with something that is not HTTP."""


@dataclass(frozen=True)
class Place:
    """An address, taken apart."""

    host: str
    port: int
    path: str
    is_safe: bool
    """Whether the connection is encrypted."""

    @property
    def authority(self) -> str:
        """The host as requests name it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_safe else 80) else f"{host}:{self.port}"


@dataclass(frozen=True)
class Answer:
    """The head of an answer; nobody needs the rest."""

    status: int
    headers: Mapping[str, str]


def is_public(address: Address) -> bool:
    """Whether an address is one of the internet, in whatever form it is written.

    >>> is_public(ip_address("1.1.1.1")), is_public(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv6Address):
        if address in _NAT64:
            return is_public(IPv4Address(address.packed[-4:]))
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _number(host: str) -> Address | None:
    """The address that a host is written as, if it is no name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def read_networks(texts: Sequence[str]) -> tuple[Network, ...]:
    """Networks as an operator writes them; ValueError where one is none."""
    return tuple(ip_network(text) for text in texts)


class Guard:
    """Sends requests to addresses that are allowed.

    ``allowed`` are networks of the operator's own, such as that of an ntfy server of theirs: what
    is there may also be asked without encryption.
    """

    def __init__(
        self, allowed: Sequence[Network] = (), seconds: float = SECONDS, threads: int = THREADS
    ) -> None:
        self._allowed = tuple(allowed)
        self._seconds = seconds
        self._tls = ssl.create_default_context()
        self._names = BoundedThreads(threads)

    def read(self, url: str) -> Place:
        """Take an address apart; Forbidden where this server would never connect to it."""
        if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
            raise Forbidden("too long, or not an address")
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise Forbidden("not an address") from error
        is_safe = parts.scheme == "https"
        if not is_safe and not (parts.scheme == "http" and self._allowed):
            raise Forbidden("not an https address")
        if not parts.hostname or parts.username is not None or parts.password is not None:
            raise Forbidden("no host, or a password in it")
        port = port or (443 if is_safe else 80)
        if port < _LOWEST_PORT and port not in (443, 80 if self._allowed else 443):
            raise Forbidden("a port of another service")
        number = _number(parts.hostname)
        if number is not None:
            self.check(number)
        path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        return Place(parts.hostname, port, path, is_safe)

    def check(self, address: Address) -> None:
        """Raise Forbidden for an address inside."""
        if not is_public(address) and not self._is_allowed(address):
            raise Forbidden("an address inside")

    def _is_allowed(self, address: Address) -> bool:
        return any(
            address in network for network in self._allowed if network.version == address.version
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Send a POST; returns the head of what is answered.

        Raises:
            Forbidden: If the address is, or resolves to, one inside.
            NoAnswer: If nobody answers in time, or not in HTTP.
        """
        place = self.read(url)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._post(place, headers, body)
        except TimeoutError as error:
            raise NoAnswer("no answer in time") from error
        except (OSError, h11.ProtocolError, UnicodeError) as error:
            raise NoAnswer(type(error).__name__) from error

    async def resolve(self, place: Place) -> list[str]:
        """The addresses of a host, each of which was looked at."""
        # not in the event loop's own threads: whoever has a name may have it resolve slowly
        found = await self._names.run(
            lambda: socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
        )
        addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
        for address in addresses:
            one = ip_address(address.partition("%")[0])
            self.check(one)
            if not place.is_safe and not self._is_allowed(one):
                raise Forbidden("not an https address")
        return addresses

    async def _post(self, place: Place, headers: Mapping[str, str], body: bytes) -> Answer:
        addresses = await self.resolve(place)
        if not addresses:
            raise OSError("no address")
        reader, writer = await self._connect(place, addresses)
        try:
            return await _exchange(reader, writer, place, headers, body)
        finally:
            writer.transport.abort()

    async def _connect(
        self, place: Place, addresses: Sequence[str]
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        tls = self._tls if place.is_safe else None
        name = place.host if place.is_safe else None
        for address in addresses[:-1]:
            with suppress(OSError):
                return await asyncio.open_connection(
                    address, place.port, ssl=tls, server_hostname=name
                )
        return await asyncio.open_connection(
            addresses[-1], place.port, ssl=tls, server_hostname=name
        )


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    place: Place,
    headers: Mapping[str, str],
    body: bytes,
) -> Answer:
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_ANSWER_BYTES)
    head = {
        "Host": place.authority,
        "User-Agent": "cantstop",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    request = h11.Request(method="POST", target=place.path, headers=list(head.items()))
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(http.send(part) or b"")
    await writer.drain()
    read = 0
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            found = {name.decode().lower(): value.decode() for name, value in event.headers}
            return Answer(event.status_code, found)
        if isinstance(event, h11.ConnectionClosed):
            raise OSError("closed without an answer")
        if event is h11.NEED_DATA:
            data = await reader.read(4096)
            read += len(data)
            if read > MAX_ANSWER_BYTES:
                raise OSError("too long an answer")
            http.receive_data(data)
