"""Hints and analyses as JSON: the same for the server, ``--json``, clients and browsers.

Standard library alone; the engine, which takes a moment to load, is only named here.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cantstop.rules import Choice, Phase, Position, parse_action

if TYPE_CHECKING:
    from cantstop.engine import Analysis, Hint, Option, RollWorth


@dataclass(frozen=True, slots=True)
class EstimateErrorView:
    """How far such estimates are from the truth, as measured."""

    rms: float
    p99: float


@dataclass(frozen=True, slots=True)
class OptionView:
    """Something that can be done."""

    move: str
    """A move such as ``6+8``, ``stop`` or ``roll``."""
    win: float
    """What it is worth to the seat that decides."""
    then: Choice | None
    """After a move, what to do next."""


@dataclass(frozen=True, slots=True)
class RollView:
    """What one roll would bring."""

    dice: tuple[int, ...]
    """Sorted: their order changes nothing."""
    ways: int
    """How many of all rolls show these dice."""
    bust: bool
    win: float
    best: str | None
    """The best move; ``null`` where it is a bust."""
    then: Choice | None


@dataclass(frozen=True, slots=True)
class HintView:
    """What can be done in a position, and what each option is worth."""

    position: str
    """The position as text: docs/notation.md."""
    rules: str
    solo: bool
    """Whether worths are win chances, or minus the expected number of turns."""
    seat: int
    phase: Phase
    win: tuple[float, ...]
    """What the position is worth to every seat under best play."""
    bust: float
    """The chance that this turn ends in a bust under best play."""
    next_bust: float | None
    """The chance that the next roll is a bust; ``null`` where none is possible now."""
    error: EstimateErrorView | None
    """``null`` where it was not measured."""
    at_stake: dict[str, int]
    """Steps gained in this turn so far, by column."""
    options: tuple[OptionView, ...]
    """The best first."""


@dataclass(frozen=True, slots=True)
class HintAnswer(HintView):
    """What the seat that is to decide at a table can do."""

    n: int
    """The table's last event when it was looked at."""


@dataclass(frozen=True, slots=True)
class HintPosition:
    """The position of a table that a client works out a hint for itself."""

    n: int
    """The table's last event when it was looked at."""
    position: str


@dataclass(frozen=True, slots=True)
class AnalysisAnswer(HintView):
    """A position looked at."""

    rolls: tuple[RollView, ...] | None
    """All rolls that differ in more than their order, where a roll is possible."""


def option_view(option: "Option") -> OptionView:
    """An option for programs."""
    return OptionView(str(option.action), option.worth, option.then)


def hint_view(found: "Hint") -> HintView:
    """A hint for programs."""
    position, error = found.position, found.error
    return HintView(
        position=str(position),
        rules=str(position.rules),
        solo=position.rules.players == 1,
        seat=position.seat,
        phase=position.phase,
        win=found.worths,
        bust=found.bust,
        next_bust=found.next_bust,
        error=None if error is None else EstimateErrorView(error.rms, error.within_99),
        at_stake={str(column): steps for column, steps in found.at_stake.items()},
        options=tuple(map(option_view, found.options)),
    )


def analysis_view(found: "Analysis") -> AnalysisAnswer:
    """An analysis for programs: a hint, and the roll map."""
    hint = hint_view(found)
    return AnalysisAnswer(
        *(getattr(hint, name) for name in HintView.__slots__),  # type: ignore[misc]
        rolls=None if found.rolls is None else tuple(map(_roll_view, found.rolls)),
    )


def _roll_view(roll: "RollWorth") -> RollView:
    best = None if roll.best is None else str(roll.best)
    return RollView(roll.dice, roll.ways, roll.is_bust, roll.worth, best, roll.then)


def hint_from(view: HintView) -> "Hint":
    """The hint that a server has sent.

    Raises:
        CantStopError: If its position or one of its options cannot be read.
    """
    from cantstop.engine import EstimateError, Hint, Option

    error = view.error
    return Hint(
        Position.parse(view.position),
        view.win,
        tuple(Option(parse_action(one.move), one.win, one.then) for one in view.options),
        view.bust,
        view.next_bust,
        None if error is None else EstimateError(error.rms, error.p99),
    )
