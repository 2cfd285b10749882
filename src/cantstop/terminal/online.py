"""A table on a server: its events come from there, and nothing is decided here."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING

from cantstop.client import (
    MALFORMED,
    ClockView,
    Connection,
    Pace,
    Refused,
    RemoteTable,
    SeatSecrets,
    TableLink,
    Unreachable,
    hint,
    look,
    take_seat,
    unexpected_answer,
)
from cantstop.client.async_player import SALT_NEEDED
from cantstop.client.connection import ConnectionMessage
from cantstop.language import message, name_text, turns_text
from cantstop.record import Record
from cantstop.record.record import ENDED_BY_RESIGNING
from cantstop.rules import Choice, Dice, IllegalAction, Phase, Position, Rules
from cantstop.table.events import (
    Order,
    Ordered,
    OrderPart,
    Played,
    Reacted,
    Reaction,
    Resigned,
    Returned,
    Revealed,
    Substituted,
    SubstituteReason,
)
from cantstop.table.orders import ordered_action
from cantstop.table.permissions import offered_orders, seats_to_drop
from cantstop.terminal.commands import order_text
from cantstop.terminal.controller import Entry, Note, Step, last_roll, resigned_note
from cantstop.terminal.local_game import Decision, Thrown
from cantstop.threads import in_daemon_thread
from cantstop.wire.actions import (
    Agree,
    Decline,
    Drop,
    GiveOrder,
    LoseSalt,
    MakeMove,
    React,
    Rematch,
    Resign,
    Return,
    Revoke,
    Roll,
    Stop,
    TableAction,
    TakeBack,
    new_action_id,
)
from cantstop.wire.insight import hint_from
from cantstop.wire.seen import SeenEvent, SeenState

if TYPE_CHECKING:
    from cantstop.engine import Hint

_NOTES = {
    "seated": message("{name} sits down."),
    "revealed": message("{name} is ready."),
    "saltlost": message("{name} has lost their salt, and plays without it."),
    "redrawn": message("{name} did not reveal their salt: all draw new ones."),
    "started": message("The game begins."),
    "hinted": message("{name} asks for hints."),
    "substituted": message("A bot plays for {name}."),
    "returned": message("{name} plays again."),
    "revoked": message("{name}'s standing order is over."),
    "resigned": message("{name} resigns."),
    "asked": message("{name} asks to take back the last decision."),
    "declined": message("{name} does not agree."),
    "takenback": message("{name} takes back the last decision."),
    "rematched": message("{name} asks for a rematch."),
}
_TIME_OVER = message("{name}'s time is up: a bot plays on.")
_TURN_OVER = message("{name}'s time is up: a bot plays this turn.")
_GIVEN_UP = message("{name} has missed two turns in a row: the seat is given up.")
_SALT_ADDED = message("{name} adds their salt to the dice.")
_REACTIONS = {
    "cheer": message("{name} cheers!"),
    "applaud": message("{name} applauds."),
    "tease": message("{name} teases."),
    "sympathise": message("{name} feels for you."),
    "gasp": message("{name} gasps!"),
    "laugh": message("{name} laughs."),
}
_COLOURS = range(4)
_BEFORE_STATE = Position.initial(Rules())
"""What is shown until the server has sent the table."""
_FREE = "–"
"""The name on screen of a seat that nobody has taken."""


def _order_note(name: str, order: Order) -> Note:
    return Note(
        lambda words: words.say(
            "{name} gives a standing order: {order}.",
            name=name_text(words, name),
            order=order_text(words, order),
        )
    )


def _ended(table: RemoteTable) -> Note:
    """How a game ended before its end by the rules."""
    if table.ended == "resigned" and table.winners:
        return resigned_note([seat.name or _FREE for seat in table.seats], table.winners[0])
    if table.ended == "resigned":
        return Note(message("The game was given up: nobody has won."), {})
    if table.ended == "missed":
        return Note(message("Everybody has missed two turns in a row: nobody has won."), {})
    if table.ended == "turns":
        turns = table.turn - 1
        return Note(
            lambda words: words.say(
                "The game was ended after {turns}: nobody has won.",
                turns=turns_text(words, turns),
            )
        )
    return Note(message("The operator of the server has closed this table."), {})


def join_table(
    address: TableLink | str,
    name: str | None,
    language: str,
    secrets: SeatSecrets,
    pace: Pace = Pace.NORMAL,
) -> "OnlineController":
    """At a table on a server: on the seat held there or on a free one; nameless, watching."""
    link = TableLink.of(address)
    secret = None
    if name is None:
        look(link, language=language)  # a table that does not exist is reported at once
    else:
        secret = secrets.find(link) or take_seat(link, name, language)
        secrets.save(link, secret)
    return OnlineController(replace(link, secret=None), secret, language, secrets, pace)


class OnlineController:
    """Follows a table and sends what the player at this terminal does."""

    def __init__(
        self,
        link: TableLink,
        secret: str | None,
        language: str,
        secrets: SeatSecrets,
        pace: Pace = Pace.NORMAL,
    ) -> None:
        self.link = link
        self._secrets = secrets
        self._secret, self._language, self._pace = secret, language, pace
        self._connection = Connection(
            link, secret, language, self._on_message, self._on_disconnect, pace=pace
        )
        self._received = asyncio.Event()
        self._background: set[asyncio.Task[None]] = set()
        self._changed: Callable[[], None] = lambda: None
        self._is_connected = False
        self._refusal: Note | None = None
        self._table: RemoteTable | None = None
        self._entries: list[Entry] = []
        self._salt_is_lost = False
        """Whether the player has read that the salt of the seat is not on this machine."""
        self._clock: tuple[ClockView, float] | None = None
        """The server's last message about the clock, and when it came."""

    # State

    @property
    def days_left_in_seconds(self) -> int | None:
        """Seconds that are left for the turn at a slow table; None elsewhere."""
        is_slow = self._table is not None and self._table.opened.days is not None
        return self.seconds_left if is_slow else None

    @property
    def seconds_left(self) -> int | None:
        if self._clock is None or self._clock[0].left is None:
            return None
        clock, received = self._clock
        assert clock.left is not None
        return max(0, ceil(clock.left - (time.monotonic() - received)))

    @property
    def names(self) -> tuple[str, ...]:
        if self._table is None:
            return _FREE, _FREE
        return tuple(seat.name or _FREE for seat in self._table.seats)

    @property
    def colours(self) -> tuple[int, ...]:
        if self._table is None:
            return 0, 1
        taken = [seat.colour for seat in self._table.seats]
        free = iter(colour for colour in _COLOURS if colour not in taken)
        return tuple(next(free) if colour is None else colour for colour in taken)

    @property
    def edition(self) -> str | None:
        return None if self._table is None else self._table.opened.edition

    @property
    def position(self) -> Position:
        return _BEFORE_STATE if self._table is None else self._table.position

    @property
    def turn(self) -> int:
        return 1 if self._table is None else self._table.turn

    @property
    def dice(self) -> Dice:
        return () if self._table is None else last_roll(self._table.events) or ()

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def problem(self) -> Note | None:
        if self._refusal is not None:
            return self._refusal
        if not self._is_connected or self._table is None:
            return Note(
                message("No connection to {server}; trying again."), {"server": self.link.server}
            )
        if self._table.ended is not None:
            return _ended(self._table)
        if not self._table.started and all(seat.name for seat in self._table.seats):
            return Note(
                message("Waiting until everybody is here. The link: {link}"), {"link": self.link}
            )
        if not self._table.started:
            return Note(
                message("Waiting until all seats are taken. The link: {link}"), {"link": self.link}
            )
        return None

    @property
    def may_act(self) -> bool:
        if self.problem is not None or self._table is None:
            return False
        position = self._table.position
        return (
            position.seat in self._table.mine
            and self._table.seats[position.seat].substitute is None
            and position.phase not in (Phase.BUST, Phase.OVER)
            and ordered_action(self._table) is None
        )

    def on_change(self, callback: Callable[[], None]) -> None:
        self._changed = callback

    @property
    def refusal(self) -> Note | None:
        """Why the server does not want us any more: nothing comes of trying again."""
        return self._refusal

    @property
    def address(self) -> str | None:
        return None if self.is_watching else str(self.link)

    @property
    def is_watching(self) -> bool:
        """Whether we have no seat here."""
        return self._secret is None

    def plays(self, seat: int) -> bool:
        """Whether a player here has a seat that no bot plays for them."""
        table = self._table
        return table is not None and seat in table.mine and table.seats[seat].substitute is None

    @property
    def is_replaced(self) -> bool:
        """Whether a bot plays for us, and we may come back."""
        return self._table is not None and bool(self._table.substituted) and not self.is_over

    @property
    def may_skip(self) -> bool:
        table = self._table
        if self.problem is not None or table is None or table.is_over or not table.mine:
            return False
        alone = all(seat.bot or at in table.mine for at, seat in enumerate(table.seats))
        return alone and table.position.seat not in table.mine

    @property
    def is_over(self) -> bool:
        return self._table is not None and self._table.is_over

    @property
    def asking(self) -> str | None:
        table = self._table
        if table is None or table.asked is None or table.to_answer is None:
            return None
        return self.names[table.asked.seat or 0]

    @property
    def orders(self) -> Mapping[int, Order]:
        seats = () if self._table is None else self._table.seats
        return {at: seat.order for at, seat in enumerate(seats) if seat.order is not None}

    @property
    def order_parts(self) -> Sequence[OrderPart]:
        return () if self._table is None else offered_orders(self._table.opened)

    @property
    def score(self) -> Sequence[tuple[str, int]]:
        return () if self._table is None else self._table.score

    @property
    def rematch_offer(self) -> Note | None:
        table = self._table
        if table is None or not table.is_over or self._refusal is not None:
            return None
        if table.next is not None:
            return Note(message("A rematch is open."))
        return Note(message("Another game?")) if table.mine and table.opened.daily is None else None

    # Events

    async def run(self) -> None:
        try:
            await self._connection.run()
        except (Refused, Unreachable) as error:
            if isinstance(error, Refused) and error.code == "wrong-secret":
                self._secrets.forget(self.link)
            self._refusal = Note(error.template, error.fields)
            self._received.set()
            self._changed()

    def _on_disconnect(self) -> None:
        self._is_connected = False
        self._changed()

    def _on_message(self, news: ConnectionMessage) -> None:
        match news:
            case SeenState():
                self._begin(news)
            case SeenEvent():
                before, self._table = self._table, self._connection.table
                assert self._table is not None
                self._log(before, self._table)
            case ClockView():
                self._clock = news, time.monotonic()
        is_news = news is not None or not self._is_connected
        self._is_connected = True
        self._received.set()
        if self._connection.pace is not self._pace and not self.may_skip:
            self._set_pace(self._pace)
        if is_news:  # a heartbeat leaves on the screen what is said there
            self._changed()

    def _begin(self, state: SeenState) -> None:
        """Take in a whole table, and log what has happened there."""
        self._entries = []
        before = None
        for self._table in RemoteTable.versions(state):
            self._log(before, self._table)
            before = self._table

    def _log(self, before: RemoteTable | None, after: RemoteTable) -> None:
        """Log a table's last event."""
        entry = after.last_entry
        match entry.event:
            case Played(event, ordered=by) if before is not None and after.last_play == entry.n:
                self._entries.append(Step(before.position, event, after.position, by))
                return
            case Ordered(order) if entry.seat is not None:
                self._entries.append(_order_note(self.names[entry.seat], order))
                return
            case Reacted(reaction):
                text = _REACTIONS.get(reaction)
            case Substituted(reason=SubstituteReason.TIME):
                text = _TIME_OVER if after.opened.days is None else _TURN_OVER
            case Returned() if after.opened.days is not None and after.started:
                text = None  # nobody has come back: the turn that a bot has played is over
            case Resigned(by=int()):
                text = _GIVEN_UP
            case Revealed(turn=int()):
                text = _SALT_ADDED
            case _:
                text = _NOTES.get(entry.kind)
        if text is not None:
            name = "" if entry.seat is None else self.names[entry.seat]
            self._entries.append(Note(text, {"name": name}))

    # Actions

    async def act(self, decision: Decision) -> None:
        assert self._table is not None
        seat, n = self._table.position.seat, self._table.n
        match decision:
            case Choice.ROLL:
                await self._roll(Roll(id=new_action_id(), seat=seat, n=n))
            case Choice.STOP:
                await self._act(Stop(id=new_action_id(), seat=seat, n=n))
            case Thrown(dice):
                await self._act(Roll(id=new_action_id(), seat=seat, n=n, dice=dice))
            case _:
                move = str(decision)
                await self._act(MakeMove(id=new_action_id(), seat=seat, n=n, move=move))

    async def _roll(self, roll: Roll) -> None:
        """Roll; who has lost the salt of the seat reads that first, and rolls again without it."""
        await self._connection.reveal_salt()
        if self._salt_is_lost and self._at_table().owes_salt:
            await self._act(LoseSalt(id=new_action_id(), seat=roll.seat))
        try:
            await self._act(roll)
        except Refused as refused:
            if refused.code != SALT_NEEDED:
                raise
            self._salt_is_lost = True
            raise IllegalAction(
                "The salt of your seat is on the device on which you sat down: play there. If it "
                "is lost, roll again to play without it."
            ) from None

    async def undo(self) -> None:
        """Take the last decision back; where others hold seats, that is a question to them."""
        table = self._at_table()
        seat = table.to_take_back()
        after = await self._act(TakeBack(id=new_action_id(), seat=seat, n=table.n))
        if after.asked is not None:
            self._entries.append(
                Note(message("The others at the table are asked: you take it back if they agree."))
            )
            self._changed()

    async def answer(self, *, agree: bool) -> None:
        """Let another seat take its last decision back, or not."""
        table = self._at_table()
        if table.asked is None or table.to_answer is None:
            raise IllegalAction("Nobody asks to take anything back.")
        answer = Agree if agree else Decline
        asked = answer(id=new_action_id(), seat=table.to_answer, asked=table.asked.n)
        await self._act(asked)

    async def resign(self) -> None:
        """Give up the game."""
        await self._act(Resign(id=new_action_id(), seat=self._at_table().own_seat))

    async def drop(self) -> None:
        """Give up the seat of the first player who lets turns pass, at a slow table."""
        table = self._at_table()
        seats = seats_to_drop(table, table.own_seat)
        if not seats:
            raise IllegalAction("Nobody here has missed two turns in a row.")
        await self._act(Drop(id=new_action_id(), seat=table.own_seat, absent=seats[0]))

    async def order(self, order: Order | None) -> None:
        """Give a standing order in place of the one before it, or revoke it."""
        table = self._at_table()
        if order is None:
            await self._act(Revoke(id=new_action_id(), seat=table.ordered_seat))
            return
        given = GiveOrder(
            id=new_action_id(),
            seat=table.ordering_seat,
            runners=order.runners,
            column=order.column,
            bust=order.bust,
        )
        await self._act(given)

    async def come_back(self) -> None:
        """Play again where a bot plays for us."""
        for seat in self._at_table().substituted or [self._at_table().own_seat]:
            await self._act(Return(id=new_action_id(), seat=seat))

    async def skip(self) -> None:
        """Bots play at once, until it is our turn."""
        if not self.may_skip:
            raise IllegalAction("No bot's turn can be skipped now.")
        await self._connection.set_pace(Pace.AT_ONCE)

    def _set_pace(self, pace: Pace) -> None:
        task = asyncio.create_task(self._connection.set_pace(pace))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def react(self, reaction: str) -> None:
        """Say something about it to everybody here."""
        seat = self._at_table().own_seat
        await self._act(React(id=new_action_id(), seat=seat, reaction=Reaction(reaction)))

    async def rematch(self) -> "OnlineController":
        """The table of the next game: the one that a player has asked for, or a new one."""
        table = self._at_table()
        if table.next is None:
            table = await self._act(Rematch(id=new_action_id(), seat=table.own_seat))
        if table.next is None:  # we were shut out meanwhile
            raise IllegalAction("There can be a rematch once the game is over.")
        link = replace(self.link, table=table.next)
        if self._secret is not None:
            self._secrets.save(link, self._secret)
        return OnlineController(link, self._secret, self._language, self._secrets, self._pace)

    async def _act(self, action: TableAction) -> RemoteTable:
        """Do something, and wait for its event; returns the table then."""
        n = await self._connection.act(action)
        while self._at_table().n < n and self._refusal is None:
            self._received.clear()
            await self._received.wait()
        return self._at_table()

    def _at_table(self) -> RemoteTable:
        if self._table is None:
            raise IllegalAction("It is not your turn.")
        return self._table

    async def hint(self) -> "Hint":
        """The server's own, where the table has hints; everybody sees that we have asked."""
        link = replace(self.link, secret=self._secret)
        answer = await in_daemon_thread(lambda: hint(link, language=self._language))
        try:
            return hint_from(answer)
        except MALFORMED:
            raise unexpected_answer(self.link.server) from None

    @property
    def own_seat(self) -> int | None:
        mine = self._table.mine if self._table is not None else ()
        return next(iter(mine)) if len(mine) == 1 else None

    def record(self) -> Record:
        if self._table is None:
            raise IllegalAction("The review comes after the game.")
        table = self._table
        resigned = tuple(at for at, seat in enumerate(table.seats) if seat.resigned)
        return Record(
            table.began,
            self.names,
            table.events,
            ended=ENDED_BY_RESIGNING if table.ended == ENDED_BY_RESIGNING else None,
            resigned=resigned,
        )
