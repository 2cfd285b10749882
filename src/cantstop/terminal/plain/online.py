"""A table on a server in lines of text: prints what happens there, and asks in our turns."""

import asyncio
import codecs
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from cantstop.draw.seats import clean
from cantstop.language import short_rules, with_time_left
from cantstop.rules import CantStopError, IllegalAction, Moved, Phase, Position
from cantstop.terminal.commands import (
    Command,
    CommandAnswer,
    Enter,
    help_lines,
    parse_answer,
    parse_order,
    parse_reaction,
)
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, MAX_ANSWER, Console
from cantstop.terminal.controller import (
    THINKING,
    Note,
    Step,
    print_rejoin_command,
)
from cantstop.terminal.narration import Narrator, score_text
from cantstop.terminal.online import OnlineController
from cantstop.terminal.plain.questions import before_question, decision, question
from cantstop.terminal.plain.session import reviewed
from cantstop.threads import in_daemon_thread

EXIT_REFUSED = 2
_PIECE = 4096

Line = str | None
"""What was typed; None where nothing more will be."""


class OnlineSession:
    """Follows a table until its game is over or the player leaves.

    ``waits_for_questions`` is for a pipe, whose lines are all there before anybody is asked: then
    each is read when it is due. A person at a terminal may type at any time.
    """

    def __init__(
        self,
        controller: OnlineController,
        console: Console,
        *,
        draw: Callable[..., str] | None = None,
        waits_for_questions: bool = False,
    ) -> None:
        self.controller = controller
        self.console = console
        self._words = console.words
        self._draw = draw
        self._waits_for_questions = waits_for_questions
        self._lines: deque[Line] = deque()
        self._happened = asyncio.Event()
        self._code: int | None = None
        self._follow(controller)

    def _follow(self, controller: OnlineController) -> None:
        """Print what happens at this table from now on."""
        self.controller = controller
        self._printed: int | None = None
        """The number of printed entries; None before there was a table."""
        self._problem: Note | None = None
        self._turn: int | None = None
        self._asked: Position | None = None
        self._is_timed = False
        """Whether the question has said how much time is left."""
        self._over = False
        self._asking: str | None = None
        self._replaced = False
        self._resigning: Position | None = None

    # Running

    async def run(self, start_reading: Callable[[Callable[[Line], None]], None]) -> int:
        """Play, and return the exit code; ``start_reading`` hands every line that is typed over."""
        loop = asyncio.get_running_loop()

        def hand_over(line: Line) -> None:
            with suppress(RuntimeError):  # nobody listens any more
                loop.call_soon_threadsafe(self._on_line, line)

        start_reading(hand_over)
        while self._code is None:
            table = self.controller
            table.on_change(self._on_change)
            following = asyncio.create_task(table.run())
            try:
                await self._handle_lines(table)
            finally:
                following.cancel()
                with suppress(asyncio.CancelledError):
                    await following
        if not self.controller.is_over and self.controller.address is not None:
            print_rejoin_command(self.console, self.controller.address)
        return self._code

    async def _handle_lines(self, table: OnlineController) -> None:
        """Tell, and do what is typed, until we leave or follow another table."""
        while self._code is None and self.controller is table:
            self._happened.clear()
            if self._lines and self._may_answer:
                await self._answer(self._lines.popleft())
                continue
            await self._happened.wait()

    @property
    def _may_answer(self) -> bool:
        return not self._waits_for_questions or self._asked is not None or self._over

    def _on_line(self, line: Line) -> None:
        self._lines.append(line)
        self._happened.set()

    # Printing

    def _on_change(self) -> None:
        self._print_news()
        self._happened.set()

    @property
    def _narrator(self) -> Narrator:
        return Narrator(self._words, tuple(map(clean, self.controller.names)))

    def _print_news(self) -> None:
        """Everything that is new: what happened, why nothing happens, whose turn it is."""
        controller = self.controller
        self._print_entries()
        self._print_requests()
        problem = controller.problem
        if problem != self._problem:
            self._problem = problem
            if problem is not None:
                self._asked = None
                self.console.print(problem.say(self._words))
        if controller.refusal is not None:
            self._code = EXIT_REFUSED
        elif controller.is_over:
            self._print_end()
        elif problem is None:
            self._print_turn()
            self._ask()

    def _print_entries(self) -> None:
        """What has happened since; of a game that we find under way, only where it stands."""
        controller, narrator = self.controller, self._narrator
        entries = controller.entries
        if self._printed is None:
            if controller.edition is None:
                return  # there is no table yet
            if controller.score:
                self._print_score()
            under_way = any(isinstance(one, Step) for one in entries)
            self._printed = len(entries) if under_way else 0
            if under_way and not controller.may_act and not controller.is_over:
                self._show_board()
        for entry in entries[self._printed :]:
            if isinstance(entry, Note):
                self.console.print(entry.say(self._words))
            elif entry.ordered:
                lines = " ".join(narrator.event(entry.before, entry.event, entry.after))
                self.console.print(self._words.say("By standing order: {text}", text=lines))
            elif not (isinstance(entry.event, Moved) and controller.plays(entry.before.seat)):
                # of our own moves we know: we have just picked them
                self.console.print_lines(narrator.event(entry.before, entry.event, entry.after))
        self._printed = len(entries)

    def _print_requests(self) -> None:
        """A question beside the game, asked once."""
        controller, say = self.controller, self._words.say
        if controller.asking != self._asking:
            self._asking = controller.asking
            if self._asking is not None:
                agree, decline = say(Command.AGREE.value), say(Command.DECLINE.value)
                self.console.print(
                    say("Type “{agree}” or “{decline}”.", agree=agree, decline=decline)
                )
        if controller.is_replaced != self._replaced:
            self._replaced = controller.is_replaced
            if self._replaced:
                self.console.print(
                    say(
                        "Type “{word}” to play yourself again.",
                        word=say(Command.RETURN.value),
                    )
                )

    def _print_turn(self) -> None:
        """The heading of a turn, once; on our own turns also where everybody stands."""
        position, turn = self.controller.position, self.controller.turn
        if position.phase is Phase.START or turn == self._turn:
            return
        self._turn = turn
        self.console.write("")
        self.console.print(self._narrator.turn(position, turn))
        if self.controller.may_act:
            self._show_board()

    def _print_end(self) -> None:
        if self._over:
            return
        self._over, self._asked = True, None
        controller, narrator, position = self.controller, self._narrator, self.controller.position
        self.console.write("")
        self._show_board()
        if position.outcome is not None:
            self.console.print_lines(narrator.outcome(position, controller.turn, position.outcome))
        if controller.score:
            self._print_score()
        if controller.is_watching:
            self._code = EXIT_OK
            return
        say = self._words.say
        review = say(Command.REVIEW.value)
        if controller.rematch_offer is None:
            self.console.print(say("“{review}” looks at the game, Enter leaves.", review=review))
            return
        self.console.print(
            say(
                "“{rematch}” plays again, “{review}” looks at the game, Enter leaves.",
                rematch=say(Command.REMATCH.value),
                review=review,
            )
        )

    def _print_score(self) -> None:
        score = score_text(self._words, self.controller.score)
        self.console.print(self._words.say("The score: {score}.", score=score))

    def _show_board(self) -> None:
        position = self.controller.position
        if self._draw is not None:
            self.console.write(self._draw(position, names=self._narrator.names))
        else:
            self.console.print_lines(self._narrator.standings(position))

    def _ask(self, *, again: bool = False) -> None:
        """Ask what to do, once for each position that is ours."""
        position = self.controller.position
        if not self.controller.may_act:
            self._asked = None
        elif again or self._asked is not position:
            self._asked = position
            self.console.print_lines(before_question(self._narrator, position))
            asked = question(self._words, position, self._narrator.names[position.seat]).rstrip()
            left = self.controller.seconds_left
            self._is_timed = left is not None
            if left is not None:
                asked = with_time_left(self._words, asked, left)
            self.console.print(asked)
        elif not self._is_timed and (left := self.controller.days_left_in_seconds) is not None:
            # at a slow table the server looks it up, and sends it a moment later
            self._is_timed = True
            self.console.print(with_time_left(self._words, "", left).strip())

    # Doing what is typed

    async def _answer(self, line: Line) -> None:
        if self._waits_for_questions and line is not None:
            self.console.write(line)  # echoed, because no terminal did it
        before = self._asked
        try:
            await self._handle(line)
        except CantStopError as error:
            self.console.print(self._words.error(error))
            self._asked = self._asked or before
        if before is not None and self._asked is before and self._code is None:
            self._ask(again=True)

    async def _handle(self, line: Line) -> None:
        if line is None:
            self._code = EXIT_OK
            return
        answer = parse_answer(self._words, line)
        if self._over and answer == Enter():
            self._code = EXIT_OK
            return
        if isinstance(answer, CommandAnswer) and answer.command not in (Command.ROLL, Command.STOP):
            await self._run_command(answer.command, answer.argument)
            return
        if not self.controller.may_act:
            raise IllegalAction("The game is over." if self._over else "It is not your turn.")
        decided = decision(self._words, self.controller.position, answer)
        assert decided is not None
        self._asked = None  # its result is printed before the next question
        await self.controller.act(decided)

    async def _run_command(self, command: Command, argument: str) -> None:
        controller = self.controller
        match command:
            case Command.ORDER | Command.REVOKE:
                is_order = command is Command.ORDER
                await controller.order(parse_order(self._words, argument) if is_order else None)
            case Command.UNDO:
                await controller.undo()
            case Command.RESIGN:
                await self._resign()
            case Command.AGREE | Command.DECLINE:
                await controller.answer(agree=command is Command.AGREE)
            case Command.RETURN | Command.DROP:
                is_drop = command is Command.DROP
                await (controller.drop() if is_drop else controller.come_back())
            case Command.REACT:
                await controller.react(parse_reaction(self._words, argument))
            case Command.REMATCH:
                await self._rematch()
            case Command.HINT:
                await self._hint()
            case Command.REVIEW:
                await self._review()
            case _:
                self._show(command)

    def _show(self, command: Command) -> None:
        match command:
            case Command.QUIT:
                self._code = EXIT_OK
            case Command.BOARD:
                self._show_board()
            case Command.ODDS:
                self.console.print_lines(self._narrator.odds(self.controller.position))
            case Command.RULES:
                self.console.print(short_rules(self._words, self.controller.position.rules))
            case Command.LINK:
                self.console.write(str(self.controller.link))
            case Command.HELP:
                self.console.print_lines(help_lines(self._words, without=(Command.SAVE,)))
            case _:
                raise IllegalAction("A table on a server is kept there: there is nothing to save.")

    async def _resign(self) -> None:
        """Give up, if it is asked for twice in the same position."""
        position = self.controller.position
        if self._resigning is not position:
            self._resigning = position
            resign = self._words.say(Command.RESIGN.value)
            self.console.print(
                self._words.say("Type “{resign}” once more to give up the game.", resign=resign)
            )
            return
        await self.controller.resign()

    async def _rematch(self) -> None:
        if not self._over:
            raise IllegalAction("There can be a rematch once the game is over.")
        self._follow(await self.controller.rematch())
        self.console.print(self._words.say("The link: {link}", link=self.controller.link))

    async def _hint(self) -> None:
        from cantstop.engine import hint_lines, hint_reasons  # the engine takes a moment to load

        found = await self.controller.hint()
        self.console.print_lines(hint_lines(self._words, found))
        self.console.print_lines(hint_reasons(self._words, found))

    async def _review(self) -> None:
        if not self._over:
            raise IllegalAction("The review comes after the game.")
        self.console.print(self._words.say(THINKING))
        record, plain = self.controller.record(), self._draw is None
        self.console.write(
            await in_daemon_thread(lambda: reviewed(self._words, record, ascii_only=plain))
        )


