"""A club of any size in a database, and what its pages then cost a server.

Usage: python tools/club_load.py URL [--players 100000] [--games 1000000] [--requests 200]

Fills an empty database (sqlite:///FILE or postgresql://…) with players, their games and ratings,
as if they had been played over two years: the busiest have thousands. A server in this process is
then asked for the pages of the club. Printed are the processor time of a request, which does not
depend on what else the machine does, and the time that passed. What is made up is the load, not the
play: every game has the same record.
"""

import argparse
import random
import resource
import statistics
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import sqlalchemy as sa
from starlette.testclient import TestClient

from cantstop import Game
from cantstop.bots import LADDER
from cantstop.record import Record
from cantstop.server import ServerOptions, create_app
from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine
from cantstop.server.database.migrations.upgrade import upgrade
from cantstop.server.limits.policy import Limits
from cantstop.server.tables.history import packed_game
from cantstop.server.tables.names import name_shape
from cantstop.server.tables.seating import hashed

BATCH = 5_000
BEGAN = datetime(2024, 11, 15, tzinfo=UTC)
SECONDS = 2 * 365 * 86_400.0
BUSIEST = 0.6
"""The exponent of how often players play: the busiest of 100,000 has some 4,000 games."""

Row = Mapping[str, Any]


def player_id(number: int) -> str:
    """The id of a player."""
    return f"{number:012}"


def key_of(number: int) -> str:
    """The key of a player's device."""
    return f"key-of-player-{number:010}"


def players(count: int) -> Iterator[Row]:
    """Rows of players; every second one is public."""
    for number in range(count):
        name = f"Player {number}"
        yield {
            "id": player_id(number),
            "name": name,
            "shape": name_shape(name),
            "mark": number % 24,
            "public": number % 2 == 0,
            "created_at": BEGAN,
        }


def keys(count: int) -> Iterator[Row]:
    """A device for each player."""
    for number in range(count):
        yield {
            "key_hash": hashed(key_of(number)),
            "id": player_id(number),
            "player_id": player_id(number),
            "name": "",
            "added_at": BEGAN,
            "seen_at": datetime.now(UTC),
        }


def ratings(count: int, chance: random.Random) -> Iterator[Row]:
    """Four ratings for each player."""
    for number in range(count):
        for kind in ("results", "play"):
            for size in ("two", "more"):
                value = chance.gauss(1650, 120)
                yield {
                    "player_id": player_id(number),
                    "kind": kind,
                    "size": size,
                    "value": value,
                    "low": value - 60,
                    "high": value + 60,
                    "games": 30,
                    "replaces": 90.0,
                    "opponents": 9,
                    "evaluator": "load",
                }


def games(count: int, people: int, chance: random.Random) -> Iterator[tuple[Row, list[Row]]]:
    """Games with their seats: most for two, some against bots."""
    packed = packed_game(Record.of(Game(), ["Anne", "Bob"]))
    for number in range(count):
        table = f"g{number:011}"
        at = BEGAN + timedelta(seconds=SECONDS * number / count)
        size = chance.choices((2, 3, 4), (8, 1, 1))[0]
        seats: list[Row] = []
        taken: set[int] = set()
        for seat in range(size):
            bot = LADDER[chance.randrange(8)].name if seat and chance.random() < 0.3 else None
            who = int(people * chance.random() ** (1 / (1 - BUSIEST)))
            is_player = bot is None and who not in taken
            taken.add(who)
            seats.append(
                {
                    "table_id": table,
                    "seat": seat,
                    "finished_at": at,
                    "player_id": player_id(who) if is_player else None,
                    "bot": bot,
                    "won": seat == 0,
                    "left_at": None,
                    "start": 1 / size,
                    "luck": chance.gauss(0, 0.3),
                    "skill": -abs(chance.gauss(0, 0.1)),
                    "drift": 0.0,
                    "press_decisions": 20,
                    "press_error": 0.05,
                    "move_decisions": 25,
                    "move_error": 0.1,
                    "inaccuracies": 3,
                    "mistakes": 1,
                    "blunders": 0,
                }
            )
        game = {
            "table_id": table,
            "finished_at": at,
            "edition": "classic",
            "rules": f"v1,players={size}",
            "size": size,
            "turns": 20,
            "why_not": None,
            "record": packed,
            "evaluator": "load",
        }
        yield game, seats


def costly(people: int, chance: random.Random) -> Iterator[Row]:
    """Ten decisions of each player that cost much."""
    for number in range(people):
        for at in range(10):
            yield {
                "table_id": f"c{number:08}{at:02}",
                "n": at,
                "player_id": player_id(number),
                "position": "v1,players=2",
                "question": "stop or roll",
                "chosen": "roll",
                "best": "stop",
                "error": chance.random() / 5,
            }


