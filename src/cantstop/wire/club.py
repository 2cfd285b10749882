"""The club as JSON: players, who is here, what was played, and how strong everybody is.

A player is known by keys that devices make themselves; nothing here holds one.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from cantstop.wire.calls import CallsExport
from cantstop.wire.daily import DailyTry
from cantstop.wire.hours import KnownHours
from cantstop.wire.types import Request, SeatNumber, Secret, Time, Wire

MARKS = 24
"""How many marks a player can choose from; what they look like is up to clients."""

Mark = Annotated[int, Meta(ge=0, lt=MARKS)]
PlayerId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{12}$(?!\n)")]
DeviceId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{12}$(?!\n)")]
Code = Annotated[str, Meta(max_length=32)]
"""A code as a person types it: case, spaces and hyphens do not matter."""
Words = Annotated[str, Meta(max_length=200)]
PasskeyId = Annotated[str, Meta(pattern=r"^[0-9A-Za-z]{12}$(?!\n)")]
Credential = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,1364}$(?!\n)")]
"""What an authenticator calls a passkey: up to 1,023 bytes in base64url, without padding."""
Bytes = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,2048}$(?!\n)")]
"""Bytes in base64url, without padding."""


# Ratings


class RatingKind(StrEnum):
    """What a rating is made of; the two are never blended."""

    RESULTS = "results"
    """Who won."""
    PLAY = "play"
    """The same, less the luck of the dice."""


class TableSize(StrEnum):
    """For how many players a rating is."""

    TWO = "two"
    MORE = "more"
    """Three or four."""


class RatingView(Wire, frozen=True):
    """A rating as it is shown: never without its interval."""

    kind: RatingKind
    size: TableSize
    value: float
    low: float
    high: float
    """The 95 % interval."""
    games: int
    """How many games it is from."""
    replaces: float
    """How many games by counting wins would say as much."""
    opponents: int
    """How many different opponents it is from."""


# Players


class PlayerView(Wire, frozen=True):
    """A player, as everybody sees them."""

    id: PlayerId
    name: str
    mark: Mark
    ratings: tuple[RatingView, ...]
    """None where the player keeps their games private, or has too few."""


class DeviceView(Wire, frozen=True):
    """A device that has a key of a player."""

    id: DeviceId
    name: str
    """What its player calls it."""
    added_at: Time
    seen_at: Time
    """When it was used last, to the day."""
    this: bool
    """Whether it is the one that asks."""


class PasskeyView(Wire, frozen=True):
    """A passkey of a player."""

    id: PasskeyId
    name: str
    """What the device that has made it is called."""
    added_at: Time
    used_at: Time
    """When it was used last, to the day."""


class Me(Wire, frozen=True, kw_only=True):
    """A player, as they see themselves."""

    id: PlayerId
    name: str
    mark: Mark
    public: bool
    """Whether everybody may see their games."""
    since: Time
    devices: tuple[DeviceView, ...]
    words: bool
    """Whether there are recovery words."""
    excluded: bool
    """Whether the operator has excluded them from lobby and ratings."""
    ratings: tuple[RatingView, ...]
    passkeys: tuple[PasskeyView, ...] = ()


class PasskeyChallenge(Wire, frozen=True):
    """What a passkey signs, to show that it is there now."""

    challenge: Bytes
    known: tuple[Credential, ...]
    """The passkeys that the player of the key has already."""


class LinkCode(Wire, frozen=True):
    """A code that adds a second device."""

    code: str
    expires_at: Time


class RecoveryWords(Wire, frozen=True):
    """Words that bring a player back; they are shown once, and no server can tell them again."""

    words: str


class ClaimedDays(Wire, frozen=True):
    """Daily games that a device has played, and that are its player's now."""

    days: int


class ClubView(Wire, frozen=True):
    """What a server has of the club."""

    lobby: bool
    """Whether players find each other here."""


class SeatPlayer(Wire, frozen=True):
    """A seat of a table, and the player who has it."""

    seat: SeatNumber
    player: PlayerView
    muted: bool
    """Whether whoever asks has muted them."""


class TablePlayers(Wire, frozen=True):
    """The players at a table; a person without a profile is not among them."""

    players: tuple[SeatPlayer, ...]


class NewPlayer(Request, frozen=True):
    """A player with the key of the request, which nobody has yet."""

    name: str
    """1 to 24 printable characters, that look like no other player's."""
    mark: Mark = 0
    device: str = ""
    """What the device is called."""


