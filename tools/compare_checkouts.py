"""Speed of two checkouts side by side: `python tools/compare_checkouts.py ../before . [LABEL]`.

Every measurement is taken from both in turn, so that other work on the machine disturbs them alike.
Only what every version has is used: the command line, the wire protocol, a few public functions.
LABEL chooses those measurements whose name contains it: `server`, `web`, `engine` and so on. The
rules are compared by `make bench BASE=REV`.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any

from websockets.sync.client import ClientConnection, connect

import bench_web

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgresql import Postgres

ROUNDS = 5
ACTIONS = 1500
READY = re.compile(r"http://\S+")

HINTS = """
import time
from cantstop.engine import best_evaluator, hint, solve_turn
from cantstop.rules import Position, Rules
for rules in (Rules(), Rules(players=4), Rules(players=1)):
    evaluator, opening = best_evaluator(rules), Position.initial(rules)
    {what}(opening, evaluator)
    for _ in range(10):
        begin = time.process_time()
        {what}(opening, evaluator)
        print((time.process_time() - begin) * 1e3)
"""


def environment(checkout: Path) -> dict[str, str]:
    """Python finds the checkout's package before the installed one."""
    return {**os.environ, "PYTHONPATH": str(checkout / "src")}


def python(checkout: Path, source: str) -> float:
    """Run a program that prints figures; returns their median."""
    done = subprocess.run(
        [sys.executable, "-c", source],
        env=environment(checkout),
        check=True,
        capture_output=True,
        text=True,
    )
    return median(map(float, done.stdout.split()))


def command(checkout: Path, *arguments: str) -> float:
    """Seconds of processor time that a command takes."""
    before = os.times()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "cantstop", *arguments],
            env={**environment(checkout), "XDG_DATA_HOME": folder},
            check=True,
            capture_output=True,
        )
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


