"""What players have done: games are there with their last event, and looked at afterwards."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from cantstop.record import Record, read_record
from cantstop.review import review
from cantstop.rules import Position, Rules, Stopped
from cantstop.server.database import games, schema
from cantstop.server.database.profiles import games_of
from cantstop.server.database.sql import open_database
from cantstop.server.limits.limiter import RateLimiter
from cantstop.server.limits.policy import export_cost, profile_cost, unpacked_cost
from cantstop.server.runtime import history as runtime_history
from cantstop.server.runtime.history import History
from cantstop.server.runtime.insight import Insight
from cantstop.server.runtime.master import Master
from cantstop.server.tables.history import (
    FinishedGame,
    FinishedSeat,
    GameFindings,
    SeatFindings,
    finished_game,
    packed_game,
    unpacked_game,
)
from cantstop.server.tables.players import Player
from cantstop.server.work.fair_queue import Overloaded
from cantstop.server.work.pool import WorkPool
from cantstop.table.events import Finished, Returned, Substituted
from cantstop.table.permissions import SeatPresence
from cantstop.wire.club import GamesPage, Leaderboard, PlayerExport, Profile, WhyNot
from club import Member, member
from pure_tables import NOW, a_table, after, after_a_move
from table_client import OPEN, at_table, human, play_to_the_end, sit_down
from wire_json import check_type

HEAVY = "v1,players=4,start=roll-off,lengths=" + ".".join(["20"] * 39)
SEAT = SeatFindings(0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, None)


class TestWhatIsKept:
    """Of a table, without a server."""

    def finished(self, stored: Any, *winners: int, reason: Any = None) -> Any:
        table = stored.table.append(Finished(winners, None, reason), None, NOW)
        return finished_game(table, NOW)

    def test_a_seat_is_left_when_a_bot_begins_to_play_for_it(self) -> None:
        stored = after_a_move(a_table(human(salt="a"), OPEN, edition="custom"))
        seat, count = stored.table.position.seat, len(stored.table.game_events)
        bot = Substituted("careful", 1 - seat)
        table = stored.table.append(bot, seat, NOW)
        asked = self.finished(replace(stored, table=table), 0)
        assert [one.left_at for one in asked.seats] == [None, None]
        played = table.play(Stopped(), NOW)
        left = self.finished(replace(stored, table=played), seat)
        assert left.seats[seat].left_at == count
        assert left.seats[1 - seat].left_at is None
        assert not left.seats[seat].won  # whatever the bot has made of it

    def test_whoever_came_back_in_time_has_left_nothing(self) -> None:
        stored = after_a_move(a_table(human(salt="a"), OPEN, edition="custom"))
        seat = stored.table.position.seat
        table = stored.table.append(Substituted("careful", 1 - seat), seat, NOW)
        table = table.append(Returned(), seat, NOW).play(Stopped(), NOW)
        assert self.finished(replace(stored, table=table), seat).seats[seat].left_at is None

    def test_a_seat_that_resigns_has_left(self) -> None:
        stored = after_a_move(a_table(human(salt="a"), OPEN, edition="custom"))
        count = len(stored.table.game_events)
        resigned = after(stored, "resign", 1)
        game = finished_game(resigned.table, NOW)
        assert [one.left_at for one in game.seats] == [None, count]
        assert [one.won for one in game.seats] == [True, False]

    @pytest.mark.parametrize(
        ("rated", "edition", "why_not"),
        [
            (False, "classic", WhyNot.UNRATED),
            (True, "custom", WhyNot.CUSTOM),
            (True, "classic", WhyNot.SHORT),
        ],
    )
    def test_why_it_does_not_count(self, rated: bool, edition: str, why_not: WhyNot) -> None:
        stored = after_a_move(a_table(human(salt="a"), {"kind": "bot", "bot": "bold"}))
        opened = replace(stored.table.opened, rated=rated, edition=edition)
        table = replace(stored.table, opened=opened)
        assert self.finished(replace(stored, table=table), 0).why_not is why_not
        longer = replace(table, turn=4)
        assert (self.finished(replace(stored, table=longer), 0).why_not is None) == (
            why_not is WhyNot.SHORT
        )

    def test_the_game_is_kept_without_names(self) -> None:
        stored = after_a_move(a_table(human("Unverwechselbar", salt="a"), OPEN))
        packed = self.finished(stored, 0).packed
        record = unpacked_game(packed)
        assert record.names == ("1", "2")
        assert record.events == stored.table.game_events
        assert "Unverwechselbar" not in str(record)


@pytest.fixture(scope="session")  # as is the server, where their names are taken from then on
def played(each_server: TestClient) -> tuple[Member, Member, str]:
    """Two players, and the game between them, which was looked at."""
    carla, dan = member(each_server, "History Carla"), member(each_server, "History Dan")
    opened = carla.ask(
        "POST",
        "/tables",
        201,
        mode="online",
        seats=[human(salt="a"), OPEN],
        edition="custom",
        win=1,
        rated=True,
    )
    taken = dan.ask("POST", f"/tables/{opened['id']}/seats", 201, name="Dan", salt="b")
    with (
        at_table(each_server, opened["id"], opened["secret"]) as first,
        at_table(each_server, opened["id"], taken["secret"]) as second,
    ):
        newest = max(first.n, second.n)
        first.catch_up(newest)
        second.catch_up(newest)
        play_to_the_end(first, second)
    runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
    each_server.portal.call(runtime.history.idle)  # type: ignore[union-attr]
    return carla, dan, opened["id"]


class TestProfile:
    def test_a_game_is_in_the_history_of_both(self, played: Any) -> None:
        carla, dan, table = played
        for player in (carla, dan):
            page = player.ask("GET", f"/players/{player.ask('GET', '/me')['id']}/games")
            check_type(GamesPage, page)
            (game,) = page["games"]
            assert page["next"] is None
            assert game["table"] == table
            assert (game["rated"], game["counts"], game["why_not"]) == (True, False, "custom")
            assert sum(seat["won"] for seat in game["seats"]) == 1
            assert {seat["name"] for seat in game["seats"]} == {"History Carla", "History Dan"}

    def test_luck_and_skill_are_those_of_the_review(
        self, played: Any, each_server: TestClient
    ) -> None:
        carla, _, table = played
        runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
        stored = each_server.portal.call(runtime.master.stored, table)  # type: ignore[union-attr]
        found = review(unpacked_game(finished_game(stored.table, NOW).packed))
        page = carla.ask("GET", "/players/History Carla/games")
        (game,) = page["games"]
        assert game["reviewed"] is True
        assert [seat["luck"] for seat in game["seats"]] == [one.luck for one in found.seats]
        profile = carla.ask("GET", "/players/History Carla")
        check_type(Profile, profile)
        mine = found.seats[0]
        assert sum(one["decisions"] for one in profile["errors"]) == len(mine.decisions)
        assert sum(one["error"] for one in profile["errors"]) == pytest.approx(mine.error)
        (month,) = profile["months"]
        assert (month["luck"], month["skill"]) == (mine.luck, mine.skill)
        costly = [one for one in found.worst_decisions(100) if one.seat == 0][:3]
        assert [one["error"] for one in profile["costly"]] == [one.error for one in costly]

    def test_a_game_can_be_looked_at_when_its_table_has_gone(
        self, played: Any, each_server: TestClient
    ) -> None:
        *_, table = played
        kept = read_record(each_server.get(f"/api/games/{table}/record").text)
        whole = read_record(each_server.get(f"/api/tables/{table}/record").text)
        assert kept.names == ("1", "2")
        assert (kept.start, kept.events) == (whole.start, whole.events)
        assert each_server.get("/api/games/k7QmZr3pW9xA/record").status_code == 404

    def test_who_keeps_to_themselves_is_nobody_to_others(
        self, played: Any, each_server: TestClient
    ) -> None:
        carla, dan, _ = played
        for one in (carla, dan):
            one.ask("PATCH", "/me", public=False)
        unknown = each_server.get("/api/players/Nobody at all")
        for path in ("History Carla", carla.ask("GET", "/me")["id"], "History Carla/games"):
            answer = each_server.get(f"/api/players/{path}")
            assert (answer.status_code, answer.json()) == (404, unknown.json())
            assert dan.refusal("GET", f"/players/{path}") == (404, "player-unknown")
        carla.ask("PATCH", "/me", public=True)
        profile = dan.ask("GET", "/players/History Carla")
        assert (profile["mine"], profile["costly"]) == (False, [])
        # Dan is still on his own
        assert [one["name"] for one in profile["opponents"]] == [""]
        assert carla.ask("GET", "/players/History Carla")["opponents"][0]["name"] == "History Dan"

    def test_everything_can_be_taken_along(self, played: Any) -> None:
        carla, _, table = played
        export = carla.ask("GET", "/me/export")
        check_type(PlayerExport, export)
        assert export["player"]["name"] == "History Carla"
        assert [game["table"] for game in export["games"]] == [table]
        assert export["tables"] == [table]

    def test_what_is_summed_up_or_taken_along_is_charged_by_its_games(
        self, played: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        carla, _, _ = played
        charged: list[float] = []

        def charge(_: RateLimiter, _address: str, requests: float) -> None:
            charged.append(requests)

        monkeypatch.setattr(RateLimiter, "charge_request", charge)
        assert carla.ask("GET", "/players/History Carla")["total"]["games"] == 1
        assert charged == [profile_cost(1)]
        packed = carla.ask("GET", "/me/export")
        assert charged[1:] == [export_cost(1)]
        plain = carla.server.get(
            "/api/me/export", headers={**carla.bearer, "Accept-Encoding": "identity"}
        )
        assert plain.json() == packed
        assert charged[2:] == [export_cost(1), unpacked_cost(len(plain.content))]

    def test_a_game_without_players_leaves_nothing(self, each_server: TestClient) -> None:
        runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
        opened = each_server.post(
            "/api/tables",
            json={
                "mode": "online",
                "seats": [human(salt="a"), OPEN],
                "edition": "custom",
                "win": 1,
            },
        ).json()
        taken = sit_down(each_server, opened["id"], "Bob", salt="b")
        with (
            at_table(each_server, opened["id"], opened["secret"]) as first,
            at_table(each_server, opened["id"], taken["secret"]) as second,
        ):
            first.catch_up(max(first.n, second.n))
            second.catch_up(first.n)
            first.act("resign", 0)
        seen = partial(games.unseen_game, table_id=opened["id"])
        assert each_server.portal.call(runtime.storage.read, seen) is None  # type: ignore[union-attr]

    def test_pages_follow_each_other_and_strange_ones_are_refused(self, played: Any) -> None:
        carla, _, _table = played
        path = "/players/History Carla/games"
        (game,) = carla.ask("GET", path)["games"]
        at = game["finished_at"].replace("Z", "%2B00:00")
        assert carla.ask("GET", f"{path}?before={at} 0")["games"] == []
        later = f"3{at[1:]}"
        assert carla.ask("GET", f"{path}?before={later} 0")["games"] == [game]
        for before in ("x", "2026-11-15 a", f"{at} %00"):
            assert carla.refusal("GET", f"{path}?before={before}")[0] in (400, 403)


class TestLookedAt:
    """Reviews at nobody's expense: none is begun that would be refused to whoever asks for it."""

    def ended(self, table: str, rules: str, minute: int = 0) -> FinishedGame:
        names = tuple(str(seat) for seat in range(1, Rules.parse(rules).players + 1))
        record = Record(Position.initial(Rules.parse(rules)), names, ())
        seats = tuple(FinishedSeat(None, False, None) for _ in names)
        at = NOW + timedelta(minutes=minute)
        return FinishedGame(
            table, at, "custom", rules, 1, WhyNot.CUSTOM, packed_game(record), seats
        )

    @pytest.mark.anyio
    async def test_a_game_that_is_too_large_is_none_of_those_to_look_at(
        self, each_url: str
    ) -> None:
        async with open_database(each_url) as storage:
            thread: Any = None
            pool = WorkPool()
            master = Master(storage, lambda _: SeatPresence())
            history = History(storage, master, Insight(pool, master, thread))
            for table, rules in (("large", HEAVY), ("broken", "v1,players=2")):
                game = self.ended(table, rules)
                await storage.write(partial(games.insert_game, game=game, players={0: "a"}))
            broken = sa.update(schema.games).where(schema.games.c.table_id == "broken")
            await storage.write(lambda found: found.execute(broken.values(record=b"nonsense")))
            await history.start()
            await history.idle()
            unseen = partial(games.unseen_games, after=None, most=10)
            # what was spoilt is tried again by whoever starts next: it may be a mistake of ours
            assert [table for _, table in await storage.read(unseen)] == ["broken"]
            ann = Player("a", "Ann", 0, public=False, created_at=NOW)
            shown = partial(games_of, player=ann, before=None, mine=True)
            assert [one.reviewed for one in (await storage.read(shown)).games] == [False, False]
            assert not pool.pids
            await pool.close()

    @pytest.mark.anyio
    async def test_games_beyond_those_that_can_wait_are_found_later(
        self, each_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runtime_history, "MOST_WAITING", 2)
        tables = [f"table {number}" for number in range(7)]
        looked_at: list[str] = []

        class Busy:
            """Nobody has time for the second game."""

            async def findings(self, table_id: str, *_: object) -> GameFindings:
                looked_at.append(table_id)
                if table_id == tables[1]:
                    raise Overloaded
                return GameFindings("v", (SEAT, SEAT), ())

        async with open_database(each_url) as storage:
            master = Master(storage, lambda _: SeatPresence())
            busy: Any = Busy()
            history = History(storage, master, busy)
            await history.start()
            for minute, table in enumerate(tables):
                game = self.ended(table, "v1,players=2", minute)
                await storage.write(partial(games.insert_game, game=game, players={0: "a"}))
                history._look_some_time(table)
            await history.idle()
            assert set(looked_at) == set(tables)
            assert len(looked_at) <= len(tables) + 1  # the one that failed is found once more
            unseen = partial(games.unseen_games, after=None, most=10)
            assert [table for _, table in await storage.read(unseen)] == [tables[1]]


