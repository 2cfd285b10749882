"""Every reader of the package: right samples of what it reads, and how they are spoilt.

A reader takes what is right, or refuses with an error of its own; whatever else it raises is a
failure. What it takes has to come back as it was, where it can be written again.
"""

import gzip
import hashlib
import io
import json
import lzma
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from cantstop.client import MALFORMED, RemoteTable, TableLink, Unreachable
from cantstop.client.connection import _parse as parse_message
from cantstop.client.links import SeatSecrets, server_address
from cantstop.dice import EnteredDice, Seal, SealedDice, SeededDice, commitment
from cantstop.draw import board_text
from cantstop.game import Game
from cantstop.language import Translator
from cantstop.record import Record, each_record, read_record, record_text, verify
from cantstop.rules import CantStopError, Move, Position, Rules, parse_dice
from cantstop.table.events import (
    Entry,
    Mode,
    Opened,
    Reserved,
    Returned,
    Seated,
    Started,
    Substituted,
    TableEvent,
)
from cantstop.table.table import Table
from cantstop.terminal.commands import parse_answer
from cantstop.terminal.local_game import LocalSeat
from cantstop.untrusted import printable
from cantstop.wire.events import encode_entry
from cantstop.wire.seen import SeenEvent, SeenState
from fuzz.mutations import spoil, spoil_json, spoil_json_text

READ, REFUSED = "read", "refused"
LINK = TableLink("http://127.0.0.1:1", "table")


class WrongReading(AssertionError):
    """A reader took what it should not have, or said what it should not."""


@dataclass(frozen=True)
class Reader:
    """``share`` of a million inputs go to it."""

    name: str
    share: int
    make: Callable[[Random], bytes]
    """An input, made of a right one."""
    read: Callable[[bytes, Path], object]
    """Reads it, with a folder to write to."""
    refuses: tuple[type[Exception], ...] = (CantStopError,)


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _from(samples: Callable[[], list[bytes]]) -> Callable[[Random], bytes]:
    return lambda chance: spoil(chance, chance.choice(samples()))


# Records, positions, rules and what people type


def _game(rules: str, seed: int, most: int) -> Game:
    game, chance = Game(Rules.parse(rules)), Random(seed)
    dice = SeededDice(seed, game.rules.board.sides)
    for _ in range(1, most):
        if game.outcome is not None:
            break
        position = game.position
        if position.dice is not None:
            game.move(chance.choice(list(game.legal_moves)))
        elif position.may_stop and chance.random() < 0.4:
            game.stop()
        else:
            game.roll(dice.roll(game.rolls + 1, position.dice_to_roll))
    return game


_RULES = (
    *("players=2", "players=4,start=roll-off", "players=3,win=4,early", "players=1,lengths=1.3.1"),
    *("players=2,sharing=leapfrog", "players=2,sharing=no-rest,runners=2"),
    "players=2,lengths=1.1.1.1.1.2.2.2.2.2.3.3.3.3.3.2.2.2.2,runners=4",
)


@cache
def _games() -> list[tuple[Game, SeededDice]]:
    return [
        (game, SeededDice(seed, game.rules.board.sides))
        for seed, (rules, most) in enumerate((rules, most) for rules in _RULES for most in (8, 40))
        for game in [_game(rules, seed, most)]
    ]


@cache
def record_samples() -> list[bytes]:
    """Short games by different rules, with every kind of dice, and two in one file."""
    found = []
    for game, dice in _games():
        players = game.rules.players
        names = tuple(f"Seat “{seat}”" for seat in range(players))
        found.append(record_text(Record(game.start, names, game.events, dice=dice)))
        secret = bytes(32)
        seal = Seal("table", commitment(secret), ("salt",) * players)
        sealed = Record(
            game.start, names, (), "classic", "2026", SealedDice(seal, secret, dice.sides)
        )
        found.append(record_text(sealed))
        entered = EnteredDice(dice.sides)
        found.append(record_text(Record(game.start, names, game.events, dice=entered)))
    return [text.encode() for text in [*found, found[0] + found[2]]]


def read_records(data: bytes, _: Path) -> object:
    """As ``cantstop verify`` reads them; what is whole is written and read again."""
    for record in each_record(data.decode()):
        if record.cut is None and read_record(record_text(record)) != record:
            raise WrongReading("A record changes when it is written and read.")
        verify(record)
    return None


@cache
def position_samples() -> list[bytes]:
    """Positions of these games."""
    return [str(position).encode() for game, _ in _games() for position in game.positions[::3]]