class ChangeMe(Request, frozen=True):
    """What a player changes; what is left out stays."""

    name: str | UnsetType = UNSET
    mark: Mark | UnsetType = UNSET
    public: bool | UnsetType = UNSET


class AddDevice(Request, frozen=True):
    """A new device's own key is in the request; the code is from one that the player has."""

    code: Code
    device: str = ""


class Restore(Request, frozen=True):
    """A new device's own key is in the request; the words are the player's."""

    words: Words
    device: str = ""


class NewPasskey(Request, frozen=True):
    """A passkey as a browser has made it, in the words of WebAuthn."""

    credential: Credential
    client_data: Bytes
    """`clientDataJSON`."""
    authenticator_data: Bytes
    public_key: Bytes
    """`getPublicKey()`: its SubjectPublicKeyInfo."""
    device: str = ""


class UsePasskey(Request, frozen=True):
    """A new device's own key is in the request, and in it the passkey's challenge was asked for."""

    credential: Credential
    client_data: Bytes
    authenticator_data: Bytes
    signature: Bytes
    device: str = ""


class ClaimDays(Request, frozen=True):
    """The token that a device was known by in daily games."""

    device: Secret


# The lobby


class LobbyTable(Wire, frozen=True, kw_only=True):
    """A table that is open for everybody."""

    id: str
    rules: str
    edition: str
    size: Annotated[int, Meta(ge=2, le=4)]
    free: Annotated[int, Meta(ge=0, le=4)]
    """How many seats are still free."""
    clock: int | None
    """Seconds for a decision."""
    days: int | UnsetType = UNSET
    """Days for a turn, at a slow table; else left out."""
    rated: bool
    opened_at: Time
    names: tuple[str, ...]
    """Who sits there; players and whoever has no profile."""
    players: tuple[PlayerView, ...]


class LobbyGame(Wire, frozen=True, kw_only=True):
    """A game to watch."""

    id: str
    n: int
    """The number of its last event, for the picture of its board."""
    turn: int
    names: tuple[str, ...]
    columns: tuple[int, ...]
    """How many columns each of them has won."""
    win: int
    """How many are needed."""
    rated: bool
    watching: int


class LobbyView(Wire, frozen=True):
    """Who is here, and what can be played or watched."""

    here: tuple[PlayerView, ...]
    """Those who were here a moment ago: at most 50 of them."""
    count: int
    """How many there are."""
    seeking: int
    """How many of them look for others."""
    tables: tuple[LobbyTable, ...]
    games: tuple[LobbyGame, ...]
    """The best of those that are being played, the best first."""


class SeekPlayers(Request, frozen=True):
    """A player looks for others; to be sent again every three seconds, else it is over."""

    secret: Secret
    """What is to hold the seat: at least 128 random bits, new for each search."""
    players: Annotated[int, Meta(ge=2, le=4)] = 2
    edition: Annotated[str, Meta(max_length=32)] = "classic"
    """Those who look for the same edition, number of players and kind are seated together."""
    rated: bool = True


class BotSuggestion(Wire, frozen=True):
    """A bot of one's own level, where nobody has come: it is one, and is called one."""

    bot: str
    level: int


class SeekView(Wire, frozen=True):
    """How a search goes on."""

    since: Time
    waiting: int
    """How many look for the same, with whoever asks."""
    offer: BotSuggestion | None
    """A bot to play instead; a person who comes first still takes its seat."""
    table: str | None
    """The table, once there is one: the secret of the search holds the seat."""
    seat: SeatNumber | None


# History


class SeatResult(Wire, frozen=True, kw_only=True):
    """A seat of a finished game."""

    seat: SeatNumber
    player: PlayerId | None
    """A player who lets others see their games; ``null`` for bots and all others."""
    name: str
    """Empty for "a player": one without a profile, or who was erased."""
    bot: str | None
    won: bool
    luck: float | None
    """Points of a win, or turns of a solo game; ``null`` until it was found out."""
    skill: float | None


class WhyNot(StrEnum):
    """Why a game counts for no rating."""

    UNRATED = "unrated"
    """It was opened for fun."""
    CUSTOM = "custom"
    """Its rules are nobody's but the table's."""
    SHORT = "short"
    CLOSED = "closed"
    """It was ended before anybody had won."""
    STRANGER = "stranger"
    """A person at the table had no profile."""


