"""Runs one worker on a port: uvicorn with keep-alive, graceful shutdown and gc tuning."""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from fastapi import FastAPI

from cantstop.rules import CantStopError
from cantstop.server.app import ServerOptions, create_app
from cantstop.server.database.connections import (
    UnusableDatabase,
    check_integrity,
    is_postgresql,
)
from cantstop.server.database.sql import open_database
from cantstop.server.http.transport import (
    ConnectionGate,
    HttpProtocol,
    SocketProtocol,
    raise_open_file_limit,
)
from cantstop.server.ops.logs import logging_config
from cantstop.wire.messages import MAX_MESSAGE_BYTES

DEFAULT_PORT = 8000
KEEP_ALIVE_SECONDS = 75
"""The keep-alive timeout of idle connections: longer than that of proxies, or a request that a
proxy sends just as this end closes the connection would fail."""

OPEN_FILES_TICKS = 300
"""Uvicorn's ticks of 0.1 s between two looks at how many files are open."""
YOUNG_TICKS, HOUR_TICKS = 5, 36_000
"""Ticks after which garbage is looked for among what is new, and among all there is."""

SWITCH_SECONDS = 0.001
"""How soon a thread gets the interpreter's lock from another one that computes: a long table that
is loaded in a thread would otherwise hold the event loop up for 5 ms each time."""

SHUTDOWN_SECONDS = 3
"""Graceful shutdown: the time that requests in progress get to finish."""


class UnusablePort(CantStopError):
    """An address that is not this machine's, or a port that cannot be opened."""


class PortTaken(UnusablePort):
    """A port that another program uses."""


def check_database(url: str) -> None:
    """Migrate the database to the current schema; raise an error if it cannot be used."""

    async def check() -> None:
        async with open_database(url, serve=True):
            pass

    check_integrity(url)
    asyncio.run(check())


def check_workers(url: str, count: int) -> None:
    """Refuse several workers on a database that supports only one."""
    if count > 1 and not is_postgresql(url):
        raise UnusableDatabase("Several workers need PostgreSQL: SQLite allows only one.")


def host_names(
    given: Sequence[str] | None, host: str, proxies: Sequence[str]
) -> tuple[str, ...] | None:
    """The names that a server answers to: those given, else any, or none where it is local.

    >>> host_names(None, "127.0.0.1", ())
    ()
    >>> host_names(None, "0.0.0.0", ()) is host_names(None, "127.0.0.1", ["127.0.0.1"]) is None
    True
    """
    if given:
        return tuple(given)
    return () if is_local(host, proxies) else None


def is_local(host: str, proxies: Sequence[str]) -> bool:
    """Whether only the machine itself reaches a server."""
    return not proxies and (host in ("localhost", "::1") or host.startswith("127."))


def listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens on the port; without one, on the default port or a free one."""
    if port is not None:
        return _bind(host, port)
    try:
        return _bind(host, DEFAULT_PORT)
    except PortTaken:
        return _bind(host, 0)


def _bind(host: str, port: int) -> socket.socket:
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server((str(address[0]), port), family=family)
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None) or 0
        if code == errno.EADDRINUSE:
            raise PortTaken("Another program is already using port {port}.", port=port) from None
        raise UnusablePort(
            "Cannot listen on {host}, port {port}: {reason}.",
            host=host,
            port=port,
            reason=os.strerror(code) if code > 0 else getattr(error, "strerror", error),
        ) from None
    # accepted connections inherit it; asyncio would set it only on a socket that names its
    # protocol. Without it, Nagle's algorithm delays a response written in two parts by 40 ms
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address_of(listening: socket.socket) -> str:
    """The address to open in a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - a wildcard is not an address to open
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, gate: ConnectionGate, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._gate = gate
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        _stop_collector()
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Uvicorn's own work every 0.1 s; now and then garbage, and a look at the open files."""
        _collect_garbage(counter)
        if counter % OPEN_FILES_TICKS == 0:
            self._gate.watch_open_files()
        return await super().on_tick(counter)


def _stop_collector() -> None:
    """Keep the garbage collector from running by itself, and for ever from what is there now.

    It would look through all tables whenever there are a quarter more of them, which takes half a
    second or more with 2,000: time in which nobody is answered. There is hardly anything to find,
    since neither events nor closed connections leave reference cycles behind.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def _collect_garbage(tick: int) -> None:
    """Look through what is new, a few milliseconds' worth at a time; through all once an hour."""
    if tick % HOUR_TICKS == HOUR_TICKS - 1:
        gc.collect()
    elif tick % YOUNG_TICKS == YOUNG_TICKS - 1:
        gc.collect(0)


def uvicorn_config(app: FastAPI, log_config: dict[str, Any] | None) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return uvicorn.Config(
        app,
        log_config=log_config,
        access_log=False,
        proxy_headers=False,  # the app handles them: TrustedProxies
        server_header=False,
        http=HttpProtocol,
        ws=SocketProtocol,
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_ping_interval=None,  # clients send a heartbeat of their own
        ws_per_message_deflate=False,  # messages are small, and it takes memory for every socket
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )


def run(options: ServerOptions, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until interrupted; ``ready`` is called once requests are accepted."""
    app = create_app(options)
    config = uvicorn_config(app, logging_config(options.log))
    raise_open_file_limit()
    sys.setswitchinterval(SWITCH_SECONDS)
    # after a graceful shutdown, uvicorn raises the signal again: exit with code 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with listening, suppress(KeyboardInterrupt):
        _Server(config, app.state.gate, ready).run(sockets=[listening])