def read_position(data: bytes, _: Path) -> object:
    """A position that is taken is drawn as well, and is the same when it is written."""
    position = Position.parse(_text(data))
    if Position.parse(str(position)) != position:
        raise WrongReading("A position changes when it is written and read.")
    if printable(board := board_text(position)) != board:
        raise WrongReading("A board steers the terminal.")
    return None


def read_rules(data: bytes, _: Path) -> object:
    """Rules that are taken are the same when they are written."""
    rules = Rules.parse(_text(data))
    if Rules.parse(str(rules)) != rules:
        raise WrongReading("Rules change when they are written and read.")
    return None


_WORDS = [
    b"2345",
    b"2-12-4-5",
    b"6+8",
    b"7",
    b"12+12",
    b"roll",
    b"stop",
    b"save file",
    b"Anne",
    b"bot:bold:3",
]


def read_words(data: bytes, _: Path) -> object:
    """What people type: each way to read it."""
    text = _text(data)
    refusals = 0
    for read in (
        parse_dice,
        Move.parse,
        LocalSeat.parse,
        lambda one: parse_answer(Translator(), one),
    ):
        try:
            read(text)
        except CantStopError as error:
            refusals += 1
            _check_sentence(str(error))
    if refusals == 4:
        raise CantStopError("None of them.")
    return None


def _check_sentence(text: str) -> None:
    if printable(text) != text or "\n" in text or len(text) > 2000:
        raise WrongReading(f"An error steers the terminal, or is long: {text[:300]!r}")


_LINKS = [
    *(b"http://localhost:8000/t/k7Qm", b"https://example.org/t/k7Qm#seat=abc", b"[::1]:8000/t/a"),
    *(b"localhost:8000", b"https://example.org/", b"http://user@h:1/t/x"),
]


def read_link(data: bytes, folder: Path) -> object:
    """A link, and the secret that is kept for it."""
    text = _text(data)
    try:
        link = TableLink.parse(text)
    except CantStopError:
        server_address(text)
        return None
    kept = SeatSecrets(folder)
    kept.save(link, "secret")
    next(folder.glob("*.seat")).write_bytes(data)
    kept.find(link)
    kept.forget(link)
    return None


# Files with a header


@cache
def _table_parts() -> tuple[dict[str, Any], bytes]:
    import numpy as np

    from cantstop.solver.table import HEADER, MARK, write_file

    header = {"rules": "v1,players=1,lengths=1.3.1", "anchors": 15, "boards": 16, "seconds": 0.1}
    path = _scratch() / "sample.table"
    write_file(path, np.linspace(1, 2, 16), header)
    data = path.read_bytes()
    return json.loads(data[len(MARK) : HEADER]), data[HEADER:]


def _scratch() -> Path:
    from tempfile import mkdtemp

    return Path(mkdtemp())


