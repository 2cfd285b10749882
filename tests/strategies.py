"""Hypothesis strategies: rules, boards, and random games of every combination of them."""

from typing import NamedTuple

from hypothesis import strategies as st

from cantstop import (
    Board,
    Busted,
    Event,
    Game,
    Move,
    Moved,
    Phase,
    Position,
    Rolled,
    Rules,
    SeededDice,
    Sharing,
    Start,
    Stopped,
)


@st.composite
def any_board(draw: st.DrawFn, sides: st.SearchStrategy[int], longest: int) -> Board:
    """A board for dice of these sides, with one to four runners."""
    count = 2 * draw(sides) - 1
    lengths = draw(st.lists(st.integers(1, longest), min_size=count, max_size=count))
    return Board(tuple(lengths), draw(st.integers(1, min(4, count))))


@st.composite
def rules_on(draw: st.DrawFn, boards: st.SearchStrategy[Board]) -> Rules:
    """Any combination of the other settings on these boards."""
    board = draw(boards)
    return Rules(
        players=draw(st.integers(1, 4)),
        columns_to_win=draw(st.integers(1, min(5, len(board.columns)))),
        early=draw(st.booleans()),
        sharing=draw(st.sampled_from(Sharing)),
        start=draw(st.sampled_from(Start)),
        board=board,
    )


def any_rules() -> st.SearchStrategy[Rules]:
    """Any rules that can be written."""
    return rules_on(st.just(Board()) | any_board(st.integers(2, 20), longest=99))


def playable_rules() -> st.SearchStrategy[Rules]:
    """Rules of games that end soon: small boards, twelve-sided dice, now and then the official."""
    boards = st.one_of(
        any_board(st.integers(2, 4), longest=5),
        st.builds(Board, st.just((2,) * 23), st.integers(1, 4)),
        st.builds(Board, runners=st.integers(1, 4)),
    )
    return rules_on(boards)


class Play(NamedTuple):
    """How a random game is to be played: its dice, and a player who stops at random."""

    rules: Rules
    seed: int
    youngest: int
    reluctance: int


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """A random game to be played."""
    rules = draw(playable_rules())
    youngest = draw(st.integers(0, rules.players - 1)) if rules.start is Start.YOUNGEST else 0
    return Play(rules, draw(st.integers(0, 2**32)), youngest, draw(st.integers(1, 6)))


LONGEST = 20_000
"""Events: far more than any game here takes, so that one without an end fails and does not hang."""


def played(play: Play, most: int = LONGEST) -> Game:
    """A game from its dice alone, to the end or to at most a number of events."""
    rules, seed, youngest, reluctance = play
    game = Game(start=Position.initial(rules, youngest))
    dice = SeededDice(seed, rules.board.sides)
    whims = SeededDice(~seed, 60)
    for number in range(most):
        if game.outcome is not None:
            break
        whim = whims.roll(number, 1)[0] - 1
        game.push(_next_event(game, dice, whim, reluctance))
    return game


def _next_event(game: Game, dice: SeededDice, whim: int, reluctance: int) -> Event:
    position = game.position
    if position.phase is Phase.BUST:
        return Busted()
    if position.phase is Phase.MOVE:
        move: Move = position.legal_moves[whim % len(position.legal_moves)]
        return Moved(move)
    if position.may_stop and whim % reluctance == 0:
        return Stopped()
    return Rolled(dice.roll(game.rolls + 1, position.dice_to_roll))
