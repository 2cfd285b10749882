"""A finished game as ratings see it: who sat where, how it ended, and what its review found."""

from dataclasses import dataclass
from enum import Enum, auto

from cantstop.bots import LADDER


@dataclass(frozen=True, slots=True)
class Member:
    """A player who is rated."""

    id: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A player whose rating is fixed: a level of the ladder."""

    rating: float


def ladder_anchor(name: str) -> Anchor | None:
    """The level of the ladder with this name; None for any other bot.

    >>> ladder_anchor("champion")
    Anchor(rating=2000.0)
    >>> ladder_anchor("careful") is None
    True
    """
    ratings = (float(level.rating) for level in LADDER if level.name == name)
    return next(map(Anchor, ratings), None)


class Fate(Enum):
    """How the game ended for a seat."""

    WON = auto()
    """Alone or with others."""
    LOST = auto()
    LEFT = auto()
    """From some moment on another played for it: whoever leaves has lost."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a finished game."""

    player: Member | Anchor
    fate: Fate


@dataclass(frozen=True, slots=True)
class Leaving:
    """The moment at which the first seat left."""

    seat: int
    chances: tuple[float, ...]
    """Everybody's chance to win then."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What the review of a game found: until the end, or until the first seat left."""

    starts: tuple[float, ...]
    """Everybody's chance to win before the first roll."""
    luck: tuple[float, ...]
    leaving: Leaving | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game that counts.

    Raises:
        ValueError: If such a game is impossible.
    """

    seats: tuple[Seat, ...]
    findings: Findings | None
    """None: it has not been reviewed, and counts for Results only."""

    def __post_init__(self) -> None:
        members = self.members
        fates = [seat.fate for seat in self.seats]
        if not 2 <= len(self.seats) <= 4:
            raise ValueError("A rated game has two to four seats.")
        if not members or len(set(members)) != len(members):
            raise ValueError("A rated game has a member, and nobody twice.")
        if Fate.WON not in fates and Fate.LEFT not in fates:
            raise ValueError("A game without a winner has not ended.")
        if all(fate is Fate.LEFT for fate in fates):
            raise ValueError("Whoever stays last does not leave.")
        if self.findings is not None:
            _check_findings(self.findings, fates)

    @property
    def members(self) -> list[Member]:
        """Those at the table who are rated."""
        return [seat.player for seat in self.seats if isinstance(seat.player, Member)]

    @property
    def counts_for_results(self) -> bool:
        """Whether people only have played it."""
        return len(self.members) == len(self.seats)


def _check_findings(findings: Findings, fates: list[Fate]) -> None:
    leaving = findings.leaving
    if len(findings.starts) != len(fates) or len(findings.luck) != len(fates):
        raise ValueError("A review has a start and luck for every seat.")
    if (leaving is not None) != (Fate.LEFT in fates):
        raise ValueError("A review ends where the first seat left, and nowhere else.")
    if leaving is not None and (
        len(leaving.chances) != len(fates) or fates[leaving.seat] is not Fate.LEFT
    ):
        raise ValueError("The seat that left first has left.")
