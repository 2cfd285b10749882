"""What players have done over HTTP: profiles, games, records, the leaderboard."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from starlette.responses import Response

from cantstop.server.database.profiles import MOST_GAMES
from cantstop.server.errors import Malformed
from cantstop.server.http.insight import CurrentRequester
from cantstop.server.http.messages import answer
from cantstop.server.http.openapi import responses
from cantstop.server.http.routes import KEY, BearerToken, InRuntime, TableId, route_name
from cantstop.server.limits.policy import profile_cost
from cantstop.server.tables.seating import is_table_id
from cantstop.wire.club import GamesPage, Leaderboard, Profile, RatingKind, TableSize
from cantstop.wire.errors import ErrorCode

router = APIRouter(prefix="/api", generate_unique_id_function=route_name)

PlayerName = Annotated[str, Path(description="The name of a player, or the id.", examples=["Anne"])]
Before = Annotated[str | None, Query(max_length=80, description="Where the page before ended.")]
Kind = Annotated[RatingKind, Query(description="Results, or Play: the same less the luck.")]
Size = Annotated[TableSize, Query(description="For how many players.")]


@router.get(
    "/players/{name}",
    summary="Read what a player has done",
    dependencies=[Depends(KEY)],
    responses=responses(
        Profile,
        ErrorCode.WRONG_KEY,
        ErrorCode.PLAYER_UNKNOWN,
        description="Sums over their newest games.",
    ),
)
async def profile(
    name: PlayerName, runtime: InRuntime, key: BearerToken, requester: CurrentRequester
) -> Response:
    """Results, opponents, luck and skill, errors. Who keeps to themselves is nobody to others."""
    known = await runtime.club.maybe(key)
    player = await runtime.club.shown(name, known)
    requester.charge(profile_cost(await runtime.club.games_count(player, MOST_GAMES)))
    return answer(await runtime.club.profile(player, known))


@router.get(
    "/players/{name}/games",
    summary="Read the games of a player",
    dependencies=[Depends(KEY)],
    responses=responses(
        GamesPage,
        ErrorCode.MALFORMED,
        ErrorCode.WRONG_KEY,
        ErrorCode.PLAYER_UNKNOWN,
        description="A page of them, the last one first.",
    ),
)
async def player_games(
    name: PlayerName, runtime: InRuntime, key: BearerToken, before: Before = None
) -> Response:
    """`next` is the `before` of the next page, or `null` at the end."""
    known = await runtime.club.maybe(key)
    return answer(await runtime.club.games(name, known, _moment(before)))


def _moment(before: str | None) -> tuple[datetime, str] | None:
    if before is None:
        return None
    at, _, table = before.partition(" ")
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not is_table_id(table):
        raise Malformed("“{field}” is missing or cannot be read.", field="before")
    return moment, table


@router.get(
    "/games/{table_id}/record",
    summary="Download the record of a finished game that players have kept",
    response_class=Response,
    responses=responses(
        None,
        ErrorCode.TABLE_UNKNOWN,
        description="The record without names, day and dice, as docs/notation.md describes it.",
        content={"text/plain": {"schema": {"type": "string"}}},
    ),
)
async def kept_record(table_id: TableId, runtime: InRuntime) -> Response:
    """It is there for as long as the history of a player is: the table itself expires sooner."""
    return Response(await runtime.club.kept_record(table_id), media_type="text/plain")


@router.get(
    "/leaderboard",
    summary="Read the leaderboard",
    responses=responses(
        Leaderboard, ErrorCode.MALFORMED, description="At most a hundred, as of a minute ago."
    ),
)
async def leaders(
    runtime: InRuntime,
    kind: Kind = RatingKind.PLAY,
    size: Size = TableSize.TWO,
) -> Response:
    """Those who are public, have an interval that is narrow enough, and enough opponents."""
    return answer(await runtime.club.leaderboard(kind, size))
