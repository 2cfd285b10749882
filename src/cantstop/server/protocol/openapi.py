"""OpenAPI: what ``/api/openapi.json`` says of each request: responses and examples."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

from cantstop.server.errors import ErrorCode
from cantstop.server.protocol.examples import (
    ANALYSIS,
    DAILY,
    DRILL,
    HINT,
    PROGRESS,
    REVIEW,
    VERDICT,
)
from cantstop.server.protocol.schemas import ErrorAnswer
from cantstop.server.protocol.views import events_after, state_json
from cantstop.server.tables.events import (
    Entry,
    Mode,
    Moved,
    Opened,
    Reserved,
    Rolled,
    Seated,
    Started,
    TableEvent,
)
from cantstop.server.tables.table import Table

Json = dict[str, Any]

_DESCRIPTION = """\
Tables of Can't Stop: open one, take a seat, watch.

The game itself is played over a WebSocket, `/api/tables/{table_id}/socket`; docs/protocol.md
describes its messages, which hold the same states and events as the answers here. In Python,
`cantstop.client` does all of it.

Errors have one form: `error.code` is for programs and never changes, `error.message` is for
people, in the language that `Accept-Language` or `?lang=` asks for.
"""

LANGUAGE_PARAMETERS: Json = {
    "parameters": [
        {
            "name": "lang",
            "in": "query",
            "description": "The language of sentences for people; it outdoes Accept-Language.",
            "schema": {"type": "string"},
            "example": "de",
        },
        {
            "name": "Accept-Language",
            "in": "header",
            "description": "The languages of sentences for people, as browsers send them.",
            "schema": {"type": "string"},
            "example": "de, en;q=0.5",
        },
    ]
}
"""Of every request: any may be answered with a sentence for a person."""

_ALWAYS = (ErrorCode.TOO_MANY, ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE)
TABLE_ERRORS = (ErrorCode.TABLE_UNKNOWN, ErrorCode.TABLE_EXPIRED)
BODY_ERRORS = (ErrorCode.MALFORMED, ErrorCode.NAME, ErrorCode.TOO_LARGE)

_RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds to wait.",
        "schema": {"type": "integer", "minimum": 1},
    }
}


def responses(
    schema: type[BaseModel] | None,
    *errors: ErrorCode,
    status: int = 200,
    description: str = "As asked for.",
    content: Json | None = None,
) -> dict[int | str, Json]:
    """The responses of a request: on success, and the errors that are its own."""
    success: Json = {"description": description}
    if schema is not None:
        success["model"] = schema
    if content is not None:
        success["content"] = content
    found: dict[int | str, Json] = {status: success}
    for code in (*errors, *_ALWAYS):
        _add_error(found, code)
    found["default"] = {
        "model": ErrorAnswer,
        "description": "Any other error, in the same form.",
    }
    return found


def _add_error(found: dict[int | str, Json], code: ErrorCode) -> None:
    response = found.setdefault(
        code.status,
        {
            "model": ErrorAnswer,
            "description": "",
            "content": {"application/json": {"examples": {}}},
            **({"headers": _RETRY_AFTER} if code is ErrorCode.TOO_MANY else {}),
        },
    )
    response["description"] = f"{response['description']} `{code}`: {code.meaning}".strip()
    response["content"]["application/json"]["examples"][code.value] = {
        "value": {"error": {"code": code.value, "message": code.meaning.replace("`", "")}}
    }


# The examples are made by the same code as real responses


def _example_table() -> Table:
    opened = Opened(
        Mode.ONLINE,
        "classic",
        "v1,players=2",
        help=True,
        youngest=0,
        lesson=None,
        commitment="c5c0ffee" * 8,
        reserved=(Reserved("Anne", 0), None),
    )
    events: list[tuple[int | None, TableEvent]] = [
        (None, opened),
        (0, Seated("Anne", 0, None, "4f3c9a")),
        (1, Seated("careful", 1, "careful", "b81e07")),
        (None, Started(("4f3c9a", "b81e07"))),
        (0, Rolled((4, 2, 6, 4), 1)),
        (0, Moved("6+10")),
    ]
    start = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)
    return Table.from_log(
        "k7QmZr3pW9xA",
        (
            Entry(n, start + timedelta(seconds=n), seat, event)
            for n, (seat, event) in enumerate(events, 1)
        ),
    )


_TABLE = _example_table()
_NOBODY = frozenset[int]()

_SECRET = "q3v0vYw0nV8mR2tUe5cJ1xkLZsHd9PbA"  # noqa: S105 - nobody's seat
_EXAMPLES: dict[str, Json] = {
    "open_a_table": {
        "id": _TABLE.id,
        "secret": _SECRET,
        "seats": [0],
        "state": state_json(_TABLE, _NOBODY, frozenset({0})),
    },
    "state": state_json(_TABLE, frozenset({0}), _NOBODY),
    "take_a_seat": {"seat": 1, "secret": _SECRET},
    "events": {"events": events_after(_TABLE, 4), "next": None},
    "analysis": ANALYSIS,
    "hint": HINT,
    "review": REVIEW,
    "daily": DAILY,
    "ask_for_a_drill": DRILL,
    "answer_a_drill": VERDICT,
    "check_progress": PROGRESS,
}


def add_openapi_examples(app: FastAPI) -> None:
    """Add a description and examples to the app's OpenAPI."""
    app.description = _DESCRIPTION
    generate = app.openapi

    def with_examples() -> Json:
        if app.openapi_schema is None:
            _add_examples(generate())
        return generate()

    app.openapi = with_examples  # type: ignore[method-assign]


def _add_examples(api: Json) -> None:
    # FastAPI would leave out whatever is null
    for path in api["paths"].values():
        for operation in path.values():
            example = _EXAMPLES.get(operation["operationId"])
            if example is not None:
                success = next(iter(operation["responses"].values()))
                success["content"]["application/json"]["example"] = example
