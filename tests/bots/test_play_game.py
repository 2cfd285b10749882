"""A whole game of bots in one call."""

import pickle
from typing import Any

import pytest

from cantstop import (
    InvalidRules,
    Move,
    Position,
    Rules,
    SecureDice,
    SeededDice,
    Stopped,
    play_game,
    verify,
)
from cantstop.bots import BotFailure


class Steady:
    """A player's own bot, which has no name."""

    def __init__(self, enough: int = 3) -> None:
        self.enough = enough

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        return position.legal_moves[0]

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        return moves >= self.enough


def test_the_same_seed_plays_the_same_game_and_another_one_another() -> None:
    games = [play_game(["careful", "bold"], dice=seed) for seed in (7, 7, 8)]
    assert games[0] == games[1] != games[2]
    assert games[0].dice == SeededDice(7)
    assert verify(games[0]).dice_checked
    assert games[0].game().outcome is not None


def test_names_objects_and_classes_sit_at_one_table() -> None:
    record = play_game([Steady, Steady(2), "careful:3"], "win=2,start=roll-off", dice=1)
    assert record.names == ("Steady", "Steady", "careful:3")
    assert record.rules == Rules.parse("players=3,win=2,start=roll-off")
    game = record.game()
    assert game.outcome is not None
    # who stops is whoever has the seat: the second one after two moves, the first after three
    moves = {0: 3, 1: 2}
    for number, event in enumerate(game.events):
        seat = game.positions[number].seat
        if isinstance(event, Stopped) and seat in moves:
            turn = type(game).replay(game.start, game.events[:number])
            assert turn.moves_in_turn == moves[seat]


def test_dice_that_nobody_chose_are_secure() -> None:
    assert play_game(["bold"]).dice == SecureDice()


def test_bots_that_never_stop_end_without_a_winner() -> None:
    class Never(Steady):
        def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
            return False

    record = play_game(
        [Never()], "win=3,lengths=99.99.99.99.99.99.99.99.99.99.99,runners=1", dice=1
    )
    assert record.ended == "turns"
    assert record.game().outcome is None


def test_a_bot_answers_in_any_form_that_can_be_moved() -> None:
    class Speaker(Steady):
        def choose(self, position: Position, moves: int) -> Any:
            return str(super().choose(position, moves))

    spoken = play_game([Speaker(), "bold"], dice=7)
    assert spoken.events == play_game([Steady(), "bold"], dice=7).events


def test_a_bot_that_cheats_is_told_so() -> None:
    class Cheat(Steady):
        def choose(self, position: Position, moves: int) -> Any:  # noqa: ARG002
            return (2, 12)

    with pytest.raises(BotFailure, match=r"“Cheat” failed .*2\+12 is not a legal move here"):
        play_game([Cheat, "careful"], dice=1)


@pytest.mark.parametrize("error", [ZeroDivisionError("by zero"), SystemExit("I have had enough")])
def test_what_a_bot_raises_is_the_cause_of_its_failure(error: BaseException) -> None:
    class Raising(Steady):
        def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
            raise error

    with pytest.raises(BotFailure, match=f"{type(error).__name__}: {error}") as failure:
        play_game([Raising, "careful"], dice=1)
    assert failure.value.__cause__ is error
    assert "in stop" in failure.value.details[1]
    copied = pickle.loads(pickle.dumps(failure.value))  # as it comes from another process
    assert (str(copied), copied.details) == (str(failure.value), failure.value.details)


def test_a_bot_that_does_not_play_these_rules_is_asked_first() -> None:
    with pytest.raises(InvalidRules):
        play_game(["rule-of-28", "careful"], "lengths=1.3.5.3.1", dice=1)
