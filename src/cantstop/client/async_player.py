"""A player at a table on a server, for programs that have an event loop of their own."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from operator import methodcaller
from typing import Self

from msgspec import structs

from cantstop.bots import AnyBot, decide, read_bot
from cantstop.client.connection import Connection, ConnectionMessage
from cantstop.client.links import TableLink
from cantstop.client.requests import (
    Refused,
    hint,
    look,
    record,
    take_seat,
)
from cantstop.client.table import RemoteTable
from cantstop.dice import GradualDice, GradualSeal, Seal, SealedDice
from cantstop.record import Record, Verification, verify
from cantstop.rules import (
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
from cantstop.table.events import Reaction
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


def left_table() -> IllegalAction:
    """The error for whoever goes on after leaving."""
    return IllegalAction("You have left this table.")


LONGEST_NAME = 24
OVERTAKEN = ("stale", "not-now", "not-your-turn")
"""The codes for a player whose seat was given to a bot while it was away."""
SALT_NEEDED = "salt-needed"
"""The code for a player whose salt is on another machine."""


class AsyncPlayer:
    """A player or watcher at a table, like ``Player``, whose actions are awaited.

    ``async with AsyncPlayer.join(link, "Ada") as me`` connects; any number of players share one
    event loop. ``on_change`` is called in it with the table after every event.
    """

    def __init__(
        self,
        link: TableLink | str,
        *,
        name: str | None = None,
        colour: int | None = None,
        language: str = "en",
        timeout: float = TIMEOUT,
        on_change: Callable[[RemoteTable], object] | None = None,
    ) -> None:
        self.link = TableLink.of(link)
        self._table: RemoteTable | None = None
        self._failure: Exception | None = None
        """What ended the connection, if anything did."""
        self._has_acted = False
        self._clock: tuple[ClockView, float] | None = None
        """The last message about the clock, and when it came."""
        self._name, self._colour = name, colour
        self._language, self._timeout, self._on_change = language, timeout, on_change
        self._changed = asyncio.Condition()
        self._connection: Connection | None = None
        self._tasks: set[asyncio.Task[None]] = set()

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
        return cls(
            link, name=name, colour=colour, language=language, timeout=timeout, on_change=on_change
        )

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

    async def __aenter__(self) -> Self:
        if self._name is not None and self.link.secret is None:
            secret = await asyncio.to_thread(
                take_seat, self.link, self._name, self._language, colour=self._colour
            )
            self.link = replace(self.link, secret=secret)
        self._connection = Connection(
            self.link,
            self.link.secret,
            self._language,
            self._on_message,
            lambda: None,
            self._timeout,
        )
        self._start(self._connect(self._connection))
        try:
            await self.wait(lambda _: True, self._timeout)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leave; the seat stays ours, and ``link`` comes back to it."""
        self._failure = self._failure or left_table()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._wake()

    # The table

    @property
    def clock(self) -> ClockView | None:
        """The table's clock, with what is left now; None where there is none."""
        if self._clock is None:
            return None
        clock, at = self._clock
        if clock.left is None:
            return clock
        left = clock.left - (time.monotonic() - at)
        return structs.replace(clock, left=max(0.0, left))

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

    # Waiting

    async def wait(
        self, until: Callable[[RemoteTable], bool], timeout: float = WAIT_TIMEOUT
    ) -> RemoteTable:
        """Wait until the condition holds, and return the table; raises ``TimedOut`` otherwise."""
        try:
            async with asyncio.timeout(timeout), self._changed:
                while self._table is None or not until(self._table):
                    self.check()
                    await self._changed.wait()
                return self._table
        except TimeoutError:
            raise timed_out(timeout) from None

    async def decisions(self, timeout: float = WAIT_TIMEOUT) -> AsyncIterator[Position]:
        """Every position in which we have to decide, until the game is over.

        Each asks for one of ``roll``, ``move`` and ``stop``, as with ``Player.decisions``.

        Raises:
            IllegalAction: If the last decision has not been acted on.
        """
        decided = -1
        while True:
            table = await self.wait(methodcaller("is_due", decided), timeout)
            if table.is_over:
                return
            if table.substituted:
                for seat in table.substituted:
                    with suppress(Refused):  # it is ours again already
                        await self._act(Return(id=new_action_id(), seat=seat))
                decided = -1
                continue
            decided, self._has_acted = table.last_play, False
            yield table.position
            if not self._has_acted and self.table.last_play == decided:
                raise IllegalAction("Roll, move or stop before the next decision.")

    # Actions

    async def roll(self, dice: AnyDice | None = None) -> LegalMoves:
        """Throw the dice and return the moves they allow: none if it is a bust.

        Where the players throw their own dice, ``dice`` are what they show: ``roll("2345")``.
        """
        position, thrown = self.table.to_roll(dice)
        await self._revealed()
        action = Roll(id=new_action_id(), seat=position.seat, n=self.table.n, dice=thrown)
        n, table = await self._act(action)
        return table.rolled(n, position)

    async def lose_salt(self) -> None:
        """At a slow table: play without the salt that our seat has committed to.

        It is on the machine that sat down. Where that is lost, rolling is refused with the code
        ``salt-needed``; without the salt, the dice are not protected against the others for us.
        """
        await self._act(LoseSalt(id=new_action_id(), seat=self.table.in_turn().seat))

    async def move(self, move: AnyMove) -> None:
        """Use the dice: ``move("6+8")`` or one of ``position.legal_moves``."""
        position, move = self.table.in_turn(), Move.read(move)
        position.move(move)
        action = MakeMove(id=new_action_id(), seat=position.seat, n=self.table.n, move=str(move))
        await self._act(action)

    async def stop(self) -> None:
        """End the turn."""
        position = self.table.in_turn()
        position.stop()
        await self._act(Stop(id=new_action_id(), seat=position.seat, n=self.table.n))

    async def take_back(self) -> bool:
        """Take back our last decision; where others have to agree, ask them: then it is False."""
        n = self.table.n
        seat = self.table.to_take_back()
        _, table = await self._act(TakeBack(id=new_action_id(), seat=seat, n=n))
        return table.asked is None

    async def answer(self, *, agree: bool) -> None:
        """Let another seat take back its last decision, or not."""
        seat, asked = self._to_answer()
        answer = Agree if agree else Decline
        await self._act(answer(id=new_action_id(), seat=seat, asked=asked))

    async def order(
        self, *, runners: bool = False, column: bool = False, bust: int | None = None
    ) -> None:
        """Give a standing order, in place of the one before it; it stands until it is revoked.

        With ``runners`` it rolls until three runners are out, and plays a move where a roll allows
        only one; with ``column`` it stops once that wins a column; with ``bust`` it stops once the
        next roll busts with more than that chance, in per cent, at a table with help or
        hints. The server acts on it without us; what else there is to decide is left to us. It ends
        when we take back a decision, when a bot plays for us, and when we resign.
        """
        order = GiveOrder(
            id=new_action_id(),
            seat=self.table.ordering_seat,
            runners=runners,
            column=column,
            bust=bust,
        )
        await self._act(order)

    async def revoke(self) -> None:
        """Revoke our standing order."""
        await self._act(Revoke(id=new_action_id(), seat=self.table.ordered_seat))

    async def resign(self) -> None:
        """Give up the game: the other wins, or a bot plays on for us."""
        await self._act(Resign(id=new_action_id(), seat=self.table.own_seat))

    async def drop(self, seat: int) -> None:
        """Give up the seat of a player who has missed two turns in a row, at a slow table.

        ``clock.drop`` has the seats for which that is possible.
        """
        own = self.table.own_seat
        await self._act(Drop(id=new_action_id(), seat=own, absent=seat))

    async def react(self, reaction: str) -> None:
        """Say something about it: ``cheer``, ``applaud``, ``tease`` and so on."""
        seat = self.table.own_seat
        await self._act(React(id=new_action_id(), seat=seat, reaction=Reaction(reaction)))

    async def hint(self) -> HintAnswer:
        """What we can do now, at a table with hints; everybody sees that we have asked."""
        return await asyncio.to_thread(hint, self.link, language=self._language)

    async def rematch(self) -> TableLink:
        """Ask for another game with the same people and return the link to our seat there."""
        _, table = await self._act(Rematch(id=new_action_id(), seat=self.table.own_seat))
        assert table.next is not None
        return replace(self.link, table=table.next)

    async def verify(self) -> Verification:
        """Check the record of the game, also against what we saw before the first roll."""
        return self.check_record(await asyncio.to_thread(record, self.link))

    def check_record(self, found: Record) -> Verification:
        """Check a record, also against what was seen here before the first roll."""
        verification = verify(found)
        dice = found.dice
        seal = dice.seal if isinstance(dice, SealedDice | GradualDice) else dice
        assert self._connection is not None
        if isinstance(seal, Seal | GradualSeal) and self._connection.salts is not None:
            self._connection.salts.check(seal)
        return verification

    def _to_answer(self) -> tuple[int, int]:
        """The seat of ours that is asked for a take-back, and the event that asks."""
        seat, asked = self.table.to_answer, self.table.asked
        if seat is None or asked is None:
            raise IllegalAction("Nobody asks to take anything back.")
        return seat, asked.n

    def check(self) -> None:
        """Raise what ended the connection, if anything did."""
        if self._failure is not None:
            raise self._failure

    async def _act(self, action: TableAction) -> tuple[int, RemoteTable]:
        """Send an action and wait for its event; returns the event's number, and the table then."""
        self.check()
        assert self._connection is not None
        self._has_acted = True
        try:
            async with asyncio.timeout(self._timeout):
                n = await self._connection.act(action)
        except TimeoutError:
            raise timed_out(self._timeout) from None
        return n, await self.wait(
            lambda now: now.n >= n and now.position.phase is not Phase.BUST, self._timeout
        )

    async def _revealed(self) -> None:
        """Reveal our salt first, where that is due."""
        assert self._connection is not None
        try:
            async with asyncio.timeout(self._timeout):
                await self._connection.reveal_salt()
        except TimeoutError:
            raise timed_out(self._timeout) from None

    # The connection

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, connection: Connection) -> None:
        try:
            await connection.run()
        except Exception as failure:  # raised where the table is next waited for
            self._failure = self._failure or failure
        await self._wake()

    def _on_message(self, message: ConnectionMessage) -> None:
        assert self._connection is not None
        self._table = self._connection.table
        if isinstance(message, ClockView):
            self._clock = message, time.monotonic()
        if isinstance(message, SeenState | SeenEvent) and self._on_change is not None:
            self._on_change(self.table)
        # a condition is notified by whoever holds its lock, which only a task can wait for
        self._start(self._wake())

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()


async def play_async(
    link: TableLink | str, bot: AnyBot, *, name: str | None = None
) -> Outcome | None:
    """Let a bot play a game to its end, as ``play`` does, beside whatever else the loop does.

    The bot decides in the event loop: one that thinks for long holds up everybody there.
    """
    link, player = TableLink.of(link), read_bot(bot)
    try:
        player.check((await asyncio.to_thread(look, link)).start.rules)
        async with AsyncPlayer.join(link, (name or player.name)[:LONGEST_NAME]) as me:
            async for _ in me.decisions():
                try:
                    match decide(player, me.position, me.moves):
                        case Choice.STOP:
                            await me.stop()
                        case Choice.ROLL:
                            await me.roll()
                        case move:
                            await me.move(move)
                except Refused as refused:
                    if refused.code == SALT_NEEDED:
                        await me.lose_salt()
                    elif refused.code not in OVERTAKEN:
                        raise
            return me.outcome
    finally:
        if isinstance(bot, str):
            player.close()
