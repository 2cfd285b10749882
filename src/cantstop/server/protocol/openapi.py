"""What ``/api/openapi.json`` says of each request besides its own parameters: answers, examples."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel

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

ABOUT = """\
Tables of Can't Stop: open one, take a seat, watch.

The game itself is played over a WebSocket, `/api/tables/{table_id}/socket`; docs/protocol.md
describes its messages, which hold the same states and events as the answers here. In Python,
`cantstop.client` does all of it.

Errors have one shape: `error.code` is for programs and never changes, `error.message` is for
people, in the language that `Accept-Language` or `?lang=` asks for.
"""

LANGUAGE: Json = {
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
"""Read by everything that may have to say something."""

# Why it may not be granted: status, code, what it means
_REFUSALS = {
    "malformed": (400, "The request cannot be read."),
    "name": (400, "The name cannot be used."),
    "wrong-secret": (403, "The secret holds no seat at this table."),
    "table-unknown": (404, "There is no such table."),
    "not-found": (404, "There is nothing at this address."),
    "table-full": (409, "Every seat of this table is taken."),
    "not-now": (409, "It is not possible as things are."),
    "table-expired": (410, "The table was left alone for too long and is gone."),
    "too-large": (413, "The request has more than 64 kB."),
    "illegal": (422, "There is no such game: settings that no rules have, or no such bot."),
    "too-many": (429, "Too many requests from this address; `Retry-After` says when to try again."),
    "internal": (500, "The server's own fault; its log says more."),
    "unavailable": (503, "The database does not answer just now; try again in a moment."),
}
_ALWAYS = ("too-many", "internal", "unavailable")
OF_A_TABLE = ("table-unknown", "table-expired")
OF_A_BODY = ("malformed", "name", "too-large")

_RETRY_AFTER = {
    "Retry-After": {
        "description": "Seconds to wait.",
        "schema": {"type": "integer", "minimum": 1},
    }
}


def answers(
    shape: type[BaseModel] | None,
    *codes: str,
    status: int = 200,
    about: str = "As asked for.",
    content: Json | None = None,
) -> dict[int | str, Json]:
    """The answers of a request: what it gives, and the codes with which it may be refused."""
    good: Json = {"description": about}
    if shape is not None:
        good["model"] = shape
    if content is not None:
        good["content"] = content
    found: dict[int | str, Json] = {status: good}
    for code in (*codes, *_ALWAYS):
        _add_refusal(found, code)
    found["default"] = {
        "model": ErrorAnswer,
        "description": "Whatever else is refused, in the same shape.",
    }
    return found


def _add_refusal(found: dict[int | str, Json], code: str) -> None:
    status, meaning = _REFUSALS[code]
    answer = found.setdefault(
        status,
        {
            "model": ErrorAnswer,
            "description": "",
            "content": {"application/json": {"examples": {}}},
            **({"headers": _RETRY_AFTER} if code == "too-many" else {}),
        },
    )
    answer["description"] = f"{answer['description']} `{code}`: {meaning}".strip()
    answer["content"]["application/json"]["examples"][code] = {
        "value": {"error": {"code": code, "message": meaning.replace("`", "")}}
    }


# A table to show: what the examples say is what the server would


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
_EXAMPLES = {
    "open_a_table": {
        "id": _TABLE.id,
        "secret": _SECRET,
        "seats": [0],
        "state": state_json(_TABLE, _NOBODY, frozenset({0})),
    },
    "state": state_json(_TABLE, frozenset({0}), _NOBODY),
    "take_a_seat": {"seat": 1, "secret": _SECRET},
    "events": {"events": events_after(_TABLE, 4)},
}


def describe(app: FastAPI) -> None:
    """Have the app's description say what it is, and show examples."""
    app.description = ABOUT
    plain = app.openapi

    def described() -> Json:
        if app.openapi_schema is None:
            _add_examples(plain())
        return plain()

    app.openapi = described  # type: ignore[method-assign]


def _add_examples(api: Json) -> None:
    # by hand: FastAPI would leave out whatever is null
    for path in api["paths"].values():
        for operation in path.values():
            example = _EXAMPLES.get(operation["operationId"])
            if example is not None:
                good = next(iter(operation["responses"].values()))
                good["content"]["application/json"]["example"] = example
