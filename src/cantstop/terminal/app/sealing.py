"""Seals the dice of a new table: shows the commitment, then asks every person for salt."""

from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Static

from cantstop.dice import commitment, new_secret
from cantstop.language import Translator
from cantstop.rules import CantStopError
from cantstop.terminal.seating import sealed_dice
from cantstop.terminal.table import Table


class Sealing(ModalScreen[Table | None]):
    """Returns the table with sealed dice, or nothing if somebody thinks again."""

    BINDINGS = [Binding("escape", "cancel", show=False)]  # noqa: RUF012

    def __init__(self, words: Translator, table: Table) -> None:
        super().__init__()
        self._words = words
        self._table = table
        self._secret = new_secret()

    def compose(self) -> ComposeResult:
        say = self._words.say
        with VerticalScroll(id="dialog", can_focus=False):
            yield Static(
                say(
                    "The dice are sealed. Their commitment is {commitment}.",
                    commitment=commitment(self._secret),
                )
            )
            yield Static(
                say("Every player may add a salt: any word of letters and digits."),
                classes="heading",
            )
            for number, seat in enumerate(self._table.seats):
                if seat.bot is None:
                    yield Input(
                        id=f"salt-{number}", placeholder=seat.name, max_length=64, compact=True
                    )
            yield Static(id="problem")
            with Horizontal(id="buttons"):
                yield Button(say("Start"), id="start", variant="primary")
                yield Button(say("Cancel"), id="cancel")

    @on(Input.Submitted)
    @on(Button.Pressed, "#start")
    def _start(self) -> None:
        salts = [
            "" if seat.bot is not None else self.query_one(f"#salt-{number}", Input).value.strip()
            for number, seat in enumerate(self._table.seats)
        ]
        sides = self._table.game.rules.board.sides
        try:
            dice = sealed_dice(self._secret, salts, sides)
        except CantStopError as error:
            self.query_one("#problem", Static).update(self._words.error(error))
            self.app.bell()
        else:
            self.dismiss(replace(self._table, dice=dice))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Back to the form."""
        self.dismiss(None)
