"""Try to steer the dice of a table: the operator of the server also takes the last seat.

    python tools/steer_dice.py [--sources FOLDER] [--open | --days SEAT]

The attacker knows the secret of the dice (it is in the database), waits until the victim has sat
down, and grinds: tries salts until the first four rolls of the game can all be split into 7+7. By
chance that happens once in 43,000 games. The victim is this checkout's own client, or the one under
``--sources``; with ``--open`` it is one that gives its salt in the open, as older clients did.
With ``--days`` the table is a slow one of four, the victim has one of its seats and the attacker
all others: it makes its last salt such that the first rolls of the turns before the victim's, and
that of the victim's own, split into 7+7, as far as it can compute them (docs/dice.md says where).
Exits with 1 if the dice were steered. Everything is on this machine, and ends by itself.
"""

import argparse
import json
import os
import re
import sqlite3
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cantstop.dice import (
    GradualDice,
    GradualSeal,
    Seal,
    SealedDice,
    SealedSalt,
    commitment,
    salt_commitment,
)
from cantstop.rules import Dice, splits

ROOT = Path(__file__).resolve().parents[1]
ROLLS = 4
PATIENCE = 120.0

_SEEDED = """
import random, secrets
from functools import cache
chance = cache(lambda size: random.Random(f"{seed} {{size}}"))
secrets.choice = chance(0).choice
secrets.token_bytes = lambda size: chance(size).randbytes(size)
secrets.token_hex = lambda size: chance(size).randbytes(size).hex()
"""
"""What comes first in a process whose tables, secrets and salts are the same every time; each of
their sizes has numbers of its own, since how many others are drawn is a matter of time."""

_SERVER = """
from cantstop.cli import main
main()
"""

_VICTIM_OF_DAYS = """
import sys
from cantstop.client import Player
link, seat = sys.argv[1], int(sys.argv[2])
with Player.join(link, "Victim") as me:
    print("seated", flush=True)
    sys.stdin.readline()
    me.wait(lambda table: table.started and table.to_act == seat)
    me.roll()
    print("rolled", flush=True)
    sys.stdin.read()
"""

_VICTIM = """
import sys
from cantstop.client import Player
with Player.join(sys.argv[1], "Victim"):
    print("seated", flush=True)
    sys.stdin.read()
"""

Json = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """What became of an attack."""

    steered: bool
    """Whether the first rolls are the ones that the attacker wanted."""
    knew: bool
    """Whether the attacker knew the victim's salt before it had to choose its own."""
    redraws: int
    """How often it had all salts drawn again; everybody sees that."""
    refused: tuple[str, ...]
    """The codes of what the server did not let it do."""


# What is attacked


@contextmanager
def _process(
    name: str,
    program: str,
    *arguments: str,
    sources: Path,
    seed: int | None,
    home: Path | None = None,
) -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "PYTHONPATH": str(sources)}
    if home is not None:  # where it keeps its salt
        environment["XDG_DATA_HOME"] = str(home)
    if seed is not None:
        program = _SEEDED.format(seed=f"{name} {seed}") + program
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


@contextmanager
def _server(sources: Path, seed: int | None, database: Path) -> Iterator[str]:
    options = (
        "serve",
        "--lang",
        "en",
        "--port",
        "0",
        "--limits",
        "0",
        "--database",
        f"sqlite:///{database}",
    )
    with _process("server", _SERVER, *options, sources=sources, seed=seed) as process:
        found = re.search(r"127\.0\.0\.1:\d+", _line(process))
        assert found is not None, "The server did not start."
        yield found[0]


@dataclass(frozen=True)
class OutcomeOverDays:
    """What became of an attack on a slow table: of the first roll of each turn."""

    before: tuple[bool, ...]
    """Whether those of the turns before the victim's own are the ones that the attacker wanted."""
    own: bool
    """Whether that of the victim's own turn is."""

    @property
    def steered(self) -> bool:
        """Whether the attacker has chosen any of them."""
        return self.own or any(self.before)


