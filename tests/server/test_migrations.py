"""Databases of every released version, with games in progress: they upgrade, and the games go on.

The files in ``data`` were written by the programs of those versions: rows as SQLite had them, and
for each game the secrets of its seats and the state that the program returned, less its log.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from starlette.testclient import TestClient

from cantstop.server import ServerOptions, create_app
from cantstop.server.database import schema
from cantstop.server.database.connections import open_engine
from cantstop.server.database.migrations.upgrade import upgrade
from cantstop.server.limits.policy import Limits
from cantstop.server.run import check_database
from cantstop.server.runtime.presence import Clocks
from postgresql import Postgres
from swarm import Server, check_quiet
from table_client import at_table, play_to_the_end, sit_down

DATA = Path(__file__).parent / "data"
FILES = sorted(DATA.glob("revision-*.jsonl"))
TABLES = ("tables", "events", "holders", "daily_secret", "daily_tries")
NEXT_DAY = datetime(2026, 11, 17, tzinfo=UTC)


@pytest.fixture
def url(each_url: str) -> str:
    """Each of these tests is run on both databases."""
    return each_url


def read(path: Path) -> Any:
    """The lines of a file, by their kind."""
    found = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        for kind, value in json.loads(line).items():
            found[kind].append(value)
    return found


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def released(request: pytest.FixtureRequest) -> Any:
    return read(request.param)


def fill(url: str, released: Any) -> None:
    """Make a database as the program of that version left it."""
    engine = open_engine(url)
    with engine.execution_options(writes=True).begin() as connection:
        upgrade(connection, *released["revision"])
        for table in filter(released.get, TABLES):
            columns = list(released[table][0])
            places = ", ".join(f":{column}" for column in columns)
            connection.execute(
                sa.text(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"),
                [stored(row, engine.dialect.name) for row in released[table]],
            )
    engine.dispose()


def stored(row: Any, dialect: Any) -> Any:
    row = dict(row)
    if "data" in row:
        row["data"] = json.dumps(row["data"])
    for name in ("dice_secret", "secret"):
        if row.get(name):
            row[name] = bytes.fromhex(row[name])
    if dialect == "postgresql":
        times = [name for name in row if name == "at" or name.endswith("_at")]
        row |= {name: f"{row[name]}+00" for name in times if row[name] is not None}
    return row


def serving(url: str, web: Any, pace: Any) -> TestClient:
    return TestClient(
        create_app(
            ServerOptions(
                url,
                pace=pace,
                web=web,
                clocks=Clocks(600, 0, 0),
                limits=Limits().times(0),
                clock=lambda: NEXT_DAY,
            )
        )
    )


def state(server: TestClient, game: dict[str, Any]) -> Any:
    bearer = {"Authorization": f"Bearer {game['secrets'][0]}"}
    answer = server.get(f"/api/tables/{game['state']['id']}", headers=bearer)
    assert answer.status_code == 200
    return answer.json()


def test_there_is_a_database_of_every_revision() -> None:
    steps = ScriptDirectory(str(Path(schema.__file__).parent / "migrations")).walk_revisions()
    assert sorted(step.revision for step in steps) == [read(path)["revision"][0] for path in FILES]


def test_nothing_is_lost_by_an_upgrade(url: str, web: Path, released: Any) -> None:
    fill(url, released)
    with serving(url, web, pace=3600) as server:
        assert {game["name"] for game in released["game"]} >= {"duel", "bot", "over", "open"}
        for game in released["game"]:
            now = state(server, game)
            then = game["state"]  # later programs tell more
            told = {key: now[key] for key in then}
            assert told | {"view": {key: now["view"][key] for key in then["view"]}} == then
            log = [row for row in released["events"] if row["table_id"] == now["id"]]
            for entry, row in zip(now["log"], log, strict=True):
                milliseconds = row["at"].replace(" ", "T")[:23]
                assert entry.pop("at") == f"{milliseconds}Z"
                assert entry == {key: row[key] for key in ("n", "kind", "seat", "data")}
    engine = open_engine(url)
    before = {row["id"]: row for row in released["tables"]}
    with engine.connect() as connection:
        for row in connection.execute(sa.select(schema.tables)):
            log = [one["at"] for one in released["events"] if one["table_id"] == row.id]
            touched = before[row.id].get("touched_at") or max(log)
            assert row.touched_at == datetime.fromisoformat(f"{touched}+00:00")
        holders = connection.execute(sa.select(schema.holders)).mappings().all()
    engine.dispose()
    key = lambda row: (row["table_id"], row["seat"])  # noqa: E731
    due = [
        {"left_at": None, "absence_over": False, "player_id": None} | row
        for row in released["holders"]
    ]
    assert sorted(map(dict, holders), key=key) == [absence_of(row) for row in due]


def test_results_of_the_daily_game_are_kept(url: str, released: Any) -> None:
    fill(url, released)
    check_database(url)
    engine = open_engine(url)
    with engine.connect() as connection:
        secrets = connection.scalars(sa.select(schema.daily_secret.c.secret)).all()
        tries = connection.execute(sa.select(schema.daily_tries)).mappings().all()
    engine.dispose()
    assert [secret.hex() for secret in secrets] == [
        row["secret"] for row in released["daily_secret"]
    ]
    due = {row["table_id"]: try_of(row) for row in released["daily_tries"]}
    assert {row["table_id"]: dict(row) for row in tries} == due


def try_of(row: dict[str, Any]) -> dict[str, Any]:
    """A try of the daily game with its times as the database gives them."""
    times = {name: row[name] for name in ("opened_at", "finished_at")}
    return row | {
        name: time and datetime.fromisoformat(f"{time}+00:00") for name, time in times.items()
    }


def absence_of(row: dict[str, Any]) -> dict[str, Any]:
    """A holder with its time as the database gives it."""
    left = row["left_at"]
    return row | {"left_at": left and datetime.fromisoformat(f"{left}+00:00")}


def test_all_games_go_on_to_their_end_and_verify(
    new_url: Callable[[], str],
    web: Path,
    run: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    released: Any,
) -> None:
    """On one kind of database: after the upgrade both hold the same."""
    url = new_url()
    fill(url, released)
    with serving(url, web, pace=0) as server:
        for game in released["game"]:
            table, secrets = game["state"]["id"], list(game["secrets"])
            if game["name"] == "open":
                secrets.append(sit_down(server, table, "Carla")["secret"])
            if not game["name"].endswith("over"):
                play_on(server, table, secrets)
            path = tmp_path / f"{game['name']}.cantstop"
            path.write_text(server.get(f"/api/tables/{table}/record").text, "utf-8")
            code, out, _ = run("verify", str(path), "--json")
            (verified,) = json.loads(out)
            assert code == 0
            assert verified["winners"]
            assert verified["dice_checked"] == (game["name"] != "lesson")


def play_on(server: TestClient, table: Any, secrets: Any) -> None:
    with (
        at_table(server, table, secrets[0], salt="first") as first,
        at_table(server, table, secrets[-1], salt="last") as last,
    ):
        players = [first, last][: len(secrets)]
        newest = max(player.n for player in players)
        for player in players:
            player.catch_up(newest)
        if any(seat["substitute"] for seat in last.state["seats"]):
            last.act("return", *last.state["you"])
            first.catch_up(last.n)
        if first.state["stage"] == "open" and "started" not in first.kinds:
            first.hear_event("started")
        play_to_the_end(*players)


def test_serve_refuses_a_newer_database_in_one_line(url: str, fails: Callable[..., str]) -> None:
    check_database(url)
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0042'"))
    engine.dispose()
    assert fails("serve", "--database", url, "--port", "0") == (
        "cantstop: The database is from a newer version (0042) than this program: "
        "update cantstop.\n"
    )


@pytest.mark.anyio
async def test_programs_that_start_at_the_same_time_on_an_empty_postgresql_both_come_up(
    postgres: Postgres,
) -> None:
    url = postgres.new_database()
    servers = [Server(url), Server(url)]
    starting = []
    try:
        async with await psycopg.AsyncConnection.connect(url) as connection:
            # both find nothing: whoever is first holds this lock until everything is there
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", [0xCA57])
            starting += [asyncio.create_task(server.start()) for server in servers]
            waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while await scalar(connection, waiting) < 2:
                assert not any(task.done() for task in starting), "a server did not wait its turn"
                await asyncio.sleep(0.02)
            assert await scalar(connection, "SELECT to_regclass('tables') IS NULL")
            await connection.rollback()
    finally:
        await asyncio.gather(*starting, return_exceptions=True)
        await asyncio.gather(*(server.end() for server in servers), return_exceptions=True)
    for task in starting:
        task.result()
    check_quiet(servers)


async def scalar(connection: Any, query: str) -> Any:
    (value,) = await (await connection.execute(query)).fetchone()
    return value
