"""Ratings in a database: worked out from the games that it has, by command and by servers."""

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from cantstop import Game as PlayedGame
from cantstop import Record, Rules
from cantstop.bots import bot_named, decide
from cantstop.ratings import Anchor, Fate, Findings, Game, Leaving, Member, Seat, rate
from cantstop.rules import Choice
from cantstop.server import ServerOptions, create_app
from cantstop.server.database import games, players, schema
from cantstop.server.database.connections import open_engine
from cantstop.server.database.games import RatedGame, RatedSeat, RatingRow
from cantstop.server.database.profiles import FEWEST_OPPONENTS, WIDEST
from cantstop.server.database.ratings import game_of, leading, recompute, worked_out
from cantstop.server.database.sql import Database, open_database
from cantstop.server.runtime import ratings as publishing
from cantstop.server.runtime.history import History
from cantstop.server.runtime.ratings import RatingsPublisher
from cantstop.server.tables.history import (
    FinishedGame,
    FinishedSeat,
    GameFindings,
    SeatFindings,
    packed_game,
)
from cantstop.server.tables.players import Device, Player
from cantstop.server.tables.seating import hashed
from cantstop.wire.club import TableSize, WhyNot
from patience import PATIENCE
from postgresql import Postgres

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
ANN, BOB, CAT = "Annxxxxxxxxx", "Bobxxxxxxxxx", "Catxxxxxxxxx"
EVALUATOR = "network-1"

ANN_WON, BOB_LOST = (
    RatedSeat(ANN, None, True, None, 0.54, 0.2, None),
    RatedSeat(BOB, None, False, None, 0.46, -0.2, None),
)


def rated(*seats: RatedSeat, table: str = "t", evaluator: str | None = EVALUATOR) -> RatedGame:
    """A game as the database tells it."""
    return RatedGame(table, NOON, evaluator, seats)


class TestOneGame:
    """A game as ratings see it."""

    def test_between_people(self) -> None:
        assert game_of(rated(ANN_WON, BOB_LOST)) == Game(
            (Seat(Member(ANN), Fate.WON), Seat(Member(BOB), Fate.LOST)),
            Findings((0.54, 0.46), (0.2, -0.2)),
        )

    def test_against_a_level_of_the_ladder_it_counts_for_play_only(self) -> None:
        fox = RatedSeat(None, "fox", False, None, 0.46, -0.2, None)
        game = game_of(rated(ANN_WON, fox))
        assert game is not None
        assert game.seats[1] == Seat(Anchor(1835.0), Fate.LOST)
        assert [row.kind for row in worked_out([rated(ANN_WON, fox)]).rows] == ["play"]

    def test_who_left_has_lost_and_luck_ends_there(self) -> None:
        left = RatedSeat(ANN, None, False, 7, 0.54, 0.1, 0.8)
        stayed = RatedSeat(BOB, None, False, None, 0.46, -0.1, 0.2)
        assert game_of(rated(left, stayed)) == Game(
            (Seat(Member(ANN), Fate.LEFT), Seat(Member(BOB), Fate.LOST)),
            Findings((0.54, 0.46), (0.1, -0.1), Leaving(0, (0.8, 0.2))),
        )

    def test_the_first_of_those_who_left_ended_it(self) -> None:
        seats = [
            RatedSeat(ANN, None, False, 9, 0.4, 0.1, 0.5),
            RatedSeat(BOB, None, False, 4, 0.3, 0.0, 0.3),
            RatedSeat(CAT, None, True, None, 0.3, -0.1, 0.2),
        ]
        game = game_of(rated(*seats))
        assert game is not None
        assert game.findings is not None
        assert game.findings.leaving == Leaving(1, (0.5, 0.3, 0.2))

    @pytest.mark.parametrize(
        "game",
        [
            rated(ANN_WON, BOB_LOST, evaluator=None),
            rated(ANN_WON, RatedSeat(BOB, None, False, None, 0.46, None, None)),
            rated(ANN_WON, RatedSeat(BOB, None, False, 7, 0.46, -0.2, None)),
        ],
        ids=["not looked at", "without luck", "with the luck of the whole game"],
    )
    def test_what_play_cannot_use_counts_for_results(self, game: RatedGame) -> None:
        assert {row.kind for row in worked_out([game]).rows} == {"results"}

    @pytest.mark.parametrize(
        "seats",
        [
            (ANN_WON, RatedSeat(None, None, False, None, 0.46, -0.2, None)),
            (ANN_WON, RatedSeat(None, "careful", False, None, 0.46, -0.2, None)),
            (ANN_WON, RatedSeat(ANN, None, False, None, 0.46, -0.2, None)),
            (ANN_WON,),
            (RatedSeat(None, "fox", True, None, 0.5, 0, None),) * 2,
            (BOB_LOST, RatedSeat(ANN, None, False, None, 0.5, 0, None)),
            (RatedSeat(ANN, None, False, 3, 1, 0, 1), RatedSeat(BOB, None, False, 5, 1, 0, 1)),
        ],
        ids=["erased", "other bot", "oneself", "alone", "bots", "nobody won", "all left"],
    )
    def test_what_does_not_count(self, seats: tuple[RatedSeat, ...]) -> None:
        assert game_of(rated(*seats)) is None

    def test_no_game_of_an_excluded_player_counts(self) -> None:
        found = worked_out([rated(ANN_WON, BOB_LOST)], {BOB})
        assert (found.rows, found.games, found.players) == ([], 0, 0)


