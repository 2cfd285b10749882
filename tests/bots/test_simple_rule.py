"""The bot ``simple`` plays by the guide's card: its sentences, written down once more in Python."""

import random
from collections.abc import Iterator

import pytest

from cantstop.bots import bot_named
from cantstop.rules import OFFICIAL, Move, Phase, Position, Rules

SIMPLE = bot_named("simple")


def steps(position: Position, move: Move) -> list[tuple[int, int]]:
    """The columns of a move with the spaces that it reaches, one by one."""
    found, own = [], position.tokens.spaces[position.seat]
    at = {column: position.runners[column] or own[column] for column in move}
    for column in move:
        if at[column] < OFFICIAL.top(column):
            at[column] += 1
            found.append((column, at[column]))
    return found


def points(position: Position, move: Move) -> int:
    """What the card gives a move."""
    total = 0
    for column, space in steps(position, move):
        if column in (2, 6, 8, 12):
            total += 3
        elif column in (4, 7, 10):
            total += 2
        if space >= (OFFICIAL.top(column) + 1) // 2:  # all columns have a middle space
            total += 3
    return total - 3 * sum(not position.runners[column] for column in set(move))


def best_moves(position: Position) -> list[Move]:
    """The moves that the card allows."""

    def rank(move: Move) -> tuple[int, int]:
        tops = sum(space == OFFICIAL.top(column) for column, space in steps(position, move))
        return tops, points(position, move)

    best = max(map(rank, position.legal_moves))
    return [move for move in position.legal_moves if rank(move) == best]


def card_stops(position: Position) -> bool:
    """Whether the card says stop."""
    out = [column for column in OFFICIAL.columns if position.runners[column]]
    if any(position.runners[column] == OFFICIAL.top(column) for column in out):
        return True
    if position.free_runners:
        return False
    counts = position.tokens.counts
    if any(count for seat, count in enumerate(counts) if seat != position.seat):
        return False
    outer = any(column in (2, 3, 11, 12) for column in out)
    middle = sum(column in (6, 7, 8) for column in out)
    return outer and middle <= 1


def random_positions(rules: Rules, turns: int, seed: int) -> Iterator[Position]:
    """Positions of a random game: with dice on the table, and after moves."""
    chance, position = random.Random(seed), Position.initial(rules)
    for _ in range(turns):
        if position.phase is Phase.OVER:
            position = Position.initial(rules)
        position = position.roll(tuple(chance.randint(1, 6) for _ in range(4)))
        while position.legal_moves:
            yield position
            position = position.move(chance.choice(position.legal_moves))
            yield position
            if position.may_stop and chance.random() < 0.25:
                position = position.stop()
                break
            position = position.roll(tuple(chance.randint(1, 6) for _ in range(4)))
        else:
            position = position.bust()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_every_decision_is_one_that_the_card_allows(players: int) -> None:
    choices = stops = 0
    for position in random_positions(Rules(players), 400, players):
        if position.phase is Phase.MOVE:
            choices += len(position.legal_moves) > 1
            assert SIMPLE.choose(position, 0) in best_moves(position), position
        elif position.may_stop:
            said = SIMPLE.stop(position, 1)
            stops += said
            assert said == card_stops(position), position
    assert choices > 100
    assert stops > 30


@pytest.mark.parametrize(
    ("runners", "stops"),
    [
        ("2:1,6:1,8:1", False),  # an outer column with two of the middle
        ("2:1,5:1,8:1", True),
        ("4:6,5:5,9:5", False),  # no outer column: however far
        ("6:11,7:1", True),  # a top, with a runner in hand
        ("3:1,11:1", False),  # a runner in hand
    ],
)
def test_examples_of_stops(runners: str, stops: bool) -> None:
    position = Position.parse(f"v1,players=2 -/- 1 {runners} -")
    assert SIMPLE.stop(position, 3) == stops == card_stops(position)


def test_once_another_has_a_column_only_tops_end_the_turn() -> None:
    for theirs, stops in (("7:12", True), ("7:13", False)):
        assert SIMPLE.stop(Position.parse(f"v1,players=2 -/{theirs} 1 2:1,3:1,12:1 -"), 3) == stops
    # its own columns change nothing
    assert SIMPLE.stop(Position.parse("v1,players=2 7:13/- 1 2:1,3:1,12:1 -"), 3)
