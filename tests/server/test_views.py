"""What clients get about a position is what the rules say of it."""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from cantstop.rules import OFFICIAL, Move, Phase, Position
from cantstop.table.events import Entry, Mode, Opened
from cantstop.table.table import Table
from cantstop.wire.position import table_view
from wire_json import as_json


def view(text: str, *, helps: bool = True, dice: Any = None) -> Any:
    """The view of a table that has come to a position."""
    position = Position.parse(text)
    empty = (None,) * position.rules.players
    rules = str(position.rules)
    opened = Opened(Mode.ONLINE, "custom", rules, helps, 0, None, "0" * 64, empty)
    table = Table.opening("abc", Entry(1, datetime.now(UTC), None, opened))
    return as_json(table_view(replace(table, position=position, thrown=dice)))


def columns(**spaces: Any) -> list[Any]:
    return [spaces.get(f"c{column}", 0) for column in OFFICIAL.columns]


def test_the_board_is_told_column_by_column() -> None:
    shown = view("v1,players=2 7:4,12:3/6:11,8:3 1 7:5,9:1 -")
    assert shown["lengths"] == [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3]
    assert shown["tokens"] == [columns(c7=4, c12=3), columns(c6=11, c8=3)]
    assert shown["runners"] == columns(c7=5, c9=1)
    assert shown["owners"] == [None, None, None, None, 1, None, None, None, None, None, 0]
    assert shown["won"] == [1, 1]
    assert (shown["seat"], shown["phase"], shown["dice"], shown["splits"]) == (
        0,
        "choice",
        None,
        [],
    )


def test_dice_lie_as_they_fell_and_every_move_has_its_preview() -> None:
    text = "v1,players=2 7:4/6:11,8:3 1 7:5,9:1 1236"
    shown = view(text, dice=(6, 1, 3, 2))
    assert shown["dice"] == [6, 1, 3, 2]
    assert shown["splits"] == [[3, 9], [4, 8], [5, 7]]
    assert [move["move"] for move in shown["moves"]] == [
        str(move) for move in Position.parse(text).legal_moves
    ]
    for move in shown["moves"]:
        after = Position.parse(text).move(Move.parse(move["move"]))
        assert view(str(after))["runners"] == move["runners"]


@pytest.mark.parametrize(
    ("text", "may_stop", "reason", "shared"),
    [
        ("v1,players=2 -/- 1 - -", False, "first-move", []),
        ("v1,players=2,start=roll-off -/- start:1=7,2 - -", False, "first-move", []),
        ("v1,players=2 -/- 1 - 2345", False, "dice", []),
        ("v1,players=2 -/- 1 6:1,7:1,8:1 1112", False, "dice", []),
        ("v1,players=2 -/7:1 1 6:1,7:1 -", True, None, []),
        ("v1,players=2,sharing=no-rest -/7:1 1 6:1,7:1 -", False, "shared", [7]),
        ("v1,players=2,sharing=no-rest -/7:1 1 6:1,7:2 -", True, None, []),
        ("v1,players=2,win=1 2:3/- 1 - -", False, None, []),
    ],
)
def test_why_one_cannot_stop_is_told(
    text: str, may_stop: bool, reason: str | None, shared: list[Any] | list[int]
) -> None:
    shown = view(text)
    assert (shown["may_stop"], shown["stop_reason"], shown["shared"]) == (may_stop, reason, shared)


@pytest.mark.parametrize(
    "text",
    [
        "v1,players=2 -/- 1 - -",
        "v1,players=2 -/- 1 6:1,7:1,8:1 -",
        "v1,players=2 6:11,8:11/- 2 2:3,3:1,12:1 -",
        "v1,players=2,sharing=leapfrog 7:12/7:11 1 2:1,3:1,12:1 -",
    ],
)
def test_the_chance_to_bust_is_that_of_all_rolls_tried(text: str) -> None:
    position = Position.parse(text)
    busts = sum(position.roll(dice).phase is Phase.BUST for dice in product(range(1, 7), repeat=4))
    assert view(text)["bust_chance"] == [busts, 1296]
    assert view(text, helps=False)["bust_chance"] is None


def test_there_is_no_chance_to_tell_where_no_roll_of_a_turn_is_next() -> None:
    assert view("v1,players=2 -/- 1 - 2345")["bust_chance"] is None
    assert view("v1,players=2,start=roll-off -/- start:1,2 - -")["bust_chance"] is None
    assert view("v1,players=2,win=1 2:3/- 1 - -")["bust_chance"] is None


def test_the_roll_off_and_the_outcome_are_told() -> None:
    shown = view("v1,players=3,start=roll-off -/-/- start:1=7,3 - -")
    assert shown["roll_off"] == {"contenders": [0, 2], "sums": [7]}
    assert (shown["seat"], shown["phase"], shown["outcome"]) == (2, "start", None)
    over = view("v1,players=2,win=1 2:3/- 1 - -")
    assert over["outcome"] == {"winners": [0], "ending": "columns"}
    assert (over["phase"], over["roll_off"]) == ("over", None)