def insert(connection: sa.Connection, table: sa.Table, rows: Iterator[Row]) -> None:
    """Write rows, some at a time."""
    while some := list(islice(rows, BATCH)):
        connection.execute(table.insert(), some)


def fill(url: str, people: int, count: int) -> None:
    """Fill an empty database."""
    chance = random.Random(31)
    engine = open_engine(url)
    with engine.execution_options(writes=True).begin() as connection:
        upgrade(connection)
        insert(connection, schema.players, players(people))
        insert(connection, schema.player_keys, keys(people))
        for table in (schema.ratings, schema.leaders):
            insert(connection, table, ratings(people, random.Random(33)))
        insert(connection, schema.costly_decisions, costly(people, chance))
        made = games(count, people, chance)
        while some := list(islice(made, BATCH)):
            connection.execute(schema.games.insert(), [game for game, _ in some])
            connection.execute(
                schema.game_seats.insert(), [one for _, seats in some for one in seats]
            )
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.exec_driver_sql("ANALYZE")
    engine.dispose()


def measure(url: str, people: int, requests: int) -> None:
    """Ask a server for the pages of the club."""
    chance = random.Random(32)
    options = ServerOptions(url, limits=Limits().times(0), lobby=True)
    with TestClient(create_app(options)) as server:
        runtime: Any = server.app.state.runtime  # type: ignore[attr-defined]

        def get(path: str, number: int | None = None) -> None:
            headers = {} if number is None else {"Authorization": f"Bearer {key_of(number)}"}
            answer = server.get(f"/api{path}", headers=headers)
            assert answer.status_code == 200, answer.text

        def some_player() -> int:
            return chance.randrange(people // 2) * 2

        def lobby() -> None:
            runtime.lobby.forget_view()
            get("/lobby", some_player())

        def leaders() -> None:
            runtime.club.forget_leaders()
            get("/leaderboard?kind=play")

        def post(path: str, number: int, **body: Any) -> Any:  # noqa: ANN401
            headers = {"Authorization": f"Bearer {key_of(number)}"}
            answer = server.post(f"/api{path}", headers=headers, json=body)
            assert answer.status_code == 201, answer.text
            return answer.json()

        fill_lobby(get, post, people)
        pages = {
            "lobby, made again": lobby,
            "lobby, as shown a moment ago": lambda: get("/lobby"),
            "profile of anybody": lambda: get(f"/players/{player_id(some_player())}"),
            "profile of the busiest": lambda: get(f"/players/{player_id(0)}", 0),
            "a page of the busiest's games": lambda: get(f"/players/{player_id(0)}/games", 0),
            "leaderboard, made again": leaders,
            "leaderboard, from the cache": lambda: get("/leaderboard?kind=play"),
        }
        floor = _times(lambda: get("/club"), requests)
        print(f"{'page':34} processor ms (median, 95 %)   passed ms")
        for name, ask in {"the request itself": lambda: get("/club"), **pages}.items():
            used, passed = _times(ask, requests)
            less = [max(0.0, one - statistics.median(floor[0])) for one in used]
            shown = used if name == "the request itself" else less
            print(
                f"{name:34} {statistics.median(shown):8.1f} {_quantile(shown):8.1f}"
                f" {statistics.median(passed):20.1f}"
            )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"memory of the process at its highest: {memory} MB")


def fill_lobby(get: Any, post: Any, people: int) -> None:  # noqa: ANN401
    """As full as a lobby is shown: 60 players are here, 15 tables are open, 15 games go on."""
    for number in range(0, min(people, 120), 2):
        get("/lobby", number)
    seats = [{"kind": "human", "name": "x", "salt": "a"}, {"kind": "open"}]
    for number in range(0, min(people - 1, 60), 2):
        table = post("/tables", number, mode="online", seats=seats, listed=True, rated=True)["id"]
        if number % 4 == 0:
            post(f"/tables/{table}/seats", number + 1, name="x", salt="b")


def _times(ask: Any, requests: int) -> tuple[list[float], list[float]]:  # noqa: ANN401
    used, passed = [], []
    for _ in range(requests):
        cpu, clock = time.process_time(), time.perf_counter()
        ask()
        used.append(1000 * (time.process_time() - cpu))
        passed.append(1000 * (time.perf_counter() - clock))
    return used, passed


def _quantile(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def main() -> None:
    """Fill a database, unless it is filled, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("url")
    parser.add_argument("--players", type=int, default=100_000)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--filled", action="store_true", help="measure what is there")
    asked = parser.parse_args()
    if not asked.filled:
        began = time.perf_counter()
        fill(asked.url, asked.players, asked.games)
        print(f"filled in {time.perf_counter() - began:.0f} s")
    measure(asked.url, asked.players, asked.requests)


if __name__ == "__main__":
    main()
