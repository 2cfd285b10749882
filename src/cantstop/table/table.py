"""A table: everything that follows from its events, derived and never stored."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Self

from cantstop.rules import (
    Busted,
    Dice,
    Event,
    Position,
    Rolled,
    Rules,
    Stopped,
    moves_after,
)
from cantstop.table.events import (
    Agreed,
    Asked,
    Committed,
    Declined,
    EndReason,
    Entry,
    Finished,
    Hinted,
    History,
    Mode,
    Opened,
    Order,
    Ordered,
    Played,
    Reacted,
    Redrawn,
    Rematched,
    Resigned,
    Returned,
    Revealed,
    Revoked,
    SaltLost,
    Seated,
    Started,
    Substituted,
    SubstituteReason,
    TableEvent,
    TakenBack,
    Unknown,
)


class ImpossibleEvent(ValueError):
    """An event that cannot be the next one of a table: what came over the network is wrong."""


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
    salt_since: int | None = None
    """Where salts are revealed in the course of the game: the turn of the dice from which this
    one counts."""
    salt_lost: bool = False
    """Whether its owner cannot reveal it any more."""
    substitute: str | None = None
    """The bot that plays for the absent owner."""
    reactions: int = 0
    substitutes: int = 0
    """How often its player reacted here, and how often a bot was asked to play."""
    hinted: bool = False
    """Whether the seat has had a hint."""
    resigned: bool = False
    bank: float = 0.0
    """Seconds that its owner may still think longer than the clock."""
    asked: int = 0
    """How often its owner has asked to take something back."""
    missed: int = 0
    """Turns in a row, at a slow table, that a bot has played because their time was up."""
    order: Order | None = None
    """What its owner has ordered to be decided for it, until that is over."""
    orders: int = 0
    """How often its owner has given one."""

    @property
    def played_by(self) -> str | None:
        """The bot that plays this seat now, or None where a person does."""
        return self.bot or self.substitute

    @property
    def is_free(self) -> bool:
        """Whether nobody has taken the seat, though it may be reserved for a player."""
        return self.kind in (SeatKind.OPEN, SeatKind.RESERVED)

    @property
    def is_bound(self) -> bool:
        """Whether the seat's salt can not be changed any more unnoticed, known or not."""
        return self.salt is not None or self.salt_commitment is not None

    @property
    def owes_salt(self) -> bool:
        """Whether the seat has committed to a salt, and may still reveal it."""
        return self.salt is None and self.salt_commitment is not None and not self.salt_lost


