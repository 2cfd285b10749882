"""The standing orders to choose from, over the table."""

from collections.abc import Collection
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from cantstop.language import Translator
from cantstop.table.events import Order, OrderPart
from cantstop.terminal.commands import Command, order_text

_CHOICES = (
    Order(runners=True),
    Order(column=True),
    *(Order(bust=percent) for percent in (20, 30, 40, 50)),
)


@dataclass(frozen=True)
class NewOrder:
    """What was chosen: an order, or None to revoke the one that stands."""

    order: Order | None


class OrderScreen(ModalScreen[NewOrder | None]):
    """Puts a thing into the order that stands, or takes it out; the answer is None for nothing."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape,g,q", "dismiss(None)", show=False),
        *(Binding(str(number), f"choose({number})", show=False) for number in range(1, 8)),
    ]

    def __init__(
        self, words: Translator, standing: Order | None, offered: Collection[OrderPart]
    ) -> None:
        """``offered`` is what an order may say at the table."""
        super().__init__()
        self._words = words
        self._standing = standing
        self._choices = [choice for choice in _CHOICES if set(choice.parts) <= set(offered)]

    def compose(self) -> ComposeResult:
        say, standing = self._words.say, self._standing
        lines = [
            f"{number} {'✓' if _has(standing, choice) else ' '} {order_text(self._words, choice)}"
            for number, choice in enumerate(self._choices, 1)
        ]
        if standing is not None:
            lines.append(f"{len(self._choices) + 1}   {say(Command.REVOKE.value)}")
        with Vertical(id="orders"):
            yield Static(say("Standing order"), classes="heading")
            yield OptionList(*lines)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_index + 1)

    def action_choose(self, number: int) -> None:
        """Choose the line with that number."""
        if number <= len(self._choices):
            self.dismiss(NewOrder(_toggled(self._standing, self._choices[number - 1])))
        elif number == len(self._choices) + 1 and self._standing is not None:
            self.dismiss(NewOrder(None))


def _has(standing: Order | None, choice: Order) -> bool:
    """Whether an order says what a choice says."""
    if standing is None:
        return False
    return (
        (choice.runners and standing.runners)
        or (choice.column and standing.column)
        or (choice.bust is not None and choice.bust == standing.bust)
    )


def _toggled(standing: Order | None, choice: Order) -> Order | None:
    """The order with the choice in it, or without it where it was; None where nothing is left."""
    if standing is None:
        return choice
    has = _has(standing, choice)
    runners = standing.runners != choice.runners
    column = standing.column != choice.column
    bust = standing.bust if choice.bust is None else None if has else choice.bust
    return Order(runners, column, bust) if runners or column or bust is not None else None
