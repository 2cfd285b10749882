"""Figures with their units, right for 0, 1 and many: turns, rounds, points of win chance."""

from cantstop.language.translator import Translator


def turns_text(words: Translator, turns: float, places: int = 0) -> str:
    """A number of turns, as text.

    >>> turns_text(Translator(), 1), turns_text(Translator(), 6.7, 1)
    ('1 turn', '6.7 turns')
    """
    count, shown = _counted(words, turns, places)
    return words.say_count("{count} turn", "{count} turns", count, count=shown)


def points_text(words: Translator, change: float) -> str:
    """What a change of a win chance comes to, without a sign.

    >>> points_text(Translator(), 0.0412)
    '4.1 points of win chance'
    """
    count, shown = _counted(words, 100 * change, 1)
    return words.say_count(
        "{count} point of win chance", "{count} points of win chance", count, count=shown
    )


def _counted(words: Translator, value: float, places: int) -> tuple[int, str]:
    """The number whose grammatical form a figure takes, and the figure as it is shown."""
    if not places:
        return round(value), str(round(value))
    # in French everything below two is singular; elsewhere nothing with decimals is
    singular = words.language == "fr" and round(value, places) < 2
    return (1 if singular else 2), words.decimal(value, places)


_MINUTE = 60
_HOUR = 3600


def time_left_text(words: Translator, seconds: float) -> str:
    """How much time is left, where that is hours or days.

    What has lost less than a minute is still whole: a moment later three days are still three.

    >>> [time_left_text(Translator(), 3600 * hours) for hours in (0.5, 1, 50, 71.99)]
    ['less than an hour left', '1 hour left', '2 days left', '3 days left']
    """
    hours = int((seconds + _MINUTE) // _HOUR)
    if hours < 1:
        return words.say("less than an hour left")
    if hours < 48:
        return words.say_count("{count} hour left", "{count} hours left", hours)
    return words.say_count("{count} day left", "{count} days left", hours // 24)


def with_time_left(words: Translator, status: str, seconds: int) -> str:
    """A line about what is to be done, and how long that may take.

    >>> [with_time_left(Translator(), "Roll.", seconds) for seconds in (40, 200_000)]
    ['Roll. 40 s left.', 'Roll. 2 days left.']
    """
    if seconds < _HOUR:
        return words.say("{status} {seconds} s left.", status=status, seconds=seconds)
    left = time_left_text(words, seconds)
    return words.say("{status} {time}.", status=status, time=left)


def round_of(turn: int, players: int) -> int:
    """The round that a turn belongs to: one turn of everybody.

    >>> [round_of(turn, 2) for turn in (1, 2, 3)]
    [1, 1, 2]
    """
    return (turn + players - 1) // players


def signed(words: Translator, value: float, places: int = 1) -> str:
    """A change with its sign: plus is good; what rounds to nothing has none.

    >>> [signed(Translator(), value) for value in (-0.94, 0.01, 0.4)]
    ['−0.9', '0.0', '+0.4']
    """
    size = round(abs(value), places)
    sign = "" if size == 0 else "+" if value > 0 else "−"
    return sign + words.decimal(size, places)


def uncertain(words: Translator, value: float, uncertainty: float, places: int = 1) -> str:
    """A change with its sign and how far it may be off, unless the latter rounds to nothing.

    >>> uncertain(Translator(), 30.34, 1.2), uncertain(Translator(), -0.94, 0.04)
    ('+30.3 ± 1.2', '−0.9')
    """
    change = signed(words, value, places)
    if not round(uncertainty, places):
        return change
    return f"{change} ± {words.decimal(uncertainty, places)}"
