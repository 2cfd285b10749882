"""Opening a table: from what was asked for to its first events."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cantstop.bots import bot_named
from cantstop.dice import commitment, new_salt, new_secret
from cantstop.rules import Position, Rules, rules_for
from cantstop.server.errors import Malformed
from cantstop.server.protocol.requests import (
    COLOURS,
    BotSeat,
    HumanSeat,
    OpenLesson,
    OpenSeat,
    OpenTable,
)
from cantstop.server.tables.events import Happened, Mode, Opened, Reserved, Seated, Started
from cantstop.server.tables.lessons import SCRIPTS, TEACHER
from cantstop.server.tables.names import clean_name
from cantstop.server.tables.secrets import hashed, new_seat_secret, new_table_id

CUSTOM = "custom"


@dataclass(frozen=True)
class Opening:
    """A table about to be: its first events, and what nobody else is told."""

    id: str
    happened: tuple[Happened, ...]
    holders: dict[int, str]
    """The hash of the secret that holds each seat."""
    dice_secret: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Invitation:
    """An opening, and the secret that its opener keeps; None where no seat is a person's."""

    opening: Opening
    secret: str | None = field(repr=False)


def open_table(request: OpenTable) -> Invitation:
    """A table as it was asked for."""
    _check_seats(request)
    rules = _rules(request)
    colours = iter(
        free_colours(seat.colour for seat in request.seats if not isinstance(seat, OpenSeat))
    )
    places = [
        None if isinstance(seat, OpenSeat) else _place(seat, next(colours))
        for seat in request.seats
    ]
    dice_secret = new_secret()
    opened = Opened(
        request.mode,
        request.edition.lower(),
        str(rules),
        request.help,
        request.youngest,
        None,
        commitment(dice_secret),
        tuple(place if isinstance(place, Reserved) else None for place in places),
    )
    seated = [
        Happened(seat, place) for seat, place in enumerate(places) if isinstance(place, Seated)
    ]
    people = [seat for seat, asked in enumerate(request.seats) if isinstance(asked, HumanSeat)]
    return _invitation(opened, seated, people, dice_secret)


def _place(seat: HumanSeat | BotSeat, colour: int) -> Seated | Reserved:
    match seat:
        case BotSeat(bot=bot):
            return bot_seated(bot, colour)
        case HumanSeat(name=name, salt=str(salt)):
            return Seated(clean_name(name), colour, None, salt)
        case HumanSeat(name=name):
            return Reserved(clean_name(name), colour)


def open_lesson(request: OpenLesson) -> Invitation:
    """A tutorial table: one person against a bot, with prepared dice."""
    mine, others = free_colours([request.colour, None])
    opened = Opened(
        Mode.HOTSEAT,
        CUSTOM,
        str(SCRIPTS[request.lesson].rules),
        help=True,
        youngest=0,
        lesson=request.lesson,
        commitment=None,
        reserved=(None, None),
    )
    seated = [
        Happened(0, Seated(clean_name(request.name), mine, None, new_salt())),
        Happened(1, bot_seated(TEACHER, others)),
    ]
    return _invitation(opened, seated, [0], None)


def bot_seated(bot: str, colour: int) -> Seated:
    """A bot sits down; one that nobody knows is refused."""
    name = bot_named(bot).name
    return Seated(name, colour, name, new_salt())


def starting(salts: Iterable[str | None]) -> list[Happened]:
    """The start of the game, if the last seat has its salt now."""
    given = tuple(salts)
    found = tuple(salt for salt in given if salt is not None)
    return [Happened(None, Started(found))] if len(found) == len(given) else []


def free_colours(wanted: Iterable[int | None]) -> list[int]:
    """A colour for every seat: the wanted one if nobody before has it, else a free one.

    >>> free_colours([2, None, 2])
    [2, 0, 1]
    """
    asked = list(wanted)
    firsts = {colour: seat for seat, colour in reversed(list(enumerate(asked)))}
    others = (colour for colour in range(COLOURS) if colour not in firsts)
    return [
        colour if colour is not None and firsts[colour] == seat else next(others)
        for seat, colour in enumerate(asked)
    ]


def _invitation(
    opened: Opened, seated: list[Happened], people: list[int], dice_secret: bytes | None
) -> Invitation:
    salts: list[str | None] = [None] * len(opened.reserved)
    for one in seated:
        assert isinstance(one.event, Seated)
        assert one.seat is not None
        salts[one.seat] = one.event.salt
    secret = new_seat_secret() if people else None
    holders = {} if secret is None else dict.fromkeys(people, hashed(secret))
    happened = (Happened(None, opened), *seated, *starting(salts))
    return Invitation(Opening(new_table_id(), happened, holders, dice_secret), secret)


def _check_seats(request: OpenTable) -> None:
    kinds = [seat.kind for seat in request.seats]
    if request.players not in (None, len(kinds)):
        raise Malformed("{count} seats do not fit the number of players.", count=len(kinds))
    if request.mode is Mode.SOLO and len(kinds) != 1:
        raise Malformed("A solo game has one seat.")
    if request.mode is not Mode.SOLO and len(kinds) == 1:
        raise Malformed("A game for one is a solo game.")
    if request.mode is not Mode.ONLINE and "open" in kinds:
        raise Malformed("Only an online table can have open seats.")


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
