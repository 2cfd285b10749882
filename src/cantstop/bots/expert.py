"""The strongest players: every turn solved exactly against an estimate of what follows it."""

from typing import TYPE_CHECKING

from cantstop.bots.bot import Bot
from cantstop.odds import is_official_solo
from cantstop.rules import Move, Position, Rules

if TYPE_CHECKING:
    from cantstop.engine import Evaluator, Turn


class ExpertBot(Bot):
    """Plays each turn as the turn solver says; without another evaluator, with the race model."""

    def __init__(self, name: str = "expert", evaluator: "Evaluator | None" = None) -> None:
        self.name = name
        self._evaluator = evaluator
        self._solved: Turn | None = None

    def check(self, rules: Rules) -> None:
        """Refuse boards that are too large for the turn solver."""
        from cantstop.engine import check_turn_size

        check_turn_size(rules.board)

    def choose(self, position: Position, moves: int) -> Move:  # noqa: ARG002
        """The move that is worth most."""
        legal = position.legal_moves
        return legal[0] if len(legal) == 1 else self.turn(position).best_move(position)

    def stop(self, position: Position, moves: int) -> bool:  # noqa: ARG002
        """Whether stopping is worth at least as much as rolling again."""
        return self.turn(position).should_stop(position)

    def turn(self, position: Position) -> "Turn":
        """What can still come of the turn, solved; once a turn is enough."""
        solved = self._solved
        if solved is None or not solved.has(position):
            solved = self._solved = self._solve(position)
        return solved

    def _solve(self, position: Position) -> "Turn":
        # it takes a moment to load, and whoever only lists the bots does without
        from cantstop.engine import solve_rest

        return solve_rest(position, self.evaluator(position.rules))

    def evaluator(self, rules: Rules) -> "Evaluator":
        """What it estimates the rest of a game by."""
        return self._evaluator or self._default_evaluator(rules)

    @property
    def has_own_evaluator(self) -> bool:
        """Whether it was given an evaluator, instead of the one that its kind plays with."""
        return self._evaluator is not None

    def _default_evaluator(self, rules: Rules) -> "Evaluator":
        """The race model; alone, the solved game."""
        from cantstop.engine import race_model, solo_model

        return solo_model() if is_official_solo(rules) else race_model()


class ChampionBot(ExpertBot):
    """The same with the best evaluator there is for a game."""

    def __init__(self, name: str = "champion") -> None:
        super().__init__(name)

    def _default_evaluator(self, rules: Rules) -> "Evaluator":
        from cantstop.engine import best_evaluator

        return best_evaluator(rules)
