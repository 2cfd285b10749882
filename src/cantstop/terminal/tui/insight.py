"""What the engine says, on the screen: hints at the table, worths beside a replay, the review.

The engine is asked in a thread of its own: keys are answered while it works.
"""

from collections.abc import Sequence

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from cantstop.draw import SEAT_MARKS
from cantstop.draw.seats import clean, cut
from cantstop.engine import Hint, hint_reasons
from cantstop.language import Translator, action_text, name_text, worth_text
from cantstop.record import Record
from cantstop.review import Review, review
from cantstop.review.text import decision_sentence, review_text
from cantstop.rules import CantStopError
from cantstop.terminal.controller import THINKING
from cantstop.threads import in_daemon_thread

BAR = 10
LONGEST_NAME = 12


def hint_panel(words: Translator, found: Hint, *, why: bool) -> Text:
    """Every option with a bar, the best first; on demand the reasons."""
    solo = found.position.rules.players == 1
    names = [action_text(words, option.action, option.then) for option in found.options]
    width = max(map(len, names), default=0)
    most = max((abs(option.worth) for option in found.options), default=1.0) or 1.0
    text = Text()
    for place, (name, option) in enumerate(zip(names, found.options, strict=True)):
        filled = round(BAR * (abs(option.worth) / most if solo else option.worth))
        style = "bold" if place == 0 else ""
        text.append(f"{name:<{width}} ", style)
        text.append("█" * filled + "░" * (BAR - filled))
        text.append(f" {worth_text(words, option.worth, solo=solo)}\n", style)
    for line in hint_reasons(words, found) if why else ():
        text.append(f"{line}\n")
    text.rstrip()
    return text


def worths_panel(words: Translator, found: Review, at: int, colours: Sequence[int]) -> Text:
    """Everybody's chance after event ``at``, and what was wrong about it, if it was a decision."""
    text, moment = Text(), found.moments[at]
    for seat, worth in enumerate(moment.worths):
        mark = SEAT_MARKS[colours[seat]]
        text.append(f" {mark.symbol} ", f"{mark.ink} on {mark.colour}")
        text.append(
            f" {cut(clean(name_text(words, found.names[seat])), LONGEST_NAME):<{LONGEST_NAME}} "
        )
        if not found.is_solo:
            filled = round(BAR * worth)
            text.append("█" * filled + "░" * (BAR - filled) + " ")
        text.append(worth_text(words, worth, solo=found.is_solo) + "\n", "bold")
    for decision in found.decisions:
        if decision.n == at and decision.grade.is_error:
            text.append(decision_sentence(words, decision) + "\n", "italic")
    text.rstrip()
    return text


class ReviewScreen(ModalScreen[None]):
    """The review of a game, as lines of text."""

    BINDINGS = [Binding("escape,v,enter,q,space", "dismiss", show=False)]  # noqa: RUF012

    def __init__(self, words: Translator, record: Record, hero: int | None = None) -> None:
        super().__init__()
        self._words = words
        self._record = record
        self._hero = hero

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(self._words.say("Review"), classes="heading")
            yield Static(self._words.say(THINKING), id="review-text")

    def on_mount(self) -> None:
        self._look()

    @work
    async def _look(self) -> None:
        shown, words = self.query_one("#review-text", Static), self._words
        try:
            found = await in_daemon_thread(lambda: review(self._record))
            text = review_text(found, words, self._hero)
        except CantStopError as error:
            text = words.error(error)
        shown.update(Text(text))
