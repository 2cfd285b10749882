"""Plays random games of all rules at local tables in a browser and by the server's own decisions.

Both get the same actions and the same dice; every event with its view, the state and the record at
the end have to be the same text. Each processor plays a share of the games in a browser of its own.

    python tools/lockstep_local.py 10000
"""

import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from playwright.sync_api import Page, sync_playwright

from cantstop.record import record_text
from cantstop.rules import Phase, Sharing, Start
from cantstop.server.tables.changes import StoredTable
from cantstop.server.tables.decisions import Caller, decide
from cantstop.server.tables.opening import open_table
from cantstop.server.tables.records import record_of
from cantstop.table.events import Reaction
from cantstop.table.permissions import SeatPresence, take_back_seat
from cantstop.table.table import SeatKind, Stage, Table
from cantstop.wire.actions import TableAction
from cantstop.wire.events import decode_entry
from cantstop.wire.requests import OpenTable
from cantstop.wire.table import event_with_view, state_json
from web_modules import modules_in

GAMES = 10_000
BATCH = 50
"""Games that a page gets at once."""
SHARE = 500
"""Games of one page; its memory is given back after them."""
MOST_ACTIONS = 400
"""A game that takes longer is left unfinished."""

AT = datetime(2026, 11, 16, 12, tzinfo=UTC)
BOT = "champion"

SCRIPT = """
const at = (file) => import(`./${file}`);
const [opening, decisions, tables, table, record, games, notation, modules] = await Promise.all(
  ["local/opening.js", "local/decisions.js", "local/tables.js", "local/table.js",
   "local/record.js", "engine/game.js", "engine/notation.js", "engine/module.js"].map(at),
);
const index = await (await fetch("engine/files.json")).json();
const content = await (await fetch("engine/cantstop.wasm")).arrayBuffer();
const module = await modules.compileModule(content);
const MOST_KEPT = 20;
const kept = new Map();
const gameOf = (rules) => {
  if (kept.size > MOST_KEPT) kept.clear(); // each has a memory of its own
  if (!kept.has(rules)) kept.set(rules, new games.Game(module, notation.readRules(rules)));
  return kept.get(rules);
};
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
globalThis.opened = ([requests, time]) =>
  JSON.stringify(requests.map((request) => opening.openingEvents(request, index, time)));
globalThis.replay = ({ id, events, actions, time }) => {
  let now = table.tableOf(id, gameOf(events[0].data.rules), events);
  const lines = [];
  for (const [action, dice] of actions) {
    const world = { at: time, throwDice: () => dice, substitute: index.substitute };
    for (const event of decisions.decide(now, action, world, action.bot)) {
      now = table.after(now, event);
      lines.push(JSON.stringify(sorted({ ...event, view: table.viewOf(now) })));
    }
  }
  lines.push(JSON.stringify(sorted(tables.stateOf(now, index.par))));
  lines.push(record.recordText(now));
  return lines;
};
globalThis.digests = async (all) => Promise.all(JSON.parse(all).map(async (game) => {
  const text = new TextEncoder().encode(replay(game).join("\\n"));
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}));
"""


@contextmanager
def playing(page: Page) -> Iterator[None]:
    """Have the modules in a page."""
    with modules_in(page, SCRIPT):
        yield


def random_request(chance: Random) -> dict[str, Any]:
    """A table for people at one screen, and bots, by any rules."""
    players, start = chance.randint(1, 4), chance.choice([*Start])
    entered = chance.random() < 0.25
    seats = [
        {"kind": "bot", "bot": BOT}
        if seat and not entered and chance.random() < 0.3
        else {"kind": "human", "name": chance.choice(["Anne", "Bob", 'Zoë "Q" \\']), "colour": None}
        for seat in range(players)
    ]
    return {
        "mode": "solo" if players == 1 else "hotseat",
        "seats": seats,
        "edition": "custom",
        "win": chance.choice([1, 2, 3, 3, 4, 5]),
        "early": chance.random() < 0.5,
        "sharing": chance.choice([*Sharing]).value,
        "start": start.value,
        "youngest": chance.randrange(players) if start is Start.YOUNGEST else 0,
        "help": chance.random() < 0.5,
        "dice": "entered" if entered else "sealed",
    }


def opened_alike(request: dict[str, Any], events: list[dict[str, Any]]) -> Table:
    """The table that a browser has opened, if the server would have opened the same."""
    log = [decode_entry(json.dumps(event).encode()) for event in events]
    table = Table.from_log("0local", log)
    due = open_table(msgspec.convert(request, OpenTable), AT).new_table.table
    assert table.opened == replace(
        due.opened, commitment=None, reserved=(None,) * len(due.seats)
    ), table.opened
    for ours, theirs in zip(table.seats, due.seats, strict=True):
        assert (ours.name, ours.colour, ours.bot) == (theirs.name, theirs.colour, theirs.bot)
    return table


