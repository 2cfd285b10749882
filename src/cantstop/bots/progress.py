"""The player that looks one roll ahead for the most progress in the turn."""

from dataclasses import dataclass

from cantstop.bots.bot import Bot
from cantstop.bots.heuristic import columns_out, could_move, standing, wins_now
from cantstop.rules import Move, Position, ways

COLUMN_WORTH = 720_720
"""Points for a whole column: every length up to 16 divides it, so a space is worth whole points."""

PERCENT = 100


@dataclass(frozen=True)
class ProgressBot(Bot):
    """Rolls on while one more roll gains something on average.

    Progress is counted in columns: a space is worth its share of its column. A roll gains what its
    best move gains, a bust loses what the turn has gained; ``caution`` is the weight of that
    loss in percent. Whole numbers throughout, so that every machine decides alike.
    """

    name: str
    caution: int = PERCENT

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The move that leaves the turn worth most, stopped or rolled once more."""
        return max(reversed(position.legal_moves), key=lambda move: _outlook(self, position, move))

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Whether stopping wins, rolling is of no use, or one more roll gains nothing."""
        if wins_now(position) or not could_move(position):
            return True
        return self.expected_gain(position) <= 0

    def expected_gain(self, position: Position) -> int:
        """What one more roll changes on average, in percent, summed over all falls of the dice."""
        at_risk = self.caution * turn_progress(position)
        total = 0
        for dice, times in ways(position.rules.board.sides, 4).items():
            rolled = position.roll(dice)
            gains = [PERCENT * _gain(rolled, move) for move in rolled.legal_moves]
            total += times * max(gains, default=-at_risk)
        return total


def turn_progress(position: Position) -> int:
    """What the turn has gained."""
    tokens = position.tokens.spaces[position.seat]
    return sum(
        (position.runners[column] - tokens[column]) * _space_worth(position, column)
        for column in columns_out(position)
    )


def _space_worth(position: Position, column: int) -> int:
    return COLUMN_WORTH // position.rules.board.top(column)


def _gain(position: Position, move: Move) -> int:
    after = position.move(move)
    return sum(
        (after.runners[column] - standing(position, column)) * _space_worth(position, column)
        for column in set(move)
    )


def _outlook(bot: ProgressBot, position: Position, move: Move) -> tuple[bool, int]:
    after = position.move(move)
    if wins_now(after):
        return True, 0
    falls = PERCENT * position.rules.board.sides**4
    return False, falls * turn_progress(after) + max(0, bot.expected_gain(after))
