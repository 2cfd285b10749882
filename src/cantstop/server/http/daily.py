"""The daily game over HTTP: today, past days, and playing.

Nobody learns the dice of a day before its key is revealed: neither by an answer nor by an error.
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from msgspec import UNSET, UnsetType
from starlette.responses import Response

from cantstop.daily import begins, counts_until, ends, reveals_at
from cantstop.dice import DailyDice
from cantstop.odds import PAR
from cantstop.server.http.insight import CurrentRequester
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, described, responses
from cantstop.server.http.routes import DEVICE, BearerToken, InRuntime, route_name
from cantstop.server.runtime.daily import Day
from cantstop.server.tables.tries import DailyEntry
from cantstop.wire.daily import ArchivedDay, DailyAnswer, DailyArchive, DailySealView, DailyTry
from cantstop.wire.errors import ErrorCode
from cantstop.wire.events import time_text
from cantstop.wire.requests import PlayDaily
from cantstop.wire.schema import DailySeatAnswer
from cantstop.wire.table import OpenedDaily, opened_json

router = APIRouter(prefix="/api/daily", generate_unique_id_function=route_name)

DayText = Annotated[
    str, Path(description="A day, in UTC: today or one of the archive.", examples=["2026-11-15"])
]


@router.get(
    "",
    summary="Read today's daily game",
    responses=responses(DailyAnswer, description="Today, by the server's clock."),
    dependencies=[Depends(DEVICE)],
)
async def daily(runtime: InRuntime, device: BearerToken, requester: CurrentRequester) -> Response:
    """The day, what its dice are bound to, its results, and until when a game of it counts.

    With a device's token, `mine` is its one try. `next` has the commitment of tomorrow's dice.
    """
    found = await runtime.daily.day(None, device, requester)
    tomorrow = await runtime.daily.dice(ends(found.day).date())
    return answer(_day_view(found, _seal_view(tomorrow)))


@router.get(
    "/archive",
    summary="List the past days",
    responses=responses(DailyArchive, description="The past days, the last one first."),
)
async def daily_archive(runtime: InRuntime) -> Response:
    """The days that can be played again outside the ranking, with how many results they have."""
    found = await runtime.daily.archive()
    days = (
        ArchivedDay(day=dice.seal.day.isoformat(), commitment=dice.seal.commitment, results=count)
        for dice, count in found
    )
    return answer(DailyArchive(tuple(days)))


@router.get(
    "/{day}",
    summary="Read the daily game of a day",
    responses=responses(
        DailyAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.NOT_FOUND,
        description="That day, with its key once it is revealed.",
    ),
    dependencies=[Depends(DEVICE)],
)
async def daily_day(
    day: DayText, runtime: InRuntime, device: BearerToken, requester: CurrentRequester
) -> Response:
    """The same of a past day. Once its key is revealed, results have the table they are from."""
    found = await runtime.daily.day(day, device, requester)
    return answer(_day_view(found))


@router.post(
    "",
    summary="Play the daily game",
    status_code=201,
    responses=responses(
        DailySeatAnswer,
        *BODY_ERRORS,
        ErrorCode.NOT_FOUND,
        status=201,
        description="The table, the secret of its seat, and the token of the device.",
    ),
    openapi_extra=described(PlayDaily),
)
async def play_daily(
    asked: Annotated[PlayDaily, Depends(body_of(PlayDaily))], runtime: InRuntime
) -> Response:
    """Open a table with the dice of today, or come back to the one where this device plays.

    The first table of a device on a day counts; `counts` says so. Another one, and one for a day
    of the archive, is played outside the ranking.
    """
    seat = await runtime.daily.play(asked)
    opened = OpenedDaily(
        seat.table.id, seat.secret, (0,), seat.device, seat.day.isoformat(), seat.counts
    )
    content = opened_json(opened, seat.table, frozenset({0}))
    return Response(content, 201, media_type="application/json")


def _seal_view(dice: DailyDice) -> DailySealView:
    return DailySealView(day=dice.seal.day.isoformat(), commitment=dice.seal.commitment)


def _day_view(found: Day, following: DailySealView | UnsetType = UNSET) -> DailyAnswer:
    day, mine = found.day, found.mine
    return DailyAnswer(
        day=day.isoformat(),
        commitment=found.dice.seal.commitment,
        now=time_text(found.now),
        begins=time_text(begins(day)),
        ends=time_text(ends(day)),
        counts_until=time_text(counts_until(day)),
        reveals_at=time_text(reveals_at(day)),
        key=None if found.key is None else found.key.hex(),
        par=PAR,
        count=found.count,
        results=tuple(
            _try_view(
                entry,
                show_table=found.key is not None,
                mine=mine is not None and entry.device == mine.device,
            )
            for entry in found.results
        ),
        mine=None if mine is None else _try_view(mine, show_table=True, mine=True),
        unfinished=found.is_unfinished,
        place=found.place,
        best=found.best,
        next=following,
    )


def _try_view(entry: DailyEntry, *, show_table: bool, mine: bool = False) -> DailyTry:
    """A try; others see its table only once the dice are known to everybody."""
    at = entry.finished_at
    return DailyTry(
        entry.name,
        mine,
        None if at is None else time_text(at),
        entry.turns,
        entry.signs,
        entry.luck,
        entry.skill,
        entry.table if show_table else None,
    )
