"""What people are advised about Can't Stop, as players: bots, rulebooks, and rules of thumb."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from statistics import mean, stdev
from typing import Any

from cantstop.bots import Bot, bot_named
from cantstop.engine import Turn, solve_turn
from cantstop.rules import Move, Position

from .games import Advice, Alone, Champion, play_with_advice


@dataclass(frozen=True)
class Played(Champion):
    """A bot's moves, stops or both; the rest is best play."""

    name: str
    moves: bool = True
    stops: bool = True

    @cached_property
    def bot(self) -> Bot:
        """The bot."""
        return bot_named(self.name)

    def choose(self, turn: Turn, position: Position, moves: int) -> Move:
        """The bot's move, or the best one."""
        if self.moves:
            return self.bot.choose(position, moves)
        return super().choose(turn, position, moves)

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:
        """The bot's stop, or the best one."""
        if self.stops:
            return self.bot.stop(position, moves)
        return super().stop(turn, position, moves)


class StopAtTops(Champion):
    """Whoever has reached a top stops: mostly right, says a rulebook."""

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:
        """At a top always."""
        board = position.rules.board
        reached = any(position.runners[column] == board.top(column) for column in board.columns)
        return reached or super().stop(turn, position, moves)


class MiddleColumns(Champion):
    """6, 7 and 8 come most often, says another: the move whose columns are likeliest."""

    def choose(self, turn: Turn, position: Position, moves: int) -> Move:  # noqa: ARG002
        """As many ways to roll its columns with two dice as possible; best play among equals."""
        values = turn.move_values(position)
        return max(values, key=lambda move: (sum(6 - abs(7 - c) for c in move), values[move]))


class StopWithThree(Champion):
    """Stops as soon as all three runners are out."""

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:  # noqa: ARG002
        """With no runner in hand."""
        return position.free_runners == 0


class PlayAlone:
    """Does not look at the other: fewest turns of its own, with the columns that are open."""

    def __init__(self) -> None:
        self._solved: tuple[Turn, Turn] | None = None

    def _turn(self, turn: Turn, position: Position) -> Turn:
        if self._solved is None or self._solved[0] is not turn:
            self._solved = turn, solve_turn(position, Alone())
        return self._solved[1]

    def choose(self, turn: Turn, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The best move for a player alone."""
        return self._turn(turn, position).best_move(position)

    def stop(self, turn: Turn, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Whether who is alone would stop."""
        return self._turn(turn, position).should_stop(position)


ADVICE: dict[str, Advice] = {
    "best play": Champion(),
    "stop at every top": StopAtTops(),
    "do not look at the other": PlayAlone(),
    "likeliest columns": MiddleColumns(),
    "the guide's card (simple)": Played("simple"),
    "the card, its stops only": Played("simple", moves=False),
    "the card, its moves only": Played("simple", stops=False),
    "glenn-linear": Played("glenn-linear"),
    "Rule of 28": Played("rule-of-28"),
    "Rule of 28, its stops only": Played("rule-of-28", moves=False),
    "Rule of 28, its moves only": Played("rule-of-28", stops=False),
    "stop after five moves (bold)": Played("bold"),
    "stop with three runners out": StopWithThree(),
}


def advice_figures(name: str, games: int, seed: int) -> dict[str, Any]:
    """What an advice loses, in points; intervals are 95 %."""
    tally = play_with_advice(ADVICE[name], games, seed)
    lost = [sum(both) for both in zip(tally.by_moves, tally.by_stops, strict=True)]

    def interval(numbers: list[float]) -> float:
        pairs = [(one + two) / 2 for one, two in zip(numbers[::2], numbers[1::2], strict=True)]
        return 196 * stdev(pairs) / sqrt(len(pairs))  # both seats in each pair

    return {
        "advice": name,
        "games": games,
        "seed": seed,
        "lost_a_game": 100 * mean(lost),
        "interval": interval(lost),
        "by_moves": 100 * mean(tally.by_moves),
        "by_stops": 100 * mean(tally.by_stops),
        "lost_a_decision": 100 * sum(lost) / tally.decisions,
        "wins": 100 * mean(tally.scores),
        "wins_interval": interval(tally.scores),
        "counted": 100 * tally.wins / games,
        "turns": tally.turns / games,
        "busts": 100 * tally.busts / tally.turns,
    }
