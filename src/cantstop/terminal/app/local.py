"""A table at this terminal: people take turns at the keyboard, bots play by themselves."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from cantstop.bots import PACE
from cantstop.language import message
from cantstop.rules import Busted, CantStopError, Dice, Phase, Position, Rolled
from cantstop.terminal.app.driver import Decision, Entry, Note, Step, steps_of
from cantstop.terminal.keeping import Keeping
from cantstop.terminal.saving import SaveError

SECOND_THOUGHTS = 3
"""How many paces a bot leaves to the player before it to take a stop back."""

Result = TypeVar("Result")


class LocalDriver:
    """Plays a table and keeps it in its file."""

    def __init__(self, keeping: Keeping, pace: float = PACE, notes: Sequence[Note] = ()) -> None:
        self.keeping = keeping
        self.table = keeping.table
        self.trouble: Note | None = None
        self._pace = pace
        self._changed: Callable[[], None] = lambda: None
        self._woken = asyncio.Event()
        self._entries: list[Entry] = [*steps_of(self.table.game), *notes]

    # What there is to see

    @property
    def names(self) -> tuple[str, ...]:
        return self.table.names

    @property
    def colours(self) -> tuple[int, ...]:
        return tuple(range(len(self.table.seats)))

    @property
    def edition(self) -> str | None:
        return self.table.edition

    @property
    def position(self) -> Position:
        return self.table.game.position

    @property
    def turn(self) -> int:
        return self.table.game.turn

    @property
    def dice(self) -> Dice:
        rolls = (event for event in reversed(self.table.game.events) if isinstance(event, Rolled))
        return next((roll.dice for roll in rolls), self.position.dice or ())

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def may_act(self) -> bool:
        return self.table.seat.bot is None and self.position.phase not in (Phase.BUST, Phase.OVER)

    @property
    def may_undo(self) -> bool:
        return self.table.may_take_back

    def listen(self, changed: Callable[[], None]) -> None:
        self._changed = changed

    # What happens

    async def run(self) -> None:
        try:
            await self._play()
        except CantStopError as error:  # a bot failed; the game can go on from its file
            self.trouble = Note(error.template, error.fields)
            self._changed()

    async def _play(self) -> None:
        while True:
            if self.position.phase is Phase.BUST:
                await self._after_pause(self._bust)
            elif self.table.seat.bot is not None and self.position.phase is not Phase.OVER:
                await self._after_pause(self._let_bot_act)
            else:
                self._woken.clear()
                await self._woken.wait()

    async def _after_pause(self, step: Callable[[], Decision | Busted]) -> None:
        """Take a step after a while, unless the table has changed by then."""
        position = self.position
        await asyncio.sleep(self._pace * (SECOND_THOUGHTS if self.may_undo else 1))
        if self.position is not position:
            return
        decision = await _aside(step)
        if self.position is position:
            self._happen(decision)

    def _bust(self) -> Busted:
        return Busted()

    def _let_bot_act(self) -> Decision:
        decision = self.table.bot_decision()
        assert not isinstance(decision, Rolled | Busted)
        return decision

    async def act(self, decision: Decision) -> None:
        self._happen(decision)
        self._woken.set()

    async def undo(self) -> None:
        self.table.take_back()
        self._entries.append(Note(message("Taken back.")))
        self._keep()
        self._woken.set()

    def _happen(self, decision: Decision | Busted) -> None:
        before = self.position
        self.table.act(decision)
        self._entries.append(Step(before, self.table.game.events[-1], self.position))
        self._keep()

    def _keep(self) -> None:
        """Keep the game in a file; a full disk is told, and the game goes on."""
        try:
            self.keeping.update_or_begin()
        except SaveError as error:
            self._entries.append(Note(error.template, error.fields))
        self._changed()


async def _aside(work: Callable[[], Result]) -> Result:
    """Work in a thread that nobody waits for when the program ends: a bot may think long."""
    done: Future[Result] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return await asyncio.wrap_future(done)
