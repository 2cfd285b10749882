"""The keys of a screen: a bar at the bottom, and a help page with what each does."""

from collections.abc import Iterable, Iterator

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Static

from cantstop.language import Translator, message

_KEY_CAPS = {
    "question_mark": "?",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "escape": "Esc",
    "space": "␣",
    "home": "Home",
    "end": "End",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "ctrl+c": "Ctrl+C",
    "tab": "Tab",
}


def key_name(key: str) -> str:
    """A key as its cap shows it."""
    return _KEY_CAPS.get(key, key.upper())


class KeyBar(Static):
    """The keys that matter most, each of which the mouse can press."""

    def show(self, words: Translator, bindings: Iterable[Binding]) -> None:
        """List the keys that their bindings want to be shown, as many as there is room for."""
        parts: list[Content] = []
        room = self.app.size.width - 2
        for binding in bindings:
            if binding.show:
                part = Content.assemble(
                    (key_name(binding.key), "bold $accent"), f" {words.say(binding.description)}"
                )
                room -= part.cell_length + (2 if parts else 0)
                if room < 0:
                    break
                parts.append(part.stylize(Style.from_meta({"@click": f"screen.{binding.action}"})))
        self.update(Content("  ").join(parts), layout=False)


class Page(ModalScreen[None]):
    """Some lines to read, over the game; almost any key leads back to it."""

    BINDINGS = [Binding("escape,enter,q,space,w", "dismiss", show=False)]  # noqa: RUF012

    def __init__(self, text: Text) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help"):
            yield Static(self._text, id="page-text")

    def on_click(self) -> None:
        self.dismiss()


class Help(ModalScreen[None]):
    """Everything that a screen's keys do, straight from its bindings."""

    BINDINGS = [Binding("escape,question_mark,enter,q,space", "dismiss", show=False)]  # noqa: RUF012

    def __init__(self, words: Translator, bindings: Iterable[Binding], rules: str) -> None:
        super().__init__()
        self._words = words
        self._help_bindings = tuple(bindings)
        self._rules = rules

    def compose(self) -> ComposeResult:
        say = self._words.say
        with VerticalScroll(id="help"):
            yield Static(say(message("Keys")), classes="heading")
            yield Static(_table(self._words, self._help_bindings))
            if self._rules:
                yield Static(say(message("The rules of this game")), classes="heading")
                yield Static(Text(self._rules))

    def on_click(self) -> None:
        self.dismiss()


def _table(words: Translator, bindings: Iterable[Binding]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for keys, text in _grouped(bindings):
        table.add_row(Text(keys, "bold"), words.say(text))
    return table


def _grouped(bindings: Iterable[Binding]) -> Iterator[tuple[str, str]]:
    """Keys that do the same stand together."""
    groups: dict[str, list[str]] = {}
    for binding in bindings:
        text = binding.tooltip or binding.description
        groups.setdefault(text, []).extend(map(key_name, binding.key.split(",")))
    for text, keys in groups.items():
        yield " ".join(keys if len(keys) < 5 else [keys[0], "…", keys[-1]]), text