# The attacker


@dataclass
class Attacker:
    """An operator of the server, who knows its database and plays at it."""

    address: str
    database: Path
    table: str = ""

    def request(self, path: str, body: Json | None = None) -> Json:
        """An HTTP request."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://{self.address}/api/tables{path}", data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            found: Json = json.load(answer)
            return found

    def open_table(self, seats: int = 2, **more: object) -> str:
        """Open a table, for two unless said otherwise; returns its link."""
        body = {"mode": "online", "seats": [{"kind": "open"}] * seats, **more}
        self.table = self.request("", body)["id"]
        return f"http://{self.address}/t/{self.table}"

    def secret(self) -> bytes:
        """The secret of the dice, which is to be known only when the game is over."""
        with sqlite3.connect(self.database) as database:
            query = "SELECT dice_secret FROM tables WHERE id = ?"
            ((found,),) = database.execute(query, [self.table]).fetchall()
        database.close()
        return bytes(found)

    def state(self) -> Json:
        """The table now."""
        return self.request(f"/{self.table}")

    def wait(self, salts: int) -> Json:
        """Until a number of salts are known."""
        until = monotonic() + PATIENCE
        state = self.state()
        while len([salt for salt in state["salts"] if salt is not None]) < salts:
            assert monotonic() < until, state
            sleep(0.02)
            state = self.state()
        return state

    def rolls(self, salts: list[str]) -> Iterator[Dice]:
        """The first rolls that these salts give."""
        secret = self.secret()
        dice = SealedDice(Seal(self.table, commitment(secret), tuple(salts)), secret)
        return (dice.roll(number) for number in range(1, ROLLS + 1))

    def grind(self, victims: str) -> str:
        """A salt that gives the rolls that we want, knowing the victim's."""
        secret = self.secret()
        promise = commitment(secret)
        for number in count():
            dice = SealedDice(Seal(self.table, promise, (victims, f"g{number}")), secret)
            if all(_wanted(dice.roll(roll)) for roll in range(1, ROLLS + 1)):
                return f"g{number}"
        raise AssertionError

    # A slow table

    def grind_over_days(self, salts: list[str | None], victim: int, seat: int) -> str:
        """A salt for the last seat of ours, which it reveals first where nobody else sits after it.

        All that is known is wanted: the first rolls of the turns before the victim's. With the
        victim's salt unknown, that of its own turn is computed without it, which is in vain.
        """
        secret = self.secret()
        for number in count():
            tried = [*salts]
            tried[seat] = f"g{number}"
            early = seat if seat > victim else None
            # a salt of ours that does not count from the start changes no turn before its own
            first = 1 if early is not None else seat + 1
            if all(
                _wanted(self._first_roll(secret, tried, turn, early))
                for turn in range(first, min(victim + 1, MOST_WANTED) + 1)
            ):
                return f"g{number}"
        raise AssertionError

    def _first_roll(
        self, secret: bytes, salts: list[str | None], turn: int, early: int | None
    ) -> Dice:
        """The first roll of a turn, as far as we know the salts that count in it."""
        seats = tuple(
            SealedSalt("0" * 64)
            if salt is None
            else SealedSalt("0" * 64, salt, 1 if number == early else number + 1)
            for number, salt in enumerate(salts)
        )
        seal = GradualSeal(self.table, commitment(secret), seats)
        return GradualDice(seal, secret).roll_in_turn(turn, 1)

    def play_turn(self, seat: int, secret: str, salt: str) -> None:
        """A turn of ours: one roll, one move, and a stop."""
        address = f"ws://{self.address}/api/tables/{self.table}/socket"
        with connect(address) as socket:
            socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))

            def act(kind: str, **fields: object) -> None:
                action = {"id": f"{kind}-of-seat-{seat}", "kind": kind, "seat": seat, **fields}
                socket.send(json.dumps({"t": "act", "d": action}))
                while True:
                    message = json.loads(socket.recv(PATIENCE))
                    if message["t"] in ("ack", "refused") and message["d"]["id"] == action["id"]:
                        return

            act("reveal", salt=salt)  # refused where it is known already
            act("roll")
            moves = self.state()["view"]["moves"]
            act("move", move=moves[0]["move"])
            act("stop")

    def reveal(self, seat: int, secret: str, salt: str) -> None:
        """Reveal a salt before the first roll."""
        address = f"ws://{self.address}/api/tables/{self.table}/socket"
        with connect(address) as socket:
            socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
            action = {"id": f"reveal-of-{seat}", "kind": "reveal", "seat": seat, "salt": salt}
            socket.send(json.dumps({"t": "act", "d": action}))
            while json.loads(socket.recv(PATIENCE))["t"] != "ack":
                pass

    def first_rolls(self) -> list[Dice]:
        """What was rolled first in each turn."""
        found: list[Dice] = []
        begins = True
        for event in self.state()["log"]:
            if event["kind"] == "rolled" and begins:
                found.append(tuple(event["data"]["dice"]))
                begins = False
            begins = begins or event["kind"] in ("stopped", "busted")
        return found


