"""The form for a new game: who plays, by which edition and variants, with which dice."""

from collections.abc import Iterator
from dataclasses import replace
from textwrap import wrap

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, RadioButton, RadioSet, Select, Static

from cantstop.bots import BOTS, BotEntry
from cantstop.dice import EnteredDice, SecureDice, commitment, new_secret
from cantstop.language import Translator, name_text
from cantstop.language.rules_text import EARLY, SHARED_SPACES
from cantstop.rules import EDITIONS, CantStopError, InvalidText, Rules, Sharing, Start, rules_for
from cantstop.rules.settings import MOST_PLAYERS
from cantstop.terminal.ladder import BEATEN, Ladder
from cantstop.terminal.local_game import BOT_PREFIX, LocalGame, LocalSeat, check_names
from cantstop.terminal.new_game import DiceKind, default_name, next_opponent, sealed_dice

PERSON, NOBODY = "person", "nobody"
CUSTOM = "custom"
GOALS = (3, 4, 5)


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


class NewGameForm(ModalScreen[LocalGame | None]):
    """Returns the new game, or None if the form is cancelled."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "cancel", show=False),
        Binding("ctrl+s", "start", show=False),
    ]

    def __init__(self, words: Translator, ladder: Ladder) -> None:
        super().__init__()
        self._words = words
        self._ladder = ladder
        self._replaced_bots: dict[int, str] = {}
        """The bots in whose seats people sit as long as dice are to be entered."""

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
                yield LongRadio(say("Nobody can foresee them."), True, id=DiceKind.SECURE)  # noqa: FBT003
                yield LongRadio(
                    say("Sealed: fixed before the game, and everybody can check them after it."),
                    id=DiceKind.SEALED,
                )
                yield LongRadio(
                    say("Your own: throw them on the table, and type what they show."),
                    id=DiceKind.ENTERED,
                )
            yield Static(id="problem")
            with Horizontal(id="buttons"):
                yield Button(say("Start"), id="start", variant="primary")
                yield Button(say("Cancel"), id="cancel")

    def on_mount(self) -> None:
        self.query_one("#youngest").display = False
        self.query_one("#name-1", Input).focus()

    # What there is to choose

    def _kinds(self, seat: int, *, bots: bool = True) -> list[tuple[str, str]]:
        """Who may have a seat."""
        people = [(self._words.say("A person"), PERSON)]
        nobody = [(self._words.say("Nobody"), NOBODY)] if seat else []
        shown = (_choice(self._words, bot, self._ladder) for bot in BOTS.values()) if bots else ()
        return [*people, *shown, *nobody]

    def _seat(self, seat: int) -> ComposeResult:
        usual = (PERSON, next_opponent(self._ladder), NOBODY, NOBODY)[seat]
        kinds = self._kinds(seat)
        with Horizontal(classes="row"):
            yield Select(kinds, value=usual, allow_blank=False, compact=True, id=f"kind-{seat + 1}")
            name = Input(
                default_name(self._words, seat + 1),
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
            words = self._words.say_count("{count} column to win", "{count} columns to win", goal)
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
            self._enable_variants(str(event.value))

    @on(RadioSet.Changed, "#dice")
    def _dice_changed(self, event: RadioSet.Changed) -> None:
        """No bot can throw the players' dice: people sit in for bots, who come back after them."""
        entered = event.pressed.id == DiceKind.ENTERED
        for seat in range(MOST_PLAYERS):
            select = self.query_one(f"#kind-{seat + 1}", Select)
            kind = str(select.value)
            if entered and kind not in (PERSON, NOBODY):
                self._replaced_bots[seat] = kind
                kind = PERSON
            elif not entered and kind == PERSON:
                kind = self._replaced_bots.pop(seat, PERSON)
            select.set_options(self._kinds(seat, bots=not entered))
            select.value = kind

    def _enable_variants(self, name: str) -> None:
        """Enable just the variants that an edition prints."""
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

    def _chosen_seats(self) -> tuple[LocalSeat, ...]:
        seats = []
        for number in range(1, MOST_PLAYERS + 1):
            kind = self.query_one(f"#kind-{number}", Select).value
            if kind == PERSON:
                name = self.query_one(f"#name-{number}", Input).value.strip()
                if name.lower().startswith(BOT_PREFIX):
                    raise InvalidText("“{name}” would be a bot: choose one in the list.", name=name)
                seats.append(LocalSeat.parse(name))
            elif kind != NOBODY:
                seats.append(LocalSeat.parse(f"{BOT_PREFIX}{kind}"))
        check_names(seats)
        return tuple(seats)

    def _chosen_edition(self) -> str | None:
        edition = str(self.query_one("#edition", Select).value)
        return None if edition == CUSTOM else edition

    def _chosen_rules(self, players: int) -> Rules:
        goal = self.query_one("#goal", Select).value
        assert isinstance(goal, int)
        early = self.query_one("#early", Checkbox).value
        pressed = self.query_one("#sharing", RadioSet).pressed_button
        sharing = Sharing.FREE if pressed is None else Sharing(pressed.id)
        return rules_for(self._chosen_edition(), players, goal, early, sharing)

    @property
    def _chosen_dice(self) -> DiceKind:
        pressed = self.query_one("#dice", RadioSet).pressed_button
        return DiceKind.SECURE if pressed is None else DiceKind(str(pressed.id))

    def _chosen_game(self) -> LocalGame:
        seats = self._chosen_seats()
        rules = self._chosen_rules(len(seats))
        youngest = self.query_one("#youngest", Select).value
        assert isinstance(youngest, int)
        first = youngest if rules.start is Start.YOUNGEST else 0
        sides = rules.board.sides
        entered = self._chosen_dice is DiceKind.ENTERED
        dice = EnteredDice(sides) if entered else SecureDice(sides)
        return LocalGame.new(rules, seats, dice, self._chosen_edition(), first)

    @on(Button.Pressed, "#start")
    def action_start(self) -> None:
        """Start the game, or show what is wrong."""
        try:
            local = self._chosen_game()
        except CantStopError as error:
            self.query_one("#problem", Static).update(self._words.error(error))
            self.app.bell()
            return
        if self._chosen_dice is DiceKind.SEALED:
            self.app.push_screen(SealedDiceForm(self._words, local), self._sealed)
        else:
            self.dismiss(local)

    def _sealed(self, local: LocalGame | None) -> None:
        if local is not None:
            self.dismiss(local)

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Close the form."""
        self.dismiss(None)


class SealedDiceForm(ModalScreen[LocalGame | None]):
    """Shows the commitment and asks every person for a salt; returns the game with sealed dice."""

    BINDINGS = [Binding("escape", "cancel", show=False)]  # noqa: RUF012

    def __init__(self, words: Translator, local: LocalGame) -> None:
        super().__init__()
        self._words = words
        self._local = local
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
            for number, seat in enumerate(self._local.seats):
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
            for number, seat in enumerate(self._local.seats)
        ]
        sides = self._local.game.rules.board.sides
        try:
            dice = sealed_dice(self._secret, salts, sides)
        except CantStopError as error:
            self.query_one("#problem", Static).update(self._words.error(error))
            self.app.bell()
        else:
            self.dismiss(replace(self._local, dice=dice))

    @on(Button.Pressed, "#cancel")
    def action_cancel(self) -> None:
        """Back to the form."""
        self.dismiss(None)


def _choice(words: Translator, bot: BotEntry, ladder: Ladder) -> tuple[str, str]:
    """A bot as the list shows it: the ladder's with their ratings, the score, and a tick."""
    name, score = name_text(words, bot.name), ladder.score(bot.name)
    parts = [name, *([] if bot.rating is None else [str(bot.rating)])]
    if score.won + score.lost:
        parts.append(f"{score} {BEATEN}" if score.won else str(score))
    return " · ".join(parts), bot.name
