"""Everybody's ratings, worked out again from the games that a database has."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import sqlalchemy as sa

from cantstop.ratings import (
    MODEL,
    Anchor,
    Fate,
    Findings,
    Game,
    Kind,
    Leaving,
    Member,
    Rater,
    Rating,
    Seat,
    Size,
    ladder_anchor,
)
from cantstop.server.database import schema
from cantstop.server.database.connections import migrate, open_engine, unusable_where_it_fails
from cantstop.server.database.games import (
    RatedGame,
    RatedSeat,
    RatingRow,
    excluded_players,
    kept_ratings,
    rated_games,
    write_ratings,
)

Progress = Callable[[int], None]
"""Takes how many games were read."""

_LOCK = 0x63616E74
"""What those hold who work ratings out in the same PostgreSQL: one after the other."""


# From games to ratings


@dataclass(frozen=True)
class WorkedOut:
    """All ratings, and what they are from."""

    rows: list[RatingRow]
    games: int
    """Those that count."""
    within: int = 0
    """Those of them within one household."""

    @property
    def players(self) -> int:
        """How many have a rating."""
        return len({row.player for row in self.rows})


def worked_out(
    games: Iterable[RatedGame],
    excluded: Collection[str] = (),
    progress: Progress = lambda _: None,
) -> WorkedOut:
    """The ratings that follow from these games, which come in the order in which they ended."""
    rater, count, within = Rater(), 0, 0
    evaluators: dict[tuple[Member, Size], set[str]] = {}
    for number, kept in enumerate(_in_order(games), 1):
        progress(number)
        game = game_of(kept, excluded)
        if game is None:
            continue
        rater.add(game)
        count += 1
        within += is_within(kept)
        if game.findings is not None and kept.evaluator:
            for member in game.members:
                known = evaluators.setdefault((member, Size.of(len(game.seats))), set())
                known.add(kept.evaluator)
    rows = [_row(one, evaluators.get((one.player, one.size), set())) for one in rater.ratings()]
    return WorkedOut(sorted(rows, key=_key), count, within)


def _in_order(games: Iterable[RatedGame]) -> Iterator[RatedGame]:
    """Those that ended at one moment by their ids: databases sort text in more than one way."""
    for _, group in groupby(games, attrgetter("finished_at")):
        yield from sorted(group, key=attrgetter("table"))


def game_of(game: RatedGame, excluded: Collection[str] = ()) -> Game | None:
    """A game as ratings see it; None if it does not count.

    It counts if each seat is a level of the ladder or a player, all of them different, none of them
    excluded or erased. Nobody knows who “a player” was: each game would be against a new one.
    """
    players = [_player(seat) for seat in game.seats]
    seats = [
        Seat(player, _fate(seat))
        for player, seat in zip(players, game.seats, strict=True)
        if player is not None
    ]
    members = [player.id for player in players if isinstance(player, Member)]
    counts = (
        2 <= len(seats) == len(game.seats) <= 4
        and 0 < len(members) == len(set(members))
        and not any(member in excluded for member in members)
        and any(seat.fate is not Fate.LEFT for seat in seats)
        and any(seat.fate is not Fate.LOST for seat in seats)
    )
    return Game(tuple(seats), _findings(game)) if counts else None


def _player(seat: RatedSeat) -> Member | Anchor | None:
    if seat.player is not None:
        return Member(seat.player)
    return None if seat.bot is None else ladder_anchor(seat.bot)


def _fate(seat: RatedSeat) -> Fate:
    if seat.left_at is not None:
        return Fate.LEFT
    return Fate.WON if seat.won else Fate.LOST


def _findings(game: RatedGame) -> Findings | None:
    """What is known of luck; None unless all is that Play needs."""
    starts = [seat.start for seat in game.seats if seat.start is not None]
    luck = [seat.luck for seat in game.seats if seat.luck is not None]
    if not game.evaluator or not len(starts) == len(luck) == len(game.seats):
        return None
    left = [(seat.left_at, n) for n, seat in enumerate(game.seats) if seat.left_at is not None]
    if not left:
        return Findings(tuple(starts), tuple(luck))
    chances = [seat.left_chance for seat in game.seats if seat.left_chance is not None]
    if len(chances) != len(game.seats):  # luck is the whole game's, of which others played a part
        return None
    return Findings(tuple(starts), tuple(luck), Leaving(min(left)[1], tuple(chances)))


def _row(rating: Rating, evaluators: Collection[str]) -> RatingRow:
    return RatingRow(
        rating.player.id,
        rating.kind.value,
        rating.size.value,
        rating.value,
        rating.low,
        rating.high,
        rating.games,
        rating.replaces,
        rating.opponents,
        _version(rating.kind, evaluators),
    )


def _version(kind: Kind, evaluators: Collection[str]) -> str:
    """The model and, in Play, what has found the luck: the name of one evaluator, or of many."""
    if kind is Kind.RESULTS:
        return f"model {MODEL}"
    names = sorted(evaluators)
    several = f"several-{sha256(' '.join(names).encode()).hexdigest()[:12]}"
    return f"model {MODEL}, {names[0] if len(names) == 1 else several}"


class _Key(NamedTuple):
    player: str
    kind: str
    size: str


def _key(row: RatingRow) -> _Key:
    return _Key(row.player, row.kind, row.size)


# Who may lead


def leading(
    found: WorkedOut, games: Iterable[RatedGame], excluded: Collection[str] = ()
) -> list[RatingRow]:
    """The ratings that leaderboards are made of, from the same games once more.

    Games within one household do not count for them: a player with many profiles at one address
    could lose to themselves as often as they like. Opponents are counted by household, and nobody
    leads who has played more than half of these games against one of them.
    """
    met = _Met()
    between = (
        met.noted(game)
        for game in games
        if not is_within(game) and game_of(game, excluded) is not None
    )
    if found.within:
        rows = worked_out(between, excluded).rows
    else:
        deque(between, 0)
        rows = found.rows
    counted = ((row, met.households(row)) for row in rows)
    return [
        replace(row, opponents=len(games))
        for row, games in counted
        if 2 * max(games.values(), default=0) <= games.total()
    ]


def is_within(game: RatedGame) -> bool:
    """Whether two players at a table were of one household."""
    known = [seat.household for seat in game.seats if seat.household is not None]
    return len(set(known)) < len(known)


Household = int | str
"""A number; or the id of a player of whom it is not known, or the name of a bot."""


class _Met:
    """How often players have met which households, and which bots."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, Size, bool], Counter[Household]] = defaultdict(Counter)
        """By the player, the size of the table, and whether it is bots."""

    def noted(self, game: RatedGame) -> RatedGame:
        """The same game, which is noted."""
        size = Size.of(len(game.seats))
        for own, seat in enumerate(game.seats):
            if seat.player is None:
                continue
            for n, other in enumerate(game.seats):
                if n != own and (household := _household(other)) is not None:
                    self._games[seat.player, size, other.player is None][household] += 1
        return game

    def households(self, row: RatingRow) -> Counter[Household]:
        """With whom a player has played what a rating is from; bots count for Play."""
        people = self._games[row.player, Size(row.size), False]
        if row.kind == Kind.RESULTS:
            return people
        return people + self._games[row.player, Size(row.size), True]


