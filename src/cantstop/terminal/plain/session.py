"""A game in lines of text: asks the people, plays the bots, prints what happens."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from cantstop.bots import Choice, Decisions
from cantstop.bots.expert import ExpertBot
from cantstop.dice import SealedDice
from cantstop.language import short_rules
from cantstop.rules import (
    Busted,
    CantStopError,
    IllegalAction,
    InvalidText,
    Move,
    Moved,
    Phase,
    Position,
)
from cantstop.terminal.commands import (
    Answer,
    Command,
    CommandAnswer,
    Enter,
    MoveNumber,
    help_lines,
    parse_answer,
    parse_thrown,
)
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, Console
from cantstop.terminal.local_game import Decision, Thrown
from cantstop.terminal.narration import Narrator, compiling_text
from cantstop.terminal.save_file import (
    SaveError,
    SaveFile,
    expand_home,
    print_record,
    save_and_print_resume,
)

_TOLD_SHARES = (0.0, 0.25, 0.5, 0.75)
"""How often somebody who waits for the engine is told how far it is: lines stay on the screen."""


class Quit(Exception):
    """A player leaves an unfinished game."""


class Session:
    """Plays a game to its end, one question or one decision of a bot at a time.

    ``console`` reads and writes all lines; ``draw`` draws a board (without it, words describe it).
    """

    def __init__(
        self,
        file: SaveFile,
        console: Console,
        *,
        draw: Callable[[Position], str] | None = None,
    ) -> None:
        self.file = file
        self.local = file.local
        self.console = console
        self._words = console.words
        self._print = console.print
        self._draw = draw
        self._narrator = Narrator(console.words, self.local.names)
        self._printed_turn: int | None = None
        self._resigning: Position | None = None
        """Where somebody has asked to resign once."""

    @property
    def _position(self) -> Position:
        return self.local.game.position

    def run(self, resume: Sequence[str]) -> int:
        """Play, and return the exit code of the command.

        An unfinished game is saved, whether somebody quits, the input ends or Ctrl-C is pressed.
        ``resume`` is the command that goes on with a save, without the file's name.
        """
        try:
            self.play()
        except Quit:
            code = EXIT_OK
        except (EOFError, KeyboardInterrupt) as end:
            self.console.write("")  # ends the line of the question
            code = EXIT_OK if isinstance(end, EOFError) else EXIT_INTERRUPTED
        else:
            print_record(self.console, self.file)
            return EXIT_OK
        save_and_print_resume(self.console, self.file, resume)
        return code

    def play(self) -> None:
        """Play until the game is over; ``Quit`` leaves it before."""
        self._print_start()
        while not self._is_over():
            self._print_turn()
            if self._position.phase is Phase.BUST:
                self._act(Busted())
            elif self.local.waits_for_person:
                self._ask()
            else:
                with self._first_use_told(self.local.seat.bot):
                    decision = self.local.bot_decision()
                self._act(decision)

    def _is_over(self) -> bool:
        """Whether the game is over; what was entered last may still be wrong."""
        if self._position.phase is not Phase.OVER and not self.local.is_given_up:
            return False
        self._print_end()
        if not (self.local.enters_dice and self.local.may_undo):
            return True
        question = self._words.say(
            "Press Enter to end the game, or type “{undo}”: ",
            undo=self._words.say(Command.UNDO.value),
        )
        try:
            answer = self.console.read(question)
        except EOFError:
            self.console.write("")
            return True
        if not self._means_undo(answer):
            return True
        self._undo()
        return False

    def _means_undo(self, text: str) -> bool:
        try:
            return parse_answer(self._words, text) == CommandAnswer(Command.UNDO)
        except InvalidText:
            return False

    # Printing

    def _print_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._print(line)

    def _print_start(self) -> None:
        say = self._words.say
        if any(seat.bot is None for seat in self.local.seats) and self.local.game.outcome is None:
            self._print(
                say(
                    "“{rules}” tells the rules, “{help}” what can be typed.",
                    rules=say(Command.RULES.value),
                    help=say(Command.HELP.value),
                )
            )
            self._print_lines(self._narrator.par(self.local.game.start))
        if self._position.phase is Phase.START:
            self._print(say("Two dice each: the highest sum starts."))

    def _print_turn(self) -> None:
        """The heading of a turn, once; people see where everybody stands."""
        game = self.local.game
        if game.phase is Phase.START or game.turn == self._printed_turn:
            return
        self._printed_turn = game.turn
        self._print("")
        self._print(self._narrator.turn(game.position, game.turn))
        if self.local.seat.bot is None:
            self._show_board()
        if game.dice is not None:
            self._print(self._narrator.dice(game.position))

    def _print_end(self) -> None:
        game = self.local.game
        self._print("")
        self._show_board()
        if game.outcome is None:
            self._print(self._narrator.given_up(self.local.record()))
            return
        self._print_lines(self._narrator.outcome(game.position, game.turn, game.outcome))
        self._print_lines(self._narrator.against_par(game.start, game.turn))

    def _show_board(self) -> None:
        if self._draw is not None:
            self.console.write(self._draw(self._position))
        else:
            self._print_lines(self._narrator.standings(self._position))

    # Applying events

    def _act(self, action: Decision | Busted) -> None:
        """Apply, save and print a decision or a bust.

        A person's move is not printed: they have just picked it.
        """
        before = self._position
        self.local.apply(action)
        self._update_file()
        event = self.local.game.events[-1]
        if not isinstance(event, Moved) or self.local.seats[before.seat].bot is not None:
            self._print_lines(self._narrator.event(before, event, self._position))

    # Asking

    def _ask(self) -> None:
        self._print_lines(self._before_question())
        try:
            self._handle(self._parse(self.console.read(self._question())))
        except CantStopError as error:
            self._print(self._words.error(error))

    def _parse(self, text: str) -> Answer | Thrown:
        """What was typed: where the players throw the dice, numbers are dice while some are due."""
        if self.local.enters_dice and self._position.may_roll:
            dice = parse_thrown(text)
            if dice is not None:
                return Thrown(dice)
        return parse_answer(self._words, text)

    def _before_question(self) -> Iterable[str]:
        """What somebody has to know to answer."""
        position = self._position
        if position.phase is Phase.MOVE:
            yield from self._narrator.menu(position)
        if position.phase is Phase.CHOICE:
            yield self._narrator.runners(position)
            try:
                position.stop()
            except IllegalAction as refusal:  # V3
                yield self._words.error(refusal)

    def _question(self) -> str:
        position, say = self._position, self._words.say
        if self.local.enters_dice and position.may_roll:
            return self._ask_for_dice()
        match position.phase:
            case Phase.START:
                return say("{name}, press Enter to throw two dice: ", name=self.local.name)
            case Phase.ROLL if self.local.seat.bot is not None:
                undo = say(Command.UNDO.value)
                return say(
                    "Press Enter to go on with {name}, or type “{undo}”: ",
                    name=self.local.name,
                    undo=undo,
                )
            case Phase.MOVE if len(position.legal_moves) == 1:
                return say("Press Enter for this move: ")
            case Phase.MOVE:
                return say("Your move, 1 to {most}: ", most=len(position.legal_moves))
            case Phase.CHOICE if position.may_stop:
                return say("{roll} or {stop}? ", **self._roll_and_stop())
        return say("{name}, press Enter to roll: ", name=self.local.name)

    def _ask_for_dice(self) -> str:
        """The question for what the players have thrown."""
        say, name = self._words.say, self.local.name
        match self._position.phase:
            case Phase.START:
                return say("{name}, your two dice for the start: ", name=name)
            case Phase.CHOICE if self._position.may_stop:
                return say("Your next four dice, or “{stop}”: ", **self._roll_and_stop())
        return say("{name}, your four dice: ", name=name)

    def _roll_and_stop(self) -> dict[str, str]:
        return {
            "roll": self._words.say(Command.ROLL.value),
            "stop": self._words.say(Command.STOP.value),
        }

    # Answers

    def _handle(self, answer: Answer | Thrown) -> None:
        match answer:
            case Thrown():
                self._act(answer)
            case CommandAnswer(command, argument):
                self._run_command(command, argument)
            case MoveNumber(number):
                self._pick(number)
            case Enter():
                self._take_default()
            case Move():
                self._act(answer)

    def _take_default(self) -> None:
        """What Enter alone means: the only thing to do, where there is only one."""
        position = self._position
        if position.phase is Phase.MOVE:
            self._pick(1 if len(position.legal_moves) == 1 else 0)
        elif self.local.enters_dice:
            raise InvalidText("Please type what the dice show, such as “2455”.")
        elif position.may_stop:
            raise InvalidText("Please type “{roll}” or “{stop}”.", **self._roll_and_stop())
        else:
            self._act(Choice.ROLL)

    def _pick(self, number: int) -> None:
        moves = self._position.legal_moves
        if moves and not 1 <= number <= len(moves):
            raise InvalidText("Please type a number from 1 to {most}.", most=len(moves))
        # without dice there is no move to pick, which the rules say best
        self._act(moves[number - 1] if moves else Move())

    def _run_command(self, command: Command, argument: str) -> None:
        match command:
            case Command.ROLL:
                self._act(Choice.ROLL)
            case Command.STOP:
                self._act(Choice.STOP)
            case Command.UNDO:
                self._undo()
            case Command.SAVE:
                self._save(argument)
            case Command.HINT:
                self._hint()
            case Command.RESIGN:
                self._resign()
            case Command.QUIT:
                raise Quit
            case _:
                self._show(command)

    def _show(self, command: Command) -> None:
        match command:
            case Command.BOARD:
                self._show_board()
            case Command.ODDS:
                self._print_lines(self._narrator.odds(self._position))
            case Command.RULES:
                self._print(short_rules(self._words, self._position.rules))
            case Command.HELP:
                sealed = isinstance(self.local.dice, SealedDice)
                entered = self.local.enters_dice
                self._print_lines(help_lines(self._words, sealed=sealed, entered=entered))

    def _hint(self) -> None:
        """Every option with its chance to win, and why; the record says that there was a hint."""
        from cantstop.engine import hint_lines, hint_reasons  # NumPy and Numba load slowly

        position = self._position
        if self.local.seat.bot is not None:
            raise IllegalAction("It is not your turn.")
        if not self.local.hints:
            self._print(self._words.say("Thinking: the first time this takes a little longer."))
        with self._first_use_told():
            found = position.hint()
        self.local.note_hint(position.seat)
        self._update_file()
        self._print_lines(hint_lines(self._words, found))
        self._print_lines(hint_reasons(self._words, found))

    def _resign(self) -> None:
        """Give up, if it is asked for twice in the same position."""
        if self._resigning is not self._position:
            self._resigning = self._position
            resign = self._words.say(Command.RESIGN.value)
            self._print(
                self._words.say("Type “{resign}” once more to give up the game.", resign=resign)
            )
            return
        name = self.local.name
        self.local.resign()
        self._update_file()
        self._print(self._words.say("{name} resigns.", name=name))

    @contextmanager
    def _first_use_told(self, bot: Decisions | None = None) -> Iterator[None]:
        """Say in a few lines how far the engine is compiled, on a new installation."""
        if bot is not None and not isinstance(bot, ExpertBot):
            yield
            return
        from cantstop.engine import first_use

        steps = list(_TOLD_SHARES)

        def tell(share: float) -> None:
            if steps and share >= steps[0]:
                del steps[0]
                self._print(compiling_text(self._words, share))

        with first_use(tell, len(self.local.seats)):
            yield

    def _undo(self) -> None:
        self.local.undo()
        self._update_file()
        self._print(self._words.say("Taken back."))
        if self._position.dice is not None:
            self._print(self._narrator.dice(self._position))

    # Saving

    def _update_file(self) -> None:
        """Update the save file; if that fails, print why and go on."""
        try:
            self.file.update()
        except SaveError as error:
            self._print(self._words.error(error))

    def _save(self, name: str) -> None:
        path = self.file.save(expand_home(name) if name else None)
        self._print(self._words.say("The game is kept in {path} from now on.", path=path))
