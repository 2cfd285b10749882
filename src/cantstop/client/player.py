"""A player at a table on a server, for programs: decide oneself, or let a bot play."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from typing import Self, TypeVar

from cantstop.bots import AnyBot, decide, read_bot
from cantstop.client.async_player import (
    LONGEST_NAME,
    OVERTAKEN,
    SALT_NEEDED,
    TIMEOUT,
    WAIT_TIMEOUT,
    AsyncPlayer,
    left_table,
)
from cantstop.client.links import TableLink
from cantstop.client.requests import Refused, hint, look, record, take_seat
from cantstop.client.table import RemoteTable
from cantstop.record import Verification
from cantstop.rules import Action, AnyDice, AnyMove, Choice, LegalMoves, Outcome, Position
from cantstop.wire.insight import HintAnswer
from cantstop.wire.messages import ClockView

Found = TypeVar("Found")


class Player:
    """A player or watcher at a table on a server: an ``AsyncPlayer`` without the waiting.

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
        self.link = TableLink.of(link)
        self._language = language
        self._player = AsyncPlayer(
            self.link, language=language, timeout=timeout, on_change=on_change
        )
        self._lock = threading.Lock()
        self._closed = False
        """Set under the lock, so that the loop gets no work that it would not do any more."""
        self._left = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name=f"table {self.link.table}")
        self._thread.daemon = True
        self._thread.start()
        try:
            self._do(self._player.__aenter__())
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

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave; the seat stays ours, and ``link`` comes back to it."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._loop.call_soon_threadsafe(self._left.set)
        self._thread.join()

    # The table

    @property
    def clock(self) -> ClockView | None:
        """The table's clock, with what is left now; None where there is none."""
        return self._player.clock

    @property
    def table(self) -> RemoteTable:
        """The table now."""
        return self._player.table

    @property
    def position(self) -> Position:
        """The position now."""
        return self._player.position

    @property
    def moves(self) -> int:
        """How many moves the turn in progress has had."""
        return self._player.moves

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on, or if it was ended without a winner."""
        return self._player.outcome

    # Waiting

    def wait(
        self, until: Callable[[RemoteTable], bool], timeout: float = WAIT_TIMEOUT
    ) -> RemoteTable:
        """Wait until the condition holds, and return the table; raises ``TimedOut`` otherwise."""
        return self._do(self._player.wait(until, timeout))

    def decisions(self, timeout: float = WAIT_TIMEOUT) -> Iterator[Position]:
        """Every position in which we have to decide, until the game is over.

        Between two of them the others have ``timeout`` seconds.

        Each asks for one of ``roll``, ``move`` and ``stop``. A seat that was given to a bot while
        we were away is taken back.

        Raises:
            IllegalAction: If the last decision has not been acted on.
        """
        found = self._player.decisions(timeout)

        async def following() -> Position | None:
            return await anext(found, None)

        while (position := self._do(following())) is not None:
            yield position

    # Actions

    def roll(self, dice: AnyDice | None = None) -> LegalMoves:
        """Throw the dice and return the moves they allow: none if it is a bust.

        Where the players throw their own dice, ``dice`` are what they show: ``roll("2345")``.
        """
        return self._do(self._player.roll(dice))

    def move(self, move: AnyMove) -> None:
        """Use the dice: ``move("6+8")`` or one of ``position.legal_moves``."""
        self._do(self._player.move(move))

    def stop(self) -> None:
        """End the turn."""
        self._do(self._player.stop())

    def take_back(self) -> bool:
        """Take back our last decision; where others have to agree, ask them: then it is False."""
        return self._do(self._player.take_back())

    def answer(self, *, agree: bool) -> None:
        """Let another seat take back its last decision, or not."""
        self._do(self._player.answer(agree=agree))

    def order(
        self, *, runners: bool = False, column: bool = False, bust: int | None = None
    ) -> None:
        """Give a standing order, in place of the one before it; it stands until it is revoked.

        With ``runners`` it rolls until three runners are out, and plays a move where a roll allows
        only one; with ``column`` it stops once that wins a column; with ``bust`` it stops once the
        next roll busts with more than that chance, in per cent, at a table with help or
        hints. The server acts on it without us; what else there is to decide is left to us. It ends
        when we take back a decision, when a bot plays for us, and when we resign.
        """
        self._do(self._player.order(runners=runners, column=column, bust=bust))

    def revoke(self) -> None:
        """Revoke our standing order."""
        self._do(self._player.revoke())

    def lose_salt(self) -> None:
        """At a slow table: play without the salt that our seat has committed to.

        It is on the machine that sat down. Where that is lost, rolling is refused with the code
        ``salt-needed``; without the salt, the dice are not protected against the others for us.
        """
        self._do(self._player.lose_salt())

    def resign(self) -> None:
        """Give up the game: the other wins, or a bot plays on for us."""
        self._do(self._player.resign())

    def drop(self, seat: int) -> None:
        """Give up the seat of a player who has missed two turns in a row, at a slow table."""
        self._do(self._player.drop(seat))

    def react(self, reaction: str) -> None:
        """Say something about it: ``cheer``, ``applaud``, ``tease`` and so on."""
        self._do(self._player.react(reaction))

    def hint(self) -> HintAnswer:
        """What we can do now, at a table with hints; everybody sees that we have asked."""
        return hint(self.link, language=self._language)

    def rematch(self) -> TableLink:
        """Ask for another game with the same people and return the link to our seat there."""
        return self._do(self._player.rematch())

    def verify(self) -> Verification:
        """Check the record of the game, also against what we saw before the first roll."""
        return self._player.check_record(record(self.link))

    # The thread that holds the connection

    def _do(self, work: Coroutine[None, None, Found]) -> Found:
        """Do something in the thread of the connection, and wait for it."""
        with self._lock:
            if self._closed:
                work.close()  # or Python would warn that nobody has awaited it
                self._player.check()
                raise left_table()
            doing = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return doing.result()
        except CancelledError:  # another thread has left the table
            self._player.check()
            raise
        except BaseException:
            doing.cancel()
            raise

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._hold())

    async def _hold(self) -> None:
        await self._left.wait()
        await self._player.close()


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
                    if refused.code == SALT_NEEDED:
                        me.lose_salt()
                    elif refused.code not in OVERTAKEN:
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
