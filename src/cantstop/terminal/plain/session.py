"""A game in lines of text: asks the people, plays the bots, prints what happens."""

from collections.abc import Callable, Sequence

from cantstop.dice import SealedDice
from cantstop.extras import is_installed
from cantstop.language import Translator, short_rules
from cantstop.record import Record
from cantstop.rules import (
    Busted,
    CantStopError,
    IllegalAction,
    InvalidText,
    Moved,
    Phase,
    Position,
)
from cantstop.terminal.commands import (
    ONLINE,
    Answer,
    Command,
    CommandAnswer,
    Enter,
    help_lines,
    parse_answer,
    parse_thrown,
)
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, Console
from cantstop.terminal.controller import THINKING
from cantstop.terminal.ladder import enter_game, ladder_game, result_text
from cantstop.terminal.local_game import Decision, Thrown
from cantstop.terminal.narration import Narrator
from cantstop.terminal.plain.questions import before_question, decision, question
from cantstop.terminal.save_file import (
    SaveError,
    SaveFile,
    expand_home,
    print_record,
    save_and_print_resume,
)


def reviewed(
    words: Translator, record: Record, hero: int | None = None, *, ascii_only: bool
) -> str:
    """The review of a game, in lines of text; its story is that of one seat."""
    from cantstop.review import review  # the engine takes a moment to load
    from cantstop.review.text import review_text

    return review_text(review(record), words, hero, ascii_only=ascii_only)


def _means(words: Translator, typed: str, command: Command) -> bool:
    """Whether what was typed is that command; anything else that can be typed is a no."""
    try:
        return parse_answer(words, typed) == CommandAnswer(command)
    except InvalidText:
        return False


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
        """Where a player has asked to resign once."""

    @property
    def _position(self) -> Position:
        return self.local.game.position

    def run(self, resume: Sequence[str]) -> int:
        """Play, and return the exit code of the command.

        An unfinished game is saved, whether the player quits, the input ends or Ctrl-C is pressed.
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
            self._print_score()
            print_record(self.console, self.file)
            return self._offer_review()
        save_and_print_resume(self.console, self.file, resume)
        return code

    def _print_score(self) -> None:
        """Keep a game against an animal of the ladder, and say how it stands now."""
        game = ladder_game(self.local)
        if game is None:
            return
        try:
            ladder = enter_game(self.file.folder, game)
        except SaveError as error:
            self._print(self._words.error(error))
        else:
            self._print(result_text(self._words, ladder, game))

    def _offer_review(self) -> int:
        """Review the game, if a person has played it and wants to."""
        if all(seat.bot is not None for seat in self.local.seats) or not is_installed("engine"):
            return EXIT_OK
        review = self._words.say(Command.REVIEW.value)
        try:
            typed = self.console.read(
                self._words.say(
                    "Type “{review}” to look at the game again, or press Enter to leave: ",
                    review=review,
                )
            )
            if _means(self._words, typed, Command.REVIEW):
                self._print(self._words.say(THINKING))
                record, hero = self.local.record(), self.local.only_person
                self.console.write(
                    reviewed(self._words, record, hero, ascii_only=self._draw is None)
                )
        except CantStopError as error:
            self._print(self._words.error(error))
        except EOFError:
            self.console.write("")
        except KeyboardInterrupt:
            self.console.write("")
            return EXIT_INTERRUPTED
        return EXIT_OK

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
                self._act(self.local.bot_decision())

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
        if not _means(self._words, answer, Command.UNDO):
            return True
        self._undo()
        return False

    # Printing

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
            self.console.print_lines(self._narrator.par(self.local.game.start))
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
        self.console.print_lines(self._narrator.outcome(game.position, game.turn, game.outcome))
        self.console.print_lines(self._narrator.against_par(game.start, game.turn))

    def _show_board(self) -> None:
        if self._draw is not None:
            self.console.write(self._draw(self._position))
        else:
            self.console.print_lines(self._narrator.standings(self._position))

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
            self.console.print_lines(self._narrator.event(before, event, self._position))

    # Asking

    def _ask(self) -> None:
        self.console.print_lines(before_question(self._narrator, self._position))
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

    def _question(self) -> str:
        say = self._words.say
        if self.local.enters_dice and self._position.may_roll:
            return self._ask_for_dice()
        if self._position.phase is Phase.ROLL and self.local.seat.bot is not None:
            return say(
                "Press Enter to go on with {name}, or type “{undo}”: ",
                name=self.local.name,
                undo=say(Command.UNDO.value),
            )
        return question(self._words, self._position, self.local.name)

    def _ask_for_dice(self) -> str:
        """The question for what the players have thrown."""
        say, name = self._words.say, self.local.name
        match self._position.phase:
            case Phase.START:
                return say("{name}, your two dice for the start: ", name=name)
            case Phase.CHOICE if self._position.may_stop:
                return say("Your next four dice, or “{stop}”: ", stop=say(Command.STOP.value))
        return say("{name}, your four dice: ", name=name)

    # Answers

    def _handle(self, answer: Answer | Thrown) -> None:
        if isinstance(answer, Thrown):
            self._act(answer)
            return
        if self.local.enters_dice and answer == Enter() and self._position.phase is not Phase.MOVE:
            raise InvalidText("Please type what the dice show, such as “2455”.")
        decided = decision(self._words, self._position, answer)
        if decided is not None:
            self._act(decided)
        elif isinstance(answer, CommandAnswer):
            self._run_command(answer.command, answer.argument)

    def _run_command(self, command: Command, argument: str) -> None:
        match command:
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
            case Command.REVIEW:
                raise IllegalAction("The review comes after the game.")
            case _ if command in ONLINE:
                raise IllegalAction("That is for tables on a server.")
            case _:
                self._show(command)

    def _show(self, command: Command) -> None:
        match command:
            case Command.BOARD:
                self._show_board()
            case Command.ODDS:
                self.console.print_lines(self._narrator.odds(self._position))
            case Command.RULES:
                self._print(short_rules(self._words, self._position.rules))
            case Command.HELP:
                sealed = isinstance(self.local.dice, SealedDice)
                entered = self.local.enters_dice
                self.console.print_lines(help_lines(self._words, sealed=sealed, entered=entered))

    def _hint(self) -> None:
        """Every option with its chance to win, and why; the record says that there was a hint."""
        from cantstop.engine import hint_lines, hint_reasons  # the engine takes a moment to load

        position = self._position
        if self.local.seat.bot is not None:
            raise IllegalAction("It is not your turn.")
        found = position.hint()
        self.local.note_hint(position.seat)
        self._update_file()
        self.console.print_lines(hint_lines(self._words, found))
        self.console.print_lines(hint_reasons(self._words, found))

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
