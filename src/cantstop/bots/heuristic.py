"""The score-and-threshold players; ``weights`` says what they do and with which numbers."""

from collections.abc import Iterable
from dataclasses import dataclass

from cantstop.bots.bot import Bot
from cantstop.bots.weights import MIDDLE, Weights
from cantstop.rules import OFFICIAL, InvalidRules, Move, Position, Rules
from cantstop.rules.lazy import lazy


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
        if wins_now(position):
            return True
        if position.free_runners and entrances(position):
            return False
        return self.turn_score(position) >= self.weights.threshold or not could_move(position)

    def turn_score(self, position: Position) -> int:
        """What the turn has brought so far, in points."""
        out = columns_out(position)
        tokens = position.tokens.spaces[position.seat]
        score = sum(
            self._progress[column] * (position.runners[column] - tokens[column] + 1)
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
    board = position.rules.board
    tops = sum(position.runners[column] == board.top(column) for column in columns_out(position))
    return position.tokens.counts[position.seat] + tops >= position.rules.columns_to_win
