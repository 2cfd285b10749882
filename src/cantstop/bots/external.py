"""Bots in other programs: a line protocol over standard input and output, as UCI is for chess.

docs/bots.md specifies the protocol, ``cantstop check-bot`` tries a program out.
"""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
        command = split_command(text.removeprefix(PREFIX))
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
        return PREFIX + join_command(self.command)

    @property
    def process(self) -> int | None:
        """The id of the running program, or None."""
        return None if self._program is None else self._program.pid

    def check(self, rules: Rules) -> None:
        """Ask whether the bot plays these rules."""
        with self._exclusive():
            self._send_rules(rules)

    def choose(self, position: Position, moves: int) -> Move:
        """The move that the program answers."""
        legal = " ".join(map(str, position.legal_moves))
        with self._exclusive(position):
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
        with self._exclusive(position):
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
    def _exclusive(self, position: Position | None = None) -> Iterator[None]:
        """Hold the lock of the program; one that fails is killed at once."""
        with self._lock:
            try:
                yield
            except BotFailure as failure:
                if self._program is not None:
                    self._program.kill()
                    failure.explain(self._program.last_errors())
                self.close()
                raise BotFailure.of(self.name, failure, position) from None

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
            answer = self._program.read_line(max(START_SECONDS, self.timeout))
            if answer != "ready":
                raise _unexpected(answer, Phrase("“ready”"))
        return self._program


_WINDOWS_PART = re.compile(r'(\\*)(")|(\\+)|([ \t]+)|([^\\" \t]+)')


def split_command(text: str, *, platform: str = sys.platform) -> tuple[str, ...]:
    r"""A command line as the words that make it up, by the system's rules; empty if it has none.

    On Windows a backslash is part of a path, and only double quotes hold words together.

    >>> split_command(r'"C:\my bots\bot.exe" --fast', platform="win32")
    ('C:\\my bots\\bot.exe', '--fast')
    >>> split_command(r"./my\ bot 'a b'", platform="linux")
    ('./my bot', 'a b')
    """
    if platform != "win32":
        try:
            return tuple(shlex.split(text))
        except ValueError:
            return ()
    words: list[str] = []
    word: str | None = None
    is_quoted = False
    for slashes, quote, plain_slashes, space, plain in _WINDOWS_PART.findall(text):
        if space and not is_quoted:
            words += [] if word is None else [word]
            word = None
            continue
        if quote:  # a pair of backslashes before it stands for one, and a single one takes it away
            is_quoted ^= len(slashes) % 2 == 0
            plain = "\\" * (len(slashes) // 2) + quote * (len(slashes) % 2)
        word = (word or "") + (plain or plain_slashes or space)
    words += [] if word is None else [word]
    return () if is_quoted else tuple(words)


def join_command(command: Sequence[str], *, platform: str = sys.platform) -> str:
    """The text that ``split_command`` makes the same words of."""
    return subprocess.list2cmdline(command) if platform == "win32" else shlex.join(command)


def _unexpected(answer: str, due: Phrase) -> BotFailure:
    return BotFailure(
        "it answered “{answer}” instead of {due}.", answer=answer[:MOST_QUOTED], due=due
    )
