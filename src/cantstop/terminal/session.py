"""A game played at one terminal: asks the people, plays the bots, tells everybody what happens."""

from collections.abc import Callable, Iterable

from cantstop.dice import SealedDice
from cantstop.language import short_rules
from cantstop.rules import (
    Busted,
    CantStopError,
    Event,
    IllegalAction,
    InvalidText,
    Move,
    Moved,
    Phase,
    Position,
    Stopped,
)
from cantstop.terminal.commands import (
    Answer,
    Command,
    Enter,
    Order,
    Pick,
    help_lines,
    understand,
)
from cantstop.terminal.console import Talk
from cantstop.terminal.keeping import Keeping
from cantstop.terminal.saving import SaveError, home_path
from cantstop.terminal.telling import Teller


class Quit(Exception):
    """Somebody wants to leave the game as it is."""


class Session:
    """Plays a table to its end, one question or one decision of a bot at a time.

    Nothing here knows a keyboard or a screen: ``talk`` reads and writes lines, ``draw`` pictures a
    position (without it, words do).
    """

    def __init__(
        self,
        keeping: Keeping,
        talk: Talk,
        *,
        draw: Callable[[Position], str] | None = None,
    ) -> None:
        self.keeping = keeping
        self.table = keeping.table
        self.talk = talk
        self._words = talk.words
        self._tell = talk.tell
        self._draw = draw
        self._teller = Teller(talk.words, self.table.names)
        self._turn_told: int | None = None

    @property
    def _position(self) -> Position:
        return self.table.game.position

    def play(self) -> None:
        """Play until the game is over; ``Quit`` leaves it before."""
        self._tell_start()
        while self._position.phase is not Phase.OVER:
            self._tell_turn()
            if self._position.phase is Phase.BUST:
                self._push(Busted())
            elif self.table.waits_for_person:
                self._ask()
            else:
                self._let_bot_act()
        self._tell_end()

    # Telling

    def _tell_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._tell(line)

    def _tell_start(self) -> None:
        say = self._words.say
        if any(seat.bot is None for seat in self.table.seats) and self.table.game.outcome is None:
            self._tell(
                say(
                    "“{rules}” tells the rules, “{help}” what can be typed.",
                    rules=say(Command.RULES.value),
                    help=say(Command.HELP.value),
                )
            )
            self._tell_all(self._teller.par(self.table.game.start))
        if self._position.phase is Phase.START:
            self._tell(say("Two dice each: the highest sum starts."))

    def _tell_turn(self) -> None:
        """The heading of a turn, once; people see where everybody stands."""
        game = self.table.game
        if game.phase is Phase.START or game.turn == self._turn_told:
            return
        self._turn_told = game.turn
        self._tell("")
        self._tell(self._teller.turn(game.position, game.turn))
        if self.table.seat.bot is None:
            self._show_board()
        if game.dice is not None:
            self._tell(self._teller.dice(game.position))

    def _tell_end(self) -> None:
        game = self.table.game
        assert game.outcome is not None
        self._tell("")
        self._show_board()
        self._tell_all(self._teller.outcome(game.position, game.turn, game.outcome))
        self._tell_all(self._teller.against_par(game.start, game.turn))

    def _show_board(self) -> None:
        if self._draw is not None:
            self.talk.write(self._draw(self._position))
        else:
            self._tell_all(self._teller.standings(self._position))

    # Letting things happen

    def _push(self, event: Event) -> None:
        before = self._position
        self.table.game.push(event)
        self._happened(before)

    def _roll(self) -> None:
        before = self._position
        self.table.roll()
        self._happened(before)

    def _happened(self, before: Position) -> None:
        """Keep and tell the last event; people know the move that they have just picked."""
        self._keep()
        event = self.table.game.events[-1]
        if not isinstance(event, Moved) or self.table.seats[before.seat].bot is not None:
            self._tell_all(self._teller.event(before, event, self._position))

    def _let_bot_act(self) -> None:
        before = self._position
        self.table.act(self.table.bot_decision())
        self._happened(before)

    # Asking

    def _ask(self) -> None:
        self._tell_all(self._before_question())
        try:
            self._obey(understand(self._words, self.talk.read(self._question())))
        except CantStopError as error:
            self._tell(self._words.error(error))

    def _before_question(self) -> Iterable[str]:
        """What somebody has to know to answer."""
        position = self._position
        if position.phase is Phase.MOVE:
            yield from self._teller.menu(position)
        if position.phase is Phase.CHOICE:
            yield self._teller.runners(position)
            try:
                position.stop()
            except IllegalAction as refusal:  # V3
                yield self._words.error(refusal)

    def _question(self) -> str:
        position, say = self._position, self._words.say
        match position.phase:
            case Phase.START:
                return say("{name}, press Enter to throw two dice: ", name=self.table.name)
            case Phase.ROLL if self.table.seat.bot is not None:
                undo = say(Command.UNDO.value)
                return say(
                    "Press Enter to go on with {name}, or type “{undo}”: ",
                    name=self.table.name,
                    undo=undo,
                )
            case Phase.MOVE if len(position.legal_moves) == 1:
                return say("Press Enter for this move: ")
            case Phase.MOVE:
                return say("Your move, 1 to {most}: ", most=len(position.legal_moves))
            case Phase.CHOICE if position.may_stop:
                return say("{roll} or {stop}? ", **self._roll_and_stop())
        return say("{name}, press Enter to roll: ", name=self.table.name)

    def _roll_and_stop(self) -> dict[str, str]:
        return {
            "roll": self._words.say(Command.ROLL.value),
            "stop": self._words.say(Command.STOP.value),
        }

    # Obeying

    def _obey(self, answer: Answer) -> None:
        match answer:
            case Order(command, argument):
                self._carry_out(command, argument)
            case Pick(number):
                self._pick(number)
            case Enter():
                self._take_default()
            case Move():
                self._push(Moved(answer))

    def _take_default(self) -> None:
        """What Enter alone means: the only thing to do, where there is only one."""
        position = self._position
        if position.phase is Phase.MOVE:
            self._pick(1 if len(position.legal_moves) == 1 else 0)
        elif position.may_stop:
            raise InvalidText("Please type “{roll}” or “{stop}”.", **self._roll_and_stop())
        else:
            self._roll()

    def _pick(self, number: int) -> None:
        moves = self._position.legal_moves
        if moves and not 1 <= number <= len(moves):
            raise InvalidText("Please type a number from 1 to {most}.", most=len(moves))
        # without dice there is no move to pick, which the rules say best
        self._push(Moved(moves[number - 1] if moves else Move()))

    def _carry_out(self, command: Command, argument: str) -> None:
        match command:
            case Command.ROLL:
                self._roll()
            case Command.STOP:
                self._push(Stopped())
            case Command.UNDO:
                self._take_back()
            case Command.SAVE:
                self._save(argument)
            case Command.QUIT:
                raise Quit
            case _:
                self._inform(command)

    def _inform(self, command: Command) -> None:
        match command:
            case Command.BOARD:
                self._show_board()
            case Command.ODDS:
                self._tell_all(self._teller.odds(self._position))
            case Command.RULES:
                self._tell(short_rules(self._words, self._position.rules))
            case Command.HELP:
                sealed = isinstance(self.table.dice, SealedDice)
                self._tell_all(help_lines(self._words, sealed=sealed))

    def _take_back(self) -> None:
        self.table.take_back()
        self._keep()
        self._tell(self._words.say("Taken back."))
        if self._position.dice is not None:
            self._tell(self._teller.dice(self._position))

    # Saving

    def _keep(self) -> None:
        """Bring the file up to date; a full disk is told, and the game goes on."""
        try:
            self.keeping.update()
        except SaveError as error:
            self._tell(self._words.error(error))

    def _save(self, name: str) -> None:
        path = self.keeping.save(home_path(name) if name else None)
        self._tell(self._words.say("The game is kept in {path} from now on.", path=path))
