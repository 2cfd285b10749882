"""My turn over HTTP: the games of a player that are not over."""

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from cantstop.server.http.messages import answer
from cantstop.server.http.openapi import responses
from cantstop.server.http.players import InClub
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import KEY, InRuntime, route_name
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import read_cost
from cantstop.server.runtime.pages import FOLDED_EVENTS
from cantstop.wire.errors import ErrorCode
from cantstop.wire.turns import TurnList

router = APIRouter(
    prefix="/api/me", generate_unique_id_function=route_name, dependencies=[Depends(KEY)]
)


@router.get(
    "/turns",
    summary="List one's games that are not over",
    responses=responses(
        TurnList, ErrorCode.WRONG_KEY, description="Those that wait for the player first."
    ),
)
async def turns(request: Request, runtime: InRuntime, known: InClub) -> Response:
    """The games with other people: whose turn it is, and since when. Over all devices."""
    limiter: RateLimiter = request.app.state.limiter
    address = client_address(request)

    def charge(events: int) -> None:
        limiter.charge_request(address, read_cost(events // FOLDED_EVENTS, 0))

    async with runtime.loading.of(address):
        return answer(await runtime.turns.of(known.player.id, charge))
