"""What commands print for programs, besides positions, hints, reviews and offers.

Standard library alone.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsReport:
    """``cantstop odds``: how many rolls can be used with these runners."""

    runners: tuple[int, ...]
    closed: tuple[int, ...]
    topped: tuple[int, ...]
    usable: int
    of: int
    """The number of all rolls."""
    columns: dict[str, int]
    """How many rolls show each column."""
    survival: tuple[float, ...]
    """The chance to get through one roll, two and so on."""


@dataclass(frozen=True, slots=True)
class TripleOdds:
    """``cantstop odds --table``: three runners, and how many rolls they can use."""

    runners: tuple[int, ...]
    usable: int
    of: int


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """``cantstop verify``: what holds of a record."""

    rules: str
    turns: int
    rolls: int
    dice_checked: bool
    dice_entered: bool
    scheme: int | None
    """How the salts came about: docs/dice.md."""
    protected: tuple[int, ...]
    """The seats against which nobody could steer the dice."""
    protected_from: tuple[int, ...]
    """The roll from which on that holds for each of them: 1, unless it is a game over days."""
    unsalted_turns: tuple[int, ...]
    """In a game over days, for each seat: how many of its turns began without its salt, because it
    had not revealed it."""
    lost: tuple[int, ...]
    """The seats that have lost their salt, and played without it."""
    redraws: int
    day: str | None
    """The day of a daily game."""
    cut_off: bool
    """Whether the record ends in the middle of something."""
    winners: tuple[int, ...] | None
    resigned: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SolutionReport:
    """``cantstop solve``: a whole game solved."""

    rules: str
    device: str
    value: float
    """The first player's win chance; alone, the expected number of turns."""
    anchors: int
    boards: int
    seconds: float


@dataclass(frozen=True, slots=True)
class TableReport:
    """``cantstop tables``: a table of a server's database."""

    id: str
    stage: str
    players: tuple[str, ...]
    events: int
    opened: str
    touched: str
    ended: str | None


@dataclass(frozen=True, slots=True)
class ClosedReport:
    """``cantstop tables close``."""

    closed: str


@dataclass(frozen=True, slots=True)
class DeletedReport:
    """``cantstop tables delete`` and ``clean``: a table, or how many."""

    deleted: str | int


@dataclass(frozen=True, slots=True)
class ResultReport:
    """``cantstop results``: a result of the daily game."""

    table: str
    day: str
    name: str
    turns: int | None
    finished: str


@dataclass(frozen=True, slots=True)
class ResultsReport:
    """``cantstop results``: those of a day."""

    day: str
    results: tuple[ResultReport, ...]


@dataclass(frozen=True, slots=True)
class RemovedReport:
    """``cantstop results remove``."""

    removed: ResultReport


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """``cantstop players``: a player."""

    id: str
    name: str
    since: str
    games: int
    public: bool
    excluded: bool


@dataclass(frozen=True, slots=True)
class ReportedPlayer:
    """``cantstop players reports``: what a player has reported of another one."""

    at: str
    player: str
    name: str
    reason: str
    table: str
    seat: int
    event: int


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """``cantstop players log``: what an operator has done about a player."""

    at: str
    what: str
    player: str


@dataclass(frozen=True, slots=True)
class PlayerActReport:
    """``cantstop players``: something was done about a player."""

    what: str
    name: str
    new: str | None


@dataclass(frozen=True, slots=True)
class RatingsReport:
    """``cantstop ratings recompute``."""

    games: int
    """Those that count."""
    players: int
    ratings: int
    """How many there were or are."""
    differ: int
    """How many of them are new, gone or other ones."""
