"""Backup and restore: one moment in one file, on any database, while everybody plays on."""

import gzip
import hashlib
import io
import json
import stat
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from cantstop import __version__
from cantstop.server import ServerOptions, create_app
from cantstop.server.database import backup, schema
from cantstop.server.database.backup import BadBackup, NotEmpty, back_up, restore
from cantstop.server.database.connections import UnusableDatabase, migrate, open_engine
from cantstop.server.database.migrations.upgrade import NewerDatabase
from cantstop.server.limits.policy import Limits
from cantstop.server.run import check_database
from cantstop.server.runtime import housekeeping
from cantstop.server.runtime.presence import Clocks
from postgresql import Postgres
from table_client import OPEN, at_table, bot, human, open_table, play_to_the_end, sit_down

SHORT: dict[str, Any] = {"edition": "custom", "win": 1}


@pytest.fixture
def new_database(
    postgres: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Any]:
    """Makes an empty database of a kind and returns its URL."""

    def new(kind: str) -> Any:
        if kind == "postgresql":
            return postgres.new_database()
        return f"sqlite:///{tmp_path_factory.mktemp('database') / 'tables.db'}"

    return new


def serving(url: str, web: Any, pace: float = 0.0) -> TestClient:
    clocks, limits = Clocks(600, 0, 0), Limits().times(0)
    return TestClient(
        create_app(ServerOptions(url, pace=pace, web=web, clocks=clocks, limits=limits))
    )


def quiet(_rows: Any) -> None:
    pass


def backed_up(url: str, tell: Any = quiet) -> tuple[Any, Any]:
    file = io.BytesIO()
    return file, back_up(url, file, tell)


def rows(url: str) -> dict[Any, Any]:
    """Everything in a database."""
    engine = open_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: connection.execute(
                sa.select(table).order_by(*table.primary_key.columns)
            ).all()
            for table in schema.metadata.sorted_tables
        }
    engine.dispose()
    return found


@pytest.fixture
def games() -> Callable[..., dict[str, Any]]:
    """Opens tables of every kind on a server whose bots never come to act; ids and secrets."""

    def games(server: TestClient) -> dict[str, Any]:
        duel = open_table(server, human("Anne", salt="a"), OPEN, **SHORT)
        bobs = sit_down(server, duel["id"], "Bøb 🎲")["secret"]
        waiting = open_table(server, bot(), human("Anne", salt="b"), mode="hotseat", **SHORT)
        free = open_table(server, human("Anne"), OPEN, **SHORT)
        lesson = server.post("/api/tables", json={"lesson": "basics", "name": "Anne"}).json()
        over = open_table(server, human("Anne", salt="c"), mode="solo", **SHORT)
        with at_table(server, over["id"], over["secret"]) as player:
            play_to_the_end(player)
        with at_table(server, duel["id"], duel["secret"]) as anne:
            anne.act("roll", 0)
        return {
            "duel": (duel["id"], duel["secret"], bobs),
            "waiting": (waiting["id"], waiting["secret"]),
            "free": (free["id"], free["secret"]),
            "lesson": (lesson["id"], lesson["secret"]),
            "over": (over["id"], over["secret"]),
        }

    return games


def states(server: TestClient, tables: Any) -> dict[Any, list[Any]]:
    return {
        name: [
            server.get(f"/api/tables/{table}", headers={"Authorization": f"Bearer {secret}"}).json()
            for secret in secrets
        ]
        for name, (table, *secrets) in tables.items()
    }


def finish(server: TestClient, table: Any, *secrets: Any) -> None:
    with at_table(server, table, secrets[0]) as first, at_table(server, table, secrets[-1]) as last:
        first.catch_up(last.n)
        play_to_the_end(*([first, last] if len(secrets) == 2 else [first]))


def check(run: Any, server: TestClient, tables: Any, folder: Path) -> None:
    """Every game is over, and ``cantstop verify`` has nothing to say against its record."""
    for name in ("duel", "waiting", "free", "over"):
        path = folder / f"{name}.cantstop"
        path.write_text(server.get(f"/api/tables/{tables[name][0]}/record").text, "utf-8")
        code, out, _ = run("verify", str(path), "--json")
        (verified,) = json.loads(out)
        assert code == 0
        assert verified["dice_checked"]
        assert verified["winners"]