@dataclass(frozen=True)
class UndoPoint:
    """The game right before a decision that can be taken back."""

    event: int
    """The number of the decision's event."""
    position: Position
    turn: int
    rolls: int
    rolls_in_turn: int
    moves_in_turn: int
    thrown: Dice | None
    before: "UndoPoint | None" = field(default=None, repr=False, compare=False)
    """What can be taken back after this: a chain that versions of a table share, since a tuple
    would be copied with every event of a game whose players throw their own dice."""


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
    throws_for_start: int = 0
    """How many of the rolls were those of the roll-off."""
    rolls_in_turn: int = 0
    moves_in_turn: int = 0
    thrown: Dice | None = None
    """The dice on the table, as they fell."""
    last_play: int = 0
    """The number of the last event that changed the position."""
    deciding_since: int = 0
    """The number of the event that the decision now due began with."""
    turn_since: int = 0
    """The number of the event since which the seat in turn has had the turn."""
    undo: UndoPoint | None = None
    """What can be taken back, the last first: the decisions since the last roll, or where the
    players throw their own dice, everything."""
    asked: Entry | None = None
    """The event that asked the others for a take-back, until they have answered."""
    agreed: frozenset[int] = frozenset()
    """The seats that have agreed to it."""
    refused_since: int = 0
    """The last play when a seat did not agree: it is not asked again for the same one."""
    redraws: int = 0
    """How often all salts were drawn again."""
    secret: str | None = None
    ended: EndReason | None = None
    """Why the game ended before its end by the rules, if it did."""
    winners: tuple[int, ...] = ()
    """Who has won, once the game is over."""
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
        """The table after its first event.

        Raises:
            ImpossibleEvent: If that is not an opening, or its seats do not fit its rules.
        """
        opened = entry.event
        if entry.n != 1 or not isinstance(opened, Opened):
            raise ImpossibleEvent("a table begins with its opening")
        seats = tuple(
            Seat(SeatKind.RESERVED, who.name, who.colour) if who else Seat()
            for who in opened.reserved
        )
        rules = Rules.parse(opened.rules)
        if len(seats) != rules.players or not 0 <= opened.youngest < rules.players:
            raise ImpossibleEvent("the seats do not fit the rules")
        start = Position.initial(rules, opened.youngest)
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
    def is_at_one_screen(self) -> bool:
        """Whether one person holds all seats that people have."""
        return self.opened.mode is not Mode.ONLINE

    @property
    def has_started(self) -> bool:
        """Whether the game has begun: not at a table that was closed before.

        It begins when every seat has its salt, or is bound to one where salts are revealed in the
        course of the game; dice that nobody has sealed need none.
        """
        if self.opened.gradual:
            return self.is_bound
        return self.opened.commitment is None or len(self.salts) == len(self.seats)

    @property
    def dice_turn(self) -> int:
        """The turn of the dice: turns from 1, each throw of the roll-off being one of its own."""
        return self.throws_for_start + self.turn

    @property
    def owes_salt(self) -> bool:
        """Whether the seat in turn has to reveal its salt before it rolls."""
        return (
            self.opened.gradual
            and self.decider is not None
            and self.rolls_in_turn == 0
            and self.seats[self.decider].owes_salt
        )

    @property
    def has_just_revealed(self) -> bool:
        """Whether the seat in turn has revealed its salt in this turn, and not rolled yet."""
        seat = None if self.to_act is None else self.seats[self.to_act]
        return (
            self.opened.gradual
            and seat is not None
            and self.rolls_in_turn == 0
            and seat.salt_commitment is not None
            and seat.salt_since == self.dice_turn
        )

    @property
    def may_reveal_early(self) -> bool:
        """Whether a seat may reveal its salt though it is not its turn.

        One may before the first roll, as long as no other one has revealed a salt.
        """
        committed = (seat for seat in self.seats if seat.salt_commitment is not None)
        return self.rolls == 0 and all(seat.salt is None for seat in committed)

    @property
    def bot_to_act(self) -> str | None:
        """The bot whose turn it is, or None where a person's is, or nobody's."""
        return None if self.to_act is None else self.seats[self.to_act].played_by

    @property
    def decider(self) -> int | None:
        """The seat whose person is to decide, or None where a bot is, or nobody."""
        return self.to_act if self.bot_to_act is None else None

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
    def game_events(self) -> tuple[Event, ...]:
        """The game itself: what the rules know of."""
        return tuple(entry.event.event for entry in self.played if isinstance(entry.event, Played))

    @property
    def played(self) -> tuple[Entry, ...]:
        """The events of the game, without those that were taken back."""
        found = [entry for entry in self.log if isinstance(entry.event, Played)]
        undone = {entry.event.event for entry in self.log if isinstance(entry.event, TakenBack)}
        return tuple(entry for entry in found if entry.n not in undone)

    def accepted(self, action: str) -> Entry | None:
        """The event that an action with this id became, should it be a retry."""
        return self.log.accepted(action)

    def seated(self, seat: int) -> Entry | None:
        """The event by which a seat was taken, if it was."""
        taken = (entry for entry in self.log if isinstance(entry.event, Seated))
        return next((entry for entry in taken if entry.seat == seat), None)

    # What can happen

    def play(
        self,
        event: Event,
        at: datetime,
        action: str | None = None,
        spent: float = 0.0,
        *,
        ordered: bool = False,
    ) -> Self:
        """The table after the seat in turn has played; what the rules forbid is refused.

        ``spent`` are the seconds that the decision took from the seat's bank; ``ordered`` says
        that the seat's standing order has decided it.
        """
        position = self.position.after(event)
        roll = self.rolls + 1 if isinstance(event, Rolled) else 0
        stopped = isinstance(event, Stopped)
        won = position.tokens.won_since(self.position.tokens) if stopped else ()
        played = Played(event, spent, roll, won, ordered)
        entry = Entry(self.n + 1, at, self.position.seat, played, action)
        return self._played(entry, event, spent, position)

    def append(
        self, event: TableEvent, seat: int | None, at: datetime, action: str | None = None
    ) -> Self:
        """The table after an event around the game, which gets the next number."""
        return self.after(Entry(self.n + 1, at, seat, event, action))

    def after(self, entry: Entry) -> Self:
        """The table after an event that was accepted before: what replay is made of.

        Raises:
            ImpossibleEvent: If the event cannot follow.
        """
        if entry.n != self.n + 1:
            raise ImpossibleEvent(f"event {entry.n} cannot follow event {self.n}")
        match entry.event:
            case Played(event, spent):
                return self._played(entry, event, spent, self.position.after(event))
        return replace(self._applied(entry), log=self.log.after(entry))

    def noted(self, entry: Entry) -> Self:
        """The table with one more event in its log, whatever that has changed."""
        return replace(self, log=self.log.after(entry))

    def resumed(self, position: Position, turn: int) -> Self:
        """The table in a position that its events do not lead to: some are of unknown kinds.

        Standing orders may be others by now: nothing is expected of those that were known.
        """
        return replace(
            self,
            seats=tuple(map(_without_order, self.seats)),
            position=position,
            turn=turn,
            thrown=position.dice,
            last_play=self.n,
            deciding_since=self.n,
            turn_since=self.n,
            undo=None,
            asked=None,
        )

    def _played(self, entry: Entry, event: Event, spent: float, position: Position) -> Self:
        rolled = isinstance(event, Rolled)
        turn_over = isinstance(event, Stopped | Busted)
        in_game = self.position.roll_off is None
        in_turn = in_game and not turn_over
        return self._with(
            position=position,
            seats=self._seats_after(entry, spent),
            log=self.log.after(entry),
            turn=self.turn + (turn_over and position.outcome is None),
            rolls=self.rolls + rolled,
            throws_for_start=self.throws_for_start + (rolled and not in_game),
            rolls_in_turn=(self.rolls_in_turn + rolled) if in_turn else 0,
            moves_in_turn=moves_after(self.moves_in_turn, event),
            thrown=event.dice if isinstance(event, Rolled) and position.dice else None,
            last_play=entry.n,
            deciding_since=entry.n,
            turn_since=entry.n
            if turn_over or position.seat != self.position.seat
            else self.turn_since,
            undo=self._undo_point if self._can_undo(event) else None,
            asked=None,
        )

    def _can_undo(self, event: Event) -> bool:
        """Whether an event can be taken back: dice that fell here stay as they fell."""
        return self.opened.entered or not isinstance(event, Rolled | Busted)

    @property
    def _undo_point(self) -> UndoPoint:
        return UndoPoint(
            self.n + 1,
            self.position,
            self.turn,
            self.rolls,
            self.rolls_in_turn,
            self.moves_in_turn,
            self.thrown,
            self.undo,
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
                | SaltLost()
                | Substituted()
                | Returned()
                | Ordered()
                | Revoked()
                | Reacted()
                | Hinted()
                | Resigned()
            ) as event:
                seat = self._number(entry)
                changed = _seat_after(self.seats[seat], event)
                if self._is_missed(event):
                    changed = replace(changed, missed=changed.missed + 1)
                after = self._with_seat(seat, changed)
                if isinstance(event, Returned) and entry.seat == self.to_act:
                    return replace(after, deciding_since=entry.n, turn_since=entry.n)
                return after
            case Asked() | Agreed() | Declined() | TakenBack():
                return self._negotiated(entry)
            case Redrawn(unbound):
                seats = tuple(
                    replace(seat, salt=None if at in unbound else seat.salt, salt_commitment=None)
                    for at, seat in enumerate(self.seats)
                )
                return replace(self, seats=seats, redraws=self.redraws + 1)
            case Started():
                bank = float(self.opened.bank)
                seats = tuple(replace(seat, bank=bank) for seat in self.seats)
                return replace(
                    self,
                    stage=Stage.PLAYING,
                    seats=seats,
                    deciding_since=entry.n,
                    turn_since=entry.n,
                )
            case Finished(winners, secret, reason):
                seats = tuple(map(_without_order, self.seats))
                over = replace(self, stage=Stage.OVER, seats=seats, asked=None)
                return replace(over, secret=secret, ended=reason, winners=winners)
            case Rematched(table):
                return replace(self, next=table)
            case Unknown():
                return self
            case other:
                raise ImpossibleEvent(f"{other} cannot follow")

    def _is_missed(self, event: TableEvent) -> bool:
        """Whether an event says that the time for a whole turn was up."""
        is_late = isinstance(event, Substituted) and event.reason is SubstituteReason.TIME
        return is_late and self.opened.days is not None

    def _number(self, entry: Entry) -> int:
        """The number of the seat that an event is about."""
        if entry.seat is None or not 0 <= entry.seat < len(self.seats):
            raise ImpossibleEvent(f"there is no seat {entry.seat}")
        return entry.seat

    def _negotiated(self, entry: Entry) -> Self:
        """The table after a take-back was asked for, or answered."""
        match entry.event:
            case Asked():
                number = self._number(entry)
                seat = self.seats[number]
                after = self._with_seat(number, replace(seat, asked=seat.asked + 1))
                return replace(after, asked=entry, agreed=frozenset())
            case Agreed():
                return replace(self, agreed=self.agreed | {self._number(entry)})
            case Declined():
                return replace(self, asked=None, refused_since=self.last_play)
            case _:
                return self._undone(entry)

    def _seats_after(self, entry: Entry, spent: float) -> tuple[Seat, ...]:
        """The seats, when the one in turn has played, maybe at the cost of its bank.

        An order that stands says nothing of whether its player is still there.
        """
        number = self.position.seat
        seat = self.seats[number]
        is_own = isinstance(entry.event, Played) and not entry.event.ordered
        is_back = bool(seat.missed) and seat.played_by is None and is_own
        if not spent and not is_back:
            return self.seats
        left = max(0.0, round(seat.bank - spent, 1))
        after = replace(seat, bank=left, missed=0 if is_back else seat.missed)
        return self._with_seat(number, after).seats

    def _undone(self, entry: Entry) -> Self:
        """The table as it was before its last decision; what was thought over it stays spent.

        Where the players throw their own dice, that decision may have ended the game.
        """
        back = self.undo
        if back is None:
            raise ImpossibleEvent("there is nothing to take back")
        is_same_turn = (back.turn, back.position.seat) == (self.turn, self.position.seat)
        # or the seat's standing order would take the same decision again
        seat = _without_order(self.seats[back.position.seat])
        return replace(
            self,
            seats=self._with_seat(back.position.seat, seat).seats,
            position=back.position,
            stage=Stage.PLAYING,
            winners=(),
            turn=back.turn,
            rolls=back.rolls,
            rolls_in_turn=back.rolls_in_turn,
            moves_in_turn=back.moves_in_turn,
            thrown=back.thrown,
            undo=back.before,
            last_play=entry.n,
            deciding_since=entry.n,
            turn_since=self.turn_since if is_same_turn else entry.n,
            asked=None,
        )

    def _with_seat(self, number: int, seat: Seat) -> Self:
        seats = (seat if at == number else old for at, old in enumerate(self.seats))
        return replace(self, seats=tuple(seats))


