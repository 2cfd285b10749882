"""A table on a server, as a value: the fold of the events that the server sends."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Self

from cantstop.rules import (
    AnyDice,
    Busted,
    Event,
    IllegalAction,
    LegalMoves,
    Move,
    Moved,
    Outcome,
    Phase,
    Position,
    Rolled,
    Rules,
    Stopped,
    moves_after,
    read_dice,
)
from cantstop.untrusted import quoted

LONGEST_NAME = 60

_GAME_EVENTS = frozenset({"rolled", "moved", "stopped", "busted"})
KNOWN = _GAME_EVENTS | {
    "opened", "seated", "committed", "revealed", "redrawn", "started", "finished", "rematched",
    "substituted", "returned", "resigned", "asked", "agreed", "declined", "takenback", "reacted",
    "hinted",
}  # fmt: skip
"""The kinds of events that are known here; a server may be newer."""


@dataclass(frozen=True)
class RemoteSeat:
    """A seat of a table on a server."""

    name: str | None = None
    """None while the seat is free."""
    colour: int | None = None
    bot: str | None = None
    """The bot of the server's that has this seat."""
    substitute: str | None = None
    """The bot of the server's that plays for the absent owner."""
    resigned: bool = False

    def __post_init__(self) -> None:
        for field in ("name", "bot", "substitute"):  # a server may say anything
            given = getattr(self, field)
            if given is not None:
                object.__setattr__(self, field, quoted(given, LONGEST_NAME))


@dataclass(frozen=True)
class Clock:
    """The clock of a table, as the server told of it last."""

    seconds: int
    """For each decision."""
    seat: int | None
    """Whose time runs."""
    left: float | None
    """Seconds that were left for the decision then, the bank included."""
    banks: tuple[float, ...]
    """Seconds that each seat may still think longer."""

    @classmethod
    def from_message(cls, data: Mapping[str, Any]) -> Self:
        """The clock that a message of the protocol describes."""
        left = None if data["left"] is None else float(data["left"])
        seat = None if data["seat"] is None else int(data["seat"])
        return cls(int(data["seconds"]), seat, left, tuple(map(float, data["banks"])))


@dataclass(frozen=True)
class Series:
    """The games that a table is a rematch of."""

    games: int
    wins: tuple[int, ...]
    """How many of them each seat of this table has won."""

    @classmethod
    def from_message(cls, data: Mapping[str, Any], players: int) -> Self:
        """The series that a state of the protocol describes."""
        wins = tuple(map(int, data["wins"]))
        if len(wins) != players:
            raise ValueError("The score does not fit the seats.")
        return cls(int(data["games"]), wins)


@dataclass(frozen=True)
class Play:
    """An event of the game, its number among the table's events, and the position after it."""

    n: int
    event: Event
    position: Position


