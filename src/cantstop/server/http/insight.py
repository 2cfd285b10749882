"""Analyses, hints and reviews over HTTP: heavy work, which ends when nobody waits for it."""

import asyncio
import gzip
import io
from collections.abc import AsyncIterator, Coroutine
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from cantstop.rules import Position
from cantstop.server.errors import Malformed
from cantstop.server.http.openapi import TABLE_ERRORS, described, responses
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import (
    SEAT,
    BearerToken,
    InRuntime,
    TableId,
    Words,
    charge_loading,
    route_name,
)
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import unpacked_cost
from cantstop.server.runtime.insight import Requester
from cantstop.server.work.insight import Packed
from cantstop.wire.codec import encode
from cantstop.wire.errors import ErrorCode
from cantstop.wire.insight import AnalysisAnswer, HintAnswer, HintPosition
from cantstop.wire.review import ReviewAnswer

MAX_POSITION = 2000
"""Characters of a position: on the largest board it has 1,400."""

PIECE_BYTES = 32 * 1024
"""Of an answer to a client that takes none compressed."""

CLIENT_CLOSED_REQUEST = 499
"""The status, for the log only, of an answer that nobody waits for any more."""

Result = TypeVar("Result")

router = APIRouter(
    prefix="/api",
    generate_unique_id_function=route_name,
    dependencies=[Depends(charge_loading)],
)


def _requester(request: Request) -> Requester:
    limiter: RateLimiter = request.app.state.limiter
    address = client_address(request)
    return Requester(address, partial(limiter.charge_request, address))


CurrentRequester = Annotated[Requester, Depends(_requester)]


async def _while_connected(request: Request, work: Coroutine[None, None, Result]) -> Result | None:
    """What the work comes to, or None: it is cancelled if its client goes away."""
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        for task in (working, leaving):
            task.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _packed_answer(
    request: Request, requester: Requester, work: Coroutine[None, None, Packed]
) -> Response:
    packed = await _while_connected(request, work)
    if packed is None:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    return packed_response(request, requester, packed)


def packed_response(request: Request, requester: Requester, packed: Packed) -> Response:
    """An answer in JSON that is packed already, as it is or unpacked."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        return Response(packed, headers=headers, media_type="application/json")
    requester.charge(unpacked_cost(int.from_bytes(packed[-4:], "little")))  # its size, by gzip
    return StreamingResponse(_unpacked(packed), media_type="application/json")


async def _unpacked(packed: Packed) -> AsyncIterator[bytes]:
    """An answer piece by piece, each when the one before is on its way.

    A review may have 5 MB, and whoever asked for it need not read it.
    """
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
        while piece := file.read(PIECE_BYTES):
            yield piece


@router.get(
    "/analysis",
    summary="Look at a position",
    responses=responses(
        AnalysisAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.ILLEGAL,
        description="Everything that can be done in the position, and every roll.",
    ),
)
async def analysis(
    request: Request,
    runtime: InRuntime,
    requester: CurrentRequester,
    position: Annotated[
        str,
        Query(
            max_length=MAX_POSITION,
            description="The position as text: docs/notation.md.",
            examples=["v1,players=2 7:4/6:9,8:3 1 - -"],
        ),
    ],
) -> Response:
    """Any position, of a game or not: what each option is worth, and what every roll brings."""
    work = runtime.insight.analysis(Position.parse(position), requester)
    return await _packed_answer(request, requester, work)


@router.get(
    "/tables/{table_id}/hint",
    summary="Ask for a hint",
    responses=responses(
        HintAnswer,
        ErrorCode.WRONG_SECRET,
        *TABLE_ERRORS,
        ErrorCode.NOT_NOW,
        ErrorCode.NOT_YOUR_TURN,
        ErrorCode.STALE,
        description="What the seat that is to decide can do, and what each option is worth.",
    ),
    dependencies=[Depends(SEAT)],
)
async def hint(
    table_id: TableId,
    request: Request,
    runtime: InRuntime,
    requester: CurrentRequester,
    secret: BearerToken,
) -> Response:
    """A hint for the seat that is to decide, at a table that has hints.

    The first one of a seat is an event, `hinted`: everybody knows, and the record says so.
    """
    work = runtime.insight.hint(table_id, secret or "", requester)
    found = await _while_connected(request, work)
    if found is None:
        return Response(status_code=CLIENT_CLOSED_REQUEST)
    return Response(found, media_type="application/json")


@router.post(
    "/tables/{table_id}/hint",
    summary="Work out a hint",
    responses=responses(
        HintPosition,
        ErrorCode.WRONG_SECRET,
        *TABLE_ERRORS,
        ErrorCode.NOT_NOW,
        ErrorCode.NOT_YOUR_TURN,
        ErrorCode.STALE,
        description="The position to look at.",
    ),
    dependencies=[Depends(SEAT)],
)
async def own_hint(table_id: TableId, runtime: InRuntime, secret: BearerToken) -> Response:
    """A client with the engine works out its hint itself; everybody knows of it all the same."""
    found = await runtime.insight.own_hint(table_id, secret or "")
    return Response(encode(found), media_type="application/json")


@router.get(
    "/tables/{table_id}/review",
    summary="Review a finished game",
    responses=responses(
        ReviewAnswer,
        *TABLE_ERRORS,
        ErrorCode.NOT_NOW,
        description="Every decision, every roll, and what they changed.",
    ),
)
async def review(
    table_id: TableId,
    request: Request,
    runtime: InRuntime,
    words: Words,
    requester: CurrentRequester,
) -> Response:
    """The game of a table looked at again, once it is over."""
    work = runtime.insight.table_review(table_id, words.language, requester)
    return await _packed_answer(request, requester, work)


@router.post(
    "/review",
    summary="Review a record",
    responses=responses(
        ReviewAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.ILLEGAL,
        ErrorCode.TOO_LARGE,
        description="Every decision, every roll, and what they changed.",
    ),
    openapi_extra=described(
        text="text/plain", description="A record file with one game: docs/notation.md."
    ),
)
async def review_record(
    request: Request, runtime: InRuntime, words: Words, requester: CurrentRequester
) -> Response:
    """The game of a record file looked at again, finished or not."""
    try:  # by the stream: the request would keep the body until its answer is read
        text = b"".join([piece async for piece in request.stream()]).decode()
    except UnicodeDecodeError:
        raise Malformed("The record is not text in UTF-8.") from None
    work = runtime.insight.record_review(text, words.language, requester)
    return await _packed_answer(request, requester, work)
