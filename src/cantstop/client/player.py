"""A player at a table on a server, for programs: decide oneself, or let a bot play."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from operator import methodcaller
from types import TracebackType
from typing import Self

from msgspec import structs

from cantstop.bots import AnyBot, decide, read_bot
from cantstop.client.connection import Connection, Told
from cantstop.client.links import TableLink
from cantstop.client.requests import (
    Refused,
    hint,
    look,
    record,
    take_seat,
)
from cantstop.client.table import RemoteTable
from cantstop.dice import Seal, SealedDice
from cantstop.record import Record, Verification, verify
from cantstop.rules import (
    Action,
    AnyDice,
    AnyMove,
    CantStopError,
    Choice,
    IllegalAction,
    LegalMoves,
    Move,
    Outcome,
    Phase,
    Position,
)
from cantstop.table import Reaction
from cantstop.wire.actions import (
    Agree,
    Decline,
    MakeMove,
    React,
    Rematch,
    Resign,
    Return,
    Roll,
    Stop,
    TableAction,
    TakeBack,
    new_action_id,
)
from cantstop.wire.insight import HintAnswer
from cantstop.wire.messages import ClockView
from cantstop.wire.seen import SeenEvent, SeenState

TIMEOUT = 60.0
"""Seconds without a message from the server after which a player gives up."""
WAIT_TIMEOUT = 3600.0
"""Seconds that a player waits for others, if nothing else is said."""


class TimedOut(CantStopError):
    """What the caller waited for did not happen in time."""


def timed_out(seconds: float) -> TimedOut:
    """The error after a timeout in seconds."""
    return TimedOut("Nothing has happened within {seconds} s.", seconds=f"{seconds:g}")


LONGEST_NAME = 24
OVERTAKEN = ("stale", "not-now", "not-your-turn")
"""The codes for a player whose seat was given to a bot while it was away."""


class TableView:
    """The table as a connected client sees it: what both kinds of players have in common."""

    def __init__(self) -> None:
        self._table: RemoteTable | None = None
        self._failure: Exception | None = None
        self._has_acted = False
        self._clock: tuple[ClockView, float] | None = None
        """The last message about the clock, and when it came."""

    @property
    def clock(self) -> ClockView | None:
        """The table's clock, with what is left now; None where there is none."""
        if self._clock is None:
            return None
        told, at = self._clock
        passed = time.monotonic() - at
        return (
            told if told.left is None else structs.replace(told, left=max(0.0, told.left - passed))
        )

    @property
    def table(self) -> RemoteTable:
        """The table now."""
        if self._table is None:
            raise IllegalAction("You are not at this table yet: use “async with”.")
        return self._table

    @property
    def position(self) -> Position:
        """The position now."""
        return self.table.position

    @property
    def moves(self) -> int:
        """How many moves the turn in progress has had."""
        return self.table.moves_in_turn

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on, or if it was ended without a winner."""
        return self.table.outcome

    def _receive(self, told: Told, connection: Connection) -> bool:
        """Take in a message of the server; whether the table has changed."""
        self._table = connection.table
        if isinstance(told, ClockView):
            self._clock = told, time.monotonic()
        return isinstance(told, SeenState | SeenEvent)

    def _to_answer(self) -> tuple[int, int]:
        """The seat of ours that is asked for a take-back, and the event that asks."""
        seat, asked = self.table.to_answer, self.table.asked
        if seat is None or asked is None:
            raise IllegalAction("Nobody asks to take anything back.")
        return seat, asked.n

    def _check(self) -> None:
        """Raise what ended the connection, if anything did."""
        if self._failure is not None:
            raise self._failure


class Player(TableView):
    """A player or watcher at a table on a server.

    A thread of its own holds the connection, so that a player may think for as long as it likes.
    ``on_change`` is called in that thread with the table after every event.
    """

    def __init__(
        self,
        link: TableLink | str,
        *,
        language: str = "en",
        timeout: float = TIMEOUT,
        on_change: Callable[[RemoteTable], object] | None = None,
    ) -> None:
        super().__init__()
        self.link = TableLink.of(link)
        self._language = language
        self._on_change = on_change
        self._timeout = timeout
        self._changed = threading.Condition()
        self._connection = Connection(
            self.link, self.link.secret, language, self._on_message, lambda: None, timeout
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=f"table {self.link.table}")
        self._thread.daemon = True
        self._thread.start()
        try:
            self.wait(lambda _: True, timeout)
        except BaseException:
            self.close()
            raise

    @classmethod
    def join(
        cls,
        link: TableLink | str,
        name: str,
        *,
        colour: int | None = None,
        language: str = "en",
        timeout: float = TIMEOUT,
        on_change: Callable[[RemoteTable], object] | None = None,
    ) -> Self:
        """Sit down at a free seat, or come back to the one whose secret is in the link."""
        link = TableLink.of(link)
        if link.secret is None:
            secret = take_seat(link, name, language, colour=colour)
            link = replace(link, secret=secret)
        return cls(link, language=language, timeout=timeout, on_change=on_change)

    @classmethod
    def watch(
        cls,
        link: TableLink | str,
        *,
        language: str = "en",
        timeout: float = TIMEOUT,
        on_change: Callable[[RemoteTable], object] | None = None,
    ) -> Self:
        """Look on without a seat."""
        link = replace(TableLink.of(link), secret=None)
        return cls(link, language=language, timeout=timeout, on_change=on_change)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave; the seat stays ours, and ``link`` comes back to it."""
        with self._changed:
            if self._failure is None:
                self._fail(IllegalAction("You have left this table."))
                self._loop.call_soon_threadsafe(self._leave)
        self._thread.join()

    # Waiting

    def wait(
        self, until: Callable[[RemoteTable], bool], timeout: float = WAIT_TIMEOUT
    ) -> RemoteTable:
        """Wait until the condition holds, and return the table; raises ``TimedOut`` otherwise."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while self._table is None or not until(self._table):
                self._check()
                left = deadline - time.monotonic()
                if left <= 0:
                    raise timed_out(timeout)
                self._changed.wait(min(left, threading.TIMEOUT_MAX))
            return self._table

    def decisions(self, timeout: float = WAIT_TIMEOUT) -> Iterator[Position]:
        """Every position in which we have to decide, until the game is over.

        Between two of them the others have ``timeout`` seconds.

        Each asks for one of ``roll``, ``move`` and ``stop``. A seat that was given to a bot while
        we were away is taken back.

        Raises:
            IllegalAction: If the last decision has not been acted on.
        """
        decided = -1
        while True:
            table = self.wait(methodcaller("is_due", decided), timeout)
            if table.is_over:
                return
            if table.substituted:
                self._return_to(table.substituted)
                decided = -1
                continue
            decided, self._has_acted = table.last_play, False
            yield table.position
            if not self._has_acted and self.table.last_play == decided:
                raise IllegalAction("Roll, move or stop before the next decision.")

    def _return_to(self, seats: list[int]) -> None:
        for seat in seats:
            with suppress(Refused):  # it is ours again already
                self._act(Return(id=new_action_id(), seat=seat))

    # Actions

    def roll(self, dice: AnyDice | None = None) -> LegalMoves:
        """Throw the dice and return the moves they allow: none if it is a bust.

        Where the players throw their own dice, ``dice`` are what they show: ``roll("2345")``.
        """
        position, thrown = self.table.to_roll(dice)
        action = Roll(id=new_action_id(), seat=position.seat, n=self.table.n, dice=thrown)
        n, table = self._act(action)
        return table.rolled(n, position)

    def move(self, move: AnyMove) -> None:
        """Use the dice: ``move("6+8")`` or one of ``position.legal_moves``."""
        position, move = self.table.in_turn(), Move.read(move)
        position.move(move)
        action = MakeMove(id=new_action_id(), seat=position.seat, n=self.table.n, move=str(move))
        self._act(action)

    def stop(self) -> None:
        """End the turn."""
        position = self.table.in_turn()
        position.stop()
        self._act(Stop(id=new_action_id(), seat=position.seat, n=self.table.n))

    def take_back(self) -> bool:
        """Take back our last decision; where others have to agree, ask them: then it is False."""
        n = self.table.n
        seat = self.table.to_take_back()
        _, table = self._act(TakeBack(id=new_action_id(), seat=seat, n=n))
        return table.asked is None

    def answer(self, *, agree: bool) -> None:
        """Let another seat take back its last decision, or not."""
        seat, asked = self._to_answer()
        answer = Agree if agree else Decline
        self._act(answer(id=new_action_id(), seat=seat, asked=asked))

    def resign(self) -> None:
        """Give up the game: the other wins, or a bot plays on for us."""
        self._act(Resign(id=new_action_id(), seat=self.table.own_seat))

    def react(self, reaction: str) -> None:
        """Say something about it: ``cheer``, ``applaud``, ``tease`` and so on."""
        seat = self.table.own_seat
        self._act(React(id=new_action_id(), seat=seat, reaction=Reaction(reaction)))

    def hint(self) -> HintAnswer:
        """What we can do now, at a table with hints; everybody sees that we have asked."""
        return hint(self.link, language=self._language)

    def rematch(self) -> TableLink:
        """Ask for another game with the same people and return the link to our seat there."""
        _, table = self._act(Rematch(id=new_action_id(), seat=self.table.own_seat))
        assert table.next is not None
        return replace(self.link, table=table.next)

    def verify(self) -> Verification:
        """Check the record of the game, also against what we saw before the first roll."""
        return check_record(record(self.link), self._connection)

    def _act(self, action: TableAction) -> tuple[int, RemoteTable]:
        """Send an action and wait for its event; returns the event's number, and the table then."""
        with self._changed:
            self._check()
            self._has_acted = True
            answer = asyncio.run_coroutine_threadsafe(self._connection.act(action), self._loop)
        try:
            n = answer.result(self._timeout)
        except CancelledError:
            self._check()
            raise
        except TimeoutError:
            answer.cancel()
            raise timed_out(self._timeout) from None
        return n, self.wait(
            lambda now: now.n >= n and now.position.phase is not Phase.BUST, self._timeout
        )

    # The thread that holds the connection

    def _run(self) -> None:
        with (
            suppress(asyncio.CancelledError),
            asyncio.Runner(loop_factory=lambda: self._loop) as runner,
        ):
            runner.run(self._connect())

    async def _connect(self) -> None:
        try:
            await self._connection.run()
        except Exception as failure:  # raised in the thread that plays when it next calls us
            self._fail(failure)

    def _fail(self, failure: Exception) -> None:
        with self._changed:
            self._failure = self._failure or failure
            self._changed.notify_all()

    def _leave(self) -> None:
        for task in asyncio.all_tasks(self._loop):
            task.cancel()

    def _on_message(self, told: Told) -> None:
        with self._changed:
            changed = self._receive(told, self._connection)
            self._changed.notify_all()
        if changed and self._on_change is not None:
            self._on_change(self.table)


