"""Games of bots for a tool to review: which bots by which rules, and the games themselves."""

import random
from collections.abc import Sequence
from functools import cache
from itertools import product

from cantstop.bots import bot_named, decide
from cantstop.bots.bot import Bot
from cantstop.game import Game
from cantstop.rules import EDITIONS, Board, Busted, Choice, InvalidRules, Rules, Sharing

ALL_KINDS = (
    "champion",
    "expert",
    "falcon",
    "fox",
    "monkey",
    "ibex",
    "tortoise",
    "magpie",
    "chick",
    "max-expected-progress",
    "bold",
    "bold:3",
    "careful",
    "random:1",
)
"""One of every kind that plays on any board."""

LONGEST = 600
"""Events after which a game is left unfinished: some bots never win on some boards."""


@cache
def edition_rules() -> tuple[Rules, ...]:
    """Every game of every edition, for one to four players."""
    found = []
    for edition, players, win, early, sharing in product(
        EDITIONS.values(), (1, 2, 3, 4), (3, 4, 5), (False, True), Sharing
    ):
        try:
            found.append(edition.rules(players, win, early, sharing))
        except InvalidRules:
            continue
    return tuple(dict.fromkeys(found))


def small_rules(dice: random.Random) -> Rules:
    """Rules nobody prints, on a board that nobody sells."""
    sides = dice.choice((2, 3, 3, 4))
    lengths = tuple(dice.randint(1, 4) for _ in range(2 * sides - 1))
    players, runners = dice.randint(1, 4), dice.randint(1, min(4, len(lengths)))
    return Rules(
        players,
        dice.randint(1, min(3, len(lengths))),
        dice.random() < 0.5,
        dice.choice(list(Sharing)),
        dice.choice([edition.start for edition in EDITIONS.values()]),
        Board(lengths, runners=runners),
    )


def play(rules: Rules, bots: Sequence[Bot], seed: str, longest: int = LONGEST) -> Game:
    """A game from its start, with the dice of a seed."""
    dice, game, moves, happened = random.Random(seed), Game(rules), 0, 0
    faces = range(1, rules.board.sides + 1)
    while game.outcome is None and happened < longest:
        happened += 1
        match decide(bots[game.seat], game.position, moves):
            case Choice.STOP:
                game.stop()
                moves = 0
            case Choice.ROLL:
                seat = game.seat
                game.roll(tuple(dice.choices(faces, k=game.position.dice_to_roll)))
                happened += isinstance(game.last_event, Busted)
                moves = 0 if game.seat != seat or not game.legal_moves else moves
            case move:
                game.move(move)
                moves += 1
    return game


def seated(names: Sequence[str]) -> list[Bot]:
    """The bots of these names."""
    return [bot_named(name) for name in names]
