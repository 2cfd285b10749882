"""The simple bots decide as their descriptions say."""

from typing import Any

import pytest

from cantstop.bots import BOTS, bot_named, decide
from cantstop.dice import SeededDice
from cantstop.game import Game
from cantstop.rules import EDITIONS, Choice, Move, Phase, Position, Rolled, Rules, Sharing


def play_out(rules: Rules, bots: Any, seed: int) -> Any:
    """A game between bots, played by the rules alone."""
    game, dice = Game(rules), SeededDice(seed, rules.board.sides)
    while game.phase is not Phase.OVER:
        match decide(bots[game.seat], game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                game.roll(dice.roll(game.rolls + 1, game.position.dice_to_roll))
            case move:
                game.move(move)
    return game


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    "rules",
    [
        EDITIONS["classic"].rules(2),
        EDITIONS["trademark"].rules(3),
        EDITIONS["ravensburger"].rules(2, 5, early=True, sharing=Sharing.NO_REST),
        EDITIONS["asmodee"].rules(4, 4, sharing=Sharing.LEAPFROG),
        Rules(players=1),
    ],
    ids=str,
)
def test_every_bot_plays_whole_legal_games(name: str, rules: Rules) -> None:
    bots = [bot_named(name if name != "random" else "random:5")] * rules.players
    assert play_out(rules, bots, seed=11).outcome is not None


def at_choice(text: str) -> Position:
    position = Position.parse(text)
    assert position.phase is Phase.CHOICE
    return position


@pytest.mark.parametrize(("name", "enough"), [("careful", 2), ("bold", 5), ("careful:3", 3)])
def test_counting_bots_stop_after_so_many_moves(name: str, enough: int) -> None:
    bot, position = bot_named(name), at_choice("v1,players=2 -/- 1 6:2,7:1,8:1 -")
    decisions = [bot.stop(position, moves) for moves in range(1, enough + 1)]
    assert decisions == [False] * (enough - 1) + [True]


@pytest.mark.parametrize("name", ["careful", "bold"])
def test_counting_bots_stop_at_once_when_that_wins_a_column(name: str) -> None:
    assert bot_named(name).stop(at_choice("v1,players=2 -/- 1 2:3,7:1 -"), 1)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("v1,players=2 -/- 1 - 2345", (7, 7)),  # 13 + 13; 5+9 is 18, 6+8 is 22
        ("v1,players=2 -/- 1 - 1236", (5, 7)),  # 9 + 13; 3+9 is 14, 4+8 is 18
        ("v1,players=2 -/7:13 1 - 1236", (4, 8)),  # column 7 is won: 5 alone is 9
        ("v1,players=2 -/- 1 2:1,3:1,12:1 1112", (2, 3)),  # the only split
    ],
)
def test_counting_bots_prefer_steps_in_long_columns(position: str, move: tuple[int, ...]) -> None:
    assert bot_named("bold").choose(Position.parse(position), 0) == move


def test_random_bots_with_a_seed_repeat_themselves_and_others_differ() -> None:
    rules = Rules()

    def game_of(text: str) -> Any:
        return play_out(rules, [bot_named(text), bot_named("careful")], seed=3).events

    assert game_of("random:7") == game_of("random:7")
    assert game_of("random:7") != game_of("random:8")


def test_random_bots_use_every_move_and_stop_about_once_in_four_times() -> None:
    bot = bot_named("random:1")
    choosing = Position.parse("v1,players=2 -/- 1 - 2345")
    assert {bot.choose(choosing, 0) for _ in range(60)} == set(choosing.legal_moves)
    stopping = at_choice("v1,players=2 -/- 1 6:1 -")
    stops = sum(bot.stop(stopping, 1) for _ in range(4000))
    assert 900 < stops < 1100


def test_moves_of_a_turn_are_counted_from_its_beginning() -> None:
    game = Game()
    counts = []
    for dice, move in [((2, 3, 4, 5), "7+7"), ((3, 4, 3, 4), "7+7"), ((3, 4, 3, 4), "7+7")]:
        game.roll(dice)
        counts.append(game.moves_in_turn)
        game.move(move)
    game.stop()
    counts.append(game.moves_in_turn)
    game.push(Rolled((1, 1, 1, 1)))
    counts.append(game.moves_in_turn)
    assert counts == [0, 1, 2, 0, 0]
    assert game.legal_moves[0] == Move(2, 2)
