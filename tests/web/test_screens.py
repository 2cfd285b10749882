"""The table on every screen from 320 × 480 to 3840 × 2160: measured by geometry, in one page load.

The client's own modules draw views that the server's own code has made, so that every phase, every
number of moves and every language meets every screen without a game being played for each.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain, combinations_with_replacement, cycle
from pathlib import Path
from typing import Any

import pytest

from browser_player import Player
from cantstop.language import LANGUAGES
from cantstop.rules import Position
from cantstop.server.static.languages import browser_messages
from cantstop.table.events import Entry, Lesson, Mode, Opened
from cantstop.table.table import Seat, SeatKind, Stage, Table
from cantstop.wire.table import state_json

SMALL = [(320, 480), (375, 553), (360, 740), (480, 320)]
"""Where it is narrow, every language is tried; on the others they take turns."""
SCREENS = [
    *((320, 568), (360, 560), (360, 640), (390, 664), (390, 844), (600, 960), (768, 1024)),
    *((1024, 1366), (2160, 3840), (568, 320), (560, 360), (667, 375), (844, 390), (1000, 699)),
    *((1024, 768), (1280, 800), (1440, 900), (1920, 1080), (3840, 2160)),
]
NOW = datetime(2000, 1, 1, tzinfo=UTC)
COMMITMENT = "0123456789abcdef" * 4

STAGE = (Path(__file__).parent / "screens.js").read_text("utf-8")

BOARDS = {
    2: "6:4,7:3/6:4,8:7,12:1",
    3: "6:4,7:3/6:4,8:7/2:2,6:4",
    4: "6:4,7:3/6:4,8:7/2:2,6:4/6:4,12:1",
}


def table(players: int, position: str | None, rules: str = "", **changes: Any) -> Table:
    """A table at which that position has come about, or at which nothing has happened yet."""
    settings = f"v1,players={players}{rules}"
    lesson = changes.pop("lesson", None)
    opened = Opened(
        mode=Mode.HOTSEAT,
        edition="classic",
        rules=settings,
        help=True,
        youngest=0,
        lesson=lesson,
        commitment=None if lesson else COMMITMENT,
        reserved=(None,) * players,
    )
    first = Table.opening("screens", Entry(1, NOW, None, opened, None))
    at = Position.parse(f"{settings} {position}") if position else first.position
    facts = {"stage": Stage.PLAYING, "turn": 29, "rolls": 7, "thrown": at.dice, **changes}
    return replace(first, position=at, **facts)


def rolled(players: int, count: int) -> Table:
    """A roll that leaves the choice between a number of moves."""
    for runners in ("-", "6:5", "6:5,7:4", "3:1,4:1", "3:1,4:1,5:1"):
        for dice in combinations_with_replacement(range(1, 7), 4):
            text = f"{BOARDS[players]} 1 {runners} {''.join(map(str, dice))}"
            position = Position.parse(f"v1,players={players} {text}")
            if len(position.legal_moves) == count:
                return table(players, text)
    raise AssertionError(count)


def situations(players: int) -> dict[str, Table]:
    """One of each kind that a turn brings."""
    board = BOARDS[players]
    apart = "/".join(["7:3", "6:4,8:7,12:1", "2:2", "11:1"][:players])
    return {
        "first roll": table(players, None, turn=1, rolls=0),
        "roll": table(players, f"{board} 1 - -"),
        **{f"{count} moves": rolled(players, count) for count in range(1, 7)},
        "choice": table(players, f"{board} 1 6:5,7:9,8:3 -"),
        "columns to win": table(players, f"{board} 1 2:3,3:5,12:3 -"),
        "no rest": table(players, f"{apart} 1 6:4,8:7,12:1 -", ",sharing=no-rest"),
        "bust": table(players, f"{board} 1 2:2,3:2,12:2 3345"),
        "another's move": table(players, f"{board} 2 6:5,7:4 1356"),
        "another's choice": table(players, f"{board} 2 6:5,7:4 -"),
        "roll-off": table(players, None, ",start=roll-off", turn=1, rolls=1),
    }


def lessons() -> dict[str, Table]:
    """What the guide has to say at one time or another, in all lessons."""
    board = BOARDS[2]
    positions = {
        "roll": f"{board} 1 - -",
        "move": f"{board} 1 6:5 1356",
        "choice": f"{board} 1 6:5,7:9 -",
        "top": f"{board} 1 12:3 -",
        "bust": f"{board} 1 2:2,3:2,12:2 3345",
        "bot": f"{board} 2 6:5,7:4 1356",
    }
    return {
        f"{lesson} {turn} {name}": table(2, position, lesson=lesson, turn=turn)
        for lesson in Lesson
        for turn in (1, 3, 5)
        for name, position in positions.items()
        if turn < 5 or lesson is Lesson.BASICS
    }


def told(each: Table, language: str, mine: frozenset[int]) -> dict[str, Any]:
    """The state that a browser is sent, with the names that it would have proposed."""
    player = browser_messages(language).get("Player {number}", "Player {number}")
    seats = tuple(
        Seat(SeatKind.HUMAN, player.format(number=number + 1), number)
        for number in range(len(each.seats))
    )
    state: dict[str, Any] = json.loads(state_json(replace(each, seats=seats), mine, mine))
    return state


@pytest.fixture
def measure(player: Player) -> Iterator[Callable[..., list[str]]]:
    """What is wrong with the layout of some tables on a screen."""
    player.go("/rules")
    stage = player.page.evaluate_handle(STAGE)

    def on(screen: tuple[int, int], language: str, tables: dict[str, Table]) -> list[str]:
        states = {name: told(each, language, frozenset({0})) for name, each in tables.items()}
        width, height = screen
        player.page.set_viewport_size({"width": width, "height": height})
        stage.evaluate("(stage, code) => stage.speak(code)", language)
        stage.evaluate("(stage, state) => stage.seat(state)", next(iter(states.values())))
        problems = stage.evaluate("(stage, states) => stage.measure(states)", states)
        return [f"{width}×{height} {language}: {problem}" for problem in problems]

    yield on
    stage.dispose()


def test_a_turn_fits_every_screen(measure: Callable[..., list[str]]) -> None:
    found: list[str] = []
    turns = {players: situations(players) for players in BOARDS}
    for screen, players, language in zip(
        [*SMALL, *SCREENS], cycle(BOARDS), cycle(LANGUAGES), strict=False
    ):
        found += measure(screen, language, turns[players])
    assert not found, "\n".join(found)


def test_every_language_fits_a_small_screen(measure: Callable[..., list[str]]) -> None:
    wordy = {name: each for name, each in situations(4).items() if "moves" not in name}
    found = [measure(screen, language, wordy) for screen in SMALL for language in LANGUAGES]
    assert not any(found), "\n".join(chain(*found))


def test_the_guide_of_a_lesson_fits_and_moves_nothing(measure: Callable[..., list[str]]) -> None:
    screens = [(320, 480), (390, 664), (480, 320), (1280, 800)]
    found = [
        measure(screen, language, lessons()) for screen in screens for language in ("fr", "de")
    ]
    assert not any(found), "\n".join(chain(*found))


def with_badges(state: dict[str, Any]) -> dict[str, Any]:
    """The same table online, with a clock of 15 s and every badge that a seat can have."""
    names = ["Anne", "Benjamin", "Charlotte", "Maximilian"]
    changes: list[dict[str, Any]] = [
        {},
        {"present": False},
        {"kind": "bot", "bot": "magpie", "name": "magpie"},
        {"substitute": "careful"},
    ]
    seats = [{**seat, "name": names[at], **changes[at]} for at, seat in enumerate(state["seats"])]
    hinted = [
        {"n": at + 1, "at": NOW.isoformat(), "kind": "hinted", "seat": at, "data": {}}
        for at in range(len(seats))
    ]
    clock = {"seconds": 15, "seat": 0, "left": 75, "banks": [60] * len(seats)}
    return {**state, "mode": "online", "seats": seats, "log": hinted, "clock": clock}


@pytest.mark.parametrize("players", BOARDS)
def test_names_are_whole_and_clocks_are_read_whatever_badges_there_are(
    player: Player, players: int
) -> None:
    player.go("/rules")
    stage = player.page.evaluate_handle(STAGE)
    screens = [(320, 568), (360, 640), (390, 664), (768, 1024), (844, 390), (1024, 768)]
    found: list[str] = []
    each = {"choice": table(players, f"{BOARDS[players]} 1 6:5,7:9,8:3 -")}
    for screen, language in [
        *zip(screens, cycle(LANGUAGES), strict=False),
        *(((320, 568), language) for language in LANGUAGES),
    ]:
        states = {
            name: with_badges(told(one, language, frozenset({0}))) for name, one in each.items()
        }
        width, height = screen
        player.page.set_viewport_size({"width": width, "height": height})
        stage.evaluate("(stage, code) => stage.speak(code)", language)
        stage.evaluate("(stage, state) => stage.seat(state)", states["choice"])
        problems = stage.evaluate("(stage, states) => stage.measure(states)", states)
        found += [f"{width}×{height} {language}: {problem}" for problem in problems]
        times = player.page.evaluate(
            "() => [...document.querySelectorAll('.bank')].map((tag) => tag.textContent)"
        )
        # a clock that was just started, and the reserves of those whose it is not
        assert times[0] in ("0:15", "0:14", "0:13", "0:12"), times
        assert times[1] == "+1:00"
    stage.dispose()
    assert not found, "\n".join(found)