def _household(seat: RatedSeat) -> Household | None:
    if seat.player is None:
        return seat.bot
    return seat.player if seat.household is None else seat.household


# In a database


@dataclass(frozen=True)
class Recomputed:
    """What came of working all ratings out again."""

    games: int
    players: int
    ratings: int
    """How many there were or are."""
    differ: int
    """How many of them are new, gone or other ones."""


def recompute(url: str, progress: Progress = lambda _: None) -> Recomputed:
    """Work all ratings out from the games of a database, and replace those that it has.

    Servers go on meanwhile. Nobody sees a part of it; nothing is written if nothing differs.
    """
    engine = open_engine(url, must_exist=True)
    try:
        with unusable_where_it_fails():
            migrate(engine)
            return _recomputed(engine, progress)
    finally:
        engine.dispose()


def has_rated_games(connection: sa.Connection) -> bool:
    """Whether any game counts."""
    query = sa.select(schema.games.c.table_id).where(schema.games.c.why_not.is_(None)).limit(1)
    return connection.scalar(query) is not None


def _recomputed(engine: sa.Engine, progress: Progress) -> Recomputed:
    with _alone(engine):
        with engine.connect() as reading:
            excluded = excluded_players(reading)
            found = worked_out(rated_games(reading), excluded, progress)
            leaders = leading(found, rated_games(reading), excluded)
        with engine.execution_options(writes=True).begin() as writing:
            count, differ = _replaced(writing, found.rows, schema.ratings)
            _replaced(writing, leaders, schema.leaders)
    return Recomputed(found.games, found.players, count, differ)


def _replaced(
    connection: sa.Connection, rows: Sequence[RatingRow], table: sa.Table
) -> tuple[int, int]:
    """Write ratings where any differ; how many there were or are, and how many differ."""
    kept = (RatingRow(*tuple(row)) for row in kept_ratings(connection, table))
    before = {_key(row): row for row in kept}
    after = {_key(row): row for row in rows}
    keys = before.keys() | after.keys()
    differ = sum(before.get(key) != after.get(key) for key in keys)
    if differ:
        write_ratings(connection, rows, table)
    return len(keys), differ


@contextmanager
def _alone(engine: sa.Engine) -> Iterator[None]:
    """Of several workers one after the other: older ratings shall not replace newer ones."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.begin() as connection:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        yield
