"""Logging: one line per message, as text for people or JSON for programs, and a request log.

A line never holds a secret: headers, bodies and queries are not logged.
"""

import json
import logging
import os
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import Enum
from math import inf
from secrets import token_hex
from time import monotonic, perf_counter
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
table_id: ContextVar[str | None] = ContextVar("table_id", default=None)

REQUEST_ID_HEADER = "X-Request-ID"

REPEAT_SECONDS = 30.0
"""How often a message is logged that comes again and again."""
MOST_REPEATED = 1000

_VALID_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TABLE_PATH = re.compile(r"/(?:api/tables|t)/([0-9A-Za-z]{1,32})(?:/|$)")

_TEXT_FORMAT = "%(asctime)s %(levelname)s %(message)s%(context)s"

_request_log = logging.getLogger("cantstop.requests")


def bind_table(name: str) -> None:
    """Have this task's log lines name a table instead of the request that started the task."""
    request_id.set(None)
    table_id.set(name)


class LogFormat(Enum):
    """How log lines are written."""

    TEXT = "text"
    JSON = "json"


def logging_config(log_format: LogFormat) -> dict[str, Any]:
    """The configuration for ``logging.config``; requests are logged in JSON only."""
    formatter = JsonFormatter if log_format is LogFormat.JSON else TextFormatter
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter}},
        "filters": {"clients": {"()": ClientErrorFilter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "cantstop": {"level": "INFO" if log_format is LogFormat.JSON else "WARNING"},
            # uvicorn would log requests again, with their queries
            "uvicorn": {"level": "WARNING", "propagate": True},
            "uvicorn.error": {"filters": ["clients"]},
        },
    }


def _context() -> dict[str, str]:
    """The request and table that a line is about, where known."""
    known = {"request": request_id.get(), "table": table_id.get()}
    return {name: value for name, value in known.items() if value is not None}


class ClientErrorFilter(logging.Filter):
    """Drops uvicorn's tracebacks of invalid UTF-8: any client could fill the log with them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        return not record.getMessage().startswith("Invalid UTF-8")


class RepeatedLog:
    """Logs what may happen a thousand times a second once an interval, with a count of the rest."""

    def __init__(self, logger: logging.Logger) -> None:
        self._logger = logger
        self._last: dict[str, tuple[float, int]] = {}
        """When each message was logged last, and how often it was left out since."""

    def log(
        self, level: int, message: str, *values: object, about: str = "", exc_info: bool = False
    ) -> None:
        """Log a message, unless one about the same was logged a moment ago."""
        now, key = monotonic(), f"{message} {about}"
        logged, left_out = self._last.get(key, (-inf, 0))
        if now - logged < REPEAT_SECONDS:
            self._last[key] = (logged, left_out + 1)
            return
        if len(self._last) >= MOST_REPEATED:
            self._last.clear()
        self._last[key] = (now, 0)
        more = f" ({left_out} more times in {now - logged:.0f} s)" if left_out else ""
        self._logger.log(level, message + more, *values, exc_info=exc_info)


class JsonFormatter(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record; the object includes the record's ``fields``."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            "logger": record.name,
            "worker": os.getpid(),
            **_context(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


class TextFormatter(logging.Formatter):
    """Lines for people."""

    def __init__(self) -> None:
        super().__init__(_TEXT_FORMAT, "%Y-%m-%d %H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """The line for a record, with its traceback below it."""
        context = ", ".join(f"{name} {value}" for name, value in _context().items())
        record.context = f" ({context})" if context else ""
        return super().format(record)


class RequestLog:
    """Middleware: gives every request an id, repeated in its response, and logs the request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle the request; everything logged meanwhile carries its id."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        name = _request_id(scope)
        request_id.set(name)
        table = _TABLE_PATH.match(scope["path"])
        table_id.set(table[1] if table else None)
        began, status = perf_counter(), 500

        async def with_request_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "websocket.close" and status == 500:
                status = 403
            if message["type"] in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                message.setdefault("headers", [])
                MutableHeaders(scope=message)[REQUEST_ID_HEADER] = name
            await send(message)

        try:
            await self._app(scope, receive, with_request_id)
        finally:
            _log_request(scope, status, perf_counter() - began)


def _request_id(scope: Scope) -> str:
    """The id set by a trusted proxy (other clients' headers are removed before), or a new one."""
    given = Headers(scope=scope).get(REQUEST_ID_HEADER, "")
    return given if _VALID_ID.fullmatch(given) else token_hex(8)


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    method = scope.get("method", "SOCKET")
    fields = {
        "method": method,
        "path": scope["path"],
        "status": status,
        "seconds": round(seconds, 4),
    }
    _request_log.info("%s %s: %d", method, scope["path"], status, extra={"fields": fields})
