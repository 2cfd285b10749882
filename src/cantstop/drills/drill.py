"""A drill: a position with one good answer, what every answer is worth, and how hard it is."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from hashlib import sha256

from cantstop.rules import Action, Choice, Phase, Position, Rules, Sharing, Start


class Topic(StrEnum):
    """What a drill is about; the first that fits, from the bottom of this list."""

    MOVE = "move"
    """Which move."""
    STOP = "stop"
    """Stop or roll again."""
    OPENING = "opening"
    """The player's first turn, while nobody has won a column."""
    END = "end"
    """A player needs one more column."""
    VARIANT = "variant"
    """A game with V1, V2, V3 or V4."""


def topic_of(position: Position) -> Topic:
    """What a drill from this position is about.

    >>> topic_of(Position.parse("v1,players=2 -/7:3 1 - 1236")).value
    'opening'
    """
    rules, tokens = position.rules, position.tokens
    if is_variant(rules):
        return Topic.VARIANT
    if rules.columns_to_win - 1 in tokens.counts:
        return Topic.END
    if not any(tokens.counts) and not any(tokens.spaces[position.seat]):
        return Topic.OPENING
    return Topic.MOVE if position.phase is Phase.MOVE else Topic.STOP


def is_variant(rules: Rules) -> bool:
    """Whether a game is played with any of V1 to V4."""
    plain = replace(rules, columns_to_win=Rules().columns_to_win, early=False, sharing=Sharing.FREE)
    return plain != rules


def drill_id(text: str) -> str:
    """The name of a drill: it stays the same in later files that have this position."""
    return sha256(text.encode()).hexdigest()[:ID_LENGTH]


ID_LENGTH = 10


@dataclass(frozen=True)
class DrillOption:
    """An answer, and what it is worth to the player if they go on at their best.

    That is the chance to win; alone it is minus the number of turns that follow. After a move,
    ``then`` is the better of stopping and rolling again.
    """

    answer: Action
    worth: float
    then: Choice | None = None


@dataclass(frozen=True, repr=False)
class Drill:
    """A position to think about, as its file has it.

    ``worths`` are the answers' in the order of ``position.legal_moves``, or of stop and roll;
    ``thens`` what to do after each move.
    """

    text: str
    topic: Topic
    difficulty: int
    """A rating: who has it answers right half of the time."""
    worths: tuple[float, ...]
    thens: tuple[Choice, ...] = ()

    def __repr__(self) -> str:
        return f"<Drill {self.id} {self.text}>"

    def rows(self) -> list[dict[str, str | float | None]]:
        """A row for each answer, as pandas and spreadsheets take them."""
        best = self.best.worth
        return [
            {
                "drill": self.id,
                "position": self.text,
                "topic": self.topic.value,
                "difficulty": self.difficulty,
                "answer": str(option.answer),
                "worth": option.worth,
                "then": None if option.then is None else str(option.then),
                "lost": best - option.worth,
            }
            for option in self.options
        ]

    @cached_property
    def id(self) -> str:
        """Its name."""
        return drill_id(self.text)

    @property
    def position(self) -> Position:
        """The position."""
        return _position(self.text)

    @property
    def rules(self) -> Rules:
        """The rules of the game, whoever began it."""
        return replace(self.position.rules, start=Start.FIRST_SEAT)

    @property
    def is_solo(self) -> bool:
        """Whether worths are turns."""
        return self.position.rules.players == 1

    @property
    def options(self) -> tuple[DrillOption, ...]:
        """Every answer, as a player finds them: moves as the rules list them, stop before roll."""
        answers = answers_in(self.position)
        thens = self.thens or (None,) * len(answers)
        return tuple(map(DrillOption, answers, self.worths, thens))

    @property
    def best(self) -> DrillOption:
        """The good answer."""
        return max(self.options, key=lambda option: option.worth)

    @property
    def margin(self) -> float:
        """How much worse the second-best answer is."""
        first, second, *_ = sorted(self.worths, reverse=True)
        return first - second

    def lost_by(self, answer: Action) -> float:
        """What an answer gives away; ``ValueError`` if there is no such answer here."""
        for option in self.options:
            if option.answer == answer:
                return self.best.worth - option.worth
        raise ValueError(answer)


@lru_cache(maxsize=256)  # a server has thousands of drills, and is asked about each for a moment
def _position(text: str) -> Position:
    return Position.parse(text)


def answers_in(position: Position) -> tuple[Action, ...]:
    """Everything that can be done in a position: its legal moves, or stopping and rolling."""
    if position.phase is Phase.MOVE:
        return tuple(position.legal_moves)
    return (Choice.STOP, Choice.ROLL) if position.may_stop else (Choice.ROLL,)
