"""What there is to say about an answer: chances, stakes, and what rules of thumb would say.

Nothing here is estimated: the win chances come with the drill, and the rest follows from its
position. Interfaces put it into words; ``text`` does for terminals.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from cantstop.bots import decide
from cantstop.bots.heuristic import MIDDLE, RULE_OF_28, HeuristicBot, columns_out, wins_now
from cantstop.drills.drill import Drill
from cantstop.odds import usable_chance
from cantstop.rules import Action, Choice, Move, Phase, Position

THRESHOLD = RULE_OF_28.threshold
_RULE_OF_28 = HeuristicBot("rule-of-28", RULE_OF_28)


class Advice(StrEnum):
    """What the rulebooks advise."""

    TOP = "top"
    """After reaching a top it is mostly right to stop."""
    MIDDLE = "middle"
    """6, 7 and 8 come up most often; short columns are not easy."""


@dataclass(frozen=True)
class RulebookAdvice:
    """An advice that applies to a position, and the answer that follows from it."""

    advice: Advice
    answer: Action


@dataclass(frozen=True)
class Facts:
    """The reasons of a drill's answer."""

    next_bust: Fraction | None
    """The chance that the next roll is a bust, where rolling is a choice."""
    busts_after: tuple[Fraction, ...]
    """The chance that the next roll is a bust after each of the moves."""
    at_stake: dict[int, int]
    """What a bust would take: the spaces that the turn has gained so far, by column."""
    wins_now: bool
    """Whether stopping wins the game."""
    points: int
    """What the turn has brought so far, as Rule of 28 counts."""
    rule_of_28: Action
    """What it would do."""
    advice: RulebookAdvice | None


def facts_of(drill: Drill) -> Facts:
    """Everything about a drill's position that makes an answer right or wrong."""
    position = drill.position
    tokens = position.tokens.spaces[position.seat]
    is_move = position.phase is Phase.MOVE
    return Facts(
        None if is_move else 1 - usable_chance(position),
        tuple(1 - usable_chance(position.move(move)) for move in position.legal_moves),
        {column: space - tokens[column] for column, space in enumerate(position.runners) if space},
        not is_move and wins_now(position),
        _RULE_OF_28.turn_score(position),
        decide(_RULE_OF_28, position, 0),
        _middle(position) if is_move else _top(position),
    )


def _top(position: Position) -> RulebookAdvice | None:
    board = position.rules.board
    if any(position.runners[column] == board.top(column) for column in columns_out(position)):
        return RulebookAdvice(Advice.TOP, Choice.STOP)
    return None


def _middle(position: Position) -> RulebookAdvice | None:
    """The move in the likeliest columns, where one is likelier than all others."""

    def ways(move: Move) -> int:
        return sum(MIDDLE - 1 - abs(MIDDLE - column) for column in move)

    first, second, *_ = sorted(position.legal_moves, key=ways, reverse=True)
    return RulebookAdvice(Advice.MIDDLE, first) if ways(first) > ways(second) else None
