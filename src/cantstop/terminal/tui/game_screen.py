"""What every screen with a game on it shows: board, dice, players, status and log."""

from collections.abc import Iterable, Iterator
from itertools import chain

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Horizontal, Vertical
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

from cantstop.draw.seats import clean
from cantstop.language import Translator, message, round_of, short_rules, with_time_left
from cantstop.rules import EDITIONS, IllegalAction, Phase, Position
from cantstop.terminal.commands import HELP, Command
from cantstop.terminal.controller import ShownGame, Step
from cantstop.terminal.narration import Narrator
from cantstop.terminal.tui.board import BoardView, DiceView, Scene, largest_scale
from cantstop.terminal.tui.keys import Help, KeyBar
from cantstop.terminal.tui.panels import Log, Players

SIDE_WIDTH = 34
"""What the right side needs, in characters; the board may have the rest."""
LOG_HEIGHT = 5
"""Lines that the log keeps under the board."""

MIN_SIZE = Size(80, 24)

COMMON_KEYS = (
    Binding("n", "app.new_game", message("New"),
            tooltip=message("a new game; the one on the table is saved")),
    Binding("w", "app.ladder", message("The way up"), show=False,
            tooltip=message("the way up: your score against each of the eight animals")),
    Binding("question_mark", "help", message("Help"), tooltip=HELP[Command.HELP]),
    Binding("q", "app.leave", message("Quit"), tooltip=HELP[Command.QUIT]),
    Binding("l", "app.language", message("Language"), tooltip=message("the next language")),
    Binding("t", "app.theme", message("Theme"), tooltip=message("light or dark")),
)  # fmt: skip
"""The keys of every screen with a game on it."""

REVIEW_KEY = Binding("v", "review", message("Review"), show=False,
                     tooltip=message("look at the game again, once it is over"))  # fmt: skip


class GameScreen(Screen[None]):
    """Shows the game of a controller; subclasses add the controls."""

    KEYS: tuple[Binding, ...] = COMMON_KEYS

    def __init__(self, controller: ShownGame, words: Translator) -> None:
        super().__init__()
        self.controller = controller
        self.words = words

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                with Container(id="board-area"):
                    yield BoardView()
                yield Log()
            with Vertical(id="right"):
                yield Players()
                yield Static(id="status")
                yield DiceView()
                yield from self.controls()
        yield KeyBar()
        yield Static(id="too-small")

    def controls(self) -> ComposeResult:
        """What stands under the dice."""
        yield from ()

    def on_mount(self) -> None:
        self.show()

    def on_resize(self) -> None:
        self._fit_board()
        too_small = self.size.width < MIN_SIZE.width or self.size.height < MIN_SIZE.height
        self.query_one("#too-small").display = too_small
        self.query_one(KeyBar).show(self.words, self.KEYS)

    def _fit_board(self) -> None:
        """Draw the board as large as it fits; the board of an online table is known late."""
        room = Size(self.size.width - SIDE_WIDTH - 3, self.size.height - LOG_HEIGHT - 2)
        board = self.controller.position.rules.board
        self.query_one(BoardView).scale = largest_scale(board, room)

    def set_language(self, words: Translator) -> None:
        """Show everything in another language."""
        self.words = words
        self.show()

    @property
    def narrator(self) -> Narrator:
        return Narrator(self.words, tuple(map(clean, self.controller.names)))

    def show(self) -> None:
        """Show the state of the game."""
        controller, position = self.controller, self.controller.position
        self._fit_board()
        self.query_one("#title", Static).update(" · ".join(self.heading()), layout=False)
        self.query_one(Players).show(self.words, controller)
        self.show_status(self.status())
        self._show_dice(position)
        self.query_one(Log).show(self.narrator, controller.entries)
        self.query_one(KeyBar).show(self.words, self.KEYS)
        self.query_one("#too-small", Static).update(
            self.words.say(
                "This window is too small: it needs {width}×{height} characters.",
                width=MIN_SIZE.width,
                height=MIN_SIZE.height,
            )
        )
        self.show_board()

    def heading(self) -> Iterable[str]:
        """The parts of the title."""
        edition = EDITIONS.get(self.controller.edition or "")
        title = self.words.say("Can't Stop") + (f": {edition.title}" if edition else "")
        return _heading(self.narrator, self.controller, title)

    def status(self) -> str:
        """What there is to do now."""
        return _status(self.narrator, self.controller)

    def show_status(self, text: str, *, error: bool = False) -> None:
        """Show what there is to do, or what is wrong."""
        line, phase = self.query_one("#status", Static), self.controller.position.phase
        line.update(text)
        has_error = error or phase is Phase.BUST or self.controller.problem is not None
        line.set_class(has_error, "error")
        line.set_class(phase is Phase.OVER, "over")

    def _show_dice(self, position: Position) -> None:
        view = self.query_one(DiceView)
        view.dice = self.controller.dice
        view.display = bool(view.dice)
        view.live = position.dice is not None
        view.fatal = position.phase is Phase.BUST

    def preview(self) -> Position | None:
        """What the board would look like after the move that is pointed at."""
        return None

    def show_board(self) -> None:
        """Draw the board."""
        scene = Scene(self.controller.position, self.controller.colours, self.preview())
        self.query_one(BoardView).show(scene)

    def action_review(self) -> None:
        """Look at the game again; before its end that would be a hint."""
        from cantstop.terminal.tui.insight import ReviewScreen  # it loads the engine

        if not self.controller.is_over:
            refusal = IllegalAction("The review comes after the game.")
            self.show_status(self.words.error(refusal), error=True)
            return
        controller = self.controller
        self.app.push_screen(ReviewScreen(self.words, controller.record(), controller.own_seat))

    def action_help(self) -> None:
        """Show what the keys do, and the rules."""
        rules = short_rules(self.words, self.controller.position.rules)
        self.app.push_screen(Help(self.words, self.KEYS, rules))


