"""A game being played: actions, history, undo."""

import copy
import operator
import pickle
import random
import secrets
from functools import reduce
from typing import Any

import numpy as np
import pytest

from cantstop import (
    Board,
    Busted,
    Game,
    IllegalAction,
    InvalidText,
    Move,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    SeededDice,
    Stopped,
    WrongType,
)
from cantstop.draw import board_svg, board_text
from cantstop.rules import moves_after
from speak import event, runners


def test_a_game_goes_from_roll_to_move_to_stop() -> None:
    game = Game()
    assert list(game.roll("2345")) == [Move(5, 9), Move(6, 8), Move(7, 7)]
    assert game.dice == (2, 3, 4, 5)
    game.move("6+8")
    assert runners(game) == {6: 1, 8: 1}
    assert game.runners == game.position.runners == (0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0)
    assert game.phase is Phase.CHOICE
    game.roll((1, 1, 5, 6))
    game.move((7, 6))
    game.stop()
    assert (game.seat, game.turn, game.rolls) == (1, 2, 2)
    assert str(game.position) == "v1,players=2 6:2,7:1,8:1/- 2 - -"
    assert game.events == tuple(map(event, ("2345", "=6+8", "1156", "=6+7", "stop")))
    assert [position.is_anchor for position in game.positions] == [True] + [False] * 4 + [True]


def test_a_bust_follows_by_itself() -> None:
    game = Game.parse("v1,players=2 -/- 1 2:3,3:1,7:5 -")
    assert not game.roll("3366")
    assert game.events == (Rolled((3, 3, 6, 6)), Busted())
    assert str(game.position) == "v1,players=2 -/- 2 - -"


def test_dice_that_are_not_given_are_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda sides: sides - 1)
    game = Game(Rules.parse("start=roll-off,lengths=1.2.3.2.1"))
    assert not game.roll()
    assert game.events == (Rolled((3, 3)),)
    game.roll("11")
    game.roll()
    assert game.dice == (3, 3, 3, 3)


@pytest.mark.parametrize("move", ["7+7", (7, 7), [7, 7], Move(7, 7)])
def test_a_move_may_be_text_columns_or_a_legal_move(move: Any) -> None:
    game = Game.parse("v1,players=2 -/- 1 - 2345")
    game.move(move)
    assert runners(game) == {7: 2}


def test_what_the_rules_forbid_changes_nothing() -> None:
    game = Game.parse("v1,players=2 -/- 1 - 2345")
    for refused in (lambda: game.move("5"), game.stop, lambda: game.roll("1234")):
        with pytest.raises(IllegalAction):
            refused()
    with pytest.raises(InvalidText):
        game.move("five")
    assert game.positions == (game.start,)
    assert game.events == ()


def test_undo_takes_back_one_event_at_a_time() -> None:
    game = Game()
    game.roll("2345")
    game.move("6+8")
    game.stop()
    assert game.undo() == Stopped()
    assert game.undo() == Moved(Move(6, 8))
    assert game.undo() == Rolled((2, 3, 4, 5))
    assert game.position == game.start
    with pytest.raises(IllegalAction, match="There is nothing to take back"):
        game.undo()


def test_undo_takes_a_bust_back_together_with_its_roll() -> None:
    game = Game.parse("v1,players=2 -/- 1 2:3,3:1,7:5 -")
    game.roll("3366")
    assert game.undo() == Rolled((3, 3, 6, 6))
    assert game.position == game.start
    assert game.events == ()


def test_undo_takes_a_bust_back_alone_where_the_roll_was_there_from_the_start() -> None:
    game = Game.parse("v1,players=2 -/- 1 2:3,3:1,7:5 3366")
    game.push(Busted())
    assert game.undo() == Busted()
    assert game.position == game.start
    assert game.positions == (game.start,)


def test_turns_are_counted_to_the_last_one() -> None:
    game = Game.parse("v1,players=2 2:3,7:13/- 1 12:2 -")
    assert game.turn == 1
    game.roll("6666")
    game.move("12")
    assert game.turn == 1
    game.stop()
    assert game.turn == 1
    assert game.outcome is not None
    assert game.phase is Phase.OVER