def as_noted(
    found: dict[str, Any], before: dict[str, Any], after: dict[str, Any]
) -> dict[str, Any]:
    """The rows, with absences as ``before`` has them where they are as in ``after``.

    The server notes who has left a moment after the connection has ended, before a backup or not.
    """
    was = {row[:3]: row for row in before["holders"]}
    holders = [
        was.get(row[:3], row) if row in after["holders"] else row for row in found["holders"]
    ]
    return {**found, "holders": holders}


@pytest.mark.parametrize(("source", "target"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_games_move_to_another_database_as_they_were_while_they_go_on_where_they_are(
    new_database: Callable[..., Any],
    games: Callable[..., dict[str, Any]],
    web: Path,
    run: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    source: str,
    target: str,
) -> None:
    monkeypatch.setattr(backup, "_BATCH_SIZE", 1)
    here, there = new_database(source), new_database(target)
    with serving(here, web, pace=3600) as server:
        tables = games(server)
        then, before = states(server, tables), rows(here)
        with at_table(server, *tables["lesson"]) as player:

            def play_meanwhile(_rows: Any) -> None:
                if player.view["outcome"] is None and player.view["seat"] == 0:
                    player.play_on()
                player.act("react", 0, reaction="gasp")
                open_table(server, human("Zoe"), mode="solo")

            file, counts = backed_up(here, play_meanwhile)
            after = rows(here)
            assert player.n > then["lesson"][0]["n"] + 5
        assert counts == {name: len(found) for name, found in before.items()}

    file.seek(0)
    assert restore(there, file, quiet) == counts
    assert as_noted(rows(there), before, after) == before
    with serving(there, web, pace=3600) as server:
        assert states(server, tables) == then
    for url in (here, there):
        with serving(url, web) as server:
            carlas = sit_down(server, tables["free"][0], "Carla")["secret"]
            finish(server, *tables["free"], carlas)
            finish(server, *tables["duel"])
            finish(server, *tables["waiting"])
            check(run, server, tables, tmp_path)


def test_a_server_that_runs_on_the_empty_database_takes_the_games_up(
    new_database: Callable[..., Any],
    games: Callable[..., dict[str, Any]],
    web: Path,
    each_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(housekeeping, "HEARTBEAT_SECONDS", 0.05)
    here, url = new_database("sqlite"), each_url
    with serving(here, web, pace=3600) as server:
        tables = games(server)
        then = states(server, tables)
    file, _ = backed_up(here)
    file.seek(0)
    with serving(url, web) as server:
        for _ in range(10):  # statements that a driver keeps ready are of the tables before
            assert server.get(f"/api/tables/{tables['duel'][0]}").status_code == 404
        restore(url, file, quiet)
        del then["waiting"]  # its bot acts again
        assert states(server, {name: tables[name] for name in then}) == then
        finish(server, *tables["waiting"])
        finish(server, *tables["duel"])


def test_a_backup_can_be_read_by_a_person(
    new_database: Callable[..., Any], games: Callable[..., dict[str, Any]], web: Path
) -> None:
    url = new_database("sqlite")
    with serving(url, web, pace=3600) as server:
        table = games(server)["over"][0]
    file, counts = backed_up(url)
    text = gzip.decompress(file.getvalue())
    header, *lines, end = map(json.loads, text.splitlines())
    assert header["cantstop-backup"].pop("at").startswith("20")
    assert header == {"cantstop-backup": {"version": 1, "program": __version__, "schema": "0011"}}
    above = text[: text.rindex(b"\n", 0, -1) + 1]
    assert end == {"end": {"rows": counts, "sha256": hashlib.sha256(above).hexdigest()}}
    kinds = [kind for line in lines for kind in line]
    assert kinds == sorted(kinds, key=["tables", "events", "holders"].index)
    first = next(
        line["events"] for line in lines if line.get("events", {}).get("table_id") == table
    )
    assert (first["n"], first["kind"], first["data"]["mode"]) == (1, "opened", "solo")


def test_times_are_the_same_whatever_time_zone_postgresql_is_set_to(
    postgres: Postgres, tmp_path: Path, web: Path
) -> None:
    there, back = postgres.new_database(), f"sqlite:///{tmp_path / 'back.db'}"
    here = f"sqlite:///{tmp_path / 'here.db'}"
    with serving(here, web) as server:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        then = server.get(f"/api/tables/{opened['id']}").json()
    engine = open_engine(there)
    with engine.begin() as connection:
        name = connection.engine.url.database
        connection.execute(sa.text(f"ALTER DATABASE {name} SET timezone = 'Asia/Tokyo'"))
    engine.dispose()
    for source, target in [(here, there), (there, back)]:
        file, _ = backed_up(source)
        file.seek(0)
        restore(target, file, quiet)
        assert rows(target) == rows(here)
        with serving(target, web) as server:
            assert server.get(f"/api/tables/{opened['id']}").json() == then


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory, web: Path) -> bytes:
    """A small backup."""
    url = f"sqlite:///{tmp_path_factory.mktemp('good') / 'good.db'}"
    with serving(url, web, pace=3600) as server:
        opened = open_table(server, human("Anne", salt="a"), OPEN)
        sit_down(server, opened["id"], "Bob")
    backup: bytes = backed_up(url)[0].getvalue()
    return backup


@pytest.mark.parametrize("is_migrated", [False, True])
def test_a_backup_is_restored_into_an_empty_database_only(
    each_url: str, good: bytes, is_migrated: bool
) -> None:
    url = each_url
    if is_migrated:
        check_database(url)  # as a server leaves it that nobody has played on
    restore(url, io.BytesIO(good), quiet)
    before = rows(url)
    with pytest.raises(NotEmpty, match=r"already holds tables: .* be restored into an empty one"):
        restore(url, io.BytesIO(good), quiet)
    assert rows(url) == before


def is_empty(url: str) -> bool:
    engine = open_engine(url)
    names = sa.inspect(engine).get_table_names()
    engine.dispose()
    return names == []


def test_a_backup_that_is_cut_off_anywhere_is_refused(url: str, good: bytes) -> None:
    for length in [*range(2, len(good) - 8, len(good) // 12), *range(len(good) - 8, len(good))]:
        with pytest.raises(BadBackup, match="cut off") as refused:
            restore(url, io.BytesIO(good[:length]), quiet)
        assert str(refused.value).count(".") == 1
    assert is_empty(url)
    restore(url, io.BytesIO(good), quiet)


def test_a_backup_with_any_byte_changed_is_refused(url: str, good: bytes) -> None:
    for at in range(10, len(good), len(good) // 25):  # the first ten do not matter to what follows
        damaged = bytearray(good)
        damaged[at] ^= 0x10
        if means_the_same(bytes(damaged), good):
            continue
        with pytest.raises(BadBackup):
            restore(url, io.BytesIO(damaged), quiet)
    assert is_empty(url)


def means_the_same(damaged: bytes, good: bytes) -> bool:
    """Between two blocks of what is packed there may be bits that no reader looks at."""
    try:
        return gzip.decompress(damaged) == gzip.decompress(good)
    except (OSError, EOFError, zlib.error):
        return False


def lines_of(good: Any) -> list[Any]:
    return [json.loads(line) for line in gzip.decompress(good).splitlines()]


def written(lines: Any) -> Any:
    return io.BytesIO(gzip.compress(b"".join(json.dumps(line).encode() + b"\n" for line in lines)))


def signed(lines: Any) -> Any:
    """The lines with an end that fits them."""
    file = io.BytesIO()
    counts = dict.fromkeys(["tables", "events", "holders"], 0)
    with backup._LineWriter(file) as sheet:
        for line in lines:
            ((kind, value),) = line.items()
            sheet.write(kind, value)
            if kind in counts:
                counts[kind] += 1
        sheet.write("end", {"rows": counts, "sha256": sheet.sha256})
    file.seek(0)
    return file


def test_a_signed_backup_is_one(url: str, good: bytes) -> None:
    restore(url, signed(lines_of(good)[:-1]), quiet)


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.pop(3),
        lambda lines: lines.insert(3, lines[3]),
        lambda lines: lines.append(lines[3]),
        lambda lines: lines.append(lines[-1]),
        lambda lines: lines[-1]["end"]["rows"].update(events=1),
        lambda lines: lines[-1]["end"].update(sha256="0" * 64),
        lambda lines: lines[1]["tables"].update(bot_to_act=True),
        lambda lines: lines.insert(1, "tables"),
        lambda lines: lines.insert(1, {"tables": 3}),
    ],
)
def test_a_backup_that_was_edited_is_damaged(url: str, good: bytes, change: Any) -> None:
    lines = lines_of(good)
    change(lines)
    with pytest.raises(BadBackup, match="The backup is damaged, and nothing was restored"):
        restore(url, written(lines), quiet)
    assert is_empty(url)


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines.insert(1, {"chairs": {}}),
        lambda lines: lines[1]["tables"].pop("bot_to_act"),
        lambda lines: lines[1]["tables"].update(colour="red"),
        lambda lines: lines[1]["tables"].update(opened_at="yesterday"),
        lambda lines: lines[1]["tables"].update(opened_at=7),
        lambda lines: lines[1]["tables"].update(id=None),
        lambda lines: lines[1]["tables"].update(dice_secret="x"),
        lambda lines: lines[1]["tables"].update(bot_to_act=-1),
        lambda lines: lines[2]["events"].update(n=1 << 70),
        lambda lines: lines[2]["events"].update(table_id="another"),
        lambda lines: lines.append(lines[2]),
    ],
)
def test_rows_that_no_database_has_are_damage_too(each_url: str, good: bytes, change: Any) -> None:
    """Each kind of database refuses them in its own way, and takes back what it has."""
    url, lines = each_url, lines_of(good)[:-1]
    change(lines)
    with pytest.raises(BadBackup, match="The backup is damaged, and nothing was restored"):
        restore(url, signed(lines), quiet)
    assert is_empty(url)


def test_rows_without_end_in_a_small_file_are_refused_before_they_fill_the_disk(
    url: str, good: bytes
) -> None:
    lines = lines_of(good)
    bomb = [*lines[:1], *([lines[1]] * 100_000)]
    told: list[int] = []
    with pytest.raises(BadBackup, match="The backup is damaged, and nothing was restored"):
        restore(url, written(bomb), told.append)
    assert is_empty(url)


def test_an_end_is_missed_also_where_the_file_itself_is_whole(url: str, good: bytes) -> None:
    with pytest.raises(BadBackup, match="cut off"):
        restore(url, written(lines_of(good)[:-1]), quiet)


@pytest.mark.parametrize(
    "content",
    # named: a compressed text holds the time, so each process would choose another name
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"Dear Sid", id="text"),
        pytest.param(gzip.compress(b""), id="nothing, compressed"),
        pytest.param(gzip.compress(b"Dear Sid"), id="text, compressed"),
        pytest.param(gzip.compress(b"[]\n"), id="list"),
        pytest.param(gzip.compress(b'{"tables": {}}\n'), id="other JSON"),
        pytest.param(gzip.compress(b"[" * 500_000), id="deep"),
        pytest.param(gzip.compress(b" " * 5_000_000), id="long"),
    ],
)
def test_what_is_not_a_backup_is_refused(tmp_path: Path, content: Any) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    with pytest.raises(BadBackup, match="not a Can't Stop backup"):
        restore(url, io.BytesIO(content), quiet)
    assert not (tmp_path / "tables.db").exists()