def random_actions(table: Table, chance: Random) -> Iterator[tuple[dict[str, Any], Table]]:
    """Actions of a random game, and the table after each event that they lead to."""
    holders = {seat: "device" for seat, one in enumerate(table.seats) if one.bot is None}
    stored = StoredTable(table, holders, None)
    for number in range(MOST_ACTIONS):
        table = stored.table
        asked = _any_action(table, chance, f"action-{number:04}")
        if asked is None:
            return
        by_bot = asked.pop("bot")
        action: TableAction = msgspec.convert(asked, TableAction)
        held = frozenset([action.seat]) if by_bot else frozenset(holders)
        decision = decide(stored, Caller(held, bot=by_bot), action, SeatPresence(), AT)
        assert isinstance(decision, tuple)
        stored = stored.after(decision[-1])
        for version in decision[-1].versions:
            yield {**asked, "bot": by_bot}, version


def _any_action(table: Table, chance: Random, name: str) -> dict[str, Any] | None:
    """Something that may be done at a table; None when the game is over and stays so."""
    position = table.position
    common = {"id": name, "seat": position.seat, "bot": table.bot_to_act is not None}
    undo = table.undo
    if undo is not None and chance.random() < 0.05 and take_back_seat(table) is not None:
        return {**common, "kind": "takeback", "seat": undo.position.seat, "bot": False}
    if table.stage is Stage.OVER:
        return None
    people = [at for at, seat in enumerate(table.seats) if seat.kind is SeatKind.HUMAN]
    if chance.random() < 0.03:
        said = {"kind": "react", "reaction": chance.choice([*Reaction]).value}
        return {**common, **said, "seat": chance.choice(people), "bot": False}
    able = [at for at in people if not table.seats[at].resigned]
    may_resign = able and not (table.opened.entered and len(table.seats) > 2)
    if may_resign and chance.random() < 0.003:
        return {**common, "kind": "resign", "seat": chance.choice(able), "bot": False}
    if position.phase is Phase.MOVE:
        return {**common, "kind": "move", "move": str(chance.choice(position.legal_moves))}
    if position.may_stop and chance.random() < 0.35:
        return {**common, "kind": "stop"}
    if not table.opened.entered:
        return {**common, "kind": "roll"}
    sides, count = position.rules.board.sides, position.dice_to_roll
    return {**common, "kind": "roll", "dice": chance.choices(range(1, sides + 1), k=count)}


class Game:
    """A random game as the server plays it: what to replay, and what has to come of it."""

    def __init__(self, number: int, events: list[dict[str, Any]]) -> None:
        chance = Random(number)
        table = opened_alike(random_request(chance), events)
        self.asked: list[list[Any]] = []
        self.lines: list[str] = []
        for action, version in random_actions(table, chance):
            if not self.asked or self.asked[-1][0]["id"] != action["id"]:
                self.asked.append([action, None])
            entry = version.last_entry
            if entry.kind == "rolled":
                self.asked[-1][1] = list(version.game_events[-1].dice)  # type: ignore[union-attr]
            self.lines.append(_sorted(event_with_view(version)))
            table = version
        present = frozenset(range(len(table.seats)))
        you = frozenset(at for at, seat in enumerate(table.seats) if seat.bot is None)
        self.lines.append(_sorted(state_json(table, present, you)))
        self.lines.append(record_text(record_of(table)))
        self.played = {
            "id": table.id,
            "events": events,
            "actions": self.asked,
            "time": _time(),
        }

    @property
    def digest(self) -> str:
        """What tells this game from one that went otherwise."""
        return sha256("\n".join(self.lines).encode()).hexdigest()


def _time() -> str:
    return AT.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _sorted(encoded: bytes) -> str:
    return json.dumps(
        json.loads(encoded), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )


def compare(page: Page, numbers: range) -> int:
    """Play games both ways; returns how many events were the same, and fails at the first other."""
    requests = [random_request(Random(number)) for number in numbers]
    opened = json.loads(page.evaluate("opened", [requests, _time()]))
    games = [Game(number, events) for number, events in zip(numbers, opened, strict=True)]
    # as one text: Playwright would look at every value of a list
    found = page.evaluate("digests", json.dumps([game.played for game in games]))
    for game, digest in zip(games, found, strict=True):
        if digest != game.digest:
            there = page.evaluate("replay", game.played)
            for at, (ours, theirs) in enumerate(zip(game.lines, there, strict=False)):
                assert theirs == ours, f"event {at + 1} of a game: {game.played['actions'][:at]}"
            assert len(there) == len(game.lines)
    return sum(len(game.lines) - 2 for game in games)


def play_share(numbers: range) -> int:
    """Compare some games in a browser of their own."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from browser_player import CHROMIUM, CHROMIUM_ARGS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGS)
        page = browser.new_page()
        with playing(page):
            same = sum(
                compare(page, numbers[at : at + BATCH]) for at in range(0, len(numbers), BATCH)
            )
        browser.close()
    return same


def main() -> None:
    """Play as many games as are asked for."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    games = range(count)
    shares = [games[at : at + SHARE] for at in games[::SHARE]]
    events = 0
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=spawn) as pool:
        for share, same in zip(shares, pool.map(play_share, shares), strict=True):
            events += same
            print(f"{share.stop:,} games", flush=True)
    print(f"{count:,} games, {events:,} events: the same at local tables and on the server.")


if __name__ == "__main__":
    main()