def test_a_game_starts_from_its_rules_or_from_a_position() -> None:
    rules = Rules.parse("players=3,early")
    position = Position.parse("v1,players=3,early -/7:1/- 2 - -")
    assert Game(rules).start == Position.initial(rules)
    assert Game(rules, start=position).start == position
    assert Game(start=position).rules == rules
    with pytest.raises(IllegalAction, match="other rules than the game"):
        Game(Rules(), start=position)


def test_a_copy_is_played_on_apart() -> None:
    game = Game()
    game.roll("2345")
    other = game.copy()
    other.move("7+7")
    assert game.phase is Phase.MOVE
    assert other.events[:1] == game.events
    assert other.position.runners[7] == 2


def test_replay_refuses_what_the_rules_forbid() -> None:
    with pytest.raises(IllegalAction, match="cannot be stopped before its first move"):
        Game.replay(Position.initial(Rules()), [Stopped()])


def test_a_game_shows_its_position() -> None:
    assert repr(Game()) == "<Game v1,players=2 -/- 1 - ->"
    assert list(Game().legal_moves) == []


def test_a_game_prints_its_board_and_a_notebook_shows_it() -> None:
    game = Game.parse("v1,players=2 7:4/- 1 6:1 -")
    assert str(game) == board_text(game.position)
    assert game._repr_svg_() == board_svg(game.position)


def test_a_game_is_asked_for_by_its_players_its_rules_text_and_its_dice() -> None:
    assert Game(players=3).rules == Rules(players=3)
    assert Game("win=4", players=3).rules == Rules.parse("players=3,win=4")
    seeded, again = Game(dice=7), Game(dice=SeededDice(7))
    seeded.roll()
    again.roll()
    assert seeded.events == again.events == (Rolled(SeededDice(7).roll(1)),)
    assert Game("lengths=1.2.3.2.1", dice=7).dice_source == SeededDice(7, sides=3)
    assert Game(dice=7).copy().dice_source == SeededDice(7)


def test_the_dice_of_a_source_go_on_where_the_game_stands_also_after_undo() -> None:
    game = Game(dice=7)
    while game.rolls < 6:
        if game.roll():
            game.move(game.legal_moves[0])
    rolled = [event.dice for event in game.events if isinstance(event, Rolled)]
    assert rolled == [SeededDice(7).roll(number) for number in range(1, 7)]
    game.undo()
    game.undo()
    assert game.rolls == 5
    game.roll()
    assert game.last_event in (Rolled(SeededDice(7).roll(6)), Busted())


@pytest.mark.parametrize(
    "dice",
    ["2345", (2, 3, 4, 5), [2, 3, 4, 5], tuple(np.array([2, 3, 4, 5])), (2, 3, 4, np.int64(5))],
)
def test_dice_are_plain_numbers_in_events_however_they_are_given(dice: Any) -> None:
    game = Game()
    game.roll(dice)
    pushed = Game.replay(game.start, [Rolled(dice)])
    for rolled in (*game.events, *pushed.events):
        assert rolled == Rolled((2, 3, 4, 5))
        assert isinstance(rolled, Rolled)
        assert {type(die) for die in rolled.dice} == {int}
    moved = Game.replay(game.start, [Rolled(dice), Moved("6+8")])  # type: ignore[arg-type]
    assert moved.last_event == Moved(Move(6, 8))


def counted(game: Game) -> tuple[int, int, int]:
    """Turn, rolls and moves of the turn, counted from the events."""
    ends = sum(isinstance(event, Stopped | Busted) for event in game.events)
    rolls = sum(isinstance(event, Rolled) for event in game.events)
    return ends + (game.outcome is None), rolls, reduce(moves_after, game.events, 0)


@pytest.mark.parametrize("rules", ["win=1", "players=3,win=1,start=roll-off,sharing=leapfrog"])
def test_counts_are_those_of_the_events_at_any_time_also_backwards(rules: str) -> None:
    chance, game = random.Random(4), Game(rules, dice=4)
    seen: list[tuple[int, int, int]] = []
    while game.outcome is None:
        if game.phase is Phase.MOVE:
            game.move(chance.choice(game.legal_moves))
        elif game.position.may_stop and chance.random() < 0.3:
            game.stop()
        else:
            game.roll()
        assert (game.turn, game.rolls, game.moves_in_turn) == counted(game)
        seen.append(counted(game))
    while game.last_event is not None:
        assert (game.turn, game.rolls, game.moves_in_turn) == counted(game)
        assert counted(game) in seen
        game.undo()
    assert (game.turn, game.rolls, game.moves_in_turn) == (1, 0, 0)


