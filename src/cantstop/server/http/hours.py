"""When players have time for slow games, over HTTP: quiet hours, weekends, times away."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from starlette.requests import Request
from starlette.responses import Response

from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, described, responses
from cantstop.server.http.players import InClub, charge_writing
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import KEY, InRuntime, route_name
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import moved_cost
from cantstop.wire.errors import ErrorCode
from cantstop.wire.hours import AnnounceAway, PlayerHours, SetHours

router = APIRouter(
    prefix="/api/me",
    generate_unique_id_function=route_name,
    dependencies=[Depends(KEY), Depends(charge_writing)],
)

From = Annotated[
    str, Path(description="When it begins.", max_length=40, examples=["2026-12-24T17:00:00.000Z"])
]


def _changed(request: Request, done: tuple[PlayerHours, int], status: int = 200) -> Response:
    """The new hours; every turn that had to be looked at costs a little."""
    hours, looked_at = done
    limiter: RateLimiter = request.app.state.limiter
    limiter.charge_request(client_address(request), moved_cost(looked_at))
    return answer(hours, status)


@router.get(
    "/hours",
    summary="Read one's hours",
    responses=responses(PlayerHours, ErrorCode.WRONG_KEY, description="As they are now."),
)
async def hours(runtime: InRuntime, known: InClub) -> Response:
    """Zone, quiet hours, weekends and times away: what counts as time at slow tables."""
    return answer(await runtime.availability.of(known.player))


@router.put(
    "/hours",
    summary="Change one's hours",
    responses=responses(
        PlayerHours,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_NOW,
        description="As they are now.",
    ),
    openapi_extra=described(SetHours),
)
async def set_hours(
    request: Request,
    asked: Annotated[SetHours, Depends(body_of(SetHours))],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """The turns that run end by the new hours from now on; what has passed has passed."""
    return _changed(request, await runtime.availability.change(known.player, asked))


@router.post(
    "/away",
    summary="Say when one is away",
    status_code=201,
    responses=responses(
        PlayerHours,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_NOW,
        status=201,
        description="The hours with this time away.",
    ),
    openapi_extra=described(AnnounceAway),
)
async def announce_away(
    request: Request,
    asked: Annotated[AnnounceAway, Depends(body_of(AnnounceAway))],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """Up to 21 days in a calendar year, by the hour. Everybody at one's slow tables sees it."""
    return _changed(request, await runtime.availability.announce(known.player, asked), 201)


@router.delete(
    "/away/{from_at}",
    summary="Be back, or do not go",
    responses=responses(
        PlayerHours,
        ErrorCode.MALFORMED,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        description="The hours without this time away, or what was left of it.",
    ),
)
async def cancel_away(
    request: Request, from_at: From, runtime: InRuntime, known: InClub
) -> Response:
    """What was not taken is there for another time."""
    return _changed(request, await runtime.availability.cancel(known.player, from_at))
