"""Players on a server: who a key belongs to, what they change, and what comes of their seats."""

import asyncio
import hmac
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import islice
from time import monotonic

from msgspec import UNSET, structs

from cantstop.dice import new_secret
from cantstop.server.database import lobby, passkeys, players
from cantstop.server.database.games import kept_game
from cantstop.server.database.players import Known
from cantstop.server.database.profiles import (
    count_games,
    games_of,
    leaderboard,
    packed_export,
    profile_of,
)
from cantstop.server.database.sql import Database
from cantstop.server.errors import (
    NotFound,
    ProfileNeeded,
    Refused,
    UnknownPlayer,
    WrongCode,
    WrongKey,
)
from cantstop.server.ops import metrics
from cantstop.server.runtime.master import Master
from cantstop.server.tables.history import game_text
from cantstop.server.tables.opening import Opening, open_table
from cantstop.server.tables.passkeys import (
    Site,
    challenge_hash,
    challenge_of,
    new_challenge,
    new_passkey,
)
from cantstop.server.tables.players import (
    CODE_SECONDS,
    Device,
    Player,
    code_hash,
    device_name,
    household_of,
    new_code,
    new_player_id,
    new_words,
    player_name,
    words_hash,
)
from cantstop.server.tables.seating import hashed
from cantstop.table.table import Table
from cantstop.wire.club import (
    ChangeMe,
    Courtesy,
    CourtesyList,
    DeviceView,
    GamesPage,
    Leaderboard,
    Me,
    NewPasskey,
    NewPlayer,
    PasskeyChallenge,
    PasskeyView,
    PlayerView,
    Profile,
    RatingKind,
    ReportPlayer,
    SeatPlayer,
    TableSize,
    UsePasskey,
)
from cantstop.wire.events import time_text
from cantstop.wire.requests import HumanSeat, OpenLesson, OpenTable, TakeSeat

LEADERS_SECONDS = 60.0
"""How old a leaderboard may be."""

_log = logging.getLogger(__name__)

_TABLES_AT_ONCE, _PAUSE_SECONDS = 50, 0.05
"""Tables that a name is taken out of in one transaction, and the pause after it."""


@contextmanager
def _noticed(what: str) -> Iterator[None]:
    """Note that a code, words or a passkey were wrong: whoever guesses is to be seen."""
    try:
        yield
    except WrongCode:
        metrics.WRONG_CODES.labels(what).inc()
        _log.warning("Wrong %s for a player's second device.", what)
        raise


def _seats_of_people(asked: OpenTable) -> list[int]:
    return [at for at, seat in enumerate(asked.seats) if isinstance(seat, HumanSeat)]


def _named(asked: OpenTable, player: Player) -> OpenTable:
    """The same table, whose one person has the player's name."""
    people = _seats_of_people(asked)
    if len(people) != 1:
        return asked
    seats = tuple(
        structs.replace(seat, name=player.name) if isinstance(seat, HumanSeat) else seat
        for seat in asked.seats
    )
    return structs.replace(asked, seats=seats)