class TestAllGames:
    def test_those_that_ended_at_one_moment_are_in_the_order_of_their_ids(self) -> None:
        lucky = RatedSeat(ANN, None, True, None, 0.54, 0.5, None)
        one, other = rated(ANN_WON, BOB_LOST, table="a"), rated(lucky, BOB_LOST, table="b")
        assert worked_out([one, other]) == worked_out([other, one])

    def test_a_rating_says_what_found_the_luck(self) -> None:
        one, other = rated(ANN_WON, BOB_LOST), rated(ANN_WON, BOB_LOST, evaluator="network-2")
        versions = {row.kind: row.evaluator for row in worked_out([one]).rows}
        assert versions == {"results": "model 2", "play": "model 2, network-1"}
        both = {row.kind: row.evaluator for row in worked_out([one, other]).rows}
        assert both["play"].startswith("model 2, several-")
        assert len(both["play"]) <= schema.ratings.c.evaluator.type.length  # type: ignore[attr-defined]


class TestLeading:
    """What leaderboards are made of."""

    def played(
        self, rival: str, household: int | None, own: int | None = 1, times: int = 4
    ) -> list[RatedGame]:
        """Games of Ann against one player, of which she loses each fourth.

        Of who always wins too little is known to lead.
        """
        return [
            rated(
                RatedSeat(ANN, None, n % 4 != 3, None, 0.5, 0.0, None, own),
                RatedSeat(rival, None, n % 4 == 3, None, 0.5, 0.0, None, household),
                table=f"{rival} {n}",
            )
            for n in range(times)
        ]

    def all_of(self, name: str, count: int, household: int | None = None) -> list[RatedGame]:
        """Games against several, each of a household of their own unless it is given."""
        found = [
            self.played(f"{name} {n}", n + 10 if household is None else household)
            for n in range(count)
        ]
        return [game for games in found for game in games]

    def leads(self, played: list[RatedGame], kind: str, excluded: tuple[str, ...] = ()) -> bool:
        """Whether Ann would be on a leaderboard, if she were public."""
        rows = leading(worked_out(played, excluded), iter(played), excluded)
        return any(
            row.opponents >= FEWEST_OPPONENTS and row.high - row.low <= WIDEST[TableSize.TWO]
            for row in rows
            if (row.player, row.kind) == (ANN, kind)
        )

    @pytest.mark.parametrize("kind", ["results", "play"])
    def test_puppets_of_one_address_lose_for_nothing(self, kind: str) -> None:
        assert self.leads(self.all_of("player", 39), kind)
        assert not self.leads(self.all_of("puppet", 39, household=1), kind)

    @pytest.mark.parametrize("kind", ["results", "play"])
    def test_it_does_not_help_to_be_elsewhere_oneself(self, kind: str) -> None:
        puppets = self.all_of("puppet", 39, household=2)
        assert not self.leads(puppets, kind)
        assert not self.leads(puppets + self.all_of("player", 38), kind)
        assert self.leads(puppets + self.all_of("player", 39), kind)

    def test_a_family_plays_rated_games_and_leads_by_those_with_others(self) -> None:
        family, others = self.all_of("brother", 30, household=1), self.all_of("player", 30)
        found = worked_out(family + others)
        assert {row.games for row in found.rows if row.player == ANN} == {240}
        rows = {row.kind: row for row in leading(found, family + others) if row.player == ANN}
        alone = {row.kind: row for row in worked_out(others).rows if row.player == ANN}
        assert rows == alone
        assert self.leads(family + others, "play")
        assert not self.leads(family, "play")

    def test_where_no_household_is_known_each_player_is_one(self) -> None:
        games = [game for n in range(6) for game in self.played(f"player {n}", None, None)]
        assert leading(worked_out(games), games) == [
            row for row in worked_out(games).rows if row.player == ANN
        ]

    def test_levels_of_the_ladder_are_opponents_in_play_and_excluded_players_are_none(
        self,
    ) -> None:
        fox = RatedSeat(None, "fox", False, None, 0.5, 0.0, None)
        won = RatedSeat(ANN, None, True, None, 0.5, 0.0, None, 1)
        games = [rated(won, fox), *self.played(BOB, 2, times=1), *self.played(CAT, 3, times=1)]
        rows = [row for row in leading(worked_out(games), games) if row.player == ANN]
        assert {row.kind: row.opponents for row in rows} == {"play": 3, "results": 2}
        rows = leading(worked_out(games, {CAT}), games, {CAT})
        assert {row.kind: row.opponents for row in rows} == {"play": 2}


