"""Players over HTTP: a profile, its devices, recovery words. Nobody needs one to play.

A device makes its key itself and sends it with every request that is about its player.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cantstop.server.database.players import Known
from cantstop.server.errors import Malformed, WrongCode
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, TABLE_ERRORS, described, responses
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import KEY, BearerToken, InRuntime, TableId, route_name
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import WORDS_COST
from cantstop.server.runtime.runtime import Runtime
from cantstop.wire.club import (
    AddDevice,
    ChangeMe,
    ClaimDays,
    ClaimedDays,
    DeviceView,
    LinkCode,
    Me,
    NewPlayer,
    RecoveryWords,
    Restore,
    TablePlayers,
)
from cantstop.wire.errors import ErrorCode
from cantstop.wire.events import time_text
from cantstop.wire.types import Secret

router = APIRouter(
    prefix="/api/me", generate_unique_id_function=route_name, dependencies=[Depends(KEY)]
)
tables = APIRouter(prefix="/api/tables", generate_unique_id_function=route_name)


async def _known(runtime: InRuntime, key: BearerToken) -> Known:
    return await runtime.club.known(key)


async def _new_key(key: BearerToken) -> str:
    """The key that a device has made; one that is too short could be guessed."""
    try:
        return msgspec.convert(key, Secret)
    except msgspec.ValidationError:
        raise Malformed("“{field}” is missing or cannot be read.", field="Authorization") from None


InClub = Annotated[Known, Depends(_known)]
"""Whoever asks, who has to be a player."""
NewKey = Annotated[str, Depends(_new_key)]


class Guard:
    """What an address may try to guess, and how many players may begin there."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._limiter: RateLimiter = connection.app.state.limiter
        self._address = client_address(connection)

    @contextmanager
    def guessing(self) -> Iterator[None]:
        """Count a code or words that were wrong; with too many, nothing more is tried."""
        self._limiter.check_guess(self._address)
        try:
            yield
        except WrongCode:
            self._limiter.charge_guess(self._address)
            raise

    def beginning(self) -> None:
        """Count one more player begun at an address."""
        self._limiter.check_beginning(self._address)

    def charge_words(self) -> None:
        """Recovery words take a slow hash."""
        self._limiter.charge_request(self._address, WORDS_COST)


Guarded = Annotated[Guard, Depends(Guard)]


async def _me(runtime: Runtime, known: Known) -> Response:
    player = known.player
    devices = await runtime.club.devices(known)
    (view,) = await runtime.club.views([player], player.id)
    return answer(
        Me(
            id=player.id,
            name=player.name,
            mark=player.mark,
            public=player.public,
            since=time_text(player.created_at),
            devices=tuple(
                DeviceView(
                    device.id,
                    device.name,
                    time_text(device.added_at),
                    time_text(device.seen_at),
                    device.id == known.device.id,
                )
                for device in devices
            ),
            words=player.has_words,
            excluded=player.excluded,
            ratings=view.ratings,
        )
    )


@router.get(
    "",
    summary="Read one's own profile",
    responses=responses(Me, ErrorCode.WRONG_KEY, description="The player with this key."),
)
async def me(runtime: InRuntime, known: InClub) -> Response:
    """Name, mark and devices of the player whose key this is."""
    return await _me(runtime, known)


@router.post(
    "",
    summary="Begin a profile",
    status_code=201,
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.NAME_TAKEN,
        status=201,
        description="The new player, with the key of the request.",
    ),
    openapi_extra=described(NewPlayer),
)
async def begin(
    asked: Annotated[NewPlayer, Depends(body_of(NewPlayer))],
    key: NewKey,
    runtime: InRuntime,
    guard: Guarded,
) -> Response:
    """A player with a name that looks like nobody else's. The server keeps a hash of the key."""
    guard.beginning()
    known = await runtime.club.begin(key, asked)
    found = await _me(runtime, known)
    found.status_code = 201
    return found


@router.patch(
    "",
    summary="Change one's profile",
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NAME_TAKEN,
        description="The player, changed.",
    ),
    openapi_extra=described(ChangeMe),
)
async def change_me(
    asked: Annotated[ChangeMe, Depends(body_of(ChangeMe))], runtime: InRuntime, known: InClub
) -> Response:
    """Change the name, the mark, or whether everybody may see one's games."""
    return await _me(runtime, await runtime.club.change(known, asked))


