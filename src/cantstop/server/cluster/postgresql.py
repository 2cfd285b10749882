"""Peers over PostgreSQL: notices by LISTEN and NOTIFY."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import psycopg

from cantstop.server.cluster.peers import (
    CHANNEL,
    Notice,
    OnNotice,
    OnReconnect,
    WorkerStopped,
    read_notice,
)
from cantstop.server.ops.logs import RepeatedLog

_RETRY_SECONDS = 0.5
_NOTIFY = "SELECT pg_notify(%s, notice) FROM unnest(%s::text[]) AS notice"
_BATCH_SIZE = 500

# TCP keepalive: a worker that lost its network notices after about this long, and resyncs
_KEEPALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"

_log = logging.getLogger(__name__)

_Use = Callable[[psycopg.AsyncConnection], Awaitable[None]]


class PostgresPeers:
    """Two connections: one only listens, the other sends notices."""

    is_shared = True

    def __init__(self, dsn: str, worker: str) -> None:
        self._dsn = dsn
        self._worker = worker
        self._on_notice: list[OnNotice] = []
        self._on_reconnect: list[OnReconnect] = []
        self._sender: psycopg.AsyncConnection | None = None
        self._outgoing: asyncio.Queue[str] = asyncio.Queue()
        self._can_receive = asyncio.Event()
        self._can_send = asyncio.Event()
        self._log = RepeatedLog(_log)

    def subscribe(self, on_notice: OnNotice, on_reconnect: OnReconnect) -> None:
        """Call these for every notice of another worker, and after every lost connection."""
        self._on_notice.append(on_notice)
        self._on_reconnect.append(on_reconnect)

    def send(self, notice: Notice) -> None:
        """Queue a notice to all other workers."""
        self._outgoing.put_nowait(str(notice))

    # Connections

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        """Send and receive notices; lost connections are opened again."""
        tasks = [
            asyncio.create_task(self._keep_connected(use)) for use in (self._receive, self._send)
        ]
        try:
            await self._can_receive.wait()
            await self._can_send.wait()
            yield
        finally:
            with suppress(psycopg.Error, TimeoutError):
                if self._sender is not None:
                    async with asyncio.timeout(1):
                        farewell = [str(WorkerStopped(self._worker))]
                        await self._sender.execute(_NOTIFY, [CHANNEL, farewell])
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_connected(self, use: _Use) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(
                    self._dsn,
                    autocommit=True,
                    connect_timeout=5,
                    options=_KEEPALIVE,
                    application_name=f"cantstop {self._worker}",
                ) as connection:
                    await use(connection)
            except (psycopg.Error, OSError) as error:
                self._log.log(
                    logging.WARNING,
                    "Lost the database connection, retrying: %s",
                    str(error).strip(),
                )
                await asyncio.sleep(_RETRY_SECONDS)

    async def _receive(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._can_receive.set()
        self._reconnected()
        async for notify in connection.notifies():
            notice = read_notice(notify.payload)
            if notice is not None and notice.worker != self._worker:
                for on_notice in self._on_notice:
                    on_notice(notice)

    async def _send(self, connection: psycopg.AsyncConnection) -> None:
        self._sender = connection
        self._can_send.set()
        self._reconnected()
        try:
            while True:
                batch = [await self._outgoing.get()]
                while len(batch) < _BATCH_SIZE and not self._outgoing.empty():
                    batch.append(self._outgoing.get_nowait())
                await connection.execute(_NOTIFY, [CHANNEL, batch])
        finally:
            self._sender = None

    def _reconnected(self) -> None:
        for on_reconnect in self._on_reconnect:
            on_reconnect()
