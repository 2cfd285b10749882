"""A table: everything that follows from its events, derived and never stored."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

import cantstop.rules as game
from cantstop.rules import Dice, Move, Position, Rules
from cantstop.server.tables.events import (
    Busted,
    Committed,
    EndReason,
    Entry,
    Finished,
    Hinted,
    History,
    Moved,
    Opened,
    Reacted,
    Redrawn,
    Rematched,
    Returned,
    Revealed,
    Rolled,
    Seated,
    Started,
    Stopped,
    Substituted,
    TableEvent,
)


class Stage(StrEnum):
    """How far a table is."""

    OPEN = "open"
    PLAYING = "playing"
    OVER = "over"


class SeatKind(StrEnum):
    """Who a seat is for."""

    OPEN = "open"
    RESERVED = "reserved"
    HUMAN = "human"
    BOT = "bot"


@dataclass(frozen=True)
class Seat:
    """A place at the table."""

    kind: SeatKind = SeatKind.OPEN
    name: str | None = None
    colour: int | None = None
    bot: str | None = None
    salt: str | None = None
    salt_commitment: str | None = None
    substitute: str | None = None
    """The bot that plays for the absent owner."""
    reactions: int = 0
    substitutes: int = 0
    """How often somebody reacted here, and how often a bot was asked to play."""
    hinted: bool = False
    """Whether the seat has had a hint."""

    @property
    def played_by(self) -> str | None:
        """The bot that plays this seat now, or None where a person does."""
        return self.bot or self.substitute

    @property
    def is_bound(self) -> bool:
        """Whether the seat's salt can not be changed any more unnoticed, known or not."""
        return self.salt is not None or self.salt_commitment is not None


