"""Taking back: a move or a stop, until dice are thrown again; dice never."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cantstop.rules import Phase, Rolled
from people import local_game, sit
from speak import runners

NOTHING = "There is nothing to take back: only a player's last move or stop can be"
START = "v1,players=2 -/- 1 - -"


def test_a_move_is_taken_back_and_another_one_made() -> None:
    local = local_game(START, "Anne", "Bob", dice="2345")
    evening = sit(local, ["", "1", "undo", "3"])
    assert runners(evening.game) == {7: 2}
    assert evening.game.rolls == 1
    assert "On the table: 2, 3, 4 and 5." in evening.lines


def test_a_stop_is_taken_back_before_the_next_player_rolls() -> None:
    local = local_game(START, "Anne", "Bob", dice="2345 3344")
    evening = sit(local, ["", "3", "stop", "undo", "roll"])
    assert evening.game.seat == 0
    assert evening.game.phase is Phase.MOVE
    assert "Taken back." in evening.lines


def test_stop_and_move_can_both_be_taken_back_down_to_the_dice() -> None:
    local = local_game(START, "Anne", "Bob", dice="2345")
    evening = sit(local, ["", "3", "stop", "undo", "undo", "undo"])
    assert evening.game.events == (Rolled((2, 3, 4, 5)),)
    assert evening.text.count("Taken back.") == 2
    assert evening.text.count(NOTHING) == 1


def test_dice_are_never_taken_back() -> None:
    local = local_game(START, "Anne", "Bob", dice="2345 3344")
    evening = sit(local, ["undo", "", "undo", "1", "roll", "undo"])
    assert evening.text.count(NOTHING) == 3
    assert evening.game.rolls == 2


def test_a_bust_is_never_taken_back() -> None:
    local = local_game("v1,players=2 -/- 1 2:1,3:1,12:1 -", "Anne", "Bob", dice="4446")
    evening = sit(local, ["roll", "undo"])
    assert NOTHING in evening.text
    assert evening.game.seat == 1


def test_throws_for_the_start_are_never_taken_back() -> None:
    local = local_game("v1,players=2,start=roll-off -/- start:1,2 - -", "Anne", "Bob", dice="12 34")
    evening = sit(local, ["", "undo", "", "undo"])
    assert evening.text.count(NOTHING) == 2
    assert evening.game.rolls == 2


def test_before_a_bot_rolls_a_person_can_take_the_stop_back() -> None:
    local = local_game(START, "Anne", "bot:careful", dice="2345 3344 3344 3344 3344")
    evening = sit(local, ["", "3", "stop", "undo", "stop", ""])
    assert evening.questions[3] == "Press Enter to go on with careful, or type “undo”: "
    assert evening.questions[3] == evening.questions[5]
    assert evening.game.turn == 3


def test_after_a_bust_a_bot_goes_on_without_a_question() -> None:
    local = local_game(
        "v1,players=2 -/- 1 2:1,3:1,12:1 -", "Anne", "bot:careful:1", dice="4446 3344"
    )
    evening = sit(local, ["roll"])
    assert evening.questions[-1] == "Anne, press Enter to roll: "
    assert evening.game.turn == 3


def test_what_a_bot_has_decided_stands() -> None:
    local = local_game(START, "bot:careful:1", "Anne", dice="2345")
    evening = sit(local, ["undo"])
    assert NOTHING in evening.text
    assert evening.game.seat == 1


def test_the_save_follows_what_is_taken_back(tmp_path: Path) -> None:
    local = local_game(START, "Anne", "Bob")
    file = tmp_path / "game.cantstop"
    texts = []

    def answers() -> Iterator[Any]:
        for answer in ("", "1", "undo"):
            yield answer
            texts.append(file.read_text("utf-8"))

    sit(local, answers(), file=file)
    assert texts[2] == texts[0] != texts[1]
