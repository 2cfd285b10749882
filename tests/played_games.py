"""Games of bots for tests to look at: all kinds of rules and endings, the same ones every time."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count, islice, product

from cantstop import Game, Record
from cantstop.bots import bot_named, decide
from cantstop.dice import EnteredDice
from cantstop.review import Decision, review
from cantstop.rules import Board, Choice, Phase, Position, Rules, Sharing, Start

KINDS = [
    Rules(),
    Rules(players=3),
    Rules(players=4, sharing=Sharing.LEAPFROG, start=Start.ROLL_OFF),
    Rules(players=1),
    Rules(players=2, columns_to_win=2, board=Board((2, 3, 4, 5, 4, 3, 2))),
]


def played(number: int) -> Record:
    """A game of some bots: to its end, resigned, cut off, timed out, or with entered dice."""
    dice = random.Random(f"story {number}")
    rules = KINDS[number % len(KINDS)]
    entered = EnteredDice(rules.board.sides) if number % 7 == 0 else None
    game = Game(rules, dice=entered)
    bots = [bot_named(dice.choice(["random:1", "careful", "bold"])) for _ in range(rules.players)]
    longest = dice.choice([10_000, 10_000, 10_000, 40, dice.randrange(3, 40)])
    out_of_time = dice.choice([None, 20])  # from then on a bot plays for the first seat
    while game.outcome is None and len(game.events) < longest:
        if len(game.events) == out_of_time:
            bots[0] = bot_named("careful")
        match decide(bots[game.seat], game.position, game.moves_in_turn):
            case Choice.STOP:
                game.stop()
            case Choice.ROLL:
                count = game.position.dice_to_roll
                game.roll(tuple(dice.choices(range(1, rules.board.sides + 1), k=count)))
            case move:
                game.move(move)
    names = ["Anne", "fox", "Cleo", "Dan"][: rules.players]
    record = Record.of(game, names)
    if game.outcome is not None:
        gave_up = rules.players > 2 and dice.random() < 0.3
        return replace(record, resigned=(1,)) if gave_up else record
    if rules.players > 1 and dice.random() < 0.5:
        left = dice.randrange(rules.players)
        others = tuple(seat for seat in range(rules.players) if seat != left)
        return replace(record, resigned=others, ended="resigned")
    return record


def decisions(number: int) -> Iterator[Decision]:
    """The first decisions of those games, with what every option was worth."""
    found = (decision for game in count() for decision in review(played(game)).decisions)
    return islice(found, number)


def bust_chance(position: Position) -> Fraction:
    """The chance that the next roll is a bust, by trying every roll."""
    sides = position.rules.board.sides
    ways = _ways(sides)
    busts = sum(ways[dice] for dice in ways if position.roll(dice).phase is Phase.BUST)
    return Fraction(busts, sides**4)


@cache
def _ways(sides: int) -> dict[tuple[int, ...], int]:
    """Every roll but for its order, and in how many orders it falls."""
    found: dict[tuple[int, ...], int] = {}
    for dice in product(range(1, sides + 1), repeat=4):
        key = tuple(sorted(dice))
        found[key] = found.get(key, 0) + 1
    return found
