"""``cantstop me``: a profile from a terminal, with a key of this machine's own."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from cantstop import Game, Record
from cantstop.client import club
from cantstop.client.requests import request_answer
from cantstop.rules import Start
from cantstop.server.database import games
from cantstop.server.database.sql import open_database
from cantstop.server.tables.history import FinishedGame, FinishedSeat, packed_game
from cantstop.table.events import Mode
from cantstop.wire.club import LinkCode, NewPlayer, RecoveryWords
from cantstop.wire.hours import SetHours
from cantstop.wire.requests import HumanSeat, OpenSeat, OpenTable, TakeSeat
from cantstop.wire.table import OpenedTable, SeatAnswer
from live_server import LiveServer, live_server

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
WHEN = r"\d{4}-\d\d-\d\d \d\d:\d\d"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(f"sqlite:///{tmp_path / 'tables.db'}") as running:
        yield running


@pytest.fixture(autouse=True)
def _machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "machine"))


def add_game(tmp_path: Path, player: str) -> None:
    """A game that the player has won against a bot."""
    packed = packed_game(Record.of(Game(), ["Anne", "Bob"]))
    seat = FinishedSeat(None, won=True, left_at=None)
    seats = seat, replace(seat, bot="fox", won=False)
    game = FinishedGame("k7QmZr3pW9xA", NOON, "classic", "v1,players=2", 12, None, packed, seats)
    rating = games.RatingRow(player, "play", "two", 1612.4, 1560.0, 1664.0, 31, 92.0, 6, "v")

    async def write() -> None:
        async with open_database(f"sqlite:///{tmp_path / 'tables.db'}") as storage:
            await storage.write(partial(games.insert_game, game=game, players={0: player}))
            await storage.write(partial(games.write_ratings, rows=[rating]))

    asyncio.run(write())


def test_a_profile_is_begun_and_read(server: LiveServer, run: Run, tmp_path: Path) -> None:
    code, _, err = run("me", server.url)
    assert code == 2
    assert f"This machine has no profile on {server.url}" in err
    assert run("me", server.url, "--begin", "Anne")[:2] == (0, "Anne: 0 games, 0 won\n")
    keys = tmp_path / "machine" / "cantstop" / "players.json"
    assert keys.stat().st_mode & 0o077 == 0
    ((_, key),) = json.loads(keys.read_text()).items()
    player = club.me(server.url, key).id
    add_game(tmp_path, player)
    assert run("me", server.url)[1].splitlines() == [
        "Anne: 1 game, 1 won",
        "Play, without the luck for two: 1612 (1560 to 1664)",
        "2026-11-15  k7QmZr3pW9xA  won: fox, rated",
    ]
    found = json.loads(run("me", server.url, "--json")[1])
    assert found["profile"]["total"] == {"games": 1, "won": 1}
    assert [game["table"] for game in found["games"]] == ["k7QmZr3pW9xA"]


def test_a_machine_is_added_by_a_code_or_words(server: LiveServer, run: Run) -> None:
    key = club.new_key()
    club.begin(server.url, key, "Bob")
    body = NewPlayer("")  # any: these requests have no body of their own
    assert run("me", server.url, "--code", "ABCD-2345")[0] == 2
    assert run("me", server.url)[0] == 2, "a key that was refused is not kept"
    code = request_answer(server.url, "/api/me/link", "en", LinkCode, body, secret=key).code
    assert run("me", server.url, "--code", code)[1] == "Bob: 0 games, 0 won\n"
    words = request_answer(server.url, "/api/me/words", "en", RecoveryWords, body, secret=key)
    other = club.new_key()
    assert club.add_by_words(server.url, other, words.words).name == "Bob"
    assert run("me", server.url, "--words", words.words, "--code", code)[2] == (
        "cantstop: Give one of --begin, --code and --words.\n"
    )


def test_the_games_that_wait_for_somebody(server: LiveServer, run: Run) -> None:
    anne, bob = club.new_key(), club.new_key()
    club.begin(server.url, anne, "Anne")
    club.begin(server.url, bob, "Bob")
    player = club.me(server.url, anne)
    code = request_answer(
        server.url, "/api/me/link", "en", LinkCode, NewPlayer(""), secret=anne
    ).code
    run("me", server.url, "--code", code)
    assert run("me", server.url, "--turns")[1] == "0 games wait for you\n"
    opened = OpenTable(Mode.ONLINE, (HumanSeat(player.name, salt="a"), OpenSeat()))
    table = request_answer(server.url, "/api/tables", "en", OpenedTable, opened, secret=anne).id
    link = f"{server.url}/t/{table}"
    first, line = run("me", server.url, "--turns")[1].splitlines()
    assert first == "0 games wait for you"
    assert re.fullmatch(rf"{link}  a free seat: waits for players since {WHEN}", line)
    seat = TakeSeat("Bob", salt="b")
    request_answer(server.url, f"/api/tables/{table}/seats", "en", SeatAnswer, seat, secret=bob)
    (found,) = club.turns(server.url, anne).tables
    assert found.mine != club.turns(server.url, bob).tables[0].mine
    first, line = run("me", server.url, "--turns")[1].splitlines()
    assert first == ("1 game waits for you" if found.mine else "0 games wait for you")
    whose = "your turn" if found.mine else "Bob is to play"
    assert re.fullmatch(rf"{link}  Bob: {whose} since {WHEN}", line)
    shown = json.loads(run("me", server.url, "--turns", "--json")[1])
    assert [one["id"] for one in shown["tables"]] == [table]


def test_a_slow_game_says_how_long_and_who_is_away(server: LiveServer, run: Run) -> None:
    cleo, dan = club.new_key(), club.new_key()
    club.begin(server.url, cleo, "Cleo")
    club.begin(server.url, dan, "Dan")
    code = request_answer(server.url, "/api/me/link", "en", LinkCode, NewPlayer(""), secret=cleo)
    run("me", server.url, "--code", code.code)
    seats = (HumanSeat("Cleo", salt="a"), OpenSeat())
    opened = OpenTable(
        Mode.ONLINE, seats, edition="custom", start=Start.FIRST_SEAT, days=2, bank=7200
    )
    table = request_answer(server.url, "/api/tables", "en", OpenedTable, opened, secret=cleo).id
    seat = TakeSeat("Dan", salt="b")
    request_answer(server.url, f"/api/tables/{table}/seats", "en", SeatAnswer, seat, secret=dan)
    hours = club.set_hours(server.url, dan, SetHours("Europe/Berlin", 1320, 480))
    assert (hours.zone, hours.quiet_from) == ("Europe/Berlin", 1320)
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    start = now + timedelta(hours=2)
    gone = club.announce_away(server.url, dan, start, start + timedelta(days=2))
    assert club.hours(server.url, dan) == gone
    (away,) = gone.away
    assert club.cancel_away(server.url, dan, away.from_at).away == ()
    line = run("me", server.url, "--turns")[1].splitlines()[1]
    link = f"{server.url}/t/{table}"
    assert re.fullmatch(rf"{link}  Dan: your turn since {WHEN}, 2 days left", line)
