"""The lobby: players who do not know each other are seated, once each, and can be watched."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from time import monotonic
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database import lobby, players, schema
from cantstop.server.database.connections import open_engine
from cantstop.server.database.sql import Database, open_database
from cantstop.server.database.storage import Unavailable
from cantstop.server.limits.policy import Limits, Rate
from cantstop.server.runtime import lobby as runtime_lobby
from cantstop.server.tables.pairing import ANYBODY, Seek
from cantstop.server.tables.players import Device, Player
from cantstop.server.tables.seating import hashed
from cantstop.wire.club import LobbyView, SeekView
from club import Member, member
from patience import PATIENCE
from postgresql import Postgres
from set_clock import SetClock
from table_client import OPEN, at_table, human
from wire_json import check_type

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def time() -> SetClock:
    return SetClock(NOON)


@pytest.fixture(scope="module")
def hall(each_new_url: Callable[[], str], web: Path, time: SetClock) -> Iterator[TestClient]:
    """A server with a lobby."""
    options = ServerOptions(
        each_new_url(), pace=0, web=web, limits=Limits().times(0), clock=time, lobby=True
    )
    with TestClient(create_app(options)) as running:
        yield running


def looking(player: Member, secret: str, **more: Any) -> Any:
    found = player.ask("PUT", "/lobby/seek", secret=secret, **more)
    check_type(SeekView, found)
    return found


def seen(hall: TestClient, player: Member | None = None) -> Any:
    """The lobby as it is now: what was shown a moment ago is forgotten."""
    hall.app.state.runtime.lobby.forget_view()  # type: ignore[attr-defined]
    found = hall.get("/api/lobby", headers=player.bearer if player else {}).json()
    check_type(LobbyView, found)
    return found


def pair(hall: TestClient, first: str, second: str, **more: Any) -> Any:
    """Two players who were seated together, with the secrets of their seats."""
    anne, bob = member(hall, first), member(hall, second)
    secrets = token_urlsafe(24), token_urlsafe(24)
    assert looking(anne, secrets[0], **more)["table"] is None
    found = looking(bob, secrets[1], **more)
    return anne, bob, secrets, found


class TestSeeking:
    def test_two_strangers_are_seated_and_play(self, hall: TestClient) -> None:
        anne, bob, secrets, found = pair(hall, "Anne 1", "Bob 1")
        mine = looking(anne, secrets[0])
        assert mine["table"] == found["table"]
        assert {mine["seat"], found["seat"]} == {0, 1}
        with (
            at_table(hall, found["table"], secrets[0], salt="a") as first,
            at_table(hall, found["table"], secrets[1], salt="b") as second,
        ):
            assert first.state["you"] == [mine["seat"]]
            assert first.state["rated"] is True
            assert first.hear_event("started")["data"]["salts"]
            assert second.state["you"] == [found["seat"]]
        names = [one["player"]["name"] for one in self.players(hall, found["table"])]
        assert sorted(names) == ["Anne 1", "Bob 1"]
        assert bob.ask("DELETE", "/lobby/seek", 204) is None

    def players(self, hall: TestClient, table: str) -> Any:
        return hall.get(f"/api/tables/{table}/players").json()["players"]

    def test_whoever_stops_or_goes_away_is_not_seated(
        self, hall: TestClient, time: SetClock
    ) -> None:
        anne, bob, carla = (member(hall, f"{name} 2") for name in ("Anne", "Bob", "Carla"))
        looking(anne, "a" * 22)
        anne.ask("DELETE", "/lobby/seek", 204)
        looking(bob, "b" * 22)
        time.wait(11)
        assert looking(carla, "c" * 22)["table"] is None
        carla.ask("DELETE", "/lobby/seek", 204)

    def test_a_bot_is_offered_after_a_while_and_a_person_comes_first(
        self, hall: TestClient, time: SetClock
    ) -> None:
        anne, bob = member(hall, "Anne 3"), member(hall, "Bob 3")
        assert looking(anne, "a" * 22)["offer"] is None
        for _ in range(4):
            time.wait(ANYBODY.total_seconds() / 4)
            found = looking(anne, "a" * 22)
        assert found["offer"]["bot"] in ("tortoise", "ibex")
        # Bob comes while Anne is still thinking about it: he has the seat, not the bot
        looking(bob, "b" * 22)
        found = anne.ask("POST", "/lobby/seek/bot")
        assert {one["player"]["name"] for one in self.players(hall, found["table"])} == {
            "Anne 3",
            "Bob 3",
        }

    def test_with_nobody_there_the_bot_sits_down_and_is_one(self, hall: TestClient) -> None:
        anne = member(hall, "Anne 4")
        assert anne.refusal("POST", "/lobby/seek/bot") == (409, "not-now")
        looking(anne, "a" * 22, players=3)
        found = anne.ask("POST", "/lobby/seek/bot")
        state = hall.get(f"/api/tables/{found['table']}").json()
        kinds = [seat["kind"] for seat in state["seats"]]
        assert sorted(kinds) == ["bot", "bot", "reserved"]
        assert kinds[found["seat"]] == "reserved"

    def test_the_blocked_are_not_seated_together(self, hall: TestClient, time: SetClock) -> None:
        anne, bob = member(hall, "Anne 5"), member(hall, "Bob 5")
        anne.ask("PUT", f"/me/courtesy/{bob.ask('GET', '/me')['id']}", 204, kind="block")
        for _ in range(5):
            assert looking(anne, "a" * 22)["table"] is None
            assert looking(bob, "b" * 22)["table"] is None
            time.wait(9)
        table = anne.ask("POST", "/tables", 201, mode="online", seats=[human(), OPEN], listed=True)[
            "id"
        ]
        path = f"/tables/{table}/seats"
        assert bob.refusal("POST", path, name="Bob") == (409, "not-now")
        # by link only they may sit together: they have given it to each other
        private = anne.ask("POST", "/tables", 201, mode="online", seats=[human(), OPEN])["id"]
        bob.ask("POST", f"/tables/{private}/seats", 201, name="Bob")
        time.wait(11)

    @pytest.mark.parametrize("wrong", [{"edition": "custom"}, {"players": 5}, {"secret": "x"}])
    def test_what_nobody_can_look_for(self, hall: TestClient, wrong: dict[str, Any]) -> None:
        name = f"Anne {next(iter(wrong))}"
        code = member(hall, name).refusal("PUT", "/lobby/seek", **{"secret": "a" * 22} | wrong)
        assert code[0] in (400, 422)


class TestView:
    def test_who_is_here_and_what_is_open(self, hall: TestClient, time: SetClock) -> None:
        anne = member(hall, "Anne 6", mark=5)
        found = seen(hall, anne)
        assert {"Anne 6"} <= {one["name"] for one in found["here"]}
        table = anne.ask(
            "POST",
            "/tables",
            201,
            mode="online",
            seats=[human(), OPEN, OPEN],
            listed=True,
            rated=True,
        )["id"]
        (one,) = [one for one in seen(hall)["tables"] if one["id"] == table]
        assert (one["size"], one["free"], one["rated"]) == (3, 2, True)
        assert one["names"] == ["Anne 6"]
        time.wait(46)
        assert "Anne 6" not in {one["name"] for one in seen(hall)["here"]}

    def test_nobody_fills_it_alone(self, hall: TestClient, time: SetClock) -> None:
        eager = member(hall, "Eager")
        seats = [human("x", salt="a"), OPEN]
        opened = []
        for _ in range(lobby.MOST_OF_ONE + 2):
            time.wait(1)
            table = eager.ask("POST", "/tables", 201, mode="online", seats=seats, listed=True)
            opened.append(table["id"])
        shown = [one["id"] for one in seen(hall)["tables"] if "Eager" in one["names"]]
        assert shown == opened[: -lobby.MOST_OF_ONE - 1 : -1]

    def test_games_to_watch_are_those_of_the_lobby(self, hall: TestClient) -> None:
        _, _, secrets, found = pair(hall, "Anne 7", "Bob 7")
        with (
            at_table(hall, found["table"], secrets[0], salt="a") as first,
            at_table(hall, found["table"], secrets[1], salt="b"),
        ):
            first.hear_event("started")
            games = [one for one in seen(hall)["games"] if one["id"] == found["table"]]
        assert [sorted(one["names"]) for one in games] == [["Anne 7", "Bob 7"]]

    def test_a_table_by_link_is_not_shown(self, hall: TestClient) -> None:
        anne = member(hall, "Anne 8")
        table = anne.ask("POST", "/tables", 201, mode="online", seats=[human(), OPEN])["id"]
        shown = seen(hall)
        assert table not in {one["id"] for one in [*shown["tables"], *shown["games"]]}


class TestCost:
    """Looking at the lobby is free for whoever does: it has bounds of its own."""

    def test_a_table_is_read_once_an_event_and_takes_no_others_place(
        self, hall: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        anne = member(hall, "Anne 10")
        seats = [human(salt="a"), OPEN, OPEN]
        table = anne.ask("POST", "/tables", 201, mode="online", seats=seats, listed=True)["id"]
        runtime: Any = hall.app.state.runtime  # type: ignore[attr-defined]
        hall.portal.call(runtime.master.forget, table)  # type: ignore[union-attr]
        read: list[str] = []
        load = runtime.storage.load

        async def noted(table_id: str) -> object:
            read.append(table_id)
            return await load(table_id)

        monkeypatch.setattr(runtime.storage, "load", noted)
        for _ in range(3):
            (shown,) = [one for one in seen(hall)["tables"] if one["id"] == table]
            assert shown["free"] == 2
            assert read.count(table) == 1
        assert runtime.master.cached(table) is None
        member(hall, "Bob 10").ask("POST", f"/tables/{table}/seats", 201, name="Bob")
        (shown,) = [one for one in seen(hall)["tables"] if one["id"] == table]
        assert (shown["free"], shown["names"]) == (1, ["Anne 10", "Bob 10"])

    def test_a_table_that_has_gone_on_for_ever_is_not_read_at_all(
        self, hall: TestClient, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        anne = member(hall, "Anne 11")
        seats = [human(salt="a"), OPEN, OPEN]
        short, long = (
            anne.ask("POST", "/tables", 201, mode="online", seats=seats, listed=True)["id"]
            for _ in range(2)
        )
        shown = {one["id"] for one in seen(hall)["tables"]}
        assert {short, long} <= shown
        most = hall.get(f"/api/tables/{long}").json()["n"]
        member(hall, "Bob 11").ask("POST", f"/tables/{long}/seats", 201, name="Bob")
        with monkeypatch.context() as patch:
            patch.setattr(runtime_lobby, "MOST_EVENTS", most)
            shown = {one["id"] for one in seen(hall)["tables"]}
            assert shown & {short, long} == {short}
        assert long not in {one["id"] for one in seen(hall)["tables"]}

    @pytest.mark.anyio
    async def test_the_longer_looking_takes_the_longer_it_is_shown(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now, looks = [100.0], list[float]()
        monkeypatch.setattr(runtime_lobby, "monotonic", lambda: now[0])
        nothing: Any = None
        found = runtime_lobby.Lobby(
            nothing, nothing, nothing, nothing, SetClock(NOON), is_open=True
        )

        async def look() -> LobbyView:
            looks.append(now[0])
            now[0] += 1
            return LobbyView((), 0, len(looks), (), ())

        monkeypatch.setattr(found, "_look", look)
        for now[0], seeking in ((100.0, 1), (119.9, 1), (120.1, 2), (140.0, 2), (140.2, 3)):
            assert (await found.view(None)).seeking == seeking
        assert looks == [100.0, 120.1, 140.2]

    @pytest.mark.anyio
    async def test_nobody_waits_while_somebody_is_looking(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(runtime_lobby, "SHARE", 1e9)
        monkeypatch.setattr(runtime_lobby, "monotonic", partial(next, count(0, 3600)))
        nothing: Any = None
        found = runtime_lobby.Lobby(
            nothing, nothing, nothing, nothing, SetClock(NOON), is_open=True
        )
        begun, go_on = asyncio.Event(), asyncio.Event()
        go_on.set()
        views = (LobbyView((), 0, seeking, (), ()) for seeking in (1, 2))

        async def look() -> LobbyView:
            begun.set()
            await go_on.wait()
            return next(views)

        monkeypatch.setattr(found, "_look", look)
        assert (await found.view(None)).seeking == 1
        go_on.clear()
        begun.clear()
        looking = asyncio.create_task(found.view(None))
        await begun.wait()
        assert (await found.view(None)).seeking == 1
        go_on.set()
        assert (await looking).seeking == 2


def test_who_looks_for_others_opens_a_table(each_new_url: Callable[[], str], web: Path) -> None:
    limits = replace(Limits().times(0), tables=Rate(1e-6, 2))
    options = ServerOptions(each_new_url(), pace=0, web=web, limits=limits, lobby=True)
    with TestClient(create_app(options)) as server:
        anne = member(server, "Anne")
        tables = set()
        for secret in ("a" * 22, "b" * 22):
            for _ in range(3):  # it goes on: that is no other table
                looking(anne, secret)
            tables.add(anne.ask("POST", "/lobby/seek/bot")["table"])
            assert looking(anne, secret)["table"] in tables
        assert len(tables) == 2
        assert anne.refusal("PUT", "/lobby/seek", secret="c" * 22) == (429, "too-many")
        assert anne.refusal("POST", "/tables", mode="solo", seats=[human()]) == (429, "too-many")


def test_a_server_without_a_lobby_shows_nothing_of_it(server: TestClient) -> None:
    assert server.get("/api/club").json() == {"lobby": False}
    assert server.get("/api/lobby").status_code == 404
    anne = member(server, "Anne 9")
    assert anne.refusal("PUT", "/lobby/seek", secret="a" * 22) == (404, "not-found")
    seats = [human(), OPEN]
    answer = anne.refusal("POST", "/tables", mode="online", seats=seats, listed=True)
    assert answer == (404, "not-found")


# Two workers


def newcomer(number: int) -> tuple[Player, Device]:
    name = f"Player {number:03}"
    player = Player(f"player{number:06}", name, 0, public=False, created_at=NOON)
    device = Device(f"device{number:06}", "", NOON, NOON, hashed(name))
    return player, device


def seek_of(player: Player, wanted: int = 2) -> Seek:
    return Seek(
        player.id, player.name, hashed(player.id), wanted, "classic", rated=True, since=NOON
    )


async def begin(storage: Database, count: int) -> list[Player]:
    found = []
    for number in range(count):
        player, device = newcomer(number)
        await storage.write(partial(players.add_player, player=player, device=device))
        found.append(player)
    return found


def check_seats(url: str, count: int) -> None:
    """Everybody sits at one table, and the table says so too."""
    engine = open_engine(url)
    with engine.connect() as connection:
        held = connection.execute(
            sa.select(schema.holders.c.player_id, schema.holders.c.table_id, schema.holders.c.seat)
        ).all()
        seeks = connection.execute(
            sa.select(schema.seeks.c.player_id, schema.seeks.c.table_id, schema.seeks.c.seat)
        ).all()
    engine.dispose()
    assert sorted(map(tuple, held)) == sorted(map(tuple, seeks))
    assert len({row.player_id for row in held}) == len(held) == count
    assert set(Counter(row.table_id for row in held).values()) <= {2}


@pytest.mark.anyio
async def test_two_workers_never_seat_a_player_twice(each_url: str) -> None:
    """On SQLite two connections of one server, which come upon each other as two workers do."""
    many = 24
    async with open_database(each_url) as one, open_database(each_url) as two:
        everybody = await begin(one, many)
        for _ in range(2):
            await asyncio.gather(
                *(
                    storage.renew_seek(seek_of(player), NOON)
                    for player in everybody
                    for storage in (one, two)
                )
            )
    check_seats(each_url, many)


@pytest.mark.anyio
async def test_a_worker_that_is_killed_while_pairing_loses_nobody(each_url: str) -> None:
    async with open_database(each_url) as storage:
        anne, bob = await begin(storage, 2)
        await storage.renew_seek(seek_of(anne), NOON)
        engine = open_engine(each_url)
        with engine.execution_options(writes=True).connect() as connection:
            transaction = connection.begin()
            found, _ = lobby.renew_seek(connection, seek_of(bob), NOON, storage._insert)
            assert found.table is not None
            transaction.rollback()  # what a database does when the one who has begun is gone
        engine.dispose()
        found, _ = await storage.renew_seek(seek_of(bob), NOON)
        assert found.table is not None
    check_seats(each_url, 2)


WORKER = """
import asyncio, sys
from test_lobby import NOON, begin, lobby, newcomer, open_database, seek_of

