"""The record of a table: the file that a player keeps and that anybody can check."""

from cantstop.dice import (
    DailyDice,
    DaySeal,
    EnteredDice,
    GradualDice,
    GradualSeal,
    SealedDice,
    SecureDice,
)
from cantstop.record import Record, RecordedDice
from cantstop.server.errors import Refused
from cantstop.server.tables.dice import seal_of
from cantstop.table.table import Stage, Table


def record_of(table: Table, day_key: bytes | None = None) -> Record:
    """Everything up to now; the dice's secret is in it once the game is over.

    ``day_key`` is that of a daily game's day, once it is revealed.
    """
    if table.stage is Stage.OPEN or not table.has_started:
        raise Refused("The game has not begun: seats are still free.")
    return Record(
        table.start,
        tuple(seat.name or "" for seat in table.seats),
        table.game_events,
        table.opened.edition,
        table.log[0].at.date().isoformat(),
        _dice_of(table, day_key),
        table.ended,
        tuple(number for number, seat in enumerate(table.seats) if seat.hinted),
        tuple(number for number, seat in enumerate(table.seats) if seat.resigned),
    )


def _dice_of(table: Table, day_key: bytes | None) -> RecordedDice | None:
    if table.opened.entered:
        return EnteredDice(table.rules.board.sides)
    if table.opened.commitment is None and table.opened.lesson is None:
        return SecureDice(table.rules.board.sides)
    seal = seal_of(table)
    if isinstance(seal, DaySeal):
        return seal if day_key is None else DailyDice(seal, day_key)
    if seal is None or table.secret is None:
        return seal
    secret, sides = bytes.fromhex(table.secret), table.rules.board.sides
    if isinstance(seal, GradualSeal):
        return GradualDice(seal, secret, sides)
    return SealedDice(seal, secret, sides)
