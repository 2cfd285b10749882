"""The daily game over HTTP: today, past days, playing, and a record compared with what was played.

The dice of a day are told to nobody before its key is: neither by an answer nor by an error.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path
from starlette.responses import JSONResponse, Response

from cantstop.daily import begins, counts_until, ends, reveals_at
from cantstop.dice import DailyDice
from cantstop.odds import PAR
from cantstop.server.errors import ErrorCode, WrongSecret
from cantstop.server.http.insight import CurrentRequester
from cantstop.server.http.routes import DEVICE, BearerToken, InRuntime, route_name
from cantstop.server.protocol.openapi import BODY_ERRORS, LANGUAGE_PARAMETERS, responses
from cantstop.server.protocol.schemas import DailyAnswer, DailyArchive, DailySeatAnswer, DailyTry
from cantstop.server.protocol.views import state_json
from cantstop.server.runtime.daily import Day
from cantstop.server.tables.daily import DailyEntry, PlayDaily, PostResult
from cantstop.server.tables.events import time_text

router = APIRouter(prefix="/api/daily", generate_unique_id_function=route_name)

DayText = Annotated[
    str, Path(description="A day, in UTC: today or one of the archive.", examples=["2026-11-15"])
]


@router.get(
    "",
    summary="Read today's daily game",
    responses=responses(DailyAnswer, description="Today, by the server's clock."),
    openapi_extra=LANGUAGE_PARAMETERS,
    dependencies=[Depends(DEVICE)],
)
async def daily(runtime: InRuntime, device: BearerToken) -> Response:
    """The day, what its dice are bound to, its results, and until when a game of it counts.

    With a device's token, `mine` is its one try. `next` has the commitment of tomorrow's dice.
    """
    found = await runtime.daily.day(None, device)
    tomorrow = await runtime.daily.dice(ends(found.day).date())
    return JSONResponse({**_day_json(found), "next": _seal_json(tomorrow)})


@router.get(
    "/archive",
    summary="List the past days",
    responses=responses(DailyArchive, description="The past days, the last one first."),
    openapi_extra=LANGUAGE_PARAMETERS,
)
async def daily_archive(runtime: InRuntime) -> Response:
    """The days that can be played again outside the ranking, with how many results they have."""
    found = await runtime.daily.archive()
    days = [{**_seal_json(dice), "results": count} for dice, count in found]
    return JSONResponse({"days": days})


@router.get(
    "/{day}",
    summary="Read the daily game of a day",
    responses=responses(
        DailyAnswer,
        ErrorCode.MALFORMED,
        ErrorCode.NOT_FOUND,
        description="That day, with its key once it is revealed.",
    ),
    openapi_extra=LANGUAGE_PARAMETERS,
    dependencies=[Depends(DEVICE)],
)
async def daily_day(day: DayText, runtime: InRuntime, device: BearerToken) -> Response:
    """The same of a past day. Once its key is revealed, results have the table they are from."""
    found = await runtime.daily.day(day, device)
    return JSONResponse(_day_json(found))


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
    openapi_extra=LANGUAGE_PARAMETERS,
)
async def play_daily(request: PlayDaily, runtime: InRuntime) -> Response:
    """Open a table with the dice of today, or come back to the one where this device plays.

    The first table of a device on a day counts; `counts` says so. Another one, and one for a day
    of the archive, is played outside the ranking.
    """
    seat = await runtime.daily.play(request)
    return JSONResponse(
        {
            "id": seat.table.id,
            "secret": seat.secret,
            "seats": [0],
            "device": seat.device,
            "day": seat.day.isoformat(),
            "counts": seat.counts,
            "state": state_json(seat.table, frozenset(), frozenset({0})),
        },
        201,
    )


@router.post(
    "/results",
    summary="Have a record compared with the game that was played here",
    responses=responses(
        DailyTry,
        *BODY_ERRORS,
        ErrorCode.WRONG_SECRET,
        ErrorCode.NOT_NOW,
        ErrorCode.TABLE_EXPIRED,
        ErrorCode.ILLEGAL,
        description="The result, which was there already.",
    ),
    openapi_extra=LANGUAGE_PARAMETERS,
    dependencies=[Depends(DEVICE)],
)
async def check_daily_result(
    request: PostResult, runtime: InRuntime, device: BearerToken, requester: CurrentRequester
) -> Response:
    """Results are taken from the server's own tables: none can be posted.

    A record of the game that the device has played here is answered with its result; any other
    one is refused, and changes nothing.
    """
    if device is None:
        raise WrongSecret("Only the device that has played a daily game can post its record.")
    entry = await runtime.daily.check_result(request.record, device, requester)
    return JSONResponse(_entry_json(entry, show_table=True))


def _seal_json(dice: DailyDice) -> dict[str, Any]:
    return {"day": dice.seal.day.isoformat(), "commitment": dice.seal.commitment}


def _day_json(found: Day) -> dict[str, Any]:
    day, mine = found.day, found.mine
    return {
        **_seal_json(found.dice),
        "now": time_text(found.now),
        "begins": time_text(begins(day)),
        "ends": time_text(ends(day)),
        "counts_until": time_text(counts_until(day)),
        "reveals_at": time_text(reveals_at(day)),
        "key": None if found.key is None else found.key.hex(),
        "par": PAR,
        "count": found.count,
        "results": [
            _entry_json(
                entry,
                show_table=found.key is not None,
                mine=mine is not None and entry.device == mine.device,
            )
            for entry in found.results
        ],
        "mine": None if mine is None else _entry_json(mine, show_table=True, mine=True),
        "unfinished": found.is_unfinished,
        "place": found.place,
        "best": found.best,
    }


def _entry_json(entry: DailyEntry, *, show_table: bool, mine: bool = False) -> dict[str, Any]:
    """A try; others are told its table only once the dice are known to everybody."""
    at = entry.finished_at
    return {
        "name": entry.name,
        "mine": mine,
        "finished_at": None if at is None else time_text(at),
        "turns": entry.turns,
        "signs": entry.signs,
        "luck": entry.luck,
        "skill": entry.skill,
        "table": entry.table if show_table else None,
    }