def _without_order(seat: Seat) -> Seat:
    return seat if seat.order is None else replace(seat, order=None)


def _seat_after(
    seat: Seat,
    event: Seated
    | Committed
    | Revealed
    | SaltLost
    | Substituted
    | Returned
    | Ordered
    | Revoked
    | Reacted
    | Hinted
    | Resigned,
) -> Seat:
    match event:
        case Seated(name, colour, bot, salt, promised):
            kind = SeatKind.HUMAN if bot is None else SeatKind.BOT
            since = None if salt is None else 1
            return Seat(kind, name, colour, bot, salt, promised, since)
        case Committed() | Revealed() | SaltLost():
            return _salted(seat, event)
        case Substituted():
            return _substituted(seat, event)
        case Returned():
            return replace(seat, substitute=None)
        case Ordered() | Revoked():
            return _ordered(seat, event)
        case Reacted():
            return replace(seat, reactions=seat.reactions + 1)
        case Hinted():
            return replace(seat, hinted=True)
        case Resigned():
            return replace(_without_order(seat), resigned=True)


def _ordered(seat: Seat, event: Ordered | Revoked) -> Seat:
    if isinstance(event, Revoked):
        return replace(seat, order=None)
    return replace(seat, order=event.order, orders=seat.orders + 1)


def _substituted(seat: Seat, event: Substituted) -> Seat:
    """A seat that a bot plays: what its owner had ordered is over."""
    times = seat.substitutes + 1
    after = replace(seat, substitute=event.bot, substitutes=times, order=None)
    if event.salt is not None:
        return replace(after, salt=event.salt, salt_commitment=None)
    return replace(after, bank=0.0) if event.reason is SubstituteReason.TIME else after


def _salted(seat: Seat, event: Committed | Revealed | SaltLost) -> Seat:
    match event:
        case Committed(promised):
            return replace(seat, salt_commitment=promised)
        case Revealed(salt, turn):
            return replace(seat, salt=salt, salt_since=turn)
        case SaltLost():
            return replace(seat, salt_lost=True)