def read_lines(hand_over: Callable[[Line], None]) -> None:
    """Hand over every line that is typed, from a thread that does not keep the program waiting.

    It reads from the system itself: a thread that waits in Python's own buffer would hold a lock
    that the interpreter needs in order to end.
    """
    if sys.stdin is None:
        hand_over(None)
        return
    try:
        number = sys.stdin.fileno()
    except OSError:  # it is no file of the system's, and has everything already
        for line in [*sys.stdin.read().splitlines(), None]:
            hand_over(line)
        return
    decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")("replace")

    def read() -> None:
        begun = ""
        while piece := os.read(number, _PIECE):
            *lines, begun = (begun + decoder.decode(piece)).split("\n")
            if len(begun) > MAX_ANSWER:
                lines, begun = [*lines, begun], ""
            for line in lines:
                hand_over(line[:MAX_ANSWER])
        if begun:
            hand_over(begun)
        hand_over(None)

    threading.Thread(target=read, daemon=True).start()


def play_online(
    controller: OnlineController,
    console: Console,
    draw: Callable[..., str] | None = None,
) -> int:
    """Play at a table on a server in lines of text; returns the exit code."""
    piped = sys.stdin is None or not sys.stdin.isatty()
    session = OnlineSession(controller, console, draw=draw, waits_for_questions=piped)
    try:
        return asyncio.run(session.run(read_lines))
    except KeyboardInterrupt:
        console.write("")
        if session.controller.address is not None and not session.controller.is_over:
            print_rejoin_command(console, session.controller.address)
        return EXIT_INTERRUPTED