def _status(narrator: Narrator, controller: ShownGame) -> str:
    """Whose turn it is and what they may do; how the game ended, when it is over."""
    position, say = controller.position, narrator.words.say
    if position.outcome is not None:
        lines = chain(
            narrator.outcome(position, controller.turn, position.outcome),
            narrator.against_par(_start(controller), controller.turn),
            _rematch(narrator, controller),
        )
        return " ".join(lines)
    if controller.problem is not None:
        problem = controller.problem.say(narrator.words)
        return " ".join([problem, *_rematch(narrator, controller)])
    if controller.asking is not None:
        return say(
            "{name} asks to take back the last decision. Y agrees, D does not.",
            name=controller.asking,
        )
    name = narrator.names[position.seat]
    if position.phase is Phase.BUST:
        return say("Bust! Nothing fits.")
    if controller.seconds_left is not None:
        status = _decision(narrator, controller, name)
        return with_time_left(narrator.words, status, controller.seconds_left)
    return _decision(narrator, controller, name)


def _rematch(narrator: Narrator, controller: ShownGame) -> Iterator[str]:
    """How to get a rematch, where there can be one."""
    offer = controller.rematch_offer
    if offer is not None:
        yield offer.say(narrator.words)
        yield narrator.words.say("M plays again.")


def _decision(narrator: Narrator, controller: ShownGame, name: str) -> str:
    """What whoever is in turn may do."""
    position, say = controller.position, narrator.words.say
    if controller.may_skip:
        return say("It is {name}'s turn. F skips it.", name=name)
    if not controller.may_act:
        return say("It is {name}'s turn.", name=name)
    match position.phase:
        case Phase.START:
            return say("{name}: throw two dice. The highest sum starts.", name=name)
        case Phase.MOVE:
            return say("{name}: pick a move.", name=name)
        case Phase.CHOICE if position.may_stop:
            return say("{name}: roll again, or stop?", name=name)
        case Phase.CHOICE:
            return narrator.words.error(_refusal(position))
    return say("{name}: roll the dice.", name=name)


def _start(controller: ShownGame) -> Position:
    """The position that the game started from."""
    steps = (entry.before for entry in controller.entries if isinstance(entry, Step))
    return next(steps, controller.position)


def _refusal(position: Position) -> IllegalAction:
    """Why stopping is forbidden (V3)."""
    try:
        position.stop()
    except IllegalAction as refusal:
        return refusal
    raise AssertionError(position)


def _heading(narrator: Narrator, controller: ShownGame, title: str) -> Iterator[str]:
    """What is played here: the edition, the goal, the round."""
    words, rules = narrator.words, controller.position.rules
    yield title
    yield words.say_count("{count} column to win", "{count} columns to win", rules.columns_to_win)
    if controller.position.phase is not Phase.START:
        yield words.say("round {round}", round=round_of(controller.turn, rules.players))
