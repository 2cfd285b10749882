"""The lobby over HTTP: who is here, and looking for others."""

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, described, responses
from cantstop.server.http.players import InClub
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import KEY, BearerToken, InRuntime, route_name
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import SEEK_COST
from cantstop.wire.club import ClubView, LobbyView, SeekPlayers, SeekView
from cantstop.wire.errors import ErrorCode

router = APIRouter(
    prefix="/api", generate_unique_id_function=route_name, dependencies=[Depends(KEY)]
)
Seeking = Annotated[SeekPlayers, Depends(body_of(SeekPlayers))]


def _charge_seek(connection: HTTPConnection) -> None:
    """Looking for others writes, and looks at all who do."""
    limiter: RateLimiter = connection.app.state.limiter
    limiter.charge_request(client_address(connection), SEEK_COST)


@router.get(
    "/club",
    summary="Read what there is of the club",
    responses=responses(ClubView, description="Whether players find each other here."),
)
async def club(runtime: InRuntime) -> Response:
    """Players with a profile there are on every server; a lobby only where others reach it."""
    return answer(ClubView(lobby=runtime.lobby.is_open))


@router.get(
    "/lobby",
    summary="Look at the lobby",
    responses=responses(
        LobbyView,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        description="Who is here, open tables, and games to watch; as of some seconds ago.",
    ),
)
async def lobby(runtime: InRuntime, key: BearerToken) -> Response:
    """With a player's key, whoever asks is here for the next 45 seconds."""
    return answer(await runtime.lobby.view(await runtime.club.maybe(key)))


@router.put(
    "/lobby/seek",
    summary="Look for others",
    dependencies=[Depends(_charge_seek)],
    responses=responses(
        SeekView,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_NOW,
        ErrorCode.ILLEGAL,
        description="How it goes on, or the table where everybody is seated.",
    ),
    openapi_extra=described(SeekPlayers),
)
async def seek(
    asked: Seeking, runtime: InRuntime, known: InClub, connection: HTTPConnection
) -> Response:
    """To be sent again every three seconds: ten seconds after the last time it is over."""
    address = client_address(connection)
    if runtime.lobby.begins(known, asked):  # which comes to a table
        limiter: RateLimiter = connection.app.state.limiter
        limiter.check_opening(address)
        runtime.lobby.note_begun(known, asked)
    return answer(await runtime.lobby.seek(known, asked, address))


@router.post(
    "/lobby/seek/bot",
    summary="Play a bot instead",
    dependencies=[Depends(_charge_seek)],
    responses=responses(
        SeekView,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_NOW,
        description="The table: with people, if they have come until now.",
    ),
)
async def seek_bot(runtime: InRuntime, known: InClub) -> Response:
    """Whoever looks for others sits down with a bot of their own level, unless they have come."""
    return answer(await runtime.lobby.seek_bot(known))


@router.delete(
    "/lobby/seek",
    summary="Stop looking for others",
    status_code=204,
    response_class=Response,
    responses=responses(
        None, ErrorCode.WRONG_KEY, ErrorCode.NOT_FOUND, status=204, description="Stopped."
    ),
)
async def stop_seeking(runtime: InRuntime, known: InClub) -> Response:
    """Whoever has been seated meanwhile stays so."""
    await runtime.lobby.stop(known)
    return Response(status_code=204)
