"""Other players over HTTP: who sits at a table, whom one mutes or blocks, and reports."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.responses import Response

from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, TABLE_ERRORS, described, responses
from cantstop.server.http.players import InClub, charge_writing
from cantstop.server.http.routes import (
    KEY,
    BearerToken,
    InRuntime,
    TableId,
    charge_loading,
    route_name,
)
from cantstop.wire.club import CourtesyList, ReportPlayer, SetCourtesy, TablePlayers
from cantstop.wire.errors import ErrorCode

router = APIRouter(
    prefix="/api/me/courtesy",
    generate_unique_id_function=route_name,
    dependencies=[Depends(KEY), Depends(charge_writing)],
)
tables = APIRouter(
    prefix="/api/tables",
    generate_unique_id_function=route_name,
    dependencies=[Depends(charge_loading), Depends(charge_writing)],
)

OfPlayer = Annotated[str, Path(description="The id of a player.", examples=["k7QmZr3pW9xA"])]


@tables.get(
    "/{table_id}/players",
    summary="Read who sits at a table",
    dependencies=[Depends(KEY)],
    responses=responses(
        TablePlayers,
        ErrorCode.WRONG_KEY,
        *TABLE_ERRORS,
        description="The seats of players with a profile.",
    ),
)
async def table_players(table_id: TableId, runtime: InRuntime, key: BearerToken) -> Response:
    """Players with their marks and, where they are public, their ratings.

    With a player's key, `muted` says whom they have muted or blocked.
    """
    await runtime.master.stored(table_id)
    known = await runtime.club.maybe(key)
    return answer(TablePlayers(await runtime.club.at_table(table_id, known)))


@tables.post(
    "/{table_id}/report",
    summary="Report a player",
    status_code=204,
    response_class=Response,
    dependencies=[Depends(KEY)],
    responses=responses(
        None,
        *BODY_ERRORS,
        *TABLE_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.PLAYER_UNKNOWN,
        status=204,
        description="The operator can read it.",
    ),
    openapi_extra=described(ReportPlayer),
)
async def report(
    table_id: TableId,
    asked: Annotated[ReportPlayer, Depends(body_of(ReportPlayer))],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """Report the player at a seat, with the event that it is about, to the operator."""
    await runtime.club.report(known, table_id, asked)
    return Response(status_code=204)


@router.get(
    "",
    summary="List whom one has muted or blocked",
    responses=responses(CourtesyList, ErrorCode.WRONG_KEY, description="The last one first."),
)
async def courtesy(runtime: InRuntime, known: InClub) -> Response:
    """Nobody else can see this list."""
    return answer(await runtime.club.courtesies(known))


@router.put(
    "/{player_id}",
    summary="Mute or block a player",
    status_code=204,
    response_class=Response,
    responses=responses(
        None,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.PLAYER_UNKNOWN,
        ErrorCode.NOT_NOW,
        status=204,
        description="Done; they are shown nothing of it.",
    ),
    openapi_extra=described(SetCourtesy),
)
async def set_courtesy(
    player_id: OfPlayer,
    asked: Annotated[SetCourtesy, Depends(body_of(SetCourtesy))],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """Muted, their reactions are not shown; blocked, the lobby never seats the two together."""
    await runtime.club.set_courtesy(known, player_id, asked.kind)
    return Response(status_code=204)


@router.delete(
    "/{player_id}",
    summary="Neither mute nor block a player any more",
    status_code=204,
    response_class=Response,
    responses=responses(None, ErrorCode.WRONG_KEY, status=204, description="Done."),
)
async def lift_courtesy(player_id: OfPlayer, runtime: InRuntime, known: InClub) -> Response:
    """It is as if there had been nothing."""
    await runtime.club.set_courtesy(known, player_id, None)
    return Response(status_code=204)
