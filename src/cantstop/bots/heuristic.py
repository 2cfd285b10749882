"""The published score-and-threshold players.

**Turn score.** Every column with a runner brings its ``progress`` for each space gained in the
turn, and once more for being entered. When all runners are out, a difficulty is added: ``even`` or
``odd`` where all columns are so, ``low`` or ``high`` where none is above or none below the middle.

**Stop** to win; or with no runner left to bring out and a turn score of ``threshold`` at least; or
where no roll at all could be of use, which the papers need not say: with three columns to win it
never happens before the win.

**Choose** the move with the highest sum of the choice values of the spaces that it gains, less
``marker`` for every runner that it brings out, less the difficulty if that brings out the last one.
Of equal moves, the one from the most balanced split.

Paper and program of Glenn and Aloi differ: in the paper's example a column just entered counts once
in the choice, in their program twice. ``entry`` says which. Their published games between two
players are as long as games are without the difficulty in the choice, those of one player are not:
``foresees`` says whether it counts there. Nor does either say which of equal moves is taken: the
program takes the one that its hash table happens to list first.

``SIMPLE`` is of the same kind and ours: the best rule without counting that
``research/simple_rule`` found. Only the columns that were entered have points, so that one look at
them is enough; a top ends the turn; and once another player has won a column nothing else does.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from cantstop.bots.bot import Bot
from cantstop.rules import OFFICIAL, InvalidRules, Move, Position, Rules
from cantstop.rules.lazy import lazy

MIDDLE = 7


def mirrored(lower: tuple[int, ...]) -> dict[int, int]:
    """Numbers for columns 2 to 7, which stand for 12 to 7 as well."""
    return {
        column: value
        for step, value in enumerate(lower)
        for column in (2 + step, 2 * MIDDLE - 2 - step)
    }


@dataclass(frozen=True)
class Weights:
    """The numbers of one player, for columns 2 to 7 of the official board."""

    progress: tuple[int, ...]
    intercept: tuple[int, ...]
    """The choice value of a column's first space."""
    slope: tuple[int, ...]
    """How much more its top is worth; spaces between are worth what a line gives, rounded down."""
    odd: int
    even: int
    high: int
    low: int
    marker: int
    threshold: int
    entry: int = 1
    """How many times the first space that a new runner gains counts in the choice."""
    foresees: bool = True
    """Whether the choice counts the difficulty of the columns that the runners end up in."""
    upper: int = 0
    """Added to the choice value of a column's middle space and of those above it."""
    prize: int = 0
    """Added to the choice value of a top."""
    spaces: bool = True
    """Whether the turn score counts the spaces gained, not only the columns entered."""
    tops: bool = False
    """Whether a runner on a top ends the turn."""
    race: bool = False
    """Whether, once another player has won a column, points no longer do."""

    def progress_values(self) -> dict[int, int]:
        """What a space gained is worth to the turn score, by column."""
        return mirrored(self.progress)

    def choice_values(self) -> dict[int, tuple[int, ...]]:
        """What each space is worth to the choice, by column, from the first space up."""
        slopes, intercepts = mirrored(self.slope), mirrored(self.intercept)
        return {
            column: tuple(
                slopes[column] * step // (OFFICIAL.top(column) - 1)
                + intercepts[column]
                + self.upper * (2 * step + 2 > OFFICIAL.top(column))
                + self.prize * (step + 1 == OFFICIAL.top(column))
                for step in range(OFFICIAL.top(column))
            )
            for column in OFFICIAL.columns
        }


NO_SLOPE = (0,) * 6

RULE_OF_28 = Weights(
    progress=(6, 5, 4, 3, 2, 1),
    intercept=(1, 2, 3, 4, 5, 6),
    slope=NO_SLOPE,
    odd=2,
    even=-2,
    high=4,
    low=4,
    marker=6,
    threshold=28,
)

GLENN_ALOI_CONSTANT = Weights(
    progress=(7, 7, 3, 2, 2, 1),
    intercept=(7, 0, 2, 0, 4, 3),
    slope=NO_SLOPE,
    odd=7,
    even=1,
    high=6,
    low=5,
    marker=6,
    threshold=29,
)

GLENN_ALOI_LINEAR = Weights(
    progress=(7, 6, 4, 3, 2, 1),
    intercept=(7, 1, 2, 1, 3, 4),
    slope=(64, 24, 28, 8, 18, 12),
    odd=1,
    even=0,
    high=-4,
    low=-4,
    marker=4,
    threshold=24,
)

