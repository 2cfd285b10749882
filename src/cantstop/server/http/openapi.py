"""OpenAPI at ``/api/openapi.json``: requests and responses, described from the wire's types."""

import gzip
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from cantstop.rules import Move, Moved, Rolled
from cantstop.table.events import Entry, Mode, Opened, Played, Reserved, Seated, Started, TableEvent
from cantstop.table.table import Table
from cantstop.wire.codec import encode
from cantstop.wire.errors import ErrorAnswer, ErrorCode
from cantstop.wire.schema import Schema, http_schemas
from cantstop.wire.table import OpenedTable, SeatAnswer, event_with_view, opened_json, state_json

OPENAPI_PATH = "/api/openapi.json"
JSON = "application/json"

_DESCRIPTION = """\
Tables of Can't Stop: open one, take a seat, watch.

The game itself is played over a WebSocket, `/api/tables/{table_id}/socket`; docs/protocol.md
describes its messages, which hold the same states and events as the answers here. In Python,
`cantstop.client` does all of it.

Errors have one form: `error.code` is for programs and never changes, `error.message` is for
people, in the language that `Accept-Language` or `?lang=` asks for.
"""

_LANGUAGE_PARAMETERS = (
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
)
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


def _reference(kind: type) -> Schema:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def described(*bodies: type, text: str | None = None, description: str = "") -> Schema:
    """What OpenAPI says of the body of a request; ``text`` is its media type if not JSON."""
    kinds = [_reference(body) for body in bodies]
    if text is not None:
        content: Schema = {text: {"schema": {"type": "string"}}}
    else:
        content = {JSON: {"schema": kinds[0] if len(kinds) == 1 else {"anyOf": kinds}}}
    return {"requestBody": {"description": description, "required": True, "content": content}}


def responses(
    kind: type | None,
    *errors: ErrorCode,
    status: int = 200,
    description: str = "As asked for.",
    content: Schema | None = None,
) -> dict[int | str, Schema]:
    """The responses of a request: on success, and the errors that are its own."""
    success: Schema = {"description": description}
    if kind is not None:
        success["content"] = {JSON: {"schema": _reference(kind)}}
    if content is not None:
        success["content"] = content
    found: dict[int | str, Schema] = {status: success}
    for code in (*errors, *_ALWAYS):
        _add_error(found, code)
    found["default"] = {
        "description": "Any other error, in the same form.",
        "content": {JSON: {"schema": _reference(ErrorAnswer)}},
    }
    return found


def _add_error(found: dict[int | str, Schema], code: ErrorCode) -> None:
    response = found.setdefault(
        code.status,
        {
            "description": "",
            "content": {JSON: {"schema": _reference(ErrorAnswer), "examples": {}}},
            **({"headers": _RETRY_AFTER} if code is ErrorCode.TOO_MANY else {}),
        },
    )
    response["description"] = f"{response['description']} `{code}`: {code.meaning}".strip()
    response["content"][JSON]["examples"][code.value] = {
        "value": {"error": {"code": code.value, "message": code.meaning.replace("`", "")}}
    }


# Examples: of tables by the code of real responses, of the engine's answers as they were given,
# rounded and cut short, because every worker would have to load the engine to make them again


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
        (0, Played(Rolled((4, 2, 6, 4)), roll=1)),
        (0, Played(Moved(Move(6, 10)))),
    ]
    start = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)
    return Table.from_log(
        "k7QmZr3pW9xA",
        (
            Entry(n, start + timedelta(seconds=n), seat, event)
            for n, (seat, event) in enumerate(events, 1)
        ),
    )


def _table_examples() -> Iterator[tuple[str, bytes]]:
    table, nobody = _example_table(), frozenset[int]()
    secret = "q3v0vYw0nV8mR2tUe5cJ1xkLZsHd9PbA"  # noqa: S105 - nobody's seat
    anne = frozenset({0})
    yield "open_a_table", opened_json(OpenedTable(table.id, secret, (0,)), table, anne)
    yield "state", state_json(table, anne, nobody)
    yield "take_a_seat", encode(SeatAnswer(1, secret))
    versions = (Table.from_log(table.id, table.log[:to]) for to in range(5, table.n + 1))
    events = b",".join(map(event_with_view, versions))
    yield "events", b'{"events":[%b],"next":null}' % events


@cache
def _examples() -> Any:  # noqa: ANN401 - JSON
    return msgspec.json.decode((files(__package__) / "examples.json").read_bytes())


def body_examples(operation: str) -> list[Schema]:
    """Examples of what a request sends."""
    found: list[Schema] = _examples()["requests"].get(operation, [])
    return found


def add_openapi_types(app: FastAPI) -> None:
    """Add a description, the wire's types and examples to the app's OpenAPI."""
    app.description = _DESCRIPTION
    generate = app.openapi

    def with_types() -> Schema:
        if app.openapi_schema is None:
            _complete(generate())
        return generate()

    app.openapi = with_types  # type: ignore[method-assign]


def _complete(api: Schema) -> None:
    api.setdefault("components", {})["schemas"] = http_schemas()
    examples = _examples() | {name: msgspec.json.decode(text) for name, text in _table_examples()}
    for path in api["paths"].values():
        for operation in path.values():
            operation.setdefault("parameters", []).extend(_LANGUAGE_PARAMETERS)
            name = operation["operationId"]
            if name in examples:
                success = next(iter(operation["responses"].values()))
                success["content"][JSON]["example"] = examples[name]
            if bodies := body_examples(name):
                operation["requestBody"]["content"][JSON]["examples"] = {
                    str(number): {"value": body} for number, body in enumerate(bodies, 1)
                }


async def openapi_page(request: Request) -> Response:
    """The API as OpenAPI describes it, written and packed once for everybody who asks for it."""
    state = request.app.state
    if not hasattr(state, "openapi_packed"):
        state.openapi_packed = gzip.compress(encode(request.app.openapi()), 6, mtime=0)
    packed: bytes = state.openapi_packed
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(packed), media_type=JSON)
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return Response(packed, headers=headers, media_type=JSON)
