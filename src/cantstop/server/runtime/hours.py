"""When players have time for slow games: what they say of it, and the turns that it moves."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from cantstop.server.database.hours import (
    MovedTurns,
    add_away,
    calendar_of,
    cancel_away,
    set_hours,
)
from cantstop.server.database.sql import Database
from cantstop.server.errors import Malformed
from cantstop.server.tables.hours import MOST_AWAY, Away, Calendar, Hours, away_in
from cantstop.server.tables.players import Player
from cantstop.wire.events import time_text
from cantstop.wire.hours import AnnounceAway, AwayView, PlayerHours, SetHours


class Availability:
    """The hours of players, by a clock that is believed: what they move is the end of turns."""

    def __init__(
        self,
        storage: Database,
        believed: Callable[[], datetime],
        on_moved: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._storage = storage
        self._believed = believed
        self._on_moved = on_moved
        """Called with each table whose running turn ends at another time now."""

    async def of(self, player: Player) -> PlayerHours:
        """What a player has said."""
        calendar = await self._storage.read(partial(calendar_of, player_id=player.id))
        return self._view(calendar)

    async def change(self, player: Player, asked: SetHours) -> tuple[PlayerHours, int]:
        """New hours; and how many running turns were looked at for it."""
        hours = Hours(asked.zone, asked.quiet_from, asked.quiet_until, asked.weekends_off)
        return await self._changed(partial(set_hours, player_id=player.id, hours=hours))

    async def announce(self, player: Player, asked: AnnounceAway) -> tuple[PlayerHours, int]:
        """A time away."""
        away = Away(moment(asked.from_at, "from_at"), moment(asked.until_at, "until_at"))
        return await self._changed(partial(add_away, player_id=player.id, away=away))

    async def cancel(self, player: Player, start: str) -> tuple[PlayerHours, int]:
        """Do not go, or be back."""
        at = moment(start, "from")
        return await self._changed(partial(cancel_away, player_id=player.id, start=at))

    async def _changed(self, change: Callable[..., MovedTurns]) -> tuple[PlayerHours, int]:
        done = await self._storage.write(partial(change, now=self._believed()))
        for table_id in done.tables:
            self._on_moved(table_id)
        return self._view(done.calendar), done.looked_at

    def _view(self, calendar: Calendar) -> PlayerHours:
        hours, now = calendar.hours, self._believed()
        left = MOST_AWAY - away_in(now.year, calendar.away)
        return PlayerHours(
            zone=hours.zone,
            quiet_from=hours.quiet_from,
            quiet_until=hours.quiet_until,
            weekends_off=hours.weekends_off,
            away=tuple(
                AwayView(time_text(one.start), time_text(one.end))
                for one in calendar.away
                if one.end > now
            ),
            away_hours_left=max(0.0, left.total_seconds() / 3600),
        )


def moment(text: str, field: str) -> datetime:
    """A moment as clients write it: ISO 8601, with a zone."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is not None:
            return found.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise Malformed("“{field}” is missing or cannot be read.", field=field)
