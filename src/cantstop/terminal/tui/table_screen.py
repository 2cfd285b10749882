"""The screen of a game being played: moves to pick, roll and stop, and the odds."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Button, Static

from cantstop.language import Translator, message
from cantstop.rules import CantStopError, Choice, IllegalAction, Phase, Position
from cantstop.terminal.commands import HELP, Command
from cantstop.terminal.controller import THINKING, GameController
from cantstop.terminal.local_game import Decision
from cantstop.terminal.tui.board import BoardView
from cantstop.terminal.tui.game_screen import COMMON_KEYS, REVIEW_KEY, GameScreen
from cantstop.terminal.tui.orders import OrderScreen
from cantstop.terminal.tui.panels import MoveList, OddsPanel
from cantstop.terminal.tui.reactions import ReactionScreen

if TYPE_CHECKING:
    from cantstop.engine import Hint


class TableScreen(GameScreen):
    """Shows a controller's game and passes on what the player does."""

    KEYS = (
        Binding("r", "roll", message("Roll"), tooltip=HELP[Command.ROLL]),
        Binding("s", "stop", message("Stop"), tooltip=HELP[Command.STOP]),
        *(
            Binding(str(number), f"pick({number})", show=False,
                    tooltip=message("the move with that number"))
            for number in range(1, 10)
        ),
        Binding("up,down", "point", show=False,
                tooltip=message("point at a move; Enter makes it")),
        Binding("left", "focus_button('roll')", show=False,
                tooltip=message("point at roll or stop; Enter does it")),
        Binding("right", "focus_button('stop')", show=False,
                tooltip=message("point at roll or stop; Enter does it")),
        Binding("u", "undo", message("Undo"), tooltip=HELP[Command.UNDO]),
        Binding("x", "resign", message("Resign"), show=False,
                tooltip=message("give up the game; press it twice")),
        Binding("b", "come_back", message("Come back"), show=False,
                tooltip=message("take over again from the bot that plays for you")),
        Binding("y", "answer(True)", show=False,
                tooltip=message("let another player take back their last decision, or not")),
        Binding("d", "answer(False)", show=False,
                tooltip=message("let another player take back their last decision, or not")),
        Binding("f", "skip", message("Skip"), show=False,
                tooltip=message("skip the bots' turns, up to your own")),
        Binding("e", "react", message("React"), show=False,
                tooltip=message("say something to the others at a table on a server")),
        Binding("g", "order", message("Standing order"), show=False,
                tooltip=message("give a standing order at a table on a server, or revoke it")),
        Binding("m", "rematch", message("Rematch"), show=False,
                tooltip=HELP[Command.REMATCH]),
        Binding("o", "odds", message("Odds"), tooltip=message("show the odds, or hide them")),
        Binding("h", "hint", message("Hint"),
                tooltip=message("what every option is worth; again for the reasons")),
        REVIEW_KEY,
        *COMMON_KEYS,
    )  # fmt: skip
    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)
    controller: GameController

    class NextTable(Message):
        """The next game, for the app to show."""

        def __init__(self, controller: GameController) -> None:
            super().__init__()
            self.controller = controller

    def __init__(self, controller: GameController, words: Translator) -> None:
        super().__init__(controller, words)
        self._focused_for: Position | None = None
        self._hint: Hint | None = None
        self._why = False
        self._resigning: Position | None = None
        """Where the key to resign was pressed once."""

    def controls(self) -> ComposeResult:
        yield MoveList()
        with Horizontal(id="buttons"):
            yield Button(id="roll", variant="primary")
            yield Button(id="stop", variant="primary")
        yield OddsPanel()
        yield Static(id="hint")

    def on_mount(self) -> None:
        self.query_one(OddsPanel).display = False
        self.query_one("#hint").display = False
        self.controller.on_change(self.show)
        self.set_interval(1.0, self._tick)
        self._run_controller()

    def _tick(self) -> None:
        """The seconds of a clock count down."""
        if self.controller.seconds_left is not None:
            self.show()

    @work(exclusive=True)
    async def _run_controller(self) -> None:
        await self.controller.run()

    # State

    def show(self) -> None:
        super().show()
        position = self.controller.position
        panel = self.query_one(OddsPanel)
        if panel.display:
            panel.show(self.words, position)
        self._show_moves(position)
        self._show_buttons(position)
        self._show_hint(position)
        self._set_focus(position)

    def status(self) -> str:
        controller, due = self.controller, self.due()
        if self._resigning is not controller.position or controller.problem or controller.is_over:
            return due
        again = self.words.say("Press X again to resign.")
        return f"{again} {due}" if controller.asking else again

    def due(self) -> str:
        """What is to be done, by whoever does not resign."""
        return super().status()

    def _show_moves(self, position: Position) -> None:
        moves = self.query_one(MoveList)
        moves.display = bool(position.legal_moves)
        moves.disabled = not self.controller.may_act
        moves.show(self.words, position, odds=self.query_one(OddsPanel).display)

    def _show_buttons(self, position: Position) -> None:
        roll, stop = self.query_one("#roll", Button), self.query_one("#stop", Button)
        roll.label = f"{self.words.say('Roll')} (R)"
        stop.label = f"{self.words.say('Stop')} (S)"
        self.query_one("#buttons").display = not position.legal_moves
        roll.disabled = not (self.controller.may_act and position.may_roll)
        stop.disabled = not (self.controller.may_act and position.may_stop)

    def preview(self) -> Position | None:
        position, pointed = self.controller.position, self.query_one(MoveList).highlighted
        moves = position.legal_moves
        if not self.controller.may_act or pointed is None or pointed >= len(moves):
            return None
        return position.move(moves[pointed])

    def _set_focus(self, position: Position) -> None:
        """Focus the only thing to do; a held key never decides between roll and stop."""
        if self._focused_for is position:
            return
        self._focused_for = position
        if not self.controller.may_act or position.may_stop:
            self.set_focus(None)
        elif position.phase is Phase.MOVE:
            self.query_one(MoveList).focus()
        else:
            self.query_one("#roll", Button).focus()

    @on(MoveList.OptionHighlighted)
    def _pointed(self) -> None:
        self.show_board()

    # Actions

    @work
    async def _act(self, decision: Decision) -> None:
        with self._refusals():
            if not self.controller.may_act:
                raise IllegalAction("It is not your turn.")
            await self.controller.act(decision)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        """Show why what is asked for cannot be done."""
        try:
            yield
        except CantStopError as error:
            self._refuse(error)

    def _refuse(self, error: CantStopError) -> None:
        self.show_status(self.words.error(error), error=True)
        self.app.bell()

    def action_roll(self) -> None:
        """Throw the dice."""
        self._act(Choice.ROLL)

    def action_stop(self) -> None:
        """End the turn."""
        self._act(Choice.STOP)

    def action_pick(self, number: int) -> None:
        """Make the move with that number."""
        moves = self.controller.position.legal_moves
        if number <= len(moves):
            self._act(moves[number - 1])

    def action_point(self) -> None:
        """Up and down belong to the list of moves, once that has the focus."""
        self.query_one(MoveList).focus()

    def action_focus_button(self, name: str) -> None:
        """Point at a button."""
        self.query_one(f"#{name}", Button).focus()

    @work
    async def action_resign(self) -> None:
        """Give up the game, when the key is pressed for the second time."""
        position = self.controller.position
        if self._resigning is not position:
            self._resigning = position
            self.show()
            return
        self._resigning = None
        with self._refusals():
            await self.controller.resign()

    @work
    async def action_skip(self) -> None:
        """Let bots play without pauses, until a player here has to decide."""
        with self._refusals():
            await self.controller.skip()

    @work
    async def action_react(self) -> None:
        """Ask what to say to the others, and say it."""
        reaction = await self.app.push_screen_wait(ReactionScreen(self.words))
        if reaction is None:
            return
        with self._refusals():
            await self.controller.react(reaction)

    @work
    async def action_order(self) -> None:
        """Ask for a standing order, and give or revoke it."""
        with self._refusals():
            seat, offered = self.controller.own_seat, self.controller.order_parts
            if not offered:
                raise IllegalAction("There are no standing orders at this table.")
            standing = None if seat is None else self.controller.orders.get(seat)
            screen = OrderScreen(self.words, standing, offered)
            chosen = await self.app.push_screen_wait(screen)
            if chosen is not None:
                await self.controller.order(chosen.order)

    @work(exclusive=True, group="rematch")
    async def action_rematch(self) -> None:
        """Go to the table of the next game."""
        with self._refusals():
            if not self.controller.is_over:
                raise IllegalAction("There can be a rematch once the game is over.")
            self.post_message(self.NextTable(await self.controller.rematch()))

    @work
    async def action_come_back(self) -> None:
        """Play again where a bot plays for us."""
        with self._refusals():
            await self.controller.come_back()

    @work
    async def action_answer(self, agree: bool) -> None:
        """Let another player take back their last decision, or not."""
        with self._refusals():
            await self.controller.answer(agree=agree)

    @work
    async def action_undo(self) -> None:
        """Undo the last decision."""
        with self._refusals():
            await self.controller.undo()

    def action_odds(self) -> None:
        """Show the odds, or hide them."""
        panel = self.query_one(OddsPanel)
        panel.display = not panel.display
        self.show()

    @work(exclusive=True, group="hint")
    async def action_hint(self) -> None:
        """First what every option is worth, then why, then nothing again."""
        position, panel = self.controller.position, self.query_one("#hint", Static)
        if self._hint is not None:
            if self._why:
                self._hint = None
            self._why = not self._why
            self._show_hint(position)
            return
        panel.update(self.words.say(THINKING))
        panel.display = True
        try:
            found = await self.controller.hint()
        except CantStopError as error:
            panel.display = False
            self._refuse(error)
            return
        self._hint, self._why = found, False
        self._show_hint(self.controller.position)

    def _show_hint(self, position: Position) -> None:
        """A hint is of one position: the next one takes it away."""
        panel = self.query_one("#hint", Static)
        if self._hint is not None and self._hint.position != position:
            self._hint, self._why = None, False
        panel.display = self._hint is not None
        if self._hint is not None:
            from cantstop.terminal.tui.insight import hint_panel  # it loads the engine

            panel.update(hint_panel(self.words, self._hint, why=self._why))

    @on(MoveList.OptionSelected)
    def _picked(self, event: MoveList.OptionSelected) -> None:
        self.action_pick(event.option_index + 1)

    @on(Button.Pressed, "#roll")
    def _roll_pressed(self) -> None:
        self.action_roll()

    @on(Button.Pressed, "#stop")
    def _stop_pressed(self) -> None:
        self.action_stop()

    @on(BoardView.Chosen)
    def _column_chosen(self, event: BoardView.Chosen) -> None:
        """Make the move with a column; as no two splits share a sum, there is one at most."""
        for number, move in enumerate(self.controller.position.legal_moves, 1):
            if event.column in move:
                self.action_pick(number)
