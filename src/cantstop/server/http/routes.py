"""The HTTP API: ``/api/tables`` and what is below it, editions, languages."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.requests import HTTPConnection
from starlette.responses import Response, StreamingResponse

from cantstop.draw import board_svg
from cantstop.language import Translator, name_text
from cantstop.record import record_text
from cantstop.server.errors import NotFound, WrongSecret
from cantstop.server.http.messages import answer, body_of, opening
from cantstop.server.http.middleware import IMAGE_POLICY
from cantstop.server.http.openapi import BODY_ERRORS, TABLE_ERRORS, described, responses
from cantstop.server.http.proxies import client_address
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import read_cost
from cantstop.server.runtime.pages import FOLDED_EVENTS
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.static.languages import browser_messages, translator_for
from cantstop.server.tables.records import record_of
from cantstop.server.tables.seating import new_seat_secret
from cantstop.server.tables.tries import revealed_key
from cantstop.table.table import Table
from cantstop.wire.errors import ErrorCode
from cantstop.wire.offers import Messages, Offers, offers
from cantstop.wire.requests import OpenLesson, OpenTable, TakeSeat
from cantstop.wire.schema import EventsAnswer, OpenedAnswer, State
from cantstop.wire.table import OpenedTable, SeatAnswer, opened_json

MAX_PAGE = 1000
"""The most events that a request with a limit may ask for."""

LONG_RECORD = 500
"""The record of a table with more events is written in a thread, that others need not wait."""

BOARD_COST, PICTURE_COST = 30, 300
"""Drawing a board takes as long as building the views of this number of events; and as a PNG."""


def route_name(route: APIRoute) -> str:
    """The id of a request in OpenAPI."""
    return route.name


async def charge_loading(request: HTTPConnection) -> None:
    """Count a request about a table that is not in memory as several, by the table's events."""
    runtime, table_id = _runtime(request), request.path_params.get("table_id")
    if table_id is not None and runtime.master.cached(table_id) is None:
        async with runtime.loading.of(client_address(request)):
            loaded = (await runtime.master.stored(table_id)).table
        _charge(request)(loaded.n // FOLDED_EVENTS, 0)


router = APIRouter(
    prefix="/api",
    generate_unique_id_function=route_name,
    dependencies=[Depends(charge_loading)],
)
DEVICE = HTTPBearer(
    scheme_name="device",
    description="The token of a device that plays the daily game.",
    auto_error=False,
)
KEY = HTTPBearer(
    scheme_name="key",
    description="The key of a device that has a player: 22 to 128 of A-Za-z0-9_-, at least 128 "
    "random bits, which the device has made itself.",
    auto_error=False,
)
KEY_ERRORS = (ErrorCode.WRONG_KEY, ErrorCode.PROFILE_NEEDED)
SEAT = HTTPBearer(scheme_name="seat", description="The secret that holds a seat.", auto_error=False)


async def _bearer_token(
    authorization: Annotated[str | None, Header(include_in_schema=False)] = None,
) -> str | None:
    return None if authorization is None else authorization.removeprefix("Bearer ")


BearerToken = Annotated[str | None, Depends(_bearer_token)]
"""What a request proves itself with: the secret of a seat, or the token of a device."""


def _runtime(request: HTTPConnection) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


def _charge(request: HTTPConnection) -> Callable[[int, int], None]:
    """Counts a request that has events read as several: those to be built, and all of them."""
    limiter: RateLimiter = request.app.state.limiter
    address = client_address(request)
    return lambda built, sent: limiter.charge_request(address, read_cost(built, sent))


InRuntime = Annotated[Runtime, Depends(_runtime)]
Words = Annotated[Translator, Depends(translator_for)]
Charge = Annotated[Callable[[int, int], None], Depends(_charge)]
Share = Annotated[str, Depends(client_address)]
"""Whoever asks: work that takes a while is done for one of them after the other."""
Opening = Annotated[OpenTable | OpenLesson, Depends(opening)]
SeatTaking = Annotated[TakeSeat, Depends(body_of(TakeSeat))]
TableId = Annotated[
    str,
    Path(
        description="The id of a table, as it is in its link.",
        examples=["k7QmZr3pW9xA"],
    ),
]
After = Annotated[int, Query(ge=0, lt=10**9, description="The number of the last event known.")]
Limit = Annotated[
    int | None,
    Query(ge=1, le=MAX_PAGE, description="How many events to read at most; left out, all of them."),
]
At = Annotated[
    int | None, Query(ge=0, lt=10**9, description="The number of an event; else the last.")
]


@router.post(
    "/tables",
    summary="Open a table",
    status_code=201,
    responses=responses(
        OpenedAnswer,
        *BODY_ERRORS,
        *KEY_ERRORS,
        ErrorCode.NOT_FOUND,
        ErrorCode.ILLEGAL,
        status=201,
        description="The new table, and the secret that holds the opener's seats.",
    ),
    dependencies=[Depends(KEY)],
    openapi_extra=described(OpenTable, OpenLesson),
)
async def open_a_table(
    asked: Opening, runtime: InRuntime, key: BearerToken, address: Share
) -> Response:
    """Open a table by any rules, or a tutorial table: a body with `lesson` asks for that.

    A human seat with a `salt` is taken at once; without one it is reserved until its player says
    hello over the socket. With a player's key, the one human seat is theirs.
    """
    if isinstance(asked, OpenTable) and asked.listed:
        runtime.lobby.check_open()
    table, opened = await runtime.club.open(asked, key, address)
    held = frozenset(opened.new_table.holders)
    answered = OpenedTable(table.id, opened.secret, tuple(sorted(held)))
    return Response(opened_json(answered, table, held), 201, media_type="application/json")


@router.get(
    "/tables/{table_id}",
    summary="Read the state of a table",
    responses=responses(
        State,
        ErrorCode.WRONG_SECRET,
        *TABLE_ERRORS,
        description="The complete state of the table.",
    ),
    dependencies=[Depends(SEAT)],
)
async def state(
    table_id: TableId,
    runtime: InRuntime,
    charge: Charge,
    secret: BearerToken,
) -> Response:
    """Everything that is known of a table, and the log of all its events.

    Nobody needs a secret for this; with one, `you` lists the seats that it holds. The key of any
    device of a player holds the player's seat.
    """
    stored = await runtime.master.stored(table_id)
    held = frozenset[int]()
    if secret is not None:
        held = await runtime.master.seats_held(stored, secret)
        if not held:
            raise WrongSecret("This link does not hold a seat at this table.")
    charge(0, stored.table.n)
    present = runtime.presence.at_table(table_id).present
    content = await runtime.pages.state(stored.table, present, held)
    return Response(content, media_type="application/json")


@router.post(
    "/tables/{table_id}/seats",
    summary="Take a free seat",
    status_code=201,
    responses=responses(
        SeatAnswer,
        *BODY_ERRORS,
        *KEY_ERRORS,
        *TABLE_ERRORS,
        ErrorCode.TABLE_FULL,
        status=201,
        description="The seat, and the secret that holds it.",
    ),
    dependencies=[Depends(KEY)],
    openapi_extra=described(TakeSeat),
)
async def take_a_seat(
    table_id: TableId,
    asked: SeatTaking,
    runtime: InRuntime,
    key: BearerToken,
    address: Share,
) -> Response:
    """Sit down at the first free seat. When the last one is taken, the game begins.

    A request with a `secret` can be sent again: it never takes a second seat. With a player's key
    the seat is theirs, under their name; at a rated table there has to be one.
    """
    secret = asked.secret or new_seat_secret()
    seat = await runtime.club.take_seat(table_id, asked, secret, key, address)
    return answer(SeatAnswer(seat, secret), 201)


@router.get(
    "/tables/{table_id}/events",
    summary="Read what happened",
    responses=responses(
        EventsAnswer,
        ErrorCode.MALFORMED,
        *TABLE_ERRORS,
        description="The events after that number, oldest first.",
    ),
)
async def events(
    table_id: TableId,
    runtime: InRuntime,
    charge: Charge,
    share: Share,
    after: After = 0,
    limit: Limit = None,
) -> Response:
    """The events after a number, each with the view of the table right after it: for replays.

    With a `limit`, `next` is the number to go on after, or `null` at the end.
    """
    table = (await runtime.master.stored(table_id)).table
    until = table.n if limit is None else min(table.n, after + limit)
    charge(runtime.pages.missing(table, after, until), until - min(after, until))

    async def content() -> AsyncIterator[bytes]:
        separator = b'{"events":['
        async for page in runtime.pages.events(table, after, until, share):
            yield separator + b",".join(page)
            separator = b","
        following = b"null" if until >= table.n else b"%d" % until
        yield (separator if separator != b"," else b"") + b'],"next":%b}' % following

    return StreamingResponse(content(), media_type="application/json")


@router.get(
    "/tables/{table_id}/record",
    summary="Download the record of the game",
    response_class=Response,
    responses=responses(
        None,
        *TABLE_ERRORS,
        ErrorCode.NOT_NOW,
        description="The record file, as docs/notation.md describes it.",
        content={"text/plain": {"schema": {"type": "string"}}},
    ),
)
async def record(table_id: TableId, runtime: InRuntime, charge: Charge, share: Share) -> Response:
    """The game as text, for `cantstop verify` and `cantstop.read_record`; once it has begun."""
    stored = await runtime.master.stored(table_id)
    table, key = stored.table, revealed_key(stored, runtime.believed())
    charge(table.n // 8, table.n)
    name = f"cantstop-{table.id}.cantstop"
    if table.n > LONG_RECORD:
        text = await runtime.thread.run(share, lambda: record_text(record_of(table, key)))
    else:
        text = record_text(record_of(table, key))
    return Response(
        text,
        media_type="text/plain",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get(
    "/tables/{table_id}/board.svg",
    summary="Draw the board",
    response_class=Response,
    responses=responses(
        None,
        ErrorCode.MALFORMED,
        *TABLE_ERRORS,
        ErrorCode.NOT_FOUND,
        description="A picture.",
        content={"image/svg+xml": {"schema": {"type": "string"}}},
    ),
)
async def board(
    table_id: TableId,
    runtime: InRuntime,
    charge: Charge,
    share: Share,
    words: Words,
    n: At = None,
) -> Response:
    """The board after an event, or as it is now."""
    table = (await runtime.master.stored(table_id)).table
    charge(BOARD_COST, 0)
    shown = await _table_at(runtime, table, n, charge, share)
    names = [name_text(words, seat.name or "–") for seat in table.seats]
    return Response(
        board_svg(shown.position, names=names),
        media_type="image/svg+xml",
        headers={"Content-Security-Policy": IMAGE_POLICY},
    )


@router.get(
    "/tables/{table_id}/board.png",
    summary="Draw the board for the preview of a link",
    response_class=Response,
    responses=responses(
        None,
        ErrorCode.MALFORMED,
        *TABLE_ERRORS,
        ErrorCode.NOT_FOUND,
        description="A picture of 1200 × 630.",
        content={"image/png": {"schema": {"type": "string", "format": "binary"}}},
    ),
)
async def preview_picture(
    table_id: TableId, runtime: InRuntime, charge: Charge, share: Share, n: At = None
) -> Response:
    """The board after an event, or as it is now, as a PNG without any names."""
    table = (await runtime.master.stored(table_id)).table
    position = (await _table_at(runtime, table, n, charge, share)).position
    colours = [at if seat.colour is None else seat.colour for at, seat in enumerate(table.seats)]
    if not runtime.pictures.is_known(position, colours):
        charge(PICTURE_COST, 0)
    return Response(
        await runtime.pictures.png(position, colours, share),
        media_type="image/png",
        # pages of other sites show it, beside the link that was posted there
        headers={"Cross-Origin-Resource-Policy": "cross-origin"},
    )


async def _table_at(
    runtime: Runtime, table: Table, n: int | None, charge: Callable[[int, int], None], share: str
) -> Table:
    """The table after an event, or as it is now."""
    if n is None:
        return table
    if not 1 <= n <= table.n:
        raise NotFound("This table has no event {n}.", n=n)
    charge(runtime.pages.missing_before(table, n), 0)
    return await runtime.pages.table_at(table, n, share)


@router.get(
    "/editions",
    summary="List editions, bots, reactions, lessons and languages",
    responses=responses(Offers, description="What a new-game form offers."),
)
async def editions(words: Words) -> Response:
    """Everything that can be chosen when a table is opened, and the words for reactions."""
    return answer(offers(words))


@router.get(
    "/languages/{code}",
    summary="Read the messages of the interface in a language",
    responses=responses(Messages, ErrorCode.NOT_FOUND, description="English to that language."),
)
async def language(
    code: Annotated[str, Path(description="One of the languages offered.", examples=["de"])],
) -> Response:
    """What the browser shows, from English to the language of that code."""
    return answer(Messages(browser_messages(code)))