@dataclass(frozen=True)
class RemoteTable:
    """A table on a server: its game and its seats after event ``n``."""

    id: str
    n: int
    edition: str
    seats: tuple[RemoteSeat, ...]
    mine: frozenset[int]
    """The seats that are ours; none for a watcher."""
    start: Position
    plays: tuple[Play, ...] = ()
    started: bool = False
    """Whether all seats have been taken, so that the game is on or over."""
    ended: str | None = None
    """Why the game ended before its end by the rules, if it did: ``turns`` after too many turns,
    ``closed`` by the operator of the server, ``resigned`` because all others did."""
    winners: tuple[int, ...] = ()
    """Who has won, once the game is over."""
    asked: tuple[int, int] | None = None
    """The event that asks for a take-back, and the seat that asks; until it is answered."""
    last_play: int = 0
    """The last event that changed the position: a play, or one that was taken back."""
    next: str | None = None
    """The table of the rematch, once there is one."""
    series: Series | None = None
    """What was played before, where this is a rematch."""
    turns_before: int = 0
    """How many turns had ended at ``start``: more than none where the events before it could not
    be read."""
    entered: bool = False
    """Whether the players throw their own dice, and ``roll`` says what they show."""
    is_daily: bool = False
    """Whether it is a daily game, which has no rematch."""

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """The table that a state of the protocol describes."""
        table = cls.before_events(state)
        if not is_readable(state):
            return table.resumed(state)
        plays: list[Play] = []
        for event in state["log"]:
            before, table = table.plays, table.after(event)
            if event["kind"] == "takenback":
                plays.pop()
                table = replace(table, plays=tuple(plays[-1:]))
            elif table.plays is not before:
                plays.append(table.plays[-1])
                table = replace(table, plays=(plays[-1],))  # a tuple that grows is copied each time
        return replace(table, plays=tuple(plays))

    @classmethod
    def before_events(cls, state: Mapping[str, Any]) -> Self:
        """The table that a state describes, as it was before its first event."""
        rules, mine = Rules.parse(state["rules"]), frozenset(state["you"])
        seats, youngest = set(range(rules.players)), state["youngest"]
        series = state.get("series")
        if len(state["seats"]) != len(seats) or not mine <= seats or youngest not in seats:
            raise ValueError("The seats do not fit the rules.")
        return cls(
            str(state["id"]),
            0,
            quoted(str(state["edition"])),
            (RemoteSeat(),) * rules.players,
            mine,
            Position.initial(rules, int(youngest)),
            series=None if series is None else Series.from_message(series, rules.players),
            is_daily=state.get("daily") is not None,
        )

    def resumed(self, state: Mapping[str, Any]) -> Self:
        """The table of a state whose log has events of a newer server's: it goes on from here.

        What its game was before is told by events that cannot be read; its position now can.
        """
        table = self
        for event in state["log"]:
            kind = event["kind"]
            quiet = kind not in KNOWN or kind in _GAME_EVENTS or kind == "takenback"
            table = replace(table, n=event["n"]) if quiet else table.after(event)
        return table.after_view(state["view"], int(state["n"]))

    def after(self, event: Mapping[str, Any]) -> Self:
        """The table after its next event, as the protocol writes it."""
        n, kind, seat, data = event["n"], event["kind"], event["seat"], event["data"]
        played = _game_event(kind, data)
        if played is not None:
            play = Play(n, played, self.position.after(played))
            return replace(self, n=n, plays=(*self.plays, play), asked=None, last_play=n)
        if kind in ("asked", "declined", "takenback"):
            return self._negotiated(event)
        if kind not in KNOWN:
            return self.after_view(event["view"], n)
        match kind:
            case "opened" | "seated" | "substituted" | "returned" | "resigned":
                entered = self.entered or bool(data.get("entered"))
                return replace(self, n=n, seats=self._seated(kind, seat, data), entered=entered)
            case "started":
                return replace(self, n=n, started=True)
            case "finished":
                won = tuple(map(int, data["winners"]))
                return replace(self, n=n, ended=data.get("reason"), winners=won, asked=None)
            case "rematched":
                return replace(self, n=n, next=str(data["table"]))
        return replace(self, n=n)

    def _seated(self, kind: str, seat: int, data: Mapping[str, Any]) -> tuple[RemoteSeat, ...]:
        """The seats after somebody has sat down, gone or come back."""
        if kind == "opened":
            seats = tuple(
                RemoteSeat(who["name"], who["colour"]) if who else RemoteSeat()
                for who in data["reserved"]
            )
            if len(seats) != len(self.seats):
                raise ValueError("The seats do not fit the rules.")
            return seats
        if kind == "seated":
            return self._with(seat, RemoteSeat(data["name"], data["colour"], data["bot"]))
        gone = self.seats[seat].resigned or kind == "resigned"
        lent = replace(self.seats[seat], substitute=data.get("bot"), resigned=gone)
        return self._with(seat, lent)

    def after_view(self, view: Mapping[str, Any], n: int) -> Self:
        """The table after an event that only a newer server knows: its view tells the position."""
        told = Position.parse(view["position"])
        if told.rules != self.start.rules:
            raise ValueError("The position does not fit the rules.")
        if told == self.position:
            return replace(self, n=n)
        found = [at for at, play in enumerate(self.plays) if play.position == told]
        if found:  # something was withdrawn
            return replace(self, n=n, plays=self.plays[: found[-1] + 1], asked=None, last_play=n)
        turns = int(view["turn"]) - (told.outcome is None)
        return replace(self, n=n, start=told, plays=(), asked=None, last_play=n, turns_before=turns)

    def _negotiated(self, event: Mapping[str, Any]) -> Self:
        """The table after somebody has asked to take something back, or has been answered."""
        n, kind = event["n"], event["kind"]
        if kind == "asked":
            return replace(self, n=n, asked=(n, event["seat"]))
        if kind == "declined":
            return replace(self, n=n, asked=None)
        if not self.plays or self.plays[-1].n != event["data"]["event"]:
            return self.after_view(event["view"], n)  # what is withdrawn was not known
        plays = self.plays[:-1]
        return replace(self, n=n, plays=plays, asked=None, winners=(), last_play=n)

    def _with(self, number: int, seat: RemoteSeat) -> tuple[RemoteSeat, ...]:
        if number not in range(len(self.seats)):
            raise IndexError("There is no such seat.")
        return (*self.seats[:number], seat, *self.seats[number + 1 :])

    @property
    def position(self) -> Position:
        """The position now."""
        return self.plays[-1].position if self.plays else self.start

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.position.outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over, won or not."""
        return self.outcome is not None or self.ended is not None

    @property
    def turn(self) -> int:
        """The number of the turn now, or of the last one when the game is over."""
        ended = sum(isinstance(play.event, Stopped | Busted) for play in self.plays)
        return self.turns_before + ended + (self.outcome is None)

    @property
    def moves(self) -> int:
        """How many moves the turn in progress has had: what a ``Bot`` is told."""
        return reduce(moves_after, (play.event for play in self.plays), 0)

    @property
    def score(self) -> tuple[tuple[str, int], ...]:
        """Names and wins in a series of rematches, this game's too once it is over; else nothing.

        The order is that of the first table: seats move up by one with every rematch.
        """
        if self.series is None or len(self.seats) < 2:
            return ()
        count = len(self.seats)
        order = ((seat - self.series.games) % count for seat in range(count))
        return tuple(
            (self.seats[seat].name or "", self.series.wins[seat] + (seat in self.winners))
            for seat in order
        )

    # What is for us to do

    @property
    def substituted(self) -> list[int]:
        """Our seats that a bot plays."""
        return [
            seat
            for seat in sorted(self.mine)
            if self.seats[seat].substitute is not None and not self.seats[seat].resigned
        ]

    @property
    def to_answer(self) -> int | None:
        """A seat of ours that is asked to let another one take something back."""
        if self.asked is None or self.asked[1] in self.mine:
            return None
        return next((seat for seat in sorted(self.mine) if not self.seats[seat].resigned), None)

    @property
    def taken_back_by(self) -> int | None:
        """A seat of ours whose last decision could be taken back: nothing was rolled since.

        Where the players throw their own dice, rolls and the end of the game can be, too.
        """
        if not self.plays or not (self.entered or self._is_decided):
            return None
        if self.ended is not None or self.next is not None:
            return None
        before = self.plays[-2].position if len(self.plays) > 1 else self.start
        return before.seat if before.seat in self.mine else None

    @property
    def _is_decided(self) -> bool:
        """Whether the last play was a decision, in a game that is still on."""
        return isinstance(self.plays[-1].event, Moved | Stopped) and not self.is_over

    def is_due(self, decided: int) -> bool:
        """Whether there is anything to do for us that was not ``decided`` after this event."""
        return self.is_over or bool(self.substituted) or self._is_ours(decided)

    def _is_ours(self, decided: int) -> bool:
        return (
            self.started
            and self.last_play != decided
            and self.position.seat in self.mine
            and self.position.phase not in (Phase.BUST, Phase.OVER)
            and self.seats[self.position.seat].substitute is None
        )

    def in_turn(self) -> Position:
        """The position, if it is ours to go on from."""
        if not self.started:
            raise IllegalAction("The game has not begun: seats are still free.")
        if self.ended is not None:
            raise IllegalAction("The game is over.")
        if self.outcome is None and self.position.seat not in self.mine:
            raise IllegalAction("It is not your turn.")
        return self.position

    def to_roll(self, dice: AnyDice | None = None) -> tuple[Position, dict[str, list[int]]]:
        """The position, if dice may be thrown in it, and by us; and what is sent of the dice.

        Only the players' own ``dice`` can be named, and where they throw them they have to be.
        """
        position = self.in_turn()
        if not position.may_roll:
            raise IllegalAction("There are dice on the table already; they have to be used first.")
        if dice is None:
            return position, {}
        position.roll(dice)  # refuses what is no roll
        return position, {"dice": list(read_dice(dice))}

    def rolled(self, n: int) -> LegalMoves:
        """The moves that the roll of event ``n`` allows: none if it is a bust."""
        return next(play for play in self.plays if play.n == n).position.legal_moves

    @property
    def own_seat(self) -> int:
        """The first of our seats."""
        if not self.mine:
            raise IllegalAction("This seat is not yours.")
        return min(self.mine)


def is_readable(state: Mapping[str, Any]) -> bool:
    """Whether all events of a state are known here, so that its game can be told from the start."""
    return all(event["kind"] in KNOWN for event in state["log"])


def _game_event(kind: str, data: Mapping[str, Any]) -> Event | None:
    """The event of the game, or None where the event does not change the position."""
    match kind:
        case "rolled":
            return Rolled(tuple(data["dice"]))
        case "moved":
            return Moved(Move.parse(data["move"]))
        case "stopped":
            return Stopped()
        case "busted":
            return Busted()
    return None
