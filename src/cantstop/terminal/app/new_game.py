"""Asks for a new game: who plays, by which edition and variants, with which dice."""

from collections.abc import Iterator
from textwrap import wrap

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, RadioButton, RadioSet, Select, Static

from cantstop.bots import BOTS
from cantstop.dice import SecureDice
from cantstop.language import Translator
from cantstop.language.rules_text import EARLY, SHARED_SPACES
from cantstop.rules import EDITIONS, CantStopError, InvalidText, Sharing, Start
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.terminal.app.sealing import Sealing
from cantstop.terminal.options import Variant, WantedRules
from cantstop.terminal.seating import USUAL_BOT, usual_name
from cantstop.terminal.seats import BOT_PREFIX, Seat, check_names, seat_named
from cantstop.terminal.table import Table

PERSON, NOBODY = "person", "nobody"
CUSTOM = "custom"
GOALS = (3, 4, 5)

_VARIANTS = {Sharing.NO_REST: Variant.NO_REST, Sharing.LEAPFROG: Variant.LEAPFROG}


def _height(label: str, width: int) -> int:
    """How many lines a label takes beside its button."""
    return len(wrap(label, width - 5))


class LongRadio(RadioButton):
    """A choice whose sentence may take several lines."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return _height(self.label.plain, width)


class LongCheckbox(Checkbox):
    """A switch whose sentence may take several lines."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return _height(self.label.plain, width)


class NewGame(ModalScreen[Table | None]):
    """A form; what it asks for can be played, or it says why not."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "cancel", show=False),
        Binding("ctrl+s", "start", show=False),
    ]

    def __init__(self, words: Translator) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        say = self._words.say
        with VerticalScroll(id="dialog", can_focus=False):
            yield Static(say("Who plays?"), classes="heading")
            for seat in range(MOST_PLAYERS):
                yield from self._seat(seat)
            yield Static(say("Which rules?"), classes="heading")
            with Horizontal(classes="row"):
                yield Select(
                    self._editions(), value=CUSTOM, allow_blank=False, compact=True, id="edition"
                )
                yield Select(
                    self._goals(), value=GOALS[0], allow_blank=False, compact=True, id="goal"
                )
            yield Select(self._youngest(), value=0, allow_blank=False, compact=True, id="youngest")
            yield LongCheckbox(say(EARLY), id="early", compact=True)
            with RadioSet(id="sharing", compact=True):
                for sharing in Sharing:
                    free = sharing is Sharing.FREE
                    yield LongRadio(say(SHARED_SPACES[sharing]), free, id=sharing.value)
            yield Static(say("Which dice?"), classes="heading")
            with RadioSet(id="dice", compact=True):
                yield LongRadio(say("Nobody can foresee them."), True, id="secure")  # noqa: FBT003
                yield LongRadio(
                    say("Sealed: fixed before the game, and everybody can check them after it."),
                    id="sealed",
                )
            yield Static(id="problem")
            with Horizontal(id="buttons"):
                yield Button(say("Start"), id="start", variant="primary")
                yield Button(say("Cancel"), id="cancel")

    def on_mount(self) -> None:
        self.query_one("#youngest").display = False
        self.query_one("#name-1", Input).focus()

    # What there is to choose

    def _seat(self, seat: int) -> ComposeResult:
        say = self._words.say
        kinds = [(say("A person"), PERSON), *((bot, bot) for bot in BOTS)]
        if seat:
            kinds.append((say("Nobody"), NOBODY))
        usual = (PERSON, USUAL_BOT, NOBODY, NOBODY)[seat]
        with Horizontal(classes="row"):
            yield Select(kinds, value=usual, allow_blank=False, compact=True, id=f"kind-{seat + 1}")
            name = Input(
                usual_name(self._words, seat + 1),
                id=f"name-{seat + 1}",
                max_length=24,
                compact=True,
            )
            name.disabled = usual != PERSON
            yield name

    def _editions(self) -> Iterator[tuple[str, str]]:
        yield self._words.say("Custom: any variants"), CUSTOM
        for edition in EDITIONS.values():
            yield edition.title, edition.name

    def _goals(self) -> Iterator[tuple[str, int]]:
        for goal in GOALS:
            words = self._words.say_count("{count} column wins", "{count} columns win", goal)
            yield (words if goal == GOALS[0] else f"{words} (V1)"), goal

    def _youngest(self) -> Iterator[tuple[str, int]]:
        for seat in range(MOST_PLAYERS):
            yield self._words.say("Seat {number} is the youngest and starts", number=seat + 1), seat

    @on(Select.Changed)
    def _choice_changed(self, event: Select.Changed) -> None:
        name = event.select.id or ""
        if name.startswith("kind-"):
            field = self.query_one(f"#name-{name[-1]}", Input)
            field.disabled = event.value != PERSON
        elif name == "edition":
            self._offer(str(event.value))

    def _offer(self, name: str) -> None:
        """Offer just the variants that an edition prints."""
        edition = EDITIONS.get(name)
        early = self.query_one("#early", Checkbox)
        early.disabled = edition is not None and not edition.early
        early.value = early.value and not early.disabled
        for sharing in Sharing:
            button = self.query_one(f"#{sharing.value}", RadioButton)
            button.disabled = edition is not None and sharing not in edition.sharing
            if button.disabled and button.value:
                self.query_one(f"#{Sharing.FREE.value}", RadioButton).value = True
        youngest = edition is not None and edition.start is Start.YOUNGEST
        self.query_one("#youngest").display = youngest

    # What was chosen

    def _chosen_seats(self) -> tuple[Seat, ...]:
        seats = []
        for number in range(1, MOST_PLAYERS + 1):
            kind = self.query_one(f"#kind-{number}", Select).value
            if kind == PERSON:
                name = self.query_one(f"#name-{number}", Input).value.strip()
                if name.lower().startswith(BOT_PREFIX):
                    raise InvalidText("“{name}” would be a bot: choose one in the list.", name=name)
                seats.append(seat_named(name))
            elif kind != NOBODY:
                seats.append(seat_named(f"{BOT_PREFIX}{kind}"))
        check_names(seats)
        return tuple(seats)

    def _chosen_rules(self) -> WantedRules:
        edition = str(self.query_one("#edition", Select).value)
        pressed = self.query_one("#sharing", RadioSet).pressed_button
        variants = {Variant.EARLY} if self.query_one("#early", Checkbox).value else set()
        if pressed is not None and (sharing := Sharing(pressed.id)) in _VARIANTS:
            variants.add(_VARIANTS[sharing])
        goal = self.query_one("#goal", Select).value
        assert isinstance(goal, int)
        return WantedRules(None, None if edition == CUSTOM else edition, goal, frozenset(variants))

    def _chosen_table(self) -> Table:
        seats, wanted = self._chosen_seats(), self._chosen_rules()
        rules = wanted.rules(len(seats))
        youngest = self.query_one("#youngest", Select).value
        assert isinstance(youngest, int)
        first = youngest if rules.start is Start.YOUNGEST else 0
        return Table.new(rules, seats, SecureDice(rules.board.sides), wanted.edition, first)

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Open the table, or say what is wrong."""
        try:
            table = self._chosen_table()
        except CantStopError as error:
            self.query_one("#problem", Static).update(self._words.error(error))
            self.app.bell()
            return
        if self.query_one("#sealed", RadioButton).value:
            self.app.push_screen(Sealing(self._words, table), self._sealed)
        else:
            self.dismiss(table)

    def _sealed(self, table: Table | None) -> None:
        if table is not None:
            self.dismiss(table)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Stay where one was."""
        self.dismiss(None)
