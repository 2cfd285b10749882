"""What players have done: profiles, pages of games, the leaderboard. Each is a few statements."""

import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.database.contacts import calls_export
from cantstop.server.database.hours import calendar_of
from cantstop.server.database.players import (
    courtesies_of,
    days_of,
    player_view,
    rating_view,
    ratings_of,
    tables_of,
)
from cantstop.server.tables.hours import Calendar
from cantstop.server.tables.players import Player
from cantstop.wire.club import (
    CostlyDecision,
    ErrorTally,
    GamesPage,
    GameSummary,
    Leader,
    Leaderboard,
    Me,
    OpponentTally,
    PlayerExport,
    PlayerView,
    Profile,
    RatingKind,
    RulesTally,
    SeatResult,
    Span,
    TableSize,
    Tally,
    WhyNot,
)
from cantstop.wire.codec import encode
from cantstop.wire.daily import DailyTry
from cantstop.wire.events import time_text
from cantstop.wire.hours import AwayView, KnownHours

MOST_GAMES = 1000
"""The newest games of a player, which a profile sums up: a bound for its time."""
MOST_OPPONENTS, MOST_COSTLY, PAGE = 20, 10, 20

WIDEST = {TableSize.TWO: 300.0, TableSize.MORE: 400.0}
"""The widest interval that is ranked, from low to high."""
FEWEST_OPPONENTS = 5
"""From how many households, or how many bots."""
MOST_LEADERS = 100

_GAMES, _SEATS, _PLAYERS = schema.games.c, schema.game_seats.c, schema.players.c
_COSTLY = schema.costly_decisions.c
_SHOWN = [column for column in _GAMES if column is not _GAMES.record]
"""All of a game but the game itself, which nobody reads from a list."""


@dataclass(frozen=True)
class _Seen:
    """Who may be named to whoever asks: those who are public, and all to the player themselves."""

    mine: bool
    players: Mapping[str, tuple[str, bool]]

    def player(self, player_id: str | None) -> str | None:
        return player_id if player_id is not None and self._is_public(player_id) else None

    def name(self, player_id: str | None) -> str:
        if player_id is None or not (self.mine or self._is_public(player_id)):
            return ""
        return self.players[player_id][0] if player_id in self.players else ""

    def _is_public(self, player_id: str) -> bool:
        return player_id in self.players and self.players[player_id][1]


def _seen(connection: sa.Connection, ids: set[str], *, mine: bool) -> _Seen:
    query = sa.select(_PLAYERS.id, _PLAYERS.name, _PLAYERS.public).where(_PLAYERS.id.in_(ids))
    if not ids:
        return _Seen(mine, {})
    rows = connection.execute(query)
    return _Seen(mine, {row.id: (row.name, row.public) for row in rows})


def profile_of(connection: sa.Connection, player: Player, *, mine: bool) -> Profile:
    """What a player has done, as they see it themselves or as others do."""
    rows = _newest(connection, player)
    several = [row for row in rows if row.size > 1]
    known = [row for row in several if row.luck is not None]
    wins = [row.won for row in several]
    sums = _sums(known)
    ratings = ratings_of(connection, [player.id])
    return Profile(
        player=player_view(player, ratings.get(player.id, ())),
        mine=mine,
        public=player.public,
        since=time_text(player.created_at),
        total=Tally(len(wins), sum(wins)),
        by_rules=_by_rules(rows),
        opponents=_opponents(connection, player.id, mine=mine),
        streak=_streak(wins),
        best_streak=_best_streak(wins),
        months=_months(known),
        errors=(
            ErrorTally("stop or roll", sums.press_decisions, sums.press_error),
            ErrorTally("which move", sums.move_decisions, sums.move_error),
        ),
        grades={
            "inaccuracy": sums.inaccuracies,
            "mistake": sums.mistakes,
            "blunder": sums.blunders,
        },
        costly=costly_of(connection, player.id, MOST_COSTLY) if mine else (),
        days=days_of(connection, player.id),
    )


class _Sums(NamedTuple):
    """Decisions, errors and grades of games together."""

    press_decisions: int = 0
    press_error: float = 0.0
    move_decisions: int = 0
    move_error: float = 0.0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0


class _Game(NamedTuple):
    """A game of a player. Attributes of a tuple cost a tenth of those of a database's row."""

    month: str
    won: bool
    luck: float | None
    skill: float | None
    edition: str
    size: int
    summed: Sequence[float]
    """What ``_Sums`` adds up."""


def _newest(connection: sa.Connection, player: Player) -> list[_Game]:
    """The newest games of a player, the last one first."""
    query = (
        sa.select(
            _SEATS.finished_at,
            _SEATS.won,
            _SEATS.luck,
            _SEATS.skill,
            _GAMES.edition,
            _GAMES.size,
            *(_SEATS[name] for name in _Sums._fields),
        )
        .join_from(schema.game_seats, schema.games, _GAMES.table_id == _SEATS.table_id)
        .where(_SEATS.player_id == player.id)
        .order_by(_SEATS.finished_at.desc())
        .limit(MOST_GAMES)
    )
    return [
        _Game(f"{at.year:04}-{at.month:02}", won, luck, skill, edition, size, summed)
        for at, won, luck, skill, edition, size, *summed in connection.execute(query)
    ]


