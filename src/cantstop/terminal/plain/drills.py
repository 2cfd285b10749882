"""Drills in lines of text: for pipes, screen readers and any terminal."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cantstop.draw import board_text
from cantstop.drills import Drill, Progress, next_drill, save_progress
from cantstop.drills.text import (
    TOPICS,
    answer_text,
    option_lines,
    progress_text,
    reasons,
    verdict_text,
)
from cantstop.language import Translator, short_rules
from cantstop.language.rules_text import EARLY, SHARED_SPACES
from cantstop.rules import Action, CantStopError, Choice, InvalidText, Move, Phase, Rules, Sharing
from cantstop.terminal.commands import Command, CommandAnswer, MoveNumber, parse_answer
from cantstop.terminal.console import EXIT_INTERRUPTED, EXIT_OK, Console
from cantstop.terminal.narration import Narrator, risk_text


class _Quit(Exception):
    """Whoever practises has had enough."""


@dataclass
class DrillSession:
    """Drills one after the other, until the player leaves."""

    console: Console
    drills: Sequence[Drill]
    progress: Progress
    path: Path
    """Where the progress is kept, after every answer."""
    chance: random.Random
    wanted: Callable[[Drill], bool]
    ascii_only: bool = False
    count: int | None = None
    """How many drills there are to be; None for as many as one likes."""

    def run(self) -> int:
        """Ask until enough were answered or the player leaves; returns the exit code."""
        words = self.console.words
        self.console.print(progress_text(words, self.progress))
        asked = 0
        try:
            while self.count is None or asked < self.count:
                drill = next_drill(self.drills, self.progress, self.chance, self.wanted)
                if drill is None:
                    raise InvalidText("There is no such drill.")
                self._show(drill)
                self._tell(drill, self._ask(drill))
                asked += 1
        except (_Quit, EOFError):
            pass
        except KeyboardInterrupt:
            self.console.write("")
            return EXIT_INTERRUPTED
        self.console.print(words.say("Your progress is in {path}.", path=self.path))
        return EXIT_OK

    def _show(self, drill: Drill) -> None:
        """The position, in signs and in words, and what can be done."""
        console, words, position = self.console, self.console.words, drill.position
        console.write("")
        console.print(
            words.say(
                "Drill: {topic}. Difficulty: {difficulty}.",
                topic=words.say(TOPICS[drill.topic]),
                difficulty=drill.difficulty,
            )
        )
        console.print_lines(_unusual_rules(words, position.rules))
        console.write(board_text(position, names=self._names(drill), ascii=self.ascii_only))
        narrator = Narrator(words, self._names(drill))
        console.print_lines(narrator.standings(position))
        if any(position.runners):
            console.print(narrator.runners(position))
        if position.phase is Phase.MOVE:
            console.print(narrator.dice(position))
            console.print_lines(narrator.menu(position))
        else:
            for number, option in enumerate(drill.options, 1):
                console.print(f"  {number}) {answer_text(words, option.answer)}")

    def _names(self, drill: Drill) -> tuple[str, ...]:
        """Nobody in a drill has a name: there is whoever practises, and the others."""
        words, position = self.console.words, drill.position
        return tuple(
            words.say("You")
            if seat == position.seat
            else words.say("Player {number}", number=seat + 1)
            for seat in range(position.rules.players)
        )

    def _ask(self, drill: Drill) -> Action:
        while True:
            typed = self.console.read(self.console.words.say("Your answer: "))
            try:
                answer = self._answer(drill, typed)
            except CantStopError as error:
                self.console.print(self.console.words.error(error))
            else:
                if answer is not None:
                    return answer

    def _answer(self, drill: Drill, typed: str) -> Action | None:
        """The typed answer, or None if the input was a command."""
        words = self.console.words
        given: object = parse_answer(words, typed)
        answers = [option.answer for option in drill.options]
        match given:
            case MoveNumber(number) if 1 <= number <= len(answers):
                return answers[number - 1]
            case Move() if given in answers:
                return given
            case CommandAnswer(Command.STOP) if Choice.STOP in answers:
                return Choice.STOP
            case CommandAnswer(Command.ROLL) if Choice.ROLL in answers:
                return Choice.ROLL
            case CommandAnswer(Command.QUIT):
                raise _Quit
            case CommandAnswer(Command.RULES):
                self.console.print(short_rules(words, drill.position.rules))
                return None
            case CommandAnswer(Command.BOARD):
                self._show(drill)
                return None
            case CommandAnswer(Command.ODDS) if drill.position.phase is not Phase.MOVE:
                self.console.print(risk_text(words, drill.position))
                return None
        raise InvalidText(
            "Answer with a number, or one of: {answers}; “{quit}” leaves.",
            answers=", ".join(answer_text(words, answer) for answer in answers),
            quit=words.say(Command.QUIT.value),
        )

    def _tell(self, drill: Drill, answer: Action) -> None:
        """Whether it was right, what every answer is worth, why, and the new rating."""
        console, words = self.console, self.console.words
        self.progress = self.progress.after(drill, is_right=answer == drill.best.answer)
        save_progress(self.path, self.progress)
        console.print(verdict_text(words, drill, answer))
        for line in option_lines(words, drill):
            console.write(f"  {line}")
        console.print_lines(reasons(words, drill))
        console.print(progress_text(words, self.progress))


def _unusual_rules(words: Translator, rules: Rules) -> Iterator[str]:
    """What is not as in most games: a longer game, and variants."""
    if rules.columns_to_win != Rules().columns_to_win:
        yield short_rules(words, rules).partition("\n")[0]
    if rules.early:
        yield words.say(EARLY)
    if rules.sharing is not Sharing.FREE:
        yield words.say(SHARED_SPACES[rules.sharing])