class TestCourtesy:
    def test_mute_and_block_and_neither(self, played: Any) -> None:
        carla, dan, table = played
        him = dan.ask("GET", "/me")["id"]
        carla.ask("PUT", f"/me/courtesy/{him}", 204, kind="mute")
        carla.ask("PUT", f"/me/courtesy/{him}", 204, kind="block")
        (one,) = carla.ask("GET", "/me/courtesy")["players"]
        assert (one["player"]["name"], one["kind"]) == ("History Dan", "block")
        muted = {
            seat["player"]["id"]: seat["muted"]
            for seat in carla.ask("GET", f"/tables/{table}/players")["players"]
        }
        assert muted == {him: True, carla.ask("GET", "/me")["id"]: False}
        assert dan.ask("GET", "/me/courtesy") == {"players": []}
        carla.ask("DELETE", f"/me/courtesy/{him}", 204)
        assert carla.ask("GET", "/me/courtesy") == {"players": []}
        mine = carla.ask("GET", "/me")["id"]
        assert carla.refusal("PUT", f"/me/courtesy/{mine}", kind="mute") == (409, "not-now")
        nobody = "k7QmZr3pW9xA"
        answer = carla.refusal("PUT", f"/me/courtesy/{nobody}", kind="mute")
        assert answer == (404, "player-unknown")

    def test_a_report_is_about_a_player_at_a_moment(self, played: Any) -> None:
        carla, _, table = played
        path = f"/tables/{table}/report"
        carla.ask("POST", path, 204, seat=1, n=3, reason="stalling")
        carla.ask("POST", path, 204, seat=1, n=4, reason="stalling")
        assert carla.refusal("POST", path, seat=1, n=10**6, reason="name") == (404, "not-found")
        assert carla.refusal("POST", path, seat=0, n=1, reason="name") == (404, "player-unknown")