LEAVER = (7, 0.6)
PLAYED: list[tuple[tuple[str, str], int, float, tuple[int, float] | None]] = [
    ((ANN, BOB), 0, 0.2, None),
    ((BOB, CAT), 1, -0.3, None),
    ((ANN, "fox"), 0, 0.1, None),
    ((CAT, ANN), 1, 0.15, LEAVER),
]
"""Games by hand: who sat where, who won, the luck of the first seat, when the first seat left."""


def expected() -> list[tuple[Any, ...]]:
    """Their ratings, without any database."""

    def seat(name: str, fate: Fate) -> Seat:
        return Seat(Anchor(1835.0) if name == "fox" else Member(name), fate)

    by_hand = []
    for names, winner, luck, left in PLAYED:
        fates = [Fate.WON if n == winner else Fate.LOST for n in range(2)]
        leaving = None
        if left:
            fates[0], leaving = Fate.LEFT, Leaving(0, (left[1], 1 - left[1]))
        findings = Findings((0.54, 0.46), (luck, -luck), leaving)
        by_hand.append(Game((seat(names[0], fates[0]), seat(names[1], fates[1])), findings))
    found = [
        (
            one.player.id,
            one.kind.value,
            one.size.value,
            one.value,
            one.low,
            one.high,
            one.games,
            one.replaces,
            one.opponents,
        )
        for one in rate(by_hand)
    ]
    return sorted(found)


async def fill(storage: Database) -> None:
    """Three players, and these games."""
    for name in (ANN, BOB, CAT):
        player = Player(name, name[:3], 0, public=False, created_at=NOON)
        device = Device(name, "", NOON, NOON, hashed(name))
        await storage.write(partial(players.add_player, player=player, device=device))
    for number, (names, winner, luck, left) in enumerate(PLAYED):
        await storage.write(partial(_play, number, names, winner, luck, left))


def _play(
    number: int,
    names: tuple[str, str],
    winner: int,
    luck: float,
    left: tuple[int, float] | None,
    connection: Any,
) -> None:
    table = f"table{number}"
    seats = tuple(
        FinishedSeat(
            "fox" if name == "fox" else None, n == winner, left[0] if left and n == 0 else None
        )
        for n, name in enumerate(names)
    )
    at = NOON + timedelta(minutes=number)
    game = FinishedGame(table, at, "classic", "v1,players=2", 20, None, b"", seats)
    people = {n: name for n, name in enumerate(names) if name != "fox"}
    games.insert_game(connection, game, people)
    chances = (left[1], 1 - left[1]) if left else (None, None)
    found = tuple(
        SeatFindings(start, own, 0, 0, 0, 0, 0, 0, 0, 0, 0, chance)
        for start, own, chance in zip((0.54, 0.46), (luck, -luck), chances, strict=True)
    )
    games.write_findings(connection, table, GameFindings(EVALUATOR, found, ()))


@pytest.fixture
def club(each_new_url: Callable[[], str]) -> str:
    """A database of each kind with these games."""
    url = each_new_url()

    async def filled() -> None:
        async with open_database(url) as storage:
            await fill(storage)

    asyncio.run(filled())
    return url


def kept(url: str) -> list[tuple[Any, ...]]:
    """The ratings that a database has."""

    async def read() -> list[tuple[Any, ...]]:
        async with open_database(url) as storage:
            return [tuple(row) for row in await storage.read(games.kept_ratings)]

    return asyncio.run(read())


