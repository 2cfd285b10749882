"""People made of lists: they type given lines, and remember what was printed."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cantstop.dice import SeededDice
from cantstop.game import Game
from cantstop.language import Translator
from cantstop.record import Record, read_record
from cantstop.rules import Event, Moved, Position, Rolled, Stopped
from cantstop.terminal.console import Console
from cantstop.terminal.local_game import LocalGame, LocalSeat
from cantstop.terminal.plain import Quit, Session
from cantstop.terminal.save_file import SaveFile

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.cantstop"))


def golden(name: str) -> Record:
    """A golden playthrough."""
    return read_record((Path(__file__).parent / "golden" / f"{name}.cantstop").read_text("utf-8"))


@dataclass(frozen=True)
class RiggedDice:
    """Dice that fall as the test says."""

    rolls: tuple[str, ...]
    sides: int = 6

    def roll(self, number: int, count: int = 4) -> tuple[int, ...]:
        dice = self.rolls[number - 1]
        assert len(dice) == count
        return tuple(map(int, dice))


def local_game(start: Position | str, *seats: str, dice: Any = None) -> LocalGame:
    position = Position.parse(start) if isinstance(start, str) else start
    source: Any = SeededDice(1, position.rules.board.sides) if dice is None else dice
    if isinstance(source, str):
        source = RiggedDice(tuple(source.split()), position.rules.board.sides)
    return LocalGame(Game(start=position), tuple(map(LocalSeat.parse, seats)), source)


@dataclass
class Evening:
    """A session and everything that was said in it, each question with its answer."""

    session: Session
    questions: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    @property
    def game(self) -> Game:
        return self.session.local.game

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def sit(
    local: LocalGame, answers: Iterable[str], words: Translator | None = None, **settings: Any
) -> Evening:
    """Let people with these answers play until the game is over or they run out of them."""
    told = iter(answers)

    def read(question: str) -> str:
        answer = next(told, None)
        evening.questions.append(question)
        evening.lines.append(question + (answer or ""))
        if answer is None:
            raise EOFError
        return answer

    file = SaveFile(local, settings.pop("folder", Path("nowhere")), settings.pop("file", None))
    console = Console(words or Translator(), read, lambda text: evening.lines.append(text))
    evening = Evening(Session(file, console, **settings))
    with suppress(EOFError, Quit):
        evening.session.play()
    return evening


def typed(start: Position, events: Iterable[Event]) -> Iterator[str]:
    """What people type so that just these events happen; a bust happens by itself."""
    position = start
    for event in events:
        match event:
            case Rolled():
                yield "roll"
            case Moved(move):
                yield str(position.legal_moves.index(move) + 1)
            case Stopped():
                yield "stop"
        position = position.after(event)
