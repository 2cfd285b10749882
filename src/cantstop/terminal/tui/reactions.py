"""The reactions to choose from, over the table."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

from cantstop.language import Translator
from cantstop.terminal.commands import REACTIONS


class ReactionScreen(ModalScreen[str | None]):
    """Asks what to say; the answer is a reaction of the protocol's, or None for nothing."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape,e,q", "dismiss(None)", show=False),
        *(
            Binding(str(number), f"dismiss('{reaction}')", show=False)
            for number, reaction in enumerate(REACTIONS, 1)
        ),
    ]

    def __init__(self, words: Translator) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        with Vertical(id="reactions"):
            yield Static(self._words.say("React"), classes="heading")
            yield OptionList(
                *(
                    f"{number} {self._words.say(word)}"
                    for number, word in enumerate(REACTIONS.values(), 1)
                )
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(list(REACTIONS)[event.option_index])
