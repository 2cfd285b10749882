"""The screen of a game whose players throw the dice themselves, and enter what they show."""

import time
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button

from cantstop.language import message
from cantstop.rules import InvalidText, Phase, Position
from cantstop.terminal.commands import UNDO_ENTERED
from cantstop.terminal.local_game import Thrown
from cantstop.terminal.tui.board import DiceView
from cantstop.terminal.tui.table_screen import TableScreen


def _own_key(binding: Binding) -> Binding:
    """A key of other tables as it is here: numbers are dice first, and undo goes further."""
    match binding.action.partition("("):
        case ("pick", _, number):
            tip = message("a die that you threw; then the move with that number")
            return replace(binding, action=f"type({number}", tooltip=tip)
        case ("undo", _, _):
            return replace(binding, action="take_back", tooltip=UNDO_ENTERED)
    return binding


class EntryScreen(TableScreen):
    """Takes the dice face by face; with the last one they are rolled."""

    SETTLE = 0.5
    """Seconds after the last die in which a number is one die too many, and no move."""

    KEYS = (
        *(_own_key(binding) for binding in TableScreen.KEYS if binding.action != "roll"),
        Binding("backspace", "take_back", show=False, tooltip=UNDO_ENTERED),
    )
    BINDINGS: ClassVar[list[BindingType]] = list(KEYS)

    _faces: tuple[int, ...] = ()
    """The dice of the next roll that were entered so far."""
    _complete_at = 0.0

    def controls(self) -> ComposeResult:
        with Horizontal(id="faces"):
            for face in range(1, self._sides + 1):
                button = Button(str(face), id=f"face-{face}")
                button.active_effect_duration = 0  # while it lasts, a second click is not heard
                yield button
        yield from super().controls()

    @property
    def _sides(self) -> int:
        return self.controller.position.rules.board.sides

    def show(self) -> None:
        super().show()
        position = self.controller.position
        self.query_one("#faces").display = self._takes_dice(position)
        self.query_one("#roll").display = False
        if self._takes_dice(position):
            self._show_faces()

    def _set_focus(self, position: Position) -> None:
        """No button is pointed at that Enter would press: dice are typed."""
        if position.legal_moves:
            super()._set_focus(position)
        else:
            self.set_focus(None)

    def _takes_dice(self, position: Position) -> bool:
        return self.controller.may_act and position.may_roll

    def due(self) -> str:
        """Which dice are due; where stopping is forbidden (V3), that is said already."""
        position = self.controller.position
        name, say = self.narrator.names[position.seat], self.words.say
        match position.phase:
            case _ if not self._takes_dice(position):
                return super().due()
            case Phase.START:
                return say("{name}: type your two dice for the start.", name=name)
            case Phase.ROLL:
                return say("{name}: type your four dice.", name=name)
            case _ if position.may_stop:
                return say("{name}: type your next four dice, or stop?", name=name)
        return super().due()

    def _show_faces(self) -> None:
        """The dice so far; those that are missing have empty places, so that no button moves."""
        due = self.controller.position.dice_to_roll
        view = self.query_one(DiceView)
        view.dice = (*self._faces, *(0 for _ in range(due - len(self._faces))))
        view.display = view.live = True
        view.fatal = False

    def action_type(self, number: int) -> None:
        """Enter a die where dice are due, or make the move with that number."""
        if self._takes_dice(self.controller.position):
            self._enter(number)
        elif time.monotonic() < self._complete_at + self.SETTLE:
            self._refuse(InvalidText("The dice are complete already; undo takes them back."))
        else:
            self.action_pick(number)

    def _enter(self, face: int) -> None:
        if face > self._sides:
            self._refuse(
                InvalidText("A die shows 1 to {sides}, not {face}.", sides=self._sides, face=face)
            )
            return
        self._faces = (*self._faces, face)
        if len(self._faces) < self.controller.position.dice_to_roll:
            self.show()
            return
        thrown, self._faces = Thrown(self._faces), ()
        self._complete_at = time.monotonic()
        self._act(thrown)

    def action_stop(self) -> None:
        """End the turn; dice that are half entered do not count."""
        self._faces = ()
        super().action_stop()

    def action_take_back(self) -> None:
        """Take the last die back, or the last thing that happened."""
        if self._faces:
            self._faces = self._faces[:-1]
            self.show()
        else:
            self._complete_at = 0.0
            self.action_undo()

    @on(Button.Pressed, "#faces Button")
    def _face_pressed(self, event: Button.Pressed) -> None:
        self.action_type(int(str(event.button.id).removeprefix("face-")))
