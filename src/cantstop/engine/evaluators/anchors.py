"""Many anchors at once: what evaluators are asked about."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cantstop.engine.evaluators.errors import EstimateError
from cantstop.rules import Position, Rules

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Anchors:
    """Anchors of one game that differ in the tokens only, none of them over.

    ``spaces[a, seat, c]`` is where the seat's token stands in the board's ``c``-th column, 0 where
    there is none; ``seat`` is the seat whose turn begins.
    """

    rules: Rules
    seat: int
    spaces: "NDArray[np.int8]"

    def __len__(self) -> int:
        return len(self.spaces)


class Evaluator(Protocol):
    """What anchors are worth to each seat: exact, or an estimate.

    Worth is the probability to win; in a solo game it is minus the expected number of turns.
    """

    def evaluate(self, anchors: Anchors) -> "NDArray[np.float64]":
        """The worth of every anchor to every seat, as an array of anchors by seats."""

    def error(self, position: Position) -> EstimateError | None:  # noqa: ARG002
        """How far the values of a turn solved with it are from the truth; None if not measured."""
        return None