def test_they_follow_from_the_games_alone_to_the_last_bit(
    club: str, run: Callable[..., tuple[int, str, str]]
) -> None:
    recompute = partial(run, "ratings", "recompute", "--database", club)
    assert recompute() == (
        0,
        "Games that count: 4\nPlayers with a rating: 3\nRatings that differ from before: 6 of 6\n",
        "",
    )
    first = kept(club)
    assert [row[:-1] for row in first] == expected()
    assert json.loads(recompute("--json")[1]) == {
        "games": 4,
        "players": 3,
        "ratings": 6,
        "differ": 0,
    }

    async def spoil() -> None:
        async with open_database(club) as storage:
            wrong = [replace(RatingRow(*first[0]), value=1.0)]
            await storage.write(partial(games.write_ratings, rows=wrong))

    asyncio.run(spoil())
    assert "differ from before: 6 of 6" in recompute()[1]
    assert kept(club) == first


def test_households_are_kept_with_games_until_their_players_are_erased(club: str) -> None:
    seats = schema.game_seats.c
    query = sa.select(seats.household).where(seats.table_id == "table9").order_by(seats.seat)

    async def kept_of() -> list[list[int | None]]:
        async with open_database(club) as storage:
            for household, name in enumerate((ANN, BOB)):
                note = partial(players.note_household, player_id=name, household=household)
                await storage.write(note)
            await storage.write(partial(_play, 9, (ANN, BOB), 0, 0.2, None))
            before = await storage.read(lambda connection: list(connection.scalars(query)))
            await storage.write(partial(players.erase_player, player_id=ANN, at=NOON))
            return [before, await storage.read(lambda connection: list(connection.scalars(query)))]

    assert asyncio.run(kept_of()) == [[0, 1], [None, 1]]


def test_who_may_lead_is_worked_out_beside_the_ratings(club: str) -> None:
    async def games_of_ann() -> list[dict[str, int]]:
        async with open_database(club) as storage:
            for name in (ANN, BOB):
                note = partial(players.note_household, player_id=name, household=7)
                await storage.write(note)
            await storage.write(partial(_play, 9, (ANN, BOB), 0, 0.2, None))
            recompute(club)
            kept = [
                await storage.read(partial(games.kept_ratings, table=table))
                for table in (schema.ratings, schema.leaders)
            ]
            return [{row.kind: row.games for row in rows if row.player_id == ANN} for rows in kept]

    assert asyncio.run(games_of_ann()) == [{"play": 4, "results": 3}, {"play": 3, "results": 2}]