class TestHouseholds:
    """What is kept of the addresses at which rated games are played."""

    def kept(self, server: TestClient, *who: Member) -> list[int | None]:
        ids = [one.ask("GET", "/me")["id"] for one in who]
        query = sa.select(schema.players.c.id, schema.players.c.household)
        storage: Any = server.app.state.runtime.storage  # type: ignore[attr-defined]
        rows = server.portal.call(  # type: ignore[union-attr]
            storage.read, lambda connection: connection.execute(query).all()
        )
        found = dict(map(tuple, rows))
        return [found[one] for one in ids]

    def elsewhere(self, server: TestClient, one: Member, address: str) -> Member:
        """The same device at another address."""
        there = TestClient(server.app, client=(address, 50000))
        there.portal = server.portal
        return replace(one, server=there)

    def sit(self, first: Member, second: Member, **more: Any) -> None:
        seats = [human(salt="a"), OPEN]
        opened = first.ask("POST", "/tables", 201, mode="online", seats=seats, **more)
        second.ask("POST", f"/tables/{opened['id']}/seats", 201, name="x", salt="b")

    def test_a_player_is_of_the_household_where_they_last_sat_down_at_a_rated_table(
        self, each_server: TestClient
    ) -> None:
        ann, bob = (member(each_server, name) for name in ("Household Ann", "Household Bob"))
        self.sit(ann, bob)
        assert self.kept(each_server, ann, bob) == [None, None]
        self.sit(ann, bob, rated=True)
        at_home, with_them = self.kept(each_server, ann, bob)
        assert at_home == with_them is not None
        away = self.elsewhere(each_server, bob, "192.0.2.7")
        self.sit(ann, away, rated=True)
        assert self.kept(each_server, ann)[0] == at_home
        assert self.kept(each_server, bob)[0] not in (at_home, None)
        self.sit(bob, ann, rated=True)
        assert self.kept(each_server, ann, bob) == [at_home, at_home]

    def test_whoever_looks_for_others_is_of_one_too(self, each_server: TestClient) -> None:
        runtime: Any = each_server.app.state.runtime  # type: ignore[attr-defined]
        cat = member(each_server, "Household Cat")
        was_open, runtime.lobby.is_open = runtime.lobby.is_open, True
        try:
            for rated in (False, True):
                cat.ask("PUT", "/lobby/seek", secret="s" * 24, players=2, rated=rated)
                assert (self.kept(each_server, cat)[0] is not None) is rated
                cat.ask("DELETE", "/lobby/seek", 204)
        finally:
            runtime.lobby.is_open = was_open

    def test_a_game_keeps_that_of_its_players(self, played: Any, each_server: TestClient) -> None:
        carla, dan, table = played
        storage: Any = each_server.app.state.runtime.storage  # type: ignore[attr-defined]
        seats = schema.game_seats.c
        query = sa.select(seats.household).where(seats.table_id == table).order_by(seats.seat)
        kept = each_server.portal.call(  # type: ignore[union-attr]
            storage.read, lambda connection: list(connection.scalars(query))
        )
        assert kept == self.kept(each_server, carla, dan) != [None, None]