def _wanted(dice: Dice) -> bool:
    return (7, 7) in splits(dice)


def attack(
    sources: Path = ROOT / "src", *, in_the_open: bool = False, seed: int | None = None
) -> Outcome:
    """Attack a server and a client; the victim sits at the first of two seats.

    With a seed, server and client draw the same every time, and the outcome is no matter of luck.
    """
    with TemporaryDirectory() as folder:
        database = Path(folder) / "tables.db"
        with _server(sources, seed, database) as address:
            attacker = Attacker(address, database)
            link = attacker.open_table()
            if in_the_open:
                attacker.request(f"/{attacker.table}/seats", {"name": "Victim", "salt": "4f3c9a"})
                return _attack(attacker)
            with _process("victim", _VICTIM, link, sources=sources, seed=seed) as victim:
                assert _line(victim) == "seated\n"
                return _attack(attacker)


def _attack(attacker: Attacker) -> Outcome:
    known = attacker.state()["salts"][0]
    seats = f"/{attacker.table}/seats"
    if known is not None:  # the older scheme: choose the last salt to suit it
        attacker.request(seats, {"name": "Attacker", "salt": attacker.grind(known)})
        salts = attacker.wait(salts=2)["salts"]
        steered = all(map(_wanted, attacker.rolls(salts)))
        return Outcome(steered=steered, knew=True, redraws=0, refused=())
    seat = attacker.request(
        seats, {"name": "Attacker", "salt_commitment": salt_commitment("first")}
    )
    return _withhold(attacker, seat["secret"])


@contextmanager
def _heartbeat(socket: ClientConnection) -> Iterator[None]:
    """Pings: on a busy machine, finding a salt takes longer than the server bears silence."""
    ended = threading.Event()

    def ping() -> None:
        with suppress(ConnectionClosed):
            while not ended.wait(2.5):
                socket.send('{"t": "ping"}')

    thread = threading.Thread(target=ping)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _withhold(attacker: Attacker, secret: str) -> Outcome:
    """Look at what the victim reveals, and change our mind as often as we are let."""
    refused: list[str] = []
    mine, redraws = "first", 0
    address = f"ws://{attacker.address}/api/tables/{attacker.table}/socket"
    with connect(address) as socket, _heartbeat(socket):

        def act(kind: str, **fields: object) -> bool:
            action = {"id": f"{kind}-{len(refused)}-{redraws}", "kind": kind, "seat": 1, **fields}
            socket.send(json.dumps({"t": "act", "d": action}))
            while True:
                message = json.loads(socket.recv(PATIENCE))
                if message["t"] in ("ack", "refused") and message["d"]["id"] == action["id"]:
                    if message["t"] == "refused":
                        refused.append(message["d"]["error"]["code"])
                    return bool(message["t"] == "ack")

        socket.send(json.dumps({"t": "hello", "d": {"secret": secret}}))
        while True:
            victims = attacker.wait(salts=1)["salts"][0]
            if all(map(_wanted, attacker.rolls([victims, mine]))):
                break  # by luck
            better = attacker.grind(victims)
            assert not act("reveal", salt=better), "a salt that nobody has committed to"
            fields = {"salt_commitment": salt_commitment(better)}
            if not act("commit", **fields, instead=salt_commitment(mine)):
                break
            mine, redraws = better, redraws + 1
        assert act("reveal", salt=mine)
        salts = attacker.wait(salts=2)["salts"]
    steered = all(map(_wanted, attacker.rolls(salts)))
    return Outcome(steered=steered, knew=False, redraws=redraws, refused=tuple(refused))


