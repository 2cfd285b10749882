"""Opening a table: as it was asked for, for a lesson, or for a rematch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from cantstop.dice import commitment, new_salt, new_secret
from cantstop.rules import Position, Rules, Sharing, rules_for
from cantstop.server.errors import Malformed, Refused
from cantstop.server.tables.changes import NewTable, StoredTable
from cantstop.server.tables.clock import bank_of
from cantstop.server.tables.dice import LESSONS
from cantstop.server.tables.hints import may_have_hints
from cantstop.server.tables.names import clean_name, distinct_name
from cantstop.server.tables.seating import (
    bot_seated,
    free_colours,
    hashed,
    new_seat_secret,
    new_table_id,
    person_seated,
    start_if_full,
)
from cantstop.table.events import Entry, Finished, Mode, Opened, Reserved, Seated, Series
from cantstop.table.table import Seat, Stage, Table
from cantstop.wire.offers import CUSTOM
from cantstop.wire.requests import (
    BotSeat,
    DiceOrigin,
    HumanSeat,
    OpenLesson,
    OpenSeat,
    OpenTable,
)

TEACHER = "chick"
"""The bot that a learner sits down with: the one that their first game will be against."""

LOBBY_CLOCK, LOBBY_BANK, LOBBY_COLUMNS = 30, 120, 3
"""At tables that the lobby opens: seconds for a decision and for a game, and columns to win."""

TEACHING_STYLE = "careful"
"""How it plays in a lesson: at once, and the same with the same dice every time."""


@dataclass(frozen=True)
class Opening:
    """A new table, and the secret that its opener keeps; None where no seat is a person's."""

    new_table: NewTable
    secret: str | None = field(repr=False)


def open_table(request: OpenTable | OpenLesson, at: datetime) -> Opening:
    """A table as it was asked for, or for a lesson."""
    return _open_lesson(request, at) if isinstance(request, OpenLesson) else _open(request, at)


def _open(request: OpenTable, at: datetime) -> Opening:
    _check_seats(request)
    rules = _rules(request)
    colours = iter(
        free_colours(seat.colour for seat in request.seats if not isinstance(seat, OpenSeat))
    )
    names: list[str] = []
    places = [
        None if isinstance(seat, OpenSeat) else _place(seat, next(colours), names, request.dice)
        for seat in request.seats
    ]
    dice_secret = None if request.dice is DiceOrigin.ENTERED else new_secret()
    opened = Opened(
        request.mode,
        request.edition.lower(),
        str(rules),
        request.help,
        request.youngest,
        None,
        None if dice_secret is None else commitment(dice_secret),
        tuple(place if isinstance(place, Reserved) else None for place in places),
        may_have_hints(request),
        clock=request.clock,
        bank=bank_of(request),
        entered=request.dice is DiceOrigin.ENTERED,
        rated=request.rated,
        days=request.days,
        gradual=request.days is not None and dice_secret is not None,
    )
    seated = {seat: place for seat, place in enumerate(places) if isinstance(place, Seated)}
    people = [seat for seat, asked in enumerate(request.seats) if isinstance(asked, HumanSeat)]
    secret = new_seat_secret() if people else None
    holders = {} if secret is None else dict.fromkeys(people, hashed(secret))
    return Opening(_new_table(opened, seated, holders, dice_secret, at), secret)


def _place(
    seat: HumanSeat | BotSeat, colour: int, names: list[str], dice: DiceOrigin
) -> Seated | Reserved:
    """A seat's first event; ``names`` are those of the people before, and this one's after it."""
    if isinstance(seat, BotSeat):
        return bot_seated(seat.bot, colour)
    name = distinct_name(seat.name, names)
    names.append(name)
    if dice is DiceOrigin.ENTERED:
        return Seated(name, colour, None, None)
    if seat.salt is None and seat.salt_commitment is None:
        return Reserved(name, colour)
    return person_seated(name, colour, seat.salt, seat.salt_commitment)


def _open_lesson(request: OpenLesson, at: datetime) -> Opening:
    """One person against a bot, with prepared dice."""
    mine, others = free_colours([request.colour, None])
    opened = Opened(
        Mode.HOTSEAT,
        CUSTOM,
        str(LESSONS[request.lesson].rules),
        help=True,
        youngest=0,
        lesson=request.lesson,
        commitment=None,
        reserved=(None, None),
    )
    seated = {
        0: Seated(clean_name(request.name), mine, None, new_salt()),
        1: bot_seated(TEACHER, others),
    }
    secret = new_seat_secret()
    return Opening(_new_table(opened, seated, {0: hashed(secret)}, None, at), secret)


@dataclass(frozen=True)
class LobbyPlayer:
    """A player for whom the lobby opens a table."""

    id: str
    name: str
    secret_hash: str


def open_for_players(
    seats: Sequence[LobbyPlayer | str], edition: str, at: datetime, *, rated: bool
) -> NewTable:
    """A table that the lobby opens: for players, and bots by their names.

    The players sit down when they connect, and commit to their salts.
    """
    rules = rules_for(edition, len(seats), LOBBY_COLUMNS, early=False, sharing=Sharing.FREE)
    colours, dice_secret = free_colours([None] * len(seats)), new_secret()
    people = {seat: who for seat, who in enumerate(seats) if isinstance(who, LobbyPlayer)}
    bots = {seat: who for seat, who in enumerate(seats) if isinstance(who, str)}
    opened = Opened(
        Mode.ONLINE,
        edition,
        str(rules),
        help=False,
        youngest=0,
        lesson=None,
        commitment=commitment(dice_secret),
        reserved=tuple(
            Reserved(people[seat].name, colours[seat]) if seat in people else None
            for seat in range(len(seats))
        ),
        clock=LOBBY_CLOCK,
        bank=LOBBY_BANK,
        rated=rated,
    )
    seated = {seat: bot_seated(bot, colours[seat]) for seat, bot in bots.items()}
    holders = {seat: who.secret_hash for seat, who in people.items()}
    players = {seat: who.id for seat, who in people.items()}
    return replace(_new_table(opened, seated, holders, dice_secret, at), players=players)