url, moment = sys.argv[1:]

def stay(here):
    if here == moment:
        print(here, flush=True)
        sys.stdin.read()  # until it is killed

async def pair():
    async with open_database(url) as storage:
        def insert(connection, tables):
            stay("chosen")
            storage._insert(connection, tables)
            stay("opened")

        def write(connection):
            lobby.renew_seek(connection, seek_of(newcomer(1)[0]), NOON, insert)
            stay("seated")

        await storage.write(write)
        stay("committed")

asyncio.run(pair())
"""
"""Pairs players 0 and 1, and stays at a given moment."""


async def seek_until_served(storage: Database, player: Player) -> Seek:
    """What a client does: where the database waited for too long, it asks again."""
    while True:
        with suppress(Unavailable):
            return (await storage.renew_seek(seek_of(player), NOON))[0]


@pytest.mark.anyio
@pytest.mark.parametrize("moment", ["chosen", "opened", "seated", "committed"])
async def test_a_worker_that_is_killed_beside_another_one_seats_all_or_nobody(
    postgres: Postgres, moment: str
) -> None:
    url, many = postgres.new_database(), 4
    found_in = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    async with open_database(url) as storage:
        everybody = await begin(storage, many)
        await storage.renew_seek(seek_of(everybody[0]), NOON)
        with subprocess.Popen(
            [sys.executable, "-c", WORKER, url, moment],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": found_in},
        ) as worker:  # fmt: skip
            assert worker.stdout is not None
            assert worker.stdout.readline().decode().strip() == moment
            seeking = [
                asyncio.create_task(seek_until_served(storage, player)) for player in everybody
            ]
            if moment != "committed":
                await storage.read(wait_for_a_waiting_lock)
            worker.kill()
        found = await asyncio.gather(*seeking)
        assert worker.returncode == -signal.SIGKILL
        again = [await seek_until_served(storage, player) for player in everybody]
    assert all(seek.table is None or seek == now for seek, now in zip(found, again, strict=True))
    check_seats(url, many)


def wait_for_a_waiting_lock(connection: sa.Connection) -> None:
    """Return once the other worker wants to pair as well."""
    query = sa.text(
        "SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database"
        " WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted"
    )
    until = monotonic() + PATIENCE
    while not connection.scalar(query):
        assert monotonic() < until, "the other worker never asked for the lock"
