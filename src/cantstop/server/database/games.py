"""Finished games of players in the database: written as they end, looked at later, then rated.

A game is written in the transaction of the event that ends it, so that neither is there without
the other. What luck and skill it had follows from the game alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

import sqlalchemy as sa

from cantstop.server.database import schema
from cantstop.server.errors import UnknownTable
from cantstop.server.tables.changes import Change
from cantstop.server.tables.history import (
    FinishedGame,
    GameFindings,
    ended_in,
    finished_game,
)
from cantstop.wire.club import WhyNot

_GAMES, _SEATS, _HOLDERS = schema.games.c, schema.game_seats.c, schema.holders.c
_RATINGS = schema.ratings.c
_BATCH = 1000


# Written as they end


def write_games(connection: sa.Connection, changes: Iterable[Change]) -> None:
    """Write the games that these changes end, where players of the club have played them."""
    for change in changes:
        if not ended_in(change):
            continue
        held = sa.select(_HOLDERS.seat, _HOLDERS.player_id).where(
            _HOLDERS.table_id == change.table.id, _HOLDERS.player_id.is_not(None)
        )
        players = dict(map(tuple, connection.execute(held)))
        if players:
            insert_game(connection, finished_game(change.table, change.entries[-1].at), players)


def insert_game(connection: sa.Connection, game: FinishedGame, players: Mapping[int, str]) -> None:
    """Write a game; ``players`` are the ids of those seats that players of the club had."""
    strangers = any(
        seat.bot is None and number not in players for number, seat in enumerate(game.seats)
    )
    why_not = game.why_not or (WhyNot.STRANGER if strangers else None)
    who = schema.players.c
    query = sa.select(who.id, who.household).where(who.id.in_(players.values()))
    households = {row.id: row.household for row in connection.execute(query)}
    connection.execute(
        schema.games.insert(),
        {
            "table_id": game.table,
            "finished_at": game.finished_at,
            "edition": game.edition,
            "rules": game.rules,
            "size": len(game.seats),
            "turns": game.turns,
            "why_not": None if why_not is None else why_not.value,
            "record": game.packed,
        },
    )
    connection.execute(
        schema.game_seats.insert(),
        [
            {
                "table_id": game.table,
                "seat": number,
                "finished_at": game.finished_at,
                "player_id": players.get(number),
                "household": households.get(players.get(number, "")),
                "bot": seat.bot,
                "won": seat.won,
                "left_at": seat.left_at,
            }
            for number, seat in enumerate(game.seats)
        ],
    )


def kept_game(connection: sa.Connection, table_id: str) -> bytes:
    """The packed record of a finished game, which is there when its table has gone."""
    packed: bytes | None = connection.scalar(
        sa.select(_GAMES.record).where(_GAMES.table_id == table_id)
    )
    if packed is None:
        raise UnknownTable("There is no such table.")
    return packed


# Looked at later

NOBODY = ""
"""Stands for the evaluator of a game that is too large to be looked at."""


@dataclass(frozen=True)
class UnseenGame:
    """A game whose luck and skill are not known yet."""

    table: str
    packed: bytes
    left_at: int | None
    """When the first seat left."""
    counts: bool
    """Whether it counts for ratings."""


def unseen_game(connection: sa.Connection, table_id: str) -> UnseenGame | None:
    """A game, if it was not looked at yet and players of the club have played it."""
    query = sa.select(_GAMES.record, _GAMES.why_not).where(
        _GAMES.table_id == table_id, _GAMES.evaluator.is_(None)
    )
    found = connection.execute(query).one_or_none()
    if found is None:
        return None
    first = sa.select(sa.func.min(_SEATS.left_at)).where(_SEATS.table_id == table_id)
    return UnseenGame(
        table_id, found.record, connection.scalar(first), counts=found.why_not is None
    )


Ended = tuple[datetime, str]
"""When a game ended, and its table: all games stand in this order."""


def unseen_games(connection: sa.Connection, after: Ended | None, most: int) -> list[Ended]:
    """Games that were not looked at yet, in the order in which they ended, after one of them."""
    query = sa.select(_GAMES.finished_at, _GAMES.table_id).where(_GAMES.evaluator.is_(None))
    if after is not None:
        at, table = after
        same = sa.and_(_GAMES.finished_at == at, _GAMES.table_id > table)
        query = query.where(sa.or_(_GAMES.finished_at > at, same))
    query = query.order_by(_GAMES.finished_at, _GAMES.table_id).limit(most)
    return [(row.finished_at, row.table_id) for row in connection.execute(query)]


def give_up(connection: sa.Connection, table_id: str) -> None:
    """Note that a game is never going to be looked at, so that it takes no other's place."""
    connection.execute(
        schema.games.update().where(_GAMES.table_id == table_id).values(evaluator=NOBODY)
    )


