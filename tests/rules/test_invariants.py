"""What holds in every position of every game, under every combination of the rules."""

import pickle
from collections import Counter
from dataclasses import FrozenInstanceError
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings

import oracle
from cantstop import Board, Busted, Game, Moved, Phase, Position, Rolled, Rules, Stopped, splits
from cantstop.record.write import result_text
from cantstop.rules import NOBODY, Roll, Tokens
from strategies import any_rules, played, plays

many = settings(max_examples=30)


def steps(game: Game) -> Any:
    """Every event with the positions before and after it."""
    return zip(game.positions, game.events, game.positions[1:], strict=False)


@given(plays())
@many
def test_the_oracle_agrees_with_every_event_of_a_game(play: Any) -> None:
    game = played(play)
    for before, event, after in steps(game):
        table = oracle.read(str(before))
        assert oracle.write(table) == str(before)
        match event:
            case Rolled(dice):
                oracle.roll(table, dice)
            case Moved(move):
                oracle.move(table, str(move))
            case Stopped():
                assert oracle.may_stop(table)
                oracle.stop(table)
            case Busted():
                assert not oracle.options(table, tuple(table.dice))
                oracle.end_turn(table)
        assert oracle.write(table) == str(after)
        assert after.may_stop == oracle.may_stop(table)
        assert result_text(after.outcome) == oracle.result(table)


@given(plays())
@many
def test_legal_moves_are_those_of_the_oracle(play: Any) -> None:
    for position in played(play).positions:
        dice = position.dice or ()
        due = oracle.options(oracle.read(str(position)), dice) if dice else {}
        assert Counter(map(str, position.legal_moves)) == Counter(list(due))


@given(plays())
@many
def test_what_follows_from_a_position_is_the_same_however_it_was_reached(play: Any) -> None:
    for reached in played(play).positions:
        tokens = Tokens(reached.tokens.rules, reached.tokens.spaces)
        made = Position(tokens, reached.seat, reached.runners, reached.dice, reached.roll_off)
        assert made == reached
        assert pickle.loads(pickle.dumps(reached)) == reached
        for name in ("outcome", "phase", "reach", "legal_moves", "may_stop", "free_runners"):
            assert getattr(made, name) == getattr(reached, name), name
        for name in ("owners", "counts", "outcome", "reach"):
            assert getattr(tokens, name) == getattr(reached.tokens, name), name


def test_what_was_worked_out_of_the_rules_does_not_travel_with_a_position() -> None:
    rules = Rules(players=3, early=True)
    before = pickle.dumps(Position.initial(rules))
    for dice in product(range(1, 7), repeat=4):
        assert Position.initial(rules).roll(dice).legal_moves
    assert len(pickle.dumps(Position.initial(rules))) == len(before)


def test_a_position_cannot_be_changed() -> None:
    position = Position.initial(Rules()).roll((1, 2, 3, 4))
    for value, name in ((position, "seat"), (position, "phase"), (position.tokens, "spaces")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)


def test_a_roll_keeps_a_bounded_number_of_answers() -> None:
    roll, columns = Roll((1, 2, 3, 5), early=True), range(3, 9)
    asked = 0
    for digits in product((0, 1, 2, 3), repeat=len(columns)):  # neither, a runner, a step, both
        roll.moves(
            3 + sum(digit * 16**column for digit, column in zip(digits, columns, strict=True))
        )
        asked += 1
    assert asked > 8 * len(roll) > 0


@given(plays())
@many
def test_every_game_ends_with_a_winner_and_nothing_left_on_the_table(play: Any) -> None:
    game = played(play)
    outcome = game.outcome
    assert outcome is not None
    assert outcome.winners
    assert game.phase is Phase.OVER
    assert game.dice is None
    assert not any(game.runners)
    assert isinstance(game.events[-1], Stopped)
    most = max(game.position.tokens.counts)
    assert all(game.position.tokens.counts[seat] == most for seat in outcome.winners)


