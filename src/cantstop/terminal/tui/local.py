"""A game at this terminal: people take turns at the keyboard, bots play by themselves."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from cantstop.bots import PACE
from cantstop.language import message
from cantstop.record import Record
from cantstop.rules import Busted, CantStopError, Dice, IllegalAction, Phase, Position
from cantstop.table.events import Order
from cantstop.terminal.controller import (
    Entry,
    GameController,
    Note,
    Step,
    last_roll,
    resigned_note,
    steps_of,
)
from cantstop.terminal.ladder import enter_game, ladder_game, result_text
from cantstop.terminal.local_game import Decision
from cantstop.terminal.save_file import SaveError, SaveFile
from cantstop.threads import in_daemon_thread

if TYPE_CHECKING:
    from cantstop.engine import Hint

UNDO_PAUSE = 3
"""How many times its pace a bot waits while the person before it can still undo."""


class LocalController:
    """Plays a game and keeps its save file up to date."""

    def __init__(self, file: SaveFile, pace: float = PACE, notes: Sequence[Note] = ()) -> None:
        self.file = file
        self.local = file.local
        self.problem: Note | None = None
        self._pace = pace
        self._changed: Callable[[], None] = lambda: None
        self._woken = asyncio.Event()
        self._hurried = asyncio.Event()
        """Set while bots play without pauses: the player skips their turns."""
        self._entries: list[Entry] = [*steps_of(self.local.game), *notes]
        self._show_end()

    # State

    @property
    def names(self) -> tuple[str, ...]:
        return self.local.names

    @property
    def colours(self) -> tuple[int, ...]:
        return tuple(range(len(self.local.seats)))

    @property
    def edition(self) -> str | None:
        return self.local.edition

    @property
    def position(self) -> Position:
        return self.local.game.position

    @property
    def turn(self) -> int:
        return self.local.game.turn

    @property
    def dice(self) -> Dice:
        return last_roll(self.local.game.events) or self.position.dice or ()

    @property
    def entries(self) -> Sequence[Entry]:
        return self._entries

    @property
    def may_act(self) -> bool:
        is_on = self.position.phase not in (Phase.BUST, Phase.OVER) and not self.local.is_given_up
        return self.local.seat.bot is None and is_on

    seconds_left = None

    @property
    def may_skip(self) -> bool:
        is_on = self.position.phase is not Phase.OVER and not self.local.is_given_up
        return self.local.seat.bot is not None and is_on

    @property
    def is_over(self) -> bool:
        return self.position.phase is Phase.OVER or self.local.is_given_up

    address = None
    asking = None
    score = ()
    orders: Mapping[int, Order] = MappingProxyType({})
    order_parts = ()
    rematch_offer = None

    def on_change(self, callback: Callable[[], None]) -> None:
        self._changed = callback

    # Playing

    async def run(self) -> None:
        try:
            await self._play()
        except CantStopError as error:  # a bot failed; the game can go on from its file
            self.problem = Note(error.template, error.fields)
            self._changed()

    async def _play(self) -> None:
        while True:
            if self.local.is_given_up:
                self._woken.clear()
                await self._woken.wait()
            elif self.position.phase is Phase.BUST:
                await self._after_pause(Busted)
            elif self.local.seat.bot is not None and self.position.phase is not Phase.OVER:
                await self._after_pause(self.local.bot_decision)
            else:
                self._hurried.clear()
                self._woken.clear()
                await self._woken.wait()

    async def _after_pause(self, choose: Callable[[], Decision | Busted]) -> None:
        """Choose and apply an action after a pause, unless the game has changed by then."""
        position = self.position
        with suppress(TimeoutError):
            pause = self._pace * (UNDO_PAUSE if self.local.may_undo else 1)
            await asyncio.wait_for(self._hurried.wait(), pause)
        if self.position is not position:
            return
        action = await in_daemon_thread(choose)
        if self.position is position:
            self._apply(action)

    async def act(self, decision: Decision) -> None:
        self._apply(decision)
        self._woken.set()

    async def undo(self) -> None:
        self.local.undo()
        self._entries.append(Note(message("Taken back.")))
        self._save()
        self._woken.set()

    async def resign(self) -> None:
        name = self.local.name
        self.local.resign()
        self._entries.append(Note(message("{name} resigns."), {"name": name}))
        self._show_end()
        self._note_score()
        self._save()
        self._woken.set()

    def _show_end(self) -> None:
        """Say how a game ended that nobody plays on."""
        if self.local.is_given_up:
            winners = self.local.record().winners(None)
            self.problem = (
                Note(message("The game was given up: nobody has won."))
                if winners is None
                else resigned_note(self.names, winners[0])
            )

    async def answer(self, *, agree: bool) -> None:  # noqa: ARG002
        raise IllegalAction("Nobody asks to take anything back.")

    async def order(self, order: Order | None) -> None:  # noqa: ARG002
        raise IllegalAction("There are no standing orders at this table.")

    async def come_back(self) -> None:
        raise IllegalAction("No bot plays for you.")

    async def skip(self) -> None:
        if not self.may_skip:
            raise IllegalAction("No bot's turn can be skipped now.")
        self._hurried.set()

    async def react(self, reaction: str) -> None:  # noqa: ARG002
        raise IllegalAction("Reactions are for tables on a server.")

    async def rematch(self) -> GameController:
        raise IllegalAction("A rematch is for tables on a server; N begins a new game.")

    async def hint(self) -> "Hint":
        if not self.may_act:
            raise IllegalAction("It is not your turn.")
        found = await in_daemon_thread(self.position.hint)
        self.local.note_hint(found.position.seat)
        self._save()
        return found

    @property
    def own_seat(self) -> int | None:
        return self.local.only_person

    def record(self) -> Record:
        return replace(self.local.record(), names=self.names)

    def _apply(self, action: Decision | Busted) -> None:
        before = self.position
        self.local.apply(action)
        self._entries.append(Step(before, self.local.game.events[-1], self.position))
        self._note_score()
        self._save()

    def _note_score(self) -> None:
        """Keep a game against an animal of the ladder once it is over, and say how it stands."""
        game = ladder_game(self.local)
        if game is None:
            return
        try:
            ladder = enter_game(self.file.folder, game)
        except SaveError as error:
            self._entries.append(Note(error.template, error.fields))
        else:
            self._entries.append(Note(partial(result_text, ladder=ladder, game=game)))

    def _save(self) -> None:
        """Update the save file; if that fails, log why and go on."""
        try:
            self.file.update_or_create()
        except SaveError as error:
            self._entries.append(Note(error.template, error.fields))
        self._changed()
