"""Replay of a record: forwards and backwards, by events or by turns, or by itself."""

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.timer import Timer

from cantstop.language import Translator, message
from cantstop.record import Record
from cantstop.rules import Busted, Dice, IllegalAction, Position, Stopped
from cantstop.terminal.local_game import Decision
from cantstop.terminal.tui.controller import Entry, Note, last_roll, steps_of
from cantstop.terminal.tui.game_screen import COMMON_KEYS, GameScreen


class ReplayController:
    """A recorded game as it was after event ``at``."""

    colours = (0, 1, 2, 3)
    may_act = False
    may_undo = False
    problem: Note | None = None

    def __init__(self, record: Record) -> None:
        game = record.game()
        self.names = record.names
        self.edition = record.edition
        self.at = 0
        self._positions = game.positions
        self._steps = steps_of(game)

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self._steps)

    @property
    def position(self) -> Position:
        return self._positions[self.at]

    @property
    def turn(self) -> int:
        over = self.position.outcome is not None
        ended = sum(isinstance(step.event, Stopped | Busted) for step in self._steps[: self.at])
        return ended + (not over)

    @property
    def dice(self) -> Dice:
        events = [step.event for step in self._steps[: self.at]]
        return last_roll(events) or self.position.dice or ()

    @property
    def entries(self) -> Sequence[Entry]:
        return self._steps[: self.at]

    def turn_before(self) -> int:
        """The event that the turn now begins after; at its beginning, the turn before it."""
        ends = [0, *self._turn_ends()]
        return max((end for end in ends if end < self.at), default=0)

    def turn_after(self) -> int:
        """The event that ends the turn now."""
        return min((end for end in self._turn_ends() if end > self.at), default=self.last)

    def _turn_ends(self) -> list[int]:
        return [
            number
            for number, step in enumerate(self._steps, 1)
            if isinstance(step.event, Stopped | Busted)
        ]

    def on_change(self, callback: Callable[[], None]) -> None:
        """Nothing changes by itself."""

    async def run(self) -> None:
        """Nothing happens by itself."""

    async def act(self, decision: Decision) -> None:  # noqa: ARG002
        raise IllegalAction("The game is over.")

    async def undo(self) -> None:
        raise IllegalAction("The game is over.")


class ReplayScreen(GameScreen):
    """Steps through a record."""

    KEYS = (
        Binding("left", "go('back')", message("Back"), tooltip=message("one step back")),
        Binding("right", "go('on')", message("On"), tooltip=message("one step on")),
        Binding("up,pageup", "go('turn_back')", show=False, tooltip=message("one turn back")),
        Binding("down,pagedown", "go('turn_on')", show=False, tooltip=message("one turn on")),
        Binding("home", "go('start')", show=False, tooltip=message("to the start")),
        Binding("end", "go('end')", show=False, tooltip=message("to the end")),
        Binding("space", "play", message("Play"), tooltip=message("let it run, or halt it")),
        *COMMON_KEYS,
    )
    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)

    def __init__(self, replay: ReplayController, words: Translator, pace: float) -> None:
        super().__init__(replay, words)
        self.replay = replay
        self._pace = pace
        self._timer: Timer | None = None

    def heading(self) -> Iterable[str]:
        yield from super().heading()
        yield self.words.say("step {at} of {last}", at=self.replay.at, last=self.replay.last)

    def action_go(self, way: str) -> None:
        """Go to another point of the game."""
        self._halt()
        replay = self.replay
        goals = {
            "back": replay.at - 1,
            "on": replay.at + 1,
            "turn_back": replay.turn_before(),
            "turn_on": replay.turn_after(),
            "start": 0,
            "end": replay.last,
        }
        self._go(goals[way])

    def _go(self, at: int) -> None:
        self.replay.at = max(0, min(at, self.replay.last))
        self.show()

    def action_play(self) -> None:
        """Let the game run, or halt it."""
        if self._timer is None:
            self._timer = self.set_interval(self._pace, self._step)
        else:
            self._halt()

    def _step(self) -> None:
        self._go(self.replay.at + 1)
        if self.replay.at == self.replay.last:
            self._halt()

    def _halt(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
