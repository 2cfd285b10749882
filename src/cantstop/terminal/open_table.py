"""A table on a server, opened from this terminal: our seat, bots, and seats for whoever comes."""

from collections.abc import Sequence
from typing import Literal

from cantstop.client import OPEN, SeatSecrets, TableLink, bot, human, open_table
from cantstop.language import Translator
from cantstop.rules import InvalidText, Rules
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.terminal.local_game import LocalSeat
from cantstop.terminal.new_game import (
    DEFAULT_PLAYERS,
    NewGameOptions,
    default_name,
    player_count,
    seat_number,
)
from cantstop.wire.offers import CUSTOM
from cantstop.wire.requests import SeatRequest

FREE = "open"
"""The seat of whoever comes, on the command line."""


def open_from(
    server: str,
    options: NewGameOptions,
    words: Translator,
    secrets: SeatSecrets,
    clock: int | None = None,
    days: int | None = None,
) -> TableLink:
    """Open a table as the options say, and keep the secret of our seat there."""
    seats = _seats(options, words)
    rules = options.rules.rules(len(seats))
    if rules.board != Rules().board:
        raise InvalidText("Tables on a server have the usual board and dice.")
    link = open_table(
        server,
        [_asked(seat, at) for at, seat in enumerate(seats)],
        language=words.language,
        edition=options.rules.edition or CUSTOM,
        win=rules.columns_to_win,
        early=rules.early,
        sharing=rules.sharing,
        start=rules.start if options.rules.edition is None else None,
        youngest=0 if options.youngest is None else seat_number(options.youngest, seats),
        clock=clock,
        days=_days(days),
    )
    if link.secret is not None:
        secrets.save(link, link.secret)
    return link


def _seats(options: NewGameOptions, words: Translator) -> Sequence[LocalSeat]:
    """The seats, ours first; those that nobody is named for are free."""
    named = list(options.seats) or [LocalSeat(default_name(words, 1))]
    if named[0].bot is not None or _is_free(named[0]):
        raise InvalidText("The first seat of a table that you open is yours: give it your name.")
    for seat in named[1:]:
        if seat.bot is None and not _is_free(seat):
            raise InvalidText(
                "“{name}” joins by the link: write --seat open for a free seat.",
                name=seat.name,
            )
    asked = (options.players, options.rules.players)
    players = player_count(*asked) or max(len(named), DEFAULT_PLAYERS)
    if not len(named) <= players <= MOST_PLAYERS:
        raise InvalidText(
            "How many play? The options say both {one} and {other}.", one=len(named), other=players
        )
    return [*named, *(LocalSeat(FREE) for _ in range(players - len(named)))]


def _is_free(seat: LocalSeat) -> bool:
    return seat.bot is None and seat.name.lower() == FREE


def _asked(seat: LocalSeat, at: int) -> SeatRequest:
    """A seat as the protocol asks for it."""
    if seat.bot is not None:
        return bot(seat.bot.name)
    return human(seat.name) if at == 0 else OPEN


def _days(days: int | None) -> Literal[1, 2, 3, 7] | None:
    """Days for a turn, of those that servers offer."""
    match days:
        case None | 1 | 2 | 3 | 7:
            return days
    raise InvalidText("A turn has 1, 2, 3 or 7 days.")
