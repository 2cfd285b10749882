"""Another game with the same people: seats move up by one, so that the start rotates."""

from collections.abc import Mapping
from dataclasses import replace

from cantstop.dice import commitment, new_secret
from cantstop.server.errors import Refused
from cantstop.server.tables.events import Happened, Reserved
from cantstop.server.tables.opening import Opening, bot_seated, starting
from cantstop.server.tables.secrets import new_table_id
from cantstop.server.tables.table import Seat, Stage, Table


def rematch_of(table: Table, holders: Mapping[int, str]) -> Opening:
    """The table for the next game, held by the same secrets.

    People sit down themselves, with a salt that they choose after the commitment; bots at once.
    """
    if table.stage is not Stage.OVER:
        raise Refused("There can be a rematch once the game is over.")
    if table.opened.lesson is not None:
        raise Refused("A lesson has no rematch; open it again.")
    seats = (*table.seats[1:], table.seats[0])
    dice_secret = new_secret()
    opened = replace(
        table.opened,
        commitment=commitment(dice_secret),
        reserved=tuple(_reserved(seat) if seat.bot is None else None for seat in seats),
    )
    bots = [
        None if seat.bot is None else bot_seated(seat.bot, _reserved(seat).colour) for seat in seats
    ]
    happened = (
        Happened(None, opened),
        *(Happened(place, bot) for place, bot in enumerate(bots) if bot is not None),
        *starting(None if bot is None else bot.salt for bot in bots),
    )
    held = {(seat - 1) % len(seats): secret for seat, secret in holders.items()}
    return Opening(new_table_id(), happened, held, dice_secret)


def _reserved(seat: Seat) -> Reserved:
    assert seat.name is not None
    assert seat.colour is not None
    return Reserved(seat.name, seat.colour)