def open_rematch(stored: StoredTable, at: datetime) -> NewTable:
    """The table for the next game: held by the same secrets, seats moved up by one.

    So the start rotates. People sit down themselves, and commit to new salts; bots sit at once.
    """
    table = stored.table
    if table.stage is not Stage.OVER:
        raise Refused("There can be a rematch once the game is over.")
    if table.opened.lesson is not None:
        raise Refused("A lesson has no rematch; open it again.")
    if table.opened.daily is not None:
        raise Refused("A daily game has no rematch: the next one begins at midnight UTC.")
    seats = (*table.seats[1:], table.seats[0])
    holders = {(seat - 1) % len(seats): kept for seat, kept in stored.holders.items()}
    if table.opened.entered:  # nobody has a salt to commit to: all sit down at once
        opened = replace(table.opened, series=_series_after(table))
        people = map(_reserved, seats)
        seated = {at: Seated(who.name, who.colour, None, None) for at, who in enumerate(people)}
        return _new_table(opened, seated, holders, None, at)
    dice_secret = new_secret()
    opened = replace(
        table.opened,
        commitment=commitment(dice_secret),
        reserved=tuple(_reserved(seat) if seat.bot is None else None for seat in seats),
        series=_series_after(table),
    )
    bots = {
        place: bot_seated(seat.bot, _reserved(seat).colour)
        for place, seat in enumerate(seats)
        if seat.bot is not None
    }
    return _new_table(opened, bots, holders, dice_secret, at)


def _series_after(table: Table) -> Series:
    """The score with the game of this table, for the seats of the next one.

    It is carried from table to table, so that it outlasts the first ones, which expire.
    """
    before = table.opened.series
    events = (entry.event for entry in reversed(table.log))
    winners = next(event.winners for event in events if isinstance(event, Finished))
    wins = [
        (0 if before is None else before.wins[seat]) + (seat in winners)
        for seat in range(len(table.seats))
    ]
    games = 1 if before is None else before.games + 1
    return Series(table.id, games, (*wins[1:], wins[0]))


def _reserved(seat: Seat) -> Reserved:
    assert seat.name is not None
    assert seat.colour is not None
    return Reserved(seat.name, seat.colour)


def _new_table(
    opened: Opened,
    seated: Mapping[int, Seated],
    holders: Mapping[int, str],
    dice_secret: bytes | None,
    at: datetime,
) -> NewTable:
    table = Table.opening(new_table_id(), Entry(1, at, None, opened))
    versions = [table]
    for seat, event in seated.items():
        table = table.append(event, seat, at)
        versions.append(table)
    return NewTable(start_if_full(versions, at), holders, dice_secret)


def _check_seats(request: OpenTable) -> None:
    count = len(request.seats)
    if request.players not in (None, count):
        raise Malformed("The number of players is not that of the seats, {count}.", count=count)
    if request.mode is Mode.SOLO and count != 1:
        raise Malformed("A solo game has one seat.")
    if request.mode is not Mode.SOLO and count == 1:
        raise Malformed("A game for one is a solo game.")
    is_open = any(isinstance(seat, OpenSeat) for seat in request.seats)
    if request.mode is not Mode.ONLINE and is_open:
        raise Malformed("Only an online table can have open seats.")
    if request.dice is DiceOrigin.ENTERED:
        _check_entered(request)
    _check_time(request)
    if request.rated and (request.mode is not Mode.ONLINE or request.hints):
        raise Malformed("A rated game is played online, and without hints.")
    if request.rated and sum(isinstance(seat, HumanSeat) for seat in request.seats) > 1:
        raise Malformed("At a rated game everybody sits at their own screen.")


def _check_time(request: OpenTable) -> None:
    clock, days = request.clock, request.days
    if request.mode is not Mode.ONLINE and clock is not None:
        raise Malformed("Only an online table can have a clock.")
    if request.mode is not Mode.ONLINE and days is not None:
        raise Malformed("Only an online table can have days for a turn.")
    if days is not None and all(isinstance(seat, BotSeat) for seat in request.seats):
        raise Malformed("Days for a turn are for people: a table of bots has none.")
    if clock is not None and days is not None:
        raise Malformed("A table has a clock for decisions or days for turns, not both.")
    if clock is None and days is None and request.bank is not None:
        raise Malformed("A bank of time needs a clock.")


def _check_entered(request: OpenTable) -> None:
    people = [seat for seat in request.seats if isinstance(seat, HumanSeat)]
    if request.mode is Mode.ONLINE or len(people) < len(request.seats):
        raise Malformed("If the players throw the dice, all are people at one screen.")
    if any(seat.salt is not None or seat.salt_commitment is not None for seat in people):
        raise Malformed("Dice that the players throw take no salts.")


def _rules(request: OpenTable) -> Rules:
    rules = rules_for(
        None if request.edition.lower() == CUSTOM else request.edition,
        len(request.seats),
        request.win,
        request.early,
        request.sharing,
        request.start,
    )
    Position.initial(rules, request.youngest)  # refuses a seat that cannot start
    return rules