def _sums(known: Sequence[_Game]) -> _Sums:
    return _Sums(*map(sum, zip(*(game.summed for game in known), strict=True)))


def _by_rules(rows: Sequence[_Game]) -> tuple[RulesTally, ...]:
    games = Counter((row.edition, row.size) for row in rows)
    won = Counter((row.edition, row.size) for row in rows if row.won)
    return tuple(
        RulesTally(edition, size, count, won[edition, size])
        for (edition, size), count in games.most_common()
    )


def _streak(wins: Sequence[bool]) -> int:
    """How many of the newest games in a row were won, or with a minus lost."""
    if not wins:
        return 0
    count = next((at for at, won in enumerate(wins) if won != wins[0]), len(wins))
    return count if wins[0] else -count


def _best_streak(wins: Sequence[bool]) -> int:
    best = count = 0
    for won in wins:
        count = count + 1 if won else 0
        best = max(best, count)
    return best


def _months(known: Sequence[_Game]) -> tuple[Span, ...]:
    """Luck and skill by month, the first one first."""
    found = []
    for month, group in groupby(reversed(known), attrgetter("month")):
        games = list(group)
        found.append(Span(month, len(games), _mean(games, "luck"), _mean(games, "skill")))
    return tuple(found)


def _mean(games: Sequence[_Game], name: str) -> float:
    total: float = sum(map(attrgetter(name), games))
    return total / len(games)


def _opponents(
    connection: sa.Connection, player_id: str, *, mine: bool
) -> tuple[OpponentTally, ...]:
    newest = (
        sa.select(_SEATS.table_id, _SEATS.seat, _SEATS.won)
        .where(_SEATS.player_id == player_id)
        .order_by(_SEATS.finished_at.desc())
        .limit(MOST_GAMES)
        .subquery()
    )
    other = schema.game_seats.alias("other")
    count = sa.func.count().label("games")
    rows = connection.execute(
        sa.select(
            other.c.player_id,
            other.c.bot,
            count,
            sa.func.sum(sa.case((newest.c.won, 1), else_=0)).label("won"),
        )
        .join_from(newest, other, other.c.table_id == newest.c.table_id)
        .where(other.c.seat != newest.c.seat)
        .group_by(other.c.player_id, other.c.bot)
        .order_by(count.desc(), other.c.player_id, other.c.bot)
        .limit(MOST_OPPONENTS)
    ).all()
    seen = _seen(connection, {row.player_id for row in rows if row.player_id}, mine=mine)
    return tuple(
        OpponentTally(
            seen.player(row.player_id), seen.name(row.player_id), row.bot, row.games, row.won
        )
        for row in rows
    )


def costly_of(
    connection: sa.Connection, player_id: str, most: int | None
) -> tuple[CostlyDecision, ...]:
    """The decisions of a player that have cost most."""
    query = (
        sa.select(schema.costly_decisions)
        .where(_COSTLY.player_id == player_id)
        .order_by(_COSTLY.error.desc())
        .limit(most)
    )
    return tuple(
        CostlyDecision(
            row.table_id, row.n, row.position, row.question, row.chosen, row.best, row.error
        )
        for row in connection.execute(query)
    )


# Games


def games_of(
    connection: sa.Connection,
    player: Player,
    before: tuple[datetime, str] | None,
    *,
    mine: bool,
    most: int | None = PAGE,
) -> GamesPage:
    """Games of a player before one of them, the last one first."""
    query = (
        sa.select(*_SHOWN, _SEATS.seat, _SEATS.left_at)
        .join_from(schema.game_seats, schema.games, _GAMES.table_id == _SEATS.table_id)
        .where(_SEATS.player_id == player.id)
        .order_by(_SEATS.finished_at.desc(), _SEATS.table_id.desc())
    )
    if before is not None:
        at, table = before
        earlier = sa.or_(
            _SEATS.finished_at < at,
            sa.and_(_SEATS.finished_at == at, _SEATS.table_id < table),
        )
        query = query.where(_SEATS.finished_at <= at, earlier)
    rows: Sequence[Any] = connection.execute(query if most is None else query.limit(most + 1)).all()
    shown = rows if most is None else rows[:most]
    seats = _seats_of(connection, [row.table_id for row in shown])
    ids = {seat.player_id for found in seats.values() for seat in found if seat.player_id}
    seen = _seen(connection, ids, mine=mine)
    last = shown[-1] if len(shown) < len(rows) else None
    return GamesPage(
        tuple(_summary(row, seats[row.table_id], seen, player) for row in shown),
        None if last is None else f"{last.finished_at.isoformat()} {last.table_id}",
    )


