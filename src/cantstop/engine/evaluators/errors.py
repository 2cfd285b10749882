"""How far an evaluator's win chances are from the truth, as measured for a game and its stage."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cantstop.rules import Position, Rules, Start

POINTS = 100
"""Measurements are written in points: this is their number in a win."""

ALL = "all"
"""Stands for all stages of a game together."""


class Stage(StrEnum):
    """How far a game has come."""

    OPENING = "opening"
    """Nobody has won a column."""
    MIDDLE = "middle"
    END = "end"
    """A seat needs one more column."""


def stage_of(position: Position) -> Stage:
    """The stage of the game that a position belongs to, as of the start of the turn."""
    counts = position.tokens.counts
    if position.rules.columns_to_win - 1 in counts:
        return Stage.END
    return Stage.MIDDLE if any(counts) else Stage.OPENING


@dataclass(frozen=True)
class EstimateError:
    """The measured error of turn-solved values, in the unit of these values.

    ``rms`` is its root mean square; 99 of 100 values are ``within_99`` of the truth.
    """

    rms: float
    within_99: float


EXACT = EstimateError(0.0, 0.0)


@dataclass(frozen=True)
class ErrorTable:
    """The measured errors of an evaluator: for a game, the error by its stage, and over all."""

    figures: Mapping[Rules, Mapping[str, EstimateError]]

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> "ErrorTable":
        """Read ``{rules: {stage or "all": {"rms": points, "within_99": points}}}``.

        More keys beside these two do not matter. Raises ``ValueError``, ``KeyError``, ``TypeError``
        or ``AttributeError`` where it is not that.
        """
        return cls(
            {
                Rules.parse(rules): {
                    stage: EstimateError(
                        float(found["rms"]) / POINTS, float(found["within_99"]) / POINTS
                    )
                    for stage, found in stages.items()
                }
                for rules, stages in given.items()
            }
        )

    def of(self, position: Position) -> EstimateError | None:
        """The error in a position of a game, or None if it was not measured."""
        game = self.figures.get(replace(position.rules, start=Start.FIRST_SEAT), {})
        return game.get(stage_of(position)) or game.get(ALL)
