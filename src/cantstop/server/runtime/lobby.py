"""The lobby of a server: who is here, who looks for others, and what can be watched."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from time import monotonic

from msgspec import UNSET, structs

from cantstop.rules import EDITIONS
from cantstop.server.database import lobby
from cantstop.server.database.players import Known
from cantstop.server.database.sql import Database
from cantstop.server.errors import Illegal, NotFound, Refused
from cantstop.server.runtime.club import Club
from cantstop.server.runtime.master import Master
from cantstop.server.runtime.presence import Presence
from cantstop.server.runtime.table_summaries import TableSummaries
from cantstop.server.tables.pairing import ANYBODY, Seek, bot_for
from cantstop.server.tables.seating import hashed
from cantstop.table.table import Stage, Table
from cantstop.wire.club import (
    BotSuggestion,
    LobbyGame,
    LobbyTable,
    LobbyView,
    PlayerView,
    SeekPlayers,
    SeekView,
)
from cantstop.wire.events import time_text

VIEW_SECONDS = 2.0
"""How old the lobby may be that is shown."""
SHARE = 0.05
"""The part of the time that looking may take: what took a second is shown for twenty."""
MOST_EVENTS = 2000
"""A table that has had more than this is not in the lobby any more: a game of four has some 500."""
CACHE_BYTES = 1_000_000
TABLE_BYTES = 1500
"""About what a table in the lobby takes."""
NOTE_SECONDS = 15.0
"""How often it is written that a player is here."""
COUNTED_SECONDS = lobby.SEATED.total_seconds()
MOST_NOTED = 10_000
MOST_HERE, MOST_GAMES = 50, 6


class Lobby:
    """Where players find each other; a server for one household has none."""

    def __init__(
        self,
        storage: Database,
        master: Master,
        presence: Presence,
        club: Club,
        clock: Callable[[], datetime],
        *,
        is_open: bool,
    ) -> None:
        self.is_open = is_open
        self._storage = storage
        self._presence = presence
        self._club = club
        self._clock = clock
        self._noted: OrderedDict[str, float] = OrderedDict()
        """When it was written last that a player is here."""
        self._begun: OrderedDict[str, tuple[str, float]] = OrderedDict()
        """What players look for, by the hash of its secret, and since when that was counted."""
        self._shown: LobbyView | None = None
        self._look_again_at = 0.0
        self._summaries = TableSummaries[datetime, LobbyTable | LobbyGame | None](
            "lobby", storage, master, clock, _summary, CACHE_BYTES, TABLE_BYTES
        )
        self._looking = asyncio.Lock()

    def check_open(self) -> None:
        """Refuse where there is no lobby."""
        if not self.is_open:
            raise NotFound("This server has no lobby: its operator may open one (--lobby on).")

    def _check_player(self, known: Known) -> None:
        self.check_open()
        if known.player.excluded:
            raise Refused("The operator of this server has excluded you from its lobby.")

    # Looking for others

    def begins(self, known: Known, asked: SeekPlayers) -> bool:
        """Whether a player begins to look for others, which counts as a table that is opened.

        So does whoever goes on for long: what was found is forgotten after a while.
        """
        secret, since = self._begun.get(known.player.id, ("", 0.0))
        return secret != hashed(asked.secret) or monotonic() - since > COUNTED_SECONDS

    def note_begun(self, known: Known, asked: SeekPlayers) -> None:
        """That was counted."""
        self._begun[known.player.id] = hashed(asked.secret), monotonic()
        self._begun.move_to_end(known.player.id)
        if len(self._begun) > MOST_NOTED:
            self._begun.popitem(last=False)

    async def seek(self, known: Known, asked: SeekPlayers, address: str) -> SeekView:
        """Look for others, or go on; whoever can be seated, is."""
        self._check_player(known)
        edition = asked.edition.lower()
        if edition not in EDITIONS:
            raise Illegal("There is no edition “{name}” in the lobby.", name=edition)
        if asked.rated:
            await self._club.note_household(known, address)
        player, now = known.player, self._clock()
        seek = Seek(
            player.id,
            player.name,
            hashed(asked.secret),
            asked.players,
            edition,
            asked.rated,
            now,
        )
        return await self._renew(seek, with_bot=False)

    async def seek_bot(self, known: Known) -> SeekView:
        """Sit down with a bot, unless others have come at this very moment."""
        self._check_player(known)
        mine = partial(lobby.seek_of, player_id=known.player.id)
        seek = await self._storage.read(mine)
        if seek is None:
            raise Refused("You are not looking for anybody any more.")
        return await self._renew(seek, with_bot=True)

    async def _renew(self, seek: Seek, *, with_bot: bool) -> SeekView:
        now = self._clock()
        found, others = await self._storage.renew_seek(seek, now, with_bot=with_bot)
        offer = None
        if found.table is None and now - found.since >= ANYBODY:
            offer = BotSuggestion(*bot_for(found.rating))
        return SeekView(time_text(found.since), others, offer, found.table, found.seat)

    async def stop(self, known: Known) -> None:
        """Do not look any more."""
        self.check_open()
        await self._storage.write(partial(lobby.end_seek, player_id=known.player.id))

    # What is shown

    async def view(self, known: Known | None) -> LobbyView:
        """Who is here, open tables, games to watch; as of some seconds ago."""
        self.check_open()
        if known is not None and not known.player.excluded:
            await self._note(known.player.id)
        if self._shown is not None and self._looking.locked():
            return self._shown  # another request is looking just now: nobody waits for that
        async with self._looking:
            if self._shown is None or monotonic() > self._look_again_at:
                began = monotonic()
                self._shown = await self._look()
                took = monotonic() - began
                self._look_again_at = began + max(VIEW_SECONDS, took / SHARE)
            return self._shown

    def forget_view(self) -> None:
        """Look again, though it was shown a moment ago."""
        self._shown = None

    async def _note(self, player_id: str) -> None:
        now = monotonic()
        if now - self._noted.get(player_id, -NOTE_SECONDS) < NOTE_SECONDS:
            return
        self._noted[player_id] = now
        self._noted.move_to_end(player_id)
        if len(self._noted) > MOST_NOTED:
            self._noted.popitem(last=False)
        await self._storage.write(partial(lobby.note_here, player_id=player_id, at=self._clock()))

    async def _look(self) -> LobbyView:
        now = self._clock()
        here, count = await self._storage.read(partial(lobby.who_is_here, at=now, most=MOST_HERE))
        seeking = await self._storage.read(partial(lobby.count_seeking, at=now))
        tables, games = await self._tables(now)
        views = await self._club.views(here)
        return LobbyView(tuple(views), count, seeking, tables, games)

    async def _tables(self, now: datetime) -> tuple[tuple[LobbyTable, ...], tuple[LobbyGame, ...]]:
        listed = dict(await self._storage.read(partial(lobby.listed_tables, at=now)))
        found = await self._summaries.of(listed, most_events=MOST_EVENTS)
        tables: list[LobbyTable] = []
        games: list[tuple[float, LobbyGame]] = []
        seated = await self._club.at_tables([table_id for table_id, one in found.items() if one])
        for table_id, summary in found.items():
            if summary is None:
                continue
            players = tuple(seated[table_id])
            if isinstance(summary, LobbyGame):
                watching = self._presence.watchers(table_id)
                game = structs.replace(summary, watching=watching)
                games.append((_strength(players), game))
            elif summary.free:
                tables.append(structs.replace(summary, players=players))
        if gone := [table_id for table_id in listed if found.get(table_id) is None]:
            await self._storage.write(partial(lobby.unlist_tables, ids=gone, at=now))
        games.sort(key=lambda pair: -pair[0])
        return tuple(tables), tuple(game for _, game in games[:MOST_GAMES])


def _strength(players: Sequence[PlayerView]) -> float:
    """How good a game is to watch: the best of those who play it."""
    values = (rating.value for player in players for rating in player.ratings)
    return max(values, default=0.0)


def _summary(table: Table, opened_at: datetime) -> LobbyTable | LobbyGame | None:
    """What the lobby shows of a table; nothing where the game is over."""
    if table.stage is Stage.OVER:
        return None
    if table.stage is Stage.PLAYING:
        won = table.position.tokens.won_by
        return LobbyGame(
            id=table.id,
            n=table.n,
            turn=table.turn,
            names=tuple(seat.name or "" for seat in table.seats),
            columns=tuple(len(won(seat)) for seat in range(len(table.seats))),
            win=table.rules.columns_to_win,
            rated=table.opened.rated,
            watching=0,
        )
    return LobbyTable(
        id=table.id,
        rules=str(table.rules),
        edition=table.opened.edition,
        size=len(table.seats),
        free=sum(seat.kind == "open" for seat in table.seats),
        clock=table.opened.clock,
        days=table.opened.days or UNSET,
        rated=table.opened.rated,
        opened_at=time_text(opened_at),
        names=tuple(seat.name for seat in table.seats if seat.name is not None),
        players=(),
    )
