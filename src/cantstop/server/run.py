"""Runs the application on a port of this machine."""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import uvicorn

from cantstop.bots import PACE
from cantstop.rules import CantStopError
from cantstop.server.app import USUAL, create_app
from cantstop.server.database.connections import UnusableDatabase, is_postgresql
from cantstop.server.database.sql import open_database
from cantstop.server.http.socket_protocol import Wire, allow_many
from cantstop.server.limits.policy import Limits
from cantstop.server.ops.logs import Form, configuration
from cantstop.server.protocol.messages import LARGEST
from cantstop.server.runtime.presence import DEFAULT_CLOCKS, Clocks

USUAL_PORT = 8000
KEEP_ALIVE = 75
"""Seconds an idle connection is kept: longer than proxies keep theirs, or a request that a proxy
sends just when this end lets go would be answered with an error."""

LAST_WORDS = 3
"""Seconds that requests under way get when the server goes down."""


class UnusablePort(CantStopError):
    """An address that is not this machine's, or a port that cannot be had."""


class PortTaken(UnusablePort):
    """A port that another program has."""


def check_database(url: str) -> None:
    """Bring the database up to date; one that cannot be used is an error."""

    async def check() -> None:
        async with open_database(url):
            pass

    asyncio.run(check())


def check_workers(url: str, count: int) -> None:
    """Refuse several workers on a database that has only one."""
    if count > 1 and not is_postgresql(url):
        raise UnusableDatabase("Several workers need PostgreSQL: a file of SQLite has only one.")


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on the port; if none was asked for, on the usual or a free one."""
    if port is not None:
        return _bound(host, port)
    try:
        return _bound(host, USUAL_PORT)
    except PortTaken:
        return _bound(host, 0)


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server((str(address[0]), port), family=family)
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None) or 0
        if code == errno.EADDRINUSE:
            raise PortTaken("Another program has port {port} already.", port=port) from None
        raise UnusablePort(
            "Nothing can be served on {host}, port {port}: {reason}.",
            host=host,
            port=port,
            reason=os.strerror(code) if code > 0 else getattr(error, "strerror", error),
        ) from None
    # connections inherit it; asyncio would see to it only if the socket named its protocol, and
    # without it what comes in two pieces comes 40 ms late
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - the name for every address is not one to open
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


@dataclass(frozen=True)
class Service:
    """What is served, and how: everything that a worker has to know."""

    database: str
    pace: float = PACE
    bots: tuple[str, ...] = ()
    """Bots that whoever started the server brought along, as ``enrol`` takes them."""
    clocks: Clocks = DEFAULT_CLOCKS
    limits: Limits = USUAL
    proxies: tuple[str, ...] = ()
    show_metrics: bool = False
    log: Form = Form.TEXT


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _calm_the_collector()
        self._ready()


def _calm_the_collector() -> None:
    """Have the garbage collector look when there is something to find.

    With a thousand tables each look takes tens of milliseconds, however little it finds, because
    what is new includes everything that any table has replaced; a look at everything takes far
    longer. Neither what happens at a table nor a connection that
    ends leaves cycles behind, so there is nothing to find until there are many more objects than
    there were; and what is there at the start stays.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 1, 1)


def run(service: Service, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until somebody ends it; ``ready`` is called once requests are taken."""
    config = uvicorn.Config(
        create_app(
            service.database,
            pace=service.pace,
            clocks=service.clocks,
            limits=service.limits,
            proxies=service.proxies,
            show_metrics=service.show_metrics,
        ),
        log_config=configuration(service.log),
        access_log=False,
        proxy_headers=False,  # the app knows whom to believe
        server_header=False,
        ws=Wire,
        ws_max_size=LARGEST,
        ws_ping_interval=None,  # clients have a heartbeat of their own
        ws_per_message_deflate=False,  # messages are small, and it takes memory for every socket
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=LAST_WORDS,
    )
    allow_many()
    # once all is done, uvicorn raises again what ended it: that is no failure
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with listening, suppress(KeyboardInterrupt):
        _Server(config, ready).run(sockets=[listening])
