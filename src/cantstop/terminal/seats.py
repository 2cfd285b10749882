"""Who sits where: people by their names, bots as ``bot:careful``, on screen and in records."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cantstop.bots import Bot, bot_named
from cantstop.record.record import check_text
from cantstop.rules import InvalidText

BOT_PREFIX = "bot:"


@dataclass(frozen=True)
class Seat:
    """A place for one player: a person, or a bot."""

    name: str
    bot: Bot | None = None

    def __str__(self) -> str:
        """The seat as records and the command line write it."""
        return self.name if self.bot is None else f"{BOT_PREFIX}{self.bot.name}"


def seat_named(text: str) -> Seat:
    """The seat of a person called like this, or of a bot: ``Anne``, ``bot:careful:3``."""
    name = text.strip()
    check_text(name)
    if not name.lower().startswith(BOT_PREFIX):
        return Seat(name)
    bot = bot_named(name[len(BOT_PREFIX) :])
    return Seat(bot.name, bot)


def shown_names(seats: Sequence[Seat]) -> tuple[str, ...]:
    """The names on screen: a bot that shares its name with somebody gets its seat's number."""
    times = Counter(seat.name for seat in seats)
    return tuple(
        f"{seat.name} {number}" if seat.bot is not None and times[seat.name] > 1 else seat.name
        for number, seat in enumerate(seats, 1)
    )


def check_names(seats: Sequence[Seat]) -> None:
    """People who play in one terminal are told apart by their names alone."""
    people = Counter(seat.name for seat in seats if seat.bot is None)
    for name, times in people.items():
        if times > 1:
            raise InvalidText("Two players cannot both be called “{name}”.", name=name)
