"""Drills as JSON: a position to decide, and what an answer was worth."""

from dataclasses import dataclass

from cantstop.drills import Drill, DrillOption, DrillProgress, Topic
from cantstop.wire.insight import OptionView


@dataclass(frozen=True, slots=True)
class NextDrillAnswer:
    """A position with one good answer."""

    id: str
    topic: Topic
    difficulty: int
    """A rating: a player who has it answers half of these correctly."""
    position: str
    """The position as text: docs/notation.md."""
    solo: bool
    """Whether worths will be win chances, or minus the expected number of turns."""
    answers: tuple[str, ...]
    """What can be answered: moves such as ``6+8``, or ``stop`` and ``roll``."""


@dataclass(frozen=True, slots=True)
class VerdictAnswer:
    """What an answer was worth, and why; sentences are in the reader's language."""

    right: bool
    verdict: str
    """One sentence."""
    options: tuple[OptionView, ...]
    """The best first."""
    reasons: tuple[str, ...]
    """Sentences: the chance of a bust, what is at stake, what rules of thumb would say."""
    progress: DrillProgress
    """With this answer: to be kept."""


def drill_view(drill: Drill) -> NextDrillAnswer:
    """A drill, without what its answers are worth."""
    return NextDrillAnswer(
        drill.id,
        drill.topic,
        drill.difficulty,
        drill.text,
        drill.is_solo,
        tuple(str(option.answer) for option in drill.options),
    )


def ranked_options(drill: Drill) -> tuple[OptionView, ...]:
    """What every answer is worth, the best first."""
    ranked = sorted(drill.options, key=lambda option: -option.worth)
    return tuple(map(_option, ranked))


def _option(option: DrillOption) -> OptionView:
    return OptionView(str(option.answer), option.worth, option.then)
