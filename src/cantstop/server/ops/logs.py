"""What the server tells whoever runs it: one line for each thing, for people or for programs.

A line never holds a secret: no header, no body and no query is ever written.
"""

import json
import logging
import os
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import Enum
from secrets import token_hex
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
table_id: ContextVar[str | None] = ContextVar("table_id", default=None)

HEADER = "X-Request-ID"

_PROPER_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TABLE = re.compile(r"/(?:api/tables|t)/([0-9A-Za-z]{1,32})(?:/|$)")

_TEXT = "%(asctime)s %(levelname)s %(message)s%(about)s"

_requests = logging.getLogger("cantstop.requests")


def about_table(name: str) -> None:
    """What this task logs is about a table, and no more about the request that started it."""
    request_id.set(None)
    table_id.set(name)


class Form(Enum):
    """How lines are written."""

    TEXT = "text"
    JSON = "json"


def configuration(form: Form) -> dict[str, Any]:
    """The standard library's configuration: lines for people tell only what needs attention."""
    formatter = JsonLine if form is Form.JSON else TextLine
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter}},
        "filters": {"clients": {"()": ClientsFault}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "cantstop": {"level": "INFO" if form is Form.JSON else "WARNING"},
            # it would tell of requests once more, with their queries
            "uvicorn": {"level": "WARNING", "propagate": True},
            "uvicorn.error": {"filters": ["clients"]},
        },
    }


def _about() -> dict[str, str]:
    """What the line is about, as far as that is known."""
    known = {"request": request_id.get(), "table": table_id.get()}
    return {name: value for name, value in known.items() if value is not None}


class ClientsFault(logging.Filter):
    """Leaves out what anybody could fill the log with: uvicorn adds a traceback to broken UTF-8."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write the record."""
        return not record.getMessage().startswith("Invalid UTF-8")


class JsonLine(logging.Formatter):
    """A line is one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record; what is in its ``fields`` is in the object too."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "logger": record.name,
            "worker": os.getpid(),
            **_about(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


class TextLine(logging.Formatter):
    """A line is for people."""

    def __init__(self) -> None:
        super().__init__(_TEXT, "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record, and where there is one, the exception below it."""
        about = ", ".join(f"{name} {value}" for name, value in _about().items())
        record.about = f" ({about})" if about else ""
        return super().format(record)


class RequestLog:
    """Gives every request an id, which its answer repeats, and writes a line about it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app answer; whatever is logged meanwhile is about this request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name = _id_of(scope)
        request_id.set(name)
        table = _TABLE.match(scope["path"])
        table_id.set(table[1] if table else None)
        began, status = perf_counter(), 500

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] == "websocket.close" and status == 500:
                status = 403
            if message["type"] in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[HEADER] = name
            await send(message)

        try:
            await self._app(scope, receive, named)
        finally:
            _tell(scope, status, perf_counter() - began)


def _id_of(scope: Scope) -> str:
    """The id that a proxy has given it (nobody else's header comes so far), or a new one."""
    given = Headers(scope=scope).get(HEADER, "")
    return given if _PROPER_ID.fullmatch(given) else token_hex(8)


def _tell(scope: Scope, status: int, seconds: float) -> None:
    method = scope.get("method", "SOCKET")
    fields = {
        "method": method,
        "path": scope["path"],
        "status": status,
        "seconds": round(seconds, 4),
    }
    _requests.info("%s %s: %d", method, scope["path"], status, extra={"fields": fields})