class Table:
    """A hot-seat table on a server, played over one socket."""

    def __init__(self, server: str) -> None:
        seats = [{"kind": "human", "name": name, "salt": "00"} for name in ("Anne", "Bob")]
        body = json.dumps({"mode": "hotseat", "seats": seats}).encode()
        request = urllib.request.Request(
            f"{server}api/tables", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            opened = json.load(answer)
        self._url = f"{server.replace('http', 'ws', 1)}api/tables/{opened['id']}/socket"
        self._secret = opened["secret"]
        self._number = 0

    def play(self, actions: int) -> list[float]:
        """Take a number of steps of a plain game; returns how long each answer took, in ms."""
        with connect(self._url) as socket:
            _say(socket, "hello", {"secret": self._secret})
            view, moves = self._hear(socket, None), 0
            times: list[float] = []
            while len(times) < actions and view["phase"] != "over":
                kind = "move" if view["phase"] == "move" else "roll"
                if view["may_stop"] and moves >= 2:
                    kind = "stop"
                moves = {"move": moves + 1, "stop": 0}.get(kind, moves)
                action: dict[str, object] = {"kind": kind, "seat": view["seat"]}
                if kind == "move":
                    action["move"] = view["moves"][-1]["move"]
                self._number += 1
                begin = time.perf_counter()
                _say(socket, "act", {"id": f"action-{self._number:06}", **action})
                seat, view = view["seat"], self._hear(socket, f"action-{self._number:06}") or view
                times.append((time.perf_counter() - begin) * 1e3)
                if view["seat"] != seat:
                    moves = 0
            return times

    def _hear(self, socket: ClientConnection, action: str | None) -> dict[str, Any]:
        """Read until the action is acknowledged (or the state is there); the newest view."""
        view: dict[str, Any] = {}
        while True:
            message = json.loads(socket.recv())
            kind, data = message["t"], message["d"]
            if kind in ("state", "event"):
                view = data["view"]
            if kind == "refused":
                raise RuntimeError(data)
            if (kind == "ack" and data["id"] == action) or (kind == "state" and action is None):
                return view


def _say(socket: ClientConnection, kind: str, data: dict[str, object]) -> None:
    socket.send(json.dumps({"t": kind, "d": data}))


def action_cost(checkout: Path, database: str) -> float:
    """Microseconds of the server's processor time for an action, its event sent to one socket."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "cantstop", "serve", "--lang", "en", "--port", "0"),
            *("--limits", "0", "--database", database),
        ],
        env=environment(checkout),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        server = next(found[0] for line in process.stdout if (found := READY.search(line)))
        Table(server).play(200)
        used, done = _processor_seconds(process.pid), 0
        while done < ACTIONS:
            done += len(Table(server).play(ACTIONS - done))
        return (_processor_seconds(process.pid) - used) / done * 1e6
    finally:
        process.terminate()
        process.wait()


def _processor_seconds(process: int) -> float:
    """What a process has used, to the nanosecond: Linux has a clock for each of them."""
    return time.clock_gettime(~process << 3 | 2)


def action_on_sqlite(checkout: Path) -> float:
    """What an action costs the server, with SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        return action_cost(checkout, f"sqlite:///{folder}/tables.db")


def action_on_postgresql(checkout: Path) -> float:
    """What an action costs the server, without PostgreSQL's own processes."""
    with closing(Postgres()) as postgres:
        return action_cost(checkout, postgres.new_database())


def newcomer_bytes(checkout: Path) -> float:
    """The kilobytes from the start page to the first roll."""
    with bench_web.serving(environment(checkout)) as url, bench_web.browsing() as browser:
        return sum(bench_web.newcomer_sizes(browser, url, "en")) / 1000


def page_bytes(checkout: Path) -> float:
    """The kilobytes of the first load of a table."""
    with bench_web.serving(environment(checkout)) as url, bench_web.browsing() as browser:
        table, seat = bench_web.opened_table(browser, url)
        return sum(bench_web.load_sizes(browser, seat, table)) / 1000


def page_work(checkout: Path) -> float:
    """The milliseconds of processor time until a table is usable."""
    with bench_web.serving(environment(checkout)) as url, bench_web.browsing() as browser:
        table, seat = bench_web.opened_table(browser, url)
        return median(bench_web.processor_time(browser, seat, table) for _ in range(3))


def time_to_usable(checkout: Path) -> float:
    """The milliseconds until a table is usable on a slow phone."""
    phone = bench_web.PHONES[-1]
    with bench_web.serving(environment(checkout)) as url, bench_web.browsing() as browser:
        table, seat = bench_web.opened_table(browser, url)
        return median(bench_web.time_to_usable(browser, phone, seat, table) for _ in range(3))


def arena_cost(checkout: Path, bot: str) -> float:
    """Seconds of processor time for 300 games of a bot against itself, without the start."""

    def games(count: int) -> float:
        arguments = (bot, bot, "--games", str(count), "--seed", "1", "--threads", "1")
        return command(checkout, "arena", *arguments)

    return games(302) - games(2)


MEASUREMENTS: dict[str, Callable[[Path], float]] = {
    "server, an action, SQLite (µs)": action_on_sqlite,
    "server, an action, PostgreSQL (µs)": action_on_postgresql,
    "web, start page to first roll (kB)": newcomer_bytes,
    "web, first load of a table (kB)": page_bytes,
    "web, work until usable (ms)": page_work,
    "web, usable on a phone (ms)": time_to_usable,
    "engine, opening turns (ms)": lambda at: python(at, HINTS.format(what="solve_turn")),
    "engine, hints at the opening (ms)": lambda at: python(at, HINTS.format(what="hint")),
    "solver, a board for two (s)": lambda at: command(
        at, "solve", "--lengths", "1.3.5.3.1", "--players", "2", "--json"
    ),
    "kernel, 100,000 games (s)": lambda at: command(
        at,
        "arena",
        "rule-of-28",
        "glenn-linear",
        "--games",
        "50000",
        "--seed",
        "1",
        "--threads",
        "1",
    ),
    "arena, 300 games of the champion (s)": lambda at: arena_cost(at, "champion"),
    "arena, 300 games of the expert (s)": lambda at: arena_cost(at, "expert"),
    "start, cantstop odds 6 7 8 (s)": lambda at: command(at, "odds", "6", "7", "8"),
}


def main() -> None:
    """Measure both checkouts in turn and print medians and their ratio."""
    old, new = (Path(text).resolve() for text in sys.argv[1:3])
    only = sys.argv[3] if len(sys.argv) > 3 else ""
    for label, measure in MEASUREMENTS.items():
        if only not in label:
            continue
        measure(old), measure(new)  # compiled code is in its cache after this
        rounds = [(measure(old), measure(new)) for _ in range(ROUNDS)]
        was, now = (median(column) for column in zip(*rounds, strict=True))
        ratio = median(after / before for before, after in rounds)
        print(f"{label:<36} {was:10.3f} -> {now:10.3f}   x {ratio:.2f}", flush=True)


if __name__ == "__main__":
    main()
