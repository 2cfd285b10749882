"""Bodies that are larger than any request needs are not read."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 64 * 1024


class BodyLimit:
    """Stops reading a request's body where it gets too large."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer, counting what it reads."""
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > LARGEST_BODY:
                raise HTTPException(413)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)
