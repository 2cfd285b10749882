"""Bots in other programs: a line protocol over standard input and output, as UCI is for chess.

docs/bots.md specifies the protocol, ``cantstop check-bot`` tries a program out.
"""

import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import RLock

from cantstop.bots.bot import Bot, BotFailure
from cantstop.bots.program import Program
from cantstop.rules import CantStopError, InvalidRules, InvalidText, Move, Phrase, Position, Rules

PREFIX = "program:"
GREETING = "cantstop 1"
START_SECONDS = 10.0
ANSWER_SECONDS = 5.0
MOST_QUOTED = 40


@dataclass(eq=False)
class ExternalBot(Bot):
    """A bot in another program, which is started when it is first asked and after each failure.

    Several tables may ask at the same time: they get their answers one after the other.
    """

    command: tuple[str, ...]
    timeout: float = ANSWER_SECONDS
    """Seconds that the program has for an answer."""
    show_errors: bool = False
    """Whether what it writes to its standard error is shown."""
    _program: Program | None = field(default=None, init=False, repr=False)
    _rules: Rules | None = field(default=None, init=False, repr=False)
    _lock: "RLock" = field(default_factory=RLock, init=False, repr=False)

    @classmethod
    def named(
        cls, text: str, timeout: float = ANSWER_SECONDS, *, show_errors: bool = False
    ) -> "ExternalBot":
        """The bot that a text such as ``program:./mybot --fast`` names."""
        try:
            command = tuple(shlex.split(text.removeprefix(PREFIX)))
        except ValueError:
            command = ()
        if not command:
            raise InvalidText(
                "“{text}” does not name a program: a command follows “{prefix}”.",
                text=text,
                prefix=PREFIX,
            )
        if shutil.which(command[0]) is None:
            raise InvalidText("There is no program “{command}” to run.", command=command[0])
        return cls(command, timeout, show_errors)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The text that names the bot."""
        return PREFIX + shlex.join(self.command)

    @property
    def process(self) -> int | None:
        """The id of the running program, or None."""
        return None if self._program is None else self._program.pid

    def check(self, rules: Rules) -> None:
        """Ask whether the bot plays these rules; one that fails here loses its games for it."""
        with suppress(BotFailure), self._exclusive():
            self._send_rules(rules)

    def choose(self, position: Position, moves: int) -> Move:
        """The move that the program answers."""
        legal = " ".join(map(str, position.legal_moves))
        with self._exclusive():
            answer = self._ask(position.rules, f"choose {moves} {position} {legal}")
            try:
                move = Move.parse(answer)
            except CantStopError:
                raise _unexpected(answer, Phrase("a move")) from None
            if move not in position.legal_moves:
                raise BotFailure("it answered {move}, which is not legal there.", move=move)
        return move

    def stop(self, position: Position, moves: int) -> bool:
        """Whether the program answers “stop” rather than “roll”."""
        with self._exclusive():
            answer = self._ask(position.rules, f"stop {moves} {position}")
            if answer not in ("stop", "roll"):
                raise _unexpected(answer, Phrase("“stop” or “roll”"))
        return answer == "stop"

    def close(self) -> None:
        """End the program."""
        with self._lock:
            if self._program is not None:
                self._program.end()
            self._program = self._rules = None

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the lock of the program; one that fails is killed at once."""
        with self._lock:
            try:
                yield
            except BotFailure:
                if self._program is not None:
                    self._program.kill()
                self.close()
                raise

    def _ask(self, rules: Rules, question: str) -> str:
        if rules != self._rules:
            self._send_rules(rules)
        program = self._start()
        if program.has_unread_lines:
            raise BotFailure("it spoke without being asked.")
        program.write_line(question)
        return program.read_line(self.timeout)

    def _send_rules(self, rules: Rules) -> None:
        program = self._start()
        program.write_line(f"rules {rules}")
        answer = program.read_line(self.timeout)
        if answer.startswith("refuse"):
            raise InvalidRules(
                "The bot “{name}” does not play these rules: {reason}",
                name=self.name,
                reason=answer.removeprefix("refuse").strip() or "–",
            )
        if answer != "ready":
            raise _unexpected(answer, Phrase("“ready”"))
        self._rules = rules

    def _start(self) -> Program:
        if self._program is None:
            self._program = Program(self.command, show_errors=self.show_errors)
            self._program.write_line(GREETING)
            answer = self._program.read_line(START_SECONDS)
            if answer != "ready":
                raise _unexpected(answer, Phrase("“ready”"))
        return self._program


def _unexpected(answer: str, due: Phrase) -> BotFailure:
    return BotFailure(
        "it answered “{answer}” instead of {due}.", answer=answer[:MOST_QUOTED], due=due
    )
