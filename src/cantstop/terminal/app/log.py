"""What happened, told in words; the newest line is always in sight."""

from collections.abc import Iterator, Sequence

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from cantstop.rules import Busted, Stopped
from cantstop.terminal.app.driver import Entry, Step
from cantstop.terminal.telling import Teller

MOST_ENTRIES = 40
"""Older ones are in the record."""


class Log(VerticalScroll, can_focus=False):
    """The story of the game."""

    def __init__(self) -> None:
        super().__init__()
        self._teller: Teller | None = None
        self._told: dict[int, tuple[Entry, str]] = {}

    def compose(self) -> Iterator[Static]:
        yield Static(id="story")

    def show(self, teller: Teller, entries: Sequence[Entry]) -> None:
        """Tell the last entries."""
        if teller != self._teller:
            self._teller, self._told = teller, {}
        first = max(0, len(entries) - MOST_ENTRIES)
        story = Text()
        for number in range(first, len(entries)):
            entry = entries[number]
            newest = number == len(entries) - 1
            story.append(self._tell(teller, number, entry), "bold" if newest else _style(entry))
        story.rstrip()
        self.query_one("#story", Static).update(story)
        self.scroll_end(animate=False)

    def _tell(self, teller: Teller, number: int, entry: Entry) -> str:
        """The lines of an entry, told once."""
        known = self._told.get(number)
        if known is None or known[0] is not entry:
            lines = "".join(f"{line}\n" for line in _lines(teller, entry))
            known = self._told[number] = (entry, lines)
        return known[1]


def _lines(teller: Teller, entry: Entry) -> Iterator[str]:
    if isinstance(entry, Step):
        return teller.event(entry.before, entry.event, entry.after)
    return iter((teller.words.say(entry.text, **entry.fields),))


def _style(entry: Entry) -> str:
    if isinstance(entry, Step) and isinstance(entry.event, Busted | Stopped):
        return ""
    return "dim"
