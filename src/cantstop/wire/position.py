"""A position as JSON: the board, and what may be done on it. Standard library alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from cantstop.odds import rolls_of, usable_chance
from cantstop.rules import NOBODY, Dice, Ending, Phase, Position, splits
from cantstop.table.permissions import take_back_seat
from cantstop.table.table import Table

_FIRST_COLUMN = 2

Columns = tuple[int, ...]
"""One number for each column, from column 2 on."""

StopReason = Literal["first-move", "dice", "shared"]
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class MoveOffer:
    """A legal move."""

    move: str
    """What an action names: ``6+8``, ``7+7`` or ``2``."""
    runners: Columns
    """The runners as they would be after it."""


@dataclass(frozen=True, slots=True)
class RollOffView:
    """The throws for the start."""

    contenders: tuple[int, ...]
    sums: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """How the game ended."""

    winners: tuple[int, ...]
    ending: Ending


@dataclass(frozen=True, slots=True)
class PositionView:
    """The board and what may be done on it."""

    position: str
    """The position as one line of text: docs/notation.md."""
    seat: int
    """Whose turn it is."""
    phase: Phase
    lengths: Columns
    tokens: tuple[Columns, ...]
    """For each seat, the space of its token in each column; 0 where it has none."""
    runners: Columns
    """The space of the runner in each column; 0 where there is none."""
    owners: tuple[int | None, ...]
    """Who has won each column."""
    won: tuple[int, ...]
    """How many columns each seat has won."""
    dice: tuple[int, ...] | None
    """The dice on the table, as they fell."""
    splits: tuple[tuple[int, int], ...]
    moves: tuple[MoveOffer, ...]
    may_stop: bool
    stop_reason: StopReason | None
    """Why stopping is not possible."""
    shared: tuple[int, ...]
    """The columns that forbid stopping (V3)."""
    bust_chance: tuple[int, int] | None
    """How many of all rolls bust, and the number of all rolls; at a table only with help."""
    roll_off: RollOffView | None
    outcome: OutcomeView | None


@dataclass(frozen=True, slots=True)
class View(PositionView):
    """A table's position, and what only a table knows about it."""

    turn: int
    rolls: int
    """How many rolls the game has had."""
    take_back: int | None
    """The seat that may take back its last decision, or ask the others for it."""


def position_view(position: Position) -> PositionView:
    """A position for programs."""
    return _view(PositionView, position, position.dice, _bust_chance(position))


def table_view(table: Table) -> View:
    """The position of a table, with its dice as they were thrown."""
    chance = _bust_chance(table.position) if table.opened.help else None
    own = table.turn, table.rolls, take_back_seat(table)
    return _view(View, table.position, table.thrown, chance, *own)


def _view(
    kind: Callable[..., Kind],
    position: Position,
    dice: Dice | None,
    bust_chance: tuple[int, int] | None,
    *own: int | None,
) -> Kind:
    """A view with its own fields behind those of ``PositionView``; every roll makes one."""
    tokens = position.tokens
    is_shared = position.phase is Phase.CHOICE and not position.may_stop  # V3
    roll_off, outcome = position.roll_off, position.outcome
    return kind(
        str(position),
        position.seat,
        position.phase,
        position.rules.board.lengths,
        tuple(map(_columns, tokens.spaces)),
        _columns(position.runners),
        tuple(None if owner == NOBODY else owner for owner in _columns(tokens.owners)),
        tokens.counts,
        dice,
        () if position.dice is None else splits(position.dice),
        tuple(
            MoveOffer(str(move), _columns(position.move(move).runners))
            for move in position.legal_moves
        ),
        position.may_stop,
        "shared" if is_shared else _STOP_REASONS.get(position.phase),
        tuple(position.shared_runners) if is_shared else (),
        bust_chance,
        None if roll_off is None else RollOffView(roll_off.contenders, roll_off.sums),
        None if outcome is None else OutcomeView(outcome.winners, outcome.ending),
        *own,
    )


_STOP_REASONS: dict[Phase, StopReason] = {
    Phase.START: "first-move",
    Phase.ROLL: "first-move",
    Phase.MOVE: "dice",
    Phase.BUST: "dice",
}


def _columns(values: Sequence[int]) -> Columns:
    """Values by column number, without the unused entries 0 and 1."""
    return tuple(values[_FIRST_COLUMN:])


def _bust_chance(position: Position) -> tuple[int, int] | None:
    """How many of all rolls bust, where one may follow."""
    if position.phase not in (Phase.ROLL, Phase.CHOICE):
        return None
    rolls = rolls_of(position.rules.board)
    return int((1 - usable_chance(position)) * rolls), rolls
