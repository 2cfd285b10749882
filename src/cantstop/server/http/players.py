"""One's own profile over HTTP: its devices, recovery words, passkeys. Nobody needs one to play.

A device makes its key itself and sends it with every request that is about its player.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from cantstop.server.database.players import Known
from cantstop.server.errors import Malformed, WrongCode
from cantstop.server.http.insight import CurrentRequester, packed_response
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, described, responses
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import (
    KEY,
    BearerToken,
    InRuntime,
    route_name,
)
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import WORDS_COST, WRITE_COST, export_cost
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.tables.passkeys import Site, site_of
from cantstop.wire.club import (
    AddDevice,
    ChangeMe,
    ClaimDays,
    ClaimedDays,
    LinkCode,
    Me,
    NewPasskey,
    NewPlayer,
    PasskeyChallenge,
    PlayerExport,
    RecoveryWords,
    Restore,
    UsePasskey,
)
from cantstop.wire.errors import ErrorCode
from cantstop.wire.events import time_text
from cantstop.wire.types import Secret


async def charge_writing(request: Request) -> None:
    """Count a request that writes as several: each waits for the disk by itself."""
    if request.method != "GET":
        limiter: RateLimiter = request.app.state.limiter
        limiter.charge_request(client_address(request), WRITE_COST)


router = APIRouter(
    prefix="/api/me",
    generate_unique_id_function=route_name,
    dependencies=[Depends(KEY), Depends(charge_writing)],
)


async def _known(runtime: InRuntime, key: BearerToken) -> Known:
    return await runtime.club.known(key)


async def _new_key(key: BearerToken) -> str:
    """The key that a device has made; one that is too short could be guessed."""
    try:
        return msgspec.convert(key, Secret)
    except msgspec.ValidationError:
        raise Malformed("“{field}” is missing or cannot be read.", field="Authorization") from None


def _site(request: Request) -> Site:
    """The site that the request's page is of, as passkeys know it."""
    return site_of(request.headers.get("host", ""))


InSite = Annotated[Site, Depends(_site)]
InClub = Annotated[Known, Depends(_known)]
"""Whoever asks, who has to be a player."""
NewKey = Annotated[str, Depends(_new_key)]


_DEVICE_ADDED = responses(
    Me,
    *BODY_ERRORS,
    ErrorCode.WRONG_CODE,
    ErrorCode.NOT_NOW,
    status=201,
    description="The player whom this device belongs to from now on.",
)


class Guard:
    """What an address may try to guess, and how many players may begin there."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._limiter: RateLimiter = connection.app.state.limiter
        self._address = client_address(connection)

    @contextmanager
    def guessing(self) -> Iterator[None]:
        """Count a code or words that were wrong; with too many, nothing more is tried.

        Each counts while it is looked at: many at once are no more than one after the other.
        """
        self._limiter.take_guess(self._address)
        was_wrong = False
        try:
            yield
        except WrongCode:
            was_wrong = True
            raise
        finally:
            if not was_wrong:
                self._limiter.give_back_guess(self._address)

    def beginning(self) -> None:
        """Count one more player begun at an address."""
        self._limiter.check_beginning(self._address)

    def charge_words(self) -> None:
        """Recovery words take a slow hash."""
        self._limiter.charge_request(self._address, WORDS_COST)


Guarded = Annotated[Guard, Depends(Guard)]


async def _me(runtime: Runtime, known: Known) -> Response:
    return answer(await runtime.club.me(known))


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
    responses=_DEVICE_ADDED,
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
    responses=_DEVICE_ADDED,
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
    "/passkeys/challenge",
    summary="Ask for what a passkey is to sign",
    status_code=201,
    dependencies=[Depends(_site)],
    responses=responses(
        PasskeyChallenge,
        ErrorCode.MALFORMED,
        ErrorCode.NOT_NOW,
        status=201,
        description="It is valid for five minutes, once, for the key of the request.",
    ),
)
async def passkey_challenge(key: NewKey, runtime: InRuntime) -> Response:
    """For a passkey to be made or to be used; refused where the server has no name."""
    return answer(await runtime.club.challenge(key), 201)


@router.post(
    "/passkeys",
    summary="Add a passkey",
    status_code=201,
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.WRONG_KEY,
        ErrorCode.WRONG_CODE,
        ErrorCode.NOT_NOW,
        status=201,
        description="The player, with the passkey.",
    ),
    openapi_extra=described(NewPasskey),
)
async def add_passkey(
    asked: Annotated[NewPasskey, Depends(body_of(NewPasskey))],
    site: InSite,
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """A passkey that this device has made, by ES256 or RS256, after its owner was verified."""
    await runtime.club.add_passkey(known, asked, site)
    found = await _me(runtime, known)
    found.status_code = 201
    return found


@router.post(
    "/passkeys/use",
    summary="Add this device by a passkey",
    status_code=201,
    responses=_DEVICE_ADDED,
    openapi_extra=described(UsePasskey),
)
async def use_passkey(
    asked: Annotated[UsePasskey, Depends(body_of(UsePasskey))],
    key: NewKey,
    site: InSite,
    runtime: InRuntime,
    guard: Guarded,
) -> Response:
    """The request has the new device's own key. Wrong passkeys are counted and noted."""
    with guard.guessing():
        await runtime.club.use_passkey(key, asked, site)
    return await _me_now(runtime, key)


@router.delete(
    "/passkeys/{passkey_id}",
    summary="Remove a passkey",
    status_code=204,
    response_class=Response,
    responses=responses(
        None,
        ErrorCode.WRONG_KEY,
        ErrorCode.NOT_FOUND,
        status=204,
        description="Nobody is let in by it any more.",
    ),
)
async def remove_passkey(
    passkey_id: Annotated[
        str, Path(description="The id of the passkey.", examples=["k7QmZr3pW9xA"])
    ],
    runtime: InRuntime,
    known: InClub,
) -> Response:
    """Devices that were added by it stay: they are removed by themselves."""
    await runtime.club.remove_passkey(known, passkey_id)
    return Response(status_code=204)


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


@router.get(
    "/export",
    summary="Download everything about oneself",
    responses=responses(PlayerExport, ErrorCode.WRONG_KEY, description="All that is known."),
)
async def export(
    request: Request, runtime: InRuntime, known: InClub, requester: CurrentRequester
) -> Response:
    """Profile, devices, games, daily games, and whom one has muted or blocked."""
    requester.charge(export_cost(await runtime.club.games_count(known.player)))
    return packed_response(request, requester, await runtime.club.export(known))
