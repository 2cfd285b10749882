"""What every picture tells about the seats: who, in which colour, with what, and whose turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from cantstop.draw.marks import SEAT_MARKS, Mark
from cantstop.draw.names import clean, width
from cantstop.rules import CantStopError, Phase, Position


@dataclass(frozen=True)
class SeatShown:
    """One seat, ready to be drawn."""

    seat: int
    mark: Mark
    name: str
    won: tuple[int, ...]
    on_turn: bool
    winner: bool
    thrown: int | None
    """The sum thrown for the start: 0 is still to come, None outside the roll-off."""


def seats_shown(position: Position, names: Sequence[str] | None) -> tuple[SeatShown, ...]:
    """The seats in their order; one that has no name is called by its number, from 1."""
    outcome, roll_off = position.outcome, position.roll_off
    throws = zip_longest(roll_off.contenders, roll_off.sums, fillvalue=0) if roll_off else ()
    thrown = dict(throws)
    return tuple(
        SeatShown(
            seat,
            SEAT_MARKS[seat],
            name,
            position.tokens.won_by(seat),
            on_turn=position.phase is not Phase.OVER and seat == position.seat,
            winner=outcome is not None and seat in outcome.winners,
            thrown=thrown.get(seat),
        )
        for seat, name in enumerate(_clean_names(names, position.rules.players))
    )


def _clean_names(names: Sequence[str] | None, players: int) -> tuple[str, ...]:
    given = ("",) * players if names is None else names
    if len(given) != players:
        raise CantStopError(
            "There are {names} names for {players} seats.", names=len(given), players=players
        )
    cleaned = map(clean, given)
    return tuple(name if width(name) else str(seat) for seat, name in enumerate(cleaned, 1))