def test_a_copy_shares_what_has_happened_and_nothing_that_will() -> None:
    game = Game(dice=3)
    game.roll("2345")
    copies = [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
    for other in copies:
        other.move("7+7")
        other.stop()
        assert (other.turn, other.rolls, other.dice_source) == (2, 1, game.dice_source)
    assert len(game.events) == 1
    assert {repr(other) for other in copies} == {repr(copies[0])}


def test_a_long_game_is_copied_without_making_anything_anew_and_can_be_pickled() -> None:
    game = Game(players=1, dice=1)
    while game.outcome is None:  # deeper than Python's stack, if it were a chain of calls
        if game.phase is Phase.MOVE:
            game.move(game.legal_moves[0])
        elif game.position.may_stop and game.turn > 300:
            game.stop()
        else:
            game.roll()
    assert len(game.events) > 2000
    assert all(map(operator.is_, game.copy().positions, game.positions))
    assert pickle.loads(pickle.dumps(game)).positions == game.positions


def test_a_position_shows_itself_in_a_line_and_in_notebooks_as_a_picture() -> None:
    position = Position.initial("players=3").roll("2345")
    assert repr(position) == "<Position v1,players=3 -/-/- 1 - 2345>"
    assert position._repr_svg_() == board_svg(position)


def test_positions_take_dice_and_moves_in_any_form() -> None:
    position = Position.initial()
    rolled = position.roll((2, 3, 4, 5))
    forms: list[Any] = ["2345", "2-3-4-5", [5, 4, 3, 2], iter((2, 3, 4, 5)), np.arange(2, 6)]
    assert all(position.roll(form) == rolled for form in forms)
    moved = rolled.move(Move(6, 8))
    moves: list[Any] = ["6+8", (8, 6), [6, 8], iter((6, 8)), tuple(np.array([6, 8]))]
    assert all(rolled.move(form) == moved for form in moves)
    assert type(rolled.move(moves[-1]).reach) is int


def test_floats_are_no_dice_even_where_the_same_roll_was_thrown_before() -> None:
    position = Position.initial()
    assert position.roll((1, 2, 5, 6)).dice == (1, 2, 5, 6)
    for floats in ((1.0, 2.0, 5.0, 6.0), (1, 2, 5, 6.0), (1.0, 1.0, 1.0, 1.0)):
        with pytest.raises(WrongType, match="dice are whole numbers"):
            position.roll(floats)  # type: ignore[arg-type]


def test_numbers_of_another_kind_are_numbers_in_rules_too() -> None:
    class Count(int):
        pass

    assert Rules(players=Count(3)) == Rules(players=3)
    assert Board([1, 3, 1]) == Board((1, 3, 1))  # type: ignore[arg-type]


def test_a_legal_move_is_found_in_any_form_that_can_be_moved() -> None:
    rolled = Position.initial().roll("2345")
    forms: list[Any] = ["6+8", "8+6", (6, 8), [8, 6], Move(6, 8), np.array([6, 8])]
    for form in forms:
        assert form in rolled.legal_moves
        assert rolled.move(form) == rolled.move(Move(6, 8))
    others: list[Any] = ["2+12", (6.0, 8.0), "six", None, 7, b"6+8"]
    assert not any(other in rolled.legal_moves for other in others)


def test_numbers_of_numpy_are_whole_numbers() -> None:
    three: Any = np.int64(3)
    seven: Any = np.uint8(7)
    assert Game(players=three).rules == Game(players=3).rules == Rules(players=three)
    assert type(Rules(players=three).players) is int
    assert Game(dice=seven).dice_source == Game(dice=7).dice_source == SeededDice(7)
    assert type(SeededDice(seven).seed) is int
    assert SeededDice(7).roll(three) == SeededDice(7).roll(3)
    assert board_svg(Position.initial(), size=160 * three) == board_svg(
        Position.initial(), size=480
    )
    assert Position.initial(players=three) == Position.initial("players=3")
