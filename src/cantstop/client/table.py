"""A table on a server as a client sees it: the fold of its events, and which seats are ours."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Self

from cantstop.rules import (
    AnyDice,
    Dice,
    Event,
    IllegalAction,
    LegalMoves,
    Outcome,
    Phase,
    Position,
    read_dice,
)
from cantstop.table.events import (
    Entry,
    Opened,
    Played,
    Reserved,
    Seated,
    Substituted,
    TakenBack,
    Unknown,
)
from cantstop.table.orders import ordered_action
from cantstop.table.permissions import people_to_ask, why_no_take_back
from cantstop.table.table import Stage, Table
from cantstop.untrusted import quoted
from cantstop.wire.events import EventJson, entry_from
from cantstop.wire.seen import SeenEvent, SeenState, SeenView

LONGEST_NAME = 60


@dataclass(frozen=True)
class RemoteTable(Table):
    """A table on a server, with the seats there that are ours."""

    mine: frozenset[int] = frozenset()
    """The seats that are ours; none for a watcher."""
    take_back: int | None = None
    """The seat that may take back its last decision, or ask for it, as the server tells."""
    told: Position | None = field(default=None, repr=False)
    """The position that the game goes on from, where events before it could not be read."""
    told_after: int = 0
    """The number of the last of those events."""

    @classmethod
    def from_state(cls, state: SeenState) -> Self:
        """The table that a state of the protocol describes."""
        *_, table = cls.versions(state)
        return table

    @classmethod
    def versions(cls, state: SeenState) -> Iterator[Self]:
        """The table of a state after each of its events.

        Where some are those of a newer server, the game is not replayed: the last version alone is
        in the position that it has come to.

        Raises:
            ValueError: If the state is not that of a table.
        """
        first, *rest = map(_entry, state.log)
        mine = frozenset(state.you)
        table = replace(cls.opening(state.id, first), mine=mine)
        series = table.opened.series
        is_scored = series is None or len(series.wins) == len(table.seats)
        if not mine <= set(range(len(table.seats))) or not is_scored:
            raise ValueError("The seats do not fit the rules.")
        is_known = not any(isinstance(entry.event, Unknown) for entry in rest)
        for entry in rest:
            yield table
            is_told = is_known or not isinstance(entry.event, Played | TakenBack)
            table = table.after(entry) if is_told else table.noted(entry)
        if not is_known:
            table = table._at_view(state.view)  # noqa: SLF001 - its own
        yield replace(table, take_back=state.view.take_back)

    def after_event(self, event: SeenEvent) -> Self:
        """The table after its next event, as the protocol writes it.

        What only a newer server knows may have changed the position: then the view tells it.
        """
        entry, view = _entry(event), event.view
        match entry.event:
            case TakenBack(n) if self.undo is None or self.undo.event != n:
                table = self.noted(entry)._at_view(view)  # noqa: SLF001 - its own
            case Unknown():
                table = self.after(entry)._at_view(view)  # noqa: SLF001
            case _:
                table = self.after(entry)
        return replace(table, take_back=view.take_back)

    def _at_view(self, view: SeenView) -> Self:
        """The table in the position of a view.

        Raises:
            ValueError: If that does not fit the rules.
        """
        position = Position.parse(view.position)
        if position.rules != self.rules:
            raise ValueError("The position does not fit the rules.")
        if position == self.position:
            return self
        table = self.resumed(position, view.turn)
        return replace(table, told=position, told_after=self.n)

    # What there is to know

    @property
    def began(self) -> Position:
        """The position that ``events`` lead on from: the start of the game, if all are known."""
        return self.told or self.start

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the game that count: those that were taken back do not."""
        return tuple(
            entry.event.event
            for entry in self.played
            if isinstance(entry.event, Played) and entry.n > self.told_after
        )

    @property
    def started(self) -> bool:
        """Whether all seats have been taken, so that the game is on or over."""
        return self.stage is not Stage.OPEN

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.position.outcome

    @property
    def is_over(self) -> bool:
        """Whether the game is over, won or not."""
        return self.outcome is not None or self.ended is not None

    @property
    def score(self) -> tuple[tuple[str, int], ...]:
        """Names and wins in a series of rematches, this game's too once it is over; else nothing.

        The order is that of the first table: seats move up by one with every rematch.
        """
        series, count = self.opened.series, len(self.seats)
        if series is None or count < 2:
            return ()
        order = ((seat - series.games) % count for seat in range(count))
        return tuple(
            (self.seats[seat].name or "", series.wins[seat] + (seat in self.winners))
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
        if self.asked is None or self.asked.seat in self.mine:
            return None
        return next((seat for seat in sorted(self.mine) if not self.seats[seat].resigned), None)

    def to_take_back(self) -> int:
        """The seat of ours that may take back its last decision, or ask for it.

        Raises:
            IllegalAction: If there is none, with the reason.
        """
        if self.taken_back_by is not None:
            return self.taken_back_by
        seat = None if self.undo is None else self.undo.position.seat
        reason = None
        if seat is not None and seat in self.mine:
            reason = why_no_take_back(self, seat, people_to_ask(self, seat))
        raise reason or IllegalAction("There is nothing to take back.")

    @property
    def taken_back_by(self) -> int | None:
        """A seat of ours that may take back its last decision, or ask for it."""
        return self.take_back if self.take_back in self.mine else None

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
            and ordered_action(self) is None
        )

    def in_turn(self) -> Position:
        """The position, if it is ours to go on from.

        Raises:
            IllegalAction: If the game is not going on, or it is another seat's turn.
        """
        if not self.started:
            raise IllegalAction("The game has not begun: seats are still free.")
        if self.ended is not None:
            raise IllegalAction("The game is over.")
        if self.outcome is None and self.position.seat not in self.mine:
            raise IllegalAction("It is not your turn.")
        return self.position

    def to_roll(self, dice: AnyDice | None = None) -> tuple[Position, Dice | None]:
        """The position, if dice may be thrown in it, and by us; and the players' own dice.

        Only the players' own ``dice`` can be named, and where they throw them they have to be.

        Raises:
            IllegalAction: If there are dice on the table already.
        """
        position = self.in_turn()
        if not position.may_roll:
            raise IllegalAction("There are dice on the table already; they have to be used first.")
        if dice is None:
            return position, None
        position.roll(dice)  # raises for invalid dice
        return position, read_dice(dice)

    def rolled(self, n: int, before: Position) -> LegalMoves:
        """The moves that the roll of event ``n`` allows: none if it is a bust."""
        event = self.log[n - 1].event
        assert isinstance(event, Played)
        return before.after(event.event).legal_moves

    @property
    def own_seat(self) -> int:
        """The first of our seats."""
        if not self.mine:
            raise IllegalAction("This seat is not yours.")
        return min(self.mine)

    @property
    def ordering_seat(self) -> int:
        """The seat that an order of ours is for: of several the one in turn."""
        return self.position.seat if self.position.seat in self.mine else self.own_seat

    @property
    def ordered_seat(self) -> int:
        """The seat whose standing order we revoke."""
        ordered = (seat for seat in sorted(self.mine) if self.seats[seat].order is not None)
        return next(ordered, self.own_seat)


def _entry(sent: EventJson) -> Entry:
    """An event of the protocol; its names are made safe to print: a server may say anything."""
    entry = entry_from(sent)
    match entry.event:
        case Opened() as opened:
            reserved = tuple(
                who and Reserved(_name(who.name), who.colour) for who in opened.reserved
            )
            event = replace(opened, edition=quoted(opened.edition), reserved=reserved)
            return replace(entry, event=event)
        case Seated() as seated:
            bot = None if seated.bot is None else _name(seated.bot)
            return replace(entry, event=replace(seated, name=_name(seated.name), bot=bot))
        case Substituted() as substituted:
            return replace(entry, event=replace(substituted, bot=_name(substituted.bot)))
    return entry


def _name(text: str) -> str:
    return quoted(text, LONGEST_NAME)
