"""People as the ladder models them: the turn solver's knowledge, seen through their weaknesses."""

from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING

from cantstop.bots.expert import ChampionBot
from cantstop.rules import Move, Position

if TYPE_CHECKING:
    from cantstop.kernel.records import Records


@dataclass(frozen=True)
class Judgement:
    """What a player gets wrong, as shares of the stake: the best option's worth above a bust's.

    Nobody here blunders by chance. An option seems better or worse than it is, and to the same
    person always in the same way in the same position, so what goes wrong are mostly close calls.
    Taste and temperament come on top: they lean the same way in every position.
    """

    person: int = 0
    """Tells apart people who misjudge different positions."""
    misjudgement: float = 0.0
    """The standard deviation of what an option seems to be worth."""
    boldness: float = 0.0
    """Added to rolling again: the greedy are above 0, the timid below."""
    habit: float = 0.0
    """How much the climb of the turn counts for stopping, whatever the odds and the race say."""
    enough: float = 0.0
    """The climb that is enough by habit, in columns: half of each of two is 1."""
    banking: float = 0.0
    """Taken from rolling again while a runner on a top can be made safe."""
    middle: float = 0.0
    """Liking for a step in the longest column; in the shortest it is a dislike as strong."""
    fresh: float = 0.0
    """Liking for a move that brings a new runner out; below 0 for keeping it in hand."""
    summit: float = 0.0
    """Liking for a step onto a top, less for lower spaces."""


@cache
def judgement_record(judgement: Judgement) -> "Records":
    """A judgement as compiled code reads it: an array of one record."""
    import numpy as np

    from cantstop.kernel.judgement import JUDGEMENT

    record = np.zeros(1, JUDGEMENT)
    for name, number in asdict(judgement).items():
        record[name] = number
    return record


class JudgingBot(ChampionBot):
    """Knows what the champion knows, and decides by a person's judgement of it."""

    def __init__(self, name: str, judgement: Judgement) -> None:
        super().__init__(name)
        self.judgement = judgement

    def choose(self, position: Position, moves: int) -> Move:
        """The move that seems best."""
        legal = position.legal_moves
        if len(legal) == 1:
            return legal[0]
        return legal[self.turn(position).judge(asdict(self.judgement), position, moves)]

    def stop(self, position: Position, moves: int) -> bool:
        """Whether stopping seems at least as good as rolling again."""
        return bool(self.turn(position).judge(asdict(self.judgement), position, moves))