def played(number: int) -> tuple[Record, int]:
    """A game of two, and who won it."""
    dice = random.Random(number)
    game, bot = PlayedGame(Rules()), bot_named("careful")
    while game.outcome is None:
        match decide(bot, game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                game.roll(tuple(dice.choices(range(1, 7), k=4)))
            case move:
                game.move(move)
    return Record.of(game, ("Anne", "Bob")), game.outcome.winners[0]


async def keep_records(url: str) -> None:
    """Three players and their games, of which nothing but the record is known."""
    async with open_database(url) as storage:
        for name in (ANN, BOB, CAT):
            player = Player(name, name[:3], 0, public=False, created_at=NOON)
            device = Device(name, "", NOON, NOON, hashed(name))
            await storage.write(partial(players.add_player, player=player, device=device))
        for number, people in enumerate([(ANN, BOB), (BOB, CAT), (CAT, ANN)]):
            record, winner = played(number)
            left = 12 if number == 2 else None
            fates = [
                FinishedSeat(None, seat == (1 if left else winner), None if seat else left)
                for seat in range(2)
            ]
            game = FinishedGame(
                f"table{number}", NOON + timedelta(hours=number), "classic",
                str(record.rules), 20, None, packed_game(record), tuple(fates),
            )  # fmt: skip
            await storage.write(
                partial(games.insert_game, game=game, players=dict(enumerate(people)))
            )


def look_at_all(url: str, web: Path) -> None:
    """Have a server look at all games that were not looked at."""
    with TestClient(create_app(ServerOptions(url, pace=0, web=web))) as server:
        assert server.portal is not None
        runtime: Any = server.app.state.runtime  # type: ignore[attr-defined]
        server.portal.call(runtime.history.idle)


KNOWN = {"table_id", "seat", "finished_at", "player_id", "bot", "won", "left_at"}
"""Of a seat: all else is derived from the record."""


def forget_what_is_derived(url: str) -> None:
    engine = open_engine(url)
    derived = [column.name for column in schema.game_seats.c if column.name not in KNOWN]
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(schema.ratings.delete())
        connection.execute(schema.costly_decisions.delete())
        connection.execute(schema.games.update().values(evaluator=None))
        connection.execute(schema.game_seats.update().values(dict.fromkeys(derived)))
    with engine.connect() as connection:
        seats = connection.execute(sa.select(schema.game_seats.c.luck, schema.game_seats.c.skill))
        assert {*map(tuple, seats)} == {(None, None)}
    engine.dispose()


def test_they_follow_from_the_records_alone_to_the_last_bit_on_both_databases(
    new_url: Callable[[], str], postgres: Postgres, web: Path, run: Callable[..., Any]
) -> None:
    found = []
    for url in (new_url(), postgres.new_database()):
        asyncio.run(keep_records(url))
        for _ in range(2):
            look_at_all(url, web)
            run("ratings", "recompute", "--database", url)
            found.append(repr(kept(url)))  # which has every bit of a float
            forget_what_is_derived(url)
            assert kept(url) == []
    assert found[0].count("value_network") == 3, "Play of all three is known"
    assert len(set(found)) == 1


def test_without_games_or_database(
    run: Callable[..., tuple[int, str, str]], fails: Callable[..., str], url: str
) -> None:
    assert "There is no database" in fails("ratings", "recompute", "--database", url)
    assert fails("ratings") == (
        "cantstop: recompute is missing; “cantstop ratings --help” explains it.\n"
    )

    async def empty() -> None:
        async with open_database(url):
            pass

    asyncio.run(empty())
    assert "of 0" in run("ratings", "recompute", "--database", url)[1]


class TestServers:
    def test_a_server_publishes_some_time_after_a_game(
        self, club: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(publishing, "SETTLE_SECONDS", 0.0)

        async def serve() -> None:
            published = asyncio.Event()
            async with open_database(club) as storage:
                publisher = RatingsPublisher(club, storage, published.set)
                await publisher.start()
                await asyncio.wait_for(published.wait(), PATIENCE)
                await publisher.close()

        asyncio.run(serve())
        assert [row[:-1] for row in kept(club)] == expected()

    def test_it_takes_a_small_part_of_the_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        slept: list[float] = []
        now = [1000.0]

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            now[0] += seconds

        monkeypatch.setattr(publishing, "SETTLE_SECONDS", 60.0)
        monkeypatch.setattr(publishing, "monotonic", lambda: now[0])
        monkeypatch.setattr("cantstop.server.runtime.ratings.asyncio.sleep", sleep)

        class Slow(RatingsPublisher):
            took = iter((1.0, 60.0, 1.0))

            async def publish(self) -> None:
                now[0] += next(self.took)
                if len(slept) < 3:
                    self.publish_soon()

        async def serve() -> None:
            publisher = Slow("", None, lambda: None)  # type: ignore[arg-type]
            publisher.publish_soon()
            assert publisher._task is not None
            await publisher._task

        asyncio.run(serve())
        assert slept == [60.0, 300.0, 1200.0]

    def test_nothing_happens_where_no_game_counts(self, url: str) -> None:
        async def begin() -> None:
            async with open_database(url) as storage:
                publisher = RatingsPublisher(url, storage, lambda: None)
                await publisher.start()
                assert publisher._task is None
                await publisher.close()

        asyncio.run(begin())

    def test_it_is_due_when_a_game_that_counts_was_looked_at(self, url: str) -> None:
        seats = (FinishedSeat(None, True, None), FinishedSeat("fox", False, None))
        seat = SeatFindings(0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, None)

        class Reviews:
            """Of games that need no pool."""

            async def findings(self, *_: object) -> GameFindings:
                return GameFindings(EVALUATOR, (seat, seat), ())

        class Silence:
            def subscribe(self, *_: object, own: bool) -> None:
                assert own

        async def looked_at(why_not: WhyNot | None) -> bool:
            due: list[bool] = []
            async with open_database(url) as storage:
                table = f"table {why_not}"
                game = FinishedGame(table, NOON, "classic", "v1", 20, why_not, b"", seats)
                await storage.write(partial(games.insert_game, game=game, players={0: ANN}))
                reviews: Any = Reviews()
                silence: Any = Silence()
                history = History(storage, silence, reviews, lambda: due.append(True))
                await history.start()
                await history.idle()
                assert await storage.read(partial(games.unseen_game, table_id=table)) is None
            return bool(due)

        assert not asyncio.run(looked_at(WhyNot.UNRATED))
        assert asyncio.run(looked_at(None))