def check_record(found: Record, connection: Connection) -> Verification:
    """Check a record, also against what was seen on a connection before the first roll."""
    verification = verify(found)
    seal = found.dice.seal if isinstance(found.dice, SealedDice) else found.dice
    if isinstance(seal, Seal) and connection.salts is not None:
        connection.salts.check(seal)
    return verification


# Bots


def play(link: TableLink | str, bot: AnyBot, *, name: str | None = None) -> Outcome | None:
    """Let a bot play a game to its end: ``play("http://localhost:8000/t/k7Qm", "careful")``.

    It takes a free seat, or comes back to the one whose secret is in the link. ``bot`` is one of
    ``cantstop.bots``, any object with its two methods, or a name as for ``cantstop arena``.
    Returns how the game ended, or None if it was ended without a winner.
    """
    link = TableLink.of(link)
    player = read_bot(bot)
    try:
        player.check(look(link).start.rules)
        with Player.join(link, (name or player.name)[:LONGEST_NAME]) as me:
            for _ in me.decisions():
                try:
                    play_decision(me, decide(player, me.position, me.moves))
                except Refused as refused:
                    if refused.code not in OVERTAKEN:
                        raise
            return me.outcome
    finally:
        if isinstance(bot, str):
            player.close()


def play_decision(me: Player, decision: Action) -> None:
    """Send what a bot decided."""
    match decision:
        case Choice.STOP:
            me.stop()
        case Choice.ROLL:
            me.roll()
        case _:
            me.move(decision)