@given(plays())
@many
def test_tokens_never_move_down_or_vanish_but_where_another_wins_the_column(play: Any) -> None:
    for before, _, after in steps(played(play)):
        for seat, spaces in enumerate(before.tokens.spaces):
            for column, space in enumerate(spaces):
                kept = after.tokens.spaces[seat][column] >= space
                lost = after.tokens.owners[column] not in (NOBODY, seat)
                assert kept or (lost and before.tokens.owners[column] == NOBODY)


@given(plays())
@many
def test_a_bust_changes_nothing_but_the_turn(play: Any) -> None:
    for before, event, after in steps(played(play)):
        if isinstance(event, Busted):
            next_seat = (before.seat + 1) % before.rules.players
            assert after == Position(before.tokens, next_seat, (0,) * len(before.runners))


@given(plays())
@many
def test_runners_are_never_too_many_nor_in_a_won_column_nor_above_the_top(play: Any) -> None:
    for position in played(play).positions:
        standing = [(column, space) for column, space in enumerate(position.runners) if space]
        assert len(standing) + position.free_runners == position.rules.board.runners
        assert position.free_runners >= 0
        for column, space in standing:
            assert position.tokens.owners[column] == NOBODY
            own = position.tokens.spaces[position.seat][column]
            assert own < space <= position.rules.board.top(column)


@given(plays())
@many
def test_a_move_uses_one_split_and_only_steps_up(play: Any) -> None:
    for before, event, after in steps(played(play)):
        if isinstance(event, Moved):
            assert any(not Counter(event.move) - Counter(way) for way in splits(before.dice or ()))
            higher = {
                column
                for column, space in enumerate(after.runners)
                if space > before.runners[column]
            }
            assert higher == set(event.move)


@given(plays())
@many
def test_position_text_round_trips_exactly(play: Any) -> None:
    for position in played(play).positions:
        again = Position.parse(str(position))
        assert again == position
        assert str(again) == str(position)


def state(game: Game) -> Any:
    """Everything that a game answers now."""
    return game.position, game.last_event, game.turn, game.rolls, game.moves_in_turn


@given(plays())
@many
def test_undo_restores_every_position_exactly(play: Any) -> None:
    whole = played(play)
    game = Game(start=whole.start)
    for before, event, after in steps(whole):
        known = state(game)
        assert game.position == before
        game.push(event)
        assert game.position == after
        undone = game.undo()
        if isinstance(event, Busted):  # a bust goes together with its roll
            assert undone == known[1]
            game.push(undone)
        else:
            assert undone == event
        assert state(game) == known
        game.push(event)
    assert (game.positions, game.events) == (whole.positions, whole.events)
    while game.last_event is not None:
        game.undo()
    assert (game.positions, game.events) == ((whole.start,), ())


@given(any_rules())
@settings(max_examples=30)
def test_the_chances_of_a_roll_sum_to_exactly_one(rules: Rules) -> None:
    chances = Position.initial(rules).chances
    assert sum(chance.probability for chance in chances) == Fraction(1)
    assert all(list(chance.dice) == sorted(chance.dice) for chance in chances)
    assert len({chance.dice for chance in chances}) == len(chances)


@given(plays())
@settings(max_examples=20)
def test_the_chances_are_there_whenever_dice_may_be_rolled(play: Any) -> None:
    for position in played(play, most=40).positions:
        total = sum(chance.probability for chance in position.chances)
        assert total == (1 if position.may_roll else 0)


@pytest.mark.parametrize("sides", [2, 3, 6, 12, 20])
def test_a_chance_node_knows_the_commonest_and_the_rarest_roll(sides: int) -> None:
    position = Position.initial(Rules(board=Board((1,) * (2 * sides - 1), 1), columns_to_win=1))
    chances = dict(position.chances)
    assert chances[1, 1, 1, 1] == Fraction(1, sides**4)
    assert chances[1, 1, 1, 2] == Fraction(4, sides**4)
    assert chances[1, 1, 2, 2] == Fraction(6, sides**4)
    if sides > 3:
        assert chances[1, 2, 3, 4] == Fraction(24, sides**4)
