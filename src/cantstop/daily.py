"""The daily game: when a day begins and counts, and its result as a text that spoils nothing.

Days are those of UTC, by the clock of whoever throws the dice: a server's, for all its players.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum

from cantstop.language import Translator, message, signed
from cantstop.odds import PAR
from cantstop.record.record import OFFICIAL_SOLO
from cantstop.rules import Busted, Event, Phase, Position, Stopped

GRACE = timedelta(hours=1)
"""How long after its day a game that was begun on it may be finished, and still counts."""

REVEAL_MARGIN = timedelta(minutes=5)
"""How much later the key is revealed: two workers' clocks need not agree to the second."""

ARCHIVE_DAYS = 30
"""How many past days can be played again, outside the ranking."""


def day_of(at: datetime) -> date:
    """The day at a moment.

    >>> day_of(datetime(2026, 11, 15, 23, 59, 59, tzinfo=UTC)).isoformat()
    '2026-11-15'
    """
    return at.astimezone(UTC).date()


def begins(day: date) -> datetime:
    """The first moment of a day: midnight UTC."""
    return datetime.combine(day, time(), UTC)


def ends(day: date) -> datetime:
    """The first moment after a day."""
    return begins(day + timedelta(days=1))


def counts_until(day: date) -> datetime:
    """Until when a game of that day has to be over to count."""
    return ends(day) + GRACE


def reveals_at(day: date) -> datetime:
    """When the key of a day is revealed: no game of it can count any more."""
    return counts_until(day) + REVEAL_MARGIN


class Sign(Enum):
    """How a turn ended: what is stored, what is shown, and the same in ASCII."""

    STOP = "s", "■", "-"
    BUST = "b", "□", "x"
    COLUMN = "c", "★", "*"

    def __init__(self, letter: str, picture: str, ascii_sign: str) -> None:
        self.letter = letter
        self.picture = picture
        self.ascii = ascii_sign


_BY_LETTER = {sign.letter: sign for sign in Sign}


@dataclass(frozen=True)
class DailyResult:
    """What the game of a day came to, as far as the rules know."""

    turns: int
    signs: tuple[Sign, ...]
    """One for each turn."""

    @property
    def letters(self) -> str:
        """The signs as they are stored."""
        return "".join(sign.letter for sign in self.signs)


def signs_of(letters: str) -> tuple[Sign, ...]:
    """The signs that were stored."""
    return tuple(_BY_LETTER[letter] for letter in letters)


def daily_result(events: Iterable[Event]) -> DailyResult | None:
    """What a whole game came to; None for one that is not over.

    >>> daily_result([]) is None
    True
    """
    position, signs = Position.initial(OFFICIAL_SOLO), []
    for event in events:
        before, position = position, position.after(event)
        match event:
            case Stopped():
                won = position.tokens.won_since(before.tokens)
                signs.append(Sign.COLUMN if won else Sign.STOP)
            case Busted():
                signs.append(Sign.BUST)
    return DailyResult(len(signs), tuple(signs)) if position.phase is Phase.OVER else None


# In words

_MONTHS = (
    *(message("Jan"), message("Feb"), message("Mar"), message("Apr"), message("May")),
    *(message("Jun"), message("Jul"), message("Aug"), message("Sept"), message("Oct")),
    *(message("Nov"), message("Dec")),
)


def day_text(words: Translator, day: date) -> str:
    """A day, in the form that all dates on screen have.

    >>> day_text(Translator(), date(2026, 11, 15))
    '15 Nov 2026'
    """
    month = words.say(_MONTHS[day.month - 1])
    return words.say("{day} {month} {year}", day=day.day, month=month, year=day.year)


def result_lines(
    words: Translator,
    day: date,
    result: DailyResult,
    grade: tuple[float, float] | None,
    *,
    ascii_only: bool = False,
) -> list[str]:
    """A result to post: nobody learns the dice from it. ``grade`` is luck and skill, if known.

    >>> result = DailyResult(1, (Sign.BUST,))
    >>> print(*result_lines(Translator(), date(2026, 11, 15), result, (0.4, -0.9)))
    Can't Stop 15 Nov 2026: 1 turn, par 6.7, luck +0.4, skill −0.9 □
    """
    turns = words.say_count("{count} turn", "{count} turns", result.turns)
    fields = {"day": day_text(words, day), "turns": turns, "par": words.decimal(PAR)}
    if grade is None:
        head = words.say("Can't Stop {day}: {turns}, par {par}", **fields)
    else:
        head = words.say(
            "Can't Stop {day}: {turns}, par {par}, luck {luck}, skill {skill}",
            **fields,
            luck=signed(words, grade[0]),
            skill=signed(words, grade[1]),
        )
    return [head, "".join(sign.ascii if ascii_only else sign.picture for sign in result.signs)]