class Club:
    """The players of a server. Who has no key costs nothing, and plays all the same."""

    def __init__(self, storage: Database, master: Master, clock: Callable[[], datetime]) -> None:
        self._storage = storage
        self._master = master
        self._clock = clock
        self._words = asyncio.Semaphore(1)
        """The slow hash takes 16 MB: one at a time."""
        self._household_secret: bytes | None = None
        self._leaders: dict[tuple[RatingKind, TableSize], tuple[float, Leaderboard]] = {}

    # Who is it?

    async def known(self, key: str | None) -> Known:
        """The player with a key; refused where there is none."""
        found = await self.maybe(key)
        if found is None:
            raise WrongKey
        return found

    async def maybe(self, key: str | None) -> Known | None:
        """The player with a key, if there is a key; one that is nobody's is refused."""
        if key is None:
            return None
        found = await self._storage.read(partial(players.known_key, key_hash=hashed(key)))
        now = self._clock()
        if found.device.seen_at.date() < now.date():
            await self._storage.write(
                partial(players.note_seen, key_hash=found.device.key_hash, at=now)
            )
        return found

    # Beginning, and other devices

    async def begin(self, key: str, asked: NewPlayer) -> Known:
        """A new player, with the key of this device."""
        now = self._clock()
        player = Player(
            new_player_id(), player_name(asked.name), asked.mark, public=False, created_at=now
        )
        device = self._device(key, asked.device)
        await self._storage.write(partial(players.add_player, player=player, device=device))
        return Known(player, device)

    def _device(self, key: str, name: str) -> Device:
        now = self._clock()
        return Device(new_player_id(), device_name(name), now, now, hashed(key))

    async def change(self, known: Known, asked: ChangeMe) -> Known:
        """Change what a player wants changed."""
        before = known.player
        player = replace(
            before,
            name=before.name if asked.name is UNSET else player_name(asked.name),
            mark=before.mark if asked.mark is UNSET else asked.mark,
            public=before.public if asked.public is UNSET else asked.public,
        )
        if player != before:
            await self._storage.write(partial(players.change_player, player=player))
        return replace(known, player=player)

    async def code(self, known: Known) -> tuple[str, datetime]:
        """A code for a second device, and until when it is valid."""
        code, expires_at = new_code(), self._clock() + CODE_SECONDS
        await self._storage.write(
            partial(
                players.write_code,
                player_id=known.player.id,
                code_hash=code_hash(code),
                expires_at=expires_at,
            )
        )
        return code, expires_at

    async def add_device(self, key: str, code: str, name: str) -> None:
        """Add this device to the player who has shown a code."""
        at, device = self._clock(), self._device(key, name)
        with _noticed("code"):
            await self._storage.write(
                partial(players.use_code, code_hash=code_hash(code), device=device, at=at)
            )

    async def words(self, known: Known) -> str:
        """New recovery words, which are shown once."""
        words = new_words()
        found = await self._words_hash(words)
        await self._storage.write(
            partial(players.write_words, player_id=known.player.id, words_hash=found)
        )
        return words

    async def restore(self, key: str, words: str, name: str) -> None:
        """Add this device to the player whose recovery words these are."""
        device = self._device(key, name)
        with _noticed("words"):
            found = await self._words_hash(words)
            await self._storage.write(partial(players.use_words, words_hash=found, device=device))

    async def _words_hash(self, words: str) -> str:
        async with self._words:
            return await asyncio.to_thread(words_hash, words)

    # Passkeys

    async def challenge(self, key: str) -> PasskeyChallenge:
        """What a passkey is to sign for this device, whether a player has it or not yet."""
        challenge, key_hash = new_challenge(), hashed(key)
        await self._storage.write(
            partial(
                passkeys.write_challenge,
                key_hash=key_hash,
                challenge_hash=challenge_hash(challenge),
                at=self._clock(),
            )
        )
        known = await self._storage.read(partial(passkeys.known_credentials, key_hash=key_hash))
        return PasskeyChallenge(challenge, known)

    async def add_passkey(self, known: Known, asked: NewPasskey, site: Site) -> None:
        """Add a passkey that a device of the player has made."""
        found = new_passkey(asked, site, new_player_id(), device_name(asked.device), self._clock())
        await self._storage.write(
            partial(
                passkeys.add_passkey,
                player_id=known.player.id,
                passkey=found,
                key_hash=known.device.key_hash,
                challenge_hash=challenge_of(asked.client_data),
            )
        )

    async def use_passkey(self, key: str, asked: UsePasskey, site: Site) -> None:
        """Add this device to the player who has a passkey."""
        challenge, device = challenge_of(asked.client_data), self._device(key, asked.device)
        with _noticed("passkey"):
            await self._storage.write(
                partial(
                    passkeys.use_passkey,
                    asked=asked,
                    site=site,
                    challenge_hash=challenge,
                    device=device,
                    at=self._clock(),
                )
            )

    async def remove_passkey(self, known: Known, passkey: str) -> None:
        """Let nobody in by a passkey any more."""
        await self._storage.write(
            partial(passkeys.remove_passkey, player_id=known.player.id, passkey_id=passkey)
        )

    async def devices(self, known: Known) -> list[Device]:
        """The devices of a player."""
        return await self._storage.read(partial(players.devices_of, player_id=known.player.id))

    async def remove_device(self, known: Known, device: str) -> None:
        """Lock a device out."""
        await self._storage.write(
            partial(players.remove_device, player_id=known.player.id, device_id=device)
        )

    async def claim_days(self, known: Known, device: str) -> int:
        """Daily games of a device become the player's."""
        return await self._storage.write(
            partial(players.claim_days, player_id=known.player.id, device_hash=hashed(device))
        )

    async def erase(self, player_id: str) -> None:
        """Erase a player; what they have played stays, of “a player”.

        Where this is cut short the player is still there, and asks again.
        """
        forget = partial(
            players.forget_seats, player_id=player_id, most=_TABLES_AT_ONCE, at=self._clock()
        )
        while changed := await self._storage.write(forget):
            for table_id in changed:
                await self._master.forget(table_id)
            await asyncio.sleep(_PAUSE_SECONDS)
        changed = await self._storage.write(
            partial(players.erase_player, player_id=player_id, at=self._clock())
        )
        for table_id in changed:
            await self._master.forget(table_id)

    # What they have done

    async def shown(self, name: str, known: Known | None) -> Player:
        """The player with a name, or an id, if they show themselves to whoever asks."""
        found = await self._storage.read(partial(players.known_player, name=name))
        if not found.public and (known is None or known.player.id != found.id):
            raise UnknownPlayer  # in the same words: nobody finds out who there is
        return found

    async def games_count(self, player: Player, most: int | None = None) -> int:
        """How many games there are of a player, but no more than this is counted."""
        return await self._storage.read(
            partial(count_games, player_id=player.id, most=most),
        )

    async def profile(self, player: Player, known: Known | None) -> Profile:
        """What a player has done."""
        mine = known is not None and known.player.id == player.id
        return await self._storage.read(partial(profile_of, player=player, mine=mine))

    async def games(
        self, name: str, known: Known | None, before: tuple[datetime, str] | None
    ) -> GamesPage:
        """Games of a player."""
        player = await self.shown(name, known)
        mine = known is not None and known.player.id == player.id
        return await self._storage.read(partial(games_of, player=player, before=before, mine=mine))

    async def kept_record(self, table_id: str) -> str:
        """The record of a finished game, whose players have numbers in it for names."""
        return game_text(await self._storage.read(partial(kept_game, table_id=table_id)))

    async def export(self, known: Known) -> bytes:
        """Everything that is known of a player, packed: it may have megabytes."""
        me = await self.me(known)
        return await self._storage.read(partial(packed_export, player=known.player, me=me))

    async def me(self, known: Known) -> Me:
        """A player as they see themselves."""
        player = known.player
        devices = await self.devices(known)
        kept = await self._storage.read(partial(passkeys.passkeys_of, player_id=player.id))
        (view,) = await self.views([player], player.id)
        return Me(
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
            passkeys=tuple(
                PasskeyView(one.id, one.name, time_text(one.added_at), time_text(one.used_at))
                for one in kept
            ),
        )

    async def leaderboard(self, kind: RatingKind, size: TableSize) -> Leaderboard:
        """The strongest players, as they were a minute ago."""
        kept, now = self._leaders.get((kind, size)), monotonic()
        if kept is None or now - kept[0] > LEADERS_SECONDS:
            # whoever comes meanwhile is shown the old one
            if kept is not None:
                self._leaders[kind, size] = now, kept[1]
            found = await self._storage.read(partial(leaderboard, kind=kind, size=size))
            kept = self._leaders[kind, size] = now, found
        return kept[1]

    def forget_leaders(self) -> None:
        """Work out the leaderboards again, though they are not old."""
        self._leaders.clear()

    # Courtesy

    async def courtesies(self, known: Known) -> CourtesyList:
        """Everybody whom a player has muted or blocked."""
        return CourtesyList(
            await self._storage.read(partial(players.courtesies_of, player_id=known.player.id))
        )

    async def set_courtesy(self, known: Known, other: str, kind: Courtesy | None) -> None:
        """Mute or block a player, or neither."""
        mine = known.player.id
        if kind is None:
            change = partial(players.lift_courtesy, player_id=mine, other_id=other)
            await self._storage.write(change)
            return
        await self._storage.write(
            partial(
                players.set_courtesy,
                player_id=mine,
                other_id=other,
                kind=kind.value,
                at=self._clock(),
            )
        )

    async def report(self, known: Known, table_id: str, asked: ReportPlayer) -> None:
        """Report a player to the operator, with the moment at a table."""
        table = (await self._master.stored(table_id)).table
        if asked.n > table.n or asked.seat >= len(table.seats):
            raise NotFound("This table has no event {n}.", n=asked.n)
        await self._storage.write(
            partial(
                players.add_report,
                reporter=known.player.id,
                table_id=table_id,
                seat=asked.seat,
                n=asked.n,
                reason=asked.reason.value,
                at=self._clock(),
            )
        )
        _log.warning("Player at seat %d of table %s is reported.", asked.seat, table_id)

    # Seats

    async def note_household(self, known: Known, address: str) -> None:
        """Note where a player sits down at a rated table: who leads has met other households."""
        if self._household_secret is None:
            self._household_secret = await self._storage.daily_secret(new_secret())
        household = household_of(self._household_secret, address)
        if household != known.player.household:
            mine = known.player.id
            await self._storage.write(
                partial(players.note_household, player_id=mine, household=household)
            )

    async def open(
        self, asked: OpenTable | OpenLesson, key: str | None, address: str
    ) -> tuple[Table, Opening]:
        """Open a table; with a key, the first person's seat is that player's."""
        known = await self.maybe(key)
        if isinstance(asked, OpenTable):
            if asked.rated and known is None:
                raise ProfileNeeded(
                    "This game is rated: to sit down, begin a profile with your name."
                )
            if asked.listed and known is None:
                raise ProfileNeeded("To open a table for everybody, begin a profile first.")
            if asked.listed and known is not None and known.player.excluded:
                raise Refused("The operator of this server has excluded you from its lobby.")
            if known is not None:
                asked = _named(asked, known.player)
                if asked.rated:
                    await self.note_household(known, address)
        opening = open_table(asked, self._clock())
        new_table = opening.new_table
        people = [] if isinstance(asked, OpenLesson) else _seats_of_people(asked)
        if known is not None and len(people) == 1:
            opening = replace(
                opening, new_table=replace(new_table, players={people[0]: known.player.id})
            )
        table = await self._master.open(opening.new_table)
        if known is not None and isinstance(asked, OpenTable) and asked.listed:
            await self._storage.write(
                partial(
                    lobby.list_table, table_id=table.id, player_id=known.player.id, at=self._clock()
                )
            )
        return table, opening

    async def take_seat(
        self, table_id: str, asked: TakeSeat, secret: str, key: str | None, address: str
    ) -> int:
        """Take a free seat; with a key, it is that player's, who has no other there."""
        known = await self.maybe(key)
        if known is None:
            return await self._master.take_seat(table_id, asked, secret)
        player = known.player
        held = await self._storage.read(
            partial(players.seat_of, table_id=table_id, player_id=player.id)
        )
        if held is not None and not hmac.compare_digest(held[1], hashed(secret)):
            raise Refused("You have a seat at this table already, on another device perhaps.")
        blocked = partial(lobby.blocked_at, table_id=table_id, player_id=player.id)
        if held is None and await self._storage.read(blocked):
            raise Refused("You cannot sit down at this table: choose another one.")
        if (await self._master.stored(table_id)).table.opened.rated:
            await self.note_household(known, address)
        asked = TakeSeat(player.name, asked.colour, asked.salt, asked.salt_commitment, asked.secret)
        return await self._master.take_seat(table_id, asked, secret, player.id)

    async def at_table(self, table_id: str, known: Known | None) -> tuple[SeatPlayer, ...]:
        """The players at a table, and whether whoever asks has muted them."""
        tables = await self._storage.read(partial(players.players_at, tables=[table_id]))
        found = tables[table_id]
        views = await self.views([player for _, player in found])
        muted: set[str] = set()
        if known is not None and found:
            muted = await self._storage.read(partial(players.muted_by, player_id=known.player.id))
        return tuple(
            SeatPlayer(seat, view, muted=view.id in muted)
            for (seat, _), view in zip(found, views, strict=True)
        )

    async def at_tables(self, tables: Sequence[str]) -> Mapping[str, list[PlayerView]]:
        """The players at tables, as everybody sees them: all of them together."""
        seats = await self._storage.read(partial(players.players_at, tables=tables))
        views = iter(await self.views([player for at in seats.values() for _, player in at]))
        return {table: list(islice(views, len(at))) for table, at in seats.items()}

    async def views(self, found: Sequence[Player], mine: str | None = None) -> list[PlayerView]:
        """Players as others see them: ratings are shown with their games, or not at all."""
        shown = [player.id for player in found if player.public or player.id == mine]
        ratings = await self._storage.read(partial(players.ratings_of, ids=shown))
        return [
            PlayerView(player.id, player.name, player.mark, ratings.get(player.id, ()))
            for player in found
        ]
