"""Players over HTTP: a profile, its devices, recovery words. Nobody needs one to play.

A device makes its key itself and sends it with every request that is about its player.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from cantstop.server.database.players import Known
from cantstop.server.database.profiles import MOST_GAMES
from cantstop.server.errors import Malformed, WrongCode
from cantstop.server.http.insight import CurrentRequester, packed_response
from cantstop.server.http.messages import answer, body_of
from cantstop.server.http.openapi import BODY_ERRORS, TABLE_ERRORS, described, responses
from cantstop.server.http.proxies import client_address
from cantstop.server.http.routes import (
    KEY,
    BearerToken,
    InRuntime,
    TableId,
    charge_loading,
    route_name,
)
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import WORDS_COST, WRITE_COST, export_cost, profile_cost
from cantstop.server.runtime.runtime import Runtime
from cantstop.server.tables.passkeys import Site, site_of
from cantstop.server.tables.seating import is_table_id
from cantstop.wire.club import (
    AddDevice,
    ChangeMe,
    ClaimDays,
    ClaimedDays,
    CourtesyList,
    GamesPage,
    Leaderboard,
    LinkCode,
    Me,
    NewPasskey,
    NewPlayer,
    PasskeyChallenge,
    PlayerExport,
    Profile,
    RatingKind,
    RecoveryWords,
    ReportPlayer,
    Restore,
    SetCourtesy,
    TablePlayers,
    TableSize,
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
tables = APIRouter(
    prefix="/api/tables",
    generate_unique_id_function=route_name,
    dependencies=[Depends(charge_loading), Depends(charge_writing)],
)
club = APIRouter(prefix="/api", generate_unique_id_function=route_name)

OfPlayer = Annotated[str, Path(description="The id of a player.", examples=["k7QmZr3pW9xA"])]
PlayerName = Annotated[str, Path(description="The name of a player, or the id.", examples=["Anne"])]
Before = Annotated[str | None, Query(max_length=80, description="Where the page before ended.")]
Kind = Annotated[RatingKind, Query(description="Results, or Play: the same less the luck.")]
Size = Annotated[TableSize, Query(description="For how many players.")]


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
    responses=responses(
        Me,
        *BODY_ERRORS,
        ErrorCode.WRONG_CODE,
        ErrorCode.NOT_NOW,
        status=201,
        description="The player whom this device belongs to from now on.",
    ),
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


@router.get(
    "/courtesy",
    summary="List whom one has muted or blocked",
    responses=responses(CourtesyList, ErrorCode.WRONG_KEY, description="The last one first."),
)
async def courtesy(runtime: InRuntime, known: InClub) -> Response:
    """Nobody else can see this list."""
    return answer(await runtime.club.courtesies(known))


@router.put(
    "/courtesy/{player_id}",
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
    "/courtesy/{player_id}",
    summary="Neither mute nor block a player any more",
    status_code=204,
    response_class=Response,
    responses=responses(None, ErrorCode.WRONG_KEY, status=204, description="Done."),
)
async def lift_courtesy(player_id: OfPlayer, runtime: InRuntime, known: InClub) -> Response:
    """It is as if there had been nothing."""
    await runtime.club.set_courtesy(known, player_id, None)
    return Response(status_code=204)


@club.get(
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


@club.get(
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


@club.get(
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


@club.get(
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
