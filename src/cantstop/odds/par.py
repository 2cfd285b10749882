"""The par of a solo game: how many turns best play needs, as far as that is known."""

from dataclasses import replace

from cantstop.rules import Position, Rules, Sharing, Start

PAR = 6.71531
"""The turns that best play of the official game needs on average (``docs/solved.md``)."""

_SOLVED = Rules(players=1)


def is_official_solo(rules: Rules) -> bool:
    """Whether a game is the solved one; who starts and how spaces are shared matters to nobody."""
    return replace(rules, start=Start.FIRST_SEAT, sharing=Sharing.FREE) == _SOLVED


def par(start: Position) -> float | None:
    """The turns that best play needs on average; known for the official game from its beginning.

    >>> par(Position.initial(Rules(players=1)))
    6.71531
    """
    solved = is_official_solo(start.rules) and start == Position.initial(start.rules)
    return PAR if solved else None