def make_table(chance: Random) -> bytes:
    """A table whose header lies, mostly with the right length and checksum for what it says."""
    from cantstop.solver.table import HEADER, MARK

    header, values = _table_parts()
    header = dict(header)
    if chance.random() < 0.3:
        header["levels"] = chance.choice([0, 3, -1, 10**9, None, "3"])
    if chance.random() < 0.3:
        values = values[: chance.randrange(len(values))] if chance.randrange(2) else values * 3
    if chance.random() < 0.7:
        header |= {"sha256": sha256(values).hexdigest(), "count": len(values) // 8}
    text = spoil_json_text(chance, json.dumps(header).encode())[: HEADER - len(MARK)]
    data = (MARK + text).ljust(HEADER) + values
    return spoil(chance, data, 1) if chance.random() < 0.2 else data


def read_table(data: bytes, folder: Path) -> object:
    """As ``cantstop solve --table``, and as an interrupted solution resumes."""
    from cantstop.rules import Board
    from cantstop.solver import open_solution
    from cantstop.solver.checkpoint import Checkpoint

    path = folder / "fuzz.table"
    path.write_bytes(data)
    Checkpoint(Rules(1, board=Board.stepped(2, 1)), path).load(16)
    solution = open_solution(path)
    return solution.value, solution.table.values[-1]


@cache
def _plan() -> Any:  # noqa: ANN401
    from cantstop.arena import Plan

    return Plan.of(["careful", "bold"], games=100, seed=1)


@cache
def _arena_file() -> bytes:
    from cantstop.arena.checkpoint import Checkpoint, MatchProgress, Totals

    totals = Totals()
    totals.array["games"] = 40
    path = _scratch() / "arena"
    Checkpoint(_plan(), [MatchProgress(totals, [(0, 20), (30, 50)])]).save(path)
    return path.read_bytes()


def read_arena(data: bytes, folder: Path) -> object:
    """As ``cantstop arena --resume``; what is taken makes a report."""
    from cantstop.arena.checkpoint import resumed
    from cantstop.arena.export import arena_report
    from cantstop.arena.report import report
    from cantstop.arena.results import Results

    path = folder / "fuzz.arena"
    path.write_bytes(data)
    checkpoint = resumed(_plan(), path)
    checkpoint.matches[0].gaps(100)
    results = Results.of(checkpoint, finished=False)
    json.dumps(asdict(arena_report(results)))
    text = "\n".join(report(Translator(), results))
    if printable(text) != text:
        raise WrongReading("A report steers the terminal.")
    return None


@cache
def _network_parts() -> tuple[dict[str, Any], list[bytes]]:
    """The header of a file of networks, and what each of its other streams unpacks to."""
    import numpy as np

    from cantstop.engine.evaluators.value.file import write_networks
    from cantstop.engine.evaluators.value.network import Weights
    from cantstop.engine.evaluators.value.packed import FAMILIES, shapes_of

    networks = {
        family.name: Weights(
            **{
                name: np.zeros(shape, np.float32)
                for name, shape in shapes_of(family.players, 8).items()
            }
        )
        for family in FAMILIES
    }
    errors = {"v1,players=2": {"all": {"rms": 1.0, "within_99": 3.0}}}
    path = _scratch() / "networks"
    write_networks(path, networks, {"errors": errors})
    packed, contents = path.read_bytes().split(b"\n", 3)[3], []
    while packed:
        unpacker = lzma.LZMADecompressor()
        contents.append(unpacker.decompress(packed))
        packed = unpacker.unused_data
    return json.loads(contents[0]), contents[1:]


def make_networks(chance: Random) -> bytes:
    """Networks whose header lies, mostly packed as they should be."""
    header, networks = _network_parts()
    if chance.random() < 0.2:
        at = chance.randrange(len(networks))
        networks = [*networks[:at], spoil(chance, networks[at], 1), *networks[at + 1 :]]
    streams = [lzma.compress(arrays, preset=0) for arrays in networks]
    described = {
        name: {**one, "bytes": len(stream)}
        for (name, one), stream in zip(header["networks"].items(), streams, strict=True)
    }
    text = json.dumps({**header, "networks": described}).encode()
    head = spoil_json_text(chance, text) if chance.random() < 0.8 else text
    packed = b"".join([lzma.compress(head, preset=0), *streams])
    if chance.random() < 0.2:
        packed = spoil(chance, packed, 2)
    data = b"cantstop value networks\n2\n%s\n%s" % (sha256(packed).hexdigest().encode(), packed)
    return spoil(chance, data, 1) if chance.random() < 0.1 else data


def read_networks(data: bytes, folder: Path) -> object:
    """As the champion reads its networks."""
    from cantstop.engine.evaluators.value.model import read_value_model
    from cantstop.engine.evaluators.value.packed import FAMILIES

    path = folder / "fuzz.networks"
    path.write_bytes(data)
    model = read_value_model(path)
    return [model.numbers(family.rule_sets[0]) for family in FAMILIES]


# Drills


@cache
def _drill_progress() -> bytes:
    from cantstop.drills import Progress, package_drills, progress_json

    progress = Progress()
    for number, drill in enumerate(package_drills()[::1500]):
        progress = progress.after(drill, is_right=number != 1)
    return progress_json(progress).encode()


def read_drill_progress(data: bytes, _: Path) -> object:
    """As ``cantstop drill --import``; what is taken goes on, and can be read again."""
    from cantstop.drills import package_drills, parse_progress, progress_json

    after = parse_progress(data, "fuzz").after(package_drills()[3000], is_right=True)
    if parse_progress(progress_json(after), "fuzz") != after:
        raise WrongReading("A progress is not read as it was written.")
    return after


# Backups


_ROWS: tuple[dict[str, Any], ...] = (
    {"cantstop-backup": {"version": 1, "program": "0.1.0", "schema": "0002", "at": "2026-01-01"}},
    {
        "tables": {
            "id": "k7Qm",
            "opened_at": "2026-01-01T00:00:00+00:00",
            "touched_at": "2026-01-01T00:00:00+00:00",
            "dice_secret": "00" * 32,
            "bot_to_act": False,
        }
    },
    {
        "events": {
            "table_id": "k7Qm",
            "n": 1,
            "at": "2026-01-01T00:00:00+00:00",
            "kind": "opened",
            "seat": None,
            "data": {"rules": "v1,players=2"},
            "action_id": None,
        }
    },
    {
        "holders": {
            "table_id": "k7Qm",
            "seat": 0,
            "secret_hash": "00" * 32,
            "left_at": "2026-01-01T00:00:00+00:00",
            "absence_over": False,
        }
    },
)


def make_backup(chance: Random) -> bytes:
    """A backup with wrong rows, mostly with the right checksum at its end."""
    rows = json.loads(json.dumps(_ROWS))
    rows[0]["cantstop-backup"]["schema"] = _revision()
    if chance.random() < 0.2:  # the same rows again, which no key allows
        rows[1:] = [row for row in rows[1:] for _ in range(chance.choice([2, 30]))]
    if chance.random() < 0.9:
        at = chance.randrange(len(rows))
        rows[at] = spoil_json(chance, rows[at])
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    counts = {name: sum(name in row for row in rows if isinstance(row, dict)) for name in _names()}
    end = {"rows": counts, "sha256": hashlib.sha256(lines).hexdigest()}
    if chance.random() < 0.2:
        end = spoil_json(chance, end)
    lines += json.dumps({"end": end}).encode() + b"\n"
    if chance.random() < 0.2:
        lines = spoil(chance, lines, 2)
    packed = gzip.compress(lines, 1, mtime=0)
    return spoil(chance, packed, 2) if chance.random() < 0.2 else packed


@cache
def _names() -> list[str]:
    from cantstop.server.database import schema

    return [table.name for table in schema.metadata.sorted_tables]


@cache
def _revision() -> str:
    from alembic.script import ScriptDirectory

    from cantstop.server.database.migrations import upgrade

    return str(ScriptDirectory.from_config(upgrade._config()).get_current_head())  # noqa: SLF001


@cache
def _restored_into() -> Any:  # noqa: ANN401
    import sqlalchemy as sa

    from cantstop.server.database import schema

    engine = sa.create_engine("sqlite://")
    schema.metadata.create_all(engine)
    return engine


def read_backup(data: bytes, _: Path) -> object:
    """As ``cantstop restore``, into a database that is made once; everything is rolled back."""
    from cantstop.server.database import backup

    lines = backup._read_lines(io.BytesIO(data))  # noqa: SLF001
    backup._read_header(lines)  # noqa: SLF001
    with _restored_into().connect() as connection, connection.begin() as all_of_it:
        try:
            backup._insert_rows(connection, lines, lambda _: None)  # noqa: SLF001
        finally:
            all_of_it.rollback()
    return None


# A server's answers


@cache
def _messages() -> list[dict[str, Any]]:
    game = _games()[1][0]
    at = datetime(2026, 11, 15, 10, 20, tzinfo=UTC)
    reserved = (Reserved("Anne", 0), *[None] * (game.rules.players - 1))
    opened = Opened(
        Mode.ONLINE,
        "classic",
        str(game.rules),
        help=False,
        youngest=0,
        lesson=None,
        commitment=None,
        reserved=reserved,
        entered=True,
    )
    table = Table.opening("k7Qm", Entry(1, at, None, opened))
    around: list[tuple[int | None, TableEvent]] = [
        (1, Seated("Bob", 1, None, "b")),
        (None, Started(())),
        (0, Substituted("careful", 0)),
        (0, Returned()),
    ]
    for seat, happened in around:
        table = table.append(happened, seat, at)
    for event in game.events:
        table = table.play(event, at)
    log = [json.loads(encode_entry(entry)) for entry in table.log]
    state = {
        "id": "k7Qm",
        "n": len(log),
        "view": {"position": str(table.position), "turn": table.turn, "take_back": None},
        "you": [0],
        "log": log,
    }
    reacted = {"n": len(log) + 1, "kind": "reacted", "data": {"reaction": "cheer"}}
    return [
        {"t": "state", "d": state},
        {"t": "event", "d": {**log[1], **reacted, "view": state["view"]}},
        {"t": "ack", "d": {"id": "a", "n": 3}},
        {"t": "refused", "d": {"id": "a", "error": {"code": "stale", "message": "Too late."}}},
    ]


def make_message(chance: Random) -> bytes:
    """A message of a server that means harm; mostly a state."""
    message = chance.choice([_messages()[0], _messages()[0], *_messages()])
    return spoil_json_text(chance, json.dumps(message).encode())


def read_message(data: bytes, _: Path) -> object:
    """As a player's side of the protocol reads it."""
    message = parse_message(data.decode(errors="replace"), LINK)
    try:
        match message:
            case SeenState():
                table = RemoteTable.from_state(message)
            case SeenEvent():
                state = msgspec.convert(_messages()[0]["d"], SeenState)
                table = RemoteTable.from_state(state).after_event(message)
            case _:
                return None
    except MALFORMED:
        raise Unreachable("Not a Can't Stop server.") from None
    shown = "".join(seat.name or "" for seat in table.seats) + table.opened.edition
    if printable(shown) != shown:
        raise WrongReading("A name steers the terminal.")
    return table.turn, table.moves_in_turn


# Commands


def make_command(chance: Random) -> bytes:
    """A command with a spoilt argument, or a spoilt file (behind a null character)."""
    position = spoil(chance, chance.choice(position_samples()))
    rules = spoil(chance, chance.choice(_RULES).encode())
    record = spoil(chance, chance.choice(record_samples()))
    number = spoil(chance, b"12", 1)
    command: list[bytes] = chance.choice(
        [
            *([b"show", position], [b"show", b"--json", position], [b"show", position, b"--ascii"]),
            *(
                [b"show", b"FILE", b"--at", number],
                [b"verify", b"FILE"],
                [b"verify", b"FILE", b"--json"],
            ),
            *(
                [b"rules", b"--rules", rules],
                [b"odds", number, b"7"],
                [b"odds", b"7", b"--rules", rules],
            ),
            *([b"replay", b"--plain", b"FILE"], [b"hint", position, b"--dice", number]),
            *(
                [b"editions", b"--lang", number],
                [spoil(chance, b"bots")],
                [b"bots", spoil(chance, b"--json")],
            ),
            *(
                [b"solve", b"--lengths", number],
                [b"solve", b"--sides", number, b"--shortest", number],
            ),
        ]
    )
    return b"\x00".join(
        [record.replace(b"\x00", b""), *(part.replace(b"\x00", b"") for part in command)]
    )


def run_command(data: bytes, folder: Path) -> object:
    """As a person calls it: it ends with 0 or 2, says one sentence, and steers no terminal."""
    from cantstop.cli import main

    record, *arguments = data.split(b"\x00")
    path = folder / "fuzz.cantstop"
    path.write_bytes(record)
    given = [str(path) if part == b"FILE" else _text(part) for part in arguments]
    if given[:1] in (["hint"], ["solve"]) and not _is_small(given):
        raise CantStopError("This would be solved, and take its time.")
    said, complained = io.StringIO(), io.StringIO()
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(complained):
            main(given)
    except SystemExit as end:
        code = end.code or 0
    finally:
        sys.stdin = before
    out, err = said.getvalue(), complained.getvalue()
    if printable(out + err) != out + err:
        raise WrongReading(f"{given} steers the terminal: {(out + err)[:500]!r}")
    if code not in (0, 2) or (code and err.count("\n") != 1):
        raise WrongReading(f"{given} ends with {code}: {err[:500]!r}")
    if code:
        raise CantStopError("It is refused.")
    return None


def _is_small(given: list[str]) -> bool:
    """Whether a hint or a solution is not found, or at once: solving is not what is fuzzed."""
    return given[0] == "hint" and "lengths=1." in given[1]


READERS = (
    Reader("records", 150_000, _from(record_samples), read_records, (CantStopError, UnicodeError)),
    Reader("positions", 220_000, _from(position_samples), read_position),
    Reader(
        "rules", 120_000, lambda chance: spoil(chance, chance.choice(_RULES).encode()), read_rules
    ),
    Reader("words", 70_000, lambda chance: spoil(chance, chance.choice(_WORDS)), read_words),
    Reader("links", 40_000, lambda chance: spoil(chance, chance.choice(_LINKS)), read_link),
    Reader("tables", 50_000, make_table, read_table),
    Reader(
        "arena files", 30_000, lambda chance: spoil_json_text(chance, _arena_file()), read_arena
    ),
    Reader("networks", 10_000, make_networks, read_networks),
    Reader(
        "drill progress",
        10_000,
        lambda chance: spoil_json_text(chance, _drill_progress()),
        read_drill_progress,
    ),
    Reader("backups", 15_000, make_backup, read_backup),
    Reader("server answers", 75_000, make_message, read_message),
    Reader("commands", 10_000, make_command, run_command),
)
"""All of them; the shares make 800,000, and 200,000 inputs go to the protocol."""
