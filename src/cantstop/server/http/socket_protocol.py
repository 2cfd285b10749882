"""The server's end of a socket's connection."""

import sys
from contextlib import suppress

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

GOODBYE_SECONDS = 5.0


class Wire(WebSocketsSansIOProtocol):
    """Ends with its visit: a client that reads nothing cannot keep a connection open for ever."""

    async def run_asgi(self) -> None:
        """Serve the socket; a moment for the last words, then it is cut."""
        await super().run_asgi()
        self.loop.call_later(GOODBYE_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """The end: what would wait for more to parse, and keep all of this for it, is let go."""
        super().connection_lost(exc)
        self.conn.parser.close()


def allow_many() -> None:
    """Let this process have as many connections as the system lets it: usually it gets 1024."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):  # where “unlimited” is not a number to ask for
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