@router.delete(
    "",
    summary="Erase oneself",
    status_code=204,
    response_class=Response,
    responses=responses(None, ErrorCode.WRONG_KEY, status=204, description="Nothing is left."),
)
async def erase_me(runtime: InRuntime, known: InClub) -> Response:
    """Erase profile, devices, history and name. Games stay, of “a player”."""
    await runtime.club.erase(known.player.id)
    return Response(status_code=204)


@router.post(
    "/link",
    summary="Ask for a code for a second device",
    status_code=201,
    responses=responses(
        LinkCode, ErrorCode.WRONG_KEY, status=201, description="The code; it is valid for a minute."
    ),
)
async def link(runtime: InRuntime, known: InClub) -> Response:
    """A code to be typed, or read as a QR code, on the device that is to be added."""
    code, expires_at = await runtime.club.code(known)
    return answer(LinkCode(code, time_text(expires_at)), 201)


@router.post(
    "/devices",
    summary="Add this device by a code",
    status_code=201,
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.WRONG_CODE,
        ErrorCode.NOT_NOW,
        status=201,
        description="The player whom this device belongs to from now on.",
    ),
    openapi_extra=described(AddDevice),
)
async def add_device(
    asked: Annotated[AddDevice, Depends(body_of(AddDevice))],
    key: NewKey,
    runtime: InRuntime,
    guard: Guarded,
) -> Response:
    """The request has the new device's own key. Wrong codes are counted and noted."""
    with guard.guessing():
        await runtime.club.add_device(key, asked.code, asked.device)
    return await _me_now(runtime, key)


async def _me_now(runtime: Runtime, key: str) -> Response:
    found = await _me(runtime, await runtime.club.known(key))
    found.status_code = 201
    return found


@router.delete(
    "/devices/{device_id}",
    summary="Remove a device",
    status_code=204,
    response_class=Response,
    responses=responses(
        None,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_NOW,
        status=204,
        description="Its key is nobody's now.",
    ),
)
async def remove_device(
    device_id: Annotated[str, Path(description="The id of the device.", examples=["k7QmZr3pW9xA"])],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """Lock a device out. The last one can be removed only where there are recovery words."""
    await runtime.club.remove_device(known, device_id)
    return Response(status_code=204)


@router.post(
    "/words",
    summary="Ask for recovery words",
    status_code=201,
    responses=responses(
        RecoveryWords,
        ErrorCode.WRONG_KEY,
        status=201,
        description="The words, to be written down: they are shown once.",
    ),
)
async def words(runtime: InRuntime, known: InClub, guard: Guarded) -> Response:
    """New words; those before them are not valid any more."""
    guard.charge_words()
    return answer(RecoveryWords(await runtime.club.words(known)), 201)


@router.post(
    "/restore",
    summary="Add this device by recovery words",
    status_code=201,
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.WRONG_CODE,
        ErrorCode.NOT_NOW,
        status=201,
        description="The player whom this device belongs to from now on.",
    ),
    openapi_extra=described(Restore),
)
async def restore(
    asked: Annotated[Restore, Depends(body_of(Restore))],
    key: NewKey,
    runtime: InRuntime,
    guard: Guarded,
) -> Response:
    """For whoever has lost all devices. Wrong words are counted and noted."""
    with guard.guessing():
        guard.charge_words()
        await runtime.club.restore(key, asked.words, asked.device)
    return await _me_now(runtime, key)


@router.post(
    "/daily",
    summary="Take daily games along",
    responses=responses(
        ClaimedDays,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_NOW,
        description="How many results of this device there are.",
    ),
    openapi_extra=described(ClaimDays),
)
async def claim_days(
    asked: Annotated[ClaimDays, Depends(body_of(ClaimDays))], runtime: InRuntime, known: InClub
) -> Response:
    """The daily games of a device, by its token, become the player's; those to come as well."""
    return answer(ClaimedDays(await runtime.club.claim_days(known, asked.device)))


@tables.get(
    "/{table_id}/players",
    summary="Read who sits at a table",
    responses=responses(
        TablePlayers, *TABLE_ERRORS, description="The seats of players with a profile."
    ),
)
async def table_players(table_id: TableId, runtime: InRuntime) -> Response:
    """Players with their marks and, where they are public, their ratings."""
    await runtime.master.stored(table_id)
    return answer(TablePlayers(await runtime.club.at_table(table_id)))