@pytest.mark.parametrize("newer", [{"version": 2}, {"schema": "9999"}])
def test_a_backup_of_a_newer_version_is_refused(
    tmp_path: Path, good: bytes, newer: dict[str, Any]
) -> None:
    lines = lines_of(good)
    lines[0]["cantstop-backup"].update(newer, program="7.0")
    with pytest.raises(BadBackup, match=r"from a newer version \(7\.0\) .* update cantstop"):
        restore(f"sqlite:///{tmp_path / 'tables.db'}", written(lines), quiet)


def test_a_newer_database_is_neither_backed_up_nor_filled(each_url: str, good: bytes) -> None:
    url = each_url
    check_database(url)
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(NewerDatabase):
        backed_up(url)
    with pytest.raises(NewerDatabase):
        restore(url, io.BytesIO(good), quiet)


def test_a_database_that_goes_away_in_the_middle_is_one_clear_sentence(
    postgres: Postgres, good: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backup, "_BATCH_SIZE", 1)
    url = postgres.new_database()

    def cut(_rows: Any) -> None:
        with psycopg.connect(postgres.url("postgres")) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
                [url.rpartition("/")[2]],
            )

    with pytest.raises(UnusableDatabase, match="The database has failed: ") as refused:
        restore(url, io.BytesIO(good), cut)
    assert "\n" not in str(refused.value)
    assert is_empty(url)
    restore(url, io.BytesIO(good), quiet)
    with pytest.raises(UnusableDatabase, match="The database has failed: "):
        backed_up(url, cut)