GLENN_LINEAR = Weights(
    progress=(15, 13, 8, 8, 4, 3),
    intercept=(15, 0, 3, 0, 7, 5),
    slope=(72, 48, 56, 44, 28, 32),
    odd=11,
    even=-1,
    high=4,
    low=4,
    marker=12,
    threshold=61,
)

SIMPLE = Weights(
    progress=(3, 3, 1, 1, 0, 0),
    intercept=(3, 0, 2, 0, 3, 2),
    slope=NO_SLOPE,
    odd=0,
    even=0,
    high=0,
    low=0,
    marker=3,
    threshold=4,
    upper=3,
    prize=99,
    spaces=False,
    tops=True,
    race=True,
)


@dataclass(frozen=True)
class HeuristicBot(Bot):
    """Scores its turn and stops at a threshold."""

    name: str
    weights: Weights

    def check(self, rules: Rules) -> None:
        """Refuse other boards: the weights were found for the official one."""
        if rules.board != OFFICIAL:
            raise InvalidRules(
                "The bot “{name}” plays on the official board only: its weights were made for it.",
                name=self.name,
            )

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The move with the highest score; splits are listed with the most balanced one last."""
        self.check(position.rules)
        return max(reversed(position.legal_moves), key=lambda move: self._score(position, move))

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Whether stopping wins, rolling is of no use, or the turn has brought enough."""
        self.check(position.rules)
        if wins_now(position) or (self.weights.tops and topped(position)):
            return True
        if position.free_runners and entrances(position):
            return False
        return self._has_enough(position) or not could_move(position)

    def _has_enough(self, position: Position) -> bool:
        counts = position.tokens.counts
        if self.weights.race and any(counts[: position.seat] + counts[position.seat + 1 :]):
            return False
        return self.turn_score(position) >= self.weights.threshold

    def turn_score(self, position: Position) -> int:
        """What the turn has brought so far, in points."""
        out = columns_out(position)
        tokens = position.tokens.spaces[position.seat]
        score = sum(
            self._progress[column]
            * (self.weights.spaces * (position.runners[column] - tokens[column]) + 1)
            for column in out
        )
        return score if position.free_runners else score + self._difficulty(out)

    @lazy
    def _progress(self) -> dict[int, int]:
        return self.weights.progress_values()

    @lazy
    def _choice(self) -> dict[int, tuple[int, ...]]:
        return self.weights.choice_values()

    def _score(self, position: Position, move: Move) -> int:
        after = position.move(move)
        before, out = columns_out(position), columns_out(after)
        score = 0
        for column in set(move):
            values, below = self._choice[column], standing(position, column)
            score += sum(values[below : after.runners[column]])
            if not position.runners[column]:
                score += (self.weights.entry - 1) * values[below]
        score -= self.weights.marker * (len(out) - len(before))
        if after.free_runners or not self.weights.foresees:
            return score
        return score - self._difficulty(out)

    def _difficulty(self, columns: Iterable[int]) -> int:
        weights, total = self.weights, 0
        if all(column % 2 == 0 for column in columns):
            total += weights.even
        elif all(column % 2 for column in columns):
            total += weights.odd
        if all(column <= MIDDLE for column in columns):
            total += weights.low
        elif all(column >= MIDDLE for column in columns):
            total += weights.high
        return total


def columns_out(position: Position) -> list[int]:
    """The columns with a runner."""
    return [column for column in position.rules.board.columns if position.runners[column]]


def standing(position: Position, column: int) -> int:
    """The space of the player's runner in a column, or else of their token."""
    return position.runners[column] or position.tokens.spaces[position.seat][column]


def entrances(position: Position) -> list[int]:
    """The open columns without a runner."""
    return [column for column in position.tokens.open_columns if not position.runners[column]]


def could_move(position: Position) -> bool:
    """Whether any roll at all could be of use."""
    board = position.rules.board
    return bool(position.free_runners and entrances(position)) or any(
        position.runners[column] < board.top(column) for column in columns_out(position)
    )


def wins_now(position: Position) -> bool:
    """Whether stopping here would give the player the columns that win (W4)."""
    won = position.tokens.counts[position.seat] + topped(position)
    return won >= position.rules.columns_to_win


def topped(position: Position) -> int:
    """How many runners are on a top."""
    board = position.rules.board
    return sum(position.runners[column] == board.top(column) for column in columns_out(position))