class GameSummary(Wire, frozen=True, kw_only=True):
    """A finished game of a player."""

    table: str
    finished_at: Time
    edition: str
    rules: str
    seat: SeatNumber
    """The player's own."""
    turns: int
    rated: bool
    counts: bool
    """Whether it counts for a rating."""
    why_not: WhyNot | None
    """If not, why."""
    left: bool
    """Whether the player left it."""
    reviewed: bool
    seats: tuple[SeatResult, ...]


class GamesPage(Wire, frozen=True):
    """Games of a player, the last one first."""

    games: tuple[GameSummary, ...]
    next: str | None
    """What to give as ``before`` for those before them."""


class Tally(Wire, frozen=True):
    """Games of one kind, and how many of them were won."""

    games: int
    won: int


class RulesTally(Wire, frozen=True):
    """The same by edition and number of players."""

    edition: str
    size: int
    games: int
    won: int


class OpponentTally(Wire, frozen=True):
    """The same against one opponent."""

    player: PlayerId | None
    name: str
    bot: str | None
    games: int
    won: int
    """By the player whose profile it is."""


class Span(Wire, frozen=True):
    """Luck and skill of a month."""

    month: str
    games: int
    luck: float
    skill: float
    """Means of a game, in points of a win."""


class ErrorTally(Wire, frozen=True):
    """Decisions of one kind, and what they gave away."""

    question: str
    """``stop or roll`` or ``which move``."""
    decisions: int
    error: float
    """In points of a win, of all together."""


class CostlyDecision(Wire, frozen=True):
    """A decision that cost much: a drill of one's own."""

    table: str
    n: int
    """The number of the table's event."""
    position: str
    question: str
    chosen: str
    best: str
    error: float


class PlayerExport(Wire, frozen=True, kw_only=True):
    """Everything that a server knows about a player."""

    player: Me
    games: tuple[GameSummary, ...]
    costly: tuple[CostlyDecision, ...]
    days: tuple[DailyTry, ...]
    tables: tuple[str, ...]
    """The tables that there still are, with the events of their games at ``/api/tables/ID``."""
    courtesies: tuple["CourtesyView", ...]
    hours: KnownHours
    calls: CallsExport


class Profile(Wire, frozen=True, kw_only=True):
    """What a player has done, over their last 1,000 games."""

    player: PlayerView
    mine: bool
    """Whether it is that of whoever asks."""
    public: bool
    since: Time
    total: Tally
    by_rules: tuple[RulesTally, ...]
    opponents: tuple[OpponentTally, ...]
    """The most frequent ones."""
    streak: int
    """Games won in a row up to now; negative: lost."""
    best_streak: int
    months: tuple[Span, ...]
    errors: tuple[ErrorTally, ...]
    grades: dict[str, int]
    """How many inaccuracies, mistakes and blunders."""
    costly: tuple[CostlyDecision, ...]
    """Only for the player."""
    days: int
    """How many daily games were finished."""


class ProfileWithGames(Wire, frozen=True):
    """``cantstop me --json``."""

    profile: Profile
    games: tuple[GameSummary, ...]


class Leader(Wire, frozen=True):
    """A place on the leaderboard."""

    place: int
    player: PlayerView
    rating: RatingView


class Leaderboard(Wire, frozen=True, kw_only=True):
    """The strongest players whose rating is sure enough."""

    kind: RatingKind
    size: TableSize
    leaders: tuple[Leader, ...]
    widest: float
    """The widest interval that is ranked, from low to high."""
    opponents: int
    """The fewest households, other than their own, whose players or which bots they have met."""


# Courtesy


class Courtesy(StrEnum):
    """What a player does about another one."""

    MUTE = "mute"
    """Shows none of their reactions."""
    BLOCK = "block"
    """The lobby never pairs them, nor seats them together."""


class CourtesyView(Wire, frozen=True):
    """A player who was muted or blocked."""

    player: PlayerView
    kind: Courtesy
    since: Time


class CourtesyList(Wire, frozen=True):
    """Everybody whom a player has muted or blocked."""

    players: tuple[CourtesyView, ...]


class SetCourtesy(Request, frozen=True):
    """What is to be done about a player."""

    kind: Courtesy


class ReportReason(StrEnum):
    """Why a player is reported."""

    NAME = "name"
    STALLING = "stalling"
    CHEATING = "cheating"
    REACTIONS = "reactions"


class ReportPlayer(Request, frozen=True):
    """A player is reported to the operator, with the moment it is about."""

    seat: SeatNumber
    reason: ReportReason
    n: Annotated[int, Meta(ge=1)]
    """The number of an event."""
