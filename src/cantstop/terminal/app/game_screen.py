"""What every screen with a game on it shows: board, dice, players, and the story so far."""

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from cantstop.draw.names import clean
from cantstop.language import Translator, message, short_rules
from cantstop.rules import EDITIONS, Phase, Position
from cantstop.terminal.app.board import BoardView, Scene, largest_scale
from cantstop.terminal.app.dice import DiceView
from cantstop.terminal.app.driver import Driver
from cantstop.terminal.app.keys import Help, KeyBar
from cantstop.terminal.app.log import Log
from cantstop.terminal.app.players import Players
from cantstop.terminal.app.status import heading, status
from cantstop.terminal.commands import HELP, Command
from cantstop.terminal.telling import Teller

SIDE = 34
"""What the right side needs, in characters; the board may have the rest."""
STORY = 5
"""Lines that the story keeps under the board."""

SMALLEST = Size(80, 24)

COMMON_KEYS = (
    Binding("n", "app.new_game", message("New"),
            tooltip=message("a new game; the one on the table is saved")),
    Binding("question_mark", "help", message("Help"), tooltip=HELP[Command.HELP]),
    Binding("q", "app.leave", message("Quit"), tooltip=HELP[Command.QUIT]),
    Binding("l", "app.language", message("Language"), tooltip=message("the next language")),
    Binding("t", "app.theme", message("Theme"), tooltip=message("light or dark")),
)  # fmt: skip
"""What can be done on every screen with a game on it."""


class GameScreen(Screen[None]):
    """Shows a driver's table; what can be done there is for others to add."""

    KEYS: tuple[Binding, ...] = COMMON_KEYS

    def __init__(self, driver: Driver, words: Translator) -> None:
        super().__init__()
        self.driver = driver
        self.words = words

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                with Container(id="board-room"):
                    yield BoardView()
                yield Log()
            with Vertical(id="right"):
                yield Players()
                yield Static(id="status")
                yield DiceView()
                yield from self.controls()
        yield KeyBar()
        yield Static(id="cramped")

    def controls(self) -> ComposeResult:
        """What stands under the dice."""
        yield from ()

    def on_mount(self) -> None:
        self.show()

    def on_resize(self) -> None:
        self._fit_board()
        cramped = self.size.width < SMALLEST.width or self.size.height < SMALLEST.height
        self.query_one("#cramped").display = cramped

    def _fit_board(self) -> None:
        """Draw the board as large as it fits; a table far away tells its board late."""
        room = Size(self.size.width - SIDE - 3, self.size.height - STORY - 2)
        board = self.driver.position.rules.board
        self.query_one(BoardView).scale = largest_scale(board, room)

    def speak(self, words: Translator) -> None:
        """Show everything in another language."""
        self.words = words
        self.show()

    @property
    def teller(self) -> Teller:
        return Teller(self.words, tuple(map(clean, self.driver.names)))

    def show(self) -> None:
        """Bring everything up to date with the table."""
        driver, position = self.driver, self.driver.position
        self._fit_board()
        self.query_one("#title", Static).update(" · ".join(self.heading()), layout=False)
        self.query_one(Players).show(self.words, driver)
        self.show_status(status(self.teller, driver))
        self._show_dice(position)
        self.query_one(Log).show(self.teller, driver.entries)
        self.query_one(KeyBar).show(self.words, self.KEYS)
        self.query_one("#cramped", Static).update(
            self.words.say(
                "This window is too small: it takes {width}×{height} characters.",
                width=SMALLEST.width,
                height=SMALLEST.height,
            )
        )
        self.show_board()

    def heading(self) -> Iterable[str]:
        """The parts of the title."""
        edition = EDITIONS.get(self.driver.edition or "")
        title = self.words.say("Can't Stop") + (f": {edition.title}" if edition else "")
        return heading(self.teller, self.driver, title)

    def show_status(self, text: str, *, error: bool = False) -> None:
        """Say what there is to do, or what is wrong."""
        line, phase = self.query_one("#status", Static), self.driver.position.phase
        line.update(text)
        troubled = error or phase is Phase.BUST or self.driver.trouble is not None
        line.set_class(troubled, "alarm")
        line.set_class(phase is Phase.OVER, "over")

    def _show_dice(self, position: Position) -> None:
        view = self.query_one(DiceView)
        view.dice = self.driver.dice
        view.display = bool(view.dice)
        view.live = position.dice is not None
        view.fatal = position.phase is Phase.BUST

    def preview(self) -> Position | None:
        """What the board would look like after the move that is pointed at."""
        return None

    def show_board(self) -> None:
        """Draw the board."""
        scene = Scene(self.driver.position, self.driver.colours, self.preview())
        self.query_one(BoardView).show(scene)

    def action_help(self) -> None:
        """Tell what the keys do, and the rules."""
        rules = short_rules(self.words, self.driver.position.rules)
        self.app.push_screen(Help(self.words, self.KEYS, rules))