class TestRatings:
    def test_they_are_shown_where_the_player_is(self, played: Any, each_server: TestClient) -> None:
        carla, dan, _ = played
        storage: Any = each_server.app.state.runtime.storage  # type: ignore[attr-defined]
        ids = [one.ask("GET", "/me")["id"] for one in (carla, dan)]
        rows = [
            games.RatingRow(player, "play", "two", 1600.0 + at, 1550.0, 1650.0, 30, 90.5, 7, "v")
            for at, player in enumerate(ids)
        ]
        erased = replace(rows[0], player="zzzzzzzzzzzz")
        write = partial(games.write_ratings, rows=[*rows, erased])
        each_server.portal.call(storage.write, write)  # type: ignore[union-attr]
        (rating,) = carla.ask("GET", "/me")["ratings"]
        assert (rating["value"], rating["low"], rating["high"]) == (1600.0, 1550.0, 1650.0)
        board = each_server.get("/api/leaderboard?kind=play&size=two")
        check_type(Leaderboard, board.json())
        answer = each_server.get("/api/leaderboard?kind=wins")
        assert answer.status_code == 400

    def test_the_leaderboard_has_those_who_are_public_and_sure(
        self, played: Any, each_server: TestClient
    ) -> None:
        carla, dan, _ = played
        club: Any = each_server.app.state.runtime.club  # type: ignore[attr-defined]
        for one in (carla, dan):
            one.ask("PATCH", "/me", public=True)
        club.forget_leaders()
        storage: Any = each_server.app.state.runtime.storage  # type: ignore[attr-defined]
        ids = [one.ask("GET", "/me")["id"] for one in (carla, dan)]
        sure = games.RatingRow(ids[0], "results", "two", 1500.0, 1400.0, 1600.0, 30, 30, 7, "v")
        unsure = replace(sure, player=ids[1], low=1000.0)
        write = partial(games.write_ratings, rows=[sure, unsure], table=schema.leaders)
        each_server.portal.call(storage.write, write)  # type: ignore[union-attr]
        board = each_server.get("/api/leaderboard?kind=results").json()
        assert [one["player"]["name"] for one in board["leaders"]] == ["History Carla"]
        assert [one["place"] for one in board["leaders"]] == [1]