def test_a_database_without_tables_has_nothing_to_back_up(each_url: str) -> None:
    url = each_url
    engine = open_engine(url)  # it is there now
    engine.dispose()
    with pytest.raises(UnusableDatabase, match="no Can't Stop tables"):
        backed_up(url)


def test_a_backup_of_an_older_schema_is_brought_up_to_date(
    each_new_url: Callable[[], str], good: bytes
) -> None:
    """A database of revision 0001 does not know when its tables were touched last."""
    older, newer = each_new_url(), each_new_url()
    engine = open_engine(older)
    restore(older, io.BytesIO(good), quiet)
    with engine.begin() as connection:
        early = {"tables", "events", "holders", "daily_secret", "daily_tries"}
        for metadata in (schema.unsaved, schema.metadata):
            later = [table for table in metadata.sorted_tables if table.name not in early]
            metadata.drop_all(connection, later)
        connection.execute(sa.text("DROP INDEX ix_holders_player_id_table_id"))
        connection.execute(sa.text("ALTER TABLE holders DROP COLUMN player_id"))
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '0005'"))
    file, counts = backed_up(older)
    assert lines_of(file.getvalue())[0]["cantstop-backup"]["schema"] == "0005"
    with engine.connect() as connection:  # looking has not changed it
        assert connection.scalar(sa.text("SELECT version_num FROM alembic_version")) == "0005"
    file.seek(0)
    assert restore(newer, file, quiet) == counts
    migrate(engine)
    engine.dispose()
    assert rows(newer) == rows(older)


