"""What can be asked of the server over HTTP."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Query
from pydantic import Discriminator, Tag
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from cantstop.draw import board_svg
from cantstop.language import Translator
from cantstop.record import record_text
from cantstop.server.errors import NotFound, WrongSecret
from cantstop.server.languages import browser_messages, words_for
from cantstop.server.offers import offers
from cantstop.server.opening import open_lesson, open_table
from cantstop.server.records import record_of
from cantstop.server.requests import OpenLesson, OpenTable, TakeSeat
from cantstop.server.room import Room
from cantstop.server.seats import new_seat_secret, seats_held
from cantstop.server.security import PICTURE_POLICY
from cantstop.server.views import state_json, steps_after, table_at

router = APIRouter(prefix="/api")


def _room(request: HTTPConnection) -> Room:
    room: Room = request.app.state.room
    return room


def _words(request: HTTPConnection) -> Translator:
    return words_for(request)


def _kind(body: Any) -> Literal["table", "lesson"]:  # noqa: ANN401
    return "lesson" if isinstance(body, dict) and "lesson" in body else "table"


InRoom = Annotated[Room, Depends(_room)]
Words = Annotated[Translator, Depends(_words)]
Opening = Annotated[
    Annotated[OpenTable, Tag("table")] | Annotated[OpenLesson, Tag("lesson")],
    Discriminator(_kind),
]
Number = Annotated[int, Query(ge=0, lt=10**9)]


@router.post("/tables")
async def open_a_table(request: Opening, room: InRoom) -> Response:
    """Open a table."""
    invite = open_lesson(request) if isinstance(request, OpenLesson) else open_table(request)
    table = await room.master.open(invite.opening)
    held = frozenset(invite.opening.holders)
    return JSONResponse(
        {
            "id": table.id,
            "secret": invite.secret,
            "seats": sorted(held),
            "state": state_json(table, frozenset(), held),
        },
        201,
    )


@router.get("/tables/{table_id}")
async def state(
    table_id: str, room: InRoom, authorization: Annotated[str | None, Header()] = None
) -> Response:
    """The state of a table."""
    stored = await room.master.stored(table_id)
    held = frozenset[int]()
    if authorization is not None:
        held = seats_held(authorization.removeprefix("Bearer "), stored.holders)
        if not held:
            raise WrongSecret("This link does not hold a seat at this table.")
    return JSONResponse(state_json(stored.table, room.presence.seats(table_id), held))


@router.post("/tables/{table_id}/seats")
async def take_a_seat(table_id: str, request: TakeSeat, room: InRoom) -> Response:
    """Take a free seat."""
    secret = new_seat_secret()
    seat = await room.master.take_seat(table_id, request, secret)
    return JSONResponse({"seat": seat, "secret": secret}, 201)


@router.get("/tables/{table_id}/events")
async def events(table_id: str, room: InRoom, after: Number = 0) -> Response:
    """The events after number n, each with its view."""
    table = (await room.master.stored(table_id)).table
    return JSONResponse({"events": steps_after(table, after)})


@router.get("/tables/{table_id}/record")
async def record(table_id: str, room: InRoom) -> Response:
    """The record file."""
    table = (await room.master.stored(table_id)).table
    name = f"cantstop-{table.id}.cantstop"
    return Response(
        record_text(record_of(table)),
        media_type="text/plain",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/tables/{table_id}/board.svg")
async def board(table_id: str, room: InRoom, n: Number | None = None) -> Response:
    """The board after event n, as a picture."""
    table = (await room.master.stored(table_id)).table
    if n is not None and not 1 <= n <= table.n:
        raise NotFound("This table has no event {n}.", n=n)
    shown = table if n is None else table_at(table, n)
    names = [seat.name or "–" for seat in table.seats]
    return Response(
        board_svg(shown.position, names=names),
        media_type="image/svg+xml",
        headers={"Content-Security-Policy": PICTURE_POLICY},
    )


@router.get("/editions")
async def editions(words: Words) -> Response:
    """What a new-game form offers."""
    return JSONResponse(offers(words))


@router.get("/languages/{code}")
async def language(code: str) -> Response:
    """The messages of the interface in a language."""
    return JSONResponse({"messages": browser_messages(code)})
