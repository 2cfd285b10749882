"""Replay of a record: forwards and backwards, by events or by turns, or by itself."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Static

from cantstop.language import Translator, message
from cantstop.record import Record
from cantstop.rules import Busted, CantStopError, Dice, Position, Stopped
from cantstop.table.events import Order
from cantstop.terminal.controller import THINKING, Entry, Note, last_roll, steps_of
from cantstop.terminal.tui.game_screen import COMMON_KEYS, REVIEW_KEY, GameScreen
from cantstop.threads import in_daemon_thread

if TYPE_CHECKING:
    from cantstop.review import Review


class ReplayController:
    """A recorded game as it was after event ``at``."""

    colours = (0, 1, 2, 3)
    may_act = False
    may_skip = False
    is_over = True
    address = None
    asking = None
    score = ()
    orders: Mapping[int, Order] = MappingProxyType({})
    order_parts = ()
    rematch_offer = None
    seconds_left = None
    problem: Note | None = None

    def __init__(self, record: Record, *, evaluate: bool = False) -> None:
        game = record.game()
        self.evaluate = evaluate
        """Whether everybody's chance to win is to be shown from the start."""
        self._record = record
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

    own_seat = None

    def record(self) -> Record:
        return self._record

    def review(self) -> "Review":
        """Every moment of the game looked at again."""
        from cantstop.review import review  # the engine takes a moment to load

        return review(self._record)


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
        Binding("e", "worths", message("Evaluate"),
                tooltip=message("show or hide everybody's chance to win")),
        REVIEW_KEY,
        *COMMON_KEYS,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)

    def __init__(self, replay: ReplayController, words: Translator, pace: float) -> None:
        super().__init__(replay, words)
        self.replay = replay
        self._pace = pace
        self._timer: Timer | None = None
        self._review: Review | None = None

    def controls(self) -> ComposeResult:
        yield Static(id="worths")

    def on_mount(self) -> None:
        self.query_one("#worths").display = False
        super().on_mount()
        if self.replay.evaluate:
            self.action_worths()

    def show(self) -> None:
        super().show()
        if self._review is not None:
            from cantstop.terminal.tui.insight import worths_panel  # it loads the engine

            found = worths_panel(self.words, self._review, self.replay.at, self.replay.colours)
            self.query_one("#worths", Static).update(found)

    @work(exclusive=True)
    async def action_worths(self) -> None:
        """Show everybody's chance to win, or hide it; all moments are worked out once."""
        panel = self.query_one("#worths", Static)
        panel.display = not panel.display
        if panel.display and self._review is None:
            panel.update(self.words.say(THINKING))
            try:
                self._review = await in_daemon_thread(self.replay.review)
            except CantStopError as error:
                panel.update(self.words.error(error))
        self.show()

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
