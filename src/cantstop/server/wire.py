"""The server's end of a socket's connection."""

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

GOODBYE_SECONDS = 5.0


class Wire(WebSocketsSansIOProtocol):
    """Ends with its visit: a client that reads nothing cannot keep a connection open for ever."""

    async def run_asgi(self) -> None:
        """Serve the socket; a moment for the last words, then it is cut."""
        await super().run_asgi()
        self.loop.call_later(GOODBYE_SECONDS, self.transport.abort)