SEATS = 4
"""Of a slow table that is attacked."""
MOST_WANTED = 3
"""Rolls there that an attacker wants at once: by chance that happens once in 3,000 games."""


def attack_over_days(
    seat: int, sources: Path = ROOT / "src", *, seed: int | None = None
) -> OutcomeOverDays:
    """Attack a victim at a seat of a slow table of four; server and all others work together."""
    with TemporaryDirectory() as folder:
        database = Path(folder) / "tables.db"
        with _server(sources, seed, database) as address:
            attacker = Attacker(address, database)
            link = attacker.open_table(seats=SEATS, days=1)
            return _over_days(attacker, link, seat, sources, seed, Path(folder))


def _over_days(
    attacker: Attacker, link: str, seat: int, sources: Path, seed: int | None, folder: Path
) -> OutcomeOverDays:
    salts: list[str | None] = [f"salt-{number}" for number in range(SEATS)]
    salts[seat] = None
    secrets: dict[int, str] = {}
    last = max(number for number in range(SEATS) if number != seat)
    victim = ExitStack()
    with victim:
        process = None
        for number in range(SEATS):
            if number == seat:
                process = victim.enter_context(
                    _process(
                        "victim",
                        _VICTIM_OF_DAYS,
                        link,
                        str(seat),
                        sources=sources,
                        seed=seed,
                        home=folder,
                    )
                )
                assert _line(process) == "seated\n"
                continue
            if number == last:
                salts[last] = attacker.grind_over_days(salts, seat, last)
            own = salts[number]
            assert own is not None
            body = {"name": f"Attacker {number}", "salt_commitment": salt_commitment(own)}
            secrets[number] = attacker.request(f"/{attacker.table}/seats", body)["secret"]
        assert process is not None
        if last > seat:
            attacker.reveal(last, secrets[last], salts[last] or "")
        if seat == SEATS - 1:
            attacker.wait(salts=1)  # the victim's, who has sat down last
        for number in range(seat):
            attacker.play_turn(number, secrets[number], salts[number] or "")
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        assert _line(process) == "rolled\n"
    firsts = attacker.first_rolls()[: seat + 1]
    return OutcomeOverDays(tuple(map(_wanted, firsts[:-1])), _wanted(firsts[-1]))


def main() -> int:
    """Attack, and say what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sources", type=Path, default=ROOT / "src", help="src of a checkout")
    parser.add_argument("--open", action="store_true", help="the victim's salt is in the open")
    parser.add_argument(
        "--days", type=int, choices=range(1, SEATS + 1), help="the victim's seat at a slow table"
    )
    given = parser.parse_args()
    outcome: Outcome | OutcomeOverDays
    if given.days is not None:
        outcome = attack_over_days(given.days - 1, given.sources.resolve())
    else:
        outcome = attack(given.sources.resolve(), in_the_open=given.open)
    print("steered" if outcome.steered else "not steered", outcome)
    return int(outcome.steered)


if __name__ == "__main__":
    sys.exit(main())