def _seats_of(connection: sa.Connection, tables: Sequence[str]) -> Mapping[str, list[sa.Row[Any]]]:
    found: dict[str, list[sa.Row[Any]]] = {table: [] for table in tables}
    for first in range(0, len(tables), MOST_GAMES):
        query = (
            sa.select(schema.game_seats)
            .where(_SEATS.table_id.in_(tables[first : first + MOST_GAMES]))
            .order_by(_SEATS.table_id, _SEATS.seat)
        )
        for row in connection.execute(query):
            found[row.table_id].append(row)
    return found


def _summary(
    row: sa.Row[Any], seats: Sequence[sa.Row[Any]], seen: _Seen, player: Player
) -> GameSummary:
    return GameSummary(
        table=row.table_id,
        finished_at=time_text(row.finished_at),
        edition=row.edition,
        rules=row.rules,
        seat=row.seat,
        turns=row.turns,
        rated=row.why_not != WhyNot.UNRATED,
        counts=row.why_not is None,
        why_not=None if row.why_not is None else WhyNot(row.why_not),
        left=row.left_at is not None,
        reviewed=bool(row.evaluator),
        seats=tuple(
            SeatResult(
                seat=seat.seat,
                player=player.id if seat.player_id == player.id else seen.player(seat.player_id),
                name=player.name if seat.player_id == player.id else seen.name(seat.player_id),
                bot=seat.bot,
                won=seat.won,
                luck=seat.luck,
                skill=seat.skill,
            )
            for seat in seats
        ),
    )


def count_games(connection: sa.Connection, player_id: str, most: int | None) -> int:
    """How many games there are of a player, but no more than this is counted."""
    mine = sa.select(_SEATS.table_id).where(_SEATS.player_id == player_id).limit(most)
    return connection.scalar(sa.select(sa.func.count()).select_from(mine.subquery())) or 0


# The leaderboard


def leaderboard(connection: sa.Connection, kind: RatingKind, size: TableSize) -> Leaderboard:
    """The strongest of those who are public, and whose rating is sure enough."""
    ratings = schema.leaders
    query = (
        sa.select(ratings, _PLAYERS.name, _PLAYERS.mark)
        .join_from(ratings, schema.players)
        .where(
            ratings.c.kind == kind.value,
            ratings.c.size == size.value,
            ratings.c.high - ratings.c.low <= WIDEST[size],
            ratings.c.opponents >= FEWEST_OPPONENTS,
            _PLAYERS.public,
            _PLAYERS.excluded_at.is_(None),
        )
        .order_by(ratings.c.value.desc(), ratings.c.player_id)
        .limit(MOST_LEADERS)
    )
    rows = connection.execute(query).all()
    places: dict[float, int] = {}
    for at, row in enumerate(rows, 1):
        places.setdefault(row.value, at)
    return Leaderboard(
        kind=kind,
        size=size,
        leaders=tuple(
            Leader(
                places[row.value],
                PlayerView(row.player_id, row.name, row.mark, (rating_view(row),)),
                rating_view(row),
            )
            for row in rows
        ),
        widest=WIDEST[size],
        opponents=FEWEST_OPPONENTS,
    )


# Everything


def packed_export(connection: sa.Connection, player: Player, me: Me) -> bytes:
    """The same as JSON, packed; where it is read, and not in the event loop."""
    return gzip.compress(encode(export_of(connection, player, me)), 6, mtime=0)


def export_of(connection: sa.Connection, player: Player, me: Me) -> PlayerExport:
    """Everything that is known of a player."""
    tries = schema.daily_tries.c
    mine = schema.daily_devices.c
    days = connection.execute(
        sa.select(schema.daily_tries)
        .join_from(schema.daily_tries, schema.daily_devices, tries.device_hash == mine.device_hash)
        .where(mine.player_id == player.id)
        .order_by(tries.day)
    )
    return PlayerExport(
        player=me,
        games=games_of(connection, player, None, mine=True, most=None).games,
        costly=costly_of(connection, player.id, None),
        days=tuple(
            DailyTry(
                row.name,
                True,  # noqa: FBT003
                None if row.finished_at is None else time_text(row.finished_at),
                row.turns,
                row.signs,
                row.luck,
                row.skill,
                row.table_id,
            )
            for row in days
        ),
        tables=tuple(table for table, _ in tables_of(connection, player.id)),
        courtesies=courtesies_of(connection, player.id),
        hours=known_hours(calendar_of(connection, player.id)),
        calls=calls_export(connection, player.id),
    )


def known_hours(calendar: Calendar) -> KnownHours:
    """What a player has said about their time, with all times away that are kept."""
    hours = calendar.hours
    return KnownHours(
        zone=hours.zone,
        quiet_from=hours.quiet_from,
        quiet_until=hours.quiet_until,
        weekends_off=hours.weekends_off,
        away=tuple(AwayView(time_text(one.start), time_text(one.end)) for one in calendar.away),
    )
