"""Neighbours over PostgreSQL: LISTEN and NOTIFY between them, advisory locks for what is claimed.

A lock belongs to a connection: when a worker dies its locks are free, without any clock.
"""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import psycopg

from cantstop.server.cluster.notices import CHANNEL, Gone, Notice, read_notice
from cantstop.server.cluster.peers import Hear, Missed

_AGAIN_SECONDS = 0.5
_NOTIFY = "SELECT pg_notify(%s, notice) FROM unnest(%s::text[]) AS notice"
_MOST_AT_ONCE = 500

# a machine that is cut off holds its locks no longer than this takes
_KEEPALIVE = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3"

_log = logging.getLogger(__name__)

_Use = Callable[[psycopg.AsyncConnection], Awaitable[None]]


class PostgresNeighbours:
    """Two connections: one listens all the time, one speaks and holds the locks."""

    are_there = True

    def __init__(self, dsn: str, worker: str) -> None:
        self._dsn = dsn
        self._worker = worker
        self._hear: list[Hear] = []
        self._missed: list[Missed] = []
        self._speaking: psycopg.AsyncConnection | None = None
        self._to_tell: asyncio.Queue[str] = asyncio.Queue()
        self._listening = asyncio.Event()
        self._may_speak = asyncio.Event()

    def listen(self, hear: Hear, missed: Missed) -> None:
        """Have notices of others handed on, and gaps in them."""
        self._hear.append(hear)
        self._missed.append(missed)

    def tell(self, notice: Notice) -> None:
        """Say something to all the others, without waiting for it."""
        self._to_tell.put_nowait(str(notice))

    async def claim(self, table_id: str) -> bool:
        """Take the turns of a table's bots; False if another worker has them."""
        return await self._lock("pg_try_advisory_lock", table_id)

    async def release(self, table_id: str) -> None:
        """Leave them to whoever wants them."""
        await self._lock("pg_advisory_unlock", table_id)

    async def _lock(self, function: str, table_id: str) -> bool:
        connection = self._speaking
        if connection is None:
            return False
        try:
            found = await connection.execute(f"SELECT {function}(%s)", [_number(table_id)])
            row = await found.fetchone()
        except psycopg.Error:
            return False  # the connection is gone, and what it held is free
        return row is not None and bool(row[0])

    # Connections

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """Listen and speak; connections that break are made anew."""
        tasks = [asyncio.create_task(self._keep(one)) for one in (self._listens, self._speaks)]
        try:
            await self._listening.wait()
            await self._may_speak.wait()
            yield
        finally:
            with suppress(psycopg.Error, TimeoutError):
                if self._speaking is not None:
                    async with asyncio.timeout(1):
                        await self._speaking.execute(_NOTIFY, [CHANNEL, [str(Gone(self._worker))]])
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, use: _Use) -> None:
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
                _log.warning("The database is gone for a moment: %s", str(error).strip())
                await asyncio.sleep(_AGAIN_SECONDS)

    async def _listens(self, connection: psycopg.AsyncConnection) -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._listening.set()
        self._tell_missed()
        async for notify in connection.notifies():
            notice = read_notice(notify.payload)
            if notice is not None and notice.worker != self._worker:
                for hear in self._hear:
                    hear(notice)

    async def _speaks(self, connection: psycopg.AsyncConnection) -> None:
        self._speaking = connection
        self._may_speak.set()
        self._tell_missed()
        try:
            while True:
                words = [await self._to_tell.get()]
                while len(words) < _MOST_AT_ONCE and not self._to_tell.empty():
                    words.append(self._to_tell.get_nowait())
                await connection.execute(_NOTIFY, [CHANNEL, words])
        finally:
            self._speaking = None

    def _tell_missed(self) -> None:
        for missed in self._missed:
            missed()


def _number(table_id: str) -> int:
    """A table's number among the advisory locks."""
    return int.from_bytes(hashlib.sha256(table_id.encode()).digest()[:8], signed=True)
