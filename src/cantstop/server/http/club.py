"""What a server has of the club: clients show nothing of what is not there."""

from fastapi import APIRouter
from starlette.responses import Response

from cantstop.server.http.messages import answer
from cantstop.server.http.openapi import responses
from cantstop.server.http.routes import route_name
from cantstop.wire.club import ClubView

router = APIRouter(prefix="/api/club", generate_unique_id_function=route_name)


@router.get(
    "",
    summary="Ask what there is of the club",
    responses=responses(ClubView, description="What this server has."),
)
async def club() -> Response:
    """Whether players find each other here, and how else a player can be known."""
    return answer(ClubView(lobby=False, passkeys=False))