def write_findings(connection: sa.Connection, table_id: str, found: GameFindings) -> None:
    """Write what a review has found out: the same, whoever does it."""
    connection.execute(
        schema.games.update().where(_GAMES.table_id == table_id).values(evaluator=found.evaluator)
    )
    rows = connection.execute(
        sa.select(_SEATS.seat, _SEATS.player_id).where(_SEATS.table_id == table_id)
    )
    players = dict(map(tuple, rows))
    for number, seat in enumerate(found.seats):
        connection.execute(
            schema.game_seats.update()
            .where(_SEATS.table_id == table_id, _SEATS.seat == number)
            .values(
                start=seat.start,
                luck=seat.luck,
                skill=seat.skill,
                drift=seat.drift,
                press_decisions=seat.press_decisions,
                press_error=seat.press_error,
                move_decisions=seat.move_decisions,
                move_error=seat.move_error,
                inaccuracies=seat.inaccuracies,
                mistakes=seat.mistakes,
                blunders=seat.blunders,
                left_chance=seat.left_chance,
            )
        )
    costly = schema.costly_decisions
    connection.execute(costly.delete().where(costly.c.table_id == table_id))
    mine = [one for one in found.costly if players.get(one.seat) is not None]
    if mine:
        connection.execute(
            costly.insert(),
            [
                {
                    "table_id": table_id,
                    "n": one.n,
                    "player_id": players[one.seat],
                    "position": one.position,
                    "question": one.question,
                    "chosen": one.chosen,
                    "best": one.best,
                    "error": one.error,
                }
                for one in mine
            ],
        )


# Rated


@dataclass(frozen=True)
class RatedSeat:
    """A seat of a game that counts."""

    player: str | None
    """None for a bot, or for “a player” who was erased."""
    bot: str | None
    won: bool
    left_at: int | None
    start: float | None
    luck: float | None
    left_chance: float | None
    household: int | None = None


@dataclass(frozen=True)
class RatedGame:
    """A game that counts; its luck is None where it was not looked at yet."""

    table: str
    finished_at: datetime
    evaluator: str | None
    seats: tuple[RatedSeat, ...]


def rated_games(connection: sa.Connection) -> Iterator[RatedGame]:
    """Every game that counts, in the order in which they ended."""
    query = (
        sa.select(
            _GAMES.table_id,
            _GAMES.finished_at,
            _GAMES.evaluator,
            _SEATS.player_id,
            _SEATS.bot,
            _SEATS.won,
            _SEATS.left_at,
            _SEATS.start,
            _SEATS.luck,
            _SEATS.left_chance,
            _SEATS.household,
        )
        .join_from(schema.games, schema.game_seats, _GAMES.table_id == _SEATS.table_id)
        .where(_GAMES.why_not.is_(None))
        .order_by(_GAMES.finished_at, _GAMES.table_id, _SEATS.seat)
    )
    with connection.execute(query, execution_options={"yield_per": _BATCH}) as rows:
        for table_id, group in groupby(rows, attrgetter("table_id")):
            seats = list(group)
            yield RatedGame(
                table_id,
                seats[0].finished_at,
                seats[0].evaluator,
                tuple(
                    RatedSeat(
                        row.player_id,
                        row.bot,
                        row.won,
                        row.left_at,
                        row.start,
                        row.luck,
                        row.left_chance,
                        row.household,
                    )
                    for row in seats
                ),
            )


def excluded_players(connection: sa.Connection) -> set[str]:
    """Those whom the operator has excluded: none of their games counts."""
    players = schema.players.c
    return set(connection.scalars(sa.select(players.id).where(players.excluded_at.is_not(None))))


@dataclass(frozen=True)
class RatingRow:
    """A rating, as it is kept."""

    player: str
    kind: str
    size: str
    value: float
    low: float
    high: float
    games: int
    replaces: float
    opponents: int
    evaluator: str


def write_ratings(
    connection: sa.Connection, rows: Sequence[RatingRow], table: sa.Table = schema.ratings
) -> None:
    """Replace all ratings by these; those of players who were erased meanwhile are left out.

    ``table`` is that of the ratings, or of the leaders.
    """
    known = set(connection.scalars(sa.select(schema.players.c.id)))
    connection.execute(table.delete())
    kept = [_rating(row) for row in rows if row.player in known]
    for first in range(0, len(kept), _BATCH):
        connection.execute(table.insert(), kept[first : first + _BATCH])


def _rating(row: RatingRow) -> Mapping[str, object]:
    return {
        "player_id": row.player,
        "kind": row.kind,
        "size": row.size,
        "value": row.value,
        "low": row.low,
        "high": row.high,
        "games": row.games,
        "replaces": row.replaces,
        "opponents": row.opponents,
        "evaluator": row.evaluator,
    }


def kept_ratings(connection: sa.Connection, table: sa.Table = schema.ratings) -> list[sa.Row[Any]]:
    """All ratings as they are kept, in the order of their keys; or those of the leaders."""
    query = sa.select(table).order_by(*table.primary_key)
    return list(connection.execute(query))