# The command


@pytest.fixture
def database(tmp_path: Path, good: bytes) -> str:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    restore(url, io.BytesIO(good), quiet)
    return url


def test_the_command_writes_a_file_that_only_its_owner_reads(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path, database: str
) -> None:
    path, there = tmp_path / "club.backup", f"sqlite:///{tmp_path / 'there.db'}"
    path.write_text("yesterday's")
    path.chmod(0o644)
    before = set(tmp_path.iterdir())
    assert run("backup", str(path), "--database", database) == (0, "One table is backed up.\n", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {one for one in tmp_path.iterdir() if "backup" in one.name} == {path} <= before
    assert run("restore", str(path), "--database", there) == (0, "One table is restored.\n", "")
    assert rows(there) == rows(database)


def test_the_usual_database_is_the_servers(
    run: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cantstop.cli.backup.default_database", lambda: database)
    assert run("backup", str(tmp_path / "x"))[0] == 0
    monkeypatch.setattr(
        "cantstop.cli.backup.default_database", lambda: f"sqlite:///{tmp_path / 'new' / 'y.db'}"
    )
    assert run("restore", str(tmp_path / "x"))[0] == 0
    assert rows(f"sqlite:///{tmp_path / 'new' / 'y.db'}") == rows(database)


def test_a_backup_that_fails_leaves_the_file_of_yesterday(
    fails: Callable[..., str], tmp_path: Path
) -> None:
    path = tmp_path / "club.backup"
    path.write_text("yesterday's")
    missing = tmp_path / "missing.db"
    said = fails("backup", str(path), "--database", f"sqlite:///{missing}")
    assert said == f"cantstop: There is no database {missing}.\n"
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_text() == "yesterday's"


def test_files_that_cannot_be_used_are_refused(
    fails: Callable[..., str], tmp_path: Path, database: str
) -> None:
    nowhere = str(tmp_path / "nowhere" / "x")
    assert "cannot be written: No such file" in fails("backup", nowhere, "--database", database)
    assert "cannot be written: Is a dir" in fails("backup", str(tmp_path), "--database", database)
    assert "cannot be read: No such file" in fails("restore", nowhere)
    assert "cannot be read: Is a directory" in fails("restore", str(tmp_path))
    Path(tmp_path / "letter").write_text("Dear Sid", encoding="utf-8")
    assert "not a Can't Stop backup" in fails(
        "restore", str(tmp_path / "letter"), "--database", database
    )


def test_a_backup_goes_through_a_pipe(tmp_path: Path, database: str) -> None:
    there = f"sqlite:///{tmp_path / 'there.db'}"
    command = [sys.executable, "-m", "cantstop"]
    wrote = subprocess.run(
        [*command, "backup", "-", "--database", database, "--lang", "en"],
        capture_output=True,
        check=True,
    )
    assert wrote.stderr == b"One table is backed up.\n"
    subprocess.run(
        [*command, "restore", "-", "--database", there], input=wrote.stdout, check=True,
        capture_output=True,
    )  # fmt: skip
    assert rows(there) == rows(database)


def test_progress_is_shown_on_a_terminal_only(
    run: Callable[..., tuple[int, str, str]],
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(backup, "_BATCH_SIZE", 2)
    path = str(tmp_path / "x")
    assert run("backup", path, "--database", database)[2] == ""
    monkeypatch.setattr("cantstop.cli.backup.sys.stderr.isatty", lambda: True)
    code, out, err = run("backup", path, "--database", database)
    assert (code, out) == (0, "One table is backed up.\n")
    assert err.startswith("\r2 rows so far\r4 rows so far")
    assert err.endswith("\r             \r")
