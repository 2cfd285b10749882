"""A new table as the options of a command ask for it; what they leave open is asked or usual."""

import sys
from dataclasses import dataclass
from enum import StrEnum

import typer

from cantstop.dice import SecureDice, SeededDice
from cantstop.rules import InvalidText
from cantstop.terminal import (
    FINE,
    INTERRUPTED,
    USUAL_PLAYERS,
    Seat,
    Table,
    TableDice,
    Talk,
    WantedRules,
    ask_seats,
    check_names,
    seal_dice,
    seat_number,
    usual_seats,
)


class DiceKind(StrEnum):
    """Dice that nobody can foresee, or ones that everybody can check after the game."""

    SECURE = "secure"
    SEALED = "sealed"


@dataclass(frozen=True)
class Wanted:
    """A new table, as the options ask for it."""

    rules: WantedRules
    seats: tuple[Seat, ...]
    players: int | None
    youngest: str | None
    dice: DiceKind | None
    seed: int | None

    def __post_init__(self) -> None:
        if self.seed is not None and self.dice is not None:
            raise InvalidText("Dice come from --seed or from --dice, not from both.")


def set_up(talk: Talk, wanted: Wanted, *, ask: bool) -> Table:
    """A new table; whoever leaves while it is set up has nothing to save.

    ``ask`` is whether to ask who plays, at a terminal.
    """
    try:
        return _new_table(talk, wanted, ask=ask)
    except (EOFError, KeyboardInterrupt) as end:
        talk.write("")
        raise typer.Exit(FINE if isinstance(end, EOFError) else INTERRUPTED) from None


def _new_table(talk: Talk, wanted: Wanted, *, ask: bool) -> Table:
    seats = _seats(talk, wanted, ask=ask)
    rules = wanted.rules.rules(len(seats))
    first = 0 if wanted.youngest is None else seat_number(wanted.youngest, seats)
    dice = _dice(talk, wanted, seats, rules.board.sides)
    return Table.new(rules, seats, dice, wanted.rules.edition, first)


def _seats(talk: Talk, wanted: Wanted, *, ask: bool) -> tuple[Seat, ...]:
    named = (wanted.rules.players, wanted.players, len(wanted.seats) or None)
    counts = sorted({players for players in named if players is not None})
    if len(counts) > 1:
        raise InvalidText(
            "How many play? The options say both {one} and {other}.", one=counts[0], other=counts[1]
        )
    if wanted.seats:
        check_names(wanted.seats)
        return wanted.seats
    players = counts[0] if counts else None
    if players is not None:
        wanted.rules.rules(players)  # what is wrong with the rules is said before any question
    if ask and sys.stdin is not None and sys.stdin.isatty():
        return ask_seats(talk, players)
    return usual_seats(talk.words, USUAL_PLAYERS if players is None else players)


def _dice(talk: Talk, wanted: Wanted, seats: tuple[Seat, ...], sides: int) -> TableDice:
    if wanted.seed is not None:
        return SeededDice(wanted.seed, sides)
    if wanted.dice is DiceKind.SEALED:
        return seal_dice(talk, seats, sides)
    return SecureDice(sides)