@dataclass(frozen=True)
class Table:
    """A game being played, with its seats."""

    id: str
    opened: Opened
    seats: tuple[Seat, ...]
    position: Position
    log: History
    stage: Stage = Stage.OPEN
    turn: int = 1
    rolls: int = 0
    rolls_in_turn: int = 0
    moves_in_turn: int = 0
    thrown: Dice | None = None
    """The dice on the table, as they fell."""
    last_play: int = 0
    """The number of the last event that changed the position."""
    redraws: int = 0
    """How often all salts were drawn anew."""
    secret: str | None = None
    ended: EndReason | None = None
    """Why the game ended without a winner, if it did."""
    next: str | None = None

    @classmethod
    def from_log(cls, table_id: str, log: Iterable[Entry]) -> Self:
        """The table that a list of events makes."""
        entries = iter(log)
        table = cls.opening(table_id, next(entries))
        for entry in entries:
            table = table.after(entry)
        return table

    @classmethod
    def opening(cls, table_id: str, entry: Entry) -> Self:
        """The table after its first event."""
        opened = entry.event
        assert isinstance(opened, Opened)
        seats = tuple(
            Seat(SeatKind.RESERVED, who.name, who.colour) if who else Seat()
            for who in opened.reserved
        )
        start = Position.initial(Rules.parse(opened.rules), opened.youngest)
        return cls(table_id, opened, seats, start, History([entry]))

    # What there is to know

    @property
    def n(self) -> int:
        """The number of the last event."""
        return len(self.log)

    @property
    def last_entry(self) -> Entry:
        """The last event, which led to this version of the table."""
        return self.log.last

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def touched(self) -> datetime:
        """When something happened last."""
        return self.last_entry.at

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, while the game is on."""
        return self.position.seat if self.stage is Stage.PLAYING else None

    @property
    def has_started(self) -> bool:
        """Whether the game has begun: not at a table that was closed before."""
        return len(self.salts) == len(self.seats)

    @property
    def bot_to_act(self) -> str | None:
        """The bot whose turn it is, or None where a person's is, or nobody's."""
        return None if self.to_act is None else self.seats[self.to_act].played_by

    @property
    def start(self) -> Position:
        """The position that the game starts from."""
        return Position.initial(self.rules, self.opened.youngest)

    @property
    def salts(self) -> tuple[str, ...]:
        """The salts of the seats that are taken."""
        return tuple(seat.salt for seat in self.seats if seat.salt is not None)

    @property
    def is_bound(self) -> bool:
        """Whether all salts are bound, so that those committed to can be revealed."""
        return all(seat.is_bound for seat in self.seats)

    @property
    def game_events(self) -> tuple[game.Event, ...]:
        """The game itself: what the rules know of."""
        found = (_game_event(entry) for entry in self.log)
        return tuple(event for event in found if event is not None)

    def accepted(self, action: str) -> Entry | None:
        """The event that an action with this id became, should it be a retry."""
        return self.log.accepted(action)

    def seated(self, seat: int) -> Entry | None:
        """The event by which a seat was taken, if it was."""
        taken = (entry for entry in self.log if isinstance(entry.event, Seated))
        return next((entry for entry in taken if entry.seat == seat), None)

    # What can happen

    def play(self, event: game.Event, at: datetime, action: str | None = None) -> Self:
        """The table after the seat in turn has played; what the rules forbid is refused."""
        position = self.position.after(event)
        recorded = self._recorded(event, position)
        entry = Entry(self.n + 1, at, self.position.seat, recorded, action)
        return self._played(event, position, entry)

    def append(
        self, event: TableEvent, seat: int | None, at: datetime, action: str | None = None
    ) -> Self:
        """The table after an event around the game, which gets the next number."""
        return self.after(Entry(self.n + 1, at, seat, event, action))

    def after(self, entry: Entry) -> Self:
        """The table after an event that was accepted before: what replay is made of."""
        assert entry.n == self.n + 1
        event = _game_event(entry)
        if event is not None:
            return self._played(event, self.position.after(event), entry)
        return replace(self._applied(entry), log=self.log.after(entry))

    def _recorded(self, event: game.Event, position: Position) -> TableEvent:
        """An event of the game as the table's log keeps it, with what it led to."""
        match event:
            case game.Rolled(dice):
                return Rolled(dice, self.rolls + 1)
            case game.Moved(move):
                return Moved(str(move))
            case game.Stopped():
                seat = self.position.seat
                before = self.position.tokens.won_by(seat)
                return Stopped(tuple(sorted(set(position.tokens.won_by(seat)) - set(before))))
            case _:
                return Busted()

    def _played(self, event: game.Event, position: Position, entry: Entry) -> Self:
        rolled = isinstance(event, game.Rolled)
        turn_over = isinstance(event, game.Stopped | game.Busted)
        in_turn = self.position.roll_off is None and not turn_over
        return self._with(
            position=position,
            log=self.log.after(entry),
            turn=self.turn + (turn_over and position.outcome is None),
            rolls=self.rolls + rolled,
            rolls_in_turn=(self.rolls_in_turn + rolled) if in_turn else 0,
            moves_in_turn=game.moves_after(self.moves_in_turn, event),
            thrown=event.dice if isinstance(event, game.Rolled) and position.dice else None,
            last_play=entry.n,
        )

    def _with(self, **changes: object) -> Self:
        """The same as ``replace``, in a fifth of the time: every action of every game needs it."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, **changes)
        return other

    def _applied(self, entry: Entry) -> Self:
        """The table after an event around the game: the position stays as it is."""
        match entry.event:
            case (
                Seated()
                | Committed()
                | Revealed()
                | Substituted()
                | Returned()
                | Reacted()
                | Hinted()
            ) as event:
                assert entry.seat is not None
                return self._with_seat(entry.seat, _seat_after(self.seats[entry.seat], event))
            case Redrawn(unbound):
                seats = tuple(
                    replace(seat, salt=None if at in unbound else seat.salt, salt_commitment=None)
                    for at, seat in enumerate(self.seats)
                )
                return replace(self, seats=seats, redraws=self.redraws + 1)
            case Started():
                return replace(self, stage=Stage.PLAYING)
            case Finished(_, secret, reason):
                return replace(self, stage=Stage.OVER, secret=secret, ended=reason)
            case Rematched(table):
                return replace(self, next=table)
            case other:
                raise AssertionError(f"{other} cannot follow")

    def _with_seat(self, number: int, seat: Seat) -> Self:
        seats = (seat if at == number else old for at, old in enumerate(self.seats))
        return replace(self, seats=tuple(seats))


def _seat_after(
    seat: Seat, event: Seated | Committed | Revealed | Substituted | Returned | Reacted | Hinted
) -> Seat:
    match event:
        case Seated(name, colour, bot, salt, promised):
            kind = SeatKind.HUMAN if bot is None else SeatKind.BOT
            return Seat(kind, name, colour, bot, salt, promised)
        case Committed(promised):
            return replace(seat, salt_commitment=promised)
        case Revealed(salt):
            return replace(seat, salt=salt)
        case Substituted(bot, _, None):
            return replace(seat, substitute=bot, substitutes=seat.substitutes + 1)
        case Substituted(bot, _, salt):
            return replace(
                seat,
                substitute=bot,
                salt=salt,
                salt_commitment=None,
                substitutes=seat.substitutes + 1,
            )
        case Returned():
            return replace(seat, substitute=None)
        case Reacted():
            return replace(seat, reactions=seat.reactions + 1)
        case Hinted():
            return replace(seat, hinted=True)


def _game_event(entry: Entry) -> game.Event | None:
    match entry.event:
        case Rolled(dice):
            return game.Rolled(dice)
        case Moved(move):
            return game.Moved(Move.parse(move))
        case Stopped():
            return game.Stopped()
        case Busted():
            return game.Busted()
        case _:
            return None
